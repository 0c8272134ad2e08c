import pytest

from bythebook.conduct.task import ConductTask
from tests.conduct.customer.table import table_task


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def task(tmp_path_factory: pytest.TempPathFactory) -> ConductTask:
    """The lockers of `table.py`; not to be changed."""
    return table_task(tmp_path_factory.mktemp("table"))
