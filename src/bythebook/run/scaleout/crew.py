"""The workers of one command: hired, given runs, and replaced when they die."""

import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from math import ceil
from typing import Any

import anyio
import anyio.abc
import anyio.to_thread
from msgspec import Struct

from bythebook.errors import BythebookError
from bythebook.models.ledger import Ledger
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Plan, PlannedTask
from bythebook.run.scaleout.births import FIRST, Births
from bythebook.run.scaleout.cluster import cluster
from bythebook.run.scaleout.limits import Desk, Spent, reached
from bythebook.run.scaleout.parcel import unpack
from bythebook.run.scaleout.worker import MARK, Broken, Job, Played, Recipe, Worker
from bythebook.run.stage import Stage
from bythebook.run.traffic import Traffic
from bythebook.trace import Header, Outcome, Trace
from bythebook.verdict import Verdict

DEATHS = 3
"""Workers that die under one attempt before it is given up as our failure."""
AFTERSHOCK = 1.0
"""Seconds until a run whose worker died is given to another, twice as many after the second death:
a machine that goes takes several workers with it, and by then all of them are missed."""
GRACE = 20.0
"""Seconds a worker has to close a journal when the command is stopped."""
SLOW = 30.0
"""Seconds after which people are told that not all workers are there yet."""


class Hiring(Struct, frozen=True, kw_only=True):
    """How many work where."""

    concurrency: int
    """Runs at once, over all workers."""
    workers: int | None = None
    """None: one for each processor of the cluster."""
    address: str = "local"
    """Of a Ray cluster; `local`: one of its own."""
    pause: float = FIRST
    """Seconds, as in `Births`."""


@dataclass(eq=False)
class Hand:
    """One worker, hired."""

    name: str
    actor: Any
    wave: int
    load: int = 0
    ready: bool = False
    dead: bool = False


