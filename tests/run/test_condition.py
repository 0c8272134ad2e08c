"""Conditions hand over, or switch off, exactly what their name says."""

import json
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import UsageError
from bythebook.run.agents import Scripted
from bythebook.run.condition import condition
from bythebook.run.plan import Under
from tests.own import TASK
from tests.run.playing import play

POLICY, HOURS = "# Visitor pass policy", "Six hours."


@pytest.mark.parametrize(
    ("name", "policy", "hours"),
    [("default", False, False), ("gold-docs", True, False), ("full-disclosure", True, True)],
)
def test_what_is_handed_over(task: ConductTask, name: str, policy: bool, hours: bool) -> None:
    handed = condition(name).handed(task)

    assert (POLICY in handed, HOURS in handed) == (policy, hours)
    assert "visitor-pass-policy-v1 ·" not in handed


def test_what_the_customer_knows_counts_as_told_when_it_is_handed_over(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("golden"), tmp_path, under=Under(condition("full-disclosure")))

    lines = (tmp_path / TASK / "1" / "trace.jsonl").read_bytes().splitlines()
    events = [json.loads(line) for line in lines[1:-1]]
    first_call = next(i for i, event in enumerate(events) if event["kind"] == "call")
    told = {e["args"]["fact"] for e in events[:first_call] if e["name"] == "recall"}
    assert told == set(task.scenario.facts)


def test_a_source_that_is_switched_off_refuses(task: ConductTask, tmp_path: Path) -> None:
    without = Under(condition("without:tool-search+documents"))
    play(task, Scripted("golden"), tmp_path, under=without)

    lines = (tmp_path / TASK / "1" / "trace.jsonl").read_bytes().splitlines()
    events = [json.loads(line) for line in lines[1:-1]]
    refused = {event["name"] for event in events if event.get("ok") is False}
    assert refused == {"search_documents", "read_document", "search_tools"}
    assert json.loads(lines[0])["condition"] == "without:documents+tool-search"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gold-doc", "did you mean 'gold-docs'"),
        ("without:document", "did you mean 'documents'"),
        ("without", "no condition 'without'"),
    ],
)
def test_an_unknown_condition_is_answered_with_the_nearest(name: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        condition(name)
    assert says in str(refused.value)
