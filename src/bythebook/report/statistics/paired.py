"""Differences between two evaluations, taken task by task, and many of them at once.

    d = value_B - value_A, both over the tasks that A and B have in common

Its interval is the percentile interval of the differences in each resample. Its p-value is twice
the smaller tail [Davison and Hinkley 1997, Bootstrap Methods, section 4.2.5]:

    p = 2 min(1 + #(d* <= 0), 1 + #(d* >= 0)) / (R + 1), at most 1

so that p < 0.05 says what the interval says, up to ties. With few tasks that differ, resampling is
too sure of itself; so p is never below 2^(1 - m), the least that a sign test of m tasks that differ
can give [Fisher 1935, The Design of Experiments].

Of several differences asked at once some will look real by chance: p-values are adjusted so that
the chance of a single false alarm among them is 5 % [Holm 1979, A Simple Sequentially Rejective
Multiple Test Procedure]. With p_(1) <= .. <= p_(m):

    adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j))
"""

from collections.abc import Sequence
from itertools import combinations

import msgspec
import numpy as np

from bythebook.report.statistics.resample import (
    LEAST_TASKS,
    Array,
    Interval,
    interval,
    ratio,
    ratios,
)

ALPHA = 0.05


class Sums(msgspec.Struct, frozen=True):
    """One figure of one evaluation: a_t and b_t by task, over the tasks of the table."""

    above: Array
    below: Array


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """B minus A."""

    tasks: int
    """Which both have."""
    value: float | None
    interval: Interval | None
    """None with fewer than two tasks, and where all tasks differ alike: resamples cannot tell."""
    p: float
    """1 where nothing can be told."""


def difference(a: Sums, b: Sums, times: Array) -> Difference:
    """`times`: resamples x tasks, as `draws` gives them."""
    return differences((a, b), times)[0, 1]


def resampled(sums: Sequence[Sums], times: Array) -> Array:
    """The figures of all evaluations in all resamples: resamples x evaluations."""
    if not sums:
        return np.zeros((len(times), 0))
    return ratios(times, *_stacked(sums))


def differences(
    sums: Sequence[Sums], times: Array, every: Array | None = None
) -> dict[tuple[int, int], Difference]:
    """Every pair of evaluations: (i, j) with i < j is the j-th minus the i-th. `every`: what
    `resampled` gave, if it is known."""
    if not sums:
        return {}
    above, below = _stacked(sums)
    every = resampled(sums, times) if every is None else every
    there = below > 0
    found = {}
    for i, j in combinations(range(len(sums)), 2):
        both = there[:, i] & there[:, j]
        if (there[:, i] == there[:, j]).all():
            two = every[:, [i, j]]
        else:
            two = ratios(times[:, both], above[both][:, [i, j]], below[both][:, [i, j]])
        found[i, j] = _difference(above[both][:, [i, j]], below[both][:, [i, j]], two)
    return found


def _stacked(sums: Sequence[Sums]) -> tuple[Array, Array]:
    above = np.column_stack([one.above for one in sums])
    return above, np.column_stack([one.below for one in sums])


def _difference(above: Array, below: Array, resampled: Array) -> Difference:
    """Two columns over the tasks that both have; `resampled`: resamples x 2."""
    tasks = len(above)
    left, right = (ratio(above[:, side], below[:, side]) for side in (0, 1))
    value = None if left is None or right is None else right - left
    if tasks < LEAST_TASKS:
        return Difference(tasks=tasks, value=value, interval=None, p=1.0)
    gaps = resampled[:, 1] - resampled[:, 0]
    shares = above / below
    changes = shares[:, 1] - shares[:, 0]
    p = p_value(gaps, int((np.abs(changes) > 1e-12).sum()))
    inside = interval(gaps) if np.ptp(changes) > 1e-12 else None
    return Difference(tasks=tasks, value=value, interval=inside, p=p)


def p_value(gaps: Array, differ: int) -> float:
    """`gaps`: the resampled differences; `differ`: tasks in which the two are not the same."""
    if differ == 0:
        return 1.0
    defined = gaps[~np.isnan(gaps)]
    tail = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    twice = 2 * (1 + tail) / (len(defined) + 1)
    return min(1.0, max(twice, 2.0 ** (1 - differ)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted
