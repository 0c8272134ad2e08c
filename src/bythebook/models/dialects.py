"""The three wire dialects side by side, each as the same set of functions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bythebook.models import (
    anthropic_messages,
    anthropic_stream,
    chat,
    chat_stream,
    responses,
    responses_stream,
)
from bythebook.models.sse import COMMENT, event
from bythebook.models.types import Dialect, Reply, Request

Body = dict[str, Any]


@dataclass(frozen=True)
class Speech:
    """How one dialect is spoken. Bodies are decoded JSON; streams are server-sent events."""

    dialect: Dialect
    encode_request: Callable[[Request], Body]
    decode_request: Callable[[Mapping[str, Any]], Request]
    """Raises LookupError, TypeError, AttributeError or ValueError for what is no request."""
    encode_reply: Callable[[Reply], Body]
    decode_reply: Callable[[Mapping[str, Any]], Reply]
    """Raises `Fault`, `ContextOverflow`, or as `decode_request`."""
    decode_error: Callable[[int, Mapping[str, Any]], Reply | None]
    """The agent's own doing that a provider reports as an error: raises `ContextOverflow`, or is
    what the model said. None: any other error."""
    encode_error: Callable[[int, str], Body]
    encode_overflow: Callable[[str], Body]
    """A full context, as clients of this dialect know it; its status is 400."""
    stream_of: Callable[[Mapping[str, Any]], Iterator[bytes]]
    """The events that a whole reply is streamed as."""
    gather: Callable[[Sequence[Body]], Body]
    """The whole reply from its events. Raises `Fault` when they ended early."""
    stream_error: Callable[[Body, str], Iterator[bytes]]
    """An error (body, name of the model) in a stream that has begun."""
    waiting: Callable[[str], bytes]
    """What tells a client (name of the model) that its reply is still to come."""


def _chat_stream_error(body: Body, model: str) -> Iterator[bytes]:
    yield event(body)


def _anthropic_stream_error(body: Body, model: str) -> Iterator[bytes]:
    yield event(body, "error")


CHAT = Speech(
    "chat",
    chat.encode_request,
    chat.decode_request,
    chat.encode_reply,
    chat.decode_reply,
    chat.decode_error,
    chat.encode_error,
    chat.encode_overflow,
    chat_stream.stream_of,
    chat_stream.gather,
    _chat_stream_error,
    chat_stream.waiting,
)
ANTHROPIC = Speech(
    "anthropic",
    anthropic_messages.encode_request,
    anthropic_messages.decode_request,
    anthropic_messages.encode_reply,
    anthropic_messages.decode_reply,
    anthropic_messages.decode_error,
    anthropic_messages.encode_error,
    anthropic_messages.encode_overflow,
    anthropic_stream.stream_of,
    anthropic_stream.gather,
    _anthropic_stream_error,
    lambda model: anthropic_stream.WAITING,
)
RESPONSES = Speech(
    "responses",
    responses.encode_request,
    responses.decode_request,
    responses.encode_reply,
    responses.decode_reply,
    chat.decode_error,
    chat.encode_error,
    chat.encode_overflow,
    responses_stream.stream_of,
    responses_stream.gather,
    responses_stream.failure,
    lambda model: COMMENT,
)
DIALECTS: Mapping[Dialect, Speech] = {
    speech.dialect: speech for speech in (CHAT, ANTHROPIC, RESPONSES)
}
