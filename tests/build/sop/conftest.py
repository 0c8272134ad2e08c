import shutil
from pathlib import Path

import pytest

from tests.build.sop.firm import Desk, papers


@pytest.fixture(scope="session")
def first_papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return papers(tmp_path_factory.mktemp("firm") / "papers")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, first_papers: Path) -> Desk:
    """Everything built and handed over; not to be changed."""
    desk = Desk(tmp_path_factory.mktemp("built"))
    shutil.copytree(first_papers, desk.sources)
    assert desk.go_on() == 0
    return desk


@pytest.fixture
def desk(tmp_path: Path, first_papers: Path) -> Desk:
    """The papers alone."""
    desk = Desk(tmp_path)
    shutil.copytree(first_papers, desk.sources)
    return desk


@pytest.fixture
def done(tmp_path: Path, built: Desk) -> Desk:
    """Everything built, to be changed."""
    shutil.copytree(built.root, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)
