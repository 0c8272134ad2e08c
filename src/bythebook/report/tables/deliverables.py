"""Results of the suite `deliverables` (StartupBench, Figures 3 and 4, Tables 3 to 5)."""

from collections.abc import Mapping, Sequence
from typing import get_args

from bythebook.deliverables.rubric import WEIGHT, Dimension
from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.domains import domains
from bythebook.report.measures import (
    ALL_CORE,
    BY_CHECKS,
    SCORE,
    SUCCESS,
    VOID_WEIGHT,
    delivered_figure,
    delivered_tokens,
    format_share,
    pass_rate,
    satisfaction,
)
from bythebook.report.notes import RATES, nothing, order_changes, times, usual
from bythebook.report.panel import Measure, Panel
from bythebook.report.statistics.ranks import swapped
from bythebook.report.table import Cell, Column, Table
from bythebook.report.tables.board import (
    EVALUATION,
    RUNS,
    TASKS,
    Head,
    groups_of,
    height,
    known,
    rows_of,
    task_by_task,
    with_attempts,
)

SUITE = "deliverables"
NONE = "no deliverables evaluation was given"
BOUNDS = (
    "While an item is void its run has bounds: `low - high` is the figure if all that is void had"
    " failed, and had passed."
)
SCORES = (
    "Denominator: valid runs. A score is the mean over tasks of the mean over a task's valid runs;"
    " success is taken likewise, so tasks weigh alike. n is the number of runs."
)


OF_ATTEMPTS = Measure(
    Column(
        "success_of_attempts",
        "success, of attempts",
        "percent",
        "The same with all attempts below the line: those that were set aside through no fault of"
        " the agent count as not reached.",
    ),
    SUCCESS.take,
    share=True,
    low=SUCCESS.low,
    high=SUCCESS.high,
)


def _board(
    evaluations: Evaluations, head: Head, measures: Sequence[Measure], *notes: str, by: str = ""
) -> Table:
    """One row an evaluation, one column a measure."""
    panel = Panel(groups_of(evaluations.of(SUITE)))
    columns = {one.column.key: panel.cells(one) for one in measures}
    rows = rows_of(panel, columns, by=by)
    shown = (EVALUATION, TASKS, RUNS, *(one.column for one in measures))
    told = usual(evaluations, SUITE, panel, *notes) if rows else nothing(NONE)
    return head.table(shown, rows, told)


def results(evaluations: Evaluations) -> Table:
    """Figure 3, and the first column of Table 3: score and success."""
    head = Head(
        id="deliverables",
        title="Deliverables: how much of what was asked for is there, and right?",
        says="Score, success (a score of 90 or more), whether all core items hold, and the gap"
        " between score and success.",
        suite=SUITE,
        source="StartupBench, Figure 3",
    )
    panel = Panel(groups_of(evaluations.of(SUITE)))
    measures = (SCORE, SUCCESS, ALL_CORE, BY_CHECKS, VOID_WEIGHT)
    columns = {one.column.key: panel.cells(one) for one in measures}
    columns["gap"] = [
        Cell(None if score.value is None or success.value is None else known_gap(score, success))
        for score, success in zip(columns["score"], columns["success"], strict=True)
    ]
    attempts = Panel(tuple(map(with_attempts, evaluations.of(SUITE))))
    columns[OF_ATTEMPTS.column.key] = attempts.cells(OF_ATTEMPTS)
    rows = rows_of(panel, columns, by="score")
    names = [group.label for group in panel.groups]
    changes = swapped(names, *([known(cell) for cell in columns[k]] for k in ("score", "success")))
    notes = usual(evaluations, SUITE, panel, SCORES, BOUNDS, *order_changes(changes, "success"))
    gap = Column("gap", "gap", "points", "Score minus success: work that is begun and not done.")
    shown = (EVALUATION, TASKS, RUNS, *(one.column for one in measures[:3]), gap)
    shown = (*shown, OF_ATTEMPTS.column, *(one.column for one in measures[3:]))
    return head.table(shown, rows, notes if rows else nothing(NONE))


def known_gap(score: Cell, success: Cell) -> float:
    return height(score) - height(success)


# --- by domain ----------------------------------------------------------------------------------


def domain_scores(evaluations: Evaluations) -> Table:
    """Table 3, top."""
    return _by_domain(evaluations, SCORE, "domains", "Score by domain")


def domain_successes(evaluations: Evaluations) -> Table:
    """Table 3, bottom."""
    return _by_domain(evaluations, SUCCESS, "domains-success", "Success by domain")


def _by_domain(evaluations: Evaluations, measure: Measure, name: str, title: str) -> Table:
    head = Head(
        id=name,
        title=title,
        says=f"{measure.column.says} n is the number of runs in a domain.",
        suite=SUITE,
        source="StartupBench, Table 3",
    )
    panel = Panel(groups_of(evaluations.of(SUITE)))
    found = domains(evaluations.content, frozenset(panel.tasks))
    parts = {name: tasks for name, tasks in found.items() if tasks}
    columns = {"overall": panel.cells(measure)}
    columns |= {name: panel.cells(measure, tasks) for name, tasks in parts.items()}
    rows = rows_of(panel, columns, by="overall")
    unit, better = measure.column.unit, measure.column.better
    shown = [Column("overall", "overall", unit, measure.column.says, better)]
    shown += [
        Column(
            name,
            f"{name} ({times(len(tasks), 'task')})",
            unit,
            f"Tasks: {', '.join(tasks)}.",
            better,
        )
        for name, tasks in parts.items()
    ]
    notes = usual(evaluations, SUITE, panel, SCORES, BOUNDS, *_easiest(columns, panel))
    columns_shown = (EVALUATION, TASKS, RUNS, *shown)
    return head.table(columns_shown, rows, notes if rows else nothing(NONE))


