"""What goes through the doors of a sandbox, and what a door cannot be made to do."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from bythebook.errors import AgentError
from bythebook.sandbox.doors import AT_ONCE, NAME, door_folder
from bythebook.sandbox.layout import Layout
from bythebook.sandbox.leftovers import process_space
from bythebook.sandbox.sandbox import Sandbox, sandbox
from tests.sandbox.caged import box
from tests.sandbox.server import SEND, digest, echoing

pytestmark = pytest.mark.anyio
in_walls = pytest.mark.usefixtures("kind")


@pytest.fixture
def folder() -> Iterator[Path]:
    with door_folder() as made:
        yield made


async def said(made: Sandbox, program: str, timeout: float = 30) -> str:
    """What a Python program inside prints."""
    found = await made.run(["python3", "-c", SEND + program], timeout)
    assert (found.code, found.ended, found.err.text) == (0, "", "")
    return found.out.text


def held() -> int:
    """Descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


@in_walls
async def test_each_port_leads_to_its_own_socket_outside(workspace: Path, folder: Path) -> None:
    doors = {80: folder / "model", 8931: folder / "tools"}
    ask = "print(send(80, b'hello').decode(), send(8931, b'you').decode())"
    async with echoing(doors[80], "model"), echoing(doors[8931], "tools"):
        with box(workspace, doors=doors) as made:
            assert (made.port(80), made.url(8931)) == (80, "http://127.0.0.1:8931")
            assert await said(made, ask) == "model 5 hello tools 3 you\n"
            assert await said(made, ask) == "model 5 hello tools 3 you\n"  # once more


@in_walls
async def test_much_goes_both_ways_unharmed(workspace: Path, folder: Path) -> None:
    data = bytes(range(256)) * 32_768
    ask = "import hashlib; data = send(80, bytes(range(256)) * 32768)"
    async with echoing(folder / "model"):
        with box(workspace, doors={80: folder / "model"}) as made:
            told = await said(made, f"{ask}; print(hashlib.sha256(data).hexdigest())")
    assert told.strip() == digest(f" {len(data)} ".encode() + data)


@in_walls
async def test_many_at_once_are_all_answered(workspace: Path, folder: Path) -> None:
    ask = (
        "from concurrent.futures import ThreadPoolExecutor as Pool\n"
        "data = [b'x' * n for n in range(300)]\n"
        "with Pool(100) as pool: found = list(pool.map(send, [80] * 300, data))\n"
        "print(sum(len(one) > 2 for one in found))"
    )
    async with echoing(folder / "model") as came:
        with box(workspace, doors={80: folder / "model"}) as made:
            assert await said(made, ask) == "300\n"
    assert sorted(came) == list(range(300))


@in_walls
async def test_who_comes_while_a_server_is_busy_waits(workspace: Path, folder: Path) -> None:
    ask = (
        "from concurrent.futures import ThreadPoolExecutor as Pool\n"
        "with Pool(9) as pool: print(*pool.map(send, [80] * 9, [b'x'] * 9))"
    )
    with socket.socket(socket.AF_UNIX) as server, box(workspace, doors={80: folder / "m"}) as made:
        server.bind(str(folder / "m"))
        server.listen(0)  # the kernel keeps one connection waiting, and no more

        async def late() -> None:
            await anyio.sleep(0.5)
            for _ in range(9):
                await anyio.wait_readable(server)
                with server.accept()[0] as one:
                    await anyio.wait_readable(one)
                    one.sendall(one.recv(1))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(late)
            assert (await said(made, ask)).split() == ["b'x'"] * 9


@in_walls
async def test_a_door_that_nobody_stands_behind_is_closed_at_once(
    workspace: Path, folder: Path
) -> None:
    ask = "try: print(send(80, b'x'))\nexcept OSError: print(b'')"
    with box(workspace, doors={80: folder / "none"}) as made:
        assert await said(made, ask, 10) == "b''\n"


@in_walls
async def test_connections_held_open_use_up_nothing_outside(workspace: Path, folder: Path) -> None:
    """Neither our descriptors nor the doors of another sandbox."""
    hold = "all = [socket.create_connection(('127.0.0.1', 80)) for _ in range(60)]\n"
    hold += "open('held', 'w').close()\nimport time; time.sleep(1000)"
    other = workspace.parent / "other" / "workspace"
    other.mkdir(parents=True)
    before = held()
    async with echoing(folder / "model"), anyio.create_task_group() as tasks:
        with box(workspace, doors={80: folder / "model"}) as holding:
            tasks.start_soon(holding.run, ["python3", "-c", SEND + hold], 60)
            with anyio.fail_after(20):
                while not (workspace / "held").exists():
                    await anyio.sleep(0.02)
            with box(other, doors={80: folder / "model"}) as made:
                assert await said(made, "print(send(80, b'x').decode())") == " 1 x\n"
            # of the connections at both ends, and of what carries a run
            assert held() <= before + 3 * AT_ONCE + 20
            tasks.cancel_scope.cancel()


@in_walls
async def test_a_door_that_cannot_be_opened_is_our_failure(workspace: Path, folder: Path) -> None:
    with (
        box(workspace, doors={70_000: folder / "model"}) as made,
        pytest.raises(AgentError, match=r"the sandbox broke: .*port") as caught,
    ):
        await made.run("echo reached > here", 20)
    assert caught.value.cause == "sandbox"
    assert not (workspace / "here").exists()


async def test_without_a_sandbox_a_door_is_a_free_port_of_the_machine(
    workspace: Path, folder: Path
) -> None:
    layout = Layout(doors={80: folder / "model"})
    async with echoing(folder / "model", "model"):
        with sandbox("none: unsafe", workspace, workspace.parent / "scratch", layout) as made:
            port = made.port(80)
            assert made.url(80) == f"http://127.0.0.1:{port}"
            found = await made.run([sys.executable, "-c", f"{SEND}print(send({port}, b'x'))"], 30)
    assert (port != 80, found.out.text) == (True, "b'model 1 x'\n")


async def test_only_doors_have_a_port(workspace: Path) -> None:
    with box(workspace) as made, pytest.raises(KeyError):
        made.port(80)


# --- where the sockets are ----------------------------------------------------------------------


def test_nobody_else_enters_the_folder_of_the_sockets() -> None:
    with door_folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert len(os.fsencode(folder / "model.sock")) < 100
    assert not folder.exists()


def test_folders_of_dead_processes_are_cleared_and_those_of_the_living_are_not() -> None:
    with door_folder() as mine:
        with subprocess.Popen(["true"]) as gone:
            gone.wait()
        dead = mine.parent / f"{NAME}-{process_space()}-{gone.pid}-x"
        dead.mkdir()
        (dead / "model.sock").touch()
        elsewhere = mine.parent / f"{NAME}-1-{gone.pid}-x"  # of another numbering of processes
        elsewhere.mkdir()
        with door_folder():
            assert (dead.exists(), mine.exists(), elsewhere.exists()) == (False, True, True)
        elsewhere.rmdir()
