"""Differences between two evaluations, taken task by task, and many of them at once.

    d = value_B - value_A, both over the tasks that A and B have in common

Its interval is the percentile interval of the differences in each resample (`resample`). Its
p-value is that of the paired randomisation test [Fisher 1935, The Design of Experiments; Noreen
1989, Computer-Intensive Methods for Testing Hypotheses]: if A and B are alike, then in each task
either of the two results might as well have been the other's. So results are swapped at random,
task by task, 10,000 times, and

    p = (1 + #(|d*| >= |d|)) / (R + 1)

With 13 tasks or fewer all 2^T swaps are gone through, and p is their share, exactly.
Percentile intervals are a little too sure in their far ends, where many comparisons look; this test
is exact whatever the number of tasks. With m tasks that differ p cannot go below 2^(1 - m).

Of several differences asked at once some will look real by chance: p-values are adjusted so that
the chance of a single false alarm among them is 5 % [Holm 1979, A Simple Sequentially Rejective
Multiple Test Procedure]. With p_(1) <= .. <= p_(m):

    adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j))
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import msgspec
import numpy as np

from bythebook.report.statistics.resample import (
    LEAST_TASKS,
    RESAMPLES,
    SEED,
    Array,
    Interval,
    interval,
    ratios,
)

ALPHA = 0.05
SAME = 1e-12
"""Figures nearer to each other than this are the same."""


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
    pairs = list(combinations(range(len(sums)), 2))
    if not pairs:
        return {}
    above, below = _stacked(sums)
    every = resampled(sums, times) if every is None else every
    there = below > 0
    p_values = swapped(above, below, pairs)
    found = {}
    for place, (i, j) in enumerate(pairs):
        both = there[:, i] & there[:, j]
        if (there[:, i] == there[:, j]).all():
            two = every[:, [i, j]]
        else:
            two = ratios(times[:, both], above[both][:, [i, j]], below[both][:, [i, j]])
        found[i, j] = _difference(
            above[both][:, [i, j]], below[both][:, [i, j]], two, float(p_values[place])
        )
    return found


def _stacked(sums: Sequence[Sums]) -> tuple[Array, Array]:
    above = np.column_stack([one.above for one in sums])
    return above, np.column_stack([one.below for one in sums])


def _difference(above: Array, below: Array, resampled: Array, p: float) -> Difference:
    """Two columns over the tasks that both have; `resampled`: resamples x 2."""
    tasks = len(above)
    if not tasks:
        return Difference(tasks=0, value=None, interval=None, p=1.0)
    left, right = above.sum(axis=0) / below.sum(axis=0)
    value = float(right - left)
    if tasks < LEAST_TASKS:
        return Difference(tasks=tasks, value=value, interval=None, p=1.0)
    shares = above / below
    alike = np.ptp(shares[:, 1] - shares[:, 0]) <= SAME
    inside = None if alike else interval(resampled[:, 1] - resampled[:, 0])
    return Difference(tasks=tasks, value=value, interval=inside, p=p)


# --- p-values -----------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def swaps(tasks: int, *, times: int = RESAMPLES, seed: int = SEED + 1) -> Array:
    """1 where a task's two results change places, 0 where not: swaps x tasks. All there are, if
    they are not more than `times`; else `times` of them, from the bits of raw words of PCG64, as
    in `resample.draws`."""
    if 2**tasks <= times:
        found = (np.arange(2**tasks)[:, None] >> np.arange(tasks) & 1).astype(np.float64)
    else:
        words = np.random.PCG64(seed).random_raw(-(-times * tasks // 64))
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
        found = bits[: times * tasks].reshape(times, tasks).astype(np.float64)
    found.setflags(write=False)  # all callers share it
    return found


def swapped(above: Array, below: Array, pairs: Sequence[tuple[int, int]]) -> Array:
    """The p-value of each pair of columns; `above` and `below`: tasks x evaluations."""
    first, second = (list(side) for side in zip(*pairs, strict=True))
    both = (below[:, first] > 0) & (below[:, second] > 0)
    a, b, c, d = (
        np.where(both, side[:, places], 0.0)
        for side, places in ((above, first), (below, first), (above, second), (below, second))
    )
    moves = swaps(len(above))
    up = moves @ (c - a)
    # Where all stand on the same ground, what is below the line does not change.
    down = moves @ (d - b) if (d != b).any() else np.zeros_like(up)
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = (c.sum(0) - up) / (d.sum(0) - down) - (a.sum(0) + up) / (b.sum(0) + down)
        seen = c.sum(0) / d.sum(0) - a.sum(0) / b.sum(0)
    as_large = (np.abs(gaps) >= np.abs(seen) - SAME).sum(axis=0)
    # Drawn swaps are joined by the one that changes nothing; among all swaps it is there already.
    more = 0 if len(moves) == 2 ** len(above) else 1
    found: Array = np.where(np.isnan(seen), 1.0, (more + as_large) / (more + len(moves)))
    return found


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted
