"""A sheet as a check walks it: cells by place, what is hidden, the book it belongs to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

from bythebook.deliverables.checks.dates import Locale
from bythebook.deliverables.checks.fields import ReadAs
from bythebook.deliverables.checks.places import Spot, cell_at, sheet_at
from bythebook.deliverables.checks.reading import Value, key_of
from bythebook.deliverables.checks.wording import fold
from bythebook.deliverables.evidence.formulas import Area, address, area_of
from bythebook.deliverables.evidence.model import Cell, Sheet, Workbook

NARROWEST = 0.3
"""Width of a column, in characters, that still shows something."""
MOST_COVERED = 100_000
_PLACE = attrgetter("row", "column")


class Book:
    """One workbook that was handed over, or a changed copy of it."""

    def __init__(self, name: str, content: Workbook, *, computed: bool = False) -> None:
        """`computed`: its values are those of a recalculation, not cached ones."""
        self.name, self.content, self.computed = name, content, computed
        self._grids: dict[str, Grid] = {}

    def find(self, sheet: str) -> "Grid | None":
        """By name; letter case and spaces do not matter."""
        wanted = fold(sheet)
        if wanted not in self._grids:
            found = [one for one in self.content.sheets if fold(one.name) == wanted]
            if not found:
                return None
            self._grids[wanted] = Grid(self, found[0])
        return self._grids[wanted]

    @property
    def grids(self) -> Iterator["Grid"]:
        for sheet in self.content.sheets:
            grid = self.find(sheet.name)
            if grid is not None:
                yield grid


@dataclass(frozen=True)
class Grid:
    """One sheet."""

    book: Book
    sheet: Sheet
    _read: dict[tuple[int, ReadAs, Locale], dict[int, Value | None]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @cached_property
    def rows(self) -> dict[int, dict[int, Cell]]:
        """Row to column to cell, in order. A cell with an empty text and no formula is none."""
        found: dict[int, dict[int, Cell]] = {}
        row, cells = 0, {}
        for cell in sorted(self.sheet.cells, key=_PLACE):
            if cell.formula or (cell.value is not None and cell.value != ""):
                if cell.row != row:
                    row = cell.row
                    cells = found[row] = {}
                cells[cell.column] = cell
        return found

    @cached_property
    def columns(self) -> dict[int, dict[int, Cell]]:
        """The same by column, then row."""
        found: dict[int, dict[int, Cell]] = {}
        for row, cells in self.rows.items():
            for column, cell in cells.items():
                found.setdefault(column, {})[row] = cell
        return found

    def read(self, column: int, read_as: ReadAs, locale: Locale) -> Mapping[int, Value | None]:
        """Every filled row's value in a column, read once; None where it does not read."""
        kept = column, read_as, locale
        if kept not in self._read:
            date1904 = self.book.content.date1904
            self._read[kept] = {
                row: key_of(self.spread(row, column), read_as, locale, date1904)
                for row in self.rows
            }
        return self._read[kept]

    @cached_property
    def hidden_rows(self) -> frozenset[int]:
        return frozenset(self.sheet.hidden_rows)

    @cached_property
    def hidden_columns(self) -> frozenset[int]:
        """Also those too narrow to show anything."""
        narrow = {column for column, width in self.sheet.widths.items() if width < NARROWEST}
        return frozenset(self.sheet.hidden_columns) | narrow

    @cached_property
    def covered(self) -> dict[tuple[int, int], int]:
        """Places that a merged cell covers downwards, to the row where it begins."""
        found: dict[tuple[int, int], int] = {}
        for area in (one for text in self.sheet.merges for one in areas_of(text)):
            if len(found) + area.bottom - area.top > MOST_COVERED:
                break
            for row in range(area.top + 1, area.bottom + 1):
                found[row, area.left] = area.top
        return found

    def spread(self, row: int, column: int) -> Cell | None:
        """The cell, or the merged one that covers its place from above."""
        cell = self.at(row, column)
        top = self.covered.get((row, column)) if cell is None else None
        return cell if top is None else self.at(top, column)

    @property
    def place(self) -> str:
        return sheet_at(self.book.name, self.sheet.name)

    def at(self, row: int, column: int) -> Cell | None:
        return self.rows.get(row, {}).get(column)

    def spot(self, row: int, column: int) -> Spot:
        return Spot(self.book.name, self.sheet.name, row, column)

    def place_of(self, row: int, column: int) -> str:
        return cell_at(self.book.name, self.sheet.name, address(row, column))

    def inside(self, area: Area) -> Iterator[Cell]:
        """The filled cells of an area."""
        for row, cells in self.rows.items():
            if area.top <= row <= area.bottom:
                for column, cell in cells.items():
                    if area.left <= column <= area.right:
                        yield cell

    def hides(self, row: int, column: int) -> bool:
        return row in self.hidden_rows or column in self.hidden_columns


def areas_of(ranges: str) -> tuple[Area, ...]:
    """The areas of `A1:C9 E1:E9` or `'My sheet'!$A$1:$C$9,B2`."""
    found = (area_of(part) for part in _parts(ranges))
    return tuple(area for area in found if area is not None)


def _parts(ranges: str) -> Iterator[str]:
    """Split at spaces and commas outside quotes."""
    part, quoted = "", False
    for letter in ranges:
        quoted ^= letter == "'"
        if letter in " ," and not quoted:
            yield part
            part = ""
        else:
            part += letter
    yield part
