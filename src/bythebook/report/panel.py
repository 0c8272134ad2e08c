"""Runs of several evaluations side by side: one figure a cell, each with its interval and its mark.

All figures of a panel come from the same resamples of the same tasks (`statistics.resample`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import msgspec
import numpy as np

from bythebook.report.statistics.paired import Difference, Sums, differences, holm
from bythebook.report.statistics.ranks import LEAST_RANKED, marks, told_apart
from bythebook.report.statistics.resample import (
    LEAST_TASKS,
    Array,
    Interval,
    draws,
    interval,
    interval_of_share,
    ratio,
    ratios,
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
        of_task = mean_over_runs(measure.take)
        sums = [self.sums(group.runs, of_task) for group in groups]
        found = [
            self._cell(group.runs, one, measure) for group, one in zip(groups, sums, strict=True)
        ]
        return self.marked(found, sums, measure.column) if ranked else found

    def cells_of(self, column: Column, of_task: OfTask, *, share: bool = False) -> list[Cell]:
        """One cell a group, of a figure that is made from all runs of a task at once."""
        sums = [self.sums(group.runs, of_task) for group in self.groups]
        found = [
            self.cell(one, column.unit, share=share, n=len(group.runs))
            for group, one in zip(self.groups, sums, strict=True)
        ]
        return self.marked(found, sums, column)

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

    def cell(self, sums: Sums, unit: Unit, *, share: bool, n: int) -> Cell:
        """The figure with its interval; empty, with n = 0, where there is none."""
        value, scale = ratio(sums.above, sums.below), SCALE.get(unit, 1.0)
        if value is None:
            return Cell(n=0)
        found = self._interval(sums, share=share)
        return Cell(
            value=scale * value,
            low=None if found is None else scale * found.low,
            high=None if found is None else scale * found.high,
            n=n,
        )

    def marked(self, cells: Sequence[Cell], sums: Sequence[Sums], column: Column) -> list[Cell]:
        """The cells with best, second and tied where intervals allow."""
        if not column.better:
            return list(cells)
        sign = 1 if column.better == "high" else -1
        values = [None if cell.value is None else sign * float(cell.value) for cell in cells]
        found = differences(sums, self.times)
        adjusted = holm([one.p for one in found.values()])
        apart = {
            pair: told_apart(p, one.tasks)
            for (pair, one), p in zip(found.items(), adjusted, strict=True)
        }
        if not any(one.tasks >= LEAST_RANKED for one in found.values()):
            return list(cells)
        told = marks(values, apart)
        return [
            msgspec.structs.replace(cell, mark=mark) for cell, mark in zip(cells, told, strict=True)
        ]

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

    def _cell(self, runs: Sequence[RunLine], sums: Sums, measure: Measure) -> Cell:
        unit, low, high = measure.column.unit, measure.low, measure.high
        known = [measure.take(run) is not None for run in runs]
        if low is not None and high is not None:
            there = [run for run in runs if low(run) is not None]
            if sum(known) < len(there):
                return self._bounded(there, low, high, unit)
        return self.cell(sums, unit, share=measure.share, n=sum(known))

    def _bounded(self, runs: Sequence[RunLine], low: Take, high: Take, unit: Unit) -> Cell:
        scale = SCALE.get(unit, 1.0)
        sides = [self.sums(runs, mean_over_runs(take)) for take in (low, high)]
        least, most = (ratio(side.above, side.below) for side in sides)
        under, over = (self._interval(side, share=True) for side in sides)
        return Cell(
            low=None if under is None else scale * under.low,
            high=None if over is None else scale * over.high,
            least=None if least is None else scale * least,
            most=None if most is None else scale * most,
            n=len(runs),
        )

    def _interval(self, sums: Sums, *, share: bool) -> Interval | None:
        resampled = ratios(self.times, sums.above[:, None], sums.below[:, None])[:, 0]
        if share:
            return interval_of_share(resampled, sums.above, sums.below)
        return interval(resampled) if int((sums.below > 0).sum()) >= LEAST_TASKS else None
