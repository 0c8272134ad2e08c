"""An application on a port of this machine, in this process."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bythebook.gateway.door import App
from bythebook.gateway.served import serving


@asynccontextmanager
async def listening(app: App) -> AsyncIterator[str]:
    """The address of its tools, while it is served."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    async with serving(app, listener):
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
