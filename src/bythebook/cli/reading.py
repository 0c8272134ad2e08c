"""Deliverables of a folder, judged again: what reads files here, and whose judgement counts."""

from collections.abc import Sequence

from bythebook.cli.options import content
from bythebook.deliverables.evidence.cache import at_home
from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.judge.docket import Mode
from bythebook.deliverables.task import DeliverableTask, load_tasks
from bythebook.errors import UsageError
from bythebook.run.deliver import Counted, DeliverBench, Reader, called
from bythebook.run.folder import EvaluationFolder
from bythebook.run.judging import judges_of


def reader() -> Reader:
    """What reads files on this machine, and where it keeps what it read."""
    return Reader(find_engine(), at_home())


def bench(
    folder: EvaluationFolder,
    names: Sequence[str] | None = None,
    *,
    counts: Counted | None = None,
) -> DeliverBench:
    """What judges the runs of a folder; `names`: tasks whose rubrics of today are applied;
    `counts`: whose judgements do, None: as the plan says."""
    tasks = None if names is None else {task.id: task for task in _tasks(names)}
    return DeliverBench(folder, reader(), tasks, counts=counts)


def of_judge(folder: EvaluationFolder, judge: str, mode: Mode) -> Counted:
    """A judge that has judged in a folder. Raises `UsageError` for another."""
    found, known = Counted(called(judge), mode), judges_of(folder)
    if found not in known:
        what = f"no judgement by {found} is in this folder"
        there = ", ".join(map(str, known)) or "nobody has judged here"
        raise UsageError(what, where=folder.root, hint=f"there are: {there}")
    return found


def _tasks(names: Sequence[str]) -> list[DeliverableTask]:
    return load_tasks(content(), tuple(names)) if names else []
