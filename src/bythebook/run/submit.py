"""Files made elsewhere, by a product or a person, brought in as an ordinary run."""

from collections.abc import Sequence
from pathlib import Path

from bythebook.deliverables.handover import brought
from bythebook.deliverables.placed import FAULT, PLACED
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import BythebookError, UsageError
from bythebook.run.agents import LOOP
from bythebook.run.deliver import DeliverStage, Reader, deliver_plan
from bythebook.run.durable import only_one
from bythebook.run.evaluate import own_or_empty
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.players import Submitting
from bythebook.trace import Header, read_trace
from bythebook.verdict import Verdict

TAKEN = (*PLACED, FAULT, LOOP)
PATIENCE = 30.0
"""Seconds to wait for another process that is at work in the folder."""


def submitting(name: str, files: Sequence[Path]) -> Submitting:
    """Whoever made these files. Raises `UsageError` for the name of an agent of our own, and for
    files that are not there."""
    if name.partition(":")[0] in TAKEN:
        what = f"{name!r} is the name of an agent of bythebook's own"
        raise UsageError(what, hint="choose another name for --agent, such as the product's")
    if not name.strip():
        raise UsageError("an agent has a name")
    brought(files)
    return Submitting(name, files)


async def submit(
    folder: EvaluationFolder,
    task: DeliverableTask,
    player: Submitting,
    reader: Reader,
    *,
    number: int | None = None,
) -> tuple[RunFolder, Verdict]:
    """One run of a task: that number, or the next. Raises `UsageError` when there is one already,
    or the folder holds another plan, or other things; `BythebookError` when a disk or a sandbox of
    ours kept the files from coming in."""
    own_or_empty(folder)
    with only_one(folder.root, patience=PATIENCE):
        place = folder.run(task.id, number or _next(folder, task.id))
        if place.played() is not None:
            hint = "leave --run out for the next one, or choose another folder with --to"
            raise UsageError(f"there is a run {place.number} already", where=place.root, hint=hint)
        plan = deliver_plan([task], player, runs=place.number)
        kept = folder.plan
        plan = plan if kept is None else kept.joined(plan, folder.root)
        if plan != kept:
            folder.keep_plan(plan)
        stage = DeliverStage(folder, [task], player, plan, reader)
        header = Header(
            benchmark=plan.benchmark,
            suite=plan.suite,
            task=task.id,
            run=place.number,
            agent=plan.agent,
            scene=folder.keep_scene(stage.scene(task.id)),
            condition=plan.condition,
        )
        place.set_aside()
        outcome = await stage.attempt(plan.tasks[0], place, header)
        if not outcome.counts:
            place.set_aside()
            what = f"the files were not brought in: {outcome.says or outcome}"
            hint = "nothing was judged; mend that, then give the same command again"
            raise BythebookError(what, where=place.root, hint=hint)
        verdict = await stage.verdict(read_trace(place.trace), place, plan)
        place.keep(verdict)
    return place, verdict


def _next(folder: EvaluationFolder, task: str) -> int:
    """The number after those that were played."""
    numbers = [p.number for p in folder.places() if p.task == task and p.played() is not None]
    return max(numbers, default=0) + 1
