"""Promised cells changed one at a time, just outside what their item allows.

A promised cell is one whose value a check judges in the reference. Each change must be noticed by
an item of the value's own level: the heaviest that judges the cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.checks.want import Want
from bythebook.deliverables.evidence.model import Cell
from bythebook.deliverables.proof.court import Court, Watch
from bythebook.deliverables.proof.disguise import Column, columns
from bythebook.deliverables.proof.draft import Draft
from bythebook.deliverables.proof.ground import Ground
from bythebook.deliverables.proof.sample import Sample

EACH = 3
"""Cells of a column that are tried: the first, the middle, the last."""
Noticed = Literal["killed", "unsure", "hole"]


@dataclass(frozen=True)
class Mutant:
    spot: Spot
    says: str
    mark: Noticed
    by: tuple[str, ...]
    """The items that noticed it."""


def mutants(ground: Ground, watch: Watch) -> Iterator[Mutant]:
    """Every mutant of the columns that are judged, tried."""
    for column in columns(ground.court, watch):
        for spot in _tried(column):
            draft = Draft(ground.sample, column.file)
            cell = draft.at(column.sheet, (spot.row, spot.column))
            if cell is None:
                continue
            for says, sample in _changed(ground, column, spot, cell):
                yield _judged(ground.court, watch, sample, (spot, says))


def _tried(column: Column) -> list[Spot]:
    spots = column.spots
    return [spots[n] for n in sorted({0, len(spots) // 2, len(spots) - 1})]


def _changed(
    ground: Ground, column: Column, spot: Spot, cell: Cell
) -> Iterator[tuple[str, Sample]]:
    want = column.wants[spot]
    place = (spot.row, spot.column)
    values = [*_numbers(want, cell), *_neighbours(ground, column, spot, want)]
    for value in dict.fromkeys(values):
        draft = Draft(ground.sample, column.file)
        draft.change(column.sheet, place, value)
        yield f"{cell.value} becomes {value}", draft.done()
    if want.counts and not want.text_ok and cell.type == "number":
        draft = Draft(ground.sample, column.file)
        draft.put(column.sheet, place, str(cell.value))
        yield f"{cell.value} becomes text", draft.done()
    if cell.formula:
        draft = Draft(ground.sample, column.file)
        draft.change(column.sheet, place, None, shown="")
        yield "its cached value is gone", draft.done()
    if cell.formula and want.formula:
        draft = Draft(ground.sample, column.file)
        draft.put(column.sheet, place, cell.value)
        yield "its formula became a value", draft.done()


def _numbers(want: Want, cell: Cell) -> Iterator[float]:
    """Just above and below what is allowed, and the other sign."""
    if not want.counts or not isinstance(cell.value, int | float) or isinstance(cell.value, bool):
        return
    wanted = [float(v) for v in want.values if not isinstance(v, str | tuple)]
    low, high = want.between or (min(wanted, default=0.0), max(wanted, default=0.0))
    step = float(want.tol) * 1.02 + max(abs(float(high)), 1.0) * 1e-6
    for value in (float(high) + step, float(low) - step, -float(cell.value)):
        if not any(abs(value - one) <= float(want.tol) for one in wanted):
            yield value


def _neighbours(
    ground: Ground, column: Column, spot: Spot, want: Want
) -> Iterator[float | str | int]:
    """The value of the next cell below that is another one."""
    draft = Draft(ground.sample, column.file)
    own = draft.at(column.sheet, (spot.row, spot.column))
    for other in (*(s for s in column.spots if s > spot), *column.spots):
        cell = draft.at(column.sheet, (other.row, other.column))
        if cell is None or own is None or isinstance(cell.value, bool | None):
            continue
        if _differs(want, own, cell):
            yield cell.value
            return


def _differs(want: Want, own: Cell, other: Cell) -> bool:
    if isinstance(own.value, int | float) and isinstance(other.value, int | float):
        return abs(own.value - other.value) > 2 * float(want.tol) + abs(own.value) * 1e-6
    return own.shown.casefold() != other.shown.casefold() and type(own.value) is type(other.value)


def _judged(court: Court, watch: Watch, sample: Sample, told: tuple[Spot, str]) -> Mutant:
    """Only the items that judge the cell are asked; those of its own level count."""
    spot, says = told
    items = watch.judges_of(spot)
    level = max(court.level(item) for item in items)
    answers = court.judge(sample, items)
    own = [item for item in items if court.level(item) == level]
    failed = tuple(item for item in own if answers[item].mark == "fail")
    unsure = tuple(item for item in own if answers[item].mark == "unsure")
    mark: Noticed = "killed" if failed else "unsure" if unsure else "hole"
    return Mutant(spot, says, mark, failed or unsure)
