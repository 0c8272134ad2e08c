"""Landlock alone, behind walls that have been opened on purpose."""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from bythebook.sandbox.layout import WORKSPACE, Layout
from bythebook.sandbox.machine import trouble
from bythebook.sandbox.process import Ran, run
from bythebook.sandbox.start import Walls, behind
from bythebook.sandbox.walls import inside, machine, settings

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(bool(trouble("landlock")), reason=trouble("landlock")),
]


async def ran(workspace: Path, command: str) -> Ran:
    """A command behind walls none of which is closed for writing."""
    scratch = workspace.parent / "scratch"
    for name in ("home", "tmp", "walls"):
        (scratch / name).mkdir(parents=True)
    told = [*machine(), *inside(workspace, scratch, Layout())]
    closed = [n for n, word in enumerate(told) if word == "--remount-ro"]
    opened = [word for n, word in enumerate(told) if n not in closed and n - 1 not in closed]
    walls = Walls("landlock", tuple(opened), scratch / "walls", {}, 100, b"")
    with ExitStack() as stack:
        orders = [f"parent={os.getpid()}"]
        more = [*settings({}, WORKSPACE)]
        start = behind(walls, orders, ["bash", "-c", command], more, stack)
        return await run(start.program, timeout=20, watches=())


async def test_nothing_but_workspace_home_and_tmp_is_to_be_written(workspace: Path) -> None:
    places = "/x /etc/x /dev/x /proc/self/comm /home/x /workspace/x ~/x /tmp/x"
    found = await ran(workspace, f"for p in {places}; do (echo > $p) && echo $p; done")
    assert found.out.text == "/workspace/x\n/home/agent/x\n/tmp/x\n"
    assert found.err.text.count("Permission denied") == 5


async def test_files_can_be_moved_cut_and_linked_where_they_may_be_written(
    workspace: Path,
) -> None:
    line = "mkdir a b; echo 12 > a/f; mv a/f b/f; truncate -s 1 b/f; ln b/f g; mkfifo p; cat b/f g"
    found = await ran(workspace, line)
    assert (found.out.text, found.err.text) == ("11", "")


async def test_no_signal_leads_out(workspace: Path) -> None:
    found = await ran(workspace, "kill -0 1; sleep 100 & kill $! && echo killed")
    assert found.out.text == "killed\n"
    assert "not permitted" in found.err.text
