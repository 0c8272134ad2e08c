"""What a player sees and may do, wherever the run is kept: here, or behind a server's door."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from bythebook.agents.protocol import ToolSpec
from bythebook.errors import UsageError
from bythebook.models.wire import UNREADABLE, read_json

EXAMPLE = """as in {"query": "refund"}"""
"""What arguments look like."""


class Said(msgspec.Struct, frozen=True):
    """One message of the conversation."""

    who: Literal["agent", "customer"]
    text: str
    t: int


class View(msgspec.Struct, frozen=True, kw_only=True):
    """All that a player may see without a call: the briefing, and where things stand."""

    instructions: str
    request: str
    tools: tuple[ToolSpec, ...]
    conversation: tuple[Said, ...]
    day: str
    clock: str
    t: int
    """Minutes since the task opened."""
    calls: int
    outcome: str | None
    """How the run ended; None while it goes on."""

    @property
    def said(self) -> str:
        """The conversation so far, as text."""
        names = {"agent": "You", "customer": "The customer"}
        lines = (
            f"(t={line.t}) {names[line.who]}: {line.text.strip()}" for line in self.conversation
        )
        return "\n\n".join(lines)

    @property
    def standing(self) -> str:
        """Day, clock, calls, and the end if it has come."""
        if self.outcome is not None:
            return f"The run is over: {self.outcome}, after {self.calls} calls."
        return f"It is {self.day}, {self.clock} o'clock (t={self.t}). {self.calls} calls were made."


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """What one call was answered."""

    ok: bool
    result: Any
    """JSON: what the tool gave, or the words with which it refused."""
    customer: str | None = None
    """What the customer said to it."""
    outcome: str | None = None

    @property
    def text(self) -> str:
        """As a model reads it."""
        if isinstance(self.result, str):
            plain = self.result
        else:
            plain = msgspec.json.encode(self.result).decode()
        return plain if self.customer is None else f"{plain}\nThe customer: {self.customer}"


class Seat(Protocol):
    """A place to play one run from."""

    def view(self) -> View:
        """Where the run stands now; looking costs nothing."""

    def call(self, name: str, args: Mapping[str, Any]) -> Response:
        """Use one tool. Raises `UsageError` when the run is over."""
        ...


def arguments(sent: bytes | str) -> dict[str, Any]:
    """A call's arguments; nothing at all means none. Raises `UsageError` for what is no object."""
    if not sent.strip():
        return {}
    try:
        found = read_json(sent)
    except UNREADABLE as error:
        raise UsageError(f"the arguments are no JSON: {error}", hint=EXAMPLE) from None
    if not isinstance(found, dict):
        raise UsageError("the arguments are no JSON object", hint=EXAMPLE)
    return found