def _easiest(columns: Mapping[str, Sequence[Cell]], panel: Panel) -> tuple[str, ...]:
    """Domains whose order of evaluations is not the overall one."""
    names = [group.label for group in panel.groups]
    overall = [known(cell) for cell in columns["overall"]]
    told = [
        name
        for name, cells in columns.items()
        if name != "overall" and swapped(names, overall, [known(cell) for cell in cells])
    ]
    return (f"The order is another one in: {', '.join(told)}.",) if told else ()


# --- by dimension and level ---------------------------------------------------------------------


def dimensions(evaluations: Evaluations) -> Table:
    """Figure 4: weighted pass rate by dimension."""
    head = Head(
        id="dimensions",
        title="Weighted pass rate by dimension",
        says="Satisfied weight over all weight of the items of a dimension.",
        suite=SUITE,
        source="StartupBench, Figure 4",
    )
    ratio = (
        "A ratio of sums over tasks of the mean over a task's runs: tasks weigh by the weight of"
        " their items."
    )
    measures = [pass_rate(str(name)) for name in get_args(Dimension)]
    return _board(evaluations, head, measures, ratio, BOUNDS)


def levels(evaluations: Evaluations) -> Table:
    """Table 4: satisfaction by level of importance."""
    head = Head(
        id="levels",
        title="Satisfied items by level of importance",
        says="Share of satisfied items within a level, run by run, then the mean over tasks and"
        " runs.",
        suite=SUITE,
        source="StartupBench, Table 4",
    )
    measures = [satisfaction(level) for level in sorted(WEIGHT, key=lambda one: WEIGHT[one])]
    return _board(evaluations, head, measures, RATES, BOUNDS)


# --- format, effort, tasks ----------------------------------------------------------------------


def formats(evaluations: Evaluations) -> Table:
    """Table 5: compliance with the wanted files, and its two patterns."""
    head = Head(
        id="formats",
        title="Compliance with the wanted files",
        says="Runs that handed over every wanted file in the wanted type; and those that handed"
        " over another type, or left a file out. A run that did both counts as left out.",
        suite=SUITE,
        source="StartupBench, Table 5",
    )
    measures = (
        format_share("ok", "compliant", "Every wanted file, in its type.", "high"),
        format_share("wrong_type", "wrong type", "Something of another type in its place.", "low"),
        format_share("omitted", "left out", "A wanted file is not there.", "low"),
    )
    every = "Every task names its wanted files; there, all of them count."
    return _board(evaluations, head, measures, RATES, every, by="ok")


def resources(evaluations: Evaluations) -> Table:
    head = Head(
        id="deliverables-resources",
        title="What a run of deliverables takes",
        says="Means per run.",
        suite=SUITE,
    )
    measures = (
        delivered_figure("turns", "turns", "The agent's moves.", lambda one: one.turns),
        delivered_figure("calls", "calls", "Tool calls.", lambda one: one.calls),
        delivered_figure("errors", "tool errors", "Refused calls.", lambda one: one.errors),
        delivered_tokens("tokens_in", "tokens in", lambda one: one.tokens.input),
        delivered_tokens("tokens_out", "tokens out", lambda one: one.tokens.output),
        delivered_figure("files", "files", "Handed over.", lambda one: one.files),
        delivered_figure(
            "refused", "refused files", "Links, devices, too much.", lambda one: one.refused
        ),
        delivered_figure(
            "inputs_touched",
            "inputs touched",
            "Inputs changed or deleted.",
            lambda one: one.inputs_touched,
        ),
    )
    return _board(evaluations, head, measures, "A mean over tasks of the mean over valid runs.")


def tasks(evaluations: Evaluations) -> Table:
    """Score of every task, one column an evaluation."""
    head = Head(
        id="deliverables-tasks",
        title="Deliverables, task by task",
        says="Mean score of a task's valid runs; n is the number of runs, the note how many"
        " succeeded.",
        suite=SUITE,
    )
    notes = usual(evaluations, SUITE, Panel(groups_of(evaluations.of(SUITE))), SCORES, BOUNDS)
    column = Column("e", "", "points", SCORE.column.says)
    rows, columns = task_by_task(evaluations.of(SUITE), column, _of_task)
    return head.table(columns, rows, notes if rows else nothing(NONE))


def _of_task(one: Evaluation, task: str) -> Cell:
    found = [run for run in one.runs if run.task == task and run.delivered is not None]
    if not found:
        return Cell(n=0)
    low, high = (
        100 * sum(getattr(run.delivered, side) for run in found) / len(found)
        for side in ("low", "high")
    )
    note = f"{sum(run.success is True for run in found)} of {len(found)} succeeded"
    if any(run.score is None for run in found):
        return Cell(least=low, most=high, n=len(found), note=note)
    return Cell(low, n=len(found), note=note)
