"""What a door of a sandbox adds to a call over HTTP: the same request past it and through it.

python -m bench.doors PATH        answers at a Unix socket until its standard input closes
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bythebook.deliverables.library import furniture
from bythebook.errors import UsageError
from bythebook.sandbox.doors import door_folder
from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.layout import Layout
from bythebook.sandbox.machine import demand
from bythebook.sandbox.sandbox import sandbox

REPLY = b"HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n" + b"x" * 2000
CLIENT = """
import http.client, json, socket, statistics, time
class Past(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect("/opt/past/model")
def call(way):
    start = time.perf_counter()
    way.request("POST", "/", body=b"x" * 2000)
    way.getresponse().read()
    return time.perf_counter() - start
past, through = Past("none"), http.client.HTTPConnection("127.0.0.1", 80)
kept = [(call(past), call(through)) for _ in range(300)]
fresh = []
for _ in range(200):
    past.close(), through.close()
    fresh.append((call(past), call(through)))
for times in (kept, fresh):
    print(json.dumps([statistics.median(column) for column in zip(*times)]))
"""
"""Calls by turns, from inside: the socket itself is shown there, which only this bench does."""


def added() -> dict[str, float]:
    """Wall seconds that a door adds at p50, over a connection that is kept, and over a new one for
    each call. Server, door and client have a process each. Empty where no sandbox can be had."""
    try:
        kind = demand(unsafe=False)
    except UsageError:
        return {}
    with (
        door_folder() as outside,
        _server(outside / "model"),
        tempfile.TemporaryDirectory() as folder,
    ):
        given = furniture() + Furniture(shown=((outside, "/opt/past"),))
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        layout = Layout(furniture=given, doors={80: outside / "model"})
        with sandbox(kind, workspace, Path(folder, "scratch"), layout) as box:
            ran = asyncio.run(box.run(["python3", "-c", CLIENT], 100))
    assert ran.code == 0, ran.err.text
    found = [json.loads(line) for line in ran.out.text.splitlines()]
    return {
        name: through - past for name, (past, through) in zip(("kept", "new"), found, strict=True)
    }


@contextmanager
def _server(path: Path) -> Iterator[None]:
    command = [sys.executable, "-m", "bench.doors", str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A whole request has come when its 2000 bytes of body have."""
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(2000)
            writer.write(REPLY)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _serve(path: str) -> None:
    async with await asyncio.start_unix_server(_answer, path):
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
