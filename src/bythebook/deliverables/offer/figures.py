"""Offers of checks on single figures: labels, names, charts, what-ifs, and figures in prose."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from bythebook.deliverables.checks.cells import find_cell
from bythebook.deliverables.checks.charts import is_number
from bythebook.deliverables.checks.deciding import Decided
from bythebook.deliverables.checks.grid import Grid, areas_of
from bythebook.deliverables.checks.labels import figures_of, find_labels
from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.checks.reading import written_value
from bythebook.deliverables.checks.uses import PROSE
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import Cell, Chart, Recalculation, Workbook
from bythebook.deliverables.offer.known import Known, Offer
from bythebook.deliverables.offer.written import Digits, digits, joined

MOST_SUPPOSED = 4
"""Input cells that are tried: each costs a recalculation."""


class Labelled(NamedTuple):
    """A labelled figure of the first reference; the heading of a column is no label."""

    field: str
    place: dict[str, Any]
    """File and sheet."""
    figure: Digits


def labelled(known: Known) -> Iterator[Labelled]:
    columns = {one for table in known.task.expected.tables.values() for one in table.columns}
    for grid, place in zip(known.grids, known.sheets(), strict=True):
        for name in filter(known.named, known.fields.keys() - columns):
            figure = _figure(known, grid, name) if known.counts(name) else None
            if figure is not None:
                yield Labelled(name, place, figure)


def _figure(known: Known, grid: Grid, field: str) -> Digits | None:
    assert known.first is not None
    for label in find_labels(known.first, grid, known.fields[field]):
        for spot in figures_of(grid, label)[:1]:
            cell = grid.at(*spot)
            if cell is not None and _counts(cell.value):
                return digits(float(cell.value))  # type: ignore[arg-type] # _counts says so
    return None


def _counts(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def label(known: Known) -> Iterator[Offer]:
    for name, place, figure in labelled(known):
        told = place | {"all": [{"label": name, "equals": figure}]}
        says = f"{place['sheet']} shows {known.label(name)}, {figure}"
        yield Offer(told | {"formula": True}, f"{says}, live.")
        yield Offer(told, f"{says}.")


def names(known: Known) -> Iterator[Offer]:
    for file, book in known.books.items():
        found = {name: value for name, value in _names(known, file, book) if known.pinned(name)}
        if found:
            says = f"{joined(found)} {'name' if len(found) > 1 else 'names'} the right cell."
            place = known.file(file, ("xlsx",))
            live = {name: {"equals": value, "formula": True} for name, value in found.items()}
            yield Offer(place | {"are": live}, says)
            yield Offer(place | {"are": found}, says)


def _names(known: Known, file: str, book: Workbook) -> Iterator[tuple[str, Any]]:
    """Names of the whole book that refer to one cell, with its value."""
    assert known.first is not None
    for name, refers in book.names.items():
        areas = areas_of(refers.lstrip("="))
        grid = known.first.book(file).find(areas[0].sheet) if len(areas) == 1 else None
        cell = grid.at(areas[0].top, areas[0].left) if grid is not None else None
        if cell is not None and cell.value is not None:
            value = cell.value
            yield name, digits(float(value)) if _counts(value) else str(value)


# --- charts -------------------------------------------------------------------------------------


def charts(known: Known) -> Iterator[Offer]:
    for grid, place in zip(known.grids, known.sheets(), strict=True):
        if grid.sheet.charts:
            yield from _charts(known, grid.sheet.charts, place)
    for file in known.wanted("docx", "pptx"):
        content = known.contents(file)[0]
        slides = getattr(content, "slides", ())
        found = [sh.chart for slide in slides for sh in slide.shapes if sh.chart is not None]
        found += getattr(content, "charts", ())
        if found:
            yield from _charts(known, tuple(found), known.file(file, ("docx", "pptx")))


def _charts(known: Known, found: tuple[Chart, ...], place: dict[str, Any]) -> Iterator[Offer]:
    """The same charts told by values, type and title; then without title, then by values."""
    shown = [(chart, _values(known, chart)) for chart in found]
    told = [
        {"values": values, "type": chart.type}
        | ({"title": chart.title} if chart.title and known.pinned(chart.title) else {})
        for chart, values in shown
        if values
    ]
    where = place.get("sheet", "the document")
    says = f"{where} holds {len(told)} native chart{'s' if len(told) > 1 else ''} of these values."
    for left_out in ((), ("title",), ("title", "type")) if told else ():
        entries = [{k: v for k, v in one.items() if k not in left_out} for one in told]
        yield Offer(place | {"all": entries}, says)


def _values(known: Known, chart: Chart) -> str | list[Digits]:
    """The expected column that a chart shows, or its numbers."""
    shown = [[digits(float(v)) for v in s.values if _counts(v)] for s in chart.series]  # type: ignore[arg-type] # _counts says so
    for name, table in known.task.expected.tables.items():
        for column in table.columns:
            wanted = sorted(_read(table.column(column)))
            if wanted and any(sorted(map(Decimal, one)) == wanted for one in shown):
                return f"{name}#{column}"
    return next(filter(None, shown), [])


def _read(texts: tuple[str, ...]) -> list[Decimal]:
    """The numbers of a column; none if anything else stands there."""
    try:
        read = [Decimal(text) for text in texts if text]
    except ArithmeticError:
        return []
    return read if all(is_number(written_value(str(one), "number")[0]) for one in read) else []


# --- what-ifs -----------------------------------------------------------------------------------


def what_if(known: Known) -> Iterator[Offer]:
    """An input cell gets another number; the first promised figure that follows is wanted."""
    for number, (file, sheet, cell) in enumerate(_entered(known)):
        if number >= MOST_SUPPOSED or known.first is None:
            return
        change = int(float(cell.value or 0)) + 10
        at = f"{sheet}!{address(cell.row, cell.column)}"
        anew = known.first.results.what_if(file, {at: change})
        if anew.status == "unavailable":
            return
        place = known.file(file, ("xlsx",))
        for then, says in _followers(known, file, anew):
            told = place | {"set": {at: change}, "then": [then]}
            yield Offer(told, f"{says} when {at} does.")


def _entered(known: Known) -> Iterator[tuple[str, str, Cell]]:
    """Numbers that stand in sheets of the inputs and of the reference, the first of each column."""
    for grid in known.shown:
        seen: set[int] = set()
        for cell in (cell for row in grid.rows.values() for cell in row.values()):
            plain = _counts(cell.value) and not cell.formula and not _dated(cell)
            if grid.sheet.name in known.raw and plain and cell.column not in seen:
                seen.add(cell.column)
                yield grid.book.name, grid.sheet.name, cell


def _dated(cell: Cell) -> bool:
    return any(letter in cell.format.casefold() for letter in "yd")


def _followers(
    known: Known, file: str, anew: Recalculation
) -> Iterator[tuple[dict[str, Any], str]]:
    """Promised cells that hold another number now: the cell with what it must be, in words."""
    for place in known.sheets():
        for keyed in known.tables:
            for name in filter(known.named, keyed.others):
                for number in range(len(keyed.table.rows)):
                    find = keyed.find(number, known)
                    spot = _spot(known, place, find, name)
                    changed = _changed(known, spot, anew) if spot is not None else None
                    if changed is not None and spot is not None and spot.file == file:
                        then = {"sheet": place["sheet"], "find": find, "column": name}
                        of = " ".join(map(str, find.values()))
                        says = f"{known.label(name)} of {of} changes"
                        yield then | {"equals": changed}, says


def _spot(known: Known, place: dict[str, Any], find: dict[str, Any], column: str) -> Spot | None:
    assert known.first is not None
    grid = known.first.grid(place.get("file", ""), place["sheet"])
    try:
        return grid.spot(*find_cell(known.first, grid, find, column))
    except Decided:
        return None


def _changed(known: Known, spot: Spot, anew: Recalculation) -> Digits | None:
    grid = known.first.book(spot.file).find(spot.sheet) if known.first is not None else None
    before = grid.at(spot.row, spot.column) if grid is not None else None
    after = anew.values.get(spot.sheet, {}).get(address(spot.row, spot.column))
    if before is None or not _counts(after) or not _counts(before.value):
        return None
    was, now = (digits(float(v)) for v in (before.value, after))  # type: ignore[arg-type] # _counts says so
    return now if was != now else None


# --- prose --------------------------------------------------------------------------------------


def figures(known: Known) -> Iterator[Offer]:
    """What the workbook says under a label, said in a document of the same thing."""
    for file in known.wanted(*PROSE):
        for name, _, figure in labelled(known):
            about, place = known.label(name), known.file(file, PROSE)
            for shown in (6, 4, 3):
                one = {"is": figure, "digits": shown, "near": about}
                told = place | {"all": [one]}
                yield Offer(told | {"only": "tables"}, f"A table of {file} gives {about}.")
                yield Offer(told, f"{file} says {about}, {figure}.", screen=True)


def agree(known: Known) -> Iterator[Offer]:
    for file in known.wanted(*PROSE):
        for name, place, _ in labelled(known):
            about = known.label(name)
            figure = known.file(file, PROSE) | {"near": about}
            told = {"cell": place | {"label": name}, "figure": figure}
            yield Offer(told, f"{about} is the same in {file} and in the workbook.")
