"""Tables for people."""

from collections.abc import Iterable

from rich.table import Table

from bythebook.run.summary import RunLine, Scores, Summary, summary_of
from bythebook.run.violations import CustomerScores

COLUMNS = {
    "goal": "goal",
    "process": "process",
    "process_exercised": "(exercised)",
    "protection": "protection",
    "strict": "strict",
}
"""Rate to heading. An idle agent keeps every process rule by never coming near one: hence beside
`process` the share of runs in which no process rule passed for want of anything to judge."""


def percent(rate: float | None) -> str:
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


def _broken(lines: Iterable[RunLine]) -> str:
    """Rules that failed, most often first, with how often where that is more than once."""
    counts: dict[str, int] = {}
    for run in lines:
        for rule in run.broken:
            counts[rule] = counts.get(rule, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{rule} x{n}" if n > 1 else rule for rule, n in ordered)
