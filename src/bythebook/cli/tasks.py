"""`bythebook tasks`: what there is, beside what the papers have."""

from collections.abc import Sequence

import click
from rich.markup import escape
from rich.table import Table

from bythebook import __version__
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import emit, people
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask
from bythebook.conduct.task import load_tasks as load_conduct
from bythebook.deliverables.task import DeliverableTask
from bythebook.deliverables.task import load_tasks as load_deliverables
from bythebook.report.counts import (
    conduct_counts,
    deliverables_counts,
    deliverables_shares,
    shares,
)
from bythebook.task import SUITES


@click.command("tasks")
@click.argument("suite", type=click.Choice(SUITES), required=False)
@as_json
@common
def command(suite: str | None, as_json: bool) -> None:
    """List the tasks, and say how much of the papers' benchmarks is here.

    SUITE is `conduct` (how the work was done) or `deliverables` (what was handed over).
    """
    found = content()
    company = load_company(found)
    conduct = [] if suite == "deliverables" else load_conduct(found, company)
    delivered = load_deliverables(found)
    counts = conduct_counts(company, tasks=len(found.tasks("conduct")))
    delivered_counts = deliverables_counts(delivered)
    delivered = [] if suite == "conduct" else delivered
    if as_json:
        entries = [*map(_entry, conduct), *map(_delivered, delivered)]
        suites = {"conduct": counts, "deliverables": delivered_counts}
        emit({"version": __version__, "suites": suites, "tasks": entries})
        return
    if suite != "deliverables":
        rows = [(t.id, t.title, ", ".join(t.file.dependencies)) for t in conduct]
        _show(("task", "title", "turns on"), rows, f"conduct: {shares(counts)}")
    if suite != "conduct":
        rows = [(t.id, t.title, ", ".join(t.wants)) for t in delivered]
        says = f"deliverables: {deliverables_shares(delivered_counts)}"
        _show(("task", "title", "hands over"), rows, says)


def _show(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]], says: str) -> None:
    console = people()
    table = Table(box=None, header_style="bold", pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, no_wrap=place == 0)
    for row in rows:
        table.add_row(*map(escape, row))
    if rows:
        console.print(table)
        console.print()
    console.print(says)


def _entry(task: ConductTask) -> dict[str, object]:
    file = task.file
    return {
        "suite": task.suite,
        "id": task.id,
        "title": task.title,
        "day": file.day,
        "sop": file.sop,
        "dependencies": file.dependencies,
        "required_documents": len(file.required_documents),
        "tags": task.tags,
        "hash": task.hash,
    }


def _delivered(task: DeliverableTask) -> dict[str, object]:
    file, rubric = task.file, task.rubric
    return {
        "suite": task.suite,
        "id": task.id,
        "title": task.title,
        "domain": file.domain,
        "wants": file.wants,
        "inputs": sorted(path.name for path in task.inputs.iterdir()),
        "items": len(rubric.items),
        "weight": rubric.weight,
        "workflow": file.workflow,
        "tags": task.tags,
        "hash": task.hash,
    }
