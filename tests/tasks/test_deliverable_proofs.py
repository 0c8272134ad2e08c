"""Every deliverables task that ships is proved, and its faults.lock is that of today's proof."""

import pytest

from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.proof import prove_task
from bythebook.deliverables.task import load_tasks
from bythebook.task import Content

FOLDERS = Content().tasks("deliverables")


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("task", FOLDERS)
def test_a_deliverables_task_is_proved(task: str) -> None:
    """About a hundred recalculations: the limit is for a slow machine that does other things."""
    engine = find_engine()
    if engine is None:
        pytest.skip("LibreOffice is not installed; `bythebook doctor` names the command")
    tasks = load_tasks(Content())
    (one,) = (known for known in tasks if known.id == task)
    proof = prove_task(one, engine=engine, others=tasks)
    assert proof.problems == ()
    assert proof.survivors == ()
    assert proof.proved
