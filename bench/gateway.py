"""What the gateway adds to a model call: the same request to the bare server and through it."""

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from bench.server import elsewhere
from bythebook.gateway.exchange import Terms
from bythebook.gateway.gateway import Gateway
from bythebook.gateway.served import served
from bythebook.models.dialects import DIALECTS
from bythebook.models.names import address, open_model
from bythebook.models.types import Answer, Call, Dialect, Message, Request, ToolSpec

PATHS: dict[Dialect, str] = {
    "chat": "/v1/chat/completions",
    "anthropic": "/v1/messages",
    "responses": "/v1/responses",
}

Ask = Callable[[], Awaitable[None]]


def added(earlier: int = 100, timed: int = 60) -> dict[Dialect, float]:
    """Wall seconds that the gateway adds at p50, by the dialect of the harness.

    The provider speaks chat completions, so the first is relayed and the others are translated.
    Each call goes out by turns, first bare and then through the gateway. The server has a process
    of its own; client and gateway share one, so that the gateway pays for the client as well.
    """
    return asyncio.run(_added(earlier, timed))


async def _added(earlier: int, timed: int) -> dict[Dialect, float]:
    found: dict[Dialect, float] = {}
    with elsewhere() as url, tempfile.TemporaryDirectory() as folder:
        where = address("local:bench", f"{url}/v1")
        model = open_model(where, "none", dice=random.Random(1))
        gateway = Gateway(model, Terms(steps=10_000), lambda exchange: None)
        path = Path(folder) / "model"
        async with (
            served(gateway.app, path),
            httpx.AsyncClient(base_url=url) as bare,
            httpx.AsyncClient(
                base_url="http://gateway", transport=httpx.AsyncHTTPTransport(uds=str(path))
            ) as through,
        ):
            for dialect in PATHS:
                body = DIALECTS[dialect].encode_request(_long(earlier))
                asks = [_asking(client, dialect, body) for client in (bare, through)]
                found[dialect] = await _difference(asks[0], asks[1], timed)
        await model.close()
    return found


def _long(earlier: int) -> Request:
    """A conversation that has gone on for a while."""
    messages = [Message("user", "Hello")]
    for number in range(earlier):
        messages.append(Message("assistant", calls=(Call("now", {}, f"c{number}"),)))
        messages.append(Message("user", answers=(Answer(f"c{number}", "x" * 400),)))
    tool = ToolSpec("now", "Tell the time.", {"type": "object", "properties": {}})
    return Request("bench", tuple(messages), tools=(tool,))


def _asking(client: httpx.AsyncClient, dialect: Dialect, body: dict[str, Any]) -> Ask:
    async def ask() -> None:
        (await client.post(PATHS[dialect], json=body)).raise_for_status()

    return ask


async def _difference(bare: Ask, through: Ask, timed: int) -> float:
    taken: dict[Ask, list[float]] = {bare: [], through: []}
    for _ in range(timed):
        for ask, times in taken.items():
            start = time.perf_counter()
            await ask()
            times.append(time.perf_counter() - start)
    return median(taken[through]) - median(taken[bare])
