from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.deliverables.task import DeliverableTask
from bythebook.interop.harbor.export import Terms, export
from tests.deliverables.own_task import hand_over, own_task
from tests.interop.harbor.boxed import Trial
from tests.interop.harbor.theirs import Said, said


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    """A task of two checked items, one screened and one that only a judge decides."""
    task = own_task(tmp_path_factory.mktemp("content"))
    hand_over(task.reference)
    return own_task(task.folder.parents[2])


@pytest.fixture(scope="session")
def exported(own: DeliverableTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder for Harbor; not to be changed."""
    return Path(export(own, tmp_path_factory.mktemp("harbor"), Terms()).folder)


@pytest.fixture
def trial(exported: Path, tmp_path: Path) -> Trial:
    return Trial.of(exported, tmp_path)


@pytest.fixture
def say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Give a command in an empty folder; what came of it."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: said(capsys, *words)
