"""How one command is started, and what is known of it besides its output."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bythebook.sandbox.doors import Doorway
from bythebook.sandbox.launch import words
from bythebook.sandbox.layout import Bounds, Kind
from bythebook.sandbox.process import Program, Ran, Watch

LIMITED = 'ulimit -u "$1" 2>/dev/null; shift; exec "$@"'
"""Inside, where only the agent's own processes are counted."""


@dataclass(frozen=True)
class Start:
    """A command that is ready to run."""

    program: Program
    watches: tuple[Watch, ...] = ()
    status: IO[bytes] | None = None
    """What the walls say of themselves: the number of their first process, the exit code."""
    doorway: Doorway | None = None

    def broke(self, ran: Ran) -> str:
        """How the walls themselves broke; empty when they did not. An exit code in their status
        means that the command was reached."""
        shut = self.doorway.failed if self.doorway else ""
        failed = not ran.ended and (ran.code or 0) > 0 and "exit-code" not in self._said()
        if self.status is None or not (shut or failed):
            return ""
        return ran.err.text.strip() or shut or f"exit code {ran.code}"

    @property
    def first_process(self) -> int | None:
        """Of the sandbox, by the numbers of this machine; all others inside end with it."""
        return self._said().get("child-pid")

    def _said(self) -> dict[str, int]:
        text = os.pread(self.status.fileno(), 4096, 0) if self.status else b""
        found: dict[str, int] = {}
        for line in text.splitlines():
            found |= json.loads(line)
        return found


@dataclass(frozen=True)
class Walls:
    """What the walls of a sandbox are built from, for each command anew."""

    kind: Kind
    words: tuple[str, ...]
    """As `walls` writes them."""
    root: Path
    """An empty folder that they may be built in."""
    doors: Mapping[int, Path]
    processes: int
    filter: bytes
    """Of calls of the kernel; may be empty."""


def behind(
    walls: Walls, orders: Sequence[str], line: Sequence[str], more: Sequence[str], stack: ExitStack
) -> Start:
    """A command line behind walls. `orders`: its limits. `more`: walls of this command alone."""
    lines = file_of(b"".join(os.fsencode(word) + b"\0" for word in (*walls.words, *more)), stack)
    status = file_of(b"", stack)
    handed = [lines.fileno(), status.fileno()]
    told = [*orders, f"way={walls.kind}", f"words={handed[0]}", f"status={handed[1]}"]
    told.append(f"root={walls.root}")
    if walls.filter:
        handed.append(file_of(walls.filter, stack).fileno())
        told.append(f"filter={handed[-1]}")
    if walls.kind == "bubblewrap":
        told.append(f"program={shutil.which('bwrap') or 'bwrap'}")
    limited = ["bash", "-c", LIMITED, "bash", str(walls.processes), *line]
    doorway = None
    if walls.doors:
        doorway = Doorway(walls.doors)
        stack.callback(doorway.close)
        handed.append(doorway.number)
        told += [f"doors={doorway.number}", *(f"port={port}" for port in walls.doors)]
    program = Program(words(told, limited), {}, Path("/"), handed=tuple(handed))
    return Start(program, (doorway.watch,) if doorway else (), status, doorway)


def file_of(data: bytes, stack: ExitStack) -> IO[bytes]:
    """A file without a name: unlike a pipe, it can make nobody wait."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the stack closes it
    stack.enter_context(file)
    file.write(data)
    file.seek(0)
    return file


def limits(bounds: Bounds, groups: Mapping[str, Path]) -> Iterator[str]:
    """The orders that bound a command."""
    yield f"parent={os.getpid()}"
    yield from (f"group={group}" for group in groups.values())
    yield from (f"file={bounds.file}", f"data={bounds.memory}", f"address={bounds.address}")
    yield f"cpu={bounds.cpu}"
