"""What an engine's copy of a workbook says of the formulas that were submitted.

A value counts only where the engine can know it. Cells that call functions it does not have, are
written in a way that it computes otherwise than Excel (`idioms`), ask for the day, for chance or
for what lies outside the file, and all cells that hang on those, are left out: there the cached
value decides.
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence import child, xlsx
from bythebook.deliverables.evidence.formulas import Area, address, area_of, areas, names_in
from bythebook.deliverables.evidence.idioms import other_than_excel
from bythebook.deliverables.evidence.model import Cell, Recalculation, Scalar, Sheet, Workbook

UNSURE = frozenset(
    (
        *("NOW", "TODAY", "RAND", "RANDBETWEEN", "RANDARRAY", "CELL", "INFO", "RTD", "TABLE"),
        *("WEBSERVICE", "GETPIVOTDATA", "NUMBERVALUE", "STOCKHISTORY", "IMAGE", "PY", "CUBEVALUE"),
        *("CUBEMEMBER", "CUBEMEMBERPROPERTY", "CUBEKPIMEMBER", "CUBESET", "CUBESETCOUNT"),
        "CUBERANKEDMEMBER",
    )
)
"""Functions whose value depends on the hour, on chance, or on what lies outside the file."""
ANYWHERE = ("INDIRECT", "OFFSET")
"""Functions that may refer to any cell."""
ROUNDS = 50

_STRING = re.compile(r'"(?:[^"]|"")*"')
_FUNCTION = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*)\(")
_UNKNOWN = re.compile(r"_xlfn\.(?:_xlws\.)?([a-z][\w.]*)")
"""A future function that the engine did not know comes back in small letters."""
_OUTSIDE = re.compile(r"\[[0-9]+\]")

Place = tuple[str, int, int]
"""Sheet, row, column."""


def compare(recalculated: Path, submitted: Path) -> Recalculation:
    """Raises Unreadable when either does not read."""
    return child.run("recalculation:compared", recalculated, submitted, returns=Recalculation)


def change(path: Path, into: Path, changes: Mapping[str, Scalar]) -> None:
    """Write a copy in which cells hold other values. Raises Unreadable."""
    told = msgspec.json.encode(dict(changes)).decode()
    child.run("changes:written", path, into, told, returns=bool)


def compared(recalculated: Path, submitted: str) -> Recalculation:
    """Runs in the child."""
    return told_by(xlsx.read(recalculated), xlsx.read(Path(submitted)))


def told_by(computed: Workbook, book: Workbook) -> Recalculation:
    """The values of `book`'s formulas as `computed` has them, as far as they can be trusted."""
    copies = _copies(computed, book)
    unsure = _Unsure(book)
    values: dict[str, dict[str, Scalar]] = {}
    for sheet in book.sheets:
        for cell, copy in _formulas(sheet, copies[sheet.name]):
            unsure.look(sheet.name, cell, copy)
    unsure.spread()
    for sheet in book.sheets:
        values[sheet.name] = {
            address(cell.row, cell.column): copy.value if copy else None
            for cell, copy in _formulas(sheet, copies[sheet.name])
            if (sheet.name, cell.row, cell.column) not in unsure.places
        }
    return Recalculation(status="ok", says=unsure.says, values=values)


def _copies(computed: Workbook, book: Workbook) -> dict[str, dict[tuple[int, int], Cell]]:
    """The computed cells of each submitted sheet, by its name or else by its place."""
    by_name = {sheet.name.casefold(): sheet for sheet in computed.sheets}
    same = len(computed.sheets) == len(book.sheets)
    found = {}
    for place, sheet in enumerate(book.sheets):
        copy = by_name.get(sheet.name.casefold()) or (computed.sheets[place] if same else None)
        cells = copy.cells if copy else ()
        found[sheet.name] = {(cell.row, cell.column): cell for cell in cells}
    return found


def _formulas(
    sheet: Sheet, copies: dict[tuple[int, int], Cell]
) -> Iterator[tuple[Cell, Cell | None]]:
    for cell in sheet.cells:
        if cell.formula:
            yield cell, copies.get((cell.row, cell.column))


@lru_cache(maxsize=50_000)
def _plain(formula: str) -> str:
    """A formula without its texts."""
    return _STRING.sub('""', formula)


