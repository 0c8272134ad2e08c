"""Files are there whole or not at all; a folder is one process's at a time."""

import errno
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bythebook.errors import BythebookError, UsageError
from bythebook.run.durable import on_disk, only_one, write_whole

HOLD = """
import sys, time
from pathlib import Path
from bythebook.run.durable import only_one
with only_one(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""

FULL = """
import resource, sys
from pathlib import Path
from bythebook.errors import BythebookError
from bythebook.run.durable import write_whole
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    write_whole(Path(sys.argv[1]), b"new" * 100)
except BythebookError as error:
    print(error)
"""


def python(code: str, *words: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_file_is_replaced_whole_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "plan.json"
    write_whole(path, b"old")
    write_whole(path, b"new")

    assert path.read_bytes() == b"new"
    assert [p.name for p in path.parent.iterdir()] == ["plan.json"]


def test_a_disk_that_takes_no_more_leaves_the_old_bytes_and_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"old")

    with python(FULL, path) as process:
        said, _ = process.communicate(timeout=30)

    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["plan.json"]
    assert "cannot be written: the file would be larger" in said
    assert "nothing finished is lost" in said


def test_a_place_that_cannot_be_written_is_named() -> None:
    with pytest.raises(BythebookError, match=r"^/proc/nowhere: cannot be written"):
        write_whole(Path("/proc/nowhere/plan.json"), b"")


def test_a_second_process_is_refused_and_told_who_is_at_work(tmp_path: Path) -> None:
    with python(HOLD, tmp_path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"

        with pytest.raises(UsageError, match=rf"process {holder.pid}\) is at work"):
            only_one(tmp_path).__enter__()
        holder.kill()


def test_a_killed_process_leaves_no_lock_behind(tmp_path: Path) -> None:
    with python(HOLD, tmp_path) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        holder.send_signal(signal.SIGKILL)
        holder.wait(timeout=30)

    began = time.monotonic()
    with only_one(tmp_path):
        assert time.monotonic() - began < 5


def test_of_a_copy_the_place_that_was_to_be_written_is_named() -> None:
    copying = OSError(errno.ENOSPC, "No space left on device", "source.pdf", None, "copy.pdf")
    with pytest.raises(BythebookError) as said, on_disk(Path("folder")):
        raise copying

    assert (said.value.where, said.value.what) == (
        "copy.pdf",
        "cannot be written: the disk is full",
    )
