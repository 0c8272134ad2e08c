"""Tasks from their recipes.

A recipe is a package `authoring/<task id with underscores>` whose `build(seed, to)` writes all of a
task's folder that depends on the seed. What people write by hand (HAND) stands in the task's folder
only, and goes along into a variant.
"""

import importlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from authoring.parts.caches import office
from authoring.parts.pack import differences, drafting
from bythebook.errors import BythebookError, UsageError, unknown

ROOT = Path(__file__).resolve().parents[1]
TASKS = ROOT / "tasks" / "deliverables"
HAND = ("task.yaml", "faults.yaml")
"""Written by hand, or by the recipe where they hold what varies with the seed."""
PROOF = ("faults.lock", "hand.yaml", "review.yaml")
"""About the shipped seed's very files: a variant has none."""
NEEDS_OFFICE = "reference-2"
SEED = re.compile(r"^seed: .*$", re.M)


def recipes() -> dict[str, str]:
    """Task id to the recipe's module."""
    found = (path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))
    return {
        name.replace("_", "-"): f"authoring.{name}" for name in sorted(found) if name != "parts"
    }


def build(task: str, seed: int, to: Path) -> None:
    """Write the task's folder for a seed; what a recipe builds replaces what stood there."""
    known = recipes()
    if task not in known:
        raise unknown("recipe", task, known)
    for name in ("inputs", "expected", "reference", "reference-2"):
        shutil.rmtree(to / name, ignore_errors=True)
    to.mkdir(parents=True, exist_ok=True)
    importlib.import_module(known[task]).build(seed, to)
    shipped = TASKS / task
    if to.resolve() != shipped.resolve():
        _take_along(shipped, to, seed)


def _take_along(shipped: Path, to: Path, seed: int) -> None:
    for name in HAND:
        if (to / name).exists() or not (shipped / name).exists():
            continue
        text = (shipped / name).read_text("utf-8")
        if name == "task.yaml":
            text = SEED.sub(f"seed: {seed}", text)
        (to / name).write_text(text, "utf-8", newline="\n")


def drift(task: str) -> Iterator[str]:
    """Where a shipped folder is not what its recipe builds with seed 0, a line each."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / task
        with drafting():
            build(task, 0, made)
        shipped = TASKS / task
        ours, theirs = _files(made), _files(shipped)
        for name in sorted(ours ^ theirs):
            yield f"{task}/{name}: only {'built' if name in ours else 'shipped'}"
        for name in sorted(ours & theirs):
            odd = differences(made / name, shipped / name)
            yield from (f"{task}/{name}: {part}" for part in odd)


def _files(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix() for path in found}
    without_office = office() is None
    return {
        name
        for name in names
        if name not in (*HAND, *PROOF) and not (without_office and name.startswith(NEEDS_OFFICE))
    }


@click.group()
def cli() -> None:
    """Build deliverables tasks from their recipes, and check the shipped ones."""


@cli.command("build")
@click.argument("task")
@click.option("--seed", default=0, show_default=True)
@click.option("--to", type=click.Path(path_type=Path), help="Folder; default: the shipped task.")
def build_command(task: str, seed: int, to: Path | None) -> None:
    """Write TASK's folder."""
    if to is None and seed != 0:
        raise UsageError("the shipped task is built with seed 0", hint="name a folder with --to")
    place = to or TASKS / task
    build(task, seed, place)
    click.echo(f"built {task} with seed {seed} in {place}")


@cli.command("check")
@click.argument("tasks", nargs=-1)
def check_command(tasks: tuple[str, ...]) -> None:
    """Build TASKS (default: all) anew and compare with what is shipped, part by part."""
    odd = [line for task in tasks or tuple(recipes()) for line in drift(task)]
    for line in odd:
        click.echo(line)
    if odd:
        raise SystemExit(1)
    click.echo("every shipped task is what its recipe builds")


def main() -> None:
    try:
        cli()
    except BythebookError as error:
        raise SystemExit(f"{error}") from None
