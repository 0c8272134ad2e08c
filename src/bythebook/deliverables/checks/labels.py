"""`label` and `names`: single figures, found by the text beside them or by a defined name."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import Decided, fail, together, unsure
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.checks.grid import Book, Grid, areas_of
from bythebook.deliverables.checks.places import encoded, name_at
from bythebook.deliverables.checks.uses import wanted
from bythebook.deliverables.checks.want import Want, check_cell, read_want
from bythebook.deliverables.checks.wording import fold, heading
from bythebook.deliverables.evidence.model import Cell

REACH = 3
"""Cells to the right of a label, and below it."""

Place = tuple[int, int]


def check_labels(spec: s.Label, case: Case) -> Answer:
    """The figure of each label."""
    grid = case.grid(spec.file, spec.sheet)
    return together(partial(_figure, one, spec, case, grid) for one in spec.all)


def _figure(one: s.Figure, spec: s.Label, case: Case, grid: Grid) -> Answer:
    field = case.fields[one.label]
    formula = one.formula or spec.formula
    want = read_want(msgspec.structs.replace(one, formula=formula), field)
    return check_labelled(case, grid, field, want)


def check_labelled(case: Case, grid: Grid, field: Field, want: Want) -> Answer:
    """The figure of every cell that says a label."""
    labels = list(find_labels(case, grid, field))
    if not labels:
        raise unsure("no such label", grid.place, wanted=field.names[0])
    return together(partial(_beside, case, grid, label, want) for label in labels)


def find_labels(case: Case, grid: Grid, field: Field) -> Iterator[Place]:
    """Every visible cell that says the pinned label; where none does, those that say an alias."""
    for names in (field.names[:1], field.names[1:]):
        known = {heading(name, field.unit) for name in names}
        found = [
            (row, column)
            for row, cells in grid.rows.items()
            for column, cell in cells.items()
            if isinstance(cell.value, str)
            and heading(cell.value, field.unit) in known
            and not grid.hides(row, column)
        ]
        for place in found:
            case.look(grid, *place)
            yield place
        if found:
            return


def figures_of(grid: Grid, label: Place) -> list[Place]:
    """The nearest figure to the right of a label and the nearest below it, nearest first."""
    row, column = label
    right = [(row, column + step) for step in range(1, REACH + 1)]
    below = [(row + step, column) for step in range(1, REACH + 1)]
    found = [(line.index(place), place) for line in (right, below) for place in _first(grid, line)]
    near = [place for _, place in sorted(found, key=lambda pair: pair[0])]
    return [place for place in near if not _is_text(grid.at(*place))] or near


def _first(grid: Grid, line: list[Place]) -> Iterator[Place]:
    """The first filled cell of a line, if it can be a figure; another label ends the search."""
    for place in line:
        cell = grid.at(*place)
        if cell is not None:
            if _can_be_figure(cell):
                yield place
            return


def _is_text(cell: Cell | None) -> bool:
    return cell is not None and isinstance(cell.value, str) and not cell.formula


def _can_be_figure(cell: Cell) -> bool:
    if cell.formula or not isinstance(cell.value, str):
        return True
    return any(letter.isdigit() for letter in cell.value)


def _beside(case: Case, grid: Grid, label: Place, want: Want) -> Answer:
    places = figures_of(grid, label)
    if not want.counts and not places:
        places = [p for p in ((label[0], label[1] + 1), (label[0] + 1, label[1])) if grid.at(*p)]
    if not places:
        raise fail("no figure stands by the label", grid.place_of(*label), wanted=want.written)
    tried: list[Answer] = []
    for row, column in places:
        try:
            if row in grid.hidden_rows:
                raise fail("its row is hidden", grid.place_of(row, column), wanted=want.written)
            return check_cell(case, grid, row, column, want)
        except Decided as decided:
            tried.append(decided.answer)
    raise Decided(tried[0])


# --- defined names ------------------------------------------------------------------------------


def check_names(spec: s.Names, case: Case) -> Answer:
    """Each name refers to one cell, whose value is the one wanted."""
    book = case.book(spec.file)
    return together(partial(_name, name, value, case, book) for name, value in spec.are.items())


def _name(name: str, value: Any, case: Case, book: Book) -> Answer:
    want = read_want(wanted(value), None)
    scope, refers = _reference(name, book)
    place = name_at(book.name, name)
    if refers is None:
        known = ", ".join(sorted(book.content.names)) or "no names"
        raise fail("no such name", encoded(book.name), seen=known, wanted=name)
    areas = areas_of(refers)
    one = areas[0] if len(areas) == 1 else None
    if one is None or (one.top, one.left) != (one.bottom, one.right):
        raise fail("the name refers to no single cell", place, seen=refers, wanted=want.written)
    grid = book.find(one.sheet or scope)
    if grid is None:
        raise fail("the name refers to no sheet of the book", place, seen=refers)
    return check_cell(case, grid, one.top, one.left, want)


def _reference(name: str, book: Book) -> tuple[str, str | None]:
    """Sheet of its scope (empty: the book) and what a name refers to."""
    known: list[tuple[str, str, str]] = [("", n, ref) for n, ref in book.content.names.items()]
    for local, ref in book.content.local_names.items():
        sheet, _, own = local.rpartition("!")
        known.append((sheet.strip("'"), own, ref))
    for scope, own, ref in known:
        if fold(own) == fold(name):
            return scope, ref.lstrip("=")
    return "", None
