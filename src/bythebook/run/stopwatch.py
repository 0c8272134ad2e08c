"""An agent under the clock: whose time is it that passes while an agent works?

The limit on an agent's time counts its own time only. What it waits for its provider, back-off
included, has a limit of its own; beyond that the attempt is nobody's failure and does not count.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar, runtime_checkable

import anyio

from bythebook.agents.protocol import Agent, Answer, Briefing, ContextExhausted, Ended, Move
from bythebook.conduct.customer.hands import CustomerHands, Turn, Voice
from bythebook.errors import AgentError, SimulatorError
from bythebook.run.plan import Limits

T = TypeVar("T")

LOOK = 0.02
LONGEST = 3600.0
"""Least and most seconds between two looks at the clock."""


class OutOfTime(Exception):
    """The agent's own time is used up: `limit(agent_time)`."""


@runtime_checkable
class Waits(Protocol):
    """An agent that says how many seconds it has waited for its provider so far, now included."""

    @property
    def waited(self) -> float: ...


class Clock:
    """The time of one attempt."""

    def __init__(self, limits: Limits, waited: Callable[[], float]) -> None:
        """`waited`: seconds spent on the provider so far, those of a call in flight too."""
        self.own = 0.0
        """Seconds of the agent's own time so far."""
        self._limits, self._waited = limits, waited

    async def spend(self, work: Awaitable[T]) -> T:
        """Wait for work of the agent. Raises `OutOfTime`, or `AgentError` where it is the provider
        that took too long; the work is cancelled then."""
        began, waited, before = anyio.current_time(), self._waited(), self.own
        loop = asyncio.get_running_loop()
        late: Exception | None = None
        next_look: asyncio.TimerHandle | None = None

        def look() -> None:
            nonlocal late
            passed = anyio.current_time() - began
            self.own = before + passed - (self._waited() - waited)
            late = self._over()

        def look_again() -> None:
            nonlocal next_look
            look()
            if late is None:
                next_look = loop.call_later(max(LOOK, self._left()), look_again)
            else:
                scope.cancel()

        with anyio.CancelScope() as scope:
            look_again()
            try:
                done = await work
            finally:
                if next_look is not None:
                    next_look.cancel()
            look()
        if late is not None:
            raise late
        return done

    def _over(self) -> Exception | None:
        most, longest = self._limits.agent_time, self._limits.provider_time
        if most is not None and self.own > most:
            return OutOfTime(f"{most} s of the agent's own time")
        if longest is not None and self._waited() > longest:
            return AgentError(f"the provider took more than {longest} s", cause="provider")
        return None

    def _left(self) -> float:
        """Seconds in which no limit can be reached, whoever's time passes."""
        most, longest = self._limits.agent_time, self._limits.provider_time
        own = float("inf") if most is None else most - self.own
        theirs = float("inf") if longest is None else longest - self._waited()
        return min(own, theirs, LONGEST)


class Timed:
    """An agent whose time is measured, and whose crashes are told apart from everybody else's."""

    def __init__(self, agent: Agent, limits: Limits) -> None:
        self.name = agent.name
        self._agent = agent
        self.clock = Clock(limits, lambda: self.waited)

    @property
    def own(self) -> float:
        """Seconds of the agent's own time so far."""
        return self.clock.own

    @property
    def waited(self) -> float:
        """Seconds spent on its provider so far; 0 for an agent that has none."""
        return self._agent.waited if isinstance(self._agent, Waits) else 0.0

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """Raises `OutOfTime`, `AgentError`, `ContextExhausted` or `Ended`, and nothing else."""
        return await self.clock.spend(self._asked(seen))

    async def spend(self, work: Awaitable[T]) -> T:
        """Wait for something that the agent set going, on its own time. Raises `OutOfTime`."""
        return await self.clock.spend(work)

    async def _asked(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        try:
            return await self._agent.move(seen)
        except (AgentError, ContextExhausted, Ended):
            raise
        except Exception as error:
            says = f"{type(error).__name__}: {error}"
            raise AgentError(says, cause="crash", where=self.name) from error


class TimedVoice:
    """A voice that may keep an attempt waiting as long as a provider may."""

    def __init__(self, voice: Voice, limits: Limits) -> None:
        self.name = voice.name
        self._voice, self._limits = voice, limits
        self.waited = 0.0
        """Seconds spent on the customer so far."""

    async def answer(self, turn: Turn, hands: CustomerHands) -> str:
        """Raises `SimulatorError` when the time for a provider is used up."""
        most = self._limits.provider_time
        began = anyio.current_time()
        with anyio.move_on_after(float("inf") if most is None else most - self.waited):
            said = await self._voice.answer(turn, hands)
            self.waited += anyio.current_time() - began
            return said
        raise SimulatorError(f"the customer took more than {most} s", cause="provider")

    def tell_all(self, hands: CustomerHands) -> None:
        self._voice.tell_all(hands)
