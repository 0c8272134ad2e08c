"""What people wrote beside a task, and the shape of a rubric: what is missing is told."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bythebook.deliverables.proof.lab import Lab
from bythebook.deliverables.proof.papers import hand_problems, load_review, review_problems
from bythebook.deliverables.proof.shape import (
    judged_problems,
    kinds,
    likeness_problems,
    shape_problems,
    weights,
)
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.errors import ContentError
from bythebook.task import Content

BROKEN = {"note_wrong": frozenset({"R10"}), "nothing_on_tea": frozenset({"R11"})}


def hands(task: DeliverableTask, work: Path, broken: Mapping[str, frozenset[str]] = BROKEN) -> str:
    """All that the stored answers lack, in one text."""
    lab = Lab(work, None)
    exhibits = {name: lab.view(task.folder / name) for name in ("reference", "reference-2")}
    return "\n".join(hand_problems(task, exhibits, lab.view(task.inputs), broken))


def rewrite(task: DeliverableTask, name: str, old: str, new: str) -> DeliverableTask:
    path = task.folder / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return load_task(Content([task.folder.parents[2]]), task.id)


# --- hand.yaml ----------------------------------------------------------------------------------


def test_stored_answers_with_true_places_are_enough(task: DeliverableTask, tmp_path: Path) -> None:
    assert hands(task, tmp_path) == ""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("reads: 4 July", "reads: 5 July", "hand: R11: reference: 'note.docx#para=4'"),
        ("#para=4", "#para=40", "hand: R11: reference: 'note.docx#para=40'"),
        (
            "verdict: pass\n    because: It names",
            "verdict: fail\n    because: It names",
            "must sat",
        ),
        ("  reference-2: *tea\n", "", "hand: R11: no answer on reference-2"),
        ("nothing_on_tea:", "nothing_on_tee:", "did you mean 'nothing_on_tea'"),
        ("      searched: [note.docx]\n", "", ""),
        ("R11:", "R12:", "did you mean 'R1"),
        ("hash: ", "hsh: ", "did you mean 'hash'"),
    ],
)
def test_what_a_stored_answer_lacks_is_told(
    task: DeliverableTask, tmp_path: Path, old: str, new: str, says: str
) -> None:
    found = hands(rewrite(task, "hand.yaml", old, new), tmp_path)
    assert says in found
    assert found or not says


def test_an_item_with_other_words_is_answered_anew(task: DeliverableTask, tmp_path: Path) -> None:
    other = rewrite(task, "rubric.yaml", "price of tea rose on 4 July", "price of tea rose")
    found = hands(other, tmp_path)
    item = other.rubric.by_id["R11"]
    assert found == (
        f"hand: R11: answered for another wording; answer anew, then `hash: {item.hash[:16]}`"
    )


def test_a_fault_that_does_not_break_the_item_is_no_answer(
    task: DeliverableTask, tmp_path: Path
) -> None:
    found = hands(task, tmp_path, {**BROKEN, "nothing_on_tea": frozenset({"R09"})})
    assert "nothing_on_tea must break it: name the item under its `judged`" in found


# --- review.yaml --------------------------------------------------------------------------------


def test_a_whole_review_is_enough(task: DeliverableTask) -> None:
    assert list(review_problems(load_review(task.folder))) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("note: Both add up.", "note: ''", "review: references is answered without a note"),
        ("{holds: true, note: The n", "{holds: false, note: The n", "review: one_reading is open"),
        ("profession: stallholder", "profession: ''", "review: as what did a reader read it?"),
        (
            "[{who: a reader, kind: model, profession: stallholder, day: 2024-07-08}]",
            "[]",
            "nobody",
        ),
    ],
)
def test_what_a_review_lacks_is_told(task: DeliverableTask, old: str, new: str, says: str) -> None:
    rewrite(task, "review.yaml", old, new)
    assert says in "\n".join(review_problems(load_review(task.folder)))


def test_a_review_of_another_form_names_its_line(task: DeliverableTask) -> None:
    rewrite(task, "review.yaml", "fairness:", "fairnes:")
    with pytest.raises(ContentError, match=r"review.yaml:4.*fairnes"):
        load_review(task.folder)


# --- the rubric as a whole ----------------------------------------------------------------------


def test_weights_tell_who_decides(task: DeliverableTask) -> None:
    found = weights(task.rubric)
    assert (found.total, found.checks, found.screens, found.judges) == (47, 41, 3, 3)


def test_a_small_rubric_is_told_to_be_small(task: DeliverableTask) -> None:
    assert list(shape_problems(task.rubric)) == ["15 items; 22 to 30 are wanted"]


def test_a_judged_item_without_truth_is_told(task: DeliverableTask) -> None:
    bare = rewrite(task, "rubric.yaml", "  truth: Tea costs 2.80 from 4 July (notice.md).\n", "")
    assert list(judged_problems(bare.rubric)) == [
        "R11 is judged and has no truth: what must the judge know?"
    ]


def test_a_task_is_not_like_itself_but_like_its_copy(task: DeliverableTask, tmp_path: Path) -> None:
    copy = task.folder.with_name("bus-91-stall")
    task.folder.rename(copy)
    copied = load_task(Content([copy.parents[2]]), copy.name)
    _ = copied.rubric, copied.prompt
    copy.rename(task.folder)
    assert list(likeness_problems(task, [task])) == []
    assert list(likeness_problems(task, [copied])) == [
        "shares 100 % of its runs of 8 words with bus-91-stall",
        "has as many checks of each kind as bus-91-stall",
    ]
    assert ("judge", 1) in kinds(task)