class Crew:
    """A `Stage` whose attempts are played by workers. Use `crew`."""

    def __init__(
        self,
        stage: Stage,
        job: Job,
        hiring: Hiring,
        traffic: Traffic,
        tell: Callable[[str], None],
    ) -> None:
        self._stage, self._job, self._hiring = stage, job, hiring
        self._traffic, self._tell = traffic, tell
        self._before = Spent.of(traffic.ledger)
        self._spent: dict[str, Spent] = {}
        """By worker, as far as is known here."""
        self._stack = AsyncExitStack()
        self._begun = anyio.Lock()
        self._changed = anyio.Condition()
        self._hands: list[Hand] = []
        self._verdicts: dict[RunFolder, Verdict] = {}
        self._error: BythebookError | None = None
        self._hired = self._most = self._count = 0
        self._births, self._over = Births(hiring.pause), False
        self._ray: Any = None
        self.group: anyio.abc.TaskGroup

    def scene(self, task: str) -> Any:
        return self._stage.scene(task)

    async def verdict(self, trace: Trace, place: RunFolder, plan: Plan) -> Verdict:
        """The worker's; of a run that was finished before, one made here."""
        found = self._verdicts.pop(place, None)
        return found or await self._stage.verdict(trace, place, plan)

    async def attempt(self, planned: PlannedTask, place: RunFolder, header: Header) -> Outcome:
        """A dead worker is no attempt: another one plays, up to `DEATHS` times."""
        await self._begin()
        says = ""
        for death in range(DEATHS):
            await anyio.sleep(AFTERSHOCK * death)
            hand = await self._free()
            try:
                found = await self._played(hand, planned, place, header)
            except self._ray.exceptions.RayActorError as error:
                says = _first_line(error)
                await self._bury(hand, says)
                await anyio.to_thread.run_sync(place.set_aside)
                continue
            finally:
                hand.load -= 1
                await self._change()
            await self._count_up()
            if found.verdict is not None:
                self._verdicts[place] = found.verdict
            return found.outcome
        what = f"{DEATHS} workers died under it; the last: {says}"
        return Outcome("infrastructure_failure", "worker", what)

    async def end(self) -> None:
        """Let the workers go."""
        self._over = True
        with anyio.CancelScope(shield=True), anyio.move_on_after(GRACE):
            for hand in list(self._hands):
                if hand.ready:
                    with suppress(self._ray.exceptions.RayError):
                        await hand.actor.close.remote()
                self._ray.kill(hand.actor)
        await self._stack.aclose()

    async def _begin(self) -> None:
        """Connect and hire, once there is something to play."""
        async with self._begun:
            if self._ray is not None:
                return
            wants = self._hiring
            connected = cluster(wants.address, wants.workers)
            # In this thread: Ray sets its handlers of signals.
            self._ray = ray = self._stack.enter_context(connected)
            mark = self._job.folder / MARK
            await anyio.to_thread.run_sync(write_whole, mark, self._job.mark.encode())
            self._stack.callback(mark.unlink, missing_ok=True)
            self._count = wants.workers or int(ray.cluster_resources().get("CPU", 1))
            self._count = max(1, min(self._count, wants.concurrency))
            self._most = ceil(wants.concurrency / self._count)
            self._desk = self._made_desk()
            self._stack.callback(ray.kill, self._desk)
            for _ in range(self._count):
                self._hire()
            self.group.start_soon(self._look)

    def _made_desk(self) -> Any:
        """On the driver's own node: it ends when the driver does, and with no other node. If its
        process dies it is made anew."""
        ray, traffic = self._ray, self._traffic
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        actor = ray.remote(Desk).options(
            num_cpus=0,
            max_concurrency=4 * self._hiring.concurrency + 100,
            scheduling_strategy=here,
            max_restarts=-1,
        )
        ledger = traffic.ledger
        return actor.remote(traffic.at_once, traffic.per_minute, ledger.budget, ledger.cost)

    def _hire(self) -> None:
        self._hired += 1
        name = f"worker {self._hired}"
        actor = self._ray.remote(Worker).options(
            num_cpus=1, max_concurrency=2 * self._most + 10, scheduling_strategy="SPREAD"
        )
        hand = Hand(name, actor.remote(self._job, self._desk, name), self._births.wave)
        self._hands.append(hand)
        self.group.start_soon(self._awaited, hand)

    async def _awaited(self, hand: Hand) -> None:
        """Until the worker has made its stage."""
        try:
            broken: Broken | None = await hand.actor.begin.remote()
        except self._ray.exceptions.RayActorError as error:
            await self._stillborn(hand, _first_line(error))
            return
        if broken is None:
            hand.ready = True
            self._births.ready()
        else:
            self._error = broken.error
        await self._change()

    async def _stillborn(self, hand: Hand, says: str) -> None:
        """Another is hired after a pause; where nobody is left it may be time to give up."""
        self._births.died(hand.wave)
        if self._births.hopeless and not any(
            one.ready or one.wave < hand.wave for one in self._hands
        ):
            what = f"workers die before they have begun: {says}"
            self._error = BythebookError(what, hint="do the nodes have this bythebook?")
        await self._bury(hand, says)

    async def _bury(self, hand: Hand, says: str) -> None:
        """Its places at the providers are free, and another is hired."""
        if hand.dead or self._over:
            return
        hand.dead = True
        self._hands.remove(hand)
        self._ray.kill(hand.actor)
        self._tell(f"{hand.name} died, its runs are played again: {says}")
        await self._count_up()  # the desk may be the next to die
        with suppress(self._ray.exceptions.RayError):  # without a desk `_count_up` ends it all
            await self._desk.forget.remote(hand.name)
        self.group.start_soon(self._replaced)
        await self._change()

    async def _replaced(self) -> None:
        """Not at once where workers die at birth: a node that goes gets them until it is missed."""
        await anyio.sleep(self._births.pause)
        if self._error is None:
            self._hire()

    async def _change(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _free(self) -> Hand:
        """The worker with the fewest runs, once there is one with room."""
        async with self._changed:
            while True:
                if self._error is not None:
                    raise self._error
                free = [hand for hand in self._hands if hand.ready and hand.load < self._most]
                if free:
                    hand = min(free, key=lambda one: one.load)
                    hand.load += 1
                    return hand
                await self._changed.wait()

    async def _played(
        self, hand: Hand, planned: PlannedTask, place: RunFolder, header: Header
    ) -> Played:
        playing = hand.actor.attempt.remote(planned, place.number, header)
        try:
            found = await playing
        except anyio.get_cancelled_exc_class():
            gone = suppress(self._ray.exceptions.RayError)
            with anyio.CancelScope(shield=True), anyio.move_on_after(GRACE), gone:
                await hand.actor.stop.remote(planned.id, place.number)
                await self._kept(await playing, place)
            raise
        return await self._kept(found, place)

    async def _kept(self, found: Played | Broken, place: RunFolder) -> Played:
        if isinstance(found, Broken):
            raise found.error
        if found.parcel:
            await anyio.to_thread.run_sync(unpack, found.parcel, place)
        return found

    async def _look(self) -> None:
        """What is spent, as it happens; and whether workers are long in coming."""
        begun, told = time.monotonic(), False
        while True:
            await anyio.sleep(1)
            await self._count_up()
            there = sum(hand.ready for hand in self._hands)
            if not told and there < self._count and time.monotonic() - begun > SLOW:
                told = True
                self._tell(f"{there} of {self._count} workers are there; the cluster is waited for")

    async def _count_up(self) -> None:
        """The ledger of the command: what was spent before, and by all workers."""
        try:
            told: dict[str, Spent] = await reached(self._desk.spent.remote)
        except self._ray.exceptions.RayActorError as error:
            what = f"the actor that keeps the limits died: {_first_line(error)}"
            self._error = BythebookError(what, hint="the same command goes on")
            await self._change()
            return
        for name in self._spent.keys() - told.keys():
            self._desk.told.remote(name, self._spent[name])
        self._spent |= told
        fresh = Ledger()
        for spent in (self._before, *self._spent.values()):
            spent.add_to(fresh)
        for name in Spent.__struct_fields__:
            setattr(self._traffic.ledger, name, getattr(fresh, name))


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


@asynccontextmanager
async def crew(
    recipe: Recipe,
    ready: tuple[Plan, Stage],
    folder: EvaluationFolder,
    traffic: Traffic,
    hiring: Hiring,
    *,
    tell: Callable[[str], None],
) -> AsyncIterator[Crew]:
    """The stage of an evaluation whose attempts workers play. `ready`: the driver's own.

    Nobody is hired before the first attempt.
    """
    plan, stage = ready
    job = Job(
        recipe=recipe,
        plan=plan,
        folder=folder.root.resolve(),
        mark=f"{socket.gethostname()} {os.getpid()} {time.monotonic_ns()}",
        prices=traffic.ledger.prices,
    )
    made, broken = Crew(stage, job, hiring, traffic, tell), None
    async with anyio.create_task_group() as group:
        made.group = group
        try:
            yield made
        except Exception as error:  # noqa: BLE001 - raised below, alone and not in a group
            broken = error
        finally:
            await made.end()
            group.cancel_scope.cancel()
    if broken is not None:
        raise broken
