"""Tables for people."""

from collections.abc import Iterable, Iterator

from rich.table import Table

from bythebook.run.summary import RunLine, Scores, Summary, summary_of
from bythebook.run.violations import CustomerScores
from bythebook.verdict import Share

COLUMNS = {
    "goal": "goal",
    "process": "process",
    "process_exercised": "(exercised)",
    "protection": "protection",
    "strict": "strict",
}
"""Rate to heading. An idle agent keeps every process rule by never coming near one: hence beside
`process` the share of runs in which no process rule passed for want of anything to judge."""

DELIVERED = ("runs", "score", "success", "all core", "void weight", "right format")
"""Columns of deliverables."""
MOST_NAMED = 8
"""Failed rubric items that a line of the table names."""


def percent(rate: float | None) -> str:
    """A rate of 0 to 1 in whole per cent; a dash for none."""
    return "-" if rate is None else f"{100 * rate:.0f} %"


def scores_table(scores: Scores) -> Table:
    """One line a task, one for all."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("task", no_wrap=True)
    table.add_column("runs", justify="right")
    for column in COLUMNS.values():
        table.add_column(column, justify="right")
    table.add_column("rules broken")
    for task in sorted({run.task for run in scores.runs}):
        lines = [run for run in scores.runs if run.task == task]
        table.add_row(task, *_cells(summary_of(lines)), _broken(lines))
    if len({run.task for run in scores.runs}) > 1:
        table.add_row("all tasks", *_cells(scores.summary), "", style="bold")
    return table


def delivered_table(scores: Scores) -> Table:
    """Deliverables: one line a task, one for all. Scores and rates in per cent."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("task", no_wrap=True)
    for column in DELIVERED:
        table.add_column(column, justify="right")
    table.add_column("items failed")
    tasks = sorted({run.task for run in scores.runs})
    for task in tasks:
        lines = [run for run in scores.runs if run.task == task]
        cells = _delivered_cells(summary_of(lines), len(lines))
        table.add_row(task, *cells, _broken(lines, most=MOST_NAMED))
    if len(tasks) > 1:
        every = _delivered_cells(scores.summary, len(scores.runs))
        table.add_row("all tasks", *every, "", style="bold")
    return table


def delivered_agents_table(rows: Iterable[tuple[str, str, Scores]]) -> Table:
    """One line an agent: its name, what it does, and the first columns of `delivered_table`."""
    lines = list(rows)
    about = any(does for _, does, _ in lines)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("agent")
    if about:
        table.add_column("what it does", no_wrap=True)
    shown = DELIVERED[:4]
    for column in shown:
        table.add_column(column, justify="right", no_wrap=True)
    for name, does, scores in lines:
        cells = _delivered_cells(scores.summary, len(scores.runs))[: len(shown)]
        table.add_row(name, *([does] if about else []), *cells)
    return table


def delivered_lines(scores: Scores) -> Iterator[str]:
    """Satisfied weight by level and by dimension, and who decided it."""
    found = scores.summary.delivered
    if found is None:
        return
    shares = ", ".join(f"{name} {percent(share)}" for name, share in found.weight.items())
    yield f"weight decided by: {shares}"
    for title, groups in (("level", found.levels), ("dimension", found.dimensions)):
        parts = (f"{name} {_satisfied(share)}" for name, share in groups.items())
        yield f"satisfied by {title}: {', '.join(parts)}"


def _delivered_cells(summary: Summary, runs: int) -> list[str]:
    found = summary.delivered
    if found is None:
        return [str(runs), *["-"] * 5]
    undecided = runs - found.decided
    success = _between(found.success_low, found.success_high)
    return [
        str(runs),
        _between(found.low, found.high),
        f"{success} ({undecided} open)" if undecided else success,
        percent(found.all_core),
        percent(found.weight["void"]),
        percent(found.format["ok"]),
    ]


def _between(low: float, high: float) -> str:
    """A figure, or the bounds it lies between."""
    same = f"{100 * low:.1f}" == f"{100 * high:.1f}"
    return f"{100 * low:.1f}" if same else f"{100 * low:.1f} - {100 * high:.1f}"


def _satisfied(share: Share) -> str:
    total = share.total or 1
    return _between(share.satisfied / total, (share.satisfied + share.void) / total)


def agents_table(rows: Iterable[tuple[str, str, Scores]]) -> Table:
    """One line an agent: its name, what it does, the paper's columns.

    Without anything in it, what they do is left out: a narrow screen has no room for it.
    """
    lines = list(rows)
    about = any(does for _, does, _ in lines)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("agent")
    if about:
        table.add_column("what it does", no_wrap=True)
    table.add_column("runs", justify="right")
    for column in COLUMNS.values():
        table.add_column(column, justify="right")
    for name, does, scores in lines:
        table.add_row(name, *([does] if about else []), *_cells(scores.summary))
    return table


def customer_line(found: CustomerScores) -> str:
    """How well the model that spoke for the customer kept the protocol, in a sentence."""
    kinds = ", ".join(f"{kind} {n}" for kind, n in found.violations.items() if n)
    share = f" ({percent(found.rate)})" if found.turns else ""
    return (
        f"customer {found.simulator}, prompt {found.prompt}: {found.turns_in_breach} of "
        f"{found.turns} turns broke the protocol{share}{': ' + kinds if kinds else ''}; "
        f"{found.failed} attempts failed by it"
    )


def _cells(summary: Summary) -> list[str]:
    rates = [percent(getattr(summary, column)) for column in COLUMNS]
    return [str(summary.runs), *rates]


def _broken(lines: Iterable[RunLine], most: int | None = None) -> str:
    """Rules that failed, most often first, with how often where that is more than once; at `most`
    so many of them by name."""
    counts: dict[str, int] = {}
    for run in lines:
        for rule in run.broken:
            counts[rule] = counts.get(rule, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{rule} x{n}" if n > 1 else rule for rule, n in ordered]
    more = [f"{len(named) - most} more"] if most is not None and len(named) > most else []
    return ", ".join([*named[:most], *more])
