"""Wrong answers that look right: each is made from the reference, and no item aimed at may pass.

Failing is right, and so is being unsure: then a judge looks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.checks.want import Want
from bythebook.deliverables.evidence.formulas import address, column_letters
from bythebook.deliverables.evidence.model import (
    Chart,
    Document,
    Formatting,
    Paragraph,
    Workbook,
)
from bythebook.deliverables.proof.court import Court, Watch
from bythebook.deliverables.proof.draft import Draft
from bythebook.deliverables.proof.sample import Sample
from bythebook.deliverables.proof.variants import Ground

MOST_COLUMNS = 4
"""Columns that each kind is tried on, those of the heaviest items first."""


@dataclass(frozen=True)
class Lookalike:
    name: str
    """What is wrong, in words."""
    sample: Sample
    aims: frozenset[str]
    """Items none of which may pass."""


@dataclass(frozen=True)
class Column:
    """The cells of one column whose values some items judge."""

    file: str
    sheet: str
    number: int
    wants: dict[Spot, Want]

    @property
    def spots(self) -> list[Spot]:
        return sorted(self.wants)


def lookalikes(ground: Ground, watch: Watch) -> Iterator[Lookalike]:
    """Every look-alike that applies to this task."""
    for column in islice(columns(ground.court, watch), MOST_COLUMNS):
        for name, make in MAKES.items():
            draft = Draft(ground.sample, column.file)
            changed = make(draft, column)
            aims = {item for spot in changed for item in watch.judges_of(spot)}
            if name in UNSEEN:
                aims -= {n for n, i in ground.court.items.items() if isinstance(i.spec, s.Names)}
            if aims:
                where = f"{name}: {column.sheet}, column {column_letters(column.number)}"
                yield Lookalike(where, draft.done(), frozenset(aims))
    for make_whole in WHOLE:
        yield from make_whole(ground)


def columns(court: Court, watch: Watch) -> Iterator[Column]:
    """The judged columns, those of the heaviest items first; then by their place.

    Where several items judge a cell, the heaviest says what is wanted, of these the strictest.
    """
    wants: dict[tuple[str, str, int], dict[Spot, Want]] = {}
    heaviest: dict[tuple[str, str, int], int] = {}
    judged = [
        (-court.level(item), want.tol, spot, want)
        for item, wanted in watch.wanted.items()
        for spot, want in wanted.items()
    ]
    for level, _, spot, want in sorted(judged, key=lambda one: one[:3]):
        place = spot.file, spot.sheet, spot.column
        wants.setdefault(place, {}).setdefault(spot, want)
        heaviest.setdefault(place, level)
    for place in sorted(wants, key=lambda one: (heaviest[one], -len(wants[one]), one)):
        yield Column(*place, wants[place])


# --- one column ---------------------------------------------------------------------------------

Make = Callable[[Draft, Column], list[Spot]]
"""Changes a draft; the judged cells that it changed."""
Cells = Callable[[Draft, str, tuple[int, int]], None]


def hidden(draft: Draft, column: Column) -> list[Spot]:
    known = draft.sheets[column.sheet].hidden_columns
    draft.set(column.sheet, hidden_columns=tuple(sorted({*known, column.number})))
    return column.spots


def hidden_sheet(draft: Draft, column: Column) -> list[Spot]:
    draft.set(column.sheet, state="hidden")
    return column.spots


def hidden_rows(draft: Draft, column: Column) -> list[Spot]:
    draft.set(column.sheet, hidden_rows=tuple(sorted({spot.row for spot in column.spots})))
    return column.spots


def numbers_as_text(draft: Draft, column: Column) -> list[Spot]:
    done = [spot for spot in _numbers(draft, column) if not column.wants[spot].text_ok]
    for spot in done:
        text = str(_value(draft, spot))
        draft.put(column.sheet, (spot.row, spot.column), text, shown=text)
    return done


def stale(draft: Draft, column: Column) -> list[Spot]:
    """Right values are cached over formulas that give others."""
    values = draft.values.get(column.sheet, {})
    done = []
    for spot in column.spots:
        at = address(spot.row, spot.column)
        found = values.get(at)
        if isinstance(found, int | float):
            values[at] = found * 1.5 + 1000
            done.append(spot)
    return done


def uncached(draft: Draft, column: Column) -> list[Spot]:
    return _each_formula(
        draft, column, lambda draft, sheet, place: draft.change(sheet, place, None, shown="")
    )


def pasted(draft: Draft, column: Column) -> list[Spot]:
    """Values without formulas, where formulas are wanted."""

    def paste(draft: Draft, sheet: str, place: tuple[int, int]) -> None:
        draft.put(sheet, place, draft.cells[sheet][place].value)

    return _each_formula(draft, column, paste, wanted=True)


def bare_formula(draft: Draft, column: Column) -> list[Spot]:
    """A constant dressed as a formula that refers to nothing."""

    def dress(draft: Draft, sheet: str, place: tuple[int, int]) -> None:
        value = draft.cells[sheet][place].value
        draft.change(sheet, place, value, formula=f'VALUE("{value}")+0')

    return _each_formula(draft, column, dress, wanted=True)


def errors(draft: Draft, column: Column) -> list[Spot]:
    for spot in column.spots[:1]:
        draft.change(column.sheet, (spot.row, spot.column), "#REF!", type="error", shown="#REF!")
    return column.spots[:1]


def other_unit(draft: Draft, column: Column) -> list[Spot]:
    """Thousands instead of units, and nothing says so."""
    done = [spot for spot in _numbers(draft, column) if _value(draft, spot)]
    for spot in done:
        draft.change(column.sheet, (spot.row, spot.column), _value(draft, spot) / 1000)
    return done


def right_in_a_hidden_sheet(draft: Draft, column: Column) -> list[Spot]:
    """The right values stand in a hidden sheet; those that are seen are others."""
    copy = f"{column.sheet} (2)"
    draft.add_sheet(copy, draft.cells[column.sheet].values(), state="hidden")
    done = _numbers(draft, column)
    for spot in done:
        other = _value(draft, spot) * 2 + 10 + float(column.wants[spot].tol) * 3
        draft.change(column.sheet, (spot.row, spot.column), other)
    return done


def _numbers(draft: Draft, column: Column) -> list[Spot]:
    """Cells that hold a number, where a number is wanted."""
    cells = {s: draft.at(column.sheet, (s.row, s.column)) for s in column.spots}
    return [
        spot
        for spot, cell in cells.items()
        if cell is not None and cell.type == "number" and column.wants[spot].counts
    ]


def _value(draft: Draft, spot: Spot) -> float:
    value = draft.cells[spot.sheet][spot.row, spot.column].value
    return value if isinstance(value, int | float) else 0.0


def _each_formula(
    draft: Draft, column: Column, change: Cells, *, wanted: bool = False
) -> list[Spot]:
    """Every cell with a formula, or only those where a formula is wanted."""
    done = []
    for spot in column.spots:
        cell = draft.at(column.sheet, (spot.row, spot.column))
        if cell is not None and cell.formula and (column.wants[spot].formula or not wanted):
            change(draft, column.sheet, (spot.row, spot.column))
            done.append(spot)
    return done


MAKES: dict[str, Make] = {
    "a hidden column": hidden,
    "a hidden sheet": hidden_sheet,
    "hidden rows": hidden_rows,
    "numbers as text": numbers_as_text,
    "right values cached over wrong formulas": stale,
    "formulas without values": uncached,
    "values for formulas": pasted,
    "constants dressed as formulas": bare_formula,
    "an error value": errors,
    "thousands for units": other_unit,
    "right values in a hidden sheet only": right_in_a_hidden_sheet,
}
UNSEEN = ("a hidden sheet", "hidden rows")
"""A defined name may well refer to a hidden cell."""


# --- charts, views, names, prose ----------------------------------------------------------------


def charts(ground: Ground) -> Iterator[Lookalike]:
    """A chart of other numbers, and a picture of the right ones, on every sheet that is asked."""
    for name, item in ground.court.items.items():
        if not isinstance(item.spec, s.Charts):
            continue
        other, picture = ground.sample, ground.sample
        for file, book in ground.sample.books.items():
            other = other.having(file, _charted(book, _other_values))
            picture = picture.having(file, _pictured(book))
        yield Lookalike("charts of other numbers", other, frozenset((name,)))
        yield Lookalike("pictures of charts", picture, frozenset((name,)))


def _charted(book: Workbook, change: Callable[[Chart], Chart]) -> Workbook:
    sheets = tuple(
        msgspec.structs.replace(sheet, charts=tuple(change(chart) for chart in sheet.charts))
        for sheet in book.sheets
    )
    return msgspec.structs.replace(book, sheets=sheets)


def _other_values(chart: Chart) -> Chart:
    """As if one row lower: the first value gone, another at the end."""
    series = tuple(
        msgspec.structs.replace(one, values=(*one.values[1:], 123456.5)) for one in chart.series
    )
    return msgspec.structs.replace(chart, series=series)


def _pictured(book: Workbook) -> Workbook:
    sheets = tuple(
        msgspec.structs.replace(sheet, charts=(), pictures=sheet.pictures + len(sheet.charts))
        for sheet in book.sheets
    )
    return msgspec.structs.replace(book, sheets=sheets)


def views(ground: Ground) -> Iterator[Lookalike]:
    """Filter, conditional format and freeze set where nothing stands."""
    far = "XA900:XC950"
    for name, item in ground.court.items.items():
        if not isinstance(item.spec, s.View) or set(item.spec.has) <= {"validation", "print_area"}:
            continue
        sample = ground.sample
        for file, book in sample.books.items():
            sheets = tuple(
                msgspec.structs.replace(
                    sheet,
                    filters=(far,) if sheet.filters else (),
                    formats=tuple(Formatting(far, f.type, f.formulas) for f in sheet.formats),
                    freeze="A900" if sheet.freeze else "",
                )
                for sheet in book.sheets
            )
            sample = sample.having(file, msgspec.structs.replace(book, sheets=sheets))
        yield Lookalike("filters and formats on empty cells", sample, frozenset((name,)))


def names(ground: Ground) -> Iterator[Lookalike]:
    """Defined names that hold a constant instead of referring to a cell."""
    for name, item in ground.court.items.items():
        if isinstance(item.spec, s.Names):
            sample = ground.sample
            for file, book in sample.books.items():
                held = {known: "123456.5" for known in book.names}
                sample = sample.having(file, msgspec.structs.replace(book, names=held))
            yield Lookalike("names that hold constants", sample, frozenset((name,)))


def empty_sheets(ground: Ground) -> Iterator[Lookalike]:
    """Sheets of the right names with nothing on them."""
    aims = {
        name
        for name, item in ground.court.items.items()
        if isinstance(item.spec, s.Sheets | s.TableSpec | s.Cell | s.Label)
    }
    sample = ground.sample
    for file, book in sample.books.items():
        sheets = tuple(msgspec.structs.replace(sheet, cells=()) for sheet in book.sheets)
        sample = sample.having(file, msgspec.structs.replace(book, sheets=sheets))
    if aims:
        yield Lookalike("empty sheets of the right names", sample, frozenset(aims))


def plain_headings(ground: Ground) -> Iterator[Lookalike]:
    """Headings that are only words in bold: the document has no outline."""
    for name, item in ground.court.items.items():
        if isinstance(item.spec, s.Outline):
            sample = ground.sample
            for file, content in sample.contents.items():
                if isinstance(content, Document):
                    sample = sample.having(file, _flat(content))
            if sample is not ground.sample:
                yield Lookalike("headings without a style", sample, frozenset((name,)))


def _flat(document: Document) -> Document:
    blocks = tuple(
        msgspec.structs.replace(block, level=0, style="Normal")
        if isinstance(block, Paragraph)
        else block
        for block in document.blocks
    )
    return msgspec.structs.replace(document, blocks=blocks)


def other_sign(ground: Ground) -> Iterator[Lookalike]:
    """`under` where it is `over`, in every document: items that ask for the word must not pass."""
    for name, item in ground.court.items.items():
        words = [one.word for one in item.spec.all if one.word] if _figures(item.spec) else []  # type: ignore[union-attr] # figures have `all`
        if words:
            swaps = {w: no for yes, no in words for w, no in _pairs(yes, no)}
            sample = ground.sample
            for file, content in sample.contents.items():
                if isinstance(content, Document):
                    sample = sample.having(file, _reworded(content, swaps))
            if sample is not ground.sample:
                yield Lookalike("the opposite word", sample, frozenset((name,)))


def _figures(spec: msgspec.Struct | None) -> bool:
    return isinstance(spec, s.Figures)


def _pairs(yes: str, no: str) -> Iterator[tuple[str, str]]:
    for word in yes.split("|"):
        yield word.strip(), no.split("|")[0].strip()


def _reworded(document: Document, swaps: dict[str, str]) -> Document:
    def write(text: str) -> str:
        for word, other in swaps.items():
            text = text.replace(word, other).replace(word.capitalize(), other.capitalize())
        return text

    blocks = tuple(
        msgspec.structs.replace(block, text=write(block.text))
        if isinstance(block, Paragraph)
        else msgspec.structs.replace(
            block, rows=tuple(tuple(write(cell) for cell in row) for row in block.rows)
        )
        for block in document.blocks
    )
    return msgspec.structs.replace(document, blocks=blocks)


def broken_files(ground: Ground) -> Iterator[Lookalike]:
    """Files of the right names that do not open."""
    aims = {n for n, i in ground.court.items.items() if isinstance(i.spec, s.Files)}
    files = {
        name: msgspec.structs.replace(file, status="corrupt", says="It does not open.")
        for name, file in ground.sample.files.items()
    }
    if aims:
        sample = replace(ground.sample, files=files, contents={})
        yield Lookalike("files of the right names that do not open", sample, frozenset(aims))


WHOLE: tuple[Callable[[Ground], Iterator[Lookalike]], ...] = (
    charts,
    views,
    names,
    empty_sheets,
    plain_headings,
    other_sign,
    broken_files,
)
