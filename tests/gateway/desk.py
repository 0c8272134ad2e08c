"""A desk of tools behind a door, and the official client before it."""

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bythebook.gateway.served import served
from bythebook.gateway.tools import Guide, Page, ToolDoor
from bythebook.models.types import Answer, Image, ToolSpec

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [ToolSpec("echo", "Say it again.", SCHEMA), ToolSpec("refuse", "Say no.", SCHEMA)]
PAGE = Page("desk://now", "now", "The time.", lambda: "ten o'clock")
PICTURE = Image("image/png", b"\x89PNG")
GUIDE = Guide("Do as you are told.", "Hello!", (PAGE,))

eras = pytest.mark.parametrize("era", ["auto", "legacy"])
"""The protocol with and without the handshake: what today's client speaks, and older ones."""
URL = "http://127.0.0.1/mcp"


Way = Callable[[], httpx2.AsyncClient]


class Desk:
    """What stands behind the tools."""

    def __init__(self) -> None:
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.cut: list[str] = []
        self.gate = anyio.Event()
        """Open from the start; `held` calls wait for another."""
        self.gate.set()
        self.busy = 0

    async def use(self, name: str, args: dict[str, Any]) -> Answer:
        self.told.append((name, args))
        self.busy += 1
        assert self.busy == 1
        try:
            await anyio.sleep(0)
            await self.gate.wait()
        except anyio.get_cancelled_exc_class():
            self.cut.append(name)
            raise
        finally:
            self.busy -= 1
        if name == "break":
            raise OSError("/a/place is full")
        images = (PICTURE,) if args.get("picture") else ()
        text = str(args.get("text", f"no tool {name!r}"))
        return Answer("", text, ok=name == "echo", images=images)


@asynccontextmanager
async def opened(door: ToolDoor) -> AsyncIterator[Way]:
    """The door served, and how to make a way to it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tools"
        async with served(door.app, path):
            yield lambda: httpx2.AsyncClient(
                transport=httpx2.AsyncHTTPTransport(uds=str(path), verify=False), timeout=30
            )


@asynccontextmanager
async def client(way: Way, era: str) -> AsyncIterator[Client]:
    async with (
        way() as http,
        Client(streamable_http_client(URL, http_client=http), mode=era) as there,
    ):
        yield there


async def ask(way: Way, era: str, words: str) -> str:
    async with client(way, era) as there:
        return text(await there.call_tool("echo", {"text": words}))


async def until(holds: Callable[[], bool]) -> None:
    with anyio.fail_after(10):
        while not holds():
            await anyio.sleep(0.005)


def text(result: Any) -> str:
    (content,) = result.content
    return str(content.text)


async def post(way: Way, body: bytes, **headers: str) -> Any:
    """One request by hand, as a client without the handshake would send it."""
    plain = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    async with way() as http:
        return await http.post(URL, content=body, headers=plain | headers)


def call(arguments: str, name: str = "echo") -> bytes:
    return (
        '{"jsonrpc":"2.0","id":7,"method":"tools/call",'
        f'"params":{{"name":"{name}","arguments":{arguments}}}}}'
    ).encode()
