"""`faults.yaml`: what is written is checked whole, and each fault does what it says."""

from pathlib import Path

import pytest

from bythebook.deliverables.evidence.model import Recalculation
from bythebook.deliverables.faults.carry import NoEngine, carried, carry
from bythebook.deliverables.faults.edits import EDITS
from bythebook.deliverables.faults.faultfile import load_faults
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import ContentError
from tests.deliverables.stall import stall

ONE = """x:
  kind: damage
  says: something
  edits: [{edits}]
  fails: [R03]
"""


@pytest.fixture
def task(tmp_path: Path) -> DeliverableTask:
    return stall(tmp_path)


def written(task: DeliverableTask, text: str) -> None:
    (task.folder / "faults.yaml").write_text(text, "utf-8")


def test_rest_spares_every_other_item_that_a_check_decides(task: DeliverableTask) -> None:
    fault = load_faults(task)["chart_picture"]
    assert fault.fails == ("R06",)
    assert "R03" in fault.spares
    assert not {"R06", "R10", "R11"} & set(fault.spares)


def test_a_task_without_faults_has_none(task: DeliverableTask) -> None:
    (task.folder / "faults.yaml").unlink()
    assert load_faults(task) == {}


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ("{set_cel: {}}", "no edit 'set_cel'\n  did you mean 'set_cell'?"),
        ("{set_cell: {att: A, to: 1}}", r"unknown field `att`.*\n  did you mean 'at'?"),
        ("{set_cell: {to: 1}}", "missing required field `at`"),
        ("{set_cell: {file: taking.xlsx, at: a, to: 1}}", "did you mean 'takings.xlsx'"),
        ("{drop_paragraph: {file: note.docx}}", "either `para` or `has`"),
        ("{drop_file: {}}", "say which: `file: NAME`"),
        ("{drop_slide: {slide: 1}}", "wants 0 files of kind pptx"),
        ("{add_file: {}}", "add_file names the new file"),
        ("{unfreeze: {sheet: A}, drop_filter: {sheet: A}}", "an edit has one name, this one 2"),
    ],
)
def test_a_wrong_edit_is_named_with_its_line(task: DeliverableTask, edits: str, says: str) -> None:
    written(task, ONE.replace("{edits}", edits))
    with pytest.raises(ContentError, match=says) as found:
        load_faults(task)
    assert "faults.yaml:" in found.value.where


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("fails: [R03]", "fails: [R3]", "no rubric item 'R3'\n  did you mean 'R[0-9]+'"),
        ("fails: [R03]", "fails: [R11]", "R11 is judged: no check fails it"),
        ("fails: [R03]", "fails: []", "at least one edit and one item it breaks"),
        ("fails: [R03]", "fails: [R03]\n  spares: [R03]", "R03 cannot be spared: it fails as well"),
        ("fails: [R03]", "fails: [R03]\n  spares: [R10]", "R10 cannot be spared: it is decided by"),
        ("fails: [R03]", "judged: [R03]", "R03 is decided by a check: name it under `fails` only"),
        ("fails: [R03]", "judged: [R99]", "no rubric item 'R99'"),
        ("kind: damage", "kind: demage", "did you mean 'damage'"),
    ],
)
def test_a_wrong_target_is_named(task: DeliverableTask, old: str, new: str, says: str) -> None:
    written(task, ONE.replace("{edits}", "{strip_caches: {}}").replace(old, new))
    with pytest.raises(ContentError, match=says):
        load_faults(task)


def test_a_fault_that_does_nothing_is_named_with_its_edit(
    task: DeliverableTask, tmp_path: Path
) -> None:
    written(task, ONE.replace("{edits}", "{unfreeze: {sheet: Summary}}"))
    with pytest.raises(ContentError, match=r"fault x, edit 1: takings.xlsx: unfreeze changes noth"):
        carry(carried(task, load_faults(task)["x"], tmp_path / "x"), None)


def test_what_needs_an_engine_says_so_without_one(task: DeliverableTask, tmp_path: Path) -> None:
    fault = load_faults(task)["new_price_ignored"]
    with pytest.raises(NoEngine, match="needs LibreOffice"):
        carry(carried(task, fault, tmp_path / "x"), None)


def test_a_workbook_is_handed_out_to_be_computed_with_its_edits(
    task: DeliverableTask, tmp_path: Path
) -> None:
    step = carried(task, load_faults(task)["new_price_ignored"], tmp_path / "x")
    path = next(step)
    assert path == tmp_path / "x/takings.xlsx"
    with pytest.raises(StopIteration) as stop:
        step.send(Recalculation(status="ok", values={"Takings": {"E2": 1.0}}))
    assert [done.edit for done in stop.value.value] == ["set_cell", "recalculate"]


def test_the_reference_itself_is_never_touched(task: DeliverableTask, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in task.reference.iterdir()}
    for name, fault in load_faults(task).items():
        if fault.kind == "damage":
            carry(carried(task, fault, tmp_path / name), None)
    assert {path: path.read_bytes() for path in task.reference.iterdir()} == before


def test_the_page_names_every_edit() -> None:
    page = (Path(__file__).parents[3] / "docs/prove.md").read_text("utf-8")
    assert [name for name in EDITS if f"`{name}" not in page] == []
