"""`cell`, `column`: values by their row's keys and their column's heading."""

from typing import Any

import pytest

from bythebook.deliverables.evidence.model import Recalculation, Sheet, Workbook
from tests.deliverables.checks.papers import Computed, F, N, ask, book, sheet

PAY = "column: {sheet: Pay, key: [employee, month], column: gross, table: expected/pay.csv#gross}"
LIVE = PAY.replace("gross}", "gross, formula: true}")
TABLE = {
    "pay": "employee,month,gross\nEMP001,2024-01,26345.50\nEMP001,2024-02,26000.00\n"
    "EMP002,2024-01,18250.75\n"
}
HEAD = ["Employee ID", "Month", "Gross pay"]
ROWS: list[list[Any]] = [
    ["EMP001", "2024-01", F(26345.5, "D2*1.5")],
    ["EMP001", "2024-02", F(26000.0, "D3*1.5")],
    ["EMP002", "2024-01", F(18250.75, "D4*1.5")],
]


def pay(rows: list[list[Any]] = ROWS, head: list[Any] = HEAD, **more: Any) -> Workbook:
    return book(sheet("Pay", [head, *rows], **more))


def with_value(value: Any, row: int = 0, column: int = 2) -> Workbook:
    rows = [list(line) for line in ROWS]
    rows[row][column] = value
    return pay(rows)


def test_a_right_column_passes() -> None:
    answer = ask(LIVE, pay(), tables=TABLE)
    assert (answer.mark, answer.count) == ("pass", (0, 3))
    assert answer.place == "book.xlsx#Pay!C2"


def test_the_first_wrong_place_and_the_count_are_told() -> None:
    rows = [ROWS[0], [*ROWS[1][:2], F(26001.0, "D3")], [*ROWS[2][:2], F(1.0, "D4")]]
    answer = ask(LIVE, pay(rows), tables=TABLE)
    assert (answer.mark, answer.place, answer.count) == ("fail", "book.xlsx#Pay!C3", (2, 3))
    assert (answer.seen, answer.wanted) == ("26001.0 (26001)", "26000.00")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (None, "the cell is empty"),
        (F(None, "D2*1.5"), "no cached value"),
        (F("#DIV/0!", "D2/0"), "an error value"),
        ("26345.50", "a number stored as text"),
        ("n/a", "no number"),
        (True, "no number"),
        (26345.51, "another value"),
        (-26345.5, "another value"),
    ],
)
def test_what_the_bytes_cause_fails(value: Any, why: str) -> None:
    answer = ask(PAY, with_value(value), tables=TABLE)
    assert answer.mark == "fail"
    assert why in answer.why
    assert answer.place == "book.xlsx#Pay!C2"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (F("CNY 26.3 k", 'TEXT(D2,"0")'), "shows the figure as text"),
        (F("26345.50", 'TEXT(D2,"0.00")'), "shows the figure as text"),
        ("about 26,345.50 CNY", "stands in a text"),
        (26.3455, "another unit"),
        (26.3, "another unit"),
    ],
)
def test_a_figure_in_another_unit_or_as_text_is_for_the_judge(value: Any, why: str) -> None:
    answer = ask(PAY, with_value(value), tables=TABLE)
    assert answer.mark == "unsure"
    assert why in answer.why


def test_where_nothing_is_wanted_any_other_figure_is_wrong() -> None:
    """185,000 is not 0 in some other unit, however small it gets in billions."""
    nothing = {"pay": TABLE["pay"].replace("26345.50", "0")}
    wide = PAY.replace("gross}", "gross, tol: 1}")
    assert ask(wide, with_value(0.4), tables=nothing).mark == "pass"
    assert ask(wide, with_value(185000), tables=nothing).mark == "fail"


def test_text_ok_reads_numbers_stored_as_text() -> None:
    lenient = PAY.replace("gross}", "gross, text_ok: true}")
    assert ask(lenient, with_value("26,345.50"), tables=TABLE).mark == "pass"
    assert ask(lenient, with_value("26,345.60"), tables=TABLE).mark == "fail"


@pytest.mark.parametrize(
    ("value", "mark"), [(26345.504, "pass"), (26345.505, "pass"), (26345.506, "fail")]
)
def test_the_tolerance_is_half_the_last_digit_written(value: float, mark: str) -> None:
    assert ask(PAY, with_value(value), tables=TABLE).mark == mark


def test_a_tolerance_of_its_own_counts_instead() -> None:
    wide = PAY.replace("gross}", "gross, tol: 1}")
    assert ask(wide, with_value(26346.5), tables=TABLE).mark == "pass"
    assert ask(wide, with_value(26346.51), tables=TABLE).mark == "fail"


