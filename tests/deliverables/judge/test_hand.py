"""Judging by hand: questions as folders, answers as files."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.docket import Question
from bythebook.deliverables.judge.hand import HandJudge, Sources
from bythebook.deliverables.judge.startupbench import read_all, written
from bythebook.deliverables.judge.submission import Submission
from bythebook.verdict import Finding, Verdict
from tests.deliverables.judge.handed_over import (
    CHART,
    INCOME,
    ITEMS,
    RISKS,
    submitted,
    verdict,
    workbook,
)

QUESTIONS = tuple(map(Question, ITEMS))


@pytest.fixture
def judge(tmp_path: Path) -> HandJudge:
    return HandJudge(tmp_path / "answers")


def sources(root: Path) -> Sources:
    def hints(folder: Path) -> None:
        (folder / "ingest_report.json").write_text("{}")

    return Sources(root / "results", root / "inputs", hints)


def item_folder(judge: HandJudge, submission: Submission, name: str = "R1") -> Path:
    return judge.place(submission) / name


def test_the_questions_are_laid_out_with_all_that_is_needed(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    folder = item_folder(judge, submission)
    work = folder / "workspace"
    prompt = (folder / "prompt.md").read_text()
    assert (work / "results" / "note.docx").is_file()
    assert (work / "deliverables" / "data.csv").is_file()
    assert (work / "query" / "task.md").read_text() == submission.prompt
    assert (work / "eval_hints" / "ingest_report.json").is_file()
    assert json.loads((work / "eval" / "rubric.json").read_text()) == [
        {"index": 1, "description": INCOME.says, "weight_score": 5}
    ]
    for text in (INCOME.says, submission.head, "answer.json", "item_0001.json"):
        assert text in prompt


def test_what_all_items_share_is_there_once(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    copies = [path for path in judge.folder.rglob("note.docx") if not path.is_symlink()]
    real = {path.resolve() for path in copies}
    assert len(real) == 1
    links = [path for path in judge.folder.rglob("*") if path.is_symlink()]
    assert all(not path.readlink().is_absolute() for path in links)


def test_a_link_that_was_handed_over_is_not_copied(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    (tmp_path / "results" / "secret.txt").symlink_to("/etc/passwd")
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    assert not (judge.place(submission) / "shared" / "results" / "secret.txt").exists()


def test_an_answer_that_holds_is_taken(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    (item_folder(judge, submission) / "answer.json").write_text(json.dumps(verdict()))
    line = judge.take(submission, INCOME)
    assert line is not None
    assert (line.verdict, line.verified, line.judge) == ("pass", True, "hand:answers")
    assert judge.take(submission, RISKS) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "malformed: The file is no JSON"),
        (json.dumps(verdict("fail", because="Therefore: satisfied.")), "contradiction"),
        (json.dumps(verdict(evidence=[{"at": "note.docx#para=9", "reads": "x"}])), "places"),
        (json.dumps(verdict(evidence=[])), "places"),
        (json.dumps([verdict()]), "malformed"),
        ("[" * 100_000, "malformed"),
    ],
)
def test_what_is_wrong_is_written_beside_the_answer_until_it_is_mended(
    judge: HandJudge, submission: Submission, tmp_path: Path, text: str, says: str
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    answer = item_folder(judge, submission) / "answer.json"
    answer.write_text(text)
    assert judge.take(submission, INCOME) is None
    wrong = judge.wrong(submission, INCOME)
    assert wrong is not None
    assert says in wrong.read_text()
    answer.write_text(json.dumps(verdict()))
    assert judge.take(submission, INCOME) is not None
    assert judge.wrong(submission, INCOME) is None


@pytest.mark.parametrize("odd", ["folder", "loop", "device", "empty", "pipe"])
def test_what_is_no_file_is_a_wrong_answer_and_stops_no_other(
    judge: HandJudge, submission: Submission, tmp_path: Path, odd: str
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    answer = item_folder(judge, submission) / "answer.json"
    made: dict[str, Callable[[], object]] = {
        "folder": answer.mkdir,
        "loop": lambda: answer.symlink_to(answer.name),
        "device": lambda: answer.symlink_to("/dev/zero"),
        "empty": answer.touch,
        "pipe": lambda: os.mkfifo(answer),
    }
    made[odd]()
    assert judge.take(submission, INCOME) is None
    wrong = judge.wrong(submission, INCOME)
    assert wrong is not None
    assert "malformed" in wrong.read_text()


def test_an_answer_on_other_files_does_not_count_and_is_put_aside(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    answer = item_folder(judge, submission) / "answer.json"
    answer.write_text(json.dumps(verdict()))
    workbook(tmp_path / "results" / "book.xlsx", {"Raw": [["other"]]})
    results = View.of_folder(tmp_path / "results", keep=tmp_path / "evidence")
    changed = Submission("fin-01-note", 1, "q", {}, ITEMS, results, submission.inputs)
    assert judge.take(changed, INCOME) is None
    judge.lay_out(changed, sources(tmp_path), QUESTIONS)
    assert not answer.exists()
    assert (answer.parent / "answer.stale.json.kept").exists()
    assert judge.take(changed, INCOME) is None


def test_laying_out_again_leaves_an_answer_alone(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    answer = item_folder(judge, submission) / "answer.json"
    answer.write_text(json.dumps(verdict()))
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    assert judge.take(submission, INCOME) is not None


def test_what_an_unsure_check_saw_is_told(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    question = Question(CHART, Answer(mark="unsure", why="two sheets are called so"))
    judge.lay_out(submission, sources(tmp_path), (question,))
    prompt = (item_folder(judge, submission, "R3") / "prompt.md").read_text()
    assert "two sheets are called so" in prompt


# --- StartupBench's forms -----------------------------------------------------------------------


def theirs(passed: object = True, **more: object) -> dict[str, object]:
    told = {"index": 1, "weight": 5, "point": INCOME.says, "pass": passed}
    return told | {"judge_response": "It says so.", "multimodal": False} | more


def test_their_answer_file_is_taken_as_unverified(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    place = item_folder(judge, submission) / "workspace" / "eval" / "rubric_items"
    (place / "item_0001.json").write_text(json.dumps(theirs(passed=False)))
    line = judge.take(submission, INCOME)
    assert line is not None
    assert (line.verdict, line.verified, line.because) == ("fail", False, "It says so.")


@pytest.mark.parametrize(
    "sent",
    [
        theirs(passed="yes"),
        theirs(passed=None),
        theirs(index=2),
        theirs(point="Something else."),
        theirs(judge_response=" "),
    ],
)
def test_their_answer_on_something_else_or_without_a_verdict_is_not_taken(
    judge: HandJudge, submission: Submission, tmp_path: Path, sent: dict[str, object]
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    place = item_folder(judge, submission) / "workspace" / "eval" / "rubric_items"
    (place / "item_0001.json").write_text(json.dumps(sent))
    assert judge.take(submission, INCOME) is None
    assert judge.wrong(submission, INCOME) is not None


def test_their_file_for_all_items_is_read(
    judge: HandJudge, submission: Submission, tmp_path: Path
) -> None:
    judge.lay_out(submission, sources(tmp_path), QUESTIONS)
    path = judge.place(submission) / "rubric_judges.json"
    open_still = theirs(None, index=3, point=CHART.says, weight=1)
    second = theirs(index=2, point=RISKS.says, weight=3)
    path.write_text(json.dumps([second, theirs(index=1), open_still]))
    assert sorted(read_all(path, ITEMS)) == ["R1", "R2"]
    taken = judge.take(submission, RISKS)
    assert taken is not None
    assert (taken.verdict, taken.verified) == ("pass", False)
    assert judge.take(submission, CHART) is None


def test_a_verdict_is_written_in_their_form_with_void_as_null() -> None:
    told: dict[str, Any] = {"kind": "item", "says": "", "level": "core", "dimension": "domain"}
    findings = (
        Finding(id="R1", verdict="pass", by="check", place="a.xlsx#S!A1", seen="7", **told),
        Finding(id="R2", verdict="fail", by="hand:ann", why="No risks.", **told),
        Finding(id="R3", verdict="void", why="no judge has answered", **told),
    )
    facts: dict[str, Any] = dict.fromkeys(
        ("benchmark", "suite", "task", "agent", "condition", "outcome", "scene"), ""
    )
    verdict = Verdict(**facts, run=1, rules="", recorded_rules="", findings=findings)
    first, second, third = written(ITEMS, verdict)
    assert (first.index, first.weight, first.point) == (1, 5, INCOME.says)
    assert [one.passed for one in (first, second, third)] == [True, False, None]
    assert "a.xlsx#S!A1: 7" in first.judge_response
    assert "No risks." in second.judge_response
    assert list(msgspec.to_builtins(first)) == [
        "index",
        "weight",
        "point",
        "judge_response",
        "pass",
        "multimodal",
    ]


def test_two_folders_are_two_judges(tmp_path: Path) -> None:
    submission = submitted(tmp_path)
    assert HandJudge(tmp_path / "ann").name == "hand:ann"
    assert HandJudge(tmp_path / "ann" / ".." / "bob").place(submission).parts[-2:] == (
        "fin-01-note",
        "1",
    )
