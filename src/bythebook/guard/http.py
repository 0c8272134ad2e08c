"""A guard in front of a server that speaks MCP over HTTP: its own address is `/mcp`."""

import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import httpx

from bythebook.errors import UsageError
from bythebook.gateway.door import App, Receive, Scope, Send, tell
from bythebook.gateway.served import serving
from bythebook.gateway.visit import TOO_LARGE, TooLarge, attended, whole
from bythebook.guard.relay import Relay

LARGEST = 64 * 2**20
"""Bytes of a request."""
STREAM = "text/event-stream"
OWN = {
    b"host", b"content-length", b"connection", b"accept-encoding", b"transfer-encoding",
    b"keep-alive", b"te", b"upgrade",
}  # fmt: skip
"""Headers that are between two neighbours, and go no further."""
LOOPBACK = "127.0.0.1"


class HttpGuard:
    """Passes requests on to `url`, with what it thinks of the calls in them."""

    def __init__(self, relay: Relay, url: str) -> None:
        self._relay, self._url = relay, url
        self._serial = 0
        # A tool may take as long as it likes; whoever waits for it decides.
        self._client = httpx.AsyncClient(timeout=httpx.Timeout(None, connect=30))

    @property
    def app(self) -> App:
        """What `served` serves."""
        visited = attended(self._visited, LARGEST)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "lifespan":
                await self._life(receive, send)
            elif scope["type"] != "http":
                return
            elif scope["path"].rstrip("/").endswith("/mcp"):
                await visited(scope, receive, send)
            else:
                await tell(send, 404, {"error": "tools are at /mcp"})

        return app

    @asynccontextmanager
    async def standing(self, port: int) -> AsyncIterator[str]:
        """Its address, while it stands. Port 0: any that is free.

        Raises `UsageError` when the port cannot be had.
        """
        try:
            listener = socket.create_server((LOOPBACK, port))
        except OSError as error:
            raise UsageError(f"port {port} cannot be had: {error}") from None
        listener.setblocking(False)
        url = f"http://{LOOPBACK}:{listener.getsockname()[1]}/mcp"
        async with serving(self.app, listener):
            yield url

    async def _life(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._client.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    async def _visited(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await whole(scope, receive, LARGEST)
        except TooLarge:
            await tell(send, TOO_LARGE, {"error": f"a request has at most {LARGEST} bytes"})
            return
        self._serial += 1
        visit = str(self._serial)
        if scope["method"] == "POST":
            body, answer = self._relay.from_client(body or b"", visit)
            if answer is not None:
                await _answer(send, 200, [(b"content-type", b"application/json")], answer)
                return
        try:
            await self._passed_on(scope, body or b"", send, visit)
        except httpx.HTTPError as error:
            self._relay.broken_off(visit)
            await tell(send, 502, {"error": f"the server cannot be reached: {error}"})

    async def _passed_on(self, scope: Scope, body: bytes, send: Send, visit: str) -> None:
        headers = [*_further(scope["headers"]), (b"accept-encoding", b"identity")]
        asked = self._client.stream(scope["method"], self._url, headers=headers, content=body)
        async with asked as response:
            found = list(_further(response.headers.raw))
            if not response.headers.get("content-type", "").startswith(STREAM):
                # Heard before it is told: the next call may come right after it.
                data = await response.aread()
                self._relay.from_server(data, visit)
                await _answer(send, response.status_code, found, data)
                return
            await _begin(send, response.status_code, found)
            heard = Heard(self._relay, visit)
            async for piece in response.aiter_raw():
                heard.take(piece)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


class Heard:
    """Server-sent events, read while they pass by."""

    def __init__(self, relay: Relay, visit: str) -> None:
        self._relay, self._visit = relay, visit
        self._lines: list[bytes] = []
        self._begun = b""

    def take(self, piece: bytes) -> None:
        *lines, self._begun = (self._begun + piece).split(b"\n")
        for line in lines:
            text = line.removesuffix(b"\r")
            if text.startswith(b"data:"):
                self._lines.append(text[5:].removeprefix(b" "))
            elif not text and self._lines:
                self._relay.from_server(b"\n".join(self._lines), self._visit)
                self._lines = []


def _further(headers: Iterable[tuple[bytes, bytes]]) -> Iterable[tuple[bytes, bytes]]:
    return ((name, value) for name, value in headers if name.lower() not in OWN)


async def _begin(send: Send, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _answer(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await _begin(send, status, [*headers, (b"content-length", str(len(body)).encode())])
    await send({"type": "http.response.body", "body": body})
