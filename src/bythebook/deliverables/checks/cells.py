"""`cell` and `column`: values found by their row's keys and their column's heading."""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import Decided, fail, together
from bythebook.deliverables.checks.grid import Grid
from bythebook.deliverables.checks.reading import written_value
from bythebook.deliverables.checks.table import Key, Table, find_table, matching
from bythebook.deliverables.checks.uses import cells_of
from bythebook.deliverables.checks.want import Want, check_cell, judge_cell, read_want
from bythebook.deliverables.evidence.formulas import column_letters
from bythebook.deliverables.evidence.model import Cell


def check_cells(spec: s.Cell, case: Case) -> Answer:
    """One cell, or all of several."""
    return together(partial(_one, one, case) for one in cells_of(spec))


def _one(one: s.OneCell, case: Case) -> Answer:
    return check_one(one, case, case.grid(one.file, one.sheet))


def check_one(one: s.OneCell, case: Case, grid: Grid) -> Answer:
    """One cell of a sheet, or of a what-if copy of it."""
    row, column = find_cell(case, grid, one.find, one.column)
    return check_cell(case, grid, row, column, read_want(one, case.fields[one.column]))


def find_cell(case: Case, grid: Grid, find: dict[str, Any], column: str) -> tuple[int, int]:
    """Row and column of the one cell that is meant; raises `Decided`."""
    fields = tuple(find)
    table = find_table(case, grid, (*fields, column))
    table.check_readable(fields)
    wanted = tuple(written_value(v, case.fields[name].read_as)[0] for name, v in find.items())
    row = one_row(table, table.keys(fields).get(wanted, []), _told(find))
    for name in fields:
        case.look(grid, row, table.columns[name])
    return row, table.columns[column]


def one_row(table: Table, rows: list[int], told: str) -> int:
    """The one row of a key."""
    if not rows:
        raise fail("no row has this key", table.grid.place, wanted=told)
    if len(rows) > 1:
        first = table.columns[next(iter(table.columns))]
        raise fail("the key stands twice", table.grid.place_of(rows[1], first), wanted=told)
    return rows[0]


def _told(find: dict[str, Any]) -> str:
    return ", ".join(str(value) for value in find.values())


# --- column -------------------------------------------------------------------------------------


def check_column(spec: s.Column, case: Case) -> Answer:
    """Every expected row: wrong ones beyond the share fail; doubtful ones are for the judge."""
    grid = case.grid(spec.file, spec.sheet)
    table = find_table(case, grid, (*spec.key, *spec.where, spec.column))
    table.check_readable(spec.key)
    wrong: list[Answer] = []
    doubtful: list[Answer] = []
    rows: list[int] = []
    for found in _judged(spec, case, table):
        if isinstance(found, int):
            rows.append(found)
        else:
            (wrong if found.mark == "fail" else doubtful).append(found)
    bad = len(wrong) + len(doubtful)
    count = (bad, bad + len(rows))
    allowed = (1 - spec.share) * count[1]
    if bad <= allowed:
        place = grid.place_of(rows[0], table.columns[spec.column]) if rows else grid.place
        return Answer(mark="pass", place=place, count=count)
    first = wrong[0] if len(wrong) > allowed else doubtful[0]
    return msgspec.structs.replace(first, count=count)


def _judged(spec: s.Column, case: Case, table: Table) -> Iterator[int | Answer]:
    """Of each expected row the row where it is right, or what is wrong with it."""
    keys, column = table.keys(spec.key), table.columns[spec.column]
    places = [table.columns[name] for name in spec.key]
    allowed = matching(table, spec.where) if spec.where else None
    right = Right(spec, case, table.grid, column)
    for number, (key, told, want) in enumerate(expected_wants(spec, case)):
        rows = [row for row in keys.get(key, ()) if allowed is None or row in allowed]
        try:
            row = one_row(table, rows, told)
            for place in places:
                case.look(table.grid, row, place)
            if not right.again(number, row):
                judge_cell(case, table.grid, row, column, want)
                right.keep(number, row)
            yield row
        except Decided as decided:
            yield decided.answer


NOT_COMPUTED = object()
Seen = tuple[Cell | None, object]
"""A cell, and what its formula computes to."""


class Right:
    """Cells that were found right in another case of the same task: the same cell, computed anew to
    the same value, is right again. Where somebody reads what was looked at, all are looked at."""

    def __init__(self, spec: s.Column, case: Case, grid: Grid, column: int) -> None:
        self._case, self._grid, self._column = case, grid, column
        self._off = case.watched or column in grid.hidden_columns
        kept = ("right", id(spec), grid.book.content.date1904)
        # With the spec, so that no other can take its place in memory.
        known = case.lasting.setdefault(kept, (spec, {}))
        self._known: dict[int, Seen] = known[1]
        self._letters = column_letters(column)

    def again(self, number: int, row: int) -> bool:
        """Was the cell of this expected row right before, as it stands here?"""
        return not self._off and self._known.get(number) == self._seen(row)

    def keep(self, number: int, row: int) -> None:
        if not self._off:
            self._known[number] = self._seen(row)

    def _seen(self, row: int) -> Seen:
        cell = self._grid.at(row, self._column)
        if cell is None or not cell.formula:
            return cell, NOT_COMPUTED
        anew = self._case.recalculated(self._grid.book).values.get(self._grid.sheet.name, {})
        return cell, anew.get(f"{self._letters}{row}", NOT_COMPUTED)


def expected_wants(spec: s.Column, case: Case) -> list[tuple[Key, str, Want]]:
    """Key, key as written, and WANT of each expected row that asks for something."""
    kept = ("wants", id(spec))
    if kept not in case.lasting:
        # With the spec, so that no other can take its place in memory.
        case.lasting[kept] = spec, [*_wants(spec, case)]
    found: list[tuple[Key, str, Want]] = case.lasting[kept][1]
    return found


def _wants(spec: s.Column, case: Case) -> Iterator[tuple[Key, str, Want]]:
    table, name = case.expected.column(spec.table)
    read_as = case.fields[spec.column].read_as
    counts = read_as in ("number", "percent")
    for (key, told), written in zip(_keys(spec, case), table.column(name), strict=True):
        if not written:
            continue
        value, half = written_value(written, read_as)
        tol = half if spec.tol is None else spec.tol
        want = Want(
            read_as=read_as,
            values=(value,),
            tol=tol if counts else Decimal(0),
            formula=spec.formula,
            text_ok=spec.text_ok,
            written=written,
        )
        yield key, told, want


def _keys(spec: s.Column, case: Case) -> list[tuple[Key, str]]:
    """The keys of an expected table, read once, and each as written."""
    kept = ("expected keys", spec.table.partition("#")[0], spec.key)
    if kept not in case.lasting:
        table, _ = case.expected.column(spec.table)
        kinds = [case.fields[key].read_as for key in spec.key]
        case.lasting[kept] = [
            (
                tuple(written_value(p, kind)[0] for p, kind in zip(parts, kinds, strict=True)),
                ", ".join(parts),
            )
            for parts in table.picked(spec.key)
        ]
    found: list[tuple[Key, str]] = case.lasting[kept]
    return found
