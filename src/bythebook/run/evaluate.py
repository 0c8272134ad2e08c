"""An evaluation: every planned run played until it counts, judged, and kept.

The same call finishes what an earlier one left: finished runs are kept, whatever was in flight is
set aside and played again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, Protocol

import anyio
import anyio.to_thread

from bythebook.errors import TraceError, UsageError
from bythebook.models.ledger import BUDGET, Ledger
from bythebook.run.durable import on_disk, only_one
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Plan, PlannedTask
from bythebook.run.stage import Stage
from bythebook.trace import Header, Outcome, Trace, read_trace
from bythebook.verdict import Verdict

GIVE_UP = 10
"""Attempts that fail in a row, over all runs, before no more are begun."""

NOT_BEGUN = Outcome("infrastructure_failure", "given up", "too many attempts had failed")
"""What is said of a run after that many."""

APART = 0.005
"""Seconds between the first runs. Those that set out in one moment stay in step where a provider
takes equally long for all, and each waits for the others' work before every call."""


class Watch(Protocol):
    """Somebody who looks on."""

    def begins(self, runs: int, finished: int) -> None:
        """`runs`: how many there are to be; `finished`: those of them that were there before."""

    def takes_up(self, place: RunFolder) -> None:
        """One run is begun."""
        ...

    def failed(self, place: RunFolder, outcome: Outcome) -> None:
        """An attempt ended that does not count, and was set aside."""

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None:
        """One run is over; without a verdict it was given up."""
        ...

    def looks(self) -> None:
        """A second has passed."""
        ...


Retry = Literal["", "infrastructure", "simulator"]
"""Whose failure is to be made up for; empty: whatever is missing is played."""


@dataclass(frozen=True)
class Order:
    """How one command wants an evaluation played; none of it is part of the plan."""

    concurrency: int = 10
    retry: Retry = ""
    ledger: Ledger = field(default_factory=Ledger)
    dry: bool = False
    """Play nothing and write nothing: only find out what is missing."""


@dataclass
class Tally:
    """How an evaluation went."""

    kept: int = 0
    """Runs that were finished before."""
    played: int = 0
    missing: list[tuple[RunFolder, Outcome]] = field(default_factory=list)
    """Runs without a valid attempt, and how the last attempt ended."""
    plan: Plan | None = None
    waiting: list[PlannedTask] = field(default_factory=list)
    """Of a dry run: the task of each run that is missing."""
    left: int = 0
    """Runs that were not played to an end because the budget was spent."""


