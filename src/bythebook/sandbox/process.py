"""One command run to its end or its limit, its output kept in part."""

import os
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL
from typing import IO

import anyio

KEPT = 16_000
"""Bytes kept of each stream: half from its beginning, half from its end."""
FLOOD = 64 * 2**20
"""Bytes of output after which a command is killed."""
CHUNK = 2**16
LINGER = 2.0
"""Seconds that the output of an ended command is waited for: what it left running may hold it."""


@dataclass(frozen=True)
class Keeping:
    """What is kept of a command's output."""

    room: int = KEPT
    """Bytes of each stream."""
    into: Path | None = None
    """A file outside that takes the whole of standard output, up to `FLOOD`."""


IN_PART = Keeping()


@dataclass
class Kept:
    """A stream's first and last bytes."""

    head: bytes = b""
    tail: bytearray = field(default_factory=bytearray)
    size: int = 0
    room: int = KEPT
    file: IO[bytes] | None = None

    def add(self, data: bytes) -> None:
        """All of it goes to `file`; its first and last bytes are kept."""
        if self.file is not None:
            self.file.write(data)
        self.size += len(data)
        room = self.room // 2 - len(self.head)
        self.head += data[:room]
        self.tail += data[room:]
        del self.tail[: -self.room // 2]

    @property
    def text(self) -> str:
        """With a line in the middle that says how much is missing."""
        gone = self.size - len(self.head) - len(self.tail)
        gap = f"\n[... {gone:,} bytes left out ...]\n" if gone else ""
        return self.head.decode("utf-8", "replace") + gap + self.tail.decode("utf-8", "replace")


@dataclass
class Ran:
    """How a command ended."""

    out: Kept = field(default_factory=Kept)
    err: Kept = field(default_factory=Kept)
    code: int | None = None
    """Exit code, negative for a signal; None when it was ended from here."""
    ended: str = ""
    """Why it was ended."""


@dataclass(frozen=True)
class Program:
    """What is started."""

    command: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    stdin: IO[bytes] | None = None
    handed: tuple[int, ...] = ()
    """Descriptors that it has beside its streams."""


Watch = Callable[[], Awaitable[str]]
"""Runs beside a command until that must be ended, and says why."""


async def run(
    program: Program, *, timeout: float, watches: Sequence[Watch], keeping: Keeping = IN_PART
) -> Ran:
    """Run a program in a process group of its own. Raises OSError when it cannot be started.

    However it ends, and also when the caller is cancelled, the whole group is killed.
    """
    ran = Ran(Kept(room=keeping.room), Kept(room=keeping.room))
    with ExitStack() as stack:
        if keeping.into is not None:
            ran.out.file = stack.enter_context(keeping.into.open("wb"))
        (out, into_out), (err, into_err) = (stack.enter_context(_pipe()) for _ in "oe")
        process = await anyio.open_process(
            list(program.command), stdin=program.stdin or DEVNULL, stdout=into_out,
            stderr=into_err, env=program.env, cwd=program.cwd, pass_fds=program.handed,
            start_new_session=True,
        )  # fmt: skip
        try:
            into_out.close()
            into_err.close()
            async with anyio.create_task_group() as tasks:
                for watch in (_clock(timeout), *watches):
                    tasks.start_soon(_end, watch, ran, tasks.cancel_scope)
                async with anyio.create_task_group() as streams:
                    for stream, kept in ((out, ran.out), (err, ran.err)):
                        streams.start_soon(_drain, stream, kept, ran, tasks.cancel_scope)
                    ran.code = await process.wait()
                    kill_group(process.pid)
                    streams.cancel_scope.deadline = anyio.current_time() + LINGER
                tasks.cancel_scope.cancel()
        finally:
            kill_group(process.pid)
            with anyio.CancelScope(shield=True):
                await process.wait()
            ran.out.file = None
    return ran


@contextmanager
def _pipe() -> Iterator[tuple[int, IO[bytes]]]:
    """A pipe to read from and to write into; the writer's end may be closed before."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with os.fdopen(reader, "rb", 0), os.fdopen(writer, "wb", 0) as end:
        yield reader, end


def kill_group(leader: int) -> None:
    """SIGKILL to a group of processes; one that is gone already is no error."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _clock(timeout: float) -> Watch:
    async def over() -> str:
        await anyio.sleep(timeout)
        return f"killed after {timeout:g} s"

    return over


async def _end(watch: Watch, ran: Ran, scope: anyio.CancelScope) -> None:
    ran.ended = await watch()
    scope.cancel()


async def _drain(stream: int, kept: Kept, ran: Ran, scope: anyio.CancelScope) -> None:
    while True:
        await anyio.wait_readable(stream)
        data = os.read(stream, CHUNK)
        if not data:
            return
        kept.add(data)
        if kept.size > FLOOD:
            ran.ended = f"killed: it wrote more than {FLOOD // 2**20} MiB"
            scope.cancel()
