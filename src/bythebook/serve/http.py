"""One run behind a door on loopback, so that the content stays on this side.

    GET  /TOKEN           the briefing, and where things stand     -> View
    POST /TOKEN/TOOL      arguments as a JSON object               -> Response
         /TOKEN/mcp       the same tools, for programs that speak MCP

Whatever else is asked is answered with a status and `{"error": ..., "hint": ...}`: 404 without the
token, 400 for arguments that are no JSON object, 405, 409 when the run is over, 413, 500 for our
own failure. Calls are made one after another, whichever way they come.
"""

import hmac
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from bythebook.errors import UsageError
from bythebook.gateway.door import App, Receive, Scope, Send, tell
from bythebook.gateway.served import serving
from bythebook.gateway.visit import TOO_LARGE, TooLarge, whole
from bythebook.serve.seat import Seat, arguments

LOOPBACK = "127.0.0.1"
MOST_BYTES = 1 << 20
"""Longest body of a request."""
MCP = "mcp"

Failed = Callable[[str], None]
"""Hears of our own failures."""


class Problem(Exception):
    """A request that gets no answer of the game."""

    def __init__(self, status: int, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.status, self.what, self.hint = status, what, hint


class Door:
    """Opens one seat to whoever knows the token."""

    def __init__(self, seat: Seat, token: str, tools: App, failed: Failed) -> None:
        """`tools`: the seat's tools over MCP."""
        self.seat, self.token, self.tools, self.failed = seat, token, tools, failed

    @asynccontextmanager
    async def standing(self, port: int) -> AsyncIterator[str]:
        """Its address, while it stands. Port 0: any that is free.

        Raises `UsageError` when the port cannot be had.
        """
        listener = _listener(port)
        url = f"http://{LOOPBACK}:{listener.getsockname()[1]}/{self.token}"
        async with serving(self._app, listener):
            yield url

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.tools(scope, receive, send)
        elif scope["type"] == "http":
            await self._visited(scope, receive, send)

    async def _visited(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            rest = self._after_token(scope["path"])
            if rest == MCP:
                await self.tools(scope, receive, send)
                return
            answer = await self._played(scope, rest, receive)
        except Problem as problem:
            document = {"error": problem.what, "hint": problem.hint}
            await tell(send, problem.status, document, b"\n")
        else:
            if answer is not None:
                await tell(send, 200, answer, b"\n")

    def _after_token(self, path: str) -> str:
        """The path's part after the token. Without the token nothing is here."""
        token, _, rest = path.strip("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            raise Problem(404, "nothing is here", "the address ends in a token")
        return rest

    async def _played(self, scope: Scope, tool: str, receive: Receive) -> Any:
        """A `View` or a `Response`; None for a client that hung up in the middle of its request.

        Raises `Problem`.
        """
        if scope["method"] != ("POST" if tool else "GET"):
            how = (
                "a tool is used with POST" if tool else "POST to a tool: its name follows the token"
            )
            raise Problem(405, how)
        try:
            body = await whole(scope, receive, MOST_BYTES)
        except TooLarge:
            raise Problem(TOO_LARGE, f"a body has {MOST_BYTES} bytes at most") from None
        return None if body is None else self._asked(tool, body)

    def _asked(self, tool: str, body: bytes) -> Any:
        try:
            args = arguments(body)
        except UsageError as error:
            raise Problem(400, error.what) from None
        try:
            return self.seat.call(tool, args) if tool else self.seat.view()
        except UsageError as error:
            raise Problem(409, error.what) from None
        except Exception as error:  # noqa: BLE001 - a visitor is answered, whatever breaks here
            # Its place and its words name files, which are nobody's business outside.
            self.failed(str(error))
            what = "the server failed; whether the call was made, a GET of the address shows"
            raise Problem(500, what) from None


def _listener(port: int) -> socket.socket:
    try:
        listener = socket.create_server((LOOPBACK, port))
    except OSError as error:
        hint = "`--http` without a number takes any that is free"
        raise UsageError(f"port {port} cannot be had: {error}", hint=hint) from None
    listener.setblocking(False)
    return listener
