from pathlib import Path

import pytest

from bythebook.deliverables.task import DeliverableTask
from tests.deliverables.stall import stall


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def task(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    """A small deliverables task, in a content folder of its own."""
    return stall(tmp_path_factory.mktemp("stall"))


@pytest.fixture(scope="session")
def own(task: DeliverableTask) -> Path:
    """Its content folder."""
    return task.folder.parents[2]
