"""Two evaluations set against each other: `compare A B`, for people and for builds.

B regresses when its difference to A is told from zero and lies below it: the p-value of the paired
difference over the tasks in common is under 0.05 (`statistics.paired`).
"""

from collections.abc import Mapping
from statistics import fmean

import msgspec

from bythebook.errors import UsageError, suggestion
from bythebook.report.data import Evaluation
from bythebook.report.measures import (
    ALL_CORE,
    GOAL,
    PROCESS,
    PROTECTION,
    SCORE,
    STRICT,
    SUCCESS,
)
from bythebook.report.notes import times
from bythebook.report.panel import SCALE, Measure, Panel
from bythebook.report.statistics.paired import ALPHA, Difference
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables.board import Head, groups_of

MEASURES: Mapping[str, tuple[Measure, ...]] = {
    "conduct": (STRICT, GOAL, PROCESS, PROTECTION),
    "deliverables": (SCORE, SUCCESS, ALL_CORE),
}
"""What evaluations of a suite can be compared by; the first unless another is asked for."""


class TaskChange(msgspec.Struct, frozen=True, kw_only=True):
    """One task that both played. Figures as in tables: 0 to 100."""

    task: str
    first: float
    second: float
    first_runs: int
    second_runs: int
    edited: bool
    """The task itself is not the same in both."""

    @property
    def change(self) -> float:
        """Second less first, in points of 100."""
        return self.second - self.first


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What the second came to beside the first, over the tasks that both played."""

    suite: str
    by: str
    first: str
    second: str
    tasks: int
    first_value: float
    second_value: float
    difference: float
    low: float | None
    high: float | None
    """95 % interval of the difference; None with fewer than two tasks."""
    p: float
    changes: tuple[TaskChange, ...]
    """Largest fall first."""
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    left_out: int
    """Runs of either without a figure: something in them is void."""

    @property
    def regressed(self) -> bool:
        """The second is worse, with p below 0.05."""
        return self.difference < 0 and self.p < ALPHA

    @property
    def improved(self) -> bool:
        """The second is better, with p below 0.05."""
        return self.difference > 0 and self.p < ALPHA

    @property
    def fallen(self) -> tuple[TaskChange, ...]:
        """Tasks that came to less, told from chance or not."""
        return tuple(one for one in self.changes if one.change < -1e-9)


def compare(first: Evaluation, second: Evaluation, by: str = "") -> Comparison:
    """Raises `UsageError` for evaluations that cannot be compared."""
    measure = _measure(first, second, by)
    panel = Panel(groups_of((first, second)))
    found, _ = panel.differences(measure)[0, 1]
    scale = SCALE.get(measure.column.unit, 1.0)
    values = [_values(one, measure) for one in (first, second)]
    common = sorted(values[0].keys() & values[1].keys())
    if not common:
        hint = "compare evaluations that have played and judged a task in common"
        raise UsageError(f"{first.label!r} and {second.label!r} share no task", hint=hint)
    changes = [_change(task, (first, second), values, scale) for task in common]
    return Comparison(
        suite=first.suite,
        by=measure.column.key,
        first=first.label,
        second=second.label,
        tasks=found.tasks,
        first_value=fmean(one.first for one in changes),
        second_value=fmean(one.second for one in changes),
        difference=scale * (found.value or 0.0),
        low=_bound(found, "low", scale),
        high=_bound(found, "high", scale),
        p=found.p,
        changes=tuple(sorted(changes, key=lambda one: (one.change, one.task))),
        only_first=tuple(sorted(values[0].keys() - values[1].keys())),
        only_second=tuple(sorted(values[1].keys() - values[0].keys())),
        left_out=sum(measure.take(run) is None for one in (first, second) for run in one.runs),
    )


def _measure(first: Evaluation, second: Evaluation, by: str) -> Measure:
    if first.suite != second.suite:
        what = f"{first.label!r} is of {first.suite}, {second.label!r} of {second.suite}"
        raise UsageError(what, hint="compare evaluations of one suite")
    known = {one.column.key: one for one in MEASURES[first.suite]}
    if by and by not in known:
        raise UsageError(f"{first.suite} has no figure {by!r}", hint=suggestion(by, known))
    return known[by] if by else MEASURES[first.suite][0]


def _bound(found: Difference, side: str, scale: float) -> float | None:
    return None if found.interval is None else scale * float(getattr(found.interval, side))


def _values(one: Evaluation, measure: Measure) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for run in one.runs:
        parts = measure.take(run)
        if parts is not None:
            found.setdefault(run.task, []).append(parts[0] / parts[1])
    return found


def _change(
    task: str,
    both: tuple[Evaluation, Evaluation],
    values: list[dict[str, list[float]]],
    scale: float,
) -> TaskChange:
    first, second = values[0][task], values[1][task]
    planned = [one.planned.get(task) for one in both]
    hashes = {one.hash for one in planned if one is not None}
    return TaskChange(
        task=task,
        first=scale * fmean(first),
        second=scale * fmean(second),
        first_runs=len(first),
        second_runs=len(second),
        edited=len(hashes) > 1,
    )


# --- shown --------------------------------------------------------------------------------------


def compared(found: Comparison, *, most: int | None = None) -> Table:
    """Tasks that changed, the largest fall first, under the overall line; at `most` so many."""
    head = Head(
        id="compare",
        title=f"{found.second} beside {found.first}",
        says=f"{found.by} of tasks that both played: second minus first.",
        suite=found.suite,
    )
    columns = (
        Column("task", "task"),
        Column("first", found.first, "points"),
        Column("second", found.second, "points"),
        Column("difference", "difference", "points"),
    )
    changed = [one for one in found.changes if abs(one.change) > 1e-9]
    rows = [_overall(found), *map(_row, changed[:most])]
    return head.table(columns, rows, tuple(_notes(found, len(changed), most)))


def _overall(found: Comparison) -> Row:
    cells = {
        "task": Cell(f"all {found.tasks}"),
        "first": Cell(found.first_value),
        "second": Cell(found.second_value),
        "difference": Cell(found.difference, found.low, found.high, n=found.tasks),
    }
    return Row("all", cells)


def _row(one: TaskChange) -> Row:
    note = "the task was edited in between" if one.edited else ""
    cells = {
        "task": Cell(one.task, note=note),
        "first": Cell(one.first, n=one.first_runs),
        "second": Cell(one.second, n=one.second_runs),
        "difference": Cell(one.change),
    }
    return Row(one.task, cells)


def _notes(found: Comparison, changed: int, most: int | None) -> list[str]:
    notes = [verdict(found)]
    if most is not None and changed > most:
        notes.append(f"{times(changed - most, 'more task')} changed; --json lists all.")
    for name, tasks in ((found.first, found.only_first), (found.second, found.only_second)):
        if tasks:
            notes.append(f"Left out, since only {name} played them: {', '.join(tasks)}.")
    edited = [one.task for one in found.changes if one.edited]
    if edited:
        notes.append(f"Not the same task in both: {', '.join(edited)}.")
    if found.left_out:
        notes.append(f"{times(found.left_out, 'run')} left out: something in them is void.")
    return notes


def verdict(found: Comparison) -> str:
    """The comparison in a sentence."""
    inside = "" if found.low is None else f" [{found.low:+.1f}, {found.high:+.1f}]"
    told = f"{found.by} {found.difference:+.1f} points{inside} on {times(found.tasks, 'task')}"
    if found.regressed:
        return f"Worse: {told}, p = {found.p:.2g}."
    if found.improved:
        return f"Better: {told}, p = {found.p:.2g}."
    return f"Not told apart: {told}, p = {found.p:.2g}."
