"""Tables of judging: what it came to, what it cost, and how good a judge is."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from rich.table import Table

from bythebook.deliverables.judge.agreement import Agreement, Figure, Figures
from bythebook.deliverables.judge.audit import Audit, Rates, Share
from bythebook.deliverables.judge.price import Price
from bythebook.deliverables.judge.session import total
from bythebook.run.judging import Judged, JudgedRun


def judged_table(judged: Judged, price: Price | None = None) -> Table:
    """One line a task: how its open items stand, and what this command spent on them."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("task", no_wrap=True)
    heads = ["runs", "open items", "judged", "void", "sessions", "tokens in", "cached"]
    heads += ["uncached an item", "tokens out", *(["cost"] if price else [])]
    for head in heads:
        table.add_column(head, justify="right")
    tasks = sorted({run.task for run in judged.runs})
    for task in tasks:
        runs = [run for run in judged.runs if run.task == task]
        table.add_row(task, *_spent(runs, price))
    if len(tasks) > 1:
        table.add_row("all tasks", *_spent(list(judged.runs), price), style="bold")
    return table


def _spent(runs: list[JudgedRun], price: Price | None) -> list[str]:
    usage = total(run.usage for run in runs)
    asked = sum(run.asked for run in runs)
    fresh = f"{(usage.input - usage.cached) / asked:,.0f}" if asked and usage.input else "-"
    cells = [
        str(len(runs)),
        str(sum(run.open for run in runs)),
        str(sum(run.judged for run in runs)),
        str(sum(len(run.void) for run in runs)),
        str(sum(run.sessions for run in runs)),
        f"{usage.input:,}",
        f"{usage.cached:,}",
        fresh,
        f"{usage.output:,}",
    ]
    return [*cells, f"{price.of(usage).quantize(Decimal('0.0001'))}"] if price else cells


# --- against people -----------------------------------------------------------------------------


def agreement_table(found: Agreement) -> Table:
    """Items and successes, then items by level and dimension."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("", no_wrap=True)
    for head in ("n", "tasks", "agree", "kappa", "AC1", "false pass", "false fail"):
        table.add_column(head, justify="right")
    table.add_row("items", *_figures(found.items), style="bold")
    table.add_row("success", *_figures(found.success), style="bold")
    for groups in (found.by_level, found.by_dimension):
        for name, figures in groups.items():
            table.add_row(f"  {name}", *_figures(figures))
    return table


def agreement_lines(found: Agreement) -> Iterator[str]:
    """What stands beside the table."""
    between = found.raters
    if between.n:
        same = between.both_pass + between.both_fail
        yield f"people among themselves: {same} of {between.n} pairs agree"
    left_out = {
        "items without a label": found.without_label,
        "labelled items that are void": found.without_verdict,
        "items on which people are divided": found.tied,
        "labels on items that no run holds": found.unknown,
        "runs whose success cannot be compared": found.runs_left_out,
    }
    told = [f"{count} {what}" for what, count in left_out.items() if count]
    if told:
        yield f"left out: {', '.join(told)}"
    if found.items.tasks < 2:
        yield "no intervals: they are taken over tasks, and one task has none"


def _figures(figures: Figures) -> list[str]:
    table = figures.table
    return [
        str(figures.n),
        str(figures.tasks),
        _figure(figures.raw, per_cent=True),
        _figure(figures.kappa),
        _figure(figures.ac1),
        str(table.false_pass),
        str(table.false_fail),
    ]


def _figure(figure: Figure, *, per_cent: bool = False) -> str:
    if figure.value is None:
        return "-"
    shape, times = ("{:.1f}", 100) if per_cent else ("{:.2f}", 1)
    value = shape.format(times * figure.value)
    if figure.low is None or figure.high is None:
        return value
    low, high = (shape.format(times * bound) for bound in (figure.low, figure.high))
    return f"{value} [{low}, {high}]"


# --- the judge itself ---------------------------------------------------------------------------


def audit_table(found: Audit) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("", no_wrap=True)
    for head in ("items", "sensitivity", "specificity", "flips", "void"):
        table.add_column(head, justify="right")
    table.add_row("all", *_rates(found.overall), style="bold")
    groups: tuple[Mapping[str, Rates], ...] = (found.by_source, found.by_level, found.by_dimension)
    for group in groups:
        for name, rates in group.items():
            table.add_row(f"  {name}", *_rates(rates))
    return table


def _rates(rates: Rates) -> list[str]:
    shares = (rates.sensitivity, rates.specificity, rates.flips, rates.void)
    return [str(rates.items), *map(_share, shares)]


def _share(share: Share) -> str:
    if share.value is None:
        return "-"
    return f"{100 * share.value:.1f} % of {share.of}"
