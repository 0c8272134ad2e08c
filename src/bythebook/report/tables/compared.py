"""Differences between evaluations, and how many tasks and runs it takes to see one."""

from collections.abc import Sequence
from itertools import combinations
from math import inf

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.measures import SCORE, STRICT
from bythebook.report.notes import denominators, editions, nothing, sizes, times
from bythebook.report.panel import Measure, Panel
from bythebook.report.statistics.paired import ALPHA, Difference
from bythebook.report.statistics.power import POWER, Spread, pooled, spread
from bythebook.report.statistics.resample import LEAST_TASKS
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables.board import Head, groups_of
from bythebook.run.summary import RunLine

MAIN = {"conduct": STRICT, "deliverables": SCORE}
"""The figure that evaluations of a suite are compared by."""
DELTA = 5
"""Points."""
RUNS = (1, 3, 5, 10)

DIFFERENCE = Column(
    "difference",
    "difference",
    "points",
    "Second minus first, over the tasks that both played, with its 95 % interval.",
)
P = Column(
    "p",
    "p, adjusted",
    "ratio",
    "Two-sided p-value of the difference after Holm's adjustment over all rows of the table.",
)


def difference_cells(found: Difference, adjusted: float) -> dict[str, Cell]:
    """A difference of shares or scores in points, and its adjusted p-value."""
    inside = found.interval
    value = None if found.value is None else 100 * found.value
    low, high = (None, None) if inside is None else (100 * inside.low, 100 * inside.high)
    return {
        "difference": Cell(value, low, high, n=found.tasks),
        "p": Cell(adjusted if found.tasks >= LEAST_TASKS else None, n=found.tasks),
    }


def differences(evaluations: Evaluations, suite: str) -> Table:
    """Every pair of evaluations of a suite."""
    measure = MAIN[suite]
    head = Head(
        id=f"{suite}-differences",
        title=f"Differences in {measure.column.title}",
        says="Every pair of evaluations, task by task; n is the number of tasks in common.",
        suite=suite,
    )
    every = evaluations.of(suite)
    panel = Panel(groups_of(every))
    rows = [
        Row(
            f"{every[i].label} / {every[j].label}",
            {
                "first": Cell(every[i].label),
                "second": Cell(every[j].label),
                **difference_cells(found, p),
                "says": Cell(_says(found, p)),
            },
        )
        for (i, j), (found, p) in panel.differences(measure).items()
    ]
    columns = (
        Column("first", "first"),
        Column("second", "second"),
        DIFFERENCE,
        P,
        Column("says", "so"),
    )
    notes = (
        f"{times(len(rows), 'difference')} asked at once; p-values are adjusted for that (Holm)."
        " The interval is of each difference by itself.",
        *editions(every),
        *denominators(every),
        sizes(evaluations, suite),
    )
    return head.table(columns, rows, notes if rows else nothing("it takes two evaluations"))


def _says(found: Difference, p: float) -> str:
    if found.value is None or found.tasks < LEAST_TASKS:
        return "too few tasks in common"
    if p >= ALPHA:
        return "not told apart"
    return "second is higher" if found.value > 0 else "first is higher"


# --- power --------------------------------------------------------------------------------------


def power(evaluations: Evaluations, suite: str) -> Table:
    """Tasks needed to see a difference of five points, by the number of runs."""
    measure = MAIN[suite]
    head = Head(
        id=f"{suite}-power",
        title=f"What it takes to see {DELTA} points",
        says=f"Tasks that are needed to see a true difference of {DELTA} points in"
        f" {measure.column.title} between two evaluations of the same tasks, with a chance of"
        f" {POWER:.0%} at 5 %; and the smallest difference seen so with the tasks there are.",
        suite=suite,
    )
    every = evaluations.of(suite)
    pairs = [one for pair in combinations(every, 2) if (one := _spread(*pair, measure)) is not None]
    found = pooled(pairs)
    if found is None:
        why = "it takes two evaluations with two tasks in common, and one task that was run twice"
        return head.table((Column("runs", "runs of a task", "count"),), (), nothing(why))
    columns = (
        Column("runs", "runs of a task", "count"),
        Column("tasks", "tasks needed", "count", "(1.960 + 0.842)^2 V(K) / 0.05^2"),
        Column("least", "seen with these tasks", "points", "2.802 sqrt(V(K) / T)"),
    )
    rows = [_power_row(str(runs), found, runs) for runs in RUNS]
    rows.append(_power_row("without end", found, inf))
    notes = (
        f"From {len(pairs)} pairs of evaluations, each on {found.tasks} tasks or more. Variance of"
        f" a task's difference: {found.between:.4f} between tasks, {found.within:.4f} / K from"
        " runs.",
        _runs_needed(found),
        sizes(evaluations, suite),
    )
    return head.table(columns, rows, notes)


def _power_row(name: str, found: Spread, runs: float) -> Row:
    least = 100 * found.least_seen(found.tasks, runs)
    needed = found.tasks_needed(DELTA / 100, runs)
    return Row(name, {"runs": Cell(name), "tasks": Cell(needed), "least": Cell(least)})


def _runs_needed(found: Spread) -> str:
    needed = found.runs_needed(DELTA / 100, found.tasks)
    if needed is None:
        return (
            f"On {found.tasks} tasks no number of runs shows {DELTA} points: tasks differ too much."
        )
    return f"On {found.tasks} tasks it takes {needed} runs of each to see {DELTA} points."


def _spread(a: Evaluation, b: Evaluation, measure: Measure) -> Spread | None:
    left, right = (_values(one.runs, measure) for one in (a, b))
    tasks = sorted(left.keys() & right.keys())
    return spread([left[task] for task in tasks], [right[task] for task in tasks])


def _values(runs: Sequence[RunLine], measure: Measure) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for run in runs:
        parts = measure.take(run)
        if parts is not None:
            found.setdefault(run.task, []).append(parts[0] / parts[1])
    return found
