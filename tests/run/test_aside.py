"""What an agent might get rid of is seen: attempts that do not count, by how they ended and how far
the agent had come."""

from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.report.data import read_evaluations
from bythebook.report.tables.coverage import coverage
from bythebook.run.aside import OPEN, SetAside, aside_line, set_aside
from bythebook.run.folder import EvaluationFolder
from bythebook.run.score import rescore, scores
from tests.model_server import Asked, ModelServer, Spoken, fault
from tests.own import TASK
from tests.run.test_chaos import evaluated
from tests.run.wired import Wired

PROVIDER = "infrastructure_failure(provider)"


class Refusing:
    """A golden over the wire, whose provider takes no more once it has answered `good` times in a
    conversation, in so many attempts; then it does."""

    def __init__(self, task: ConductTask, good: int, attempts: int) -> None:
        self._wired, self._good, self._left = Wired(task), good, attempts

    def __call__(self, asked: Asked) -> Spoken:
        said = sum(one["role"] == "assistant" for one in asked.body["messages"])
        if self._left and said >= self._good:
            self._left -= 1
            return fault(400, "this request holds what I do not take")
        return self._wired(asked)


@pytest.fixture
def folder(task: ConductTask, tmp_path: Path) -> EvaluationFolder:
    """One run, refused twice after two good answers, and once at the first request."""
    for good, attempts in ((2, 2), (0, 3)):
        with ModelServer(Refusing(task, good, attempts)) as server:
            evaluated(task, server.url, tmp_path / str(good), 1)
    return EvaluationFolder(tmp_path / "2")


def test_refusals_after_good_answers_are_told_from_those_before_any(
    folder: EvaluationFolder, tmp_path: Path
) -> None:
    others = EvaluationFolder(tmp_path / "0")
    assert set_aside(folder.places()) == {PROVIDER: SetAside(attempts=2, at_work=2)}
    assert set_aside(others.places()) == {PROVIDER: SetAside(attempts=3, at_work=0)}


def test_the_summary_and_its_table_tell_them(folder: EvaluationFolder) -> None:
    summary = scores(folder, rescore(folder)).summary
    assert (summary.runs, summary.strict, summary.attempts_set_aside) == (1, 1, 2)
    assert summary.set_aside[PROVIDER].at_work == 2
    told = f"2 attempts set aside: 2 {PROVIDER} (2 with the agent at work)"
    assert aside_line(summary.set_aside) == told
    assert aside_line({}) == ""


def test_a_report_counts_them_too(folder: EvaluationFolder, tmp_path: Path) -> None:
    evaluations = read_evaluations([folder.root, tmp_path / "0"])
    rows = coverage(evaluations, "conduct").rows
    assert [(row.cell("infrastructure").value, row.cell("at_work").value) for row in rows] == [
        (2, 2),
        (3, 0),
    ]


def test_a_run_that_was_in_flight_ended_in_no_way(folder: EvaluationFolder) -> None:
    place = folder.run(TASK, 1)
    lines = place.trace.read_bytes().splitlines(keepends=True)
    place.trace.write_bytes(b"".join(lines[:1]))
    place.set_aside()
    assert set_aside([place])[OPEN] == SetAside(attempts=1, at_work=0)
