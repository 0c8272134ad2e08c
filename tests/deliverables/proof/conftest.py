"""The stall's task, and LibreOffice where it is."""

import pytest

from bythebook.deliverables.evidence.office import Engine, find_engine
from bythebook.deliverables.task import DeliverableTask
from tests.deliverables.stall import stall


@pytest.fixture
def task(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    return stall(tmp_path_factory.mktemp("stall"))


@pytest.fixture(scope="session")
def engine() -> Engine:
    found = find_engine()
    if found is None:
        pytest.skip("LibreOffice is not installed")
    return found
