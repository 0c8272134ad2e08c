"""Finding a table on a sheet, and its rows by their keys.

header row   the first row that holds a heading of every needed field, else the one that holds most
remark       a field whose heading stands nowhere is the one heading that is its name and a bracket
             at the end, whatever it says: `Dose (mg, 0 if none)`; of two neither
columns      a heading of the block (contiguous headings) that holds most of the fields, the first
             such block; the pinned heading before any alias; the same heading twice is unsure
rows         those below whose keys all read as their type, from the text shown, down to another
             table (a row that holds some of the headings again); a hidden row is not there; neither
             is one of units under the headings
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple, cast

from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.deciding import Decided, fail, unsure
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.checks.grid import Grid
from bythebook.deliverables.checks.reading import Value, text_of, written_value
from bythebook.deliverables.checks.wording import UNITS, heading, without_remark
from bythebook.deliverables.evidence.formulas import column_letters
from bythebook.deliverables.evidence.model import Cell

Key = tuple[Value, ...]

MOST_ROWS = 5000
"""Filled rows that are looked through for headings."""

TOTALS = (
    "total", "grand total", "subtotal", "sub total", "sum", "all", "average", "overall", "summe",
    "gesamt", "zwischensumme", "somme", "ensemble", "合计", "总计", "小计",
)  # fmt: skip
"""First words of rows that sum up."""


class Hit(NamedTuple):
    """A heading found for a field."""

    rank: int
    """0: the pinned name; then the aliases in their order."""
    column: int


Hits = dict[str, list[Hit]]
Look = Callable[[Case, Mapping[int, Cell], tuple[str, ...]], Hits]


@dataclass(frozen=True)
class Table:
    """A table found on a sheet."""

    case: Case
    grid: Grid
    header: int
    """The row of the headings."""
    columns: Mapping[str, int]
    """Field to column, of every field that was needed."""
    block: tuple[int, int]
    """First and last column of the headings around them."""
    _keys: dict[tuple[str, ...], dict[Key, list[int]]] = field(default_factory=dict)
    _readable: set[tuple[str, ...]] = field(default_factory=set)
    """Fields that were found to be readable."""

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The rows below the header that are there, down to another table."""
        return tuple(self._below())

    def _below(self) -> Iterator[int]:
        again = self._headings_again()
        for row, cells in self.grid.rows.items():
            if row <= self.header or row in self.grid.hidden_rows:
                continue
            if 0 < again[row] < len(self.columns):
                return
            if not again[row] and not (row == self.header + 1 and self._is_units(cells)):
                yield row

    def _headings_again(self) -> Counter[int]:
        """How many headings stand in a row: all on a new page, some over another table."""
        found = Counter[int]()
        for name, column in self.columns.items():
            field = self.case.fields[name]
            for row, cell in self.grid.columns.get(column, {}).items():
                if _rank(field, cell) is not None or _remarked(field, cell) is not None:
                    found[row] += 1
        return found

    def _is_units(self, cells: Mapping[int, Cell]) -> bool:
        """Does the row under the headings only say units?"""
        texts = [
            heading(text_of(c)) for n, c in cells.items() if self.block[0] <= n <= self.block[1]
        ]
        known = UNITS | {heading(field.unit) for field in self.case.fields.values()} | {""}
        return bool(texts) and all(set(text.split()) <= known for text in texts)

    def cell(self, row: int, field: str) -> Cell | None:
        return self.grid.at(row, self.columns[field])

    def keys(self, fields: tuple[str, ...]) -> dict[Key, list[int]]:
        """Key to the rows that have it; one row unless the table repeats itself."""
        if fields not in self._keys:
            found: dict[Key, list[int]] = {}
            for row, key in self.read(fields):
                if None not in key:
                    found.setdefault(cast(Key, key), []).append(row)
            self._keys[fields] = found
        return self._keys[fields]

    def read(self, fields: tuple[str, ...]) -> Iterator[tuple[int, tuple[Value | None, ...]]]:
        """Each row and its values of these fields; None for what does not read as its type."""
        columns = [
            self.grid.read(self.columns[name], self.case.fields[name].read_as, self.case.locale)
            for name in fields
        ]
        for row in self.rows:
            yield row, tuple(column[row] for column in columns)

    def check_readable(self, fields: tuple[str, ...]) -> None:
        """A key column that mostly does not read as its type leaves the rows for the judge."""
        if fields in self._readable:
            return
        for name in fields:
            read_as = self.case.fields[name].read_as
            filled = self._filled(name)
            values = self.grid.read(self.columns[name], read_as, self.case.locale)
            read = [row for row in self.rows if values[row] is not None]
            wanted = self.case.fields[name].names[0]
            if filled and len(read) * 2 < len(filled):
                first = self.cell(filled[0], name)
                place = self.grid.place_of(filled[0], self.columns[name])
                seen = text_of(first) if first else ""
                if self._uncached(name, filled) * 2 > len(filled):
                    why = "the key's formulas have no cached value: a reader sees nothing"
                    raise fail(why, place, wanted=wanted)
                raise unsure(
                    f"the column mostly reads as no {read_as}", place, seen=seen, wanted=wanted
                )
            known = set(read)
            blank = [row for row in self.rows if row not in known and self._has_more(row, name)]
            if len(blank) > len(read):
                place = self.grid.place_of(blank[0], self.columns[name])
                raise unsure("the key is mostly left blank", place, wanted=wanted)
        self._readable.add(fields)

    def _filled(self, name: str) -> list[int]:
        """Rows with a key. Where some of its formulas show a value the book was calculated, and
        those below the last of them that show none are spare: they gave an empty text, which is
        kept like no value at all."""
        cells = {row: cell for row in self.rows if (cell := self.cell(row, name)) is not None}
        last = max((row for row, c in cells.items() if c.formula and _shows(c)), default=None)
        return [row for row, c in cells.items() if last is None or row <= last or _shows(c)]

    def _uncached(self, name: str, rows: list[int]) -> int:
        """In how many of these rows was the key never calculated?"""
        cells = (self.cell(row, name) for row in rows)
        return sum(bool(cell and cell.formula and cell.value is None) for cell in cells)

    def _has_more(self, row: int, name: str) -> bool:
        """Is another column of the table filled where this one is blank?"""
        others = (other for other in self.columns if other != name)
        return self.cell(row, name) is None and any(self.cell(row, o) is not None for o in others)


