"""`bythebook prove deliverables`: what was tried on each task, and what is wrong."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TextColumn
from rich.table import Table

from bythebook import __version__
from bythebook.cli.reading import reader
from bythebook.cli.speak import emit, people
from bythebook.deliverables.proof import Proof, prove_task
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.errors import ContentError, UsageError
from bythebook.run.durable import on_disk
from bythebook.task import Content

AT_ONCE = 2
"""Proofs side by side: each waits for LibreOffice half of its time."""
SHOWN = 20
"""Most survivors and problems of one task that are shown to people; --json lists all."""


def prove(found: Content, names: tuple[str, ...], *, write: bool, as_json: bool) -> int:
    """Prove tasks by id or prefix, or all; the exit code."""
    ids = [*found.named("deliverables", names)]
    if not ids:
        raise UsageError("there are no tasks to prove")
    proofs = _proved(found, ids, write)
    if as_json:
        emit({"version": __version__, "tasks": proofs})
    else:
        _tell(proofs)
    return 0 if all(proof.proved for proof in proofs) else 1


def _proved(found: Content, ids: list[str], write: bool) -> list[Proof]:
    console = people()
    bar = Progress(TextColumn("{task.description}"), console=console, transient=True)
    bar.disable = not console.is_terminal
    proofs = []
    with bar:
        shown = bar.add_task("")
        for proof in _side_by_side(found, ids, write):
            proofs.append(proof)
            done = f"{escape(proof.id)} is done ({len(proofs)} of {len(ids)})"
            bar.update(shown, description=done)
    return proofs


def _side_by_side(found: Content, ids: list[str], write: bool) -> Iterator[Proof]:
    """Proofs in the order asked for; two at a time where there are cores for them."""
    at_once = min(AT_ONCE, os.cpu_count() or 1, len(ids))
    one = partial(_proof, found, write=write)
    if at_once == 1:
        yield from map(one, ids)
        return
    with ProcessPoolExecutor(at_once, mp_context=get_context("spawn")) as pool:
        yield from pool.map(one, ids)


def _loaded(found: Content, name: str) -> DeliverableTask | ContentError:
    try:
        task = load_task(found, name)
        _ = task.rubric
    except ContentError as error:
        return error
    return task


def _proof(found: Content, name: str, *, write: bool) -> Proof:
    """A task that does not even load is a task that is not proved."""
    task, reads = _loaded(found, name), reader()
    if isinstance(task, ContentError):
        return Proof(id=name, proved=False, problems=(str(task),))
    others = [_loaded(found, other) for other in found.tasks("deliverables")]
    known = [other for other in others if isinstance(other, DeliverableTask)]
    with on_disk(task.folder):
        return prove_task(task, engine=reads.engine, others=known, cache=reads.cache, write=write)


def _tell(proofs: list[Proof]) -> None:
    console = people()
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("task", no_wrap=True)
    table.add_column("proved")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    for proof in proofs:
        mark = "[green]yes[/]" if proof.proved else "[bold red]no[/]"
        table.add_row(proof.id, mark, *_row(proof))
    console.print(table)
    for proof in proofs:
        _tell_findings(console, proof)


COLUMNS = ("by checks", "faults", "variants", "look-alikes", "mutants", "unsure", "survived")


def _row(proof: Proof) -> tuple[str, ...]:
    """Weight that checks decide; then counts of what was tried and came out right."""
    weights, right, wrong = proof.weights, proof.variants, proof.lookalikes
    return (
        f"{weights.checks}/{weights.total}",
        f"{proof.damages}+{proof.slips}",
        f"{right.passed + right.unsure}/{right.tried}",
        f"{wrong.failed + wrong.unsure}/{wrong.tried}",
        f"{proof.promised.killed}/{proof.promised.mutants}",
        str(proof.mutants.unsure),
        str(proof.mutants.survived),
    )


def _tell_findings(console: Console, proof: Proof) -> None:
    """What keeps a task from being proved, and what its author should look at."""
    lines = _some("[bold red]problem[/]", proof, proof.problems)
    lines += _some("[bold red]survived[/]", proof, proof.survivors)
    lines += _some("[yellow]warning[/]", proof, proof.warnings)
    lines += _some("[yellow]not run without LibreOffice[/]", proof, proof.not_run)
    for line in lines:
        console.print(line)


def _some(mark: str, proof: Proof, texts: tuple[str, ...]) -> list[str]:
    lines = [f"{mark} {proof.id}: {escape(text)}" for text in texts[:SHOWN]]
    if len(texts) > SHOWN:
        lines.append(f"         and {len(texts) - SHOWN} more (--json)")
    return lines
