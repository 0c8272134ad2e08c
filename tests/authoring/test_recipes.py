"""Every shipped task is what its recipe builds, wherever and whenever it is built."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from authoring.build import TASKS, recipes

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = [task for task in recipes() if (TASKS / task / "task.yaml").exists()]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("task", SHIPPED)
def test_the_shipped_folder_is_what_the_recipe_builds(task: str, tmp_path: Path) -> None:
    """In another zone, under another hash seed, from another folder. Compares unpacked parts.

    Thirty scanned pages take half a minute: the limit is for a slow machine that does other things.
    """
    other = {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        [sys.executable, "-m", "authoring", "check", task],
        cwd=tmp_path,
        env={**os.environ, **other},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_every_shipped_task_has_a_recipe() -> None:
    there = [path.parent.name for path in TASKS.glob("*/task.yaml")]
    assert sorted(there) == sorted(SHIPPED)
