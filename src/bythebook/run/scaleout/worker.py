"""A worker: it plays attempts at runs, many at once, and judges those that count.

Plain Python: an actor is made of it by `crew`.
"""

import shutil
import tempfile
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import anyio
import anyio.to_thread
from msgspec import Struct

from bythebook import errors
from bythebook.errors import BythebookError
from bythebook.models.gate import Gate
from bythebook.models.ledger import Ledger
from bythebook.models.price import PriceTable
from bythebook.run.attempt import INTERRUPTED
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Plan, PlannedTask
from bythebook.run.scaleout.limits import FarGate, FarTraffic, Spent, reached
from bythebook.run.scaleout.parcel import packed
from bythebook.run.stage import Stage
from bythebook.run.traffic import Traffic
from bythebook.trace import Header, Outcome, read_trace
from bythebook.verdict import Verdict

MARK = ".shared"
"""A file in the run folder: a worker that finds the mark of its command there writes there."""


class Recipe(Protocol):
    """How a worker makes its own stage; must pickle. Keys are taken from the worker's own
    environment."""

    def __call__(
        self, folder: EvaluationFolder, traffic: Traffic
    ) -> AbstractAsyncContextManager[tuple[Plan, Stage]]: ...


class Job(Struct, frozen=True, kw_only=True):
    """What all workers of one command are told. No key is in it."""

    recipe: Any
    """A `Recipe`."""
    plan: Plan
    folder: Path
    mark: str
    prices: PriceTable


class Broken(Struct, frozen=True):
    """An error of bythebook's own, on its way to the driver."""

    kind: str
    what: str
    where: str
    hint: str

    @classmethod
    def of(cls, error: BythebookError) -> "Broken":
        return cls(type(error).__name__, error.what, error.where, error.hint)

    @property
    def error(self) -> BythebookError:
        kind: type[BythebookError] = getattr(errors, self.kind, BythebookError)
        return kind(self.what, where=self.where, hint=self.hint)


class Played(Struct, frozen=True):
    """One attempt that is over."""

    outcome: Outcome
    verdict: Verdict | None = None
    """Of one that counts."""
    parcel: bytes = b""
    """Its files, where the run folder is not shared."""


class Worker:
    """Plays what it is told to, in the event loop that calls it."""

    def __init__(self, job: Job, desk: Any, name: str) -> None:
        """`desk`: the actor that keeps the limits."""
        self._job, self._desk, self._name = job, desk, name
        self._ledger = Ledger(job.prices)
        self._stack = AsyncExitStack()
        self._scopes: dict[tuple[str, int], anyio.CancelScope] = {}
        self._shared = _mark(job.folder) == job.mark
        self._folder = EvaluationFolder(job.folder if self._shared else self._aside())

    async def begin(self) -> Broken | None:
        """Make the stage. It must be the driver's: same version, same tasks, same settings."""
        traffic = FarTraffic(self._ledger, self._gate)
        try:
            made = self._job.recipe(self._folder, traffic)
            plan, self._stage = await self._stack.enter_async_context(made)
            self._job.plan.joined(plan, self._job.folder)
        except BythebookError as error:
            return Broken.of(error)
        return None

    async def attempt(self, planned: PlannedTask, number: int, header: Header) -> Played | Broken:
        """Play once, to the closing line; what `stop` ends is closed as interrupted."""
        place = self._folder.run(planned.id, number)
        try:
            with anyio.CancelScope() as scope:
                self._scopes[planned.id, number] = scope
                found = await self._play(planned, place, header)
            if scope.cancelled_caught:
                found = await self._sent(Played(INTERRUPTED), place)
        except BythebookError as error:
            return Broken.of(error)
        finally:
            del self._scopes[planned.id, number]
            with suppress(Exception):  # without a desk the driver gives up by itself
                await reached(self._tell)
        return found

    async def _tell(self) -> None:
        await self._desk.told.remote(self._name, Spent.of(self._ledger))

    async def stop(self, task: str, number: int) -> None:
        """End an attempt: its journal is closed."""
        if (scope := self._scopes.get((task, number))) is not None:
            scope.cancel()

    async def close(self) -> None:
        await self._stack.aclose()

    async def _play(self, planned: PlannedTask, place: RunFolder, header: Header) -> Played:
        self._folder.keep_scene(self._stage.scene(planned.id))
        outcome = await self._stage.attempt(planned, place, header)
        if not outcome.counts:
            return await self._sent(Played(outcome), place)
        trace = await anyio.to_thread.run_sync(read_trace, place.trace)
        verdict = await self._stage.verdict(trace, place, self._job.plan)
        return await self._sent(Played(outcome, verdict), place)

    async def _sent(self, played: Played, place: RunFolder) -> Played:
        """With its files, where the driver does not see them; they are not kept here."""
        if self._shared:
            return played
        data = await anyio.to_thread.run_sync(packed, place)
        await anyio.to_thread.run_sync(partial(shutil.rmtree, place.root, ignore_errors=True))
        return Played(played.outcome, played.verdict, data)

    def _gate(self, place: str) -> Gate:
        return FarGate(place, self._name, self._desk, self._ledger)

    def _aside(self) -> Path:
        self._own = tempfile.TemporaryDirectory(prefix="bythebook-")
        self._stack.callback(self._own.cleanup)
        return Path(self._own.name)


def _mark(folder: Path) -> str:
    try:
        return (folder / MARK).read_text("utf-8")
    except OSError:
        return ""
