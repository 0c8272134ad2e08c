"""What it takes to be served tools over MCP: listing all of a large company's, and calling one."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bythebook.conduct.task import ConductTask
from bythebook.gateway.served import served
from bythebook.gateway.tools import ToolDoor
from bythebook.models.types import Answer, ToolSpec
from bythebook.serve.hand import business_tools

COUNT = 620


@dataclass(frozen=True)
class Listing:
    size: int
    """Bytes of the list as it is sent."""
    listed: float
    """Wall seconds to list all tools, 50th percentile."""
    called: float
    """Wall seconds to call one that answers at once, 50th percentile."""


def listing(task: ConductTask, timed: int = 30) -> Listing:
    """By the official client, over a Unix socket; client and server share a process.

    The company's own tools, as often as it takes to be `COUNT`.
    """
    once = business_tools(task)
    tools = [ToolSpec(f"{t.name}_{n // len(once)}", t.doc, t.schema)
             for n, t in ((n, once[n % len(once)]) for n in range(COUNT))]  # fmt: skip
    return asyncio.run(_listing(tools, timed))


async def _listing(tools: list[ToolSpec], timed: int) -> Listing:
    async def use(name: str, args: dict[str, Any]) -> Answer:
        return Answer("", "done")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tools"
        async with served(ToolDoor(tools, use).app, path):
            transport = httpx2.AsyncHTTPTransport(uds=str(path), verify=False)
            async with (
                httpx2.AsyncClient(transport=transport) as http,
                Client(streamable_http_client("http://tools/mcp", http_client=http)) as there,
            ):
                page = await there.list_tools()
                size = len(page.model_dump_json(by_alias=True, exclude_none=True))
                name = tools[-1].name
                return Listing(
                    size,
                    await _median(lambda: there.list_tools(cache_mode="refresh"), timed),
                    await _median(lambda: there.call_tool(name, {"text": "x"}), timed * 4),
                )


async def _median(ask: Callable[[], Awaitable[object]], timed: int) -> float:
    taken = []
    for _ in range(timed):
        start = time.perf_counter()
        await ask()
        taken.append(time.perf_counter() - start)
    return median(taken)
