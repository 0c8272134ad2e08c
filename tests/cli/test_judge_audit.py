"""`bythebook judge --audit`: a judge tried on a task's own references and faults."""

import json
from pathlib import Path

import pytest

from tests.cli.judging import Ask, Tell, gives
from tests.deliverables.own_task import TASK, hand_over, own_task
from tests.model_server import Asked, ModelServer, Say

FAULTS = """
no_note:
  kind: damage
  says: There is no note.
  edits: [{drop_file: {file: note.docx}}]
  fails: [R3]
  judged: [R4]
  spares: [R2]
"""


@pytest.fixture(scope="session")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same task with a fault."""
    root = tmp_path_factory.mktemp("proved")
    folder = own_task(root).folder
    hand_over(folder / "reference")
    (folder / "faults.yaml").write_text(FAULTS)
    return root


def audit(server: ModelServer, content: Path, *more: str) -> tuple[str | Path, ...]:
    judge = ("judge", "tried", "--audit", "--judge", "model:local:scripted")
    return (*judge, "--base-url", f"{server.url}/v1", "--content", content, "--task", TASK, *more)


def lenient(asked: Asked) -> Say:
    """Passes everything; where there is no note it shows the workbook."""
    if "note.docx (docx" in str(asked.messages[1]["content"]):
        return gives()
    return gives(evidence=[{"at": "pay.xlsx#Pay!B2", "reads": "100.25"}])


def test_a_judge_is_tried_on_references_and_faults(
    proved: Path, ask: Ask, say: Tell, tmp_path: Path
) -> None:
    with ModelServer(lenient) as server:
        code, told = ask(*audit(server, proved, "--repeats", "2"))
        # Of the reference four items, of the fault the two it breaks and the one it spares.
        assert (code, server.count) == (0, 2 * (4 + 3))
        again, _, says = say(*audit(server, proved, "--repeats", "2"))
        assert (again, server.count) == (0, 14)
    overall = told["audit"]["overall"]
    assert overall["sensitivity"] == {"of": 4, "hit": 0}
    assert overall["specificity"] == {"of": 10, "hit": 10}
    assert overall["flips"] == {"of": 7, "hit": 0}
    assert "0.0 % of 4" in says
    assert (tmp_path / "tried" / TASK / "fault-no_note" / "results" / "pay.xlsx").exists()
    assert json.loads((tmp_path / "tried" / "audit.json").read_text())["audit"] == told["audit"]


def test_an_audit_of_some_items_asks_of_no_others(proved: Path, ask: Ask) -> None:
    with ModelServer(lenient) as server:
        _, told = ask(*audit(server, proved, "--repeats", "1", "--item", "R4"))
        assert server.count == 2
    assert told["audit"]["overall"]["items"] == 2


def test_an_audit_is_not_asked_of_a_hand(say: Tell, proved: Path) -> None:
    code, _, says = say("judge", "x", "--judge", "hand:a", "--audit", "--content", proved)
    assert (code, "asks a model" in says) == (2, True)
