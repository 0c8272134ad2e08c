"""Places that take no files: said in words, with the code of whoever can mend it."""

import json
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.deliverables.own_task import TASK as FILES
from tests.own import BYTHEBOOK, TASK, bythebook

Say = Callable[..., Said]
RUN = ("run", "conduct", "--task", TASK, "--agent", "idle", "--runs", "1")


@pytest.mark.parametrize("place", ["taken", "taken/deeper"])
def test_a_file_in_the_way_is_wrong_use(say: Say, own: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "taken").write_text("")
    for line in ((*RUN, "--content", own, "--to", place), ("new", "task", "q91-x", "--to", place)):
        code, _, err = say(*line)

        assert code == 2
        assert "cannot be written: a file is in the way of a folder" in err
        assert "--to" in err


def test_a_name_that_is_too_long_is_wrong_use(say: Say, own: Path) -> None:
    code, _, err = say(*RUN, "--content", own, "--to", "x" * 300)

    assert code == 2
    assert "its name is too long" in err


def test_a_disk_too_full_for_the_first_scene_says_so_and_leaves_no_half_file(
    own: Path, tmp_path: Path
) -> None:
    command = [str(BYTHEBOOK), *RUN, "--content", str(own), "--to", "runs"]
    full = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000)),
    )
    lying = [path.name for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    again = bythebook(*command[1:], cwd=tmp_path)

    assert full.returncode == 3
    assert "cannot be written: the file would be larger" in full.stderr
    assert "give the same command again" in full.stderr
    assert sorted(lying) == [".lock", "plan.json"]
    assert again.returncode == 0


def test_files_that_a_full_disk_does_not_take_are_no_run(content: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes(b"x" * 400_000)
    command = ["submit", FILES, str(large), "--agent", "me", "--to", "runs"]
    full = subprocess.run(
        [str(BYTHEBOOK), *command, "--content", str(content)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
    )

    again = bythebook(*command, "--content", str(content), "--json", cwd=tmp_path)

    assert full.returncode == 3
    assert "the files were not brought in: me: OSError: [Errno 27] File too large" in full.stderr
    assert "give the same command again" in full.stderr
    runs = json.loads(again.stdout)["runs"]
    assert [(run["run"], run["statistics"]["bytes"]) for run in runs] == [(1, 400_000)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_nobody_takes_is_no_fault_of_bythebook(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [str(BYTHEBOOK), "tasks", "--json"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 3
    assert "output: cannot be written: the disk is full" in done.stderr
    assert "make room" in done.stderr
    assert "fault of bythebook" not in done.stderr


def test_a_desk_that_leaves_while_it_is_read_is_a_content_error(say: Say, tmp_path: Path) -> None:
    desks = tmp_path / "mine" / "company" / "desks"
    desks.mkdir(parents=True)
    (desks / "gone.py").write_text("import sys\nsys.exit(0)\n")
    code, _, err = say("tasks", "--content", tmp_path / "mine")

    assert code == 2
    assert "gone.py:2: SystemExit: 0" in err


@pytest.mark.parametrize(
    "words",
    [
        ("score", "all"),
        ("show", "all"),
        ("judge", "all", "--judge", "hand:answers"),
        ("seal", "all", "--to", "all.zip"),
        ("redact", "all", "--to", "less"),
        ("merge", "all", "--to", "one"),
    ],
    ids=lambda words: words[0],
)
def test_whoever_names_a_folder_of_evaluations_is_told_them(
    say: Say, words: tuple[str, ...]
) -> None:
    for name in ("all/idle", "all/old/golden"):
        Path(name).mkdir(parents=True)
        (Path(name) / "plan.json").write_text("{}")

    code, out, err = say(*words)

    assert (code, out) == (2, "")
    assert "evaluations are in: all/idle, all/old/golden" in err


def test_whoever_names_no_evaluation_is_told_what_to_name(say: Say) -> None:
    Path("empty").mkdir()

    assert "the folder that `bythebook run --to` wrote" in say("seal", "empty", "--to", "x")[2]
