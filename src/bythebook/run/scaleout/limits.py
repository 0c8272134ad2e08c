"""Limits at providers that the workers of one command share: the desk that keeps them, and what a
worker has in the place of a gate and of a budget."""

from collections.abc import Awaitable, Callable
from decimal import Decimal
from random import Random
from types import TracebackType
from typing import Any, Self, TypeVar

import anyio
from msgspec import Struct
from msgspec.structs import asdict

from bythebook.errors import AgentError
from bythebook.models.gate import Gate
from bythebook.models.ledger import BUDGET, Ledger
from bythebook.models.names import Address
from bythebook.run.traffic import Traffic

T = TypeVar("T")
Who = tuple[str, int]
"""A worker, and which of its requests."""
PATIENCE, PAUSE = 60.0, 0.2
"""Seconds that a worker waits for a desk that is made anew, and between two questions."""


class Spent(Struct, frozen=True):
    """What somebody asked of models, and what it came to; names as in `Ledger`."""

    cost: Decimal = Decimal(0)
    calls: int = 0
    again: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    unpriced: tuple[str, ...] = ()

    @classmethod
    def of(cls, ledger: Ledger) -> Self:
        found = {name: getattr(ledger, name) for name in cls.__struct_fields__}
        return cls(**found | {"unpriced": tuple(sorted(ledger.unpriced))})

    def add_to(self, ledger: Ledger) -> None:
        for name, value in asdict(self).items():
            if name == "unpriced":
                ledger.unpriced.update(value)
            else:
                setattr(ledger, name, getattr(ledger, name) + value)


class Desk:
    """Keeps a gate for each provider, and the budget. An actor: one for each command.

    Where its process dies, Ray makes it anew, and it knows nothing: workers ask again, and tell
    with each request all that they have spent. Of dead workers the command tells it.
    """

    def __init__(
        self, at_once: int, per_minute: int | None, budget: Decimal | None, before: Decimal
    ) -> None:
        """`before`: US dollars that were spent when the command began; the rest as in `Traffic`."""
        self._at_once, self._per_minute = at_once, per_minute
        self._budget, self._before = budget, before
        self._gates: dict[str, Gate] = {}
        self._inside: dict[Who, Gate | None] = {}
        """Who is let in, or (None) waits."""
        self._spent: dict[str, Spent] = {}

    async def enter(self, place: str, who: Who, spent: Spent) -> bool:
        """Wait until a request may set out. False: nothing is left of the budget."""
        self._spent[who[0]] = spent
        if self._over:
            return False
        gate = self._gate(place)
        self._inside[who] = None
        await gate.enter(who)
        if who in self._inside:
            self._inside[who] = gate
        else:  # it went away while it waited
            gate.leave(who)
        return True

    async def leave(self, who: Who, spent: Spent) -> None:
        """A request is over, or nobody waits for it any more."""
        if who[0] in self._spent:
            self._spent[who[0]] = spent
        self._out(who)

    async def hold(self, place: str, seconds: float) -> None:
        """As `Gate.hold`, for all workers."""
        self._gate(place).hold(seconds)

    async def told(self, worker: str, spent: Spent) -> None:
        self._spent[worker] = spent

    async def forget(self, worker: str) -> None:
        """It died: its places are free. What it spent stays spent."""
        for who in [who for who in self._inside if who[0] == worker]:
            self._out(who)

    async def spent(self) -> dict[str, Spent]:
        """By worker, the dead ones too."""
        return self._spent

    @property
    def _over(self) -> bool:
        spent = sum((one.cost for one in self._spent.values()), self._before)
        return self._budget is not None and spent >= self._budget

    def _gate(self, place: str) -> Gate:
        if place not in self._gates:
            dice = Random(len(self._gates))
            self._gates[place] = Gate(self._at_once, dice, per_minute=self._per_minute)
        return self._gates[place]

    def _out(self, who: Who) -> None:
        gate = self._inside.pop(who, None)
        if gate is not None:
            gate.leave(who)


def away(error: Exception) -> bool:
    """An actor is out of reach or is being made anew, and may answer later."""
    from ray.exceptions import ActorUnavailableError

    return isinstance(error, ActorUnavailableError)


async def reached(ask: Callable[[], Awaitable[T]]) -> T:
    """The answer of a desk, asked again while it is being made anew."""
    until = anyio.current_time() + PATIENCE
    while True:
        try:
            return await ask()
        except Exception as error:
            if not away(error) or anyio.current_time() > until:
                raise
        await anyio.sleep(PAUSE)


class FarGate(Gate):
    """A provider's gate that the desk keeps."""

    def __init__(self, place: str, worker: str, desk: Any, ledger: Ledger) -> None:
        """`desk`: the actor. `ledger`: what this worker spent."""
        self._place, self._worker, self._desk, self._ledger = place, worker, desk, ledger
        self._asked = 0
        self._mine: dict[int, Who] = {}
        """By the id of the task that asks."""

    async def __aenter__(self) -> Self:
        try:
            if not await self._let_in():
                raise AgentError("the budget is spent", cause=BUDGET, where=self._place)
        except BaseException:
            self._leave()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave()

    def hold(self, seconds: float) -> None:
        self._desk.hold.remote(self._place, seconds)

    async def _let_in(self) -> bool:
        try:
            return await reached(self._enter)
        except Exception as error:
            what = f"the desk that keeps the limits does not answer: {error}"
            raise AgentError(what, cause="worker", where=self._place) from error

    async def _enter(self) -> bool:
        # A desk that was only out of reach may have heard the question before this one.
        self._leave()
        self._asked += 1
        who = self._mine[anyio.get_current_task().id] = self._worker, self._asked
        answer: bool = await self._desk.enter.remote(self._place, who, Spent.of(self._ledger))
        return answer

    def _leave(self) -> None:
        """Nobody waits for the answer: a request that is over costs one message."""
        who = self._mine.pop(anyio.get_current_task().id, None)
        if who is not None:
            self._desk.leave.remote(who, Spent.of(self._ledger))


class FarTraffic(Traffic):
    """What the models of one worker share: gates kept by the desk, and a ledger of its own."""

    def __init__(self, ledger: Ledger, gate: Callable[[str], Gate]) -> None:
        """`gate`: that of a provider, by its place."""
        super().__init__(1, ledger=ledger)
        self._far = gate

    def gate(self, where: Address) -> Gate:
        if where.base_url not in self._gates:
            self._gates[where.base_url] = self._far(where.base_url)
        return self._gates[where.base_url]
