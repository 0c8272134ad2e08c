"""Evaluations: what is finished is kept, what failed does not count, what was in flight is played
again."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from bythebook.agents.protocol import Call, Move
from bythebook.conduct.task import ConductTask
from bythebook.errors import AgentError, SimulatorError, UsageError
from bythebook.run.agents import Scripted
from bythebook.run.evaluate import GIVE_UP
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Limits, Under
from bythebook.trace import read_trace
from tests.own import TASK, own_content, own_task
from tests.run.playing import Breaking, Moves, Notes, now, play


def test_a_golden_is_strict_and_everything_is_on_disk(task: ConductTask, tmp_path: Path) -> None:
    notes = Notes()
    tally = play(task, Scripted("golden"), tmp_path, runs=2, notes=notes)

    place = EvaluationFolder(tmp_path).run(TASK, 2)
    verdict = json.loads(place.verdict.read_bytes())
    scene = read_trace(place.trace).header.scene
    assert (tally.played, tally.kept, tally.missing) == (2, 0, [])
    assert sorted(notes.ended) == [(1, True), (2, True)]
    assert verdict["strict"] is True
    assert [path.stem for path in (tmp_path / "scenes").iterdir()] == [scene]
    assert json.loads((tmp_path / "plan.json").read_bytes())["agent"] == "golden"


def test_runs_of_one_golden_differ_in_their_number_only(task: ConductTask, tmp_path: Path) -> None:
    play(task, Scripted("golden"), tmp_path, runs=2)

    first, second = (
        (tmp_path / TASK / n / "trace.jsonl").read_bytes().split(b"\n") for n in ("1", "2")
    )
    assert first[1:] == second[1:]
    assert first[0].replace(b'"run":1', b'"run":2') == second[0]


def test_the_same_call_again_plays_nothing_and_changes_no_byte(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("golden"), tmp_path, runs=2)
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.rglob("*.json*")}

    tally = play(task, Scripted("golden"), tmp_path, runs=2)

    after = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in tmp_path.rglob("*.json*")}
    assert (tally.played, tally.kept) == (0, 2)
    assert before == after


def test_more_runs_are_added_to_a_folder(task: ConductTask, tmp_path: Path) -> None:
    play(task, Scripted("idle"), tmp_path, runs=1)

    tally = play(task, Scripted("idle"), tmp_path, runs=3)
    fewer = play(task, Scripted("idle"), tmp_path, runs=2)

    plan = EvaluationFolder(tmp_path).plan
    assert (tally.played, tally.kept) == (2, 1)
    assert (fewer.played, fewer.kept) == (0, 2)
    assert plan is not None
    assert plan.runs == 3


@pytest.mark.parametrize("keep", [0, 5, 400, -40], ids=["empty", "header", "torn", "no closing"])
def test_a_trace_in_flight_is_set_aside_whole_and_played_again(
    task: ConductTask, tmp_path: Path, keep: int
) -> None:
    play(task, Scripted("golden"), tmp_path, runs=2)
    place = EvaluationFolder(tmp_path).run(TASK, 1)
    whole, other = place.trace.read_bytes(), (tmp_path / TASK / "2" / "trace.jsonl")
    stays = other.stat().st_mtime_ns
    place.trace.write_bytes(whole[:keep])
    place.verdict.unlink()

    tally = play(task, Scripted("golden"), tmp_path, runs=2)

    assert (tally.played, tally.kept) == (1, 1)
    assert place.trace.read_bytes() == whole
    assert (place.attempts[0] / "trace.jsonl").read_bytes() == whole[:keep]
    assert other.stat().st_mtime_ns == stays


def test_a_run_killed_between_trace_and_verdict_is_judged_not_played(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("golden"), tmp_path)
    place = EvaluationFolder(tmp_path).run(TASK, 1)
    verdict = place.verdict.read_bytes()
    place.verdict.unlink()

    tally = play(task, Scripted("golden"), tmp_path)

    assert (tally.played, tally.kept) == (0, 1)
    assert place.verdict.read_bytes() == verdict


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (AgentError("503", cause="provider"), "infrastructure_failure(provider)"),
        (SimulatorError("spoke as the agent"), "infrastructure_failure(crash)"),
        (RuntimeError("a bug in an agent"), "infrastructure_failure(crash)"),
    ],
)
def test_an_attempt_that_fails_through_no_fault_of_the_agent_does_not_count(
    task: ConductTask, tmp_path: Path, error: Exception, outcome: str
) -> None:
    notes = Notes()
    tally = play(task, Breaking(error, times=2), tmp_path, notes=notes)

    place = EvaluationFolder(tmp_path).run(TASK, 1)
    kept = [read_trace(path / "trace.jsonl").closing for path in place.attempts]
    assert tally.played == 1
    assert notes.ended == [(1, True)]
    assert [str(closing.outcome) for closing in kept if closing] == [outcome] * 2
    assert not (place.attempts[0] / "verdict.json").exists()


def test_a_run_is_given_up_after_its_attempts_and_tried_again_by_the_next_command(
    task: ConductTask, tmp_path: Path
) -> None:
    cast = Breaking(AgentError("503"), times=3)
    tally = play(task, cast, tmp_path)
    missing = [(place.number, outcome.detail) for place, outcome in tally.missing]

    again = play(task, cast, tmp_path)

    assert missing == [(1, "provider")]
    assert (again.played, again.missing) == (1, [])
    assert len(EvaluationFolder(tmp_path).run(TASK, 1).attempts) == 3


def test_no_more_attempts_begin_when_all_of_them_fail(task: ConductTask, tmp_path: Path) -> None:
    cast = Breaking(AgentError("the key is wrong"), times=1000)

    tally = play(task, cast, tmp_path, runs=30)

    assert len(tally.missing) == 30
    assert GIVE_UP <= cast.made < GIVE_UP + 10


def test_a_tool_that_crashes_is_our_failure_and_never_the_agents(tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    desk = own / "company" / "desks" / "passes.py"
    desk.write_text(
        desk.read_text().replace("    if not 1 <= hours", "    hours // 0\n    if not 1 <= hours")
    )
    notes = Notes()
    args = {"visitor": "I", "host": "PTY-9001", "day": "2025-10-14", "hours": 6}

    class Draws(Scripted):
        def agent(self, task: ConductTask) -> Moves:
            return Moves("idle", [lambda: Move(calls=(Call("draft_pass", args, "1"),))])

    tally = play(own_task(own), Draws("idle"), tmp_path / "runs", notes=notes)

    assert len(tally.missing) == 1
    assert {str(outcome) for outcome in notes.failures} == {"infrastructure_failure(company)"}
    says = notes.failures[0].says
    assert says.startswith("tool 'draft_pass' broke at passes.py:")
    assert "ZeroDivisionError" in says


def test_a_cap_is_the_whole_part_of_ratio_times_golden(task: ConductTask, tmp_path: Path) -> None:
    golden = 17
    capped = {}
    for ratio in ("1", "0.99", "1.2"):
        play(task, Scripted("golden"), tmp_path / ratio, under=Under(cap=Fraction(ratio)))
        place = EvaluationFolder(tmp_path / ratio)
        assert place.plan is not None
        closing = read_trace(place.run(TASK, 1).trace).closing
        assert closing is not None
        capped[ratio] = (place.plan.tasks[0].cap, str(closing.outcome))
    assert capped == {
        "1": (golden, "completed(finished)"),
        "0.99": (golden - 1, "limit(tool_calls)"),
        "1.2": (20, "completed(finished)"),
    }


def test_too_many_refused_calls_end_a_run_that_counts(task: ConductTask, tmp_path: Path) -> None:
    class Lost(Scripted):
        def agent(self, task: ConductTask) -> Moves:
            return Moves("idle", [lambda: Move(calls=(Call("nothing", {}, "1"),))] * 60)

    tally = play(task, Lost("idle"), tmp_path, under=Under(limits=Limits(tool_errors=50)))

    closing = read_trace(EvaluationFolder(tmp_path).run(TASK, 1).trace).closing
    assert tally.played == 1
    assert closing is not None
    assert str(closing.outcome) == "limit(tool_errors)"


def test_a_folder_under_another_plan_is_refused_and_the_difference_is_named(
    task: ConductTask, tmp_path: Path
) -> None:
    play(task, Scripted("idle"), tmp_path)

    with pytest.raises(UsageError, match="agent was 'idle', is now 'refuse'"):
        play(task, Scripted("refuse"), tmp_path)
    with pytest.raises(UsageError, match=r"limits\.agent_time was 3600, is now 60"):
        play(task, Scripted("idle"), tmp_path, under=Under(limits=Limits(agent_time=60)))


def test_a_task_that_has_changed_since_is_refused_by_name(tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    play(own_task(own), Scripted("idle"), tmp_path / "runs")
    path = own / "tasks" / "conduct" / TASK / "customer.yaml"
    path.write_text(path.read_text() + "patience: 2\n")

    with pytest.raises(UsageError, match=f"task {TASK} has changed since"):
        play(own_task(own), Scripted("idle"), tmp_path / "runs")


def test_a_folder_of_other_things_is_left_alone(task: ConductTask, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")

    with pytest.raises(UsageError, match=r"it holds 'thesis\.tex' and no plan\.json"):
        play(task, Scripted("idle"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_agent_with_nothing_to_say_ends_a_run(task: ConductTask, tmp_path: Path) -> None:
    class Quiet(Scripted):
        def agent(self, task: ConductTask) -> Moves:
            return Moves("idle", [now])

    assert play(task, Quiet("idle"), tmp_path).played == 1
