"""A golden is read strictly: what cannot be played, or could not be meant, is an error by name."""

from pathlib import Path

import pytest

from bythebook.conduct.golden.plan import load_golden, load_goldens
from bythebook.errors import ContentError
from tests.conduct.shed import company, shed_task

BELL = "call: ring_shed_bell, with: {locker: LK-71, shift: day}"


def refused(tmp_path: Path, old: str, new: str) -> str:
    task = shed_task(tmp_path, {"golden.yaml": ((old, new),)})
    with pytest.raises(ContentError) as error:
        load_golden(task.folder / "golden.yaml", company())
    return str(error.value)


def test_the_steps_of_a_golden_keep_their_orders_and_their_references(tmp_path: Path) -> None:
    golden = load_goldens(shed_task(tmp_path).folder, company())[""]
    steps = {step.id: step for step in golden.steps}
    assert steps["take"].after == ("ask", "note", "bell", "look")
    assert steps["ask"].needs() == {"draft"}
    assert steps["draft"].needs() == {"who", "things"}
    assert golden.slack == 4


def test_other_goldens_are_known_by_their_names(tmp_path: Path) -> None:
    task = shed_task(tmp_path)
    (task.folder / "golden-quick.yaml").write_bytes((task.folder / "golden.yaml").read_bytes())
    assert list(load_goldens(task.folder, company())) == ["", "quick"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("after: [ask, note, bell", "after: [ask, note, bel", "did you mean 'bell'?"),
        ("call: ring_shed_bell, with", "call: ring_the_bell, with", "no tool 'ring_the_bell'"),
        ("call: ring_shed_bell, with", "call: call_tool, with", "not call_tool"),
        (BELL, BELL.replace("shift:", "shif:"), "did you mean 'shift'?"),
        (BELL, BELL.replace(", shift: day", ""), "needs the argument 'shift'"),
        (BELL, BELL.replace("day", "dawn"), "'dawn'"),
        ("{id: note,", "{id: note, after: bell,", "comes after 'bell' but stands before it"),
        ("{subject: $draft.id}", "{subject: $draf.id}", "did you mean 'draft'?"),
        ("{subject: $draft.id}", "{subject: $draft.idd}", "did you mean 'id'?"),
        ("{subject: $draft.id}", "{subject: $draft.items.0.nam}", "did you mean 'name'?"),
        ("$things", "$things.7.name", "'7' is not in the value"),
        ("{id: bell,", "{id: note,", "'note' stands here twice"),
        ("{id: bell,", "{id: things,", "names a step and a value"),
        ("values:\n", "values:\n  spare: 1\n", "no step uses the value 'spare'"),
        ("values:\n", "values:\n  spare: $draft.id\n", "no step uses the value 'spare'"),
        ("slack: 4", "slack: -1", "slack is a number of minutes"),
        ("slack_before: take\n", "", "slack_before is missing"),
        ("slack_before: take", "slack_before: tak", "did you mean 'take'?"),
        ("message_customer.text,", "message_customer.txt,", "did you mean 'text'?"),
        ("message_customer.text,", "mesage_customer.text,", "did you mean 'message_customer'?"),
        ("  - {id: done, call: finish, with: {}}\n", "", "the last step calls finish"),
        ("{id: d1,", "{id: d0, call: finish}\n  - {id: d1,", "no step but the last calls finish"),
        ("optional: true", "optinal: true", "did you mean 'optional'?"),
    ],
)
def test_what_a_golden_cannot_mean_is_refused(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    assert says in refused(tmp_path, old, new)


def test_two_steps_that_wait_for_each_other_are_refused(tmp_path: Path) -> None:
    edits = {
        "golden.yaml": (
            (BELL + "}", BELL + ", after: ask}"),
            ("{subject: $draft.id}}", "{subject: $draft.id}, after: bell}"),
        )
    }
    task = shed_task(tmp_path, edits)
    with pytest.raises(ContentError, match="each come after the other"):
        load_golden(task.folder / "golden.yaml", company())


def test_an_error_names_file_and_step(tmp_path: Path) -> None:
    said = refused(tmp_path, "shift: day", "shift: dawn")
    assert "golden.yaml, step 'bell', shift" in said
