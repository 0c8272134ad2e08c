"""`rows`, `range`, `order`, `format`."""

from typing import Any

import pytest

from bythebook.deliverables.evidence.model import Workbook
from tests.deliverables.checks.papers import F, N, ask, book, sheet

ROWS = "rows: {sheet: S, key: [employee], are: expected/staff.csv}"
STAFF = {"staff": "employee,department\nEMP001,Sales\nEMP002,Sales\nEMP003,Support\n"}
HEAD = ["Employee ID", "Department", "Gross pay"]
LINES: list[list[Any]] = [
    ["EMP001", "Sales", 300.0],
    ["EMP002", "Sales", 200.0],
    ["EMP003", "Support", 100.0],
]


def table(*lines: list[Any], head: list[Any] = HEAD, **more: Any) -> Workbook:
    return book(sheet("S", [head, *(lines or LINES)], **more))


def test_exactly_these_rows_pass() -> None:
    answer = ask(ROWS, table(), tables=STAFF)
    assert (answer.mark, answer.count, answer.place) == ("pass", (0, 3), "book.xlsx#S!A2")


def test_missing_rows_are_named() -> None:
    answer = ask(ROWS, table(*LINES[:2]), tables=STAFF)
    assert (answer.mark, answer.wanted, answer.why) == ("fail", "EMP003", "1 row is missing")


def test_a_row_too_many_and_one_that_stands_twice_fail() -> None:
    answer = ask(ROWS, table(*LINES, ["EMP004", "Sales", 1.0]), tables=STAFF)
    assert (answer.mark, answer.seen, answer.place) == ("fail", "EMP004", "book.xlsx#S!A5")
    answer = ask(ROWS, table(*LINES, LINES[0]), tables=STAFF)
    assert (answer.mark, answer.place) == ("fail", "book.xlsx#S!A5")


def test_totals_and_notes_below_are_no_rows() -> None:
    below: list[list[Any]] = [
        ["Total", None, 600.0],
        ["Grand total (all)", None, 600.0],
        ["Source: payroll, 2024"],
    ]
    assert ask(ROWS, table(*LINES, *below), tables=STAFF).mark == "pass"


def test_where_looks_at_some_rows_of_both_sides() -> None:
    some = ROWS.replace("are:", "where: {department: Sales}, are:")
    assert ask(some, table(), tables=STAFF).mark == "pass"
    moved = [LINES[0], ["EMP002", "Support", 1.0], LINES[2]]
    assert ask(some, table(*moved), tables=STAFF).wanted == "EMP002"


def live(*ids: str | None) -> Workbook:
    """Keys by formulas that have a row to spare for each that may come."""
    lines = [[F(one, f"Calc!A{row}"), "Sales", 1.0] for row, one in enumerate(ids, 1)]
    return table(*lines)


@pytest.mark.parametrize("nothing", [None, ""])
def test_spare_rows_of_a_list_that_was_calculated_are_blank(nothing: str | None) -> None:
    """An empty text is kept like no value; most of the list's rows may be spare."""
    answer = ask(ROWS, live("EMP001", "EMP002", "EMP003", *[nothing] * 9), tables=STAFF)
    assert (answer.mark, answer.count) == ("pass", (0, 3))
    answer = ask(ROWS, live("EMP001", "EMP002", *[nothing] * 9), tables=STAFF)
    assert (answer.mark, answer.wanted) == ("fail", "EMP003")


def test_a_list_that_nobody_calculated_is_no_list_of_spare_rows() -> None:
    answer = ask(ROWS, live(*[None] * 9), tables=STAFF)
    assert (answer.mark, "no cached value" in answer.why) == ("fail", True)
    typed = table(LINES[0], *[[F(None, f"Calc!A{row}"), "Sales", 1.0] for row in range(8)])
    assert "no cached value" in ask(ROWS, typed, tables=STAFF).why
    gaps = live(*[None] * 9, "EMP001", "EMP002", "EMP003")
    assert "no cached value" in ask(ROWS, gaps, tables=STAFF).why


# --- range --------------------------------------------------------------------------------------

RANGE = "range: {sheet: S, key: [employee], column: gross, min: 0, max: 300}"


