"""Counterexamples and twins are named edits of a golden; what cannot be meant is refused."""

from pathlib import Path

import pytest

from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.edits import Case
from bythebook.errors import ContentError
from tests.conduct.shed import shed_task


def case(tmp_path: Path, edits: str) -> Case:
    """The counterexample one_lamp with other edits."""
    old = "[{value: things.1.count, to: 1}]"
    task = shed_task(tmp_path, {"counterexamples.yaml": ((old, edits),)})
    return Scripts(task).cases.counterexamples["one_lamp"]


def ids(case: Case) -> list[str]:
    return [step.id for step in case.steps]


def test_set_changes_one_argument_of_one_step(tmp_path: Path) -> None:
    found = case(tmp_path, "[{set: draft.fee, to: 1}, {set: draft.items.0.count, to: 5}]")
    args = next(step.args for step in found.steps if step.id == "draft")
    assert args["fee"] == 1
    assert args["items"] == [{"name": "bicycle", "count": 5}, {"name": "lamp", "count": 2}]


def test_value_changes_a_datum_wherever_it_stands(tmp_path: Path) -> None:
    found = case(tmp_path, "[{value: things.1.name, to: torch}]")
    args = next(step.args for step in found.steps if step.id == "draft")
    assert args["items"][1] == {"name": "torch", "count": 2}


def test_drop_insert_and_move_change_the_order(tmp_path: Path) -> None:
    new = "{id: bell2, call: ring_shed_bell, with: {locker: LK-71, shift: night}}"
    edits = f"[{{drop: [d1, d1r]}}, {{insert: [{new}], before: bell}}, {{move: ask, after: take}}]"
    found = ids(case(tmp_path, edits))
    assert "d1" not in found
    assert found.index("bell2") == found.index("bell") - 1
    assert found.index("ask") == found.index("take") + 1


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ("[{set: draf.fee, to: 1}]", "did you mean 'draft'?"),
        ("[{set: draft.fe, to: 1}]", "did you mean 'fee'?"),
        ("[{set: draft.items.9.count, to: 1}]", "'9' leads nowhere"),
        ("[{set: draft.fee, to: cheap}]", "fee"),
        ("[{set: draft.fee}]", "`to` goes with set and value"),
        ("[{value: thing, to: 1}]", "did you mean 'things'?"),
        ("[{drop: belle}]", "did you mean 'bell'?"),
        ("[{move: bell}]", "before or after which step"),
        ("[{move: bell, after: tak}]", "did you mean 'take'?"),
        ("[{drop: bell, set: draft.fee, to: 1}]", "an edit does one thing"),
        ("[{dorp: bell}]", "did you mean 'drop'?"),
        ("[{insert: [{id: x, call: ring_bell}], after: bell}]", "no tool 'ring_bell'"),
        ("[{insert: [{id: ask, call: now}], after: bell}]", "'ask' stands here twice"),
        ("[{set: ask.subject, to: $drat.id}]", "did you mean 'draft'?"),
        ("[{set: draft.fee, to: 600}]", "the edits change nothing"),
        ("[]", "the edits change nothing"),
    ],
)
def test_an_edit_that_cannot_be_meant_is_refused(tmp_path: Path, edits: str, says: str) -> None:
    with pytest.raises(ContentError) as error:
        case(tmp_path, edits)
    assert says in str(error.value)
    assert "counterexamples.yaml" in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("    shortcut: true\n", "", "0 counterexamples are marked as the shortcut"),
        ("    breaks: [P1]\n", "", "name the criteria that it breaks"),
        ("id: one_lamp", "id: night_keeper", "stands here twice"),
        ("    breaks: [P1]\n", "    breaks: [P1]\n    golden: quick\n", "no golden 'quick'"),
    ],
)
def test_the_file_as_a_whole_is_checked(tmp_path: Path, old: str, new: str, says: str) -> None:
    task = shed_task(tmp_path, {"counterexamples.yaml": ((old, new),)})
    with pytest.raises(ContentError, match=says):
        _ = Scripts(task).cases
