import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bythebook.cli import answer
from bythebook.deliverables.evidence.office import find_engine
from tests.deliverables.own_task import TASK, hand_over, own_task
from tests.model_server import ModelServer
from tests.own import own_content

MILEAGE = "biz-90-mileage"
"""The scaffold of a deliverables task, under this id."""
PLACE = Path("tasks/deliverables") / MILEAGE
Said = tuple[int, str, str]
"""Exit code, stdout, stderr."""


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A content folder with one small task; not to be changed."""
    return own_content(tmp_path_factory.mktemp("own"))


@pytest.fixture
def say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Give a command in an empty folder; what came of it."""
    monkeypatch.chdir(tmp_path)

    def said(*words: str | Path) -> Said:
        capsys.readouterr()
        code = answer([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, " ".join(err.split())

    return said


@pytest.fixture
def ask(say: Callable[..., Said]) -> Callable[..., tuple[int, Any]]:
    """Give a command with --json; its code and its one document."""

    def asked(*words: str | Path) -> tuple[int, Any]:
        code, out, _ = say(*words, "--json")
        return code, json.loads(out)

    return asked


@pytest.fixture(scope="session")
def read_before(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cache of these tests' own: what one has read of the shipped tasks, none reads again."""
    return str(tmp_path_factory.getbasetemp() / "read-before")


@pytest.fixture
def folder(
    say: Callable[..., Said], tmp_path: Path, read_before: str, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The scaffold's task folder, fresh."""
    monkeypatch.setenv("XDG_CACHE_HOME", read_before)
    code, _, err = say("new", "task", MILEAGE, "--suite", "deliverables", "--to", "mine")
    assert code == 0, err
    return tmp_path / "mine" / PLACE


@pytest.fixture
def no_office(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine without LibreOffice."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    find_engine.cache_clear()
    yield
    find_engine.cache_clear()


# --- a run to be judged --------------------------------------------------------------------------


@pytest.fixture(scope="session")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task with two checked items, one screened and one that is only judged."""
    root = tmp_path_factory.mktemp("content")
    hand_over(own_task(root).folder / "reference")
    return root


@pytest.fixture
def runs(content: Path, say: Callable[..., Said], tmp_path: Path) -> Path:
    """One run of it that handed over the reference."""
    words = ["run", "deliverables", "--task", TASK, "--agent", "reference", "--runs", "1"]
    code, _, says = say(*words, "--to", "runs", "--content", content)
    assert code == 0, says
    return tmp_path / "runs"


@pytest.fixture
def by(content: Path) -> Callable[..., tuple[str | Path, ...]]:
    """The words that put `runs` before a scripted model."""

    def words(server: ModelServer, *more: str) -> tuple[str | Path, ...]:
        judge = ("judge", "runs", "--judge", "model:local:scripted")
        return (*judge, "--base-url", f"{server.url}/v1", "--content", content, *more)

    return words