@pytest.mark.parametrize(
    ("value", "mark"),
    [
        (300.0, "pass"),
        (0.0, "pass"),
        (-0.01, "fail"),
        (300000.0, "fail"),
        (None, "fail"),
        ("x", "fail"),
    ],
)
def test_every_row_lies_inside(value: Any, mark: str) -> None:
    answer = ask(RANGE, table(*LINES, ["EMP004", "Sales", value], ["Total", None, 9999.0]))
    assert answer.mark == mark
    assert mark == "pass" or answer.place == "book.xlsx#S!C5"


def test_a_range_over_no_rows_fails() -> None:
    assert ask(RANGE, book(sheet("S", [HEAD]))).mark == "fail"


def test_kinds_are_the_texts_that_may_stand_there() -> None:
    kinds = "range: {sheet: S, key: [employee], column: department, kinds: [Sales, support]}"
    assert ask(kinds, table()).mark == "pass"
    answer = ask(kinds, table(*LINES, ["EMP004", "Sale", 1.0]))
    assert (answer.mark, answer.seen, answer.count) == ("fail", "Sale", (1, 4))


# --- order --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "mark"),
    [
        ("[employee]", "pass"),
        ("[-gross]", "pass"),
        ("[department, -gross]", "pass"),
        ("[gross]", "fail"),
        ("[department, gross]", "fail"),
    ],
)
def test_rows_are_sorted(by: str, mark: str) -> None:
    check = f"order: {{sheet: S, key: [employee], by: {by}}}"
    assert ask(check, table(*LINES, ["Total", None, 1.0])).mark == mark


def test_the_first_row_out_of_order_is_the_place() -> None:
    swapped = [LINES[0], LINES[2], LINES[1]]
    answer = ask("order: {sheet: S, key: [employee], by: [employee]}", table(*swapped))
    assert answer.place == "book.xlsx#S!A4"


# --- format -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("like", "shown", "mark"),
    [
        ("money", "1,234.50", "pass"),
        ("money", "CNY 1,235", "pass"),
        ("money", "(1,234.50)", "pass"),
        ("money", "999.00", "pass"),
        ("money", "-", "pass"),
        ("money", "1234.5", "fail"),
        ("money", "1234.50", "fail"),
        ("money", "1,234.567", "fail"),
        ("percent", "3.5%", "pass"),
        ("percent", "0.035", "fail"),
        ("date", "2025-09-30", "pass"),
        ("date", "Sep-25", "pass"),
        ("date", "45930", "fail"),
        ("integer", "1,234", "pass"),
        ("integer", "1234.0", "fail"),
    ],
)
def test_a_format_is_judged_by_what_is_shown(like: str, shown: str, mark: str) -> None:
    check = f"format: {{sheet: S, key: [employee], column: gross, like: {like}}}"
    answer = ask(check, table(["EMP001", "Sales", N(1.0, shown)], ["EMP002", "Sales", None]))
    assert (answer.mark, answer.count) == (mark, (int(mark == "fail"), 1))


def test_a_formula_in_a_key_column_reads_as_what_it_shows() -> None:
    lines = [[F(line[0], "Raw!A2"), *line[1:]] for line in LINES]
    assert ask(ROWS, table(*lines), tables=STAFF).mark == "pass"


def test_a_bracket_at_the_end_of_a_heading_says_no_other_heading() -> None:
    """A prompt explains its columns in brackets, and the agent copies the heading whole."""
    told = ["Employee ID (E1 to E9)", "Department", "Gross pay (before tax, as it is booked)"]
    assert ask(ROWS, table(head=told), tables=STAFF).mark == "pass"
    twice = ["Employee ID (ours)", "Employee ID (theirs)", "Gross pay"]
    assert ask(ROWS, table(head=twice), tables=STAFF).why == "no row holds this heading"
    other = ["Number (Employee ID)", "Department", "Gross pay"]
    assert ask(ROWS, table(head=other), tables=STAFF).why == "no row holds this heading"


def test_the_heading_itself_is_taken_before_one_with_a_bracket() -> None:
    head = ["Employee ID (of the boss)", "Department", "Employee ID"]
    lines = [[f"EMP10{row}", "Sales", f"EMP00{row}"] for row in (1, 2, 3)]
    assert ask(ROWS, table(*lines, head=head), tables=STAFF).mark == "pass"
    below: list[list[Any]] = [["Employee ID (which)", None, None], HEAD, *LINES]
    assert ask(ROWS, book(sheet("S", below)), tables=STAFF).place == "book.xlsx#S!A3"
