from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from tests.own import own_content, own_task


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A content folder with one small task; not to be changed."""
    return own_content(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="session")
def task(own: Path) -> ConductTask:
    return own_task(own)
