"""A model opened at a scripted server, as the tests use it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random  # noqa: TID251 - seeded, and only spreads out waits

import anyio
import pytest

from bythebook.models.client import Client
from bythebook.models.names import address, open_model
from bythebook.models.patience import Patience
from bythebook.models.types import Message, Request
from tests.model_server import ModelServer

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
    slots: anyio.CapacityLimiter | None = None,
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
