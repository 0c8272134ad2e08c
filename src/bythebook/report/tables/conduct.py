"""Results of the suite `conduct` (BizAgentBench, Table 1, Figure 2)."""

from collections.abc import Sequence

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.measures import (
    CALLS,
    CONDUCT,
    DOCUMENTS,
    GOAL,
    STRICT,
    TOKENS_IN,
    TOKENS_OUT,
    TURNS,
)
from bythebook.report.notes import RATES, nothing, order_changes, usual
from bythebook.report.panel import Group, Measure, OfTask, Panel, Parts
from bythebook.report.statistics.passk import most_k, pass_all
from bythebook.report.statistics.ranks import swapped
from bythebook.report.table import Cell, Column, Table
from bythebook.report.tables.board import (
    EVALUATION,
    RUNS,
    TASKS,
    Head,
    groups_of,
    known,
    rows_of,
    task_by_task,
    with_attempts,
)
from bythebook.run.summary import RunLine

SUITE = "conduct"
MOST_K = 10

OF_ATTEMPTS = Measure(
    Column(
        "strict_of_attempts",
        "strict, of attempts",
        "percent",
        "The same with all attempts below the line: those that were set aside through no fault of"
        " the agent count as not reached.",
    ),
    STRICT.take,
    share=True,
)


def results(evaluations: Evaluations) -> Table:
    """Table 1: goal, process, protection, intermediate failure, strict."""
    head = Head(
        id="conduct",
        title="Conduct: was the work done, and by the rules?",
        says="Goal (G), process (P), protection (F), intermediate failure and strict success.",
        suite=SUITE,
        source="BizAgentBench, Table 1",
    )
    every = evaluations.of(SUITE)
    panel = Panel(groups_of(every))
    columns = {one.column.key: panel.cells(one) for one in CONDUCT}
    columns[OF_ATTEMPTS.column.key] = Panel(tuple(map(with_attempts, every))).cells(OF_ATTEMPTS)
    rows = rows_of(panel, columns, by="strict")
    notes = usual(evaluations, SUITE, panel, RATES, *_order(panel.groups, columns))
    shown = [EVALUATION, TASKS, RUNS, *(one.column for one in CONDUCT), OF_ATTEMPTS.column]
    return head.table(shown, rows, notes if rows else nothing("no conduct evaluation was given"))


def _order(groups: Sequence[Group], columns: dict[str, list[Cell]]) -> tuple[str, ...]:
    """Pairs that end states alone would put the other way round."""
    names = [group.label for group in groups]
    heights = [[known(cell) for cell in columns[key]] for key in ("goal", "strict")]
    return order_changes(swapped(names, heights[0], heights[1]), "goal alone")


# --- pass^k -------------------------------------------------------------------------------------


def pass_k(evaluations: Evaluations) -> Table:
    """pass^k of strict success."""
    head = Head(
        id="pass-k",
        title="Reliability: strict success in every one of k runs",
        says="pass^k: over all subsets of k runs of a task, the share in which every run is a"
        " strict success; mean over tasks.",
        suite=SUITE,
        source="BizAgentBench, Figure 2, left",
    )
    panel = Panel(groups_of(evaluations.of(SUITE)))
    highest = [min(MOST_K, most_k(_counts(group.runs))) for group in panel.groups]
    columns = [_pass_column(k) for k in range(1, max(highest, default=0) + 1)]
    cells = {
        column.key: [
            cell if k <= highest[place] else Cell(note=f"some task has only {highest[place]} runs")
            for place, cell in enumerate(panel.cells_of(column, _passing(k), share=True))
        ]
        for k, column in enumerate(columns, start=1)
    }
    rows = rows_of(panel, cells, by="pass_1") if columns else []
    formula = "C(c, k) / C(n, k) for a task with c strict successes in n valid runs."
    few = "k goes as far as the task with the fewest valid runs; a cell beyond it is empty."
    notes = usual(evaluations, SUITE, panel, formula, few)
    shown = [EVALUATION, TASKS, RUNS, *columns]
    return head.table(shown, rows, notes if rows else nothing("no conduct evaluation was given"))


def _pass_column(k: int) -> Column:
    says = f"Chance that {k} fresh runs of a task are all strict successes."
    return Column(f"pass_{k}", f"pass^{k}", "percent", says, "high")


def _counts(runs: Sequence[RunLine]) -> list[int]:
    """Runs that reached a verdict, task by task."""
    tasks = {run.task for run in runs}
    return [
        sum(run.task == task and STRICT.take(run) is not None for run in runs) for task in tasks
    ]


def _passing(k: int) -> OfTask:
    def of_task(runs: Sequence[RunLine]) -> Parts | None:
        marks = [run.strict for run in runs if STRICT.take(run) is not None]
        if len(marks) < k:
            return None
        return pass_all(len(marks), sum(map(bool, marks)), k), 1.0

    return of_task


# --- resources ----------------------------------------------------------------------------------


def resources(evaluations: Evaluations) -> Table:
    """Turns, distinct documents, calls and tokens of a run."""
    head = Head(
        id="resources",
        title="What a run of conduct takes",
        says="Means per run: assistant turns, distinct documents read, tool calls, tokens.",
        suite=SUITE,
        source="BizAgentBench, Figure 2, right",
    )
    panel = Panel(groups_of(evaluations.of(SUITE)))
    measures = (TURNS, DOCUMENTS, CALLS, TOKENS_IN, TOKENS_OUT, STRICT)
    columns = {one.column.key: panel.cells(one) for one in measures}
    rows = rows_of(panel, columns)
    mean = "A mean over tasks of the mean over a task's valid runs. n is the number of runs."
    shown = [EVALUATION, TASKS, RUNS, *(one.column for one in measures)]
    notes = usual(evaluations, SUITE, panel, mean)
    return head.table(shown, rows, notes if rows else nothing("no conduct evaluation was given"))


# --- task by task -------------------------------------------------------------------------------


def tasks(evaluations: Evaluations) -> Table:
    """Strict success of every task, one column an evaluation."""
    head = Head(
        id="conduct-tasks",
        title="Conduct, task by task",
        says="Share of a task's valid runs that are strict successes; n is the number of runs, the"
        " note how many reached the goal.",
        suite=SUITE,
    )
    notes = usual(evaluations, SUITE, Panel(groups_of(evaluations.of(SUITE))), RATES)
    column = Column("e", "", "percent", STRICT.column.says)
    rows, columns = task_by_task(evaluations.of(SUITE), column, _share_of_task)
    return head.table(columns, rows, notes if rows else nothing("no conduct evaluation was given"))


def _share_of_task(one: Evaluation, task: str) -> Cell:
    runs = [run for run in one.runs if run.task == task]
    strict = [parts[0] for run in runs if (parts := STRICT.take(run)) is not None]
    goals = sum(parts[0] for run in runs if (parts := GOAL.take(run)) is not None)
    if not strict:
        return Cell(n=0)
    note = f"goal in {goals:.0f} of {len(strict)}"
    return Cell(100 * sum(strict) / len(strict), n=len(strict), note=note)
