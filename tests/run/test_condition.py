"""Conditions hand over or switch off what their name says, and leave the company alone."""

import difflib
import json
from pathlib import Path
from typing import Any

import pytest

from bythebook.agents.protocol import Briefing
from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.task import ConductTask
from bythebook.errors import UsageError
from bythebook.run.agents import Scripted
from bythebook.run.condition import condition
from bythebook.run.plan import Under
from bythebook.trace import read_trace
from tests.own import TASK
from tests.run.playing import play

ADDS = {
    "gold-docs": ["# Visitor pass policy", "# Reception desk manual"],
    "full-disclosure": ["# What the customer knows", "- She arrives"],
    "golden-trace": ["# One right way to do this task", '- t=1 `issue_pass` {"pass_id":"VP-3"}'],
    "events": ["- 2025-10-14, 16:00 (t=10): `passes_printed`"],
    "without:documents": ["- Documents can neither be searched nor read."],
    "without:records": ["- Records cannot be listed."],
    "without:sop": ["It is not to be had in this run."],
    "without:tool-search": ["- Business tools cannot be searched"],
}
"""Condition to lines that an agent sees under it and under no other."""
TAKES = {
    "without:documents": {"search_documents", "read_document"},
    "without:records": {"query_records"},
    "without:tool-search": {"search_tools"},
}


def lines(briefing: Briefing) -> list[str]:
    """All an agent sees, as text."""
    tools = [f"tool {t.name} {json.dumps((t.doc, t.schema))}" for t in briefing.tools]
    return [*briefing.instructions.splitlines(), *briefing.request.splitlines(), *tools]


def diff(task: ConductTask, name: str) -> tuple[str, str]:
    """What the condition adds to the default briefing, and what it takes away."""
    default, other = (lines(condition(n).briefing(task)) for n in ("default", name))
    changes = [line for line in difflib.ndiff(default, other) if line[0] in "+-"]
    added, taken = ("\n".join(c[2:] for c in changes if c[0] == sign) for sign in "+-")
    return added, taken


def events(folder: Path) -> list[dict[str, Any]]:
    journal = (folder / TASK / "1" / "trace.jsonl").read_bytes().splitlines()
    return [json.loads(line) for line in journal[1:-1]]


@pytest.mark.parametrize("name", ADDS)
def test_a_condition_adds_its_own_and_nothing_of_another(task: ConductTask, name: str) -> None:
    added, _ = diff(task, name)

    for other, wanted in ADDS.items():
        for line in wanted:
            assert (line in added) == (other == name), f"{line!r} under {name}"


@pytest.mark.parametrize("name", ADDS)
def test_a_condition_takes_away_the_tools_of_what_it_switches_off_and_nothing_else(
    task: ConductTask, name: str
) -> None:
    _, taken = diff(task, name)
    tools = {line.split()[1] for line in taken.splitlines() if line.startswith("tool ")}
    rest = [line for line in taken.splitlines() if line and not line.startswith("tool ")]

    assert tools == TAKES.get(name, set())
    assert all(name == "without:sop" for _ in rest)
    assert bool(rest) == (name == "without:sop")


def test_conditions_add_up(task: ConductTask) -> None:
    name = "gold-docs+events+without:records+tool-search"
    added, taken = diff(task, name)

    assert condition(name).name == name
    for part in ("gold-docs", "events", "without:records", "without:tool-search"):
        assert all(line in added for line in ADDS[part])
    assert "query_records" in taken
    assert "search_tools" in taken
    assert "Six hours." not in added


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("default", "default"),
        ("default+gold-docs", "gold-docs"),
        ("full-disclosure+gold-docs", "gold-docs+full-disclosure"),
        ("without:tool-search+without:documents", "without:documents+tool-search"),
        ("without:sop+events", "events+without:sop"),
    ],
)
def test_one_condition_has_one_name(name: str, one: str) -> None:
    assert condition(name).name == one
    assert condition(one) == condition(name)


@pytest.mark.parametrize("name", ["default", *ADDS, "gold-docs+full-disclosure"])
def test_the_company_is_the_same_under_every_condition(
    task: ConductTask, tmp_path: Path, name: str
) -> None:
    play(task, Scripted("idle"), tmp_path, under=Under(condition(name)))

    header = read_trace(tmp_path / TASK / "1" / "trace.jsonl").header
    found = events(tmp_path)
    assert header.condition == name
    assert header.scene == SceneFile.build(task).sha
    assert found[0]["h"] == f"{task.opening.hash:032x}"
    assert [e["name"] for e in found if e["kind"] == "event"] == ["passes_printed"]
    # Only papers that the customer brings along are rows; this customer brings none.
    assert {e["h"] for e in found if e["t"] == 0} == {found[0]["h"]}


def test_what_the_customer_knows_counts_as_told_when_it_is_handed_over(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("golden"), tmp_path, under=Under(condition("full-disclosure")))

    found = events(tmp_path)
    first_call = next(i for i, event in enumerate(found) if event["kind"] == "call")
    told = {e["args"]["fact"] for e in found[:first_call] if e["name"] == "recall"}
    assert told == set(task.scenario.facts)


def test_a_source_that_is_switched_off_refuses(task: ConductTask, tmp_path: Path) -> None:
    without = Under(condition("without:tool-search+documents+records+sop"))
    play(task, Scripted("golden"), tmp_path, under=without)

    refused = {event["name"] for event in events(tmp_path) if event.get("ok") is False}
    assert refused == {"search_documents", "read_document", "search_tools", "query_records"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gold-doc", "did you mean 'gold-docs'"),
        ("without:document", "did you mean 'documents'"),
        ("without", "no condition 'without'"),
        ("gold-docs+document", "no condition 'document'"),
        ("documents", "no condition 'documents'"),
        ("", "no condition ''"),
    ],
)
def test_an_unknown_condition_is_answered_with_the_nearest(name: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        condition(name)
    assert says in str(refused.value)
