"""What an agent is: something that, shown what happened, makes a move.

    move = await agent.move(briefing)          # the first time
    move = await agent.move(answers)           # ever after: one answer per call, in order

A move with calls is carried out in order; text beside calls is the agent's thinking aloud and
reaches nobody. A move with text and no calls is plain text: the scene delivers it to the customer
and hands back what was said as an `Answer` without an id. A move with neither is an empty turn.
"""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from bythebook.models.types import Answer, Call, ToolSpec, Usage
from bythebook.trace import Outcome

__all__ = [
    "Agent",
    "Answer",
    "Briefing",
    "Call",
    "ContextExhausted",
    "Ended",
    "Move",
    "Note",
    "Program",
    "ToolSpec",
    "Usage",
]


class Briefing(Struct, frozen=True):
    """All an agent is told before its first move."""

    instructions: str
    """System text: role, rules of the game, SOP."""
    request: str
    """The first message of the customer."""
    tools: tuple[ToolSpec, ...]


class Note(Struct, frozen=True):
    """Book-keeping about a move that no rule can see; becomes a trace event of kind `note`.

    Names in use: `usage` (args: the fields of `Usage`), `length_stop`, `malformed`, `refusal`,
    `stubbed`; of programs of others `words` (beside calls), `own_call` (of a tool that the scene
    does not see) and `no_reply` (of its model) too.
    """

    name: str
    args: dict[str, Any] = {}


class Move(Struct, frozen=True):
    """What an agent does next."""

    calls: tuple[Call, ...] = ()
    text: str = ""
    notes: tuple[Note, ...] = ()


class ContextExhausted(Exception):
    """The provider's context is full and nothing in it may be dropped: `limit(context)`."""


class Ended(Exception):
    """The attempt is over, and the agent knows how that is to be booked."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(str(outcome))
        self.outcome = outcome


class Agent(Protocol):
    """Anything that can be let loose on a scene; one object plays one attempt.

    Bad output of the agent is data in its moves. `AgentError` says that its provider or harness
    broke, `ContextExhausted` that the attempt ends at the limit of its context.
    """

    name: str

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """The next move. `seen`: the briefing at first, then what the last move was answered."""


@runtime_checkable
class Program(Protocol):
    """An agent that is a program of others: it runs beside the scene, in a place of its own."""

    def running(self, briefing: Briefing, folder: Path) -> AbstractAsyncContextManager[None]:
        """Has to be entered before the first move; afterwards nothing of it runs, and nothing is
        left in `folder`, which may not be there yet."""
        ...

    @property
    def unsaid(self) -> tuple[Note, ...]:
        """About what it did since its last move."""
        ...
