"""Intervals by resampling tasks.

The task is the unit: runs of one task hang together, and other tasks might have been chosen [Miller
2024, Adding Error Bars to Evals, arXiv:2411.00640, sections 2 and 3]. So a resample draws as many
tasks as there are, with replacement, and takes all runs of a drawn task with it [Efron 1979,
Bootstrap Methods; Field and Welsh 2007, Bootstrapping Clustered Data].

A figure is a ratio of sums over tasks,

    value = sum_t a_t / sum_t b_t

For a mean over tasks a_t is the task's mean over its runs and b_t is 1, or both are 0 where the
task was not run. For a share of weight they are satisfied and total weight. A resample that drew
task t w_t times gives sum_t w_t a_t / sum_t w_t b_t; the 95 % interval lies between the 2.5th and
the 97.5th percentile of 10,000 of them.

All figures of a table come from one and the same draws. So differences between two evaluations are
taken on the same tasks, resample by resample, which is what makes them narrow.
"""

from functools import lru_cache

import msgspec
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

RESAMPLES = 10_000
SEED = 20_260_818
LEVEL = 0.95
LEAST_TASKS = 2
"""Fewer have no interval."""


class Interval(msgspec.Struct, frozen=True):
    """Bounds of a figure at `LEVEL`; both belong to it."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


@lru_cache(maxsize=8)
def draws(tasks: int, *, resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    """How often each task is drawn in each resample: resamples x tasks, each row adding up to
    `tasks`.

    Raw words of PCG64, of which NumPy promises that a seed gives the same ones for ever (NEP 19),
    modulo the number of tasks: the same draws on any machine. The modulo favours no task by more
    than tasks / 2^64.
    """
    if tasks == 0:
        return np.zeros((resamples, 0))
    words = np.random.PCG64(seed).random_raw(resamples * tasks)
    drawn = (words % np.uint64(tasks)).astype(np.int64).reshape(resamples, tasks)
    places = drawn + np.arange(resamples)[:, None] * tasks
    counted = np.bincount(places.ravel(), minlength=resamples * tasks)
    times = counted.reshape(resamples, tasks).astype(np.float64)
    times.setflags(write=False)  # all callers share it
    return times


def ratios(times: Array, above: Array, below: Array) -> Array:
    """Figures of all resamples: resamples x columns; nan where nothing was drawn.

    `above`, `below`: the a_t and b_t, tasks x columns.
    """
    # Most columns stand on the same tasks: what is below the line is added up once for all of them.
    kinds, which = np.unique(below, axis=1, return_inverse=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = (times @ above) / (times @ kinds)[:, which.ravel()]
    return found


def ratio(above: Array, below: Array) -> float | None:
    """The figure itself, of one column; None where there is nothing to divide by."""
    total = float(below.sum())
    return float(above.sum()) / total if total else None


def interval(resampled: Array) -> Interval | None:
    """The 95 % percentile interval of one column; None when a twentieth or more is undefined."""
    defined = resampled[~np.isnan(resampled)]
    if len(defined) <= LEVEL * len(resampled):
        return None
    low, high = np.percentile(defined, (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    return Interval(float(low), float(high))


def interval_of_share(resampled: Array, above: Array, below: Array) -> Interval | None:
    """The interval of a share between 0 and 1, also where every task came out alike.

    Then resamples cannot differ. If all are 0, or all 1, the interval is the exact one for n equal
    answers of n tasks [Clopper and Pearson 1934]: [0, 1 - 0.025^(1/n)], or [0.025^(1/n), 1]. If
    they are alike in between there is none.
    """
    there = below > 0
    tasks = int(there.sum())
    if tasks < LEAST_TASKS:
        return None
    shares = above[there] / below[there]
    if np.ptp(shares) > 0:
        return interval(resampled)
    reach = ((1 - LEVEL) / 2) ** (1 / tasks)
    if shares[0] == 0:
        return Interval(0.0, 1 - reach)
    return Interval(reach, 1.0) if shares[0] == 1 else None
