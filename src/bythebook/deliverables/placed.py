"""Agents that need no model: they put files into `results/` and say so.

reference, reference-2   the task's own right answers
untouched                the inputs, as they came
renamed                  inputs under the names of the wanted files
empty                    nothing
skeleton                 the reference without its content
fault:NAME               the reference with one known damage
slip                     the first of the task's slips that breaks a core item: a file that looks
                         done, in which one rule is wrong everywhere
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import anyio.to_thread

from bythebook.agents.protocol import Answer, Briefing, Move
from bythebook.deliverables.faults import carry, edits
from bythebook.deliverables.faults.faultfile import Fault, load_faults
from bythebook.deliverables.skeleton import skeleton
from bythebook.deliverables.task import DeliverableTask
from bythebook.deliverables.workspace import RESULTS, copy_inputs
from bythebook.errors import UsageError, suggestion

FAULT, SLIP = "fault", "slip"
NAMED = f"{FAULT}:NAME"

Engine = carry.Computes | None


def _copy(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)


def _reference(task: DeliverableTask, results: Path, folder: str = "reference") -> None:
    for path in _files(task, folder):
        _copy(path, results / path.relative_to(task.folder / folder))


def _files(task: DeliverableTask, folder: str) -> list[Path]:
    root = task.folder / folder
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.name[0] != ".")
    if not files:
        built = "a second right answer is built from the recipe; the wheel does not hold it"
        put = f"put one right answer there: {', '.join(task.wants)}"
        hint = built if folder[-1] == "2" else put
        raise UsageError(f"{task.id} has no {folder} here", where=root, hint=hint)
    return files


def _second(task: DeliverableTask, results: Path) -> None:
    _reference(task, results, "reference-2")


def _untouched(task: DeliverableTask, results: Path) -> None:
    copy_inputs(task.inputs, results)


def _renamed(task: DeliverableTask, results: Path) -> None:
    """An input of the same suffix where there is one, any other where there is none."""
    inputs = sorted(path for path in task.inputs.rglob("*") if path.is_file())
    for name in task.wants:
        alike = [path for path in inputs if path.suffix.lower() == Path(name).suffix.lower()]
        _copy((alike or inputs)[0], results / name)


def _empty(task: DeliverableTask, results: Path) -> None:
    """There is nothing to put there."""


def _skeleton(task: DeliverableTask, results: Path) -> None:
    for path in _files(task, "reference"):
        to = results / path.relative_to(task.folder / "reference")
        to.parent.mkdir(parents=True, exist_ok=True)
        skeleton(path, to)


PLACED: dict[str, Callable[[DeliverableTask, Path], None]] = {
    "reference": _reference,
    "reference-2": _second,
    "untouched": _untouched,
    "renamed": _renamed,
    "empty": _empty,
    "skeleton": _skeleton,
}

NEEDS = {"reference": "reference", "skeleton": "reference", "reference-2": "reference-2"}
"""Agent to the folder of the task that it takes from."""


def check(name: str, task: DeliverableTask, engine: Engine = None) -> None:
    """Raises `UsageError` when there is no such agent, or when it has nothing to put there."""
    kind, colon, _ = name.partition(":")
    if name == SLIP or (kind == FAULT and colon):
        _fault(name, task, engine)
    elif name not in PLACED:
        raise UsageError(f"no agent {name!r}", hint=suggestion(name, (*PLACED, SLIP, NAMED)))
    elif name in NEEDS:
        _files(task, NEEDS[name])


def put(name: str, task: DeliverableTask, results: Path, engine: Engine = None) -> None:
    """Put there what the agent of that name hands over. Raises `UsageError`."""
    check(name, task, engine)
    if name in PLACED:
        PLACED[name](task, results)
    else:
        carry.placed(task, _fault(name, task, engine), results, engine)


def slip_of(task: DeliverableTask) -> Fault:
    """The slip that the agent `slip` makes. Raises `UsageError` where the task has none."""
    for fault in load_faults(task).values():
        levels = {task.rubric.by_id[item].level for item in fault.fails}
        if fault.kind == "slip" and "core" in levels:
            return fault
    raise UsageError(f"{task.id} has no slip that breaks a core item", where=task.folder)


def _named(wanted: str, task: DeliverableTask) -> Fault:
    faults = load_faults(task)
    if wanted not in faults:
        raise UsageError(f"{task.id} has no fault {wanted!r}", hint=suggestion(wanted, faults))
    return faults[wanted]


def _fault(name: str, task: DeliverableTask, engine: Engine) -> Fault:
    fault = slip_of(task) if name == SLIP else _named(name.partition(":")[2], task)
    if engine is None and any(isinstance(edit, edits.Recalculate) for edit in fault.edits):
        hint = "apt-get install libreoffice-calc   (as root, on Debian)"
        raise UsageError(f"{name} is recalculated by LibreOffice, which is not here", hint=hint)
    return fault


class PlacedAgent:
    """Makes one move: the files are there, and it says so."""

    def __init__(
        self, name: str, task: DeliverableTask, workspace: Path, engine: Engine = None
    ) -> None:
        self.name = name
        self._task, self._results, self._engine = task, workspace / RESULTS, engine

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        await anyio.to_thread.run_sync(put, self.name, self._task, self._results, self._engine)
        return Move(text=f"This is what {self.name} hands over.")
