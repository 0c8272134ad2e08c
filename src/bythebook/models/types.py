"""What passes between an agent and a model, in no provider's words.

A dialect module (`chat`, `anthropic_messages`) turns these into what goes over the wire and back.
"""

from typing import Any

from msgspec import Struct


class ToolSpec(Struct, frozen=True):
    """A tool as a model is offered it."""

    name: str
    doc: str
    schema: dict[str, Any]
    """JSON schema of the arguments, without references."""


class Call(Struct, frozen=True):
    """One wish to use a tool; `id` ties the answer to it and is whatever the provider chose.

    Arguments that were no JSON object are `{"_malformed": "<the text as sent>"}`: the call is
    still made, so that the refusal is the agent's own.
    """

    name: str
    args: dict[str, Any]
    id: str = ""


class Answer(Struct, frozen=True):
    """What came back for the call of the same id; without an id it answers no call."""

    id: str
    text: str
    """JSON or prose: exactly what the model reads."""
    ok: bool = True


class Usage(Struct, frozen=True, omit_defaults=True):
    """Tokens of one model call."""

    input: int = 0
    """All tokens read, those from the provider's cache included."""
    output: int = 0
    """All tokens written, reasoning included."""
    cached: int = 0
    """The part of `input` that came from the provider's cache."""
    stored: int = 0
    """The part of `input` that was put into the provider's cache."""
    reasoning: int = 0
    """The part of `output` that was reasoning, where the provider says so."""
    sent: dict[str, Any] = {}
    """The provider's own figures, as sent."""
