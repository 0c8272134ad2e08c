"""The agents that need no model: each does what its name says, and none waits for anything."""

from pathlib import Path

import pytest

from bythebook.conduct.criteria import SceneFile, evaluate
from bythebook.conduct.golden.cast import scripted_agent
from bythebook.conduct.play import rehearse
from bythebook.errors import UsageError
from bythebook.trace import Event
from bythebook.verdict import Finding
from tests.conduct.shed import shed_task


def played(tmp_path: Path, name: str) -> tuple[list[Event], dict[str, Finding]]:
    task = shed_task(tmp_path)
    scene = rehearse(task, scripted_agent(name, task))
    file = SceneFile.build(task)
    findings = evaluate(file.criteria, file, scene.events)
    return scene.events, {finding.id: finding for finding in findings}


def broken(findings: dict[str, Finding]) -> set[str]:
    return {name for name, finding in findings.items() if finding.verdict != "pass"}


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("golden", set()),
        ("shortcut", {"P2"}),
        ("counterexample:night_keeper", {"P1"}),
        ("counterexample:drafts_first", set()),
        ("idle", {"G1"}),
        ("refuse", {"G1"}),
        ("agree", {"G1"}),
        ("dump", {"G1"}),
        ("stop-at-yes", {"G1"}),
    ],
)
def test_an_agent_breaks_what_its_name_says(tmp_path: Path, name: str, rules: set[str]) -> None:
    _, findings = played(tmp_path, name)
    assert broken(findings) == rules


def test_dump_looks_at_everything_and_writes_nothing_but_messages(tmp_path: Path) -> None:
    events, _ = played(tmp_path, "dump")
    by_agent = [event for event in events if event.actor == "agent"]
    assert {w.table for event in by_agent for w in event.writes} == {"messages"}
    called = {event.name for event in by_agent}
    assert {"search_documents", "read_document", "search_tools", "describe_tool"} <= called
    assert {"query_records", "look_into_locker", "message_customer"} <= called
    read = {event.args["id"] for event in by_agent if event.name == "read_document"}
    assert "shed-rules" in read


def test_dump_is_never_cut_off_by_its_own_refusals(tmp_path: Path) -> None:
    task = shed_task(tmp_path)
    scene = rehearse(task, scripted_agent("dump", task))
    assert str(scene.outcome) in ("completed(finished)", "completed(customer_left)")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("goldn", "did you mean 'golden'?"),
        ("golden:fast", "there are none"),
        ("counterexample:night_keepr", "did you mean 'night_keeper'?"),
        ("stop_at_yes", "did you mean 'stop-at-yes'?"),
    ],
)
def test_an_unknown_agent_is_refused_with_the_nearest_name(
    tmp_path: Path, name: str, says: str
) -> None:
    with pytest.raises(UsageError) as error:
        scripted_agent(name, shed_task(tmp_path))
    assert says in str(error.value)
