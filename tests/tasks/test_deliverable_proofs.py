"""Every deliverables task that ships is proved, and its faults.lock is that of today's proof."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.evidence.office import find_engine
from bythebook.task import Content

FOLDERS = Content().tasks("deliverables")
PROGRAM = Path(sys.executable).with_name("bythebook")


def proof(task: str) -> dict[str, Any]:
    command = [str(PROGRAM), "prove", "deliverables", "--task", task, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    (found,) = json.loads(done.stdout)["tasks"]
    return dict(found)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("task", FOLDERS)
def test_a_deliverables_task_is_proved(task: str) -> None:
    """About a hundred recalculations: the limit is for a slow machine that does other things."""
    if find_engine() is None:
        pytest.skip("LibreOffice is not installed; `bythebook doctor` names the command")
    found = proof(task)
    assert found["problems"] == []
    assert found["mutants"]["survived"] == 0
    assert found["proved"]
