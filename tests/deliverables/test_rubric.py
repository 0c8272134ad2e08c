"""A rubric loads only when every name and value in it holds; errors name file, line and cure."""

from pathlib import Path

import pytest

from bythebook.deliverables.task import DOMAINS
from bythebook.errors import ContentError
from bythebook.task import PAPER_SIZE
from tests.deliverables.own_task import EXPECTED, PROMPT, RUBRIC, TASK_YAML, own_task


def test_a_right_task_loads(tmp_path: Path) -> None:
    task = own_task(tmp_path)
    assert [item.decided_by for item in task.rubric.items] == ["check", "check", "screen", "judge"]
    assert task.rubric.weight == 5 + 5 + 3 + 1
    assert task.expected.tables["expected/pay.csv"].rows == (("E1", "100.25"), ("E2", "200.50"))
    assert task.reference == task.folder / "reference"


def test_the_paper_s_domains_make_its_tasks() -> None:
    assert sum(DOMAINS.values()) == PAPER_SIZE["deliverables"]["tasks"] == 97
    assert len(DOMAINS) == PAPER_SIZE["deliverables"]["domains"]


def test_the_hash_of_a_task_leaves_out_what_the_wheel_leaves_out(tmp_path: Path) -> None:
    before = own_task(tmp_path).hash
    second = own_task(tmp_path).folder / "reference-2"
    second.mkdir()
    (second / "pay.xlsx").write_bytes(b"x")
    assert own_task(tmp_path).hash == before
    assert own_task(tmp_path, expected=EXPECTED + "E3,1\n").hash != before


