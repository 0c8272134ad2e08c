"""Every task that ships is proved, and its kill table is the one that its proof gives today."""

from pathlib import Path

import pytest

from bythebook.conduct.prove import prove_task, write_kill_table
from bythebook.conduct.prove.proof import KILL_TABLE
from bythebook.task import Content
from tests.tasks.shipped import shipped_task

FOLDERS = Content().tasks("conduct")


@pytest.mark.parametrize("task", FOLDERS)
def test_a_task_is_proved(task: str, tmp_path: Path) -> None:
    """The table of kills is of the same proof: in two tests, two workers would prove twice."""
    found = prove_task(shipped_task(task))

    assert found.problems == ()
    assert found.survivors == ()
    assert found.proved
    shipped = FOLDERS[task] / KILL_TABLE
    assert shipped.is_file(), "`bythebook prove conduct --write` writes it"
    assert write_kill_table(found, tmp_path).read_bytes() == shipped.read_bytes()
