"""An agent under the clock: whose time is it that passes while an agent thinks?

The limit on an agent's time counts its own time only. What it waits for its provider, back-off
included, has a limit of its own; beyond that the attempt is nobody's failure and does not count.
"""

from collections.abc import Awaitable
from typing import Protocol, TypeVar, runtime_checkable

import anyio

from bythebook.agents.protocol import Agent, Answer, Briefing, ContextExhausted, Move
from bythebook.conduct.customer.hands import CustomerHands, Turn, Voice
from bythebook.errors import AgentError, SimulatorError
from bythebook.run.plan import Limits

T = TypeVar("T")


class OutOfTime(Exception):
    """The agent's own time is used up: `limit(agent_time)`."""


@runtime_checkable
class Waits(Protocol):
    """An agent that says how many seconds it has waited for its provider so far."""

    waited: float


class Timed:
    """An agent whose time is measured, and whose crashes are told apart from everybody else's."""

    def __init__(self, agent: Agent, limits: Limits) -> None:
        self.name = agent.name
        self._agent, self._limits = agent, limits
        self.own = 0.0
        """Seconds of the agent's own time so far."""

    @property
    def waited(self) -> float:
        return self._agent.waited if isinstance(self._agent, Waits) else 0.0

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """Raises `OutOfTime`, `AgentError` or `ContextExhausted`, and nothing else."""
        began, waited = anyio.current_time(), self.waited
        with anyio.move_on_after(self._left()):
            move = await self._asked(seen)
            self.own += anyio.current_time() - began - (self.waited - waited)
            if self._limits.agent_time is not None and self.own > self._limits.agent_time:
                raise OutOfTime(f"{self._limits.agent_time} s of the agent's own time")
            return move
        if isinstance(self._agent, Waits):
            seconds = self._limits.provider_time
            raise AgentError(f"the provider took more than {seconds} s", cause="provider")
        raise OutOfTime(f"{self._limits.agent_time} s of the agent's own time")

    async def spend(self, work: Awaitable[T]) -> T:
        """Wait for something that the agent set going, on its own time. Raises `OutOfTime`."""
        most, began = self._limits.agent_time, anyio.current_time()
        with anyio.move_on_after(float("inf") if most is None else most - self.own):
            done = await work
            self.own += anyio.current_time() - began
            return done
        raise OutOfTime(f"{most} s of the agent's own time")

    def _left(self) -> float:
        """Seconds that this move may take at most, whoever they are booked on."""
        limits = self._limits
        own = float("inf") if limits.agent_time is None else limits.agent_time - self.own
        if not isinstance(self._agent, Waits):
            return own
        if limits.provider_time is None:
            return float("inf")
        return own + limits.provider_time - self.waited

    async def _asked(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        try:
            return await self._agent.move(seen)
        except (AgentError, ContextExhausted):
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
        most = self._limits.provider_time
        began = anyio.current_time()
        with anyio.move_on_after(float("inf") if most is None else most - self.waited):
            said = await self._voice.answer(turn, hands)
            self.waited += anyio.current_time() - began
            return said
        raise SimulatorError(f"the customer took more than {most} s", cause="provider")

    def tell_all(self, hands: CustomerHands) -> None:
        self._voice.tell_all(hands)
