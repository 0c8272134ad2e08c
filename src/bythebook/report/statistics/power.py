"""How many tasks and runs it takes to see a difference.

Two evaluations on the same T tasks with K runs each. The difference of a task has the variance

    V(K) = between + within / K
    between   variance of the true difference over tasks
    within    variance of a run about its task's mean, of A and of B together

and the standard error of the mean difference is sqrt(V(K) / T). A true difference of delta is seen
(two-sided test at 5 %) with the chance of 80 % when

    T >= (z_0.975 + z_0.80)^2 V(K) / delta^2      (1.960 + 0.842)^2 = 7.849
    [Miller 2024, arXiv:2411.00640, section 5, eq. 9]

`within` is the mean over tasks of the two unbiased run variances, `between` the variance of the
observed task differences less within / K of each task, never below 0.
"""

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist, fmean, variance

import msgspec

POWER = 0.80
Z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(POWER)


class Spread(msgspec.Struct, frozen=True):
    """Variances of a pair of evaluations; of a figure between 0 and 1."""

    between: float
    within: float
    tasks: int

    def variance(self, runs: float) -> float:
        """V(K)."""
        return self.between + self.within / runs

    def tasks_needed(self, delta: float, runs: float) -> int:
        """Tasks for a difference of `delta` with `runs` runs each; `inf` runs are allowed."""
        return max(2, ceil(Z**2 * self.variance(runs) / delta**2 - 1e-9))

    def runs_needed(self, delta: float, tasks: int) -> int | None:
        """Runs of each task for a difference of `delta`; None where no number is enough."""
        room = delta**2 * tasks / Z**2 - self.between
        if room <= 0:
            return None
        return max(1, ceil(self.within / room - 1e-9))

    def least_seen(self, tasks: int, runs: float) -> float:
        """The smallest difference that is seen with the chance of 80 %."""
        return Z * sqrt(self.variance(runs) / tasks)


def spread(a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> Spread | None:
    """The variances of two evaluations; `a` and `b`: values of the runs, task by task, the same
    tasks in the same order. None with fewer than two tasks, or where no task has two runs."""
    pairs = [(one, other) for one, other in zip(a, b, strict=True) if one and other]
    repeated = [variance(runs) for runs in (*a, *b) if len(runs) > 1]
    if len(pairs) < 2 or not repeated:
        return None
    one_side = fmean(repeated)
    noise = fmean(one_side / len(one) + one_side / len(other) for one, other in pairs)
    observed = variance(fmean(other) - fmean(one) for one, other in pairs)
    return Spread(max(0.0, observed - noise), 2 * one_side, len(pairs))


def pooled(spreads: Sequence[Spread]) -> Spread | None:
    """The mean of several pairs' variances."""
    if not spreads:
        return None
    return Spread(
        fmean(one.between for one in spreads),
        fmean(one.within for one in spreads),
        min(one.tasks for one in spreads),
    )