def _shows(cell: Cell) -> bool:
    return cell.value is not None and cell.value != ""


def find_table(case: Case, grid: Grid, needed: tuple[str, ...]) -> Table:
    """The table of a sheet that has these fields; raises `Decided` where there is none."""
    names = tuple(dict.fromkeys(needed))
    # A what-if copy is another grid of the same sheet.
    kept = ("table", id(grid), names)
    if kept not in case.kept:
        try:
            case.kept[kept] = _find(case, grid, names)
        except Decided as decided:
            case.kept[kept] = (grid, decided.answer)
    found: Table | tuple[Grid, Answer] = case.kept[kept]
    if isinstance(found, Table):
        return found
    raise Decided(found[1])


def _find(case: Case, grid: Grid, needed: tuple[str, ...]) -> Table:
    row, hits = _header(case, grid, needed, _hits)
    if len(hits) < len(needed):
        row, hits = _header(case, grid, needed, _hits_with_remarks)
    missing = [name for name in needed if name not in hits]
    if missing:
        raise _missing(case, grid, missing)
    block = _block(grid.rows[row], hits)
    columns = {name: _column(case, grid, row, name, hits[name], block) for name in needed}
    for name, column in columns.items():
        if column in grid.hidden_columns:
            wanted = case.fields[name].names[0]
            raise fail("the column is hidden", grid.place_of(row, column), wanted=wanted)
    return Table(case, grid, row, columns, block)


def _header(case: Case, grid: Grid, needed: tuple[str, ...], look: Look) -> tuple[int, Hits]:
    """The first row that holds all headings, else the first that holds most."""
    best: tuple[int, Hits] = (0, {})
    for row, cells in islice(grid.rows.items(), MOST_ROWS):
        hits = {} if row in grid.hidden_rows else look(case, cells, needed)
        if len(hits) > len(best[1]):
            best = row, hits
        if len(hits) == len(needed):
            break
    return best


