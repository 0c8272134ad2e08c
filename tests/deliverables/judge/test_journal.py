"""The journal of judgements survives what processes do not; the docket reads what is left."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.deliverables.checks.answer import Answer, Mark
from bythebook.deliverables.judge.docket import Asked, Question, left_open, standing
from bythebook.deliverables.judge.journal import append, read_judgements
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.rubric import Item
from bythebook.errors import TraceError

ITEM = Item(id="R1", says="So.", dimension="domain", level="core")
OTHER = Item(id="R2", says="And so.", dimension="domain", level="core")
CHECKED = Item(id="R3", says="By rule.", dimension="domain", level="core", check={"no_errors": {}})
SCREENED = Item(id="R4", says="By eye.", dimension="domain", level="core", screen={"text": {}})


def line(item: Item = ITEM, verdict: str | None = "pass", **more: object) -> Judgement:
    told = {"item": item.id, "item_hash": item.hash, "evidence": "e", "judge": "j"}
    return Judgement(**(told | {"verdict": verdict} | more))  # type: ignore[arg-type]  # open on purpose


def test_lines_are_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    append(path, [line()])
    append(path, [line(OTHER, None, cause="timeout"), line(OTHER, "fail")])
    assert [(one.item, one.verdict) for one in read_judgements(path)] == [
        ("R1", "pass"),
        ("R2", None),
        ("R2", "fail"),
    ]


def test_no_journal_is_no_judgement(tmp_path: Path) -> None:
    assert read_judgements(tmp_path / "none") == ()


@given(cut=st.integers(0, 400))
def test_a_torn_last_line_is_not_read_and_is_written_over(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("torn") / "judgements.jsonl"
    append(path, [line(), line(OTHER)])
    path.write_bytes(path.read_bytes()[:cut])
    whole = read_judgements(path)
    append(path, [line(OTHER, "fail")])
    assert read_judgements(path) == (*whole, line(OTHER, "fail"))


def test_a_line_that_does_not_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    append(path, [line()])
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(TraceError, match=r"judgements\.jsonl:2"):
        read_judgements(path)


# --- what is still to be judged -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "mark", "is_open"),
    [
        (CHECKED, "pass", False),
        (CHECKED, "fail", False),
        (CHECKED, "void", False),
        (CHECKED, "unsure", True),
        (SCREENED, "pass", True),
        (SCREENED, "fail", False),
        (ITEM, None, True),
    ],
)
def test_checks_decide_first(item: Item, mark: Mark | None, is_open: bool) -> None:
    answers = {} if mark is None else {item.id: Answer(mark=mark)}
    assert bool(left_open([item], answers)) is is_open


def test_an_unsure_answer_goes_to_the_judge_with_its_item() -> None:
    answer = Answer(mark="unsure", why="twice")
    assert left_open([CHECKED], {"R3": answer}) == [Question(CHECKED, answer)]


def test_the_last_line_of_this_judge_on_this_wording_and_these_files_stands() -> None:
    lines = [
        line(verdict="fail"),
        line(verdict="pass"),
        line(verdict="fail", judge="another"),
        line(verdict="fail", evidence="others"),
        line(verdict="fail", item_hash="before"),
        line(verdict="fail", mode="holistic"),
    ]
    found = standing(lines, ITEM, judge="j", evidence="e")
    assert found == lines[1]


def remaining(*lines: Judgement, again: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    asked = Asked(judge="j", evidence="e", attempts=2, again=again)
    questions = [Question(ITEM), Question(OTHER)]
    return [(q.item.id, q.attempt) for q in asked.remaining(questions, lines)]


def test_what_was_never_judged_is_asked() -> None:
    assert remaining() == [("R1", 1), ("R2", 1)]
    assert remaining(line()) == [("R2", 1)]


def test_a_void_in_the_middle_of_its_attempts_goes_on_with_the_next() -> None:
    assert remaining(line(), line(OTHER, None, attempt=1)) == [("R2", 2)]


def test_a_void_after_its_last_attempt_waits_to_be_asked_for() -> None:
    lines = (line(), line(OTHER, None, attempt=2))
    assert remaining(*lines) == []
    assert remaining(*lines, again=("void",)) == [("R2", 1)]


def test_again_names_items_or_all() -> None:
    lines = (line(), line(OTHER))
    assert remaining(*lines, again=("R1",)) == [("R1", 1)]
    assert remaining(*lines, again=("all",)) == [("R1", 1), ("R2", 1)]
    assert remaining(*lines, again=("void",)) == []
