"""What whoever writes a deliverables task is told when it does not read."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.evidence.office import find_engine
from bythebook.deliverables.task import load_task
from bythebook.task import Content
from tests.cli.conftest import MILEAGE, PLACE

Say = Callable[..., tuple[int, str, str]]
Ask = Callable[..., tuple[int, Any]]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


# --- what is wrong is told ----------------------------------------------------------------------

EDITED = [
    ("rubric.yaml", "  level: core", "  level: core: x", "rubric.yaml:21: a colon stands where"),
    ("rubric.yaml", "  level: core", "\tlevel: core", "rubric.yaml:21: a tab stands here"),
    ("rubric.yaml", "column: amount", "column: amout", "rubric.yaml:23, item R4: no field 'amout'"),
    ("rubric.yaml", "{view:", "{veiw:", "rubric.yaml:38, item R7: no check 'veiw'"),
    ("rubric.yaml", "  says: The h", "  say: The h", "rubric.yaml:39: Object contains unknown"),
    ("rubric.yaml", "[freeze]", "[freezed]", "did you mean 'freeze'?"),
    ("rubric.yaml", "sheet: Mileage, k", "sheet: Milage, k", "rubric.yaml:18, item R3: the sheet"),
    ("rubric.yaml", "input: trips.", "input: trip.", "did you mean 'trips.xlsx'?"),
    ("rubric.yaml", "equals: 500.90", 'equals: "500,90"', "decimals with a point"),
    ("task.yaml", "docx: docx", "docx: doc", "task.yaml:3: Invalid enum value 'doc'"),
    ("task.yaml", "note.docx:", "../note.docx:", "task.yaml:3: '../note.docx' is no file inside"),
    ("task.yaml", "canary:", "canari:", "did you mean 'canary'?"),
    ("faults.yaml", "kind: damage", "kind: damge", "faults.yaml:11: Invalid enum value 'damge'"),
    ("faults.yaml", "{unfreeze:", "{unfreze:", "fault headings_scroll: no edit 'unfreze'"),
    ("faults.yaml", "fails: [R7]", "fails: [R77]", "headings_scroll: no rubric item 'R77'"),
    ("faults.yaml", "{unfreeze: {sheet:", "{unfreeze: {shet:", "faults.yaml:39: Object contains"),
    ("expected/trips.csv", "32.30", "32,30", "trips.csv:3: 3 values, 2 columns"),
    ("expected/trips.csv", "32.30", "EUR 32", "trips.csv:3, amount: 'EUR 32' is no number"),
    ("expected/trips.csv", "T-02", "T-01", "trips.csv:3: the key T-01 stands here twice"),
    ("expected/trips.csv", "T-02", '"T-02', "trips.csv:3: is no CSV"),
    ("expected/trips.csv", "trip,amount", "trip;amount", "parted by semicolons"),
    ("expected/trips.csv", "trip,amount", "trip,amoun", "did you mean 'amoun'?"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "says"), EDITED, ids=[row[3] for row in EDITED])
def test_a_slip_of_the_pen_is_told_with_its_line(
    folder: Path, say: Say, name: str, old: str, new: str, says: str
) -> None:
    change(folder / name, old, new)
    code, _, err = say("prove", "deliverables", "--task", "biz-90", "--content", "mine")

    assert code == 1
    assert says in err


def remove(name: str) -> Callable[[Path], object]:
    def away(folder: Path) -> None:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return away


def write(name: str, data: bytes) -> Callable[[Path], object]:
    def put(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return put


def rename(name: str, to: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).rename(folder / to)


WRONG: dict[str, Callable[[Path], object]] = {
    "rubric.yaml: no such file did you mean 'rubrik.yaml'?": rename("rubric.yaml", "rubrik.yaml"),
    "rubric.yaml: nothing stands in it": write("rubric.yaml", b""),
    "prompt.md: no such file": remove("prompt.md"),
    "put there what the agent gets": remove("inputs"),
    "put one right answer there: mileage.xlsx, note.docx": remove("reference"),
    "did you mean 'note.docx' by 'Note.docx'?": rename(
        "reference/note.docx", "reference/Note.docx"
    ),
    "reference/mileage.xlsx is corrupt": write("reference/mileage.xlsx", b"PK\x03\x04cut off"),
    "inputs/trips.xlsx is wrong type": write("inputs/trips.xlsx", b"\xd0\xcf\x11\xe0" * 200),
    "did you mean 'expected/Trips.CSV'?": rename("expected/trips.csv", "expected/Trips.CSV"),
    "its values are parted by semicolons": write("expected/trips.csv", b"trip;amount\nT-01;1\n"),
    "trips.csv:2: cannot be read: it is no UTF-8": write(
        "expected/trips.csv", b"trip,amount\nM\xfcller,1\n"
    ),
    "hand.yaml:1: ": write("hand.yaml", b"R8: by: me\n"),
    "hand.yaml:1: no judged item 'R88'": lambda folder: change(
        folder / "hand.yaml", (folder / "hand.yaml").read_text().partition("R8:")[0] + "R8", "R88"
    ),
    "no fault 'note_wrng' did you mean 'note_wrong'?": lambda folder: change(
        folder / "hand.yaml", "note_wrong:", "note_wrng:"
    ),
    "review.yaml:1: Object missing required field": write(
        "review.yaml", b"readers: [{who: somebody}]\n"
    ),
    "faults.yaml:36, fault headings_scroll, edit 1: mileage.xlsx: no sheet 'Milage'": (
        lambda folder: change(
            folder / "faults.yaml", "unfreeze: {sheet: Mileage}", "unfreeze: {sheet: Milage}"
        )
    ),
}


@pytest.mark.parametrize("says", WRONG)
def test_what_is_missing_or_does_not_read_is_told_with_the_next_move(
    folder: Path, say: Say, request: pytest.FixtureRequest, says: str
) -> None:
    if "edit 1" not in says:
        request.getfixturevalue("no_office")
    elif find_engine() is None:
        pytest.skip("faults are carried out where LibreOffice is")
    WRONG[says](folder)
    code, _, err = say("prove", "deliverables", "--task", "biz-90", "--content", "mine")

    assert code == 1
    assert says in err


def test_a_table_saved_by_a_spreadsheet_with_a_byte_order_mark_reads(folder: Path) -> None:
    path = folder / "expected/trips.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_task(Content([folder.parents[2]]), MILEAGE).expected.tables[
        "expected/trips.csv"
    ].columns == ("trip", "amount")


def test_an_input_that_a_check_compares_with_and_that_does_not_read_stops_a_run(
    folder: Path, say: Say
) -> None:
    (folder / "inputs/trips.xlsx").write_bytes(b"cut off")
    line = ("--task", "biz-90", "--runs", "1", "--content", "mine", "--to", "r")

    code, _, err = say("run", "deliverables", "--agent", "empty", *line)

    assert code == 2
    assert "inputs/trips.xlsx: is wrong type" in err
    assert "save it anew as .xlsx" in err


# --- one broken task does not stop the others ---------------------------------------------------


@pytest.fixture
def two(folder: Path, say: Say) -> Path:
    """A second task, whose rubric does not load."""
    say("new", "task", "biz-91-broken", "--suite", "deliverables", "--to", "mine")
    other = folder.with_name("biz-91-broken")
    change(other / "rubric.yaml", "{view:", "{veiw:")
    return other


def test_tasks_names_it_and_lists_the_others(two: Path, say: Say, ask: Ask) -> None:
    code, found = ask("tasks", "--content", "mine")

    assert code == 2
    assert MILEAGE in [task["id"] for task in found["tasks"]]
    (broken,) = found["broken"]
    assert (broken["suite"], broken["id"]) == ("deliverables", "biz-91-broken")
    assert "rubric.yaml:38, item R7: no check 'veiw'" in broken["says"]

    code, _, err = say("tasks", "deliverables", "--content", "mine")
    assert (code, "biz-91-broken is left out: " in err, MILEAGE in err) == (2, True, True)
    assert say("tasks", "conduct", "--content", "mine")[0] == 0


def test_doctor_names_it_and_goes_on(two: Path, ask: Ask) -> None:
    code, found = ask("doctor", "--content", "mine")

    checks = {check["name"]: check for check in found["checks"]}
    assert code == 1
    assert checks["deliverables"]["ok"]
    assert "no check 'veiw'" in checks["task biz-91-broken"]["says"]
    assert "prove deliverables --task biz-91-broken" in checks["task biz-91-broken"]["fix"]
    assert "keys" in checks


def test_another_task_is_run_and_proved(two: Path, say: Say, no_office: None) -> None:
    line = ("--task", "biz-90", "--content", "mine")
    run = say("run", "deliverables", "--agent", "reference", "--runs", "1", *line, "--to", "r")
    assert run[0] == 0, run[2]
    assert "not run without LibreOffice" in say("prove", "deliverables", *line)[2]


def test_a_broken_conduct_task_is_named_too(say: Say, ask: Ask, tmp_path: Path) -> None:
    say("new", "task", "q90-visitor", "--to", "mine")
    change(tmp_path / "mine/tasks/conduct/q90-visitor/task.yaml", "clock:", "clok:")

    code, found = ask("tasks", "--content", "mine")
    assert (code, [one["id"] for one in found["broken"]]) == (2, ["q90-visitor"])
    code, found = ask("doctor", "--content", "mine")
    assert (code, "task q90-visitor" in [one["name"] for one in found["checks"]]) == (1, True)


def test_a_folder_without_task_yaml_says_so(folder: Path, say: Say) -> None:
    (folder / "task.yaml").rename(folder / "task.yml")

    code, _, err = say("prove", "deliverables", "--task", MILEAGE, "--content", "mine")

    assert code == 2
    assert f"{PLACE}: is no task: it has no task.yaml did you mean 'task.yml'?" in err
