"""`bythebook/deliverables`: played in a workspace, scored by checks; items for judges stay open."""

import os
from functools import lru_cache
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import Generate, Solver, TaskState, solver
from msgspec.structs import replace

from bythebook import __version__
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.task import DeliverableTask, load_tasks
from bythebook.errors import UsageError
from bythebook.interop.inspect_ai_tasks.model import Conversing
from bythebook.interop.inspect_ai_tasks.place import named, own_content, play
from bythebook.interop.inspect_ai_tasks.scoring import deliverables_verdict
from bythebook.models.types import Settings
from bythebook.run.deliver import LIMITS, DeliverStage, Given, Reader, deliver_plan
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import PICTURES, Plan, Programs
from bythebook.sandbox.machine import demand, unbounded


@lru_cache(maxsize=256)
def tasks_of(content: tuple[str, ...], names: tuple[str, ...]) -> tuple[DeliverableTask, ...]:
    """The tasks of some content by id or prefix, all of them without a name; loaded once."""
    return tuple(load_tasks(own_content(content), names))


@task
def deliverables(
    task: str | list[str] | None = None,
    content: str | list[str] | None = None,
    to: str = "",
    pictures: int = PICTURES,
) -> Task:
    """Workspace tasks that end in office files, scored as far as checks decide.

    `task`: ids or prefixes; `content`: folders of your own; `to`: a folder that keeps the runs, for
    `bythebook judge` to decide what checks leave open; `pictures`: most that a request holds, 0
    for a model that can be shown none.
    """
    _demand_number(pictures)
    return Task(
        dataset=[_sample(one) for one in tasks_of(named(content), named(task))],
        solver=play_deliverables(content, to, pictures),
        scorer=deliverables_verdict(),
        config=GenerateConfig(max_tokens=Settings().max_tokens),
        fail_on_error=False,
        version=__version__,
    )


def _demand_number(pictures: int | str) -> None:
    """Raises `UsageError`: Inspect hands on whatever word it was given."""
    if type(pictures) is not int or pictures < 0:
        what = f"pictures={pictures!r} is not a number of pictures"
        raise UsageError(what, hint=f"-T pictures={PICTURES}; 0 for a model that is shown none")


def _sample(one: DeliverableTask) -> Sample:
    about = {"title": one.title, "hash": one.hash, "tags": list(one.tags)}
    return Sample(id=one.id, input=one.prompt, metadata=about)


@solver
def play_deliverables(
    content: str | list[str] | None = None, to: str = "", pictures: int = PICTURES
) -> Solver:
    """Plays a sample in a workspace, with the tools, sandbox and limits of `bythebook run`."""
    _demand_number(pictures)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    reader = Reader(find_engine(), Cache(Path(home) / "bythebook" / "evidence"))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        (one,) = tasks_of(named(content), (str(state.sample_id),))

        def staged(
            player: Conversing, folder: EvaluationFolder, runs: int
        ) -> tuple[Plan, DeliverStage]:
            kind = demand(unsafe=False)
            programs = Programs(sandbox=kind, unbounded=unbounded(kind))
            player.pictures = pictures
            given = Given(limits=replace(LIMITS, pictures=pictures), programs=programs)
            plan = deliver_plan([one], player, runs=runs, given=given)
            return plan, DeliverStage(folder, [one], player, plan, reader)

        await play(state, staged, to)
        return state

    return solve
