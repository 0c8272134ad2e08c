"""`bythebook prove`: a task counts only when its rules pass every right run and no wrong one."""

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TextColumn
from rich.table import Table

from bythebook import __version__
from bythebook.cli import prove_deliverables
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import emit, people, tell
from bythebook.conduct.company import Company, load_company
from bythebook.conduct.prove import Proof, prove_task, write_kill_table
from bythebook.conduct.task import load_task
from bythebook.errors import ContentError, UsageError
from bythebook.run.durable import on_disk
from bythebook.task import SUITES, Content

SHOWN = 20
"""Most survivors of one task that are shown to people; --json lists all."""

WRITE = "Keep what was computed in the folder of each task: kill-table.json, or faults.lock."


@click.command("prove")
@click.argument("suite", type=click.Choice(SUITES), default="conduct")
@click.option("--task", "tasks", multiple=True, metavar="ID", help="This task (id or its prefix).")
@click.option("--write", is_flag=True, help=WRITE)
@as_json
@common
def command(suite: str, tasks: tuple[str, ...], write: bool, as_json: bool) -> int:
    """Prove the tasks of SUITE: `conduct` unless named.

    Hundreds of variants of each golden, or of each reference, are tried, each with a verdict that
    must come. Exits with 1 when a task is not proved.
    """
    found = content()
    if suite == "deliverables":
        return prove_deliverables.prove(found, tasks, write=write, as_json=as_json)
    company = load_company(found)
    folders = found.named("conduct", tasks)
    if not folders:
        raise UsageError("there are no tasks to prove")
    proofs = _proved(found, company, tuple(folders))
    for name, proof in zip(folders, proofs, strict=True):
        if write and proof.kills.rules:
            with on_disk(folders[name]):
                path = write_kill_table(proof, folders[name])
            tell(f"wrote {escape(str(path))}")
    if as_json:
        emit({"version": __version__, "tasks": proofs})
    else:
        _tell(proofs)
    return 0 if all(proof.proved for proof in proofs) else 1


def _proved(found: Content, company: Company, names: tuple[str, ...]) -> list[Proof]:
    console = people()
    bar = Progress(TextColumn("{task.description}"), console=console, transient=True)
    bar.disable = not console.is_terminal
    proofs = []
    with bar:
        shown = bar.add_task("")
        for number, name in enumerate(names, start=1):
            bar.update(shown, description=f"proving {escape(name)} ({number} of {len(names)})")
            proofs.append(_proof(found, company, name))
    return proofs


def _proof(found: Content, company: Company, name: str) -> Proof:
    """A task that does not even load is a task that is not proved."""
    try:
        return prove_task(load_task(found, company, name))
    except ContentError as error:
        folder = found.task("conduct", name)
        return Proof(id=folder.name, proved=False, problems=(str(error),))


def _tell(proofs: list[Proof]) -> None:
    console = people()
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("task", no_wrap=True)
    table.add_column("proved")
    for column in ("goldens", "counterexamples", "twins", "killed", "equivalent", "survived"):
        table.add_column(column, justify="right")
    for proof in proofs:
        mutants = proof.mutants
        counts = (proof.goldens, proof.counterexamples, proof.twins)
        variants = (mutants.killed, mutants.equivalent, mutants.survived)
        mark = "[green]yes[/]" if proof.proved else "[bold red]no[/]"
        table.add_row(proof.id, mark, *map(str, (*counts, *variants)))
    console.print(table)
    for proof in proofs:
        _tell_findings(console, proof)


def _tell_findings(console: Console, proof: Proof) -> None:
    """What keeps a task from being proved, and what its author should look at."""
    lines = [f"[bold red]problem[/] {proof.id}: {escape(text)}" for text in proof.problems]
    survivors = proof.survivors[:SHOWN]
    lines += [f"[bold red]survived[/] {proof.id}: {escape(text)}" for text in survivors]
    if len(proof.survivors) > SHOWN:
        lines.append(f"         and {len(proof.survivors) - SHOWN} more (--json)")
    lines += [f"[yellow]warning[/] {proof.id}: {escape(text)}" for text in proof.warnings]
    rest = proof.unnoticed
    if rest.mutants:
        says = f"{len(rest.mutants)} of {rest.all} changes to the criteria make no difference"
        lines.append(f"[yellow]unnoticed[/] {proof.id}: {says} (--json lists them)")
    for line in lines:
        console.print(line)
