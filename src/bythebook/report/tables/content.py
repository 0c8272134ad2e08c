"""What the benchmark itself is made of, from its folders alone (BizAgentBench, Tables 6 and 7;
StartupBench, Tables 2 and 9, Appendix C)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from statistics import fmean, median
from typing import get_args

from bythebook.conduct.company import Company, load_company
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.task import load_tasks as conduct_tasks
from bythebook.deliverables.rubric import WEIGHT, Dimension
from bythebook.deliverables.task import DOMAINS, DeliverableTask
from bythebook.deliverables.task import load_tasks as deliverable_tasks
from bythebook.report.data import Evaluations
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables.board import Head
from bythebook.run.statistics import KINDS
from bythebook.task import PAPER_SIZE, Content
from bythebook.trace import Event

RANGE = (
    Column("n", "n", "count"),
    Column("mean", "mean", "count"),
    Column("median", "median", "count"),
    Column("least", "least", "count"),
    Column("most", "most", "count"),
)


def _here(content: Content, suite: str) -> str:
    paper = "BizAgentBench" if suite == "conduct" else "StartupBench"
    here, there = len(content.tasks(suite)), PAPER_SIZE[suite]["tasks"]
    return f"{here} tasks are here; {paper} has {there}."


def _range(values: Sequence[float]) -> dict[str, Cell]:
    if not values:
        return {"n": Cell(0)}
    return {
        "n": Cell(len(values)),
        "mean": Cell(fmean(values)),
        "median": Cell(float(median(values))),
        "least": Cell(min(values)),
        "most": Cell(max(values)),
    }


# --- conduct ------------------------------------------------------------------------------------


def documents(evaluations: Evaluations) -> Table:
    """Length of documents, in words of the body."""
    head = Head(
        id="documents",
        title="The knowledge base: words per document",
        says="Words of a document's body, its numbers filled in.",
        suite="conduct",
        source="BizAgentBench, Table 6",
    )
    company = load_company(evaluations.content)
    by_kind: dict[str, list[float]] = {}
    for document in company.library.documents.values():
        by_kind.setdefault(document.front.kind, []).append(len(document.body.split()))
    every = [words for found in by_kind.values() for words in found]
    kinds = [("all documents", every), *sorted(by_kind.items())]
    rows = [Row(kind, {"kind": Cell(kind), **_range(found)}) for kind, found in kinds]
    paper = PAPER_SIZE["conduct"]["documents"]
    notes = (f"{len(every)} documents are here; BizAgentBench has {paper}.",)
    return head.table((Column("kind", "kind"), *RANGE), rows, notes)


GOLDEN: dict[str, Callable[[Sequence[Event]], int]] = {
    "tool calls": lambda calls: len(calls),
    "documents read": lambda calls: len(
        {call.args["id"] for call in calls if call.name == "read_document" and call.ok}
    ),
    "business records read": lambda calls: sum(map(_reads_records, calls)),
    "executed business requests": lambda calls: sum(
        bool(call.writes) and call.name not in KINDS for call in calls
    ),
}
"""Distinct documents; answered record queries and business tools that changed nothing; calls of
business tools that changed a record."""


def goldens(evaluations: Evaluations) -> Table:
    """What the golden of each task takes."""
    head = Head(
        id="goldens",
        title="Golden executions: what a task takes",
        says="Per task, of its golden as it is played.",
        suite="conduct",
        source="BizAgentBench, Table 7",
    )
    counted = _golden_calls(evaluations.content)
    rows = [
        Row(what, {"what": Cell(what), **_range([float(count(calls)) for calls in counted])})
        for what, count in GOLDEN.items()
    ]
    notes = (
        "A golden is one right execution, not the shortest; discovery is included.",
        _here(evaluations.content, "conduct"),
    )
    return head.table((Column("what", "per task"), *RANGE), rows, notes)


@cache
def _golden_calls(content: Content) -> tuple[tuple[Event, ...], ...]:
    company: Company = load_company(content)
    return tuple(
        tuple(event for event in Scripts(task).rehearsal().events if event.kind == "call")
        for task in conduct_tasks(content, company)
    )


def _reads_records(call: Event) -> bool:
    if not call.ok or call.writes:
        return False
    return call.name == "query_records" or call.name not in KINDS


# --- deliverables -------------------------------------------------------------------------------


def domain_sizes(evaluations: Evaluations) -> Table:
    """Tasks by domain."""
    head = Head(
        id="domain-sizes",
        title="Tasks by domain",
        says="How many tasks there are, and how many the paper has.",
        suite="deliverables",
        source="StartupBench, Table 2",
    )
    counted = Counter(task.file.domain for task in _deliverables(evaluations.content))
    total = sum(counted.values()) or 1
    rows = [
        Row(
            name,
            {
                "domain": Cell(str(name)),
                "tasks": Cell(counted[name]),
                "share": Cell(100 * counted[name] / total, n=total),
                "paper": Cell(paper),
            },
        )
        for name, paper in DOMAINS.items()
    ]
    columns = (
        Column("domain", "domain"),
        Column("tasks", "tasks here", "count"),
        Column("share", "share", "percent", "Of the tasks that are here."),
        Column("paper", "in StartupBench", "count"),
    )
    return head.table(columns, rows, (_here(evaluations.content, "deliverables"),))


def dimension_sizes(evaluations: Evaluations) -> Table:
    """Rubric items by dimension."""
    head = Head(
        id="dimension-sizes",
        title="Rubric items by dimension",
        says="Of all items of all tasks that are here.",
        suite="deliverables",
        source="StartupBench, Table 9",
    )
    items = [item for task in _deliverables(evaluations.content) for item in task.rubric.items]
    counted, total = Counter(item.dimension for item in items), len(items) or 1
    rows = [
        Row(
            name,
            {
                "dimension": Cell(name),
                "items": Cell(counted[name]),
                "share": Cell(100 * counted[name] / total, n=len(items)),
            },
        )
        for name in get_args(Dimension)
    ]
    columns = (
        Column("dimension", "dimension"),
        Column("items", "items", "count"),
        Column("share", "share of items", "percent"),
    )
    paper = PAPER_SIZE["deliverables"]["items"]
    notes = (f"{len(items)} items are here; StartupBench has {paper}.",)
    return head.table(columns, rows, (*notes, _here(evaluations.content, "deliverables")))


def level_weights(evaluations: Evaluations) -> Table:
    """How much weight each level of importance has in a task."""
    head = Head(
        id="level-weights",
        title="Weight by level of importance",
        says="Share of a task's weight that a level has; mean over tasks. An item weighs 5 (core),"
        " 3 (important) or 1 (auxiliary).",
        suite="deliverables",
        source="StartupBench, Appendix C",
    )
    tasks = _deliverables(evaluations.content)
    rows = [
        Row(
            level,
            {
                "level": Cell(str(level)),
                "weight": Cell(WEIGHT[level]),
                "items": Cell(sum(i.level == level for t in tasks for i in t.rubric.items)),
                "share": Cell(100 * fmean(_weight_shares(tasks, level)), n=len(tasks))
                if tasks
                else Cell(n=0),
            },
        )
        for level in WEIGHT
    ]
    columns = (
        Column("level", "level"),
        Column("weight", "weight of an item", "count"),
        Column("items", "items", "count"),
        Column("share", "share of a task's weight", "percent"),
    )
    return head.table(columns, rows, (_here(evaluations.content, "deliverables"),))


def _weight_shares(tasks: Sequence[DeliverableTask], level: str) -> Iterator[float]:
    for task in tasks:
        weights = [item.weight for item in task.rubric.items if item.level == level]
        yield sum(weights) / task.rubric.weight


@cache
def _deliverables(content: Content) -> tuple[DeliverableTask, ...]:
    return tuple(deliverable_tasks(content))
