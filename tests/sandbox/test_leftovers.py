"""Nothing is left: after many at once, and after this program was killed without a warning."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import anyio
import pytest

from bythebook.sandbox import doors, quota
from bythebook.sandbox.doors import door_folder
from bythebook.sandbox.launch import BROKEN, words
from bythebook.sandbox.layout import Kind
from tests.sandbox.caged import box
from tests.sandbox.server import SEND, echoing

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("kind")]

ROOT = Path(__file__).parents[2]
MARK = "mark-8715"
MOMENTS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2)
"""Seconds after which it is killed: a sandbox takes about a tenth of one to build."""


def running(mark: str) -> list[int]:
    """Processes of this machine, also in sandboxes, with a mark in their command line."""
    return [number for number, line in _of_all("cmdline") if mark.encode() in line]


def _of_all(name: str) -> Iterator[tuple[int, bytes]]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            yield int(folder.name), (folder / name).read_bytes()
        except OSError:
            continue


def networks() -> dict[int, str]:
    """Process to its network, as far as they can be seen."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            found[int(folder.name)] = str((folder / "ns/net").readlink())
        except OSError:
            continue
    return found


def networks_of(processes: list[int]) -> set[str]:
    """Theirs, but for those that have ended since they were listed."""
    seen = networks()
    return {seen[number] for number in processes if number in seen}


def nameless() -> list[int]:
    """Processes in a network of their own that do not say what they are: first ones inside."""
    own = networks()[os.getpid()]
    blank = {number for number, line in _of_all("cmdline") if not line.strip(b"\0")}
    return [number for number, network in networks().items() if network != own and number in blank]


def groups(process: int) -> list[Path]:
    return list(quota.TREE.glob(f"**/{quota.NAME}-*-{process}-*"))


def folders(process: int) -> list[Path]:
    return [
        path
        for top in {tempfile.gettempdir(), os.environ.get("XDG_RUNTIME_DIR", "/tmp")}
        for path in Path(top).glob(f"{doors.NAME}-*-{process}-*")
    ]


async def until(fact: Callable[[], object], seconds: float = 10) -> None:
    end = monotonic() + seconds
    while not fact():
        assert monotonic() < end, "it did not come about"
        await anyio.sleep(0.05)


@contextmanager
def begun(kind: Kind, workspace: Path) -> Iterator[subprocess.Popen[str]]:
    """The program, that has come as far as its command; killed in the end."""
    words = [sys.executable, "-m", "tests.sandbox.killed", kind, str(workspace), MARK]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == "now\n"
            yield program
        finally:
            program.send_signal(signal.SIGKILL)


async def test_when_this_program_is_killed_all_it_began_ends(
    kind: Kind, workspace: Path, tmp_path: Path
) -> None:
    with begun(kind, workspace) as program:
        await until(lambda: (workspace / "here").exists() and (workspace / "away").exists())
        inside = networks_of(running(MARK)) - {networks()[os.getpid()]}
        assert inside
    await until(lambda: not running(MARK))
    last = [(workspace / name).read_text() for name in ("here", "away")]
    await anyio.sleep(0.2)
    assert [(workspace / name).read_text() for name in ("here", "away")] == last
    await until(lambda: inside.isdisjoint(networks().values()))
    # What the dead cannot clear, the next one does.
    assert folders(program.pid)
    assert (tmp_path / "scratch").exists()
    with door_folder(), box(workspace) as made:
        assert (await made.run("true", 20)).code == 0
        assert (groups(program.pid), folders(program.pid)) == ([], [])
    assert not (tmp_path / "scratch").exists()


async def test_at_whatever_moment_it_is_killed(kind: Kind, tmp_path: Path) -> None:
    for number, moment in enumerate(MOMENTS):
        workspace = tmp_path / str(number) / "workspace"
        workspace.mkdir(parents=True)
        with begun(kind, workspace):
            await anyio.sleep(moment)
    await until(lambda: not running(MARK))
    await until(lambda: not running(str(tmp_path)) and not nameless())


async def test_what_was_ordered_by_a_process_that_is_dead_does_not_begin() -> None:
    """The kernel ties the two together only when the second has asked for it."""
    line = words(["parent=1", "way=plain"], ["echo", "begun"])
    answer = subprocess.run(line, capture_output=True, text=True, timeout=20, check=False)
    assert (answer.returncode, answer.stdout) == (BROKEN, "")


async def test_a_command_has_ended_only_when_all_it_began_has(workspace: Path) -> None:
    many = f"for n in $(seq 200); do (exec -a {MARK} setsid sleep 1000 &); done; echo done"
    with box(workspace) as made:
        for line, seconds in ((many, 20), (f"{many}; sleep 1000", 1)):
            found = await made.run(line, seconds)
            assert (found.out.text, running(MARK)) == ("done\n", [])


async def test_twenty_at_once_leave_no_process_port_descriptor_or_folder(tmp_path: Path) -> None:
    """Each calls through its door, and leaves something running."""
    call = f"{SEND}import os, time; assert send(80, b'x') == b' 1 x'\n"
    call += "print(os.readlink('/proc/self/ns/net'), flush=True)\n"
    call += "if not os.fork(): os.setsid(); time.sleep(1000)"

    async def one(number: int, socket: Path) -> None:
        workspace = tmp_path / str(number) / "workspace"
        workspace.mkdir(parents=True)
        with box(workspace, doors={80: socket}) as made:
            found = await made.run(["python3", "-c", call, MARK], 100)
        assert (found.code, found.err.text) == (0, "")
        inside.add(found.out.text.strip())

    inside: set[str] = set()
    held = _held()
    with door_folder() as folder:
        async with echoing(folder / "model") as came, anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(one, number, folder / "model")
        assert came == [1] * 20
    await until(lambda: not running(MARK))
    assert len(inside) == 20
    await until(lambda: inside.isdisjoint(networks().values()))
    assert (groups(os.getpid()), folders(os.getpid())) == ([], [])
    assert [path.name for path in tmp_path.glob("*/*")] == ["workspace"] * 20
    assert _held() <= held


async def test_a_sandbox_that_is_left_while_a_command_runs_ends_it(workspace: Path) -> None:
    async with anyio.create_task_group() as tasks:
        with box(workspace) as made:
            if "the number of processes" in made.loose or os.geteuid():
                tasks.cancel_scope.cancel()
                pytest.skip("what runs can be found only in groups")
            tasks.start_soon(made.run, f"echo > began; sleep 1000 # {MARK}", 60)
            await until(lambda: (workspace / "began").exists())
        assert (running(MARK), groups(os.getpid())) == ([], [])


def _held() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
