"""Steps are played one by one; references are filled from what was answered, or was once."""

from pathlib import Path

from bythebook.conduct.golden.agent import result_in
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.rehearsal import enact
from bythebook.trace import Event
from tests.conduct.shed import shed_task


def named(events: list[Event], name: str) -> list[Event]:
    return [event for event in events if event.kind == "call" and event.name == name]


def test_a_reference_is_filled_with_what_the_step_was_answered(tmp_path: Path) -> None:
    scripts = Scripts(shed_task(tmp_path))
    scene, agent = enact(scripts.task, scripts.goldens[""].script())
    (taken,) = named(scene.events, "do_handover")
    assert taken.args == {"handover": "HO-3"}
    assert agent.results["draft"]["id"] == "HO-3"
    (drafted,) = named(scene.events, "draft_handover")
    assert drafted.args["to"] == "PTY-9102"
    assert drafted.args["items"] == [{"name": "bicycle", "count": 1}, {"name": "lamp", "count": 2}]


def test_a_step_that_was_left_out_is_quoted_as_the_golden_knew_it(tmp_path: Path) -> None:
    scripts = Scripts(shed_task(tmp_path))
    steps = tuple(step for step in scripts.goldens[""].script() if step.id != "draft")
    scene, _ = enact(scripts.task, steps, scripts.rehearsal().results)
    (taken,) = named(scene.events, "do_handover")
    assert taken.args == {"handover": "HO-3"}
    assert not taken.ok


def test_an_answer_is_json_in_its_first_line_or_a_text() -> None:
    assert result_in('{"id":"HO-3"}\nThe customer: Fine.') == {"id": "HO-3"}
    assert result_in("# A document\n\nwith lines") == "# A document\n\nwith lines"


def test_the_first_consent_of_the_customer_is_known(tmp_path: Path) -> None:
    assert Scripts(shed_task(tmp_path)).rehearsal().consent == "ask"
