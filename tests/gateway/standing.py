"""A gateway on its socket, a scripted model server behind it, official SDKs before it."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest

from bythebook.gateway.exchange import Exchange, Terms
from bythebook.gateway.gateway import Gateway
from bythebook.gateway.served import served
from bythebook.models.patience import Patience
from tests.model_server import ModelServer
from tests.models.wiring import QUICK, at

PROVIDERS = {"chat": "local", "anthropic": "anthropic", "responses": "openai-responses"}
DIALECTS = list(PROVIDERS)

OURS = "sk-kept-outside"
THEIRS = "sk-of-the-harness"

each_harness = pytest.mark.parametrize("harness", DIALECTS)
each_provider = pytest.mark.parametrize("provider", DIALECTS)

PAIRS = ["chat chat", "anthropic anthropic", "responses responses", "anthropic chat"]

near = pytest.mark.parametrize(("harness", "provider"), [pair.split() for pair in PAIRS], ids=PAIRS)
"""Each dialect relayed, and one translated."""


@dataclass
class Standing:
    """A gateway that serves."""

    gateway: Gateway
    path: Path
    heard: list[Exchange] = field(default_factory=list)

    def http(self) -> httpx2.AsyncClient:
        transport = httpx2.AsyncHTTPTransport(uds=str(self.path), verify=False)
        return httpx2.AsyncClient(transport=transport, base_url="http://gateway")

    def openai(self, **more: Any) -> openai.AsyncOpenAI:
        client = httpx2.AsyncClient(
            transport=httpx2.AsyncHTTPTransport(uds=str(self.path), verify=False)
        )
        given: dict[str, Any] = {"api_key": THEIRS, "base_url": "http://gateway/v1"} | more
        return openai.AsyncOpenAI(http_client=client, **given)

    def anthropic(self, **more: Any) -> anthropic.AsyncAnthropic:
        client = httpx2.AsyncClient(
            transport=httpx2.AsyncHTTPTransport(uds=str(self.path), verify=False)
        )
        given: dict[str, Any] = {"api_key": THEIRS, "base_url": "http://gateway"} | more
        return anthropic.AsyncAnthropic(http_client=client, **given)


@asynccontextmanager
async def standing(
    server: ModelServer,
    provider: str,
    terms: Terms | None = None,
    patience: Patience = QUICK,
) -> AsyncIterator[Standing]:
    heard: list[Exchange] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        async with at(server, PROVIDERS[provider], patience, key=OURS) as model:
            gateway = Gateway(model, terms or Terms(), heard.append)
            async with served(gateway.app, path):
                yield Standing(gateway, path, heard)
        assert not path.exists()
