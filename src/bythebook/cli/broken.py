"""Tasks that do not read: named, so that the others can be gone on with."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.task import ConductTask
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import ContentError
from bythebook.task import Content, Suite

Kind = TypeVar("Kind", ConductTask, DeliverableTask)


class Broken(msgspec.Struct, frozen=True):
    """A task that does not read, and why."""

    suite: Suite
    id: str
    says: str


def sound(
    content: Content, suite: Suite, load: Callable[[str], Kind], *, whole: bool = False
) -> tuple[list[Kind], list[Broken]]:
    """The tasks of a suite that read, and those that do not. `whole`: also what only a run of the
    task reads."""
    tasks: list[Kind] = []
    broken: list[Broken] = []
    for name in content.tasks(suite):
        try:
            task = load(name)
            _read(task, whole=whole)
        except ContentError as error:
            broken.append(Broken(suite, name, str(error)))
        else:
            tasks.append(task)
    return tasks, broken


def _read(task: ConductTask | DeliverableTask, *, whole: bool) -> None:
    """Raises `ContentError`."""
    if isinstance(task, DeliverableTask):
        _ = task.rubric
    elif whole:
        _ = task.criteria, task.scenario, Scripts(task).cases
