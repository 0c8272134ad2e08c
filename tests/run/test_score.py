"""Verdicts hang on trace and scene file alone."""

import shutil
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from bythebook.run.folder import EvaluationFolder
from bythebook.run.score import rescore, scores
from tests.own import TASK, own_content, own_task
from tests.run.playing import play


@pytest.fixture(scope="module")
def played(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play(task, Scripted("shortcut"), folder, runs=2)
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> EvaluationFolder:
    return EvaluationFolder(Path(shutil.copytree(played, tmp_path / "copy")))


def test_a_copy_without_verdicts_and_plan_gets_the_same_bytes(
    played: Path, copy: EvaluationFolder
) -> None:
    for path in copy.root.rglob("verdict.json"):
        path.unlink()
    (copy.root / "plan.json").unlink()

    found = rescore(copy)

    assert len(found.changed) == 2
    for run in copy.runs():
        original = played / TASK / str(run.number) / "verdict.json"
        assert run.verdict.read_bytes() == original.read_bytes()


def test_judging_again_changes_no_byte(copy: EvaluationFolder) -> None:
    before = {p: p.stat().st_mtime_ns for p in copy.root.rglob("*")}

    found = rescore(copy)

    assert found.changed == ()
    assert {p: p.stat().st_mtime_ns for p in copy.root.rglob("*")} == before


def test_a_verdict_holds_no_path_time_or_host(copy: EvaluationFolder) -> None:
    text = copy.run(TASK, 1).verdict.read_text()

    assert str(copy.root) not in text
    assert "/tmp" not in text


def test_a_verdict_that_was_tampered_with_is_put_right(copy: EvaluationFolder) -> None:
    path = copy.run(TASK, 2).verdict
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"false", b"true"))

    found = rescore(copy)

    assert [place.number for place in found.changed] == [2]
    assert path.read_bytes() == whole


def test_a_run_in_flight_is_named_and_left_out(copy: EvaluationFolder) -> None:
    place = copy.run(TASK, 1)
    lines = place.trace.read_bytes().splitlines(keepends=True)
    place.trace.write_bytes(b"".join(lines[:-1]))

    found = rescore(copy)

    assert [run.number for run in found.in_flight] == [1]
    assert scores(copy, found).summary.missing == 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"version":1', b'"version":7', "trace version 7; this bythebook reads version 1"),
        (b'"i":3,', b'"i":4,', "event 4 stands where event 3 belongs"),
        (b'"trace"', b'"poem"', "not a bythebook trace"),
        (b'"closing', b"", ""),
    ],
    ids=["version", "number", "other", "none"],
)
def test_a_trace_that_does_not_read_is_a_problem_and_the_others_are_judged(
    copy: EvaluationFolder, old: bytes, new: bytes, says: str
) -> None:
    place = copy.run(TASK, 1)
    place.trace.write_bytes(place.trace.read_bytes().replace(old, new, 1))

    found = rescore(copy)

    assert all(says in str(problem) for problem in found.problems)
    assert len(found.problems) == bool(says)
    assert 2 in [verdict.run for verdict in found.verdicts]


def test_a_scene_that_was_changed_is_refused(copy: EvaluationFolder) -> None:
    (scene,) = copy.scenes.iterdir()
    scene.write_bytes(scene.read_bytes().replace(b"<= 3", b"<= 9"))

    found = rescore(copy)

    assert found.verdicts == ()
    assert "the file was changed after it was written" in str(found.problems[0])


def test_todays_rules_stand_beside_the_recorded_ones(tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    folder = EvaluationFolder(tmp_path / "runs")
    play(own_task(own), Scripted("shortcut"), folder.root)
    recorded = folder.run(TASK, 1).verdict.read_bytes()
    criteria = own / "tasks" / "conduct" / TASK / "criteria.yaml"
    criteria.write_text(
        criteria.read_text().replace("<= 3", "<= 9").replace("at_most: 1", "at_most: 2")
    )

    (verdict,) = rescore(folder, {TASK: own_task(own).criteria}).verdicts

    assert verdict.strict is True
    assert verdict.rules == own_task(own).criteria.sha
    assert verdict.recorded_rules != verdict.rules
    assert folder.run(TASK, 1).verdict.read_bytes() == recorded
    assert b'"strict": true' in folder.run(TASK, 1).verdict_current.read_bytes()


def test_todays_rules_that_read_what_the_scene_lacks_are_a_problem_never_void(
    tmp_path: Path,
) -> None:
    own = own_content(tmp_path / "own")
    folder = EvaluationFolder(tmp_path / "runs")
    play(own_task(own), Scripted("golden"), folder.root)
    criteria = own / "tasks" / "conduct" / TASK / "criteria.yaml"
    criteria.write_text(criteria.read_text() + TRADE)

    found = rescore(folder, {TASK: own_task(own).criteria})

    assert found.verdicts == ()
    assert "parties" in str(found.problems[0])


TRADE = """
  - id: G2
    kind: goal
    says: There are parties.
    finally: "len(rows('parties')) > 0"
"""


def test_the_summary_counts_what_it_names(copy: EvaluationFolder) -> None:
    result = scores(copy, rescore(copy))

    assert (result.suite, result.agent, result.criteria) == ("conduct", "shortcut", "recorded")
    assert [run.broken for run in result.runs] == [("P2", "F1")] * 2
    summary = result.summary
    assert (summary.runs, summary.tasks, summary.missing, summary.void) == (2, 1, 0, 0)
    assert (summary.goal, summary.process, summary.protection, summary.strict) == (1, 0, 0, 0)
    assert (summary.intermediate_failure, summary.goal_without_strict) == (1, 1)


def test_a_run_without_a_valid_attempt_is_counted_and_stands_in_no_rate(
    copy: EvaluationFolder,
) -> None:
    copy.run(TASK, 1).set_aside()

    summary = scores(copy, rescore(copy)).summary

    assert (summary.runs, summary.missing, summary.attempts_set_aside) == (1, 1, 1)
    assert (summary.goal, summary.goal_without_strict) == (1, 1)
