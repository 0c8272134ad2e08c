"""What a workbook computes to, told from one that is nearly the same.

Where a formula became the value that it has, and where a constant changed that no formula reads,
everything else computes to what it did: no engine is asked. Where a change reaches some formulas,
only those are computed: in a workbook that holds them and what they read, the rest of which stands
there as it was computed before, in the fifteen digits that LibreOffice writes. Where it cannot be
told what a change reaches, nothing is told.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import Cell, Recalculation, Scalar, Sheet, Workbook
from bythebook.deliverables.faults.cells import is_error
from bythebook.deliverables.proof.barebook import can_stand
from bythebook.deliverables.proof.reach import Names, Place, Reach, places_read, read_by


class Rest(msgspec.Struct, frozen=True):
    """What only an engine knows of a workbook, and what is known of it already."""

    book: Workbook
    """The formulas that a change reaches, and the cells that they read, as constants."""
    known: dict[str, dict[str, Scalar]]
    """Sheet and address to the value of every other formula."""

    @property
    def is_nothing(self) -> bool:
        return not any(sheet.cells for sheet in self.book.sheets)

    def completed(self, found: Recalculation) -> Recalculation:
        """The whole workbook, after what is left of it was computed."""
        values = {name: {**found.values.get(name, {}), **own} for name, own in self.known.items()}
        return msgspec.structs.replace(found, values=values)


class Cells:
    """The cells of a workbook by their places."""

    def __init__(self, book: Workbook) -> None:
        self.sheets = {sheet.name.casefold(): sheet for sheet in book.sheets}
        self._placed: dict[str, dict[tuple[int, int], Cell]] = {}

    def on(self, sheet: str) -> dict[tuple[int, int], Cell]:
        """The cells of one sheet by row and column."""
        if sheet not in self._placed:
            cells = self.sheets[sheet].cells if sheet in self.sheets else ()
            self._placed[sheet] = {(cell.row, cell.column): cell for cell in cells}
        return self._placed[sheet]

    def at(self, place: Place) -> Cell | None:
        return self.on(place[0]).get(place[1:])

    def formula(self, place: Place) -> str:
        cell = self.at(place)
        return cell.formula if cell else ""

    def differing(self, other: "Cells") -> Iterator[Place]:
        """Places where another formula stands there, or another constant."""
        for name, sheet in self.sheets.items():
            if sheet.cells is other.sheets[name].cells:
                continue
            before, after = self.on(name), other.on(name)
            for at in before.keys() | after.keys():
                if _content(before.get(at)) != _content(after.get(at)):
                    yield name, *at


class Nearby:
    """A workbook of which it is known what it computes to."""

    def __init__(self, book: Workbook, found: Recalculation) -> None:
        self.book, self.found = book, found

    def tell(self, other: Workbook) -> Recalculation | None:
        """What `other` computes to; None where only an engine knows."""
        rest = self.rest(other)
        if rest is None or not rest.is_nothing:
            return None
        nothing = Recalculation(status="ok", says=self.found.says, engine=self.found.engine)
        return rest.completed(nothing)

    def rest(self, other: Workbook) -> Rest | None:
        """What is left to compute of `other`; None: all of it."""
        if self.found.status != "ok" or _frame(self.book) != _frame(other):
            return None
        cells, names = Cells(other), Names(other)
        changed = set(self._cells.differing(cells))
        renamed = self._names.changed(names)
        touched = {place for place in changed if self._matters(place, cells)}
        if not touched and not renamed:
            return Rest(Workbook(sheets=()), self._known(changed))
        if not self._reach.certain or self.found.says:
            return None
        reached = {place for place in changed if cells.formula(place)}
        reached.update(self._saying(renamed))
        reached |= self._reach.of(touched | reached)
        reached = {place for place in reached if cells.formula(place)}
        held = self._held(reached, cells, names)
        return None if held is None else Rest(_book(other, held), self._known(changed | reached))

    def _matters(self, place: Place, cells: Cells) -> bool:
        """Could what stands there now have another value?"""
        old, new = self._cells.at(place), cells.at(place)
        pasted = old and old.formula and new and not new.formula and new.value == old.value
        return not pasted

    def _saying(self, names: frozenset[str]) -> Iterator[Place]:
        """Formulas that say one of these names."""
        for place, formula in self._formulas.items() if names else ():
            if read_by(formula).words & names:
                yield place

    def _known(self, gone: Iterable[Place]) -> dict[str, dict[str, Scalar]]:
        """The values of all formulas but these."""
        values = {sheet: dict(found) for sheet, found in self.found.values.items()}
        by_name = {sheet.casefold(): found for sheet, found in values.items()}
        for sheet, row, column in gone:
            by_name.get(sheet, {}).pop(address(row, column), None)
        return values

    def _held(self, reached: set[Place], cells: Cells, names: Names) -> dict[Place, Cell] | None:
        """The formulas to be computed, and what they read as constants; None where something of it
        cannot stand alone."""
        formulas = {place: cells.formula(place) for place in reached}
        if any(read_by(formula).of_formulas for formula in formulas.values()):
            return None
        read = places_read(formulas, names, {name: cells.on(name) for name in cells.sheets})
        if read is None:
            return None
        held: dict[Place, Cell] = {}
        for place in reached | read:
            cell = cells.at(place)
            if cell is not None:
                alone = cell if place in reached else self._alone(place, cell)
                if alone is None:
                    return None
                held[place] = alone
        return held

    def _alone(self, place: Place, cell: Cell) -> Cell | None:
        """A cell as it is known to be; None where that cannot be written."""
        if not cell.formula:
            return cell if can_stand(cell.value) else None
        value = self._values.get(place)
        if value is None or is_error(value) or not can_stand(value):
            return None
        # An empty text in a cell is nothing to COUNTA; as a formula's it is something.
        formula = '""' if value == "" else ""
        return msgspec.structs.replace(cell, value=value, formula=formula)

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self.book)

    @cached_property
    def _names(self) -> Names:
        return Names(self.book)

    @cached_property
    def _formulas(self) -> dict[Place, str]:
        return {
            (name, cell.row, cell.column): cell.formula
            for name, sheet in self._cells.sheets.items()
            for cell in sheet.cells
            if cell.formula
        }

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self._formulas, self._names)

    @cached_property
    def _values(self) -> dict[Place, Scalar]:
        """What every formula computes to."""
        found = {sheet.casefold(): values for sheet, values in self.found.values.items()}
        return {place: found.get(place[0], {}).get(address(*place[1:])) for place in self._formulas}


def _frame(book: Workbook) -> list[object]:
    """What has to be the same beside the cells and the names."""
    sheets = sorted(_of_sheet(sheet) for sheet in book.sheets)
    return [sheets, book.date1904, book.external_links]


def _of_sheet(sheet: Sheet) -> tuple[object, ...]:
    return sheet.name, sheet.hidden_rows, sheet.filters, tuple(sorted(sheet.tables.items()))


def _content(cell: Cell | None) -> tuple[str, Scalar]:
    """What of a cell others can read."""
    if cell is None:
        return "", None
    return (cell.formula, None) if cell.formula else ("", cell.value)


def _book(book: Workbook, held: dict[Place, Cell]) -> Workbook:
    """A workbook of these cells alone, its sheets and names those of another."""
    by_sheet: dict[str, list[Cell]] = {}
    for place in sorted(held):
        by_sheet.setdefault(place[0], []).append(held[place])
    return Workbook(
        sheets=tuple(
            Sheet(name=sheet.name, cells=tuple(by_sheet.get(sheet.name.casefold(), ())))
            for sheet in book.sheets
        ),
        names=book.names,
        local_names=book.local_names,
        date1904=book.date1904,
    )
