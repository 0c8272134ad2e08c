"""A run by hand is a run like any other: same trace, same verdict, and it can be left and gone on
with at any byte."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import TraceError, UsageError
from bythebook.run.agents import Scripted
from bythebook.run.condition import condition
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Under
from bythebook.run.score import rescore
from bythebook.serve.hand import BY_HAND, Hand, begin, hand
from tests.own import TASK, own_content, own_task
from tests.run.playing import play
from tests.serve.hands import GoldenHand, new_run, seated

CUTS = 23
"""Places in a journal at which a process is supposed to have been killed."""


def test_a_golden_by_hand_leaves_the_trace_and_the_verdict_of_the_golden(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("golden"), tmp_path / "golden")
    place = new_run(task, tmp_path / "hand")
    with seated(task, place) as session:
        last = GoldenHand(task).play(session)

    golden = EvaluationFolder(tmp_path / "golden").run(TASK, 1)
    by_hand, by_golden = (
        found.trace.read_bytes().replace(b'"agent":"golden"', b'"agent":"hand"').splitlines()
        for found in (place, golden)
    )
    assert last is not None
    assert last.outcome == "completed(finished)"
    assert by_hand == by_golden
    verdict = json.loads(place.verdict.read_bytes())
    assert (verdict["agent"], verdict["strict"]) == ("hand", True)
    assert rescore(EvaluationFolder(tmp_path / "hand")).changed == ()


def test_a_session_for_every_call_leaves_the_same_bytes(task: ConductTask, tmp_path: Path) -> None:
    at_once, by_one = new_run(task, tmp_path / "a"), new_run(task, tmp_path / "b")
    with seated(task, at_once) as session:
        GoldenHand(task).play(session)
    player, over = GoldenHand(task), False
    while not over:
        with seated(task, by_one) as session:
            player.play(session, calls=1)
            over = session.outcome is not None

    assert by_one.trace.read_bytes() == at_once.trace.read_bytes()
    assert by_one.verdict.read_bytes() == at_once.verdict.read_bytes()


@pytest.mark.parametrize("cut", range(1, CUTS))
def test_a_journal_cut_anywhere_is_gone_on_with(
    task: ConductTask, tmp_path: Path, cut: int
) -> None:
    place, player = new_run(task, tmp_path), GoldenHand(task)
    with seated(task, place) as session:
        player.play(session)
    whole, verdict = place.trace.read_bytes(), place.verdict.read_bytes()
    head = whole.index(b"\n") + 1
    place.trace.write_bytes(whole[: head + (len(whole) - head) * cut // CUTS])
    place.verdict.unlink()

    with seated(task, place) as session:
        for call in player.made[session.view().calls :]:
            session.call(call.name, call.args)

    assert place.trace.read_bytes() == whole
    assert place.verdict.read_bytes() == verdict


def test_a_run_killed_before_its_closing_line_is_closed_when_it_is_next_looked_at(
    task: ConductTask, tmp_path: Path
) -> None:
    place = new_run(task, tmp_path)
    with seated(task, place) as session:
        GoldenHand(task).play(session)
    whole = place.trace.read_bytes()
    place.trace.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 1])
    place.verdict.unlink()

    with seated(task, place) as session:
        assert session.view().outcome == "completed(finished)"
    assert place.trace.read_bytes() == whole
    assert place.verdict.exists()


def test_a_journal_that_was_changed_is_refused_and_the_event_is_named(
    task: ConductTask, tmp_path: Path
) -> None:
    place = new_run(task, tmp_path)
    with seated(task, place) as session:
        GoldenHand(task).play(session, calls=13)
    told = place.trace.read_text().replace('"hours":6', '"hours":5', 1)
    place.trace.write_text(told)

    with pytest.raises(TraceError, match=r"event \d+ would be another one today"):
        seated(task, place).__enter__()
    assert place.trace.read_text() == told


def test_a_task_that_changed_since_is_refused_by_name(tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    place = new_run(own_task(own), tmp_path / "runs")
    path = own / "tasks" / "conduct" / TASK / "task.yaml"
    path.write_text(path.read_text() + "# a word\n")

    with pytest.raises(UsageError, match=f"task {TASK} has changed since"):
        seated(own_task(own), place).__enter__()


def test_a_run_that_is_over_takes_no_more_calls_and_still_shows_itself(
    task: ConductTask, tmp_path: Path
) -> None:
    place = new_run(task, tmp_path)
    with seated(task, place) as session:
        session.call("finish", {})
    before = place.trace.read_bytes()

    with seated(task, place) as session:
        assert session.view().outcome == "completed(finished)"
        with pytest.raises(UsageError, match=r"the run is over: completed\(finished\)"):
            session.call("now", {})
    assert place.trace.read_bytes() == before


def test_whatever_is_asked_by_hand_is_data(task: ConductTask, tmp_path: Path) -> None:
    place = new_run(task, tmp_path)
    odd: list[tuple[str, dict[str, Any]]] = [
        ("call_tool", {"name": "call_tool", "arguments": {"name": "now"}}),
        ("call_tool", {"name": 5}),
        ("call_tool", {"name": "draft_pass", "arguments": [1]}),
        ("\ud800", {"\udfff": 2.5}),
        ("now", {"deep": [[[[[[[[]]]]]]]]}),
        ("", {}),
    ]
    with seated(task, place) as session:
        first = [session.call(name, args) for name, args in odd]
        assert not any(response.ok for response in first)
    with seated(task, place) as session:
        assert session.view().calls == len(odd)


def test_a_cap_ends_a_run_by_hand(task: ConductTask, tmp_path: Path) -> None:
    place = new_run(task, tmp_path, Under(cap=Fraction(1, 8), limits=BY_HAND))
    with seated(task, place) as session:
        assert session.call("now", {}).outcome is None
        assert session.call("now", {}).outcome is None
        third = session.call("now", {})

    assert (third.ok, third.outcome) == (False, "limit(tool_calls)")
    assert json.loads(place.verdict.read_bytes())["calls"] == 2


def test_full_disclosure_by_hand_goes_on_as_it_began(task: ConductTask, tmp_path: Path) -> None:
    place = new_run(task, tmp_path, Under(condition("full-disclosure"), limits=BY_HAND))
    with seated(task, place) as session:
        assert "Six hours." in session.view().instructions
        session.call("now", {})
    with seated(task, place) as session:
        assert session.view().calls == 1
    assert b'"name":"recall"' in place.trace.read_bytes()


def test_a_tool_that_breaks_ends_the_run_without_a_verdict(tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    desk = own / "company" / "desks" / "passes.py"
    desk.write_text(
        desk.read_text().replace("    if not 1 <= hours", "    hours // 0\n    if not 1 <= hours")
    )
    task = own_task(own)
    place = new_run(task, tmp_path / "runs")
    args = {"visitor": "I", "host": "PTY-9001", "day": "2025-10-14", "hours": 6}

    with seated(task, place) as session:
        response = session.call("draft_pass", args)
    with seated(task, place) as session:
        assert session.view().outcome == "infrastructure_failure(company)"

    assert response.outcome == "infrastructure_failure(company)"
    assert "this run does not count" in response.text
    assert not place.verdict.exists()


# --- folders ------------------------------------------------------------------------------------


def test_runs_are_numbered_and_one_in_flight_can_be_gone_on_with(
    task: ConductTask, tmp_path: Path
) -> None:
    first, second = new_run(task, tmp_path), new_run(task, tmp_path)
    again = begin(tmp_path, task, Hand(), Under(limits=BY_HAND), go_on=True)
    with seated(task, second) as session:
        session.call("finish", {})
    third = begin(tmp_path, task, Hand(), Under(limits=BY_HAND), go_on=True)

    plan = EvaluationFolder(tmp_path).plan
    assert [place.number for place in (first, second, again, third)] == [1, 2, 2, 3]
    assert plan is not None
    assert (plan.agent, plan.runs, plan.limits.agent_time) == ("hand", 3, None)


def test_a_run_killed_before_its_first_line_was_whole_is_begun_again(
    task: ConductTask, tmp_path: Path
) -> None:
    place = new_run(task, tmp_path)
    header = place.trace.read_bytes()
    place.trace.write_bytes(header[:30])

    again = new_run(task, tmp_path)
    assert (again, again.trace.read_bytes()) == (place, header)


def test_a_folder_is_one_players_and_one_conditions(task: ConductTask, tmp_path: Path) -> None:
    new_run(task, tmp_path)

    with pytest.raises(UsageError, match="agent was 'hand', is now 'ada'"):
        begin(tmp_path, task, hand("ada"), Under(limits=BY_HAND), go_on=True)
    with pytest.raises(UsageError, match="condition was 'default', is now 'gold-docs'"):
        begin(tmp_path, task, Hand(), Under(condition("gold-docs"), limits=BY_HAND), go_on=True)


@pytest.mark.parametrize("name", ["golden", "golden:x", "counterexample:y", "loop", "idle", " "])
def test_a_hand_does_not_go_by_an_agents_name(name: str) -> None:
    with pytest.raises(UsageError):
        hand(name)


def test_a_run_of_another_agent_is_not_gone_on_with_by_hand(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("idle"), tmp_path)

    with pytest.raises(UsageError, match="played by 'idle', not by hand"):
        seated(task, EvaluationFolder(tmp_path).run(TASK, 1)).__enter__()