@pytest.mark.parametrize(
    ("value", "mark", "why"),
    [
        (26345.5, "fail", "a constant where a formula is wanted"),
        (F(26345.5, "26345.5"), "fail", "refers to nothing"),
        (F(26345.5, 'VALUE("26345.5")'), "fail", "refers to nothing"),
        (F(26345.5, 'VALUE("D2")+TRUE'), "fail", "refers to nothing"),
        (F(26345.5, "ROUND(BasePay*1.5,2)"), "pass", ""),
        (F(26345.5, "SUM(Table1[Gross])"), "pass", ""),
        (F(26345.5, "{=SUM(Roster!A1:A9)}"), "pass", ""),
    ],
)
def test_a_live_formula_has_a_reference(value: Any, mark: str, why: str) -> None:
    answer = ask(LIVE, with_value(value), tables=TABLE)
    assert answer.mark == mark
    assert why in answer.why


def test_a_share_lets_some_rows_be_wrong() -> None:
    most = PAY.replace("gross}", "gross, share: 0.6}")
    answer = ask(most, with_value(1.0), tables=TABLE)
    assert (answer.mark, answer.count) == ("pass", (1, 3))
    rows = [[*line[:2], 1.0] for line in ROWS]
    assert ask(most, pay(rows), tables=TABLE).mark == "fail"


def test_a_missing_row_and_a_key_that_stands_twice_fail() -> None:
    answer = ask(PAY, pay(ROWS[:2]), tables=TABLE)
    assert (answer.mark, answer.wanted) == ("fail", "EMP002, 2024-01")
    answer = ask(PAY, pay([*ROWS, ROWS[0]]), tables=TABLE)
    assert (answer.mark, answer.place) == ("fail", "book.xlsx#Pay!A5")
    assert "twice" in answer.why


def test_an_empty_place_of_the_expected_table_asks_nothing() -> None:
    tables = {"pay": "employee,month,gross\nEMP001,2024-01,\nEMP002,2024-01,18250.75\n"}
    assert ask(PAY, with_value("n/a"), tables=tables).count == (0, 1)


# --- recalculation ------------------------------------------------------------------------------


def computed(values: dict[str, Any]) -> Computed:
    anew = Recalculation(status="ok", engine="test", values={"Pay": values})
    return Computed({"book.xlsx": pay()}, anew=anew)


def test_a_cached_value_that_the_formula_does_not_give_is_stale() -> None:
    answer = ask(PAY, computed({"C2": 26000.0}), tables=TABLE)
    assert answer.mark == "fail"
    assert "stale" in answer.why
    assert answer.seen == "cached 26345.5, recalculated 26000.0"


def test_a_newer_function_without_its_prefix_is_told() -> None:
    answer = ask(PAY, computed({"C2": "#NAME?"}), tables=TABLE)
    assert answer.mark == "fail"
    assert "_xlfn.NAME" in answer.why


def test_a_cached_value_that_the_formula_gives_within_the_tolerance_passes() -> None:
    assert ask(PAY, computed({"C2": 26345.4999}), tables=TABLE).mark == "pass"


def test_a_cell_that_the_engine_left_out_is_judged_by_its_cached_value() -> None:
    assert ask(PAY, computed({"D9": 1.0}), tables=TABLE).mark == "pass"


def test_where_nothing_recalculates_the_cached_value_decides_and_a_note_says_so() -> None:
    answer = ask(PAY, pay(), tables=TABLE)
    assert answer.mark == "pass"
    assert answer.notes == ("not recalculated (unavailable): cached values decide",)


# --- one cell -----------------------------------------------------------------------------------

ONE = "cell: {sheet: Pay, find: {employee: EMP001, month: 2024-01}, column: gross, WANT}"


@pytest.mark.parametrize(
    ("want", "mark"),
    [
        ("equals: 26345.50", "pass"),
        ("equals: 26345", "fail"),
        ("equals: 26345, tol: 1", "pass"),
        ("between: [26000, 27500]", "pass"),
        ("between: [26346, 27500]", "fail"),
        ("any_of: [1, 26345.5]", "pass"),
        ("equals: 26345.50, formula: true", "pass"),
    ],
)
def test_a_value_is_wanted_in_several_ways(want: str, mark: str) -> None:
    answer = ask(ONE.replace("WANT", want), pay())
    assert (answer.mark, answer.place) == (mark, "book.xlsx#Pay!C2")


