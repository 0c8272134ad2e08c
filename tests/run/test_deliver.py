"""An evaluation of deliverables: played, kept, judged, gone on with, judged again."""

import hashlib
import shutil
from pathlib import Path

import msgspec
import pytest

from bythebook.deliverables.handover import brought
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.errors import UsageError
from bythebook.run.deliver import Given
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Limits, Programs
from bythebook.run.players import Placing, Submitting
from bythebook.run.score import scores
from bythebook.task import Content
from bythebook.trace import read_trace
from tests.deliverables.stall import stall
from tests.model_server import ModelServer, Say, Use
from tests.run.delivering import again, deliver, delivered, verdict_in
from tests.run.playing import Notes
from tests.run.test_workspace import modelled
from tests.sandbox.caged import caged


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> DeliverableTask:
    return stall(tmp_path_factory.mktemp("stall"))


@pytest.fixture(scope="module")
def played(task: DeliverableTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of the reference; not to be changed."""
    folder = tmp_path_factory.mktemp("played")
    deliver(task, "reference", folder, runs=2)
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


def files(folder: Path) -> dict[str, str]:
    """Name to hash of everything in a folder."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in found
        if path.name != ".lock"
    }


# --- what is on disk ----------------------------------------------------------------------------


def test_a_run_folder_holds_what_the_contract_says(played: Path, task: DeliverableTask) -> None:
    run = played / task.id / "1"
    assert {path.name for path in run.iterdir()} == {
        "trace.jsonl", "workspace", "evidence", "verdict.json",
    }  # fmt: skip
    assert (run / "workspace/results/takings.xlsx").is_file()
    assert (run / "evidence/evidence.json").is_file()
    scene = read_trace(run / "trace.jsonl").header.scene
    assert (played / f"scenes/{scene}.json").is_file()


def test_the_plan_says_what_was_played(played: Path, task: DeliverableTask) -> None:
    plan = EvaluationFolder(played).plan
    assert plan is not None
    assert (plan.suite, plan.agent, plan.simulator, plan.sandbox) == (
        "deliverables", "reference", "", "",
    )  # fmt: skip
    assert plan.limits.steps == 200
    assert [(one.id, one.hash) for one in plan.tasks] == [(task.id, task.hash)]


def test_a_reference_passes_what_checks_decide_and_the_rest_is_open(
    played: Path, task: DeliverableTask
) -> None:
    found = verdict_in(played, task)
    one = found["delivered"]
    assert (found["score"], one["high"], one["judges"], one["format"]) == (None, 1.0, 0, "ok")
    assert one["checks"] + one["void"] == one["total"] == task.rubric.weight
    assert 0 < one["void"] < one["total"] / 3
    assert not [item for item in found["findings"] if item["verdict"] == "fail"]


def test_nothing_that_is_kept_names_a_path_a_host_or_a_time(
    played: Path, task: DeliverableTask
) -> None:
    kept = [played / "plan.json", *(played / task.id).rglob("*.json*"), *played.glob("scenes/*")]
    for path in kept:
        assert str(played).encode() not in path.read_bytes()
        assert str(task.folder).encode() not in path.read_bytes()


def test_two_runs_of_the_same_files_are_the_same_to_the_byte(
    played: Path, task: DeliverableTask
) -> None:
    first, second = (files(played / task.id / number) for number in "12")
    assert first.keys() == second.keys()
    changed = {name for name in first if first[name] != second[name]}
    assert changed == {"trace.jsonl", "verdict.json"}  # they name the run's number


BASELINES = {
    "reference-2": (0.8, 1.0),
    "untouched": (0.0, 0.15),
    "renamed": (0.0, 0.15),
    "empty": (0.0, 0.0),
    "skeleton": (0.0, 0.6),
    "fault:sale_missing": (0.3, 0.95),
}


@pytest.mark.parametrize("agent", BASELINES)
def test_agents_without_a_model_score_what_they_deserve(
    task: DeliverableTask, tmp_path: Path, agent: str
) -> None:
    deliver(task, agent, tmp_path)
    least, most = BASELINES[agent]
    assert least <= verdict_in(tmp_path, task)["delivered"]["low"] <= most


def test_nothing_handed_over_is_a_failure_and_never_void(
    task: DeliverableTask, tmp_path: Path
) -> None:
    deliver(task, "empty", tmp_path)
    found = verdict_in(tmp_path, task)
    assert (found["score"], found["success"], found["delivered"]["format"]) == (
        0.0, False, "omitted",
    )  # fmt: skip
    assert {item["verdict"] for item in found["findings"]} == {"fail"}


