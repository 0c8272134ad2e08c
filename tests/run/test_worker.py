"""A worker by itself: it is a part of the command's evaluation or says why not, and what it plays
arrives whole."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from bythebook.deliverables.task import DeliverableTask
from bythebook.models.price import PriceTable
from bythebook.run.deliver import DeliverStage, deliver_plan
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Plan
from bythebook.run.players import Placing
from bythebook.run.scaleout.parcel import unpack
from bythebook.run.scaleout.worker import Broken, Job, Played, Recipe, Worker
from bythebook.run.stage import Stage
from bythebook.run.traffic import Traffic
from bythebook.trace import Header
from tests.deliverables.stall import stall
from tests.own import TASK, own_content
from tests.run.delivering import NOTHING_RECALCULATES, deliver
from tests.run.spread import Own

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class AtTheStall:
    """The small task of deliverables, by its reference."""

    task: DeliverableTask

    @asynccontextmanager
    async def __call__(
        self, folder: EvaluationFolder, traffic: Traffic
    ) -> AsyncIterator[tuple[Plan, Stage]]:
        player = Placing("reference")
        plan = deliver_plan([self.task], player, runs=1)
        yield plan, DeliverStage(folder, [self.task], player, plan, NOTHING_RECALCULATES)


async def planned(recipe: Recipe) -> Plan:
    async with recipe(EvaluationFolder(Path("nowhere")), Traffic(1)) as (plan, _):
        return plan


def worker(recipe: Recipe, plan: Plan, folder: Path) -> Worker:
    """One that does not see the folder of the command."""
    prices = PriceTable({})
    job = Job(recipe=recipe, plan=plan, folder=folder, mark="another's", prices=prices)
    return Worker(job, None, "worker 1")


async def begun(recipe: Recipe, plan: Plan, folder: Path) -> Broken | None:
    made = worker(recipe, plan, folder)
    try:
        return await made.begin()
    finally:
        await made.close()


async def test_a_worker_with_other_content_is_refused(own: Path, tmp_path: Path) -> None:
    other = own_content(tmp_path / "other")
    words = other / "tasks" / "conduct" / TASK / "task.yaml"
    words.write_text(words.read_text("utf-8").replace("title: ", "title: Not ", 1), "utf-8")

    plan = await planned(Own(own, 1))
    same = await begun(Own(own, 1), plan, tmp_path)
    found = await begun(Own(other, 1), plan, tmp_path)

    assert same is None
    assert isinstance(found, Broken)
    assert f"task {TASK} has changed since" in str(found.error)
    assert found.kind == "UsageError"


async def test_a_worker_without_the_key_names_the_variable(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Own(own, 1, "http://127.0.0.1:9/v1", "ANOTHER_KEY")
    monkeypatch.setenv("ANOTHER_KEY", "sk-of-the-command")
    plan = await planned(recipe)
    monkeypatch.delenv("ANOTHER_KEY")
    found = await begun(recipe, plan, tmp_path)
    assert isinstance(found, Broken)
    assert "the environment variable ANOTHER_KEY is empty" in str(found.error)


def test_what_a_worker_made_elsewhere_arrives_as_if_it_were_made_here(tmp_path: Path) -> None:
    task = stall(tmp_path / "stall")
    deliver(task, "reference", tmp_path / "here")
    place = EvaluationFolder(tmp_path / "far").run(task.id, 1)

    async def far() -> Played | Broken:
        recipe = AtTheStall(task)
        plan = await planned(recipe)
        made = worker(recipe, plan, tmp_path / "far")
        assert await made.begin() is None
        header = Header(
            benchmark=plan.benchmark,
            suite=plan.suite,
            task=task.id,
            run=1,
            agent=plan.agent,
            scene=DeliverStage(
                EvaluationFolder(tmp_path), [task], Placing("reference"), plan, NOTHING_RECALCULATES
            )
            .scene(task.id)
            .sha,
            condition=plan.condition,
        )
        played = await made.attempt(plan.tasks[0], 1, header)
        await made.close()
        return played

    played = anyio.run(far)
    assert isinstance(played, Played)
    assert not (tmp_path / "far").exists()
    assert played.verdict is not None
    unpack(played.parcel, place)
    place.keep(played.verdict)
    here = EvaluationFolder(tmp_path / "here").run(task.id, 1)
    assert told(place.root) == told(here.root)
    assert any(path.startswith("workspace/results/") for path in told(place.root))


def told(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
