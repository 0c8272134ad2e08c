"""Runs of several evaluations side by side: one figure a cell, each with its interval and its mark.

All figures of a panel come from the same resamples of the same tasks (`statistics.resample`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import fmean

import msgspec
import numpy as np
from msgspec.structs import replace

from bythebook.report.statistics.paired import Difference, Sums, differences, holm, resampled
from bythebook.report.statistics.ranks import LEAST_RANKED, marks, told_apart
from bythebook.report.statistics.resample import (
    LEAST_TASKS,
    Array,
    Interval,
    draws,
    interval,
    interval_of_share,
    ratio,
)
from bythebook.report.table import Cell, Column, Unit
from bythebook.run.summary import RunLine

Parts = tuple[float, float]
"""What a run adds above and below the line: a/b; a plain figure is a/1."""
Take = Callable[[RunLine], Parts | None]
"""None: the run has no such figure and is left out."""

SCALE: dict[Unit, float] = {"percent": 100.0, "points": 100.0}
"""From what is computed with to what is shown."""


class Group(msgspec.Struct, frozen=True):
    """The runs behind one row."""

    label: str
    runs: tuple[RunLine, ...]


@dataclass(frozen=True)
class Measure:
    """One figure of runs, and the column it stands in."""

    column: Column
    take: Take
    share: bool = False
    """It lies between 0 and 1."""
    low: Take | None = None
    """The figure if all that is void had failed, and, `high`, had passed. Used where `take` gives
    None for a run because of something void."""
    high: Take | None = None


def plain(value: Callable[[RunLine], float | bool | None]) -> Take:
    """A figure that is no ratio."""

    def take(run: RunLine) -> Parts | None:
        found = value(run)
        return None if found is None else (float(found), 1.0)

    return take


OfTask = Callable[[Sequence[RunLine]], Parts | None]
"""The figure of one task, from its runs. None: the task has no such figure and is left out."""


def mean_over_runs(take: Take) -> OfTask:
    """The means, over a task's runs, of what stands above and below the line."""

    def of_task(runs: Sequence[RunLine]) -> Parts | None:
        found = [parts for run in runs if (parts := take(run)) is not None]
        if not found:
            return None
        return fmean(above for above, _ in found), fmean(below for _, below in found)

    return of_task


