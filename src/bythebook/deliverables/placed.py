"""Agents that need no model: they put files into `results/` and say so.

reference, reference-2   the task's own right answers
untouched                the inputs, as they came
renamed                  inputs under the names of the wanted files
empty                    nothing
skeleton                 the reference without its content
fault:NAME               the reference with one known damage
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from bythebook.agents.protocol import Answer, Briefing, Move
from bythebook.deliverables.skeleton import skeleton
from bythebook.deliverables.workspace import RESULTS, copy_inputs
from bythebook.errors import UsageError, suggestion

FAULT = "fault"
MOST_NAMED = "fault:NAME"


class Furnished(Protocol):
    """A task as these agents need it."""

    @property
    def id(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def inputs(self) -> Path: ...
    @property
    def wants(self) -> Mapping[str, str]: ...


def _copy(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)


def _reference(task: Furnished, results: Path, folder: str = "reference") -> None:
    for path in _files(task, folder):
        _copy(path, results / path.relative_to(task.folder / folder))


def _files(task: Furnished, folder: str) -> list[Path]:
    root = task.folder / folder
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.name[0] != ".")
    if not files:
        hint = "a second right answer is built from the recipe; the wheel does not hold it"
        raise UsageError(f"{task.id} has no {folder} here", hint=hint if folder[-1] == "2" else "")
    return files


def _second(task: Furnished, results: Path) -> None:
    _reference(task, results, "reference-2")


def _untouched(task: Furnished, results: Path) -> None:
    copy_inputs(task.inputs, results)


def _renamed(task: Furnished, results: Path) -> None:
    """An input of the same suffix where there is one, any other where there is none."""
    inputs = sorted(path for path in task.inputs.rglob("*") if path.is_file())
    for name in task.wants:
        alike = [path for path in inputs if path.suffix.lower() == Path(name).suffix.lower()]
        _copy((alike or inputs)[0], results / name)


def _empty(task: Furnished, results: Path) -> None:
    """There is nothing to put there."""


def _skeleton(task: Furnished, results: Path) -> None:
    for path in _files(task, "reference"):
        to = results / path.relative_to(task.folder / "reference")
        to.parent.mkdir(parents=True, exist_ok=True)
        skeleton(path, to)


PLACED: dict[str, Callable[[Furnished, Path], None]] = {
    "reference": _reference,
    "reference-2": _second,
    "untouched": _untouched,
    "renamed": _renamed,
    "empty": _empty,
    "skeleton": _skeleton,
}

NEEDS = {"reference": "reference", "skeleton": "reference", "reference-2": "reference-2"}
"""Agent to the folder of the task that it takes from."""


def check(name: str, task: Furnished) -> None:
    """Raises `UsageError` when there is no such agent, or when it has nothing to put there."""
    kind, _, fault = name.partition(":")
    if kind == FAULT and fault:
        raise UsageError(f"no fault {fault!r}: the faults of deliverables are not there yet")
    if name not in PLACED:
        hint = suggestion(name, (*PLACED, MOST_NAMED))
        raise UsageError(f"no agent {name!r}", hint=hint)
    if name in NEEDS:
        _files(task, NEEDS[name])


def put(name: str, task: Furnished, results: Path) -> None:
    """Put there what the agent of that name hands over. Raises `UsageError`."""
    check(name, task)
    PLACED[name](task, results)


class PlacedAgent:
    """Makes one move: the files are there, and it says so."""

    def __init__(self, name: str, task: Furnished, workspace: Path) -> None:
        self.name = name
        self._task, self._workspace = task, workspace

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        put(self.name, self._task, self._workspace / RESULTS)
        return Move(text=f"This is what {self.name} hands over.")
