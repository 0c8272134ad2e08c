"""Every task that ships is proved, and its kill table is the one that its proof gives today."""

from functools import cache
from pathlib import Path

import pytest

from bythebook.conduct.prove import Proof, prove_task, write_kill_table
from bythebook.conduct.prove.proof import KILL_TABLE
from bythebook.task import Content
from tests.tasks.shipped import shipped_task

FOLDERS = Content().tasks("conduct")


@cache
def proof(task: str) -> Proof:
    return prove_task(shipped_task(task))


@pytest.mark.parametrize("task", FOLDERS)
def test_a_task_is_proved(task: str) -> None:
    found = proof(task)
    assert found.problems == ()
    assert found.survivors == ()
    assert found.proved


@pytest.mark.parametrize("task", FOLDERS)
def test_a_kill_table_is_current(task: str, tmp_path: Path) -> None:
    shipped = FOLDERS[task] / KILL_TABLE
    assert shipped.is_file(), "`bythebook prove conduct --write` writes it"
    assert write_kill_table(proof(task), tmp_path).read_bytes() == shipped.read_bytes()
