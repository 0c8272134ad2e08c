from collections.abc import Iterator
from pathlib import Path

import pytest

from bythebook.sandbox.layout import Kind
from bythebook.sandbox.machine import trouble
from tests.sandbox.caged import KINDS, Now


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Iterator[Kind]:
    """Every kind that this machine can have, one after another."""
    why = trouble(request.param)
    if why:
        pytest.skip(f"no {request.param} here: {why}")
    before, Now.kind = Now.kind, request.param
    yield request.param
    Now.kind = before
