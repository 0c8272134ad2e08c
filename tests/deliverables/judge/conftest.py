from pathlib import Path

import pytest

from bythebook.deliverables.judge.submission import Submission
from tests.deliverables.judge.handed_over import submitted


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    return submitted(tmp_path)