@caged
def test_a_model_is_played_and_judged(task: DeliverableTask, tmp_path: Path) -> None:
    work = "cp sales.xlsx results/takings.xlsx; echo a > results/note.docx; ln -s / results/x"
    script = [Say(calls=(Use("exec", {"command": work}),)), Say("Done.")]
    with ModelServer(script) as server:
        given = Given(limits=Limits(steps=200), programs=Programs(sandbox="bubblewrap"))
        deliver(task, modelled(server.url), tmp_path, given=given)
    found = verdict_in(tmp_path, task)
    assert (found["calls"], found["delivered"]["format"]) == (1, "wrong_type")
    marks = {item["id"]: item["verdict"] for item in found["findings"]}
    assert (marks["R02"], marks["R01"]) == ("pass", "fail")
    index = tmp_path / task.id / "1/evidence/evidence.json"
    assert msgspec.json.decode(index.read_bytes())["refused"] == [
        {"name": "x", "why": "a link to /"}
    ]


# --- failures, and going on ---------------------------------------------------------------------


@caged
def test_an_attempt_that_fails_through_no_fault_of_the_agent_is_kept_whole_and_tried_again(
    task: DeliverableTask, tmp_path: Path
) -> None:
    first = Say(calls=(Use("write_file", {"path": "results/a.md", "content": "x"}),))
    notes = Notes()
    with ModelServer([first]) as server:  # afterwards it refuses
        given = Given(limits=Limits(steps=200), programs=Programs(sandbox="bubblewrap"), attempts=2)
        tally = deliver(task, modelled(server.url), tmp_path, given=given, notes=notes)
    assert [str(outcome) for outcome in notes.failures] == ["infrastructure_failure(provider)"] * 2
    assert len(tally.missing) == 1
    aside = tmp_path / task.id / "1/attempts/1"
    assert (aside / "workspace/results/a.md").read_text() == "x"
    assert (aside / "trace.jsonl").is_file()
    assert [path.name for path in (tmp_path / task.id / "1").iterdir()] == ["attempts"]


def test_what_was_in_flight_is_set_aside_with_its_workspace_and_played_again(
    copy: Path, task: DeliverableTask
) -> None:
    run = copy / task.id / "2"
    lines = (run / "trace.jsonl").read_bytes().splitlines(keepends=True)
    (run / "trace.jsonl").write_bytes(b"".join(lines[:-1]))  # killed before its last line
    (run / "workspace/half.txt").write_text("half")
    tally = deliver(task, "reference", copy, runs=2)
    assert (tally.kept, tally.played) == (1, 1)
    assert (run / "attempts/1/workspace/half.txt").exists()
    assert (run / "attempts/1/evidence/evidence.json").exists()
    assert not (run / "workspace/half.txt").exists()


def test_a_run_that_was_killed_before_its_verdict_gets_one(
    copy: Path, played: Path, task: DeliverableTask
) -> None:
    run = copy / task.id / "1"
    (run / "verdict.json").unlink()
    shutil.rmtree(run / "evidence")
    assert deliver(task, "reference", copy, runs=2).played == 0
    assert files(copy) == files(played)


def test_another_agent_or_sandbox_is_another_plan(copy: Path, task: DeliverableTask) -> None:
    with pytest.raises(UsageError, match="agent was 'reference', is now 'empty'"):
        deliver(task, "empty", copy, runs=2)
    with pytest.raises(UsageError, match="sandbox was"):
        deliver(
            task, "reference", copy, runs=2, given=Given(programs=Programs(sandbox="none: unsafe"))
        )


def test_a_judge_may_be_named_later(copy: Path, task: DeliverableTask) -> None:
    deliver(task, "reference", copy, runs=2, given=Given(judge="hand:me"))
    plan = EvaluationFolder(copy).plan
    assert plan is not None
    assert plan.judge == "hand:me"
    deliver(task, "reference", copy, runs=2)
    assert EvaluationFolder(copy).plan == plan


def test_an_agent_that_cannot_play_a_task_is_refused_beforehand(task: DeliverableTask) -> None:
    for name in ("referenc", "fault:none", "fault:", "golden"):
        with pytest.raises(UsageError):
            Placing(name).check(task)
    with pytest.raises(UsageError, match="LibreOffice"):
        Placing("fault:new_price_ignored").check(task)


# --- judging again ------------------------------------------------------------------------------


def test_judged_again_the_bytes_are_the_same(copy: Path, played: Path) -> None:
    assert again(copy).changed == ()
    assert files(copy) == files(played)


def test_evidence_is_enough_without_the_files(copy: Path, task: DeliverableTask) -> None:
    for number in "12":
        shutil.rmtree(copy / task.id / number / "workspace")
    found = again(copy)
    assert (len(found.verdicts), found.changed, found.problems) == (2, (), ())


