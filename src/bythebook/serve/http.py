"""One run behind a door: a small JSON API on loopback, so that the content stays on this side.

    GET  /TOKEN           the briefing, and where things stand     -> View
    POST /TOKEN/TOOL      arguments as a JSON object               -> Response

Whatever else is asked is answered with a status and `{"error": ..., "hint": ...}`: 404 without the
token, 400 for arguments that are no JSON object, 409 when the run is over, 500 for our own failure.
"""

import hmac
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import unquote

import msgspec

from bythebook.errors import UsageError
from bythebook.serve.seat import Seat, arguments

LOOPBACK = "127.0.0.1"
MOST_BYTES = 1 << 20
"""Longest body of a request."""
IDLE = 60.0
"""Seconds after which a silent connection is closed."""


class Problem(Exception):
    """A request that gets no answer of the game."""

    def __init__(self, status: int, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.status, self.what, self.hint = status, what, hint


class Door(ThreadingHTTPServer):
    """Serves one seat to whoever knows the token; one call at a time."""

    daemon_threads = True

    def __init__(self, seat: Seat, token: str, port: int, failed: Callable[[str], None]) -> None:
        """Port 0: any that is free. `failed` hears of our own failures.

        Raises `UsageError` when the port cannot be had.
        """
        self.seat, self.token, self.lock, self.failed = seat, token, Lock(), failed
        try:
            super().__init__((LOOPBACK, port), _Visit)
        except OSError as error:
            hint = "without --http it takes any that is free"
            raise UsageError(f"port {port} cannot be had: {error}", hint=hint) from None

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is no news; anything else is a fault of ours."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            self.failed(f"{type(error).__name__}: {error}")


class _Visit(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "bythebook", ""
    timeout = IDLE
    wbufsize = -1
    server: Door

    def log_message(self, format: str, *args: object) -> None:
        """The journal is the log; a token has no place in another one."""

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        size = self._size()
        if size is None:
            # What is not read would be taken for the next request.
            self.close_connection = True
            what = f"a body says its length, {MOST_BYTES} bytes at most"
            self._send(413, {"error": what, "hint": ""})
            return
        body = self.rfile.read(size)
        if len(body) == size:
            self._answer(body)
        else:
            # The client hung up in the middle of its request.
            self.close_connection = True

    def _size(self) -> int | None:
        """Bytes of the body; None for one that cannot be taken."""
        told = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers or not told.isdecimal():
            return None
        return int(told) if int(told) <= MOST_BYTES else None

    def _answer(self, body: bytes) -> None:
        try:
            self._send(200, self._played(body))
        except Problem as problem:
            self._send(problem.status, {"error": problem.what, "hint": problem.hint})

    def _played(self, body: bytes) -> Any:
        """A `View` or a `Response`. Raises `Problem`."""
        tool = self._tool()
        if self.command == "GET":
            if tool:
                raise Problem(405, "a tool is used with POST")
            return self._asked(None, {})
        if not tool:
            raise Problem(405, "POST to a tool: its name follows the token")
        try:
            return self._asked(tool, arguments(body))
        except UsageError as error:
            raise Problem(400, error.what) from None

    def _tool(self) -> str:
        """The path's part after the token. Without the token nothing is here."""
        token, _, rest = unquote(self.path.partition("?")[0]).strip("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise Problem(404, "nothing is here", "the address ends in a token")
        return rest

    def _asked(self, tool: str | None, args: dict[str, Any]) -> Any:
        seat = self.server.seat
        try:
            with self.server.lock:
                return seat.view() if tool is None else seat.call(tool, args)
        except UsageError as error:
            raise Problem(409, error.what) from None
        except Exception as error:  # noqa: BLE001 - a visitor is answered, whatever breaks here
            # Its place and its words name files, which are nobody's business outside.
            self.server.failed(str(error))
            what = "the server failed; whether the call was made, a GET of the address shows"
            raise Problem(500, what) from None

    def _send(self, status: int, document: Any) -> None:
        data = msgspec.json.encode(document) + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()
