"""`whatif`: an input cell is changed, everything is recalculated, and figures must follow."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case, shown_sheet
from bythebook.deliverables.checks.cells import find_cell
from bythebook.deliverables.checks.deciding import fail, together, unsure, void
from bythebook.deliverables.checks.grid import Book, Grid
from bythebook.deliverables.checks.labels import check_labelled, figures_of, find_labels
from bythebook.deliverables.checks.places import encoded
from bythebook.deliverables.checks.reading import is_error
from bythebook.deliverables.checks.uses import field_of
from bythebook.deliverables.checks.want import check_cell, read_want
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import Cell, Recalculation, Scalar, Sheet


def check_what_if(spec: s.WhatIf, case: Case) -> Answer:
    """Figures of the changed book."""
    book = case.book(spec.file)
    changes = {_place(place, book): _scalar(value) for place, value in spec.set.items()}
    anew = case.results.what_if(book.name, changes)
    if anew.status == "unavailable":
        raise void(f"nothing here recalculates: {anew.says}", encoded(book.name))
    if anew.status != "ok":
        why = f"the changed workbook cannot be recalculated ({anew.status}): {anew.says}"
        raise fail(why, encoded(book.name))
    changed = recomputed(book, anew, changes)
    return together(partial(_then, one, spec, case, changed, anew) for one in spec.then)


def _place(place: str, book: Book) -> str:
    """`Sheet!A1` with the sheet as the candidate spells it."""
    sheet, _, cell = place.rpartition("!")
    return f"{shown_sheet(book, sheet.strip(chr(39))).sheet.name}!{cell}"


def _scalar(value: object) -> Scalar:
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, bool | int | float | str) else str(value)


def _then(
    one: s.Follower, spec: s.WhatIf, case: Case, changed: Book, anew: Recalculation
) -> Answer:
    live = msgspec.structs.replace(one, file=one.file or spec.file, formula=False)
    grid = shown_sheet(changed, live.sheet)
    field = case.fields[field_of(live)]
    places = list(_places(live, case, grid))
    for place in places:
        cell = grid.at(*place)
        if cell is not None and cell.formula and not _computed(grid, cell, anew):
            raise unsure("this engine does not know its formula", grid.place_of(*place))
    want = read_want(live, field)
    if live.label:
        answer = check_labelled(case, grid, field, want)
    else:
        answer = check_cell(case, grid, *places[0], want)
    told = ", ".join(f"{place} = {value}" for place, value in spec.set.items())
    return msgspec.structs.replace(answer, notes=(f"after {told}",))


def _places(one: s.Follower, case: Case, grid: Grid) -> Iterator[tuple[int, int]]:
    """The cells that may be meant: the nearest figures of a label, or one cell of a table."""
    if not one.label:
        yield find_cell(case, grid, one.find, one.column)
        return
    for label in find_labels(case, grid, case.fields[one.label]):
        yield from figures_of(grid, label)


def _computed(grid: Grid, cell: Cell, anew: Recalculation) -> bool:
    return address(cell.row, cell.column) in anew.values.get(grid.sheet.name, {})


def recomputed(book: Book, anew: Recalculation, changes: Mapping[str, Scalar]) -> Book:
    """The book with the values that its formulas gave, and the cells that were changed."""
    sheets = tuple(_sheet(sheet, anew, changes) for sheet in book.content.sheets)
    return Book(book.name, msgspec.structs.replace(book.content, sheets=sheets), computed=True)


def _sheet(sheet: Sheet, anew: Recalculation, changes: Mapping[str, Scalar]) -> Sheet:
    values = dict(anew.values.get(sheet.name, {}))
    for place, value in changes.items():
        name, _, cell = place.rpartition("!")
        if name == sheet.name:
            values[cell] = value
    if not values:
        return sheet
    return msgspec.structs.replace(sheet, cells=tuple(_cell(cell, values) for cell in sheet.cells))


def _cell(cell: Cell, values: Mapping[str, Scalar]) -> Cell:
    at = address(cell.row, cell.column)
    if at not in values or values[at] == cell.value:
        return cell
    value = values[at]
    error = cell.formula and is_error(value)
    kind = "error" if error else "text" if isinstance(value, str) else "number"
    return msgspec.structs.replace(cell, value=value, type=kind, shown="")
