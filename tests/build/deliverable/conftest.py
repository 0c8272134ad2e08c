import os
import shutil
from pathlib import Path

import pytest

from bythebook.deliverables.evidence.office import find_engine
from bythebook.run.durable import only_one
from tests.build.deliverable.story import tell, walk

PATIENCE = 300.0
"""Seconds that a worker waits for the one that makes what all share."""


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records, runs and proof of a task, nothing decided; not to be changed. Gives their root.

    Made once for all workers: it takes three runs and a proof.
    """
    if find_engine() is None:
        pytest.skip("LibreOffice is not installed; `bythebook doctor` says how")
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    root = shared / "building"
    with only_one(shared / "building-lock", patience=PATIENCE):
        if not (root / "done").exists():
            shutil.rmtree(root, ignore_errors=True)
            root.mkdir()
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("XDG_CACHE_HOME", str(root / "cache"))
                tell(root)
            (root / "done").touch()
    return root


@pytest.fixture(scope="session")
def through(told: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, through all gates; not to be changed."""
    root = tmp_path_factory.mktemp("through") / "root"
    shutil.copytree(told, root)
    walk(root / "place")
    return root


@pytest.fixture
def place(told: Path, tmp_path: Path) -> Path:
    """A place of one's own, nothing decided."""
    shutil.copytree(told, tmp_path / "root")
    return tmp_path / "root" / "place"


@pytest.fixture
def finished(through: Path, tmp_path: Path) -> Path:
    """A place of one's own, through all gates."""
    shutil.copytree(through, tmp_path / "root")
    return tmp_path / "root" / "place"
