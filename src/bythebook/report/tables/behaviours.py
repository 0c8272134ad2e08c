"""How often each failure behaviour was seen, and where (StartupBench, Section 4.4.2)."""

from collections.abc import Sequence
from statistics import fmean

from bythebook.report.behaviours import Case, behaviours, cases
from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.notes import RATES, nothing, times, usual
from bythebook.report.panel import OfTask, Panel, Parts
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables.board import Head, groups_of
from bythebook.run.summary import RunLine

SEVERAL = "A broken rule can show several behaviours; lines do not add up."
PAPER = {"conduct": "", "deliverables": "StartupBench, Section 4.4.2"}


def rates(evaluations: Evaluations, suite: str) -> Table:
    """One row a behaviour, one column an evaluation: the share of runs that show it."""
    head = Head(
        id=f"{suite}-behaviours",
        title="Failure behaviours",
        says="Share of valid runs that show a behaviour; the note says in how many runs, and how"
        " many cases there are.",
        suite=suite,
        source=PAPER[suite],
    )
    every = evaluations.of(suite)
    panel = Panel(groups_of(every))
    found = [list(cases(one, evaluations.content)) for one in every]
    columns = [Column(f"e{place}", one.label, "percent") for place, one in enumerate(every, 1)]
    rows = [
        Row(
            name,
            {
                "behaviour": Cell(name),
                "says": Cell(says),
                **{
                    column.key: _cell(panel, one, [case for case in seen if case.behaviour == name])
                    for column, one, seen in zip(columns, every, found, strict=True)
                },
            },
        )
        for name, says in behaviours(suite).items()
    ]
    shown = (Column("behaviour", "behaviour"), *columns, Column("says", "what it is"))
    if not every:
        return head.table(shown, (), nothing(f"no {suite} evaluation was given"))
    return head.table(shown, rows, usual(evaluations, suite, panel, RATES, SEVERAL))


def _cell(panel: Panel, one: Evaluation, seen: Sequence[Case]) -> Cell:
    runs = frozenset((case.task, case.run) for case in seen)
    sums = panel.sums(one.runs, _share(runs))
    cell = panel.figures([sums], Column("", "", "percent"), [len(one.runs)], share=True)[0]
    note = f"{len(runs)} of {len(one.runs)} runs, {times(sum(c.times for c in seen), 'case')}"
    return Cell(cell.value, cell.low, cell.high, n=cell.n, note=note)


def _share(seen: frozenset[tuple[str, int]]) -> OfTask:
    def of_task(runs: Sequence[RunLine]) -> Parts | None:
        return fmean((run.task, run.run) in seen for run in runs), 1.0

    return of_task


def listed(evaluations: Evaluations, suite: str) -> Table:
    """Every case: task, run, event, rule."""
    head = Head(
        id=f"{suite}-cases",
        title="Failure behaviours, case by case",
        says="Where each behaviour was seen. `bythebook show` reads the run.",
        suite=suite,
        source=PAPER[suite],
    )
    rows = [
        _row(one, number, case)
        for one in evaluations.of(suite)
        for number, case in enumerate(cases(one, evaluations.content), start=1)
    ]
    columns = (
        Column("evaluation", "evaluation"),
        Column("behaviour", "behaviour"),
        Column("task", "task"),
        Column("run", "run", "count"),
        Column("event", "event", "count"),
        Column("rule", "rule"),
        Column("says", "what was seen"),
    )
    return head.table(
        columns, rows, (f"{times(len(rows), 'case')}.",) if rows else nothing("no case")
    )


def _row(one: Evaluation, number: int, case: Case) -> Row:
    cells = {
        "evaluation": Cell(one.label),
        "behaviour": Cell(case.behaviour),
        "task": Cell(case.task),
        "run": Cell(case.run),
        "event": Cell(case.event),
        "rule": Cell(case.rule),
        "says": Cell(case.says),
    }
    return Row(f"{one.label} / {number}", cells)
