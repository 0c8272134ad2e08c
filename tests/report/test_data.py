"""Evaluations are read from their folders, and nothing is changed there."""

import shutil
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bythebook.errors import UsageError
from bythebook.report.data import Evaluation, read_evaluations
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.score import rescore, scores
from bythebook.verdict import Verdict
from tests.report.simulated import Setup, Size, conduct, deliverables


def one(root: Path) -> Evaluation:
    """One evaluation: two tasks, two runs each."""
    folders = conduct(root, Size(tasks=2, runs=2), shipped=1, setups=[Setup("a", 1.0)])
    return read_evaluations(folders).every[0]


def first(evaluation: Evaluation) -> Path:
    return evaluation.folder.runs()[0].root


def test_scores_are_what_judging_again_gives(conducted: Path) -> None:
    folder = EvaluationFolder(conducted / "model-b")
    read = read_evaluations([folder.root]).every[0].scores

    assert read == scores(folder, rescore(folder))


def test_reading_writes_nothing(tmp_path: Path) -> None:
    evaluation = one(tmp_path)
    (first(evaluation) / "verdict.json").unlink()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    assert len(evaluation.runs) == 4
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("spoilt", ["missing", "torn", "of another run"])
def test_a_verdict_that_is_not_this_traces_is_made_anew(tmp_path: Path, spoilt: str) -> None:
    evaluation = one(tmp_path)
    path = first(evaluation) / "verdict.json"
    right = msgspec.json.decode(path.read_bytes(), type=Verdict)
    if spoilt == "missing":
        path.unlink()
    elif spoilt == "torn":
        path.write_bytes(path.read_bytes()[:100])
    else:
        path.write_bytes(as_text(replace(right, calls=right.calls + 1, strict=not right.strict)))

    run = evaluation.runs[0]
    assert (run.strict, run.calls) == (right.strict, right.calls)
    assert evaluation.problems == ()


def test_a_verdict_of_deliverables_that_is_missing_is_named_with_the_next_move(
    tmp_path: Path,
) -> None:
    deliverables(tmp_path, Size(models=1, tasks=2, runs=1))
    evaluation = read_evaluations([tmp_path]).every[0]
    (first(evaluation) / "verdict.json").unlink()

    assert len(evaluation.runs) == 1
    assert f"`bythebook score {evaluation.folder.root}`" in evaluation.problems[0]


def test_a_trace_in_another_agents_place_is_a_problem_and_no_run(tmp_path: Path) -> None:
    evaluation = one(tmp_path)
    path = first(evaluation) / "trace.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"agent":"loop"', b'"agent":"other"', 1))

    assert len(evaluation.runs) == 3
    assert "trace of agent 'other', in the place of agent 'loop'" in evaluation.problems[0]


def test_runs_of_another_plan_are_problems(tmp_path: Path) -> None:
    evaluation = one(tmp_path)
    plan = evaluation.folder.root / "plan.json"
    plan.write_text(plan.read_text().replace('"agent": "loop"', '"agent": "other"'))
    again = read_evaluations([evaluation.folder.root]).every[0]

    assert again.runs == ()
    assert len(again.problems) == 4


def test_a_run_in_flight_is_left_out(tmp_path: Path) -> None:
    evaluation = one(tmp_path)
    path = first(evaluation) / "trace.jsonl"
    path.write_bytes(path.read_bytes().rpartition(b'{"outcome"')[0])

    assert len(evaluation.runs) == 3
    assert evaluation.scores.summary.missing == 1
    assert evaluation.problems == ()


def test_a_folder_of_evaluations_stands_for_all_of_them(conducted: Path, delivered: Path) -> None:
    found = read_evaluations([conducted, delivered / "model-a"])

    assert [one.label for one in found.every] == [
        "loop · sim:model-a · conduct",
        "loop · sim:model-b",
        "loop · sim:model-c",
        "loop · sim:model-a · deliverables",
    ]
    assert [one.suite for one in found.of("deliverables")] == ["deliverables"]


def test_evaluations_may_lie_two_levels_deep(tmp_path: Path) -> None:
    """As `demo` leaves them."""
    one(tmp_path / "runs" / "deeper")
    one(tmp_path / "runs")
    found = read_evaluations([tmp_path / "runs"])

    assert [one.folder.root.relative_to(tmp_path) for one in found.every] == [
        Path("runs/a"),
        Path("runs/deeper/a"),
    ]


def test_what_an_agent_calls_a_plan_is_none(tmp_path: Path) -> None:
    evaluation = one(tmp_path)
    (first(evaluation) / "workspace").mkdir()
    (first(evaluation) / "workspace" / "plan.json").write_text("{}")

    assert len(read_evaluations([tmp_path]).every) == 1


def test_labels_say_what_is_not_as_usual(tmp_path: Path) -> None:
    setups = [
        Setup("plain", 0.0, model="sim:m"),
        Setup("told", 0.0, model="sim:m", condition="gold-docs"),
        Setup("capped", 0.0, model="sim:m", cap="6/5"),
        Setup("spoken", 0.0, model="sim:m", simulator="sim:customer"),
        Setup("again", 0.0, model="sim:m"),
    ]
    found = read_evaluations(conduct(tmp_path, Size(tasks=1, runs=1), shipped=1, setups=setups))

    assert [one.label for one in found.every] == [
        "loop · sim:m",
        "loop · sim:m · gold-docs",
        "loop · sim:m · cap 1.2x",
        "loop · sim:m · customer sim:customer",
        "loop · sim:m · 2",
    ]


def test_a_name_that_was_given_stands(conducted: Path) -> None:
    folders = [conducted / "model-a", conducted / "model-b"]
    found = read_evaluations(folders, named=["before"])

    assert [one.label for one in found.every] == ["before", "loop · sim:model-b"]
    assert found["before"].model == "sim:model-a"
    with pytest.raises(UsageError, match="two evaluations were given the name 'x'"):
        read_evaluations(folders, named=["x", "x"])


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        read_evaluations([tmp_path / "gone"])
    with pytest.raises(UsageError, match="there is no run in this folder"):
        read_evaluations([tmp_path])


def test_attempts_set_aside_are_told_by_their_cause(tmp_path: Path) -> None:
    evaluation = one(tmp_path)
    place = evaluation.folder.runs()[0]
    whole = place.trace.read_bytes()
    for number, ending in enumerate(
        (b'{"outcome":{"kind":"simulator_failure","detail":"protocol"},"events":0,"h":""}\n', b""),
        1,
    ):
        folder = place.root / "attempts" / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "trace.jsonl").write_bytes(whole.partition(b"\n")[0] + b"\n" + ending)

    assert [attempt.cause for attempt in evaluation.aside][:2] == [
        "simulator_failure(protocol)",
        "in flight",
    ]


def test_traces_and_verdicts_can_be_had_again(conducted: Path) -> None:
    evaluation = read_evaluations([conducted / "model-a"]).every[0]
    run, trace, verdict = next(evaluation.cases())

    assert evaluation.trace(run) == trace
    assert evaluation.verdict(run) == verdict
    assert (verdict.task, verdict.run) == (run.task, run.run)


def test_a_copied_folder_reads_the_same(conducted: Path, tmp_path: Path) -> None:
    shutil.copytree(conducted / "model-a", tmp_path / "copy")
    found = read_evaluations([conducted / "model-a", tmp_path / "copy"])

    assert found.every[0].scores == found.every[1].scores
