"""Promised cells changed, just outside what their item allows.

A promised cell is one whose value a check judges in the reference. Every change must be noticed by
an item of the value's own level: the heaviest that judges the cell. All cells of a column are
changed at once, since a check says how many places are wrong; where it notices too few, they are
tried one by one. One cell of each column is changed alone as well.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.checks.want import Want
from bythebook.deliverables.evidence.model import Cell, Scalar
from bythebook.deliverables.proof.court import Watch
from bythebook.deliverables.proof.disguise import Column, columns
from bythebook.deliverables.proof.draft import Draft
from bythebook.deliverables.proof.ground import Ground

MOST_ALONE = 30
"""Cells that are tried one by one where not all of a column were noticed."""


class Change(NamedTuple):
    """What one cell becomes."""

    value: Scalar
    live: bool = True
    """It keeps its formula."""


@dataclass
class Mutated:
    """What came of one kind of change on one column."""

    kind: str
    column: Column
    killed: int = 0
    unsure: int = 0
    holes: list[str] = field(default_factory=list)
    """Places that nobody noticed, and what they became."""

    @property
    def tried(self) -> int:
        return self.killed + self.unsure + len(self.holes)


def mutants(ground: Ground, watch: Watch) -> Iterator[Mutated]:
    """Every kind of change on every column that is judged, tried."""
    for column in columns(ground.court, watch):
        draft = Draft(ground.sample, column.file)
        cells = {s: draft.at(column.sheet, (s.row, s.column)) for s in column.spots}
        filled = {spot: cell for spot, cell in cells.items() if cell is not None}
        bench = _Bench(ground, watch, column)
        for kind, change in KINDS.items():
            changes = dict(_changes(change, column, filled))
            if changes:
                yield bench.together(kind, changes)
        alone = dict(islice(_changes(above, column, filled), len(filled) // 2, None))
        for spot, new in islice(alone.items(), 1):
            yield bench.one_by_one("above, alone", {spot: new})


def _changes(
    change: "Make", column: Column, cells: Mapping[Spot, Cell]
) -> Iterator[tuple[Spot, Change]]:
    below = {spot: None for spot in cells} | _neighbours(column, cells)
    for spot, cell in cells.items():
        found = change(column.wants[spot], cell, below[spot])
        if found is not None:
            yield spot, found


# --- kinds of changes ---------------------------------------------------------------------------

Make = Callable[[Want, Cell, Cell | None], Change | None]
"""What a cell becomes, of its WANT, itself, and a cell of the column that holds another value."""


def above(want: Want, cell: Cell, _: Cell | None) -> Change | None:
    return _outside(want, cell, 1)


def below(want: Want, cell: Cell, _: Cell | None) -> Change | None:
    return _outside(want, cell, -1)


def _outside(want: Want, cell: Cell, side: int) -> Change | None:
    """Just outside what is allowed, on one side."""
    numbers = _wanted(want, cell)
    if numbers is None:
        return None
    edge = max(numbers) if side > 0 else min(numbers)
    step = float(want.tol) * 1.02 + max(abs(edge), 1.0) * 1e-6
    return Change(edge + side * step)


def sign(want: Want, cell: Cell, _: Cell | None) -> Change | None:
    numbers = _wanted(want, cell)
    if numbers is None or not isinstance(cell.value, int | float):
        return None
    value = -float(cell.value)
    if want.between is not None and numbers[0] <= value <= numbers[-1]:
        return None
    near = any(abs(value - one) <= 2 * float(want.tol) + abs(one) * 1e-6 for one in numbers)
    return None if near or not value else Change(value)


def _wanted(want: Want, cell: Cell) -> tuple[float, ...] | None:
    """The numbers that are allowed; None where no number is wanted or none stands there."""
    if not want.counts or isinstance(cell.value, bool) or not isinstance(cell.value, int | float):
        return None
    if want.between is not None:
        return float(want.between[0]), float(want.between[1])
    return tuple(float(v) for v in want.values if not isinstance(v, str | tuple)) or None


def neighbour(_: Want, __: Cell, other: Cell | None) -> Change | None:
    return None if other is None else Change(other.value)


def text(want: Want, cell: Cell, _: Cell | None) -> Change | None:
    if not want.counts or want.text_ok or cell.type != "number":
        return None
    return Change(str(cell.value), live=False)


def uncached(_: Want, cell: Cell, __: Cell | None) -> Change | None:
    return Change(None) if cell.formula else None


def pasted(want: Want, cell: Cell, _: Cell | None) -> Change | None:
    return Change(cell.value, live=False) if cell.formula and want.formula else None


KINDS: dict[str, Make] = {
    "above what is allowed": above,
    "below what is allowed": below,
    "the other sign": sign,
    "another row's value": neighbour,
    "text for a number": text,
    "no cached value": uncached,
    "a value for a formula": pasted,
}


def _neighbours(column: Column, cells: Mapping[Spot, Cell]) -> dict[Spot, Cell | None]:
    """For each cell the next one below, round the end, that holds another value."""
    spots = list(cells)
    found: dict[Spot, Cell | None] = {}
    for number, spot in enumerate(spots):
        rest = (cells[other] for other in (*spots[number + 1 :], *spots[:number]))
        want, own = column.wants[spot], cells[spot]
        found[spot] = next((cell for cell in islice(rest, 50) if _differs(want, own, cell)), None)
    return found


def _differs(want: Want, own: Cell, other: Cell) -> bool:
    if isinstance(own.value, bool | None) or isinstance(other.value, bool | None):
        return False
    if isinstance(own.value, int | float) and isinstance(other.value, int | float):
        return abs(own.value - other.value) > 2 * float(want.tol) + abs(own.value) * 1e-6
    return own.shown.casefold() != other.shown.casefold() and type(own.value) is type(other.value)


# --- judging ------------------------------------------------------------------------------------


class _Bench:
    """One column of the reference, to be changed and judged."""

    def __init__(self, ground: Ground, watch: Watch, column: Column) -> None:
        self.ground, self.column = ground, column
        self.owners = {spot: self._owners(watch, spot) for spot in column.spots}
        """Cell to the items of its own level."""

    def _owners(self, watch: Watch, spot: Spot) -> frozenset[str]:
        court, judges = self.ground.court, watch.judges_of(spot)
        level = max(court.level(item) for item in judges)
        return frozenset(item for item in judges if court.level(item) == level)

    def together(self, kind: str, changes: Mapping[Spot, Change]) -> Mutated:
        """All at once; what is not surely noticed, one by one."""
        answers = self._judged(changes)
        sure = {item for item in answers if self._notices_all(item, answers[item], changes)}
        done = Mutated(kind, self.column)
        left = {}
        for spot, change in changes.items():
            if self.owners[spot] & sure:
                done.killed += 1
            else:
                left[spot] = change
        if left:
            rest = self.one_by_one(kind, dict(islice(left.items(), MOST_ALONE)))
            done.killed += rest.killed
            done.unsure += rest.unsure
            done.holes += rest.holes
        return done

    def _notices_all(self, item: str, answer: Answer, changes: Mapping[Spot, Change]) -> bool:
        owned = sum(item in self.owners[spot] for spot in changes)
        return answer.mark == "fail" and answer.count is not None and answer.count[0] >= owned

    def one_by_one(self, kind: str, changes: Mapping[Spot, Change]) -> Mutated:
        done = Mutated(kind, self.column)
        for spot, change in changes.items():
            answers = self._judged({spot: change})
            marks = {answers[item].mark for item in self.owners[spot]}
            if "fail" in marks:
                done.killed += 1
            elif "unsure" in marks:
                done.unsure += 1
            else:
                done.holes.append(f"{spot.place} becomes {change.value!r} ({kind})")
        return done

    def _judged(self, changes: Mapping[Spot, Change]) -> dict[str, Answer]:
        draft, sheet = Draft(self.ground.sample, self.column.file), self.column.sheet
        for spot, change in changes.items():
            place = spot.row, spot.column
            if change.live:
                draft.change(sheet, place, change.value)
            else:
                draft.put(sheet, place, change.value)
        items = {item for spot in changes for item in self.owners[spot]}
        return self.ground.court.judge_one(draft.done(), items)