@lru_cache(maxsize=50_000)
def _functions(plain: str) -> tuple[str, ...]:
    """The functions that a formula calls, in capitals."""
    return tuple(name.upper() for name in _FUNCTION.findall(plain))


@lru_cache(maxsize=50_000)
def _words(plain: str) -> frozenset[str]:
    """Words of a formula that may be names; they may also be called, as functions are."""
    found = (*names_in(plain), *_FUNCTION.findall(plain))
    return frozenset(word.casefold() for word in found)


class _Unsure:
    """Cells whose value cannot be known, and what hangs on them."""

    def __init__(self, book: Workbook) -> None:
        self.places: set[Place] = set()
        self._why: dict[str, None] = {}
        self._columns: dict[str, dict[int, list[int]]] = {}
        self._waiting: list[tuple[Place, str]] = []
        self._names = {
            **{name.casefold(): text for name, text in book.names.items()},
            **{name.rpartition("!")[2].casefold(): text for name, text in book.local_names.items()},
        }
        self._tables = {
            name.casefold(): f"'{sheet.name.replace(chr(39), chr(39) * 2)}'!{where}"
            for sheet in book.sheets
            for name, where in sheet.tables.items()
        }

    @property
    def says(self) -> str:
        if not self.places:
            return ""
        names = ", ".join(sorted(self._why)[:8])
        return (
            f"{len(self.places)} formula cells are left out: they hang on {names}, which cannot "
            "be computed here."
        )

    def look(self, sheet: str, cell: Cell, copy: Cell | None) -> None:
        """Judge one formula by itself."""
        place = (sheet, cell.row, cell.column)
        plain = _plain(cell.formula)
        reasons = self._reasons(plain, copy.formula if copy else "")
        if reasons:
            self._why.update(dict.fromkeys(reasons))
            self._add(place)
        else:
            self._waiting.append((place, plain))

    def spread(self) -> None:
        """Add what hangs on unsure cells, until nothing more does."""
        if not self.places:
            return
        waiting = [(place, self._reach(place[0], text)) for place, text in self._waiting]
        for _ in range(ROUNDS):
            left: list[tuple[Place, list[Area] | None]] = []
            for place, reach in waiting:
                if reach is None or any(self._touches(area) for area in reach):
                    self._add(place)
                else:
                    left.append((place, reach))
            if len(left) == len(waiting):
                return
            # Chains run down a sheet or up: each way takes one round.
            waiting = left[::-1]
        for place, _ in waiting:
            self._add(place)

    def _reasons(self, plain: str, copied: str) -> list[str]:
        """Functions in this formula that cannot be computed."""
        found = [name.upper() for name in _UNKNOWN.findall(copied)] if "_xlfn" in copied else []
        text = f"{plain} {self._named(plain)}"
        found += [name for name in _functions(text) if name in UNSURE]
        if _OUTSIDE.search(text):
            found.append("another workbook")
        if idiom := other_than_excel(plain):
            found.append(idiom)
        if not copied:
            found.append("a formula that was not taken over")
        return found

    def _named(self, plain: str) -> str:
        """What the names in a formula stand for."""
        return " ".join(filter(None, (self._names.get(word) for word in _words(plain))))

    def _reach(self, sheet: str, plain: str) -> list[Area] | None:
        """The areas that a formula reads; None: any."""
        if any(name in ANYWHERE for name in _functions(plain)):
            return None
        found = [msgspec.structs.replace(area, sheet=area.sheet or sheet) for area in areas(plain)]
        for word in {*names_in(plain)}:
            key = word.casefold()
            found += areas(self._names.get(key, ""))
            table = area_of(self._tables[key]) if key in self._tables else None
            if table:
                found.append(table)
        return found

    def _add(self, place: Place) -> None:
        self.places.add(place)
        sheet, row, column = place
        insort(self._columns.setdefault(sheet.casefold(), {}).setdefault(column, []), row)

    def _touches(self, area: Area) -> bool:
        for column, rows in self._columns.get(area.sheet.casefold(), {}).items():
            if area.left <= column <= area.right:
                first = bisect_left(rows, area.top)
                if first < len(rows) and rows[first] <= area.bottom:
                    return True
        return False