def test_files_are_enough_without_evidence(copy: Path, played: Path, task: DeliverableTask) -> None:
    shutil.rmtree(copy / task.id / "1/evidence")
    assert again(copy).problems == ()
    assert files(copy) == files(played)


def test_without_either_it_is_said(copy: Path, task: DeliverableTask) -> None:
    for part in ("workspace", "evidence"):
        shutil.rmtree(copy / task.id / "1" / part)
    found = again(copy)
    assert len(found.verdicts) == 1
    assert "neither the evidence nor the results" in str(found.problems[0])


def test_a_file_changed_after_it_was_collected_is_noticed(
    copy: Path, task: DeliverableTask
) -> None:
    run = copy / task.id / "1"
    shutil.rmtree(run / "evidence")
    (run / "workspace/results/note.docx").write_bytes(b"PK another")
    found = again(copy)
    assert "'note.docx' is not the file that was collected" in str(found.problems[0])


def test_evidence_of_another_run_is_noticed(
    copy: Path, task: DeliverableTask, tmp_path: Path
) -> None:
    deliver(task, "untouched", tmp_path / "other")
    run = copy / task.id / "1"
    shutil.rmtree(run / "evidence")
    shutil.copytree(tmp_path / "other" / task.id / "1/evidence", run / "evidence")
    assert "is not the file that was collected" in str(again(copy).problems[0])


def test_a_trace_of_another_task_is_noticed(copy: Path, task: DeliverableTask) -> None:
    (copy / task.id).rename(copy / "bus-91-other")
    assert "in the place of task 'bus-91-other'" in str(again(copy).problems[0])


def test_todays_rubric_stands_beside_the_recorded_one(
    copy: Path, played: Path, task: DeliverableTask, tmp_path: Path
) -> None:
    root = tmp_path / "today"
    shutil.copytree(task.folder.parents[2], root)
    rubric = root / "tasks/deliverables" / task.id / "rubric.yaml"
    text = rubric.read_text().replace("level: core", "level: important")
    rubric.write_text(text)
    (first, _) = again(copy, [load_task(Content([root]), task.id)]).verdicts
    assert first.rules != first.recorded_rules
    assert delivered(first).total < task.rubric.weight
    run = copy / task.id / "1"
    assert (run / "verdict-current.json").is_file()
    kept = played / task.id / "1/verdict.json"
    assert (run / "verdict.json").read_bytes() == kept.read_bytes()


def test_the_summary_has_scores_with_bounds_rates_and_groups(copy: Path) -> None:
    found = scores(EvaluationFolder(copy), again(copy))
    summary = found.summary.delivered
    assert summary is not None
    assert (summary.score, summary.high) == (None, 1.0)
    assert summary.low == found.runs[0].delivered.low if found.runs[0].delivered else False
    assert sum(summary.weight.values()) == pytest.approx(1)
    assert summary.format == {"ok": 1.0, "wrong_type": 0.0, "omitted": 0.0}
    assert set(summary.levels) == {"core", "important", "auxiliary"}
    assert (found.summary.goal, found.summary.strict, found.customer) == (None, None, None)
    assert found.summary.statistics["files"].mean == 2


# --- files made elsewhere -----------------------------------------------------------------------


def test_a_folder_of_files_is_handed_in_as_it_is(task: DeliverableTask, tmp_path: Path) -> None:
    deliver(task, Submitting("a product", [task.reference]), tmp_path)
    results = tmp_path / task.id / "1/workspace/results"
    assert files(results) == files(task.reference)


def test_a_workspace_of_startupbench_is_handed_in_by_its_results(tmp_path: Path) -> None:
    for name in ("query/task.md", "results/a/b.md", "results/c.md", "notes.md"):
        (tmp_path / "w" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "w" / name).write_text("")
    assert set(brought([tmp_path / "w"])) == {"a/b.md", "c.md"}


def test_two_files_of_one_name_and_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.md").write_text("")
    with pytest.raises(UsageError, match=r"two files would be called 'x.md'"):
        brought([tmp_path / "a/x.md", tmp_path / "b/x.md"])
    with pytest.raises(UsageError, match="no such file"):
        brought([tmp_path / "c"])


def test_a_link_among_the_files_is_refused_and_named(task: DeliverableTask, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files/takings.xlsx").symlink_to("/etc/passwd")
    deliver(task, Submitting("a person", [tmp_path / "files"]), tmp_path / "runs")
    index = tmp_path / "runs" / task.id / "1/evidence/evidence.json"
    found = msgspec.json.decode(index.read_bytes())
    assert (found["files"], found["refused"][0]["why"]) == ([], "a link to /etc/passwd")
