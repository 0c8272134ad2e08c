"""A copy of a run folder at a URL: another machine goes on from it."""

import shutil
from pathlib import Path

import pytest

from bythebook.cli import answer
from tests.own import TASK

fsspec = pytest.importorskip("fsspec", reason="no fsspec here: pip install 'bythebook[ray]'")


def run(own: Path, to: Path, url: str, runs: int = 2, agent: str = "golden") -> int:
    words = ["run", "conduct", "--task", TASK, "--content", str(own), "--agent", agent]
    return answer([*words, "--runs", str(runs), "--to", str(to), "--mirror", url])


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(params=["file", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"file://{tmp_path}/store/mine" if request.param == "file" else f"memory://{tmp_path}"


def stored(url: str) -> dict[str, bytes]:
    system, root = fsspec.core.url_to_fs(url)
    return {path[len(root) + 1 :]: system.cat_file(path) for path in system.find(root)}


def test_another_machine_goes_on_from_the_copy(
    own: Path, tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(own, tmp_path / "first", url) == 0
    assert stored(url) == files(tmp_path / "first")
    shutil.rmtree(tmp_path / "first")
    capsys.readouterr()

    assert run(own, tmp_path / "second", url, runs=3) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert f"2 finished runs fetched from {url}" in said
    assert "1 run played, 2 were finished before" in said
    assert stored(url) == files(tmp_path / "second")


def test_the_copy_of_another_plan_is_refused_and_left_alone(
    own: Path, tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(own, tmp_path / "golden", url, runs=1) == 0
    before = stored(url)
    for folder in ("idle", "idle"):
        code = run(own, tmp_path / folder, url, runs=1, agent="idle")
        assert (code, "agent was 'golden', is now 'idle'" in capsys.readouterr().err) == (2, True)
    assert stored(url) == before


def test_a_run_whose_verdict_is_not_there_yet_is_played_again(
    own: Path, tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(own, tmp_path / "first", url) == 0
    system, root = fsspec.core.url_to_fs(url)
    system.rm(f"{root}/{TASK}/2/verdict.json")
    system.makedirs(f"{root}/{TASK}/2/workspace", exist_ok=True)
    system.pipe_file(f"{root}/{TASK}/2/workspace/stale.txt", b"of an attempt before")
    system.makedirs(f"{root}/{TASK}/2/attempts/1", exist_ok=True)
    system.pipe_file(f"{root}/{TASK}/2/attempts/1/trace.jsonl", b"set aside")
    capsys.readouterr()

    assert run(own, tmp_path / "second", url) == 0
    assert "1 run played, 1 was finished before" in " ".join(capsys.readouterr().err.split())
    assert stored(url) == files(tmp_path / "second")
    assert stored(url)[f"{TASK}/2/attempts/1/trace.jsonl"] == b"set aside"
    assert f"{TASK}/2/workspace/stale.txt" not in stored(url)


def test_a_store_that_cannot_be_opened_says_what_is_missing(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(own, tmp_path / "runs", "nosuch://bucket/mine") == 2
    assert "nosuch://bucket/mine: cannot be opened" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()
