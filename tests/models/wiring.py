"""A model opened at a scripted server, as the tests use it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random  # noqa: TID251 - seeded, and only spreads out waits

import anyio
import pytest

from bythebook.models.client import Client
from bythebook.models.gate import Gate
from bythebook.models.names import address, open_model
from bythebook.models.patience import Patience
from bythebook.models.types import Answer, Call, Message, Request, Settings, ToolSpec
from tests.model_server import ModelServer

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
REQUEST = Request(
    model="m",
    system="Be good.",
    messages=(
        Message("user", "hello"),
        Message(
            "assistant",
            "Looking.",
            calls=(Call("read_document", {"id": "d1"}, "c1"), Call("now", {}, "c2")),
        ),
        Message("user", "hurry", answers=(Answer("c1", '{"a":1}'), Answer("c2", "10:00"))),
    ),
    tools=(ToolSpec("read_document", "Read it.", SCHEMA),),
    settings=Settings(max_tokens=99, temperature=0.5, top_p=0.9),
)
"""A conversation in which all that a dialect has to say occurs once."""

QUICK = Patience(attempts=4, first=0.01, longest=0.02, longest_after=5, timeout=5)

both = pytest.mark.parametrize("provider", ["local", "anthropic"])
"""The two dialects that most providers speak."""

each = pytest.mark.parametrize("provider", ["local", "anthropic", "openai-responses"])
"""Each dialect."""


@asynccontextmanager
async def at(
    server: ModelServer,
    provider: str,
    patience: Patience = QUICK,
    key: str = "key",
    slots: anyio.CapacityLimiter | Gate | None = None,
) -> AsyncIterator[Client]:
    url = server.url if provider == "anthropic" else f"{server.url}/v1"
    where = address(f"{provider}:scripted", url)
    client = open_model(where, key, dice=Random(1), patience=patience, slots=slots)
    try:
        yield client
    finally:
        await client.close()


def hello(*messages: Message) -> Request:
    return Request("scripted", messages or (Message("user", "hello"),))
