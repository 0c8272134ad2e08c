"""`bythebook tasks`: what there is, beside what the papers have."""

import click
from rich.table import Table

from bythebook import __version__
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import emit, people
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.report.counts import conduct_counts, deliverables_counts, shares
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
    tasks = [] if suite == "deliverables" else load_tasks(found, company)
    counts = conduct_counts(company, tasks=len(found.tasks("conduct")))
    if as_json:
        emit(
            {
                "version": __version__,
                "suites": {"conduct": counts, "deliverables": deliverables_counts()},
                "tasks": [_entry(task) for task in tasks],
            }
        )
        return
    console = people()
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("task", no_wrap=True)
    table.add_column("title")
    table.add_column("turns on")
    for task in tasks:
        table.add_row(task.id, task.title, ", ".join(task.file.dependencies))
    if tasks:
        console.print(table)
        console.print()
    if suite != "deliverables":
        console.print(f"conduct: {shares(counts)}")
    if suite != "conduct":
        console.print("deliverables: not there yet")


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
