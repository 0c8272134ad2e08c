"""A server at a Unix socket, as a gateway is one, that answers what it was sent."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio
import anyio.abc


@asynccontextmanager
async def echoing(path: Path, name: str = "") -> AsyncIterator[list[int]]:
    """Reads to the end of what is sent; answers its name, the size, and all of it. Gives the sizes
    of what has come so far."""
    came: list[int] = []

    async def answer(stream: anyio.abc.SocketStream) -> None:
        with suppress(anyio.BrokenResourceError):  # a program inside was ended
            await echo(stream)

    async def echo(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            sent = b"".join([piece async for piece in stream])
            came.append(len(sent))
            await stream.send(f"{name} {len(sent)} ".encode() + sent)

    async with anyio.create_task_group() as tasks, await anyio.create_unix_listener(path) as server:
        tasks.start_soon(server.serve, answer)
        yield came
        tasks.cancel_scope.cancel()


SEND = """
import socket, sys
def send(port, data):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as s:
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: s.recv(65536), b""))
"""
"""For programs inside: send bytes to a port, and take the answer."""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
