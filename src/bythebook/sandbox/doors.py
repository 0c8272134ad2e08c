"""Doors: ports inside a sandbox that lead to Unix sockets outside, and to nothing else.

The socket that listens inside was opened there, but is held here: what comes is carried over by
this process, and the sandbox sees no more than a port.
"""

import os
import socket
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import anyio
import anyio.abc

from bythebook.sandbox.clearing import clear
from bythebook.sandbox.leftovers import is_dead, process_space

AT_ONCE = 32
"""Connections of one sandbox; more wait, so that no agent uses up this process's descriptors."""
CHUNK = 2**16
AGAIN = 0.02
"""Seconds until a socket that cannot take a connection now is tried again."""
TRIES = 500
LAST_WORDS = 0.5
NAME = "bythebook-doors"


class NoDoor(Exception):
    """A door could not be opened."""


@contextmanager
def door_folder() -> Iterator[Path]:
    """A folder for Unix sockets that nobody else can enter. Those of dead processes are cleared.

    Its path is short: a socket's may have 107 bytes.
    """
    top = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    if not top.is_dir() or len(os.fsencode(top)) > 40:
        top = Path("/tmp")
    mark = f"{NAME}-{process_space()}-"
    for old in top.glob(f"{mark}*"):
        if old.stat(follow_symlinks=False).st_uid == os.geteuid() and is_dead(old.name, mark):
            clear(old)
    folder = Path(tempfile.mkdtemp(prefix=f"{mark}{os.getpid()}-", dir=top))
    try:
        yield folder
    finally:
        clear(folder)


async def receive(way: socket.socket, count: int) -> list[socket.socket]:
    """The listening sockets, from the process that opened them. Raises `NoDoor`."""
    await anyio.wait_readable(way)
    said, numbers, _, _ = socket.recv_fds(way, 4096, count)
    sockets = [socket.socket(fileno=number) for number in numbers]
    if len(sockets) != count:
        for one in sockets:
            one.close()
        raise NoDoor(said.decode("utf-8", "replace") or "the sandbox ended early")
    return sockets


async def serve(doors: Iterable[tuple[socket.socket, Path]]) -> str:
    """Carry what comes through doors until cancelled: what listens, to the Unix socket outside."""
    room = anyio.Semaphore(AT_ONCE)
    async with anyio.create_task_group() as tasks:
        for door, path in doors:
            door.setblocking(False)
            tasks.start_soon(_answer, door, path, tasks, room)
    return ""


async def _answer(
    door: socket.socket, path: Path, tasks: anyio.abc.TaskGroup, room: anyio.Semaphore
) -> None:
    while True:
        await room.acquire()
        await anyio.wait_readable(door)
        try:
            inner, _ = door.accept()
        except OSError:  # called off, or no descriptor is left: others will give some back
            room.release()
            await anyio.sleep(AGAIN)
            continue
        tasks.start_soon(_carry, inner, path, room)


async def _carry(inner: socket.socket, path: Path, room: anyio.Semaphore) -> None:
    """One connection, to its end. A socket outside that nobody answers closes it at once."""
    with ExitStack() as stack:
        stack.callback(room.release)
        stack.enter_context(inner)
        with suppress(OSError):
            inner.setblocking(False)
            inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            outer = stack.enter_context(socket.socket(socket.AF_UNIX))
            outer.setblocking(False)
            await _connect(outer, path)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_one_way, inner, outer, tasks.cancel_scope)
                tasks.start_soon(_one_way, outer, inner, tasks.cancel_scope)


async def _connect(outer: socket.socket, path: Path) -> None:
    for _ in range(TRIES):
        try:
            return outer.connect(str(path))
        except BlockingIOError:  # it has a queue, which is full
            await anyio.sleep(AGAIN)
    raise TimeoutError(str(path))


async def _one_way(source: socket.socket, to: socket.socket, both: anyio.CancelScope) -> None:
    """Until the source is at its end; the other way may go on after that."""
    try:
        while data := await _some(source):
            view = memoryview(data)
            while view:
                view = view[await _sent(to, view) :]
        to.shutdown(socket.SHUT_WR)
    except OSError:
        both.cancel()


async def _some(source: socket.socket) -> bytes:
    while True:
        await anyio.wait_readable(source)
        with suppress(BlockingIOError):
            return source.recv(CHUNK)


async def _sent(to: socket.socket, data: memoryview) -> int:
    while True:
        with suppress(BlockingIOError):
            return to.send(data)
        await anyio.wait_writable(to)


class Doorway:
    """The doors of one command whose network is its own."""

    def __init__(self, doors: Mapping[int, Path]) -> None:
        self._doors = doors
        self._ours, self._theirs = socket.socketpair()
        self.number = self._theirs.fileno()
        """Descriptor that the sockets are to be sent over."""
        self.failed = ""

    def close(self) -> None:
        self._ours.close()
        self._theirs.close()

    async def watch(self) -> str:
        """Runs beside the command; comes back only when no door could be opened."""
        self._theirs.close()
        with ExitStack() as stack:
            try:
                sockets = await receive(self._ours, len(self._doors))
            except NoDoor as error:
                self.failed = str(error)
                await anyio.sleep(LAST_WORDS)  # what broke may say more on standard error
                return "killed: no door could be opened"
            for one in sockets:
                stack.enter_context(one)
            return await serve(zip(sockets, self._doors.values(), strict=True))


@contextmanager
def on_this_machine(doors: Mapping[int, Path]) -> Iterator[dict[int, socket.socket]]:
    """Without a sandbox: free ports of the machine itself, by the ports that were wanted."""
    with ExitStack() as stack:
        yield {port: stack.enter_context(socket.create_server(("127.0.0.1", 0))) for port in doors}
