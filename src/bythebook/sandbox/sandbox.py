"""Where an agent's commands run: walls that hold the workspace and nothing else.

Inside there are the machine's programs, the furniture, the workspace as `/workspace`, a home and a
`/tmp` that last as long as the attempt; no other process, no path that leads to tasks, references,
runs or keys, and no network but doors. It works for root and for anybody else, as long as the
kernel lets them make user namespaces.
"""

import errno
import os
import socket
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread

from bythebook.errors import AgentError
from bythebook.sandbox.clearing import clear
from bythebook.sandbox.doors import on_this_machine, serve
from bythebook.sandbox.furniture import NO_NAMES
from bythebook.sandbox.launch import words
from bythebook.sandbox.layout import HOME, PLAIN, SETTINGS, WORKSPACE, Kind, Layout
from bythebook.sandbox.machine import loose
from bythebook.sandbox.process import IN_PART, Keeping, Program, Ran, run
from bythebook.sandbox.quota import members, quota
from bythebook.sandbox.seccomp import filter_of_calls
from bythebook.sandbox.start import Start, Walls, behind, file_of, limits
from bythebook.sandbox.walls import NAMESPACES, inside, machine, settings

TOO_MANY = 200_000
"""Files after which a workspace is not measured to its end: it is too big."""
PATIENCE = 100
"""Looks, a hundredth of a second apart, until killed programs are gone."""
LOOK = 0.5
"""Seconds between two looks at the disk."""
MARGIN = 16 * 2**20
"""Bytes by which too many files may still grow while they are put in order."""


class Sandbox:
    """The sandbox of one attempt; use `sandbox`."""

    def __init__(
        self,
        kind: Kind,
        places: tuple[Path, Path],
        layout: Layout,
        groups: Mapping[str, Path],
        ports: Mapping[int, socket.socket],
    ) -> None:
        """`places`: workspace, scratch. `ports`: of this machine, where there is no sandbox."""
        self.kind, self.bounds = kind, layout.bounds
        self.workspace, self.scratch = places
        self._layout, self._groups, self._ports = layout, groups, ports
        self._walls = None if kind == "none: unsafe" else _walls(kind, places, layout)

    @property
    def root(self) -> str:
        """The workspace, as commands see it."""
        return WORKSPACE if self._walls else str(self.workspace)

    @property
    def home(self) -> str:
        """The home, as commands see it."""
        return HOME if self._walls else str(self.home_outside)

    @property
    def home_outside(self) -> Path:
        """The home, as we see it. What stands there was written by programs of others."""
        return self.scratch / "home"

    @property
    def loose(self) -> tuple[str, ...]:
        """What is not bounded here, in words."""
        return loose(self.kind, self._groups)

    def port(self, wanted: int) -> int:
        """The port that a door stands at: the one that was wanted, wherever it can be had."""
        if wanted not in self._layout.doors:
            raise KeyError(f"no door at port {wanted}")
        return self._ports[wanted].getsockname()[1] if self._ports else wanted

    def url(self, wanted: int) -> str:
        """Where a door is reached: scheme, host and port."""
        return f"http://127.0.0.1:{self.port(wanted)}"

    async def run(
        self,
        command: str | Sequence[str],
        timeout: float,
        *,
        env: Mapping[str, str] = NO_NAMES,
        stdin: bytes = b"",
        cwd: str | None = None,
        keeping: Keeping = IN_PART,
    ) -> Ran:
        """Run a line of shell, or a program with its arguments, for at most so many seconds.

        `env`: variables beside those of the sandbox. `cwd`: a folder inside; the workspace when
        None. Raises `AgentError` where it could not be started: our failure, not the agent's.
        """
        line = ["bash", "-c", command] if isinstance(command, str) else list(command)
        try:
            with ExitStack() as stack:
                start = self._start(line, env, cwd, stack)
                program = replace(start.program, stdin=file_of(stdin, stack) if stdin else None)
                watches = (self._disk_is_full, *start.watches)
                ran = await run(program, timeout=timeout, watches=watches, keeping=keeping)
                if why := start.broke(ran):
                    raise AgentError(f"the sandbox broke: {why[:500]}", cause="sandbox")
                await self._settled(start.first_process)
        except OSError as error:
            raise AgentError(f"no command could be started: {error}", cause="sandbox") from error
        return ran

    def _start(
        self, line: list[str], env: Mapping[str, str], cwd: str | None, stack: ExitStack
    ) -> Start:
        bound = tuple(limits(self.bounds, self._groups))
        if self._walls is not None:
            variables = {**self._layout.furniture.env, **env}
            more = tuple(settings(variables, cwd or WORKSPACE))
            return behind(self._walls, bound, line, more, stack)
        variables = {**_without_walls(self.scratch), **env}
        program = Program(words([*bound, "way=plain"], line), variables, Path(cwd or self.root))
        doors = [(self._ports[port], path) for port, path in self._layout.doors.items()]
        return Start(program, (partial(serve, doors),) if doors else ())

    async def _settled(self, first: int | None) -> None:
        """Wait for the kernel to be done with what a command left running."""
        for _ in range(PATIENCE):
            running = any(members(group) for group in self._groups.values())
            if not running and (first is None or _is_gone(first)):
                return
            await anyio.sleep(1 / PATIENCE)

    async def _disk_is_full(self) -> str:
        """Waits until the files have grown beyond what is allowed; where there were too many to
        begin with, a little beyond that: they can be deleted."""
        places, most = (self.workspace, self.scratch), self.bounds.disk
        before = await anyio.to_thread.run_sync(size_of, places, 8 * most)
        while True:
            await anyio.sleep(LOOK)
            enough = max(most, before + MARGIN)
            if await anyio.to_thread.run_sync(size_of, places, enough) > enough:
                return f"killed: its files take more than {most // 2**20} MiB"


