"""`bythebook judge --audit`: a judge tried on a task's own references and faults."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.judging import Ask, Tell, gives, verdict
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


def test_an_audit_by_hand_is_blind_and_counts_what_was_answered(
    proved: Path, ask: Ask, say: Tell, tmp_path: Path
) -> None:
    words = ("judge", "tried", "--audit", "--judge", "hand:mine", "--task", TASK, "--no-pictures")
    given = (*words, "--content", proved, "--repeats", "1", "--item", "R4")
    code, _, says = say(*given)
    assert (code, "2 items wait for an answer in mine" in says) == (0, True), says
    places = sorted((tmp_path / "mine" / TASK).iterdir())
    assert [place.name for place in places] == ["1", "2"]
    told = [path.read_text() for path in tmp_path.glob("mine/**/*.md")]
    told += [path.name for path in (tmp_path / "mine").rglob("*")]
    assert not any("no_note" in text or "reference" in text for text in told)
    for place in places:
        whole = (place / "shared" / "results" / "note.docx").exists()
        (place / "R4" / "answer.json").write_text(json.dumps(verdict() if whole else absent()))
    code, found = ask(*given)
    assert (code, found["waiting"], found["sessions"]) == (0, 0, 2)
    overall = found["audit"]["overall"]
    assert overall["sensitivity"] == overall["specificity"] == {"of": 1, "hit": 1}
    assert found["audit"]["judge"] == "hand:mine"
    again, found = ask(*given)
    assert (again, found["sessions"], found["audit"]["overall"]) == (0, 0, overall)


def test_an_audit_by_hand_asks_in_no_order(proved: Path, say: Tell, tmp_path: Path) -> None:
    words = ("judge", "tried", "--audit", "--judge", "hand:mine", "--task", TASK, "--no-pictures")
    say(*words, "--content", proved, "--repeats", "6", "--item", "R4")
    places = (tmp_path / "mine" / TASK).iterdir()
    broken = {int(one.name) for one in places if not (one / "shared/results/note.docx").exists()}
    # One of 924 orders has all references before the faults.
    assert len(broken) == 6
    assert broken != {7, 8, 9, 10, 11, 12}


def absent() -> dict[str, Any]:
    """What to say where the note is missing."""
    searched = {"evidence": [{"at": "pay.xlsx"}], "searched": ["all files"]}
    return verdict("fail", **searched)


def test_an_answer_to_an_audit_that_does_not_read_is_named(
    proved: Path, say: Tell, tmp_path: Path
) -> None:
    words = ("judge", "tried", "--audit", "--judge", "hand:mine", "--task", TASK, "--no-pictures")
    given = (*words, "--content", proved, "--repeats", "1", "--item", "R4")
    say(*given)
    (tmp_path / "mine" / TASK / "1" / "R4" / "answer.json").write_text("{}")
    code, _, says = say(*given)
    assert (code, "R4/answer.wrong.txt says why" in says) == (1, True)
