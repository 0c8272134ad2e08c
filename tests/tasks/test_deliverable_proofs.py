"""Every deliverables task that ships is proved, and its faults.lock is that of today's proof."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.evidence.office import find_engine
from bythebook.task import Content

FOLDERS = Content().tasks("deliverables")
PROGRAM = Path(sys.executable).with_name("bythebook")
AT_ONCE = 2
"""A proof waits for LibreOffice half of its time."""


def proof(task: str) -> dict[str, Any]:
    command = [str(PROGRAM), "prove", "deliverables", "--task", task, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    (found,) = json.loads(done.stdout)["tasks"]
    return dict(found)


@pytest.fixture(scope="module")
def proofs(request: pytest.FixtureRequest) -> Iterator[dict[str, Future[dict[str, Any]]]]:
    """Those that were asked for, begun together."""
    here = Path(__file__)
    asked = [item.callspec.params["task"] for item in _items(request) if item.path == here]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {task: pool.submit(proof, task) for task in asked}


def _items(request: pytest.FixtureRequest) -> list[Any]:
    """Tests that this session runs; only parametrised ones have a `callspec`."""
    return list(request.session.items)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("task", FOLDERS)
def test_a_deliverables_task_is_proved(
    task: str, proofs: dict[str, Future[dict[str, Any]]]
) -> None:
    """About a hundred recalculations: the limit is for a slow machine that does other things."""
    if find_engine() is None:
        pytest.skip("LibreOffice is not installed; `bythebook doctor` names the command")
    found = proofs[task].result()
    assert found["problems"] == []
    assert found["mutants"]["survived"] == 0
    assert found["proved"]
