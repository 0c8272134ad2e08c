"""What agents of `conduct` did on their way (BizAgentBench, Tables 4 and 8)."""

from collections.abc import Callable, Iterable, Sequence

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.measures import (
    CALLS,
    DOCUMENTS,
    ERRORS,
    OVERHEAD,
    PRECISION,
    RECALL,
    REPEATED,
    STRICT,
    TURNS,
)
from bythebook.report.notes import denominators, nothing, sizes, usual
from bythebook.report.panel import Group, Panel
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables.board import RUNS, Head, rows_of
from bythebook.run.statistics import Statistics, spread_of
from bythebook.run.summary import RunLine

SUITE = "conduct"

SPLITS: dict[str, Callable[[RunLine], bool]] = {
    "all": lambda run: True,
    "strict": lambda run: STRICT.take(run) == (1.0, 1.0),
    "not strict": lambda run: STRICT.take(run) == (0.0, 1.0),
}
"""Name to the runs of a row; runs with a void rule are in the first alone."""
MEASURES = (CALLS, TURNS, DOCUMENTS, REPEATED, ERRORS, RECALL, PRECISION, OVERHEAD)
WRONG_WAY = Column(
    "goal_not_strict",
    "goal, not strict",
    "count",
    "Runs that reached the goal and broke a process or protection rule.",
)


def traces(evaluations: Evaluations) -> Table:
    """Table 4: execution traces, split by strict or not."""
    head = Head(
        id="traces",
        title="How runs went, strict and not",
        says="Means per run. What runs that did it by the book did otherwise than those that did"
        " not.",
        suite=SUITE,
        source="BizAgentBench, Table 4",
    )
    every = evaluations.of(SUITE)
    parts = [(one, name) for one in every for name in SPLITS]
    panel = Panel(tuple(Group(one.label, _split(one, name)) for one, name in parts))
    columns = {one.column.key: panel.cells(one, ranked=False) for one in MEASURES}
    rows = [
        Row(
            f"{one.label} / {name}",
            row.cells | {"split": Cell(name), "goal_not_strict": _wrong_way(one, name)},
        )
        for (one, name), row in zip(parts, rows_of(panel, columns), strict=True)
    ]
    split = Column("split", "runs that are", says="All, strict successes, and those that are not.")
    shown = (
        Column("evaluation", "evaluation"),
        split,
        RUNS,
        *(one.column for one in MEASURES),
        WRONG_WAY,
    )
    why = (
        "Strict and not strict runs are of different tasks in part: what differs may be the tasks."
    )
    mean = "A mean over tasks of the mean over a task's runs of the row."
    notes = usual(evaluations, SUITE, panel, mean, why)
    return head.table(shown, rows, notes if rows else nothing("no conduct evaluation was given"))


def _split(one: Evaluation, name: str) -> tuple[RunLine, ...]:
    return tuple(filter(SPLITS[name], one.runs))


def _wrong_way(one: Evaluation, name: str) -> Cell:
    runs = [run for run in _split(one, name) if not run.void]
    return Cell(sum(bool(run.goal and not run.strict) for run in runs), n=len(runs))


# --- per run ------------------------------------------------------------------------------------

Count = Callable[[Statistics], float]

PER_RUN: dict[str, Count] = {
    "agent: tool calls": lambda s: s.calls,
    "agent: database queries": lambda s: s.by_kind.record_queries + s.by_kind.business_reads,
    "agent: document reads": lambda s: s.by_kind.document_reads,
    "agent: document searches": lambda s: s.by_kind.document_searches,
    "agent: tool searches": lambda s: s.by_kind.tool_searches,
    "agent: business requests executed": lambda s: s.requests,
    "customer: tool calls": lambda s: s.customer_calls,
    "customer: record queries": lambda s: (
        s.customer_by_tool.get("my_records", 0) + s.customer_by_tool.get("view_request", 0)
    ),
    "customer: facts recalled": lambda s: s.customer_by_tool.get("recall", 0),
}
"""Database queries of the agent: `query_records` and business tools that changed nothing."""
SPREAD = (
    Column("mean", "mean", "count"),
    Column("median", "median", "count"),
    Column("p90", "90th percentile", "count"),
)


def per_run(evaluations: Evaluations) -> Table:
    """Table 8: tool use per run, of the agent and of whoever speaks for the customer."""
    head = Head(
        id="calls",
        title="Tool use per run",
        says="Of the agent and of the customer: mean, median and 90th percentile over all valid"
        " runs, each run weighing the same.",
        suite=SUITE,
        source="BizAgentBench, Table 8",
    )
    every = evaluations.of(SUITE)
    rows = [row for one in every for row in _per_run(one)]
    notes = (
        "The customer reads no documents: what they know is recalled.",
        *denominators(every),
        sizes(evaluations, SUITE),
    )
    shown = (Column("evaluation", "evaluation"), Column("what", "per run"), RUNS, *SPREAD)
    return head.table(shown, rows, notes if rows else nothing("no conduct evaluation was given"))


def _per_run(one: Evaluation) -> Iterable[Row]:
    counted = [run.statistics for run in one.runs if isinstance(run.statistics, Statistics)]
    for what, count in PER_RUN.items():
        cells = {"evaluation": Cell(one.label), "what": Cell(what), "runs": Cell(len(counted))}
        yield Row(f"{one.label} / {what}", cells | spread_cells([count(s) for s in counted]))


def spread_cells(values: Sequence[float]) -> dict[str, Cell]:
    """Mean, median and 90th percentile; empty for no values."""
    if not values:
        return {}
    found = spread_of(list(values))
    return {
        "mean": Cell(found.mean, n=found.runs),
        "median": Cell(found.median, n=found.runs),
        "p90": Cell(found.p90, n=found.runs),
    }