def test_several_cells_fail_before_they_are_unsure() -> None:
    all_of = (
        "cell: {sheet: Pay, column: gross, all: ["
        "{find: {employee: EMP001, month: 2024-01}, equals: 26345500},"
        "{find: {employee: EMP002, month: 2024-01}, equals: 5.50}]}"
    )
    answer = ask(all_of, pay())
    assert (answer.mark, answer.place, answer.count) == ("fail", "book.xlsx#Pay!C4", (2, 2))


def test_a_whole_number_is_exact() -> None:
    rows: list[list[Any]] = [["Department", "Headcount"], ["Sales", 37.4]]
    check = "cell: {sheet: S, find: {department: Sales}, column: k_head, equals: 37}"
    assert ask(check, book(sheet("S", rows))).mark == "fail"


@pytest.mark.parametrize(
    ("value", "mark"),
    [
        (0.035, "pass"),
        (N(0.035, "3.5%", "0.0%"), "pass"),
        (N(0.0352, "3.5%", "0.0%"), "pass"),
        (0.036, "fail"),
        (N(3.5, "350.0%", "0.0%"), "fail"),
        (3.5, "unsure"),
    ],
)
def test_a_percent_is_a_fraction_and_without_its_sign_for_the_judge(value: Any, mark: str) -> None:
    rows: list[list[Any]] = [["Department", "Overtime rate"], ["Sales", value]]
    check = "cell: {sheet: S, find: {department: Sales}, column: rate, equals: 3.5%}"
    assert ask(check, book(sheet("S", rows))).mark == mark


@pytest.mark.parametrize(
    ("value", "mark"),
    [
        ("2025-09-30", "pass"),
        (N(45930.0, "30/09/2025", "dd/mm/yyyy"), "pass"),
        ("30 September 2025", "pass"),
        ("30.09.2025", "pass"),
        ("2025-09-29", "fail"),
        ("end of September", "unsure"),
        ("08/09/2025", "unsure"),
    ],
)
def test_a_date_is_read_as_people_write_it(value: Any, mark: str) -> None:
    rows: list[list[Any]] = [["Department", "Due date"], ["Sales", value]]
    check = "cell: {sheet: S, find: {department: Sales}, column: due, equals: 2025-09-30}"
    assert ask(check, book(sheet("S", rows))).mark == mark


@pytest.mark.parametrize(
    ("value", "mark"),
    [("A-", "pass"), (" a\u2212 ", "pass"), ("A", "fail"), ("A+", "fail"), (F("A-", "B1"), "pass")],
)
def test_a_text_keeps_its_signs(value: Any, mark: str) -> None:
    rows: list[list[Any]] = [["Department", "Rating"], ["Sales", value]]
    check = "cell: {sheet: S, find: {department: Sales}, column: rating, equals: A-}"
    assert ask(check, book(sheet("S", rows))).mark == mark


# --- where the table is -------------------------------------------------------------------------


def test_a_hidden_column_fails_and_a_hidden_row_is_not_there() -> None:
    answer = ask(PAY, pay(hidden_columns=(3,)), tables=TABLE)
    assert (answer.mark, answer.why) == ("fail", "the column is hidden")
    answer = ask(PAY, pay(hidden_rows=(4,)), tables=TABLE)
    assert (answer.mark, answer.wanted) == ("fail", "EMP002, 2024-01")


def test_a_hidden_or_missing_sheet_fails() -> None:
    hidden = book(sheet("Pay", [HEAD, *ROWS], state="hidden"))
    assert ask(PAY, hidden, tables=TABLE).why == "the sheet is hidden"
    answer = ask(PAY, book(Sheet(name="Payroll")), tables=TABLE)
    assert (answer.why, answer.seen, answer.wanted) == ("no such sheet", "Payroll", "Pay")


def test_an_empty_sheet_fails_and_a_sheet_without_the_heading_is_for_the_judge() -> None:
    assert ask(PAY, book(Sheet(name="Pay")), tables=TABLE).mark == "fail"
    answer = ask(PAY, pay(head=["Who", "When", "How much"]), tables=TABLE)
    assert (answer.mark, answer.place) == ("unsure", "book.xlsx#sheet=Pay")


def test_keys_that_mostly_do_not_read_are_for_the_judge() -> None:
    rows = [[who, number, gross] for (who, _, gross), number in zip(ROWS, (1, 2, 1), strict=True)]
    answer = ask(PAY, pay(rows), tables=TABLE)
    assert (answer.mark, answer.place) == ("unsure", "book.xlsx#Pay!B2")
    assert "month" in answer.why
