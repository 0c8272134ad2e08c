"""Wrong answers that look right: each is made from the reference, and no item aimed at may pass.

Failing is right, and so is being unsure: then a judge looks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.evidence.formulas import column_letters
from bythebook.deliverables.evidence.model import Chart, Document, Formatting, Paragraph, Workbook
from bythebook.deliverables.proof.court import Watch
from bythebook.deliverables.proof.disguise import MAKES, SUPPOSES, UNSEEN, columns
from bythebook.deliverables.proof.draft import Draft
from bythebook.deliverables.proof.ground import Ground
from bythebook.deliverables.proof.sample import Sample

MOST_COLUMNS = 4
"""Columns that each kind is tried on, those of the heaviest items first."""


@dataclass(frozen=True)
class Lookalike:
    name: str
    """What is wrong, in words."""
    sample: Sample
    aims: frozenset[str]
    """Items none of which may pass."""


def lookalikes(ground: Ground, watch: Watch) -> Iterator[Lookalike]:
    """Every look-alike that applies to this task."""
    for column in islice(columns(ground.court, watch), MOST_COLUMNS):
        for name, make in MAKES.items():
            draft = Draft(ground.sample, column.file)
            changed = make(draft, column)
            aims = frozenset(
                item
                for spot in changed
                for item, want in watch.judges_of(spot).items()
                if SUPPOSES.get(name, bool)(want) and not _may(name, ground, item)
            )
            if aims:
                where = f"{name}: {column.sheet}, column {column_letters(column.number)}"
                yield Lookalike(where, draft.done(), aims)
    for make_whole in WHOLE:
        yield from make_whole(ground)


def _may(name: str, ground: Ground, item: str) -> bool:
    """A defined name may well refer to a hidden cell."""
    return name in UNSEEN and isinstance(ground.court.items[item].spec, s.Names)


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
