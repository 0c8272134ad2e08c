"""Who is best, as far as intervals tell, and where one order is not another.

A row is `best` only when its difference to every other one is told apart after Holm's adjustment
over all pairs of its column; rows that cannot be told from the highest are `tied` with it. `second`
is marked only under a single best, and only when it is told from all below it. Under 15 tasks in
common nothing is marked: an order of so few tasks is mostly chance.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal

from bythebook.report.statistics.paired import ALPHA

LEAST_RANKED = 15
"""Tasks that two rows have in common, for either to be marked above the other."""

Mark = Literal["", "best", "second", "tied"]


def marks(values: Sequence[float | None], apart: Mapping[tuple[int, int], bool]) -> list[Mark]:
    """A mark for each row; the highest value is the best. `apart`: for pairs of places (i < j),
    whether the two can be told apart; pairs that are missing cannot."""
    order = [place for place, value in enumerate(values) if value is not None]
    order.sort(key=lambda place: -(values[place] or 0.0))
    found: list[Mark] = [""] * len(values)
    if len(order) < 2:
        return found
    top = _tied_with(order[0], order, apart)
    if len(top) > 1:
        for place in top:
            found[place] = "tied"
        return found
    found[order[0]] = "best"
    rest = order[1:]
    if len(rest) > 1 and len(_tied_with(rest[0], rest, apart)) == 1:
        found[rest[0]] = "second"
    return found


def _tied_with(
    first: int, order: Sequence[int], apart: Mapping[tuple[int, int], bool]
) -> list[int]:
    return [
        place
        for place in order
        if place == first or not apart.get((min(first, place), max(first, place)), False)
    ]


def told_apart(adjusted: float, tasks: int) -> bool:
    """Is a difference real enough to rank by? `adjusted`: its p-value after Holm."""
    return tasks >= LEAST_RANKED and adjusted < ALPHA


def swapped(
    names: Sequence[str], one: Sequence[float | None], other: Sequence[float | None]
) -> list[tuple[str, str]]:
    """Pairs that stand the other way round in `other`: (higher in one, higher in other)."""
    found = []
    for i, j in combinations(range(len(names)), 2):
        first, second = _gap(one, i, j), _gap(other, i, j)
        if first * second < 0:
            found.append((names[i], names[j]) if first > 0 else (names[j], names[i]))
    return found


def _gap(values: Sequence[float | None], i: int, j: int) -> float:
    left, right = values[i], values[j]
    return 0.0 if left is None or right is None else left - right
