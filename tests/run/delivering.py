"""Evaluations of deliverables for tests: real ones, of the small task of a stall."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import msgspec

from bythebook.deliverables.task import DeliverableTask
from bythebook.run.deliver import PLAIN, DeliverBench, DeliverStage, Given, Reader, deliver_plan
from bythebook.run.effort import Effort
from bythebook.run.evaluate import Evaluation, Tally, evaluate
from bythebook.run.folder import EvaluationFolder
from bythebook.run.players import Placing, Player
from bythebook.run.score import Rescored, judge_again
from bythebook.verdict import Delivered, Verdict
from tests.run.playing import Notes

NOTHING_RECALCULATES = Reader()


def deliver(
    task: DeliverableTask,
    player: Player | str,
    folder: Path,
    *,
    runs: int = 1,
    given: Given = PLAIN,
    notes: Notes | None = None,
) -> Tally:
    """One evaluation, start to end."""
    playing = Placing(player) if isinstance(player, str) else player
    place = EvaluationFolder(folder)
    plan = deliver_plan([task], playing, runs=runs, given=given)
    stage = DeliverStage(place, [task], playing, plan, NOTHING_RECALCULATES)

    async def once() -> Tally:
        try:
            return await evaluate(Evaluation(plan, stage, place, notes or Notes()))
        finally:
            await playing.close()

    return anyio.run(once)


def again(folder: Path, tasks: Sequence[DeliverableTask] = ()) -> Rescored[Effort]:
    """Every run judged again, under recorded rules or those of these tasks."""
    place = EvaluationFolder(folder)
    today = {task.id: task for task in tasks} or None
    return judge_again(place, DeliverBench(place, NOTHING_RECALCULATES, today))


def delivered(verdict: Verdict) -> Delivered:
    assert verdict.delivered is not msgspec.UNSET
    return verdict.delivered


def verdict_in(folder: Path, task: DeliverableTask, run: int = 1) -> dict[str, Any]:
    data = (folder / task.id / str(run) / "verdict.json").read_bytes()
    found: dict[str, Any] = msgspec.json.decode(data)
    return found