def _hits_with_remarks(case: Case, cells: Mapping[int, Cell], needed: tuple[str, ...]) -> Hits:
    """The same; where no heading is a field's, the one that is with its last bracket left out."""
    found = _hits(case, cells, needed)
    for name in needed:
        if name in found:
            continue
        ranks = {column: _remarked(case.fields[name], cell) for column, cell in cells.items()}
        hits = [Hit(rank, column) for column, rank in ranks.items() if rank is not None]
        if len(hits) == 1:
            found[name] = hits
    return found


def _hits(case: Case, cells: Mapping[int, Cell], needed: tuple[str, ...]) -> Hits:
    """Field to the cells of one row that can be its heading."""
    found: Hits = {}
    for name in needed:
        for column, cell in cells.items():
            rank = _rank(case.fields[name], cell)
            if rank is not None:
                found.setdefault(name, []).append(Hit(rank, column))
    return found


def _rank(field: Field, cell: Cell) -> int | None:
    """The place of a cell's text among a field's names."""
    if not isinstance(cell.value, str):
        return None
    return _ranks(field.names, field.unit).get(heading(cell.value, field.unit))


def _remarked(field: Field, cell: Cell) -> int | None:
    """The same of the text before a bracket at its end."""
    before = without_remark(cell.value) if isinstance(cell.value, str) else None
    if before is None:
        return None
    return _ranks(field.names, field.unit).get(heading(before, field.unit))


@lru_cache(maxsize=1000)
def _ranks(names: tuple[str, ...], unit: str) -> dict[str, int]:
    """Each spelling of a heading to its place; of two that read alike the first counts."""
    return {heading(name, unit): rank for rank, name in reversed([*enumerate(names)])}


def _missing(case: Case, grid: Grid, missing: list[str]) -> Exception:
    wanted = ", ".join(case.fields[name].names[0] for name in missing)
    if not grid.rows:
        return fail("the sheet is empty", grid.place, wanted=wanted)
    if any(case.fields[name].demanded for name in missing):
        return fail("a demanded heading does not stand there", grid.place, wanted=wanted)
    return unsure("no row holds this heading", grid.place, wanted=wanted)


def _block(cells: Mapping[int, Cell], hits: Mapping[str, list[Hit]]) -> tuple[int, int]:
    """The contiguous filled cells that hold headings of most fields; the first such."""
    best, most = (0, 0), 0
    for first, last in _runs(sorted(cells)):
        held = sum(any(first <= hit.column <= last for hit in found) for found in hits.values())
        if held > most:
            best, most = (first, last), held
    return best


def _runs(columns: list[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for place, column in enumerate(columns):
        if place + 1 == len(columns) or columns[place + 1] != column + 1:
            yield columns[start], column
            start = place + 1


def _column(
    case: Case, grid: Grid, row: int, name: str, hits: list[Hit], block: tuple[int, int]
) -> int:
    """The one column of a field."""
    inside = [hit for hit in hits if block[0] <= hit.column <= block[1]] or hits
    rank = min(hit.rank for hit in inside)
    best = [hit.column for hit in inside if hit.rank == rank]
    shown = [column for column in best if column not in grid.hidden_columns] or best
    if len(shown) > 1:
        letters = ", ".join(column_letters(column) for column in shown)
        raise unsure(
            "the heading stands twice",
            grid.place_of(row, shown[0]),
            seen=f"columns {letters}",
            wanted=case.fields[name].names[0],
        )
    return shown[0]


# --- rows ---------------------------------------------------------------------------------------


def matching(table: Table, where: Mapping[str, Any]) -> frozenset[int]:
    """The rows in which these fields read so."""
    fields = tuple(where)
    wanted = tuple(written_value(v, table.case.fields[n].read_as)[0] for n, v in where.items())
    return frozenset(row for row, key in table.read(fields) if key == wanted)


def is_total(key: Key) -> bool:
    """Is this the key of a row that sums up?"""
    return any(isinstance(part, str) and _sums_up(part) for part in key)


def _sums_up(text: str) -> bool:
    plain = heading(text)
    return any(plain == word or plain.startswith(f"{word} ") for word in TOTALS)
