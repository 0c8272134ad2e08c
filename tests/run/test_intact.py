"""What lies in a run's place is what was written there, or it is said where it is not."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.score import rescore
from tests.own import TASK
from tests.run.playing import play


@pytest.fixture(scope="module")
def played(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play(task, Scripted("golden"), folder, runs=2)
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> EvaluationFolder:
    return EvaluationFolder(Path(shutil.copytree(played, tmp_path / "copy")))


Lines = list[dict[str, Any]]


def edit(place: RunFolder, change: Callable[[Lines], object]) -> None:
    """Change the trace of a run as somebody with an editor would."""
    lines = [json.loads(line) for line in place.trace.read_text().splitlines()]
    change(lines)
    place.trace.write_text("".join(json.dumps(x, separators=(",", ":")) + "\n" for x in lines))


def writing(lines: Lines, which: int = 0) -> dict[str, Any]:
    return [line for line in lines if line.get("writes") and line["kind"] == "call"][which]


def other_row(lines: Lines) -> None:
    writing(lines)["writes"][0][3]["id"] += "9"


def other_past(lines: Lines) -> None:
    one = next(w for line in lines for w in line.get("writes", ()) if w[2] is not None)
    one[2]["id"] += "9"


def one_write_less(lines: Lines) -> None:
    writing(lines)["writes"].pop()


def one_write_more(lines: Lines) -> None:
    writing(lines)["writes"] *= 3


def other_hash(lines: Lines) -> None:
    writing(lines)["h"] = "0" * 32


def no_hash(lines: Lines) -> None:
    writing(lines)["h"] = "what is this"


def back_in_time(lines: Lines) -> None:
    lines[-2]["t"] = 0


def event_cut_out(lines: Lines) -> None:
    lines.remove(writing(lines))
    for number, line in enumerate(lines[1:-1]):
        line["i"] = number
    lines[-1]["events"] -= 1


def other_end(lines: Lines) -> None:
    lines[-1]["h"] = "0" * 32


EDITS = {
    "does not follow on the last": (other_past, one_write_more),
    "state that it names": (other_row, one_write_less, other_hash, no_hash, event_cut_out),
    "time runs back": (back_in_time,),
    "another end state": (other_end,),
}


@pytest.mark.parametrize(
    ("change", "says"), [(change, says) for says, edits in EDITS.items() for change in edits]
)
def test_a_trace_edited_by_hand_is_not_judged(
    copy: EvaluationFolder, change: Callable[[Lines], object], says: str
) -> None:
    edit(copy.run(TASK, 1), change)
    found = rescore(copy)

    assert [verdict.run for verdict in found.verdicts] == [2]
    assert says in str(found.problems[0])
    assert "trace.jsonl:" in found.problems[0].where
    assert "changed after it was written" in found.problems[0].hint


def test_a_trace_in_another_runs_place_is_not_judged(copy: EvaluationFolder) -> None:
    first, second = copy.run(TASK, 1), copy.run(TASK, 2)
    shutil.copy(first.trace, second.trace)
    shutil.copytree(first.root, copy.run("q91-other", 1).root)
    found = rescore(copy)

    said = [str(problem) for problem in found.problems]
    assert len(found.verdicts) == 1
    assert "a trace of run 1, in the place of run 2" in said[0]
    assert f"a trace of task '{TASK}', in the place of task 'q91-other'" in said[1]


@pytest.mark.parametrize(("name", "value"), [("agent", "loop"), ("condition", "gold-docs")])
def test_a_trace_of_another_plan_is_not_judged(
    copy: EvaluationFolder, name: str, value: str
) -> None:
    edit(copy.run(TASK, 1), lambda lines: lines[0].update({name: value}))
    found = rescore(copy)

    assert f"a trace of {name} '{value}', in the place of {name}" in str(found.problems[0])
    assert len(found.verdicts) == 1


def scene_like(copy: EvaluationFolder, place: RunFolder, **origin: str) -> None:
    """Let a trace name a scene of another origin, correctly hashed."""
    sha = json.loads(place.trace.read_text().splitlines()[0])["scene"]
    data = json.loads((copy.scenes / f"{sha}.json").read_bytes())
    data["origin"].update(origin)
    scene = SceneFile.parse(json.dumps(data).encode(), where="here")
    copy.keep_scene(scene)
    edit(place, lambda lines: lines[0].update(scene=scene.sha))


def test_a_scene_swapped_for_another_is_not_judged_by(copy: EvaluationFolder) -> None:
    scene_like(copy, copy.run(TASK, 1), task="q91-other")
    scene_like(copy, copy.run(TASK, 2), task_hash="0" * 64)
    found = rescore(copy)

    said = [str(problem) for problem in found.problems]
    assert found.verdicts == ()
    assert f"the trace is of {TASK}, the scene that it names of q91-other" in said[0]
    assert "another edition" in said[1]


def test_a_lost_scene_is_said_once_and_written_again_by_the_command_that_played(
    copy: EvaluationFolder, task: ConductTask
) -> None:
    for path in copy.scenes.iterdir():
        path.unlink()
    lost = rescore(copy)
    tally = play(task, Scripted("golden"), copy.root, runs=2)

    assert len(lost.problems) == 1
    assert "the scene cannot be read: No such file" in str(lost.problems[0])
    assert "writes it again" in lost.problems[0].hint
    assert (tally.kept, tally.played) == (2, 0)
    assert rescore(copy).problems == ()


def test_a_changed_scene_is_written_again_by_the_command_that_played(
    copy: EvaluationFolder, task: ConductTask
) -> None:
    for path in copy.scenes.iterdir():
        path.write_bytes(path.read_bytes() + b" ")
    changed = rescore(copy)
    play(task, Scripted("golden"), copy.root, runs=2)

    assert "not the one it is named by" in str(changed.problems[0])
    assert "writes it again" in changed.problems[0].hint
    assert rescore(copy).problems == ()


def test_a_verdict_put_right_is_told_from_one_that_was_missing(copy: EvaluationFolder) -> None:
    first, second = copy.run(TASK, 1), copy.run(TASK, 2)
    first.verdict.unlink()
    second.verdict.write_bytes(second.verdict.read_bytes().replace(b"true", b"false"))
    found = rescore(copy)

    assert [place.number for place in found.changed] == [1, 2]
    assert [place.number for place in found.corrected] == [2]