@dataclass(frozen=True)
class Panel:
    """Groups of runs, over the tasks that any of them played."""

    groups: tuple[Group, ...]

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """Ids, sorted: what the draws resample."""
        return tuple(sorted({run.task for group in self.groups for run in group.runs}))

    @cached_property
    def times(self) -> Array:
        """The draws that all figures share."""
        return draws(len(self.tasks))

    def cells(
        self, measure: Measure, tasks: Iterable[str] | None = None, *, ranked: bool = True
    ) -> list[Cell]:
        """One cell a group; `tasks`: over these alone."""
        groups = self._over(tasks)
        known = [[measure.take(run) is not None for run in group.runs] for group in groups]
        of_task = mean_over_runs(measure.take)
        found = self.figures(
            [self.sums(group.runs, of_task) for group in groups],
            measure.column if ranked else replace(measure.column, better=""),
            list(map(sum, known)),
            share=measure.share,
        )
        return [
            self._bounded(group.runs, measure) or cell
            for group, cell in zip(groups, found, strict=True)
        ]

    def cells_of(self, column: Column, of_task: OfTask, *, share: bool = False) -> list[Cell]:
        """One cell a group, of a figure that is made from all runs of a task at once."""
        sums = [self.sums(group.runs, of_task) for group in self.groups]
        counts = [len(group.runs) for group in self.groups]
        return self.figures(sums, column, counts, share=share)

    def sums(self, runs: Iterable[RunLine], of_task: OfTask) -> Sums:
        """A figure's parts, task by task."""
        by_task: dict[str, list[RunLine]] = {}
        for run in runs:
            by_task.setdefault(run.task, []).append(run)
        sides = np.zeros((2, len(self.tasks)))
        for place, task in enumerate(self.tasks):
            parts = of_task(by_task[task]) if task in by_task else None
            if parts is not None:
                sides[:, place] = parts
        return Sums(sides[0], sides[1])

    def figures(
        self, sums: Sequence[Sums], column: Column, counts: Sequence[int], *, share: bool
    ) -> list[Cell]:
        """One cell for each: value, interval, n from `counts`, and best, second and tied where
        the column has a better end and intervals allow. Empty, with n = 0, for no figure."""
        every, scale = resampled(sums, self.times), SCALE.get(column.unit, 1.0)
        cells = []
        for place, (one, n) in enumerate(zip(sums, counts, strict=True)):
            value = ratio(one.above, one.below)
            inside = _interval(every[:, place], one, share=share)
            cells.append(_cell(value, inside, scale, n))
        return self._marked(cells, sums, column, every)

    def differences(
        self, measure: Measure, pairs: Sequence[tuple[int, int]] | None = None
    ) -> dict[tuple[int, int], tuple[Difference, float]]:
        """(i, j), i < j: group j minus group i, and its p-value after Holm over all the pairs
        that were asked for; all there are if none are named."""
        of_task = mean_over_runs(measure.take)
        sums = [self.sums(group.runs, of_task) for group in self.groups]
        every = differences(sums, self.times)
        found = every if pairs is None else {pair: every[pair] for pair in pairs}
        adjusted = holm([one.p for one in found.values()])
        return {pair: (one, p) for (pair, one), p in zip(found.items(), adjusted, strict=True)}

    # --- inside -----------------------------------------------------------------------------

    def _over(self, tasks: Iterable[str] | None) -> tuple[Group, ...]:
        if tasks is None:
            return self.groups
        wanted = frozenset(tasks)
        return tuple(
            Group(group.label, tuple(run for run in group.runs if run.task in wanted))
            for group in self.groups
        )

    def _marked(
        self, cells: list[Cell], sums: Sequence[Sums], column: Column, every: Array
    ) -> list[Cell]:
        if not column.better or not _rankable(sums):
            return cells
        sign = 1 if column.better == "high" else -1
        values = [None if cell.value is None else sign * float(cell.value) for cell in cells]
        found = differences(sums, self.times, every)
        adjusted = holm([one.p for one in found.values()])
        apart = {
            pair: told_apart(p, one.tasks)
            for (pair, one), p in zip(found.items(), adjusted, strict=True)
        }
        told = marks(values, apart)
        return [replace(cell, mark=mark) for cell, mark in zip(cells, told, strict=True)]

    def _bounded(self, runs: Sequence[RunLine], measure: Measure) -> Cell | None:
        """The bounds of a figure that hangs on something void; None where it does not."""
        low, high = measure.low, measure.high
        if low is None or high is None:
            return None
        there = [run for run in runs if low(run) is not None]
        if all(measure.take(run) is not None for run in there):
            return None
        sums = [self.sums(there, mean_over_runs(take)) for take in (low, high)]
        least, most = self.figures(
            sums, replace(measure.column, better=""), [len(there)] * 2, share=True
        )
        return Cell(
            low=least.low,
            high=most.high,
            least=None if least.value is None else float(least.value),
            most=None if most.value is None else float(most.value),
            n=len(there),
        )


def _rankable(sums: Sequence[Sums]) -> bool:
    """Have any two enough tasks in common?"""
    there = [one.below > 0 for one in sums]
    return any(int((a & b).sum()) >= LEAST_RANKED for a, b in combinations(there, 2))


def _interval(drawn: Array, sums: Sums, *, share: bool) -> Interval | None:
    if share:
        return interval_of_share(drawn, sums.above, sums.below)
    return interval(drawn) if int((sums.below > 0).sum()) >= LEAST_TASKS else None


def _cell(value: float | None, inside: Interval | None, scale: float, n: int) -> Cell:
    if value is None:
        return Cell(n=0)
    low = None if inside is None else scale * inside.low
    high = None if inside is None else scale * inside.high
    return Cell(value=scale * value, low=low, high=high, n=n)
