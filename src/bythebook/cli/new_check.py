"""`bythebook new check`: an item with a check for a deliverables task of one's own."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.markup import escape

from bythebook.cli.options import as_json, common
from bythebook.cli.reading import reader
from bythebook.cli.speak import emit, tell
from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.checks.spec import SPECS
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.offer.known import Known
from bythebook.deliverables.offer.offers import Added, added, sort_of
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.errors import ContentError, UsageError
from bythebook.run.durable import write_whole
from bythebook.task import Content

REFERENCES = ("reference", "reference-2")
PLACE = ("tasks", "deliverables")


@click.command("check", epilog=f"KIND: {', '.join(SPECS)} (docs/checks.md).")
@click.argument("kind")
@click.option(
    "--to",
    required=True,
    metavar="TASK",
    type=click.Path(path_type=Path),
    help="The task's folder: DIR/tasks/deliverables/ID.",
)
@as_json
@common
def command(kind: str, to: Path, as_json: bool) -> None:
    """Append an item with a check of that KIND to a task's rubric.yaml.

    It is as strict as the task's own files allow: it loads, looks for nothing that the task does
    not say, and every reference passes it. What cannot be derived is written as a comment, to be
    filled in.
    """
    sort_of(kind)
    task = _task(to)
    with ExitStack() as stack:
        known = Known(task, {name: _read(task, name, stack) for name in _references(task)})
        made = added(kind, known)
    write_whole(task.folder / "rubric.yaml", made.rubric.encode())
    path = to / "rubric.yaml"
    if as_json:
        told = {"id": made.id, "item": made.item, "missing": made.missing, "note": made.note}
        told |= {"breaks": made.breaks}
        emit({"task": task.id, **told, "screen": made.screen, "wrote": [str(path)]})
    _tell(made, path, task)


def _task(folder: Path) -> DeliverableTask:
    """The task in a folder. Raises `UsageError` when there is none."""
    place = folder.resolve()
    if (place / "task.yaml").is_file() and place.parent.parts[-2:] == PLACE:
        task = load_task(Content([place.parents[2]]), place.name)
        _ = task.rubric
        return task
    inside = sorted(path.parent for path in folder.glob("**/tasks/deliverables/*/task.yaml"))
    inside += sorted(path.parent for path in folder.glob("*/task.yaml"))
    made = "bythebook new task ID --suite deliverables --to DIR"
    named = f"name one: --to {inside[0]}" if inside else f"begin one: {made}"
    raise UsageError("is no folder of a deliverables task", where=folder, hint=named)


def _references(task: DeliverableTask) -> list[str]:
    return [name for name in REFERENCES if (task.folder / name).is_dir()]


def _read(task: DeliverableTask, name: str, stack: ExitStack) -> Evidence:
    """What stands in a reference. Raises `ContentError` for a file that does not read."""
    reads, folder = reader(), task.folder / name
    keep = Path(stack.enter_context(TemporaryDirectory(prefix="bythebook-")))
    view = View.of_folder(folder, keep=keep, engine=reads.engine, cache=reads.cache)
    for file, found in view.files.items():
        if found.status != "ok":
            what = f"is {found.status.replace('_', ' ')}: {found.says}"
            raise ContentError(what, where=folder / file, hint="save it anew, or take it out")
    return view


def _tell(made: Added, path: Path, task: DeliverableTask) -> None:
    where = escape(str(path))
    if made.missing:
        tell(f"wrote item {made.id} to {where}, commented out: {escape(made.missing)}")
    else:
        tell(f"added item {made.id} to {where}")
    tell(escape(made.item))
    if made.missing:
        tell("fill in what is in capitals, then take the `# ` away; docs/checks.md shows one")
        return
    if made.note:
        tell(escape(made.note))
    if made.screen:
        tell("where it does not refute a judge decides: put your own answers into hand.yaml")
    if not task.reference.is_dir():
        tell("there is no reference/ yet, so nobody has tried it")
    tell(
        f"a check counts when a fault fails it; in faults.yaml: edits: [{{{escape(made.breaks)}}}]"
    )
