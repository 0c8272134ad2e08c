"""Which sandbox a machine can have, and what is said where it can have none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bythebook.sandbox.layout import Layout
from bythebook.sandbox.machine import demand, trouble
from bythebook.sandbox.sandbox import sandbox
from tests.sandbox.caged import caged

WITHOUT = pytest.mark.skipif(bool(trouble("landlock")), reason=trouble("landlock"))
ASK = "from bythebook.sandbox.machine import demand; print(demand(unsafe=False))"


def broken(folder: Path, says: str) -> str:
    """A PATH whose bubblewrap fails."""
    program = folder / "bwrap"
    program.write_text(f'#!/bin/sh\necho "{says}" >&2\nexit 1\n')
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def where_nobody_can_make_namespaces(path: str) -> subprocess.CompletedProcess[str]:
    """The demand, in a user namespace that may have no others below it."""
    lock = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    line = ["unshare", "-Ur", "bash", "-c", lock, "bash", sys.executable, "-c", ASK]
    return subprocess.run(
        line, capture_output=True, text=True, timeout=60, check=False, env={"PATH": path}
    )


@caged
def test_bubblewrap_is_taken_where_it_works() -> None:
    assert demand(unsafe=False) == "bubblewrap"


@WITHOUT
def test_without_bubblewrap_walls_of_our_own_are_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert trouble() == "bubblewrap is not installed"
    assert demand(unsafe=False) == "landlock"


@WITHOUT
def test_where_bubblewrap_fails_walls_of_our_own_are_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", broken(tmp_path, "bwrap: setting up uid map: Permission denied"))
    assert trouble() == "setting up uid map: Permission denied"
    assert demand(unsafe=False) == "landlock"


@pytest.mark.skipif(shutil.which("unshare") is None, reason="there is no unshare here")
def test_where_neither_works_it_is_refused_with_the_command_that_mends_it() -> None:
    answer = where_nobody_can_make_namespaces(os.environ["PATH"])
    assert answer.returncode != 0
    said = answer.stderr.partition("UsageError: ")[2]
    for part in ("need a sandbox:", "without it: unshare", "sysctl", "--unsafe-no-sandbox"):
        assert part in said, answer.stderr


@pytest.mark.skipif(shutil.which("unshare") is None, reason="there is no unshare here")
def test_where_neither_is_there_the_command_that_brings_bubblewrap_is_named(
    tmp_path: Path,
) -> None:
    for name in ("unshare", "bash"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    said = where_nobody_can_make_namespaces(str(tmp_path)).stderr
    assert "bubblewrap is not installed; without it: unshare" in said
    assert "apt-get install bubblewrap" in said


@pytest.mark.skipif(os.getuid() != 0, reason="only root can cover a part of /proc")
def test_where_a_container_covers_parts_of_proc_it_is_said() -> None:
    cover = 'mount -t tmpfs none /proc/fs && exec "$@"'
    line = ["unshare", "-m", "bash", "-c", cover, "bash", sys.executable, "-c", ASK]
    answer = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    for part in ("without it: proc at ", "Operation not permitted", "systempaths=unconfined"):
        assert part in answer.stderr, answer.stderr


def test_without_any_it_must_be_asked_for() -> None:
    assert demand(unsafe=True) == "none: unsafe"


@pytest.mark.anyio
async def test_without_a_sandbox_commands_still_end_in_time_and_get_no_keys(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYTHEBOOK_TEST_API_KEY", "sk-1")
    with sandbox("none: unsafe", workspace, workspace.parent / "scratch", Layout()) as made:
        found = await made.run("env; pwd; sleep 1000", 1)
        assert made.loose[0] == "everything: there is no sandbox"
    assert found.ended == "killed after 1 s"
    assert "sk-1" not in found.out.text
    assert str(workspace) in found.out.text
