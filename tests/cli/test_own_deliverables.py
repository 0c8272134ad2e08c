"""A deliverables task of one's own, begun and given checks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.checks.spec import SPECS
from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.task import Content
from tests.cli.conftest import MILEAGE, PLACE

Say = Callable[..., tuple[int, str, str]]
Ask = Callable[..., tuple[int, Any]]

needs_engine = pytest.mark.skipif(
    find_engine() is None, reason="LibreOffice is not installed; `bythebook doctor` says how"
)


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def loaded(folder: Path) -> DeliverableTask:
    """The task as it stands, its rubric checked."""
    task = load_task(Content([folder.parents[2]]), MILEAGE)
    assert task.rubric.items
    return task


# --- new task -----------------------------------------------------------------------------------


@needs_engine
def test_a_new_task_is_proved_as_it_stands(folder: Path, ask: Ask) -> None:
    code, found = ask("prove", "deliverables", "--task", "biz-90", "--content", "mine")

    (proof,) = found["tasks"]
    assert (code, proof["problems"], proof["survivors"]) == (0, [], [])
    assert (proof["goldens"], proof["damages"], proof["slips"]) == (2, 8, 1)
    assert any("nobody has read the task yet" in warning for warning in proof["warnings"])


def test_without_libreoffice_the_proof_says_what_it_could_not_run(
    folder: Path, ask: Ask, no_office: None
) -> None:
    code, found = ask("prove", "deliverables", "--task", "biz-90", "--content", "mine")

    (proof,) = found["tasks"]
    assert (code, proof["proved"], proof["problems"], proof["survivors"]) == (1, False, [], [])
    assert len(proof["not_run"]) == 3


def test_a_new_task_has_a_canary_of_its_own_and_is_never_written_over(
    folder: Path, say: Say
) -> None:
    say("new", "task", "biz-91-other", "--suite", "deliverables", "--to", "mine")
    other = load_task(Content([folder.parents[2]]), "biz-91")
    assert other.canary != loaded(folder).canary

    code, _, err = say("new", "task", MILEAGE, "--suite", "deliverables", "--to", "mine")
    assert (code, "there is something already" in err) == (2, True)


def test_conduct_stays_what_is_begun_unless_a_suite_is_named(say: Say) -> None:
    code, _, err = say("new", "task", "q90-visitor", "--to", "mine")
    assert code == 0
    assert "mine/tasks/conduct/q90-visitor/task.yaml" in err


# --- new check ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SPECS)
def test_every_kind_of_check_can_be_asked_for_and_the_rubric_still_loads(
    folder: Path, say: Say, no_office: None, kind: str
) -> None:
    before = loaded(folder).rubric.by_id
    code, _, err = say("new", "check", kind, "--to", f"mine/{PLACE}")

    assert code == 0, err
    after = loaded(folder).rubric.by_id
    text = (folder / "rubric.yaml").read_text("utf-8")
    if "commented out" in err:
        assert after == before
        assert "# - id: R10\n#   says: WHAT MUST BE TRUE.\n" in text
        assert f"{{{kind}: " in text.rpartition("# - id: R10")[2]
    else:
        assert after.keys() - before.keys() == {"R10"}
        assert list(after["R10"].check or after["R10"].screen or {}) == [kind]
        assert "added item R10 to mine/" in err


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("column", "R4 asks this already"),
        ("label", "R5 asks this already"),
        ("charts", "there is no chart in reference/"),
        ("slides", "reference/ holds no deck"),
        ("cell", 'set_cell: {at: "Mileage!E2", to: -1}'),
        ("agree", "scale_figure: {file: note.docx, has: Total to pay, by: 1.05}"),
        ("figures", "put your own answers into hand.yaml"),
        ("order", "see that the prompt asks for it"),
    ],
)
def test_what_a_check_is_derived_from_or_lacks_is_said(
    folder: Path, say: Say, no_office: None, kind: str, says: str
) -> None:
    assert says in say("new", "check", kind, "--to", f"mine/{PLACE}")[2]


@needs_engine
def test_a_what_if_is_computed_where_libreoffice_is(folder: Path, say: Say) -> None:
    change(folder / "rubric.yaml", "  check: {whatif:", "  truth: none  #")
    say("new", "check", "whatif", "--to", f"mine/{PLACE}")

    (told,) = (loaded(folder).rubric.by_id["R10"].check or {}).values()
    assert told["set"] == {"Trips!D2": 130}
    assert str(told["then"][0]["equals"]) == "49.40"


@needs_engine
def test_a_task_with_added_checks_lacks_nothing_but_damages(
    folder: Path, say: Say, ask: Ask
) -> None:
    for kind in ("sheets", "cell", "range", "order", "format", "no_errors", "outline", "agree"):
        assert say("new", "check", kind, "--to", f"mine/{PLACE}")[0] == 0
    _, found = ask("prove", "deliverables", "--task", "biz-90", "--content", "mine")

    (proof,) = found["tasks"]
    assert proof["survivors"] == []
    assert all(
        "is failed by no damage" in problem or "fault note_wrong: R17 must pass" in problem
        or "skeleton gets" in problem
        for problem in proof["problems"]
    ), proof["problems"]  # fmt: skip


def test_an_item_goes_to_the_end_of_the_items_wherever_they_stand(
    folder: Path, say: Say, no_office: None
) -> None:
    path = folder / "rubric.yaml"
    text = path.read_text("utf-8")
    fields, items = text[text.index("fields:") : text.index("items:")], text[text.index("items:") :]
    path.write_text(f"{items}\n# the fields\n{fields}", "utf-8")

    for kind in ("outline", "charts", "cell"):
        assert say("new", "check", kind, "--to", f"mine/{PLACE}")[0] == 0
    assert [*loaded(folder).rubric.by_id][-2:] == ["R10", "R12"]
    assert path.read_text("utf-8").endswith(f"# the fields\n{fields}")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (("colum", "--to", f"mine/{PLACE}"), "no check 'colum' did you mean 'column'?"),
        (("column", "--to", "mine"), f"name one: --to mine/{PLACE}"),
        (("column", "--to", "none"), "begin one: bythebook new task ID --suite deliverables"),
    ],
)
def test_what_cannot_be_begun_is_said(
    folder: Path, say: Say, line: tuple[str, ...], says: str
) -> None:
    code, _, err = say("new", "check", *line)
    assert (code, says in err) == (2, True)


def test_a_rubric_that_does_not_load_is_left_alone(folder: Path, say: Say) -> None:
    change(folder / "rubric.yaml", "{view: ", "{veiw: ")
    before = (folder / "rubric.yaml").read_bytes()

    code, _, err = say("new", "check", "outline", "--to", f"mine/{PLACE}")

    assert (code, "did you mean 'view'?" in err) == (2, True)
    assert (folder / "rubric.yaml").read_bytes() == before


def test_a_reference_that_does_not_read_is_named(folder: Path, say: Say) -> None:
    (folder / "reference/note.docx").write_bytes(b"no document")

    code, _, err = say("new", "check", "outline", "--to", f"mine/{PLACE}")

    assert code == 2
    assert "reference/note.docx: is wrong type" in err
