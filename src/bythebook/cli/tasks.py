"""`bythebook tasks`: what there is, beside what the papers have."""

from collections.abc import Sequence
from functools import partial

import click
from rich.markup import escape
from rich.table import Table

from bythebook import __version__
from bythebook.cli.broken import sound
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import complain, emit, people
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask
from bythebook.conduct.task import load_task as load_conduct
from bythebook.deliverables.task import DeliverableTask
from bythebook.deliverables.task import load_task as load_deliverable
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
def command(suite: str | None, as_json: bool) -> int:
    """List the tasks, and say how much of the papers' benchmarks is here.

    SUITE is `conduct` (how the work was done) or `deliverables` (what was handed over). A task that
    does not read is named and left out; then the exit code is 2.
    """
    found = content()
    company = load_company(found)
    conduct, broken = sound(found, "conduct", partial(load_conduct, found, company))
    delivered, more = sound(found, "deliverables", partial(load_deliverable, found))
    counts = conduct_counts(company, tasks=len(found.tasks("conduct")))
    delivered_counts = deliverables_counts(delivered)
    conduct = [] if suite == "deliverables" else conduct
    delivered = [] if suite == "conduct" else delivered
    broken = [one for one in (*broken, *more) if suite in (None, one.suite)]
    if as_json:
        entries = [*map(_entry, conduct), *map(_delivered, delivered)]
        suites = {"conduct": counts, "deliverables": delivered_counts}
        emit({"version": __version__, "suites": suites, "tasks": entries, "broken": broken})
        return 2 if broken else 0
    if suite != "deliverables":
        rows = [(t.id, t.title, ", ".join(t.file.dependencies)) for t in conduct]
        _show(("task", "title", "turns on"), rows, f"conduct: {shares(counts)}")
    if suite != "conduct":
        rows = [(t.id, t.title, ", ".join(t.wants)) for t in delivered]
        says = f"deliverables: {deliverables_shares(delivered_counts)}"
        _show(("task", "title", "hands over"), rows, says)
    for one in broken:
        complain(f"{one.suite} task {one.id} is left out: {one.says}")
    return 2 if broken else 0


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
