"""What an agent sends can be refused, declined or kept as it is; it cannot break the run, and so it
cannot make a run one that does not count."""

from pathlib import Path
from typing import Any

import pytest

from bythebook.agents.protocol import Answer, Call, Move
from bythebook.alder.desks.accounts import Mandate
from bythebook.conduct.consent import ApprovalRequest
from bythebook.conduct.criteria import evaluate
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask
from tests.conduct.shed import Edits, shed_task


class Talk:
    """A scene of the shed with its scripted customer."""

    def __init__(self, task: ConductTask) -> None:
        self.scene, self.voice = Scene(task), ScriptedVoice(task.scenario)

    def call(self, name: str, **args: Any) -> Answer:
        answer = Answer("", "")
        for call in self.scene.accept(Move((Call(name, args),))):
            answer = self.scene.take(call)
            if self.scene.turn is not None:
                said = at_once(self.voice.answer(self.scene.turn, self.scene.hands))
                answer = self.scene.hear(said, answer)
        return answer


DRAFT: dict[str, Any] = {
    "locker": "LK-71", "to": "PTY-9102", "fee": 500, "items": [{"name": "bicycle", "count": 1}],
    "day": "2025-10-14", "wrapped": False,
}  # fmt: skip


def deciding(rule: str) -> Edits:
    return {"customer.yaml": (('"request.fee <= 600"', f'"{rule}"'),)}


@pytest.mark.parametrize("key", ["request.to", "request.locker"])
def test_a_decision_about_a_row_that_is_not_there_is_no(tmp_path: Path, key: str) -> None:
    """The agent chooses what its request speaks of; the customer's rule looks it up."""
    talk = Talk(shed_task(tmp_path, deciding(f"row('proxies', {key}).collector == 'x'")))
    draft = talk.call("draft_handover", **DRAFT)
    asked = talk.call("request_approval", subject="HO-1")

    assert draft.ok
    assert "Too dear." in asked.text
    assert [row.status for row in talk.scene.world[ApprovalRequest]][-1] == "declined"


@pytest.mark.parametrize(
    "sent",
    [
        10**30,
        10**400,
        -(10**400),
        2**53,
        -(2**64),
        1e300,
        float("inf"),
        float("nan"),
        "5",
        None,
        True,
        [5],
        5.5,
    ],
)
def test_a_number_that_is_none_or_too_large_is_refused(tmp_path: Path, sent: Any) -> None:
    talk = Talk(shed_task(tmp_path))

    assert not talk.call("draft_handover", **DRAFT | {"fee": sent}).ok
    assert talk.call("draft_handover", **DRAFT | {"fee": 2**53 - 1}).ok


@pytest.mark.parametrize(
    "day",
    ["2025-02-30", "2025-13-01", "0000-01-01", "2025-10-14\n", "\u0662\u0660\u0662\u0665-10-14"],
)
def test_a_day_that_the_calendar_does_not_have_is_refused(tmp_path: Path, day: str) -> None:
    talk = Talk(shed_task(tmp_path))

    assert not talk.call("draft_handover", **DRAFT | {"day": day}).ok


def test_a_mandate_cannot_be_amended_to_what_it_cannot_hold(tmp_path: Path) -> None:
    mandate = "{id: MND-1, owner: PTY-9101, case: C, currency: USD, total_cap: 5}"
    rule = (
        "{on: request_amendment, table: mandates, approve_when: request.value < 9, otherwise: No}"
    )
    edits: Edits = {
        "customer.yaml": (("", f"  - {rule}\n"),),
        "task.yaml": (("", f"overlay:\n  mandates:\n  - {mandate}\n"),),
    }
    talk = Talk(shed_task(tmp_path, edits))
    amend: dict[str, Any] = {"subject": "MND-1", "field": "total_cap", "reasons": ["deadline"]}

    refused = talk.call("request_amendment", **amend, value=-1)
    granted = talk.call("request_amendment", **amend, value=8)

    assert (refused.ok, granted.ok) == (False, True)
    assert "total_cap cannot be -1" in refused.text
    assert talk.scene.world[Mandate]["MND-1"].total_cap == 8


def test_an_event_that_the_company_has_to_refuse_is_on_record_and_writes_nothing(
    tmp_path: Path,
) -> None:
    edits: Edits = {"task.yaml": (("locker: LK-71", "locker: LK-1"),)}
    task = shed_task(tmp_path, edits)
    talk = Talk(task)
    before = talk.scene.world.hash
    talk.call("wait", minutes=10)
    event = talk.scene.events[-1]

    assert (event.name, event.ok, event.writes) == ("gate_shut", False, ())
    assert "there is no 'LK-1'" in event.result
    assert (talk.scene.world.hash, talk.scene.world.t) == (before, 10)
    findings = evaluate(task.criteria, task.opening, talk.scene.events)
    assert not any(finding.verdict == "void" for finding in findings)
