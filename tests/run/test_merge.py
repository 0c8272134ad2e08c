"""Evaluations of several machines become one; what does not fit together is refused and said."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import BythebookError, TraceError, UsageError
from bythebook.run.agents import Scripted
from bythebook.run.folder import EvaluationFolder
from bythebook.run.merge import MERGED, merge
from bythebook.run.provenance import scorings
from bythebook.run.score import rescore, scores
from tests.own import TASK
from tests.run.playing import Breaking, play


@pytest.fixture(scope="module")
def played(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play(task, Scripted("golden"), folder, runs=4)
    return folder


@pytest.fixture
def part(played: Path, tmp_path: Path) -> Callable[..., Path]:
    """A folder that holds some runs of the evaluation: what one machine played."""

    def made(name: str, *numbers: int) -> Path:
        folder = Path(shutil.copytree(played, tmp_path / name))
        for number in {1, 2, 3, 4} - set(numbers):
            shutil.rmtree(folder / TASK / str(number))
        return folder

    return made


def replan(folder: Path, **fields: Any) -> None:
    plan = json.loads((folder / "plan.json").read_bytes())
    (folder / "plan.json").write_text(json.dumps(plan | fields))


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_two_halves_make_the_whole(part: Callable[..., Path], played: Path, tmp_path: Path) -> None:
    first, second = part("first", 1, 3), part("second", 2, 4)
    before = contents(first), contents(second)

    told = merge([first, second], tmp_path / "both")

    made = contents(tmp_path / "both")
    for name, data in contents(played).items():
        if name != ".lock":
            assert made[name] == data
    assert [run.sources for run in told.runs] == [("first",), ("second",)] * 2
    assert (contents(first), contents(second)) == before
    found = rescore(EvaluationFolder(tmp_path / "both"))
    assert found.changed == ()
    assert scores(EvaluationFolder(tmp_path / "both"), found).summary.missing == 0


def test_a_run_that_several_hold_alike_is_taken_once(
    part: Callable[..., Path], tmp_path: Path
) -> None:
    told = merge([part("first", 1, 2), part("second", 2)], tmp_path / "both")

    assert [run.sources for run in told.runs] == [("first",), ("first", "second")]


def test_two_different_runs_of_one_number_are_refused(
    part: Callable[..., Path], task: ConductTask, tmp_path: Path
) -> None:
    first = part("first", 1)
    play(task, Scripted("shortcut"), tmp_path / "second", runs=1)
    replan(tmp_path / "second", agent="golden")
    trace = tmp_path / "second" / TASK / "1" / "trace.jsonl"
    trace.write_bytes(trace.read_bytes().replace(b'"agent":"shortcut"', b'"agent":"golden"', 1))

    with pytest.raises(UsageError) as refused:
        merge([first, tmp_path / "second"], tmp_path / "both")

    assert "1 run lies in several folders" in refused.value.what
    assert f"{TASK}/1: trace.jsonl differs between first and second" in refused.value.hint
    assert not (tmp_path / "both").exists()


@pytest.fixture
def other(task: ConductTask, tmp_path: Path) -> Path:
    """Two runs of another machine, which went another way under the same plan."""
    folder = tmp_path / "other"
    play(task, Scripted("shortcut"), folder, runs=2)
    for file in folder.glob("*/*/*.json*"):
        file.write_bytes(file.read_bytes().replace(b'"shortcut"', b'"golden"', 1))
    replan(folder, agent="golden")
    rescore(EvaluationFolder(folder))
    return folder


def test_pooled_two_different_runs_of_one_number_count_both(
    part: Callable[..., Path], other: Path, tmp_path: Path
) -> None:
    first, both = part("first", 1, 3), tmp_path / "both"
    before = contents(first), contents(other)
    old = (other / TASK / "1" / "verdict.json").read_bytes()

    told = merge([first, other], both, pool=True)
    found = rescore(EvaluationFolder(both))

    assert (contents(first), contents(other)) == before
    assert [(run.run, run.sources, run.was) for run in told.runs] == [
        (1, ("first",), None),
        (2, ("other",), None),
        (3, ("first",), None),
        (4, ("other",), 1),
    ]
    assert found.problems == ()
    result = scores(EvaluationFolder(both), found)
    assert [line.run for line in result.runs] == [1, 2, 3, 4]
    assert [line.strict for line in result.runs] == [True, False, True, False]
    assert result.summary.missing == 0
    (kept,) = (both / TASK / "4" / "verdicts").iterdir()
    assert kept.read_bytes() == old
    lines = [line for line in scorings(EvaluationFolder(both)) if line.run == 4]
    assert lines[-1].was == kept.stem


def test_pooled_one_run_of_two_folders_is_still_one(
    part: Callable[..., Path], tmp_path: Path
) -> None:
    first, second = part("first", 1, 2), part("second", 2)
    told = merge([first, second], tmp_path / "both", pool=True)
    note = second / TASK / "2" / "judgements.jsonl"
    note.write_bytes(b"{}\n")
    (first / TASK / "2" / "judgements.jsonl").write_bytes(b"{} \n")

    assert [run.sources for run in told.runs] == [("first",), ("first", "second")]
    with pytest.raises(UsageError) as refused:
        merge([first, second], tmp_path / "again", pool=True)
    assert f"{TASK}/2: judgements.jsonl differs" in refused.value.hint


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"benchmark": "9.9"}, "versions of the benchmark never merge"),
        ({"agent": "idle"}, "agent is 'golden' in the one, 'idle' in the other"),
        ({"settings": {"temperature": 1}}, 'settings is {} in the one, {"temperature":1} in'),
        ({"cap": "6/5"}, "cap is '' in the one, '6/5' in the other"),
        ({"tasks": [{"id": TASK, "hash": "0" * 64, "golden": 1}]}, "is of another edition"),
    ],
    ids=["version", "agent", "settings", "cap", "task"],
)
def test_other_plans_are_refused_and_the_difference_is_said(
    part: Callable[..., Path], tmp_path: Path, fields: dict[str, Any], says: str
) -> None:
    first, second = part("first", 1), part("second", 2)
    replan(second, **fields)

    with pytest.raises(UsageError) as refused:
        merge([first, second], tmp_path / "both")

    assert says in refused.value.hint
    assert not (tmp_path / "both").exists()


def test_two_judges_that_count_are_refused(part: Callable[..., Path], tmp_path: Path) -> None:
    first, second, third = part("first", 1), part("second", 2), part("third", 3)
    replan(second, judge="model:a")
    replan(third, judge="model:b", judge_mode="holistic")

    merge([first, third], tmp_path / "one-judge")
    with pytest.raises(UsageError, match="the judgements of model:a count in the one"):
        merge([second, third], tmp_path / "both")

    plan = EvaluationFolder(tmp_path / "one-judge").plan
    assert plan is not None
    assert (plan.judge, plan.judge_mode) == ("model:b", "holistic")


def test_a_model_that_stood_elsewhere_is_the_same_model(
    part: Callable[..., Path], tmp_path: Path
) -> None:
    first, second = part("first", 1), part("second", 2)
    replan(first, model="local:m", base_url="http://a.example/v1", runs=2)
    replan(second, model="local:m", base_url="http://b.example/v1", moved_to=["http://c.example"])

    merge([first, second], tmp_path / "both")

    plan = EvaluationFolder(tmp_path / "both").plan
    assert plan is not None
    assert plan.moved_to == ("http://b.example/v1", "http://c.example")
    assert plan.runs == 4


def test_attempts_that_do_not_count_are_kept_once_each(task: ConductTask, tmp_path: Path) -> None:
    broken = tmp_path / "first"
    play(task, Breaking(RuntimeError("gone"), 1), broken)
    shutil.copytree(broken, tmp_path / "second")
    shutil.rmtree(broken / TASK / "1" / "attempts")
    shutil.copytree(tmp_path / "second", tmp_path / "third")

    merge([broken, tmp_path / "second", tmp_path / "third"], tmp_path / "all")

    assert len(EvaluationFolder(tmp_path / "all").run(TASK, 1).attempts) == 1


def test_a_run_in_flight_is_left_out_and_said(part: Callable[..., Path], tmp_path: Path) -> None:
    first = part("first", 1, 2)
    trace = first / TASK / "2" / "trace.jsonl"
    trace.write_bytes(trace.read_bytes()[:-10])

    told = merge([first], tmp_path / "both")

    assert told.left_out == (f"first/{TASK}/2: in flight",)
    assert not (tmp_path / "both" / TASK / "2").exists()


def change_trace(folder: Path) -> None:
    trace = folder / TASK / "1" / "trace.jsonl"
    trace.write_bytes(trace.read_bytes().replace(b'"run":1', b'"run":2', 1))


def change_scene(folder: Path) -> None:
    (scene,) = (folder / "scenes").iterdir()
    scene.write_bytes(scene.read_bytes() + b" ")


def lose_scene(folder: Path) -> None:
    shutil.rmtree(folder / "scenes")


def lose_plan(folder: Path) -> None:
    (folder / "plan.json").unlink()


@pytest.mark.parametrize("spoil", [change_trace, change_scene, lose_scene, lose_plan])
def test_what_is_not_as_it_was_written_is_refused(
    part: Callable[..., Path], tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    first, second = part("first", 1), part("second", 2)
    spoil(first)

    with pytest.raises(BythebookError) as refused:
        merge([second, first], tmp_path / "both")

    assert isinstance(refused.value, TraceError | UsageError)
    assert str(first) in refused.value.where
    assert not (tmp_path / "both").exists()


def test_a_folder_with_something_in_it_is_no_target(
    part: Callable[..., Path], tmp_path: Path
) -> None:
    first = part("first", 1)

    with pytest.raises(UsageError, match="there is something here already"):
        merge([first, part("second", 2)], first)
    with pytest.raises(UsageError, match="named twice"):
        merge([first, tmp_path / "." / "first"], tmp_path / "both")


def test_what_a_stopped_merge_left_is_no_part_of_the_next(
    part: Callable[..., Path], tmp_path: Path
) -> None:
    left = tmp_path / ".both.new" / "q99-other" / "1"
    left.mkdir(parents=True)
    (left / "trace.jsonl").write_text("half")

    merge([part("first", 1)], tmp_path / "both")

    assert not (tmp_path / "both" / "q99-other").exists()
    assert not (tmp_path / ".both.new").exists()


def test_who_judged_and_where_a_run_was_is_not_lost(
    part: Callable[..., Path], tmp_path: Path
) -> None:
    first, second, third = part("first", 1), part("second", 2), part("third", 3)
    verdict = first / TASK / "1" / "verdict.json"
    verdict.write_bytes(verdict.read_bytes().replace(b"true", b"false"))
    rescore(EvaluationFolder(first))
    merge([first, second], tmp_path / "two")

    told = merge([third, tmp_path / "two"], tmp_path / "three")

    (line,) = scorings(EvaluationFolder(tmp_path / "three"))
    kept = tmp_path / "three" / TASK / "1" / "verdicts" / f"{line.was}.json"
    assert kept.is_file()
    assert [run.sources for run in told.runs] == [("two: first",), ("two: second",), ("third",)]
    assert str(tmp_path) not in (tmp_path / "three" / MERGED).read_text()


def test_links_are_left_behind(part: Callable[..., Path], tmp_path: Path) -> None:
    first = part("first", 1)
    (tmp_path / "secret").write_text("secret")
    (first / TASK / "1" / "workspace").mkdir()
    (first / TASK / "1" / "workspace" / "link").symlink_to(tmp_path / "secret")
    (first / TASK / "1" / "workspace" / "file").write_text("work")

    merge([first], tmp_path / "both")

    workspace = tmp_path / "both" / TASK / "1" / "workspace"
    assert [path.name for path in workspace.iterdir()] == ["file"]
