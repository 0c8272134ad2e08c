from pathlib import Path

import pytest

from bythebook.report.data import Evaluations, read_evaluations
from tests.report.simulated import Size, conduct, deliverables


@pytest.fixture(scope="session")
def conducted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three evaluations of conduct: 20 tasks, three runs each. Not to be changed."""
    root = tmp_path_factory.mktemp("conducted")
    conduct(root, Size(models=3, tasks=20, runs=3), shipped=3)
    return root


@pytest.fixture(scope="session")
def delivered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three evaluations of deliverables: 20 tasks, three runs each. Not to be changed."""
    root = tmp_path_factory.mktemp("delivered")
    deliverables(root, Size(models=3, tasks=20, runs=3))
    return root


@pytest.fixture(scope="session")
def both(conducted: Path, delivered: Path) -> Evaluations:
    return read_evaluations([conducted, delivered])
