"""A verdict that is written over is kept, and it is told who judged with what."""

import json
import shutil
from pathlib import Path

import pytest

from bythebook import __version__
from bythebook.conduct.task import ConductTask
from bythebook.errors import TraceError
from bythebook.run.agents import Scripted
from bythebook.run.conduct import ConductBench
from bythebook.run.folder import EvaluationFolder
from bythebook.run.provenance import scorings, sha_of
from bythebook.run.score import Subset, judge_again, rescore, scores
from tests.own import TASK, own_content, own_task
from tests.run.playing import play


@pytest.fixture(scope="module")
def played(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play(task, Scripted("shortcut"), folder, runs=3)
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> EvaluationFolder:
    return EvaluationFolder(Path(shutil.copytree(played, tmp_path / "copy")))


def spoil(folder: EvaluationFolder, number: int) -> bytes:
    """A verdict that its trace does not give."""
    path = folder.run(TASK, number).verdict
    path.write_bytes(path.read_bytes().replace(b"false", b"true"))
    return path.read_bytes()


def test_a_verdict_that_its_run_wrote_needs_no_line(copy: EvaluationFolder) -> None:
    rescore(copy)

    assert scorings(copy) == ()
    assert not copy.scorings.exists()


def test_a_verdict_that_is_written_over_is_kept_and_told_of(copy: EvaluationFolder) -> None:
    old = spoil(copy, 2)

    judge_again(copy, ConductBench(copy), by="Second Reader")

    (line,) = scorings(copy)
    place = copy.run(TASK, 2)
    assert (place.verdicts / f"{line.was}.json").read_bytes() == old
    assert line.now == sha_of(place.verdict.read_bytes())
    assert (line.task, line.run, line.file) == (TASK, 2, "verdict.json")
    assert (line.bythebook, line.by) == (__version__, "Second Reader")
    assert line.rules == json.loads(place.verdict.read_bytes())["rules"]
    assert line.at.endswith("Z")


def test_no_verdict_under_todays_rules_is_lost(tmp_path: Path) -> None:
    own = own_content(tmp_path / "own")
    folder = EvaluationFolder(tmp_path / "runs")
    play(own_task(own), Scripted("shortcut"), folder.root)
    criteria = own / "tasks" / "conduct" / TASK / "criteria.yaml"
    rules = []
    for most in (8, 9):
        text = criteria.read_text()
        criteria.write_text(text.replace("<= 3", f"<= {most}").replace("<= 8", f"<= {most}"))
        today = own_task(own).criteria
        rescore(folder, {TASK: today})
        rules.append(today.sha)

    first, second = scorings(folder)

    assert [first.rules, second.rules] == rules
    assert (first.was, second.was) == ("", first.now)
    kept = folder.run(TASK, 1).verdicts / f"{first.now}.json"
    assert json.loads(kept.read_bytes())["rules"] == rules[0]


def test_without_keeping_nothing_is_written(copy: EvaluationFolder) -> None:
    old = spoil(copy, 1)

    judge_again(copy, ConductBench(copy), keep=False)

    assert copy.run(TASK, 1).verdict.read_bytes() == old
    assert scorings(copy) == ()


def test_a_subset_is_judged_alone_and_counts_itself(copy: EvaluationFolder) -> None:
    old = spoil(copy, 1)
    spoil(copy, 3)
    only = Subset(tasks=(TASK[:3],), numbers=(2, 3, 4))

    found = judge_again(copy, ConductBench(copy), only=only)
    result = scores(copy, found, only=only)

    assert [place.number for place in found.changed] == [3]
    assert copy.run(TASK, 1).verdict.read_bytes() == old
    assert [run.run for run in result.runs] == [2, 3]
    assert result.summary.missing == 0


def test_verdicts_that_stood_before_go_aside_with_their_attempt(copy: EvaluationFolder) -> None:
    spoil(copy, 1)
    rescore(copy)

    place = copy.run(TASK, 1).set_aside()

    assert place is not None
    assert len(list((place / "verdicts").iterdir())) == 1
    assert not copy.run(TASK, 1).verdicts.exists()


def test_a_line_that_does_not_read_is_named(copy: EvaluationFolder) -> None:
    spoil(copy, 1)
    rescore(copy)
    with copy.scorings.open("ab") as file:
        file.write(b'{"task": 1}\n{"torn')

    with pytest.raises(TraceError, match=r"scorings\.jsonl:2: this line does not read"):
        scorings(copy)