class Evaluation:
    """One plan at work in one folder. Use `evaluate`."""

    def __init__(self, plan: Plan, stage: Stage, folder: EvaluationFolder, watch: Watch) -> None:
        self.plan, self.stage = plan, stage
        self.folder, self.watch = folder, watch
        self.tally = Tally()
        self._scenes: dict[str, str] = {}
        self._intact: set[str] = set()
        self._failed_in_a_row = self._in_flight = 0
        self._order, self._before = Order(), Decimal(0)
        self._broken: Exception | None = None

    async def play(self, order: Order) -> None:
        """Play what is missing."""
        self._order, self._before = order, order.ledger.cost
        wanted = list(self._wanted())
        waiting = [(task, place) for task, place in wanted if not await self._finish(place)]
        self.tally.kept = len(wanted) - len(waiting)
        if order.retry:
            waiting = [one for one in waiting if failed_by(one[1]) == order.retry]
        self.watch.begins(self.tally.kept + len(waiting), self.tally.kept)
        queue = iter(waiting)
        async with anyio.create_task_group() as beside:
            beside.start_soon(self._look)
            async with anyio.create_task_group() as workers:
                for number in range(min(order.concurrency, len(waiting))):
                    workers.start_soon(self._work, queue, workers.cancel_scope, APART * number)
            beside.cancel_scope.cancel()
        if self._broken is not None:
            raise self._broken
        self.tally.left += sum(1 for _ in queue)

    async def _look(self) -> None:
        while True:
            self.watch.looks()
            await anyio.sleep(1)

    def missing(self) -> Tally:
        """What there is to be played. Raises `UsageError` where the folder is another plan's."""
        if (kept := self.folder.plan) is not None:
            kept.joined(self.plan, self.folder.root)
        self.tally.plan = self.plan
        wanted = list(self._wanted())
        self.tally.waiting = [task for task, place in wanted if place.played() is None]
        self.tally.kept = len(wanted) - len(self.tally.waiting)
        return self.tally

    def _wanted(self) -> Iterator[tuple[PlannedTask, RunFolder]]:
        """The first run of every task, then the second of every task, and so on."""
        for number in range(1, self.plan.runs + 1):
            for task in self.plan.tasks:
                yield task, self.folder.run(task.id, number)

    async def _finish(self, place: RunFolder) -> bool:
        """Is the run played? Its verdict is made up if a process ended just before."""
        trace = place.played()
        if trace is None:
            return False
        if trace.header.scene not in self._intact:
            if not self.folder.holds_scene(trace.header.scene):
                self._scene(place.task)
            self._intact.add(trace.header.scene)
        if not place.verdict.exists():
            await self._judge(place, trace)
        return True

    async def _work(
        self,
        queue: Iterator[tuple[PlannedTask, RunFolder]],
        scope: anyio.CancelScope,
        wait: float,
    ) -> None:
        await anyio.sleep(wait)
        try:
            while self._affords_another() and (one := next(queue, None)) is not None:
                await anyio.lowlevel.checkpoint()
                self._in_flight += 1
                try:
                    await self._run(*one)
                finally:
                    self._in_flight -= 1
        except Exception as error:  # noqa: BLE001 - raised again, alone, when the others have stopped
            self._broken = self._broken or error
            scope.cancel()

    def _affords_another(self) -> bool:
        """Would the budget last for one more run, and for those in flight, at the mean so far?"""
        ledger, played = self._order.ledger, self.tally.played
        if ledger.budget is None:
            return True
        mean = (ledger.cost - self._before) / played if played else Decimal(0)
        # What those in flight have spent already is counted twice: rather too early than too late.
        return not ledger.spent and ledger.cost + mean * (self._in_flight + 1) <= ledger.budget

    async def _run(self, planned: PlannedTask, place: RunFolder) -> None:
        outcome = NOT_BEGUN
        self.watch.takes_up(place)
        await anyio.to_thread.run_sync(place.set_aside)
        for _ in range(self.plan.attempts):
            if self._failed_in_a_row >= GIVE_UP:
                break
            outcome = await self._attempt(planned, place)
            if outcome.counts:
                self._failed_in_a_row = 0
                self.tally.played += 1
                trace = await anyio.to_thread.run_sync(read_trace, place.trace)
                self.watch.ends(place, await self._judge(place, trace))
                return
            await anyio.to_thread.run_sync(place.set_aside)
            self.watch.failed(place, outcome)
            if outcome.detail == BUDGET or self._order.ledger.spent:
                self.tally.left += 1
                self.watch.ends(place, None)
                return
            self._failed_in_a_row += 1
        self.tally.missing.append((place, outcome))
        self.watch.ends(place, None)

    async def _attempt(self, planned: PlannedTask, place: RunFolder) -> Outcome:
        plan = self.plan
        header = Header(
            benchmark=plan.benchmark,
            suite=plan.suite,
            task=planned.id,
            run=place.number,
            agent=plan.agent,
            scene=self._scene(planned.id),
            condition=plan.condition,
        )
        return await self.stage.attempt(planned, place, header)

    def _scene(self, task: str) -> str:
        """Hash of the task's scene file, stored before its first run begins."""
        if task not in self._scenes:
            self._scenes[task] = self.folder.keep_scene(self.stage.scene(task))
        return self._scenes[task]

    async def _judge(self, place: RunFolder, trace: Trace) -> Verdict:
        verdict = await self.stage.verdict(trace, place, self.plan)
        await anyio.to_thread.run_sync(place.keep, verdict)
        return verdict


def failed_by(place: RunFolder) -> Retry:
    """Whose failure the last attempt at a run was; one that was killed is the infrastructure's."""
    traces = [place.trace] if place.trace.exists() else []
    traces += [attempt / place.trace.name for attempt in reversed(place.attempts)]
    if not traces:
        return ""
    try:
        closing = read_trace(traces[0]).closing
    except TraceError:
        closing = None
    simulator = closing is not None and closing.outcome.kind == "simulator_failure"
    return "simulator" if simulator else "infrastructure"


async def evaluate(evaluation: Evaluation, order: Order = Order()) -> Tally:
    """Play an evaluation in its folder. Raises `UsageError` when the folder is not its own.

    One process at a time; a folder under another plan is refused, and so is one that holds
    anything else.
    """
    folder, plan = evaluation.folder, evaluation.plan
    own_or_empty(folder)
    if order.dry:
        return evaluation.missing()
    with only_one(folder.root):
        kept = folder.plan
        joined = plan if kept is None else kept.joined(plan, folder.root)
        if joined != kept:
            folder.keep_plan(joined)
        await evaluation.play(order)
    return evaluation.tally


def own_or_empty(folder: EvaluationFolder) -> None:
    """Raises `UsageError` when the folder holds other things than an evaluation."""
    with on_disk(folder.root):
        if not folder.root.is_dir() or (folder.root / "plan.json").exists():
            return
        others = sorted(path.name for path in folder.root.iterdir() if path.name[0] != ".")
    if others:
        raise UsageError(
            f"the folder is no evaluation's: it holds {others[0]!r} and no plan.json",
            where=folder.root,
            hint="choose an empty or new folder with --to",
        )
