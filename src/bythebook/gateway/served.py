"""An ASGI application on a Unix socket, there while it is needed and gone afterwards."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio

from bythebook.errors import AgentError, UsageError

_BACKLOG = 1024
_KEPT = 3600
"""Seconds an idle connection is kept: a harness must not find it closed when it asks again."""


@contextlib.asynccontextmanager
async def served(app: Any, path: Path) -> AsyncIterator[None]:
    """Serve `app` at `path`; who may enter its folder may call.

    Calls in flight at the end are cut off. Raises `UsageError` where uvicorn is missing, and
    `AgentError` where no socket can stand at the path.
    """
    server = _server(app)
    with _listener(path) as listener:
        try:
            async with _serving(server, listener):
                yield
        finally:
            path.unlink(missing_ok=True)


@contextlib.asynccontextmanager
async def serving(app: Any, listener: socket.socket) -> AsyncIterator[None]:
    """Serve `app` at a socket that listens; it is closed afterwards. Otherwise as `served`."""
    with listener:
        async with _serving(_server(app), listener):
            yield


@contextlib.asynccontextmanager
async def _serving(server: Any, listener: socket.socket) -> AsyncIterator[None]:
    # No task group: it would wrap what is raised inside the block.
    serving = asyncio.ensure_future(server.serve([listener]))
    try:
        while not (server.started or serving.done()):
            await anyio.sleep(0.001)
        yield
    finally:
        server.should_exit = True
        for connection in list(server.server_state.connections):
            connection.transport.abort()
        with anyio.CancelScope(shield=True):
            await serving


def _server(app: Any) -> Any:
    try:
        import uvicorn
    except ImportError:
        raise UsageError(
            "to serve a model or tools to a harness takes uvicorn",
            hint="pip install 'bythebook[harness]'",
        ) from None

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Signals are for the program to hear, of which this server is a small part."""
            yield

    config = uvicorn.Config(
        app, interface="asgi3", log_config=None, access_log=False, timeout_keep_alive=_KEPT
    )
    return Server(config)


def _listener(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise AgentError(
            f"no socket can stand at {path}: {error}",
            cause="gateway",
            hint="a path of less than 100 letters, in a folder of one's own; see TMPDIR",
        ) from None
    path.chmod(0o600)
    listener.listen(_BACKLOG)
    listener.setblocking(False)
    return listener
