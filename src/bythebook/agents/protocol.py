"""What an agent is: something that, shown what happened, makes a move.

    move = await agent.move(briefing)          # the first time
    move = await agent.move(answers)           # ever after: one answer per call, in order

A move with calls is carried out in order; text beside calls is the agent's thinking aloud and
reaches nobody. A move with text and no calls is plain text: the scene delivers it to the customer
and hands back what was said as an `Answer` without an id. A move with neither is an empty turn.
"""

from typing import Any, Protocol

from msgspec import Struct

from bythebook.models.types import Answer, Call, ToolSpec, Usage

__all__ = [
    "Agent",
    "Answer",
    "Briefing",
    "Call",
    "ContextExhausted",
    "Move",
    "Note",
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
    `stubbed`.
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


class Agent(Protocol):
    """Anything that can be let loose on a scene; one object plays one attempt.

    Bad output of the agent is data in its moves. `AgentError` says that its provider or harness
    broke, `ContextExhausted` that the attempt ends at the limit of its context.
    """

    name: str

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move: ...