@contextmanager
def sandbox(
    kind: Kind, workspace: Path, scratch: Path, layout: Layout = PLAIN
) -> Iterator[Sandbox]:
    """The sandbox of one attempt. `scratch`, made and taken away here, holds home and `/tmp`."""
    places = (workspace.absolute(), scratch.absolute())
    with ExitStack() as stack:
        clear(scratch)
        stack.callback(clear, scratch)
        scratch.mkdir(parents=True, mode=0o700)  # other users of this machine are kept out
        for folder in ("home", "tmp", "walls"):
            (scratch / folder).mkdir()
        bound = quota(layout.bounds.processes, layout.bounds.memory)
        groups = stack.enter_context(bound) if layout.grouped else {}
        doors = layout.doors if kind == "none: unsafe" else {}
        ports = stack.enter_context(on_this_machine(doors))
        yield Sandbox(kind, places, layout, groups, ports)


def size_of(places: Iterable[Path], enough: int) -> int:
    """Bytes on disk of all files in some folders; counting ends above `enough`. What is nested so
    deep that it cannot be counted is too much."""
    waiting, total, count = list(places), 0, 0
    while waiting and total <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return enough + 1
        if count > TOO_MANY:
            return enough + count
    return total


def _walls(kind: Kind, places: tuple[Path, Path], layout: Layout) -> Walls:
    own = NAMESPACES if kind == "bubblewrap" else ()
    words = (*own, *machine(), *inside(*places, layout))
    root, count = places[1] / "walls", layout.bounds.processes
    return Walls(kind, words, root, layout.doors, count, filter_of_calls())


def _without_walls(scratch: Path) -> dict[str, str]:
    """Variables of a command without a sandbox: nothing of our own, no keys."""
    path = f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}"
    home, tmp = str(scratch / "home"), str(scratch / "tmp")
    return {**SETTINGS, "PATH": path, "HOME": home, "TMPDIR": tmp}


def _is_gone(process: int) -> bool:
    """It, and with it all the others of its sandbox. What waits to be buried is gone."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return True
    return stat.rpartition(b")")[2].split()[0] == b"Z"
