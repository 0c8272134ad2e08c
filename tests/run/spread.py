"""Evaluations whose runs are played by workers: recipes that travel, and ways to use them."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from bythebook.cli.keys import reached
from bythebook.models.patience import Patience
from bythebook.models.types import Settings
from bythebook.run.agents import Modelled, Scripted
from bythebook.run.conduct import ConductStage
from bythebook.run.evaluate import Evaluation, Order, Tally, Watch, evaluate
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Plan, plan_of
from bythebook.run.reach import Reach
from bythebook.run.scaleout.crew import Hiring, crew
from bythebook.run.scaleout.limits import FarTraffic
from bythebook.run.traffic import Traffic
from tests.own import own_task
from tests.run.playing import Notes

QUICK = Patience(attempts=8, first=0.005, longest=0.05, timeout=20)
KEY = "BTB_TEST_KEY"
"""The variable that holds the key of the model."""


@dataclass(frozen=True)
class Own:
    """The small task, by its golden or by a model behind a URL."""

    content: Path
    runs: int
    url: str = ""
    key: str = KEY

    @asynccontextmanager
    async def __call__(
        self, folder: EvaluationFolder, traffic: Traffic
    ) -> AsyncIterator[tuple[Plan, ConductStage]]:
        task = own_task(self.content)
        cast: Modelled | Scripted = Scripted("golden")
        if self.url:
            where, key = reached("local:scripted", self.url, self.key)
            cast = Modelled(Reach(where, key, Settings(), traffic=traffic, patience=QUICK))
        plan = plan_of([task], cast, runs=self.runs)
        try:
            yield plan, ConductStage(folder, [task], cast, plan)
        finally:
            await cast.close()


@dataclass(frozen=True)
class Frail(Own):
    """The first workers that are to make a stage of it die of that."""

    deaths: int = 0
    born: Path = Path()
    """A folder in which each worker leaves a sign that it began."""

    @asynccontextmanager
    async def __call__(
        self, folder: EvaluationFolder, traffic: Traffic
    ) -> AsyncIterator[tuple[Plan, ConductStage]]:
        if not isinstance(traffic, FarTraffic):
            async with super().__call__(folder, traffic) as found:
                yield found
            return
        (self.born / str(os.getpid())).touch()
        if len(list(self.born.iterdir())) <= self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        async with super().__call__(folder, traffic) as found:
            yield found


@dataclass
class Spread:
    """One evaluation on the cluster that this process is connected to."""

    recipe: Own
    folder: Path
    workers: int = 2
    traffic: Traffic = field(default_factory=lambda: Traffic(10))
    notes: Watch = field(default_factory=Notes)
    told: list[str] = field(default_factory=list)

    def play(self, concurrency: int = 4) -> Tally:
        return anyio.run(self._play, concurrency)

    async def _play(self, concurrency: int) -> Tally:
        place = EvaluationFolder(self.folder)
        hiring = Hiring(concurrency=concurrency, workers=self.workers, pause=0.1)
        async with (
            self.recipe(place, self.traffic) as (plan, stage),
            crew(
                self.recipe, (plan, stage), place, self.traffic, hiring, tell=self.told.append
            ) as by,
        ):
            order = Order(concurrency, ledger=self.traffic.ledger)
            return await evaluate(Evaluation(plan, by, place, self.notes), order)


def play_here(recipe: Own, folder: Path, traffic: Traffic | None = None) -> Tally:
    """The same in this process."""

    async def work() -> Tally:
        place, shared = EvaluationFolder(folder), traffic or Traffic(10)
        async with recipe(place, shared) as (plan, stage):
            order = Order(ledger=shared.ledger)
            return await evaluate(Evaluation(plan, stage, place, Notes()), order)

    return anyio.run(work)
