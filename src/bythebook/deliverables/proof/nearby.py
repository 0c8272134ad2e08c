"""What a workbook computes to, told from one that is nearly the same: no engine is asked.

Exact, or not at all: where a formula became the value that it has, and where a constant changed
that no formula reads, everything else computes to what it did.
"""

from functools import cached_property

from bythebook.deliverables.checks.grid import areas_of
from bythebook.deliverables.evidence.formulas import Area, address, areas
from bythebook.deliverables.evidence.model import Cell, Recalculation, Scalar, Sheet, Workbook

ANYWHERE = ("INDIRECT(", "OFFSET(", "[")
"""In a formula that has one of these, who can say what it reads?"""

Place = tuple[str, int, int]
"""Sheet, row, column."""


class Nearby:
    """A workbook of which it is known what it computes to."""

    def __init__(self, book: Workbook, found: Recalculation) -> None:
        self.book, self.found = book, found

    def tell(self, other: Workbook) -> Recalculation | None:
        """What `other` computes to; None where only an engine knows."""
        if self.found.status != "ok" or _frame(self.book) != _frame(other):
            return None
        before, after = self._cells, _cells(other)
        changed = [
            place
            for place in before.keys() | after.keys()
            if _content(before.get(place)) != _content(after.get(place))
        ]
        if any(self._matters(place, after.get(place)) for place in changed):
            return None
        values = {sheet: dict(found) for sheet, found in self.found.values.items()}
        for sheet, row, column in changed:
            values.get(sheet, {}).pop(address(row, column), None)
        return Recalculation(
            status="ok", says=self.found.says, engine=self.found.engine, values=values
        )

    @cached_property
    def _cells(self) -> dict[Place, Cell]:
        return _cells(self.book)

    def _matters(self, place: Place, new: Cell | None) -> bool:
        """Could the change of a cell change what others compute to?"""
        if new is not None and new.formula:
            return True
        old = self._cells.get(place)
        if old is not None and old.formula and new is not None and new.value == old.value:
            return False
        return self._unsure or any(area.holds(*place[1:]) for area in self._read.get(place[0], ()))

    @cached_property
    def _unsure(self) -> bool:
        formulas = (cell.formula for cell in self._cells.values())
        return any(word in formula for formula in formulas for word in ANYWHERE)

    @cached_property
    def _read(self) -> dict[str, set[Area]]:
        """Sheet to every area that a formula or a name reads."""
        found: dict[str, set[Area]] = {}
        for sheet in self.book.sheets:
            for cell in sheet.cells:
                for area in areas(cell.formula) if cell.formula else ():
                    found.setdefault(area.sheet or sheet.name, set()).add(area)
        for text in (*self.book.names.values(), *self.book.local_names.values()):
            for area in areas_of(text):
                found.setdefault(area.sheet, set()).add(area)
        return found


def _frame(book: Workbook) -> list[object]:
    """What has to be the same beside the cells."""
    sheets = sorted(_of_sheet(sheet) for sheet in book.sheets)
    return [sheets, book.names, book.local_names, book.date1904, book.external_links]


def _of_sheet(sheet: Sheet) -> tuple[object, ...]:
    return sheet.name, sheet.hidden_rows, sheet.filters, tuple(sorted(sheet.tables.items()))


def _cells(book: Workbook) -> dict[Place, Cell]:
    return {
        (sheet.name, cell.row, cell.column): cell for sheet in book.sheets for cell in sheet.cells
    }


def _content(cell: Cell | None) -> tuple[str, Scalar]:
    """What of a cell others can read."""
    if cell is None:
        return "", None
    return (cell.formula, None) if cell.formula else ("", cell.value)