COLUMN = (
    "check: {column: {sheet: Pay, key: [employee], column: gross, table: expected/pay.csv#gross}}"
)


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("check: {colum: {sheet: Pay}}", "no check 'colum'\n  did you mean 'column'?"),
        (COLUMN.replace("sheet:", "shet:"), "rubric.yaml:10: Object contains unknown field `shet`"),
        (
            COLUMN.replace("column: gross", "column: gros"),
            "no field 'gros'\n  did you mean 'gross'?",
        ),
        (COLUMN.replace("pay.csv", "pey.csv"), "did you mean 'expected/pay.csv'?"),
        (COLUMN.replace("#gross", "#gros"), "no column of expected/pay.csv 'gros'"),
        (COLUMN.replace("#gross", ""), "names no column"),
        (COLUMN.replace("[employee]", "[]"), "`key` asks for nothing"),
        (COLUMN.replace("gross}}", "gross, share: 1.5}}"), "a share lies above 0"),
        (COLUMN.replace("gross}}", "gross, tol: -1}}"), "a tolerance is not negative"),
        (COLUMN.replace("sheet: Pay", "file: pey.xlsx, sheet: Pay"), "did you mean 'pay.xlsx'?"),
        (COLUMN.replace("sheet: Pay", "file: note.docx, sheet: Pay"), "this check reads xlsx"),
        ("check: {cell: {sheet: Pay, column: gross, equals: 1}}", "a cell needs `find`"),
        ("check: {cell: {sheet: Pay, find: {employee: E1}, column: gross}}", "in exactly one way"),
        (
            "check: {cell: {sheet: Pay, find: {employee: E1}, column: gross, equals: 1,"
            " any_of: [2]}}",
            "in exactly one way",
        ),
        (
            "check: {cell: {sheet: Pay, find: {employee: E1}, column: gross, equals: x}}",
            "'x' is no number",
        ),
        (
            "check: {cell: {sheet: Pay, find: {employee: E1}, column: gross, between: [2, 1]}}",
            "the lower bound is above",
        ),
        (
            "check: {label: {sheet: Pay, all: [{label: employee, equals: x, tol: 1}]}}",
            "has no tolerance",
        ),
        ("check: {names: {are: {Total: {equal: 1}}}}", "did you mean 'equals'?"),
        ("check: {range: {sheet: Pay, key: [employee], column: gross}}", "a range has bounds"),
        ("check: {text: {none: [TODO]}}", "a check over prose can only refute"),
        ("check: {figures: {all: [{is: 1}]}}", "a check over prose can only refute"),
        ("check: {figures: {only: tables, all: [{is: 1}]}}", "found by what it is `near`"),
        ("screen: {text: {}}", "asks for something"),
        (
            "check: {unchanged: {input: rew.xlsx}}",
            "no input 'rew.xlsx'\n  did you mean 'raw.xlsx'?",
        ),
        ("check: {agree: {cell: {sheet: Pay, label: gross}}}", "agrees with one `figure`"),
        (
            "check: {agree: {cell: {sheet: Pay}, figure: {near: x}}}",
            "found by `find` and `column`, or by its `label`",
        ),
        ("check: {whatif: {set: {B2: 1}, then: [{sheet: Pay}]}}", "is no cell such as Sheet!B2"),
        (
            "check: {whatif: {set: {A!B2: 1}, then: [{sheet: Pay, equals: 1}]}}",
            "found by `find` and `column`, or by its `label`",
        ),
        (
            "check: {whatif: {set: {A!B2: 1}, then: [{label: gross, equals: 1}]}}",
            "a cell needs `sheet`",
        ),
        ("check: {pages: {at_most: 2}}", "the task wants 0 files of kind pdf"),
        ("check: {files: {want: {pay.xls: xlsx}}}", "no wanted file 'pay.xls'"),
        (f"{COLUMN}\n  screen: {{text: {{none: [x]}}}}", "has both a check and a screen"),
        (
            "check: {rows: {sheet: Pay, key: [employee], are: expected/pay.csv}, view: {}}",
            "has 2 checks",
        ),
        ("level: minor\n  " + COLUMN, "stands here twice"),
    ],
)
def test_what_does_not_hold_is_told(tmp_path: Path, check: str, says: str) -> None:
    task = own_task(tmp_path, rubric=RUBRIC.replace(COLUMN, check))
    with pytest.raises(ContentError) as error:
        _ = task.rubric
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("rubric", "says"),
    [
        (RUBRIC.replace("id: R2", "id: R1"), "item R1: its id stands here twice"),
        (RUBRIC.partition("items:")[0] + "items: []\n", "at least one item"),
        (RUBRIC.replace("level: core", "level: cor", 1), "did you mean 'core'?"),
        (RUBRIC.replace("names: [Employee ID, No.]", "names: []"), "has no name to be found by"),
        (RUBRIC.replace("300.75, digits", "1e999, digits"), "a number of more than 40 digits"),
    ],
)
def test_a_rubric_as_a_whole_is_checked(tmp_path: Path, rubric: str, says: str) -> None:
    task = own_task(tmp_path, rubric=rubric)
    with pytest.raises(ContentError) as error:
        _ = task.rubric
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("expected", "says"),
    [
        ("employee,gross\nE1\n", "pay.csv:2: 1 values, 2 columns"),
        ("employee,gross\nE1,1\nE1,2\n", "the key E1 stands here twice"),
        ("employee,gross\nE1,1.000,50\n", "pay.csv:2: 3 values"),
        ('employee,gross\nE1,"1,000.50"\n', "expected/pay.csv:2, gross: '1,000.50' is no number"),
        ("employee,employee\nE1,1\n", "a column stands here twice"),
        ("", "names every column"),
    ],
)
def test_an_expected_table_reads_strictly(tmp_path: Path, expected: str, says: str) -> None:
    with pytest.raises(ContentError) as error:
        _ = own_task(tmp_path, expected=expected).rubric
    assert says in str(error.value)


# --- fairness -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("**Pay**", "for pay", "the sheet 'Pay'|"),
        ("ross pay", "ross wages", "the heading or label 'Gross pay'"),
        ("pay.xlsx", "a workbook", "the file 'pay.xlsx'"),
        ("the total gross pay", "the sum", "the subject of a figure 'total gross pay'"),
    ],
)
def test_what_a_check_locates_by_stands_in_the_prompt(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    task = own_task(tmp_path, prompt=PROMPT.replace(old, new))
    if says.endswith("|"):
        # Letter case does not matter, and "pay" stands there still.
        assert task.rubric.items
        return
    with pytest.raises(ContentError) as error:
        _ = task.rubric
    assert says in str(error.value)
    assert "say it in prompt.md word for word" in str(error.value)


def test_or_in_an_input(tmp_path: Path) -> None:
    assert own_task(tmp_path, prompt=PROMPT.replace("*Employee ID*", "the ids")).rubric.items


def test_a_task_wants_files_that_lie_in_results(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="no file inside results"):
        own_task(tmp_path, task=TASK_YAML.replace("pay.xlsx:", "../pay.xlsx:"))
