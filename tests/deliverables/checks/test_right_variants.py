"""What a right answer may look like, and what only looks right.

No right variant may fail: it passes, or the judge decides. No look-alike may pass.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.evidence.model import Sheet, Workbook
from tests.deliverables.checks.papers import F, N, ask, book, sheet

CHECK = (
    "column: {sheet: Pay, key: [employee, month], column: gross,"
    " table: expected/pay.csv#gross, formula: true}"
)
KEYS = [(f"EMP{n:03}", f"2024-{m:02}") for n in (1, 2, 7) for m in (1, 2, 3)]
GROSS = {key: 20000.25 + 111.5 * n for n, key in enumerate(KEYS)}
TABLES = {
    "pay": "employee,month,gross\n" + "\n".join(f"{e},{m},{g:.2f}" for (e, m), g in GROSS.items())
}
Rows = list[list[Any]]


def rows(who: Callable[[str], Any] = str, when: Callable[[str], Any] = str) -> Rows:
    head: Rows = [["Employee ID", "Month", "Department", "Gross pay"]]
    lines = [[who(e), when(m), "Sales", F(g, "E2*1.5")] for (e, m), g in GROSS.items()]
    return head + lines


def renamed(*head: str) -> Rows:
    return [list(head), *rows()[1:]]


def other_order() -> Rows:
    return [[line[3], None, line[1], line[0]] for line in rows()]


def on(sheets: Rows | Sheet) -> Workbook:
    return book(sheets if isinstance(sheets, Sheet) else sheet("Pay", sheets))


def serial(month: str) -> N:
    days = (date.fromisoformat(f"{month}-01") - date(1899, 12, 30)).days
    return N(float(days), "Jan-24", "mmm-yy")


def units_below() -> Rows:
    return [rows()[0], ["text", "YYYY-MM", "", "CNY"], *rows()[1:]]


def with_side_table() -> Rows:
    made = [[*line, None] for line in rows()]
    made[0] += ["Employee ID", "Gross pay"]
    made[1] += ["EMP001", 3.0]
    return made


def with_alias_beside() -> Rows:
    return [[*line, extra] for line, extra in zip(rows(), ["Gross", *[5.0] * 9], strict=True)]


def notes_above() -> Rows:
    return [["Payroll 2024"], *[[f"Rule {n}: see the policy"] for n in range(28)], [], *rows()]


def with_totals() -> Rows:
    total = ["Total", None, None, F(1.0, "SUM(D2:D10)")]
    return [*rows(), ["EMP001", "2024 total", None, F(2.0, "SUM(D2:D4)")], total]


def under_another_table() -> Rows:
    own = [["Employee ID", "Month"], ["EMP001", "2024-01"], []]
    return own + rows()


def over_another_table() -> Rows:
    again = [["Employee ID", "Month", "Department", "Net pay"]]
    return [*rows(), [], *again, *[[*line[:3], 1.0] for line in rows()[1:]]]


def once() -> Rows:
    """Each employee's id stands in the first of its rows only."""
    below = [
        [line[0] if number % 3 == 0 else None, *line[1:]] for number, line in enumerate(rows()[1:])
    ]
    return [rows()[0], *below]


def merged() -> Sheet:
    return sheet("Pay", once(), merges=("A2:A4", "A5:A7", "A8:A10"))


RIGHT: dict[str, tuple[Rows | Sheet, str]] = {
    "ids merged over their months": (merged(), "pass"),
    "ids in the first row of each block": (once(), "unsure"),
    "as asked": (rows(), "pass"),
    "other letter case": (renamed("EMPLOYEE ID", "month", "DEPARTMENT", "gross_pay"), "pass"),
    "unit in the heading": (renamed("Employee ID", "Month", "", "Gross pay (CNY)"), "pass"),
    "unit after a comma": (renamed("Employee ID", "Month", "", "Gross pay, CNY"), "pass"),
    "aliases": (renamed("Staff no.", "Period", "", "Gross salary"), "pass"),
    "another language by alias": (
        renamed("工号", "Period", "", "Gross pay\uff08\u5143\uff09"),
        "pass",
    ),
    "another language": (renamed("Matricola", "Mese", "", "Lordo"), "unsure"),
    "columns in another order": (other_order(), "pass"),
    "ids by a number format": (rows(lambda e: N(float(e[3:]), e, '"EMP"000')), "pass"),
    "month as a date": (rows(when=serial), "pass"),
    "month in words": (
        rows(when=lambda m: date.fromisoformat(f"{m}-01").strftime("%B %Y")),
        "pass",
    ),
    "month as its last day": (rows(when=lambda m: f"{m}-28"), "pass"),
    "month as a number": (rows(when=lambda m: float(m[5:])), "unsure"),
    "month without a year": (
        rows(when=lambda m: ["January", "February", "March"][int(m[5:]) - 1]),
        "unsure",
    ),
    "28 lines above": (notes_above(), "pass"),
    "total and subtotal rows": (with_totals(), "pass"),
    "a row of units": (units_below(), "pass"),
    "a side table": (with_side_table(), "pass"),
    "another column of an alias": (with_alias_beside(), "pass"),
    "a smaller table above": (under_another_table(), "pass"),
    "another table below": (over_another_table(), "pass"),
    "rows in another order": ([rows()[0], *reversed(rows()[1:])], "pass"),
    "spaces in keys": (rows(lambda e: f" {e.lower()} "), "pass"),
    "pivoted": ([["Employee ID", "2024-01", "2024-02"], ["EMP001", 1.0, 2.0]], "unsure"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_variant_never_fails(name: str) -> None:
    table, mark = RIGHT[name]
    assert ask(CHECK, on(table), tables=TABLES).mark == mark


def test_the_serial_of_a_month_is_really_told_by_its_date() -> None:
    dated = rows(when=serial)[1:]
    shown_alike = [[line[0], N(line[1].value, "Jan-24", "0"), *line[2:]] for line in dated]
    answer = ask(CHECK, on([rows()[0], *shown_alike]), tables=TABLES)
    assert answer.mark == "unsure"


def without_heading(column: str) -> Rows:
    old = [[*line[:3], F(line[3].value, "VALUE(1)")] for line in rows()[1:]]
    return [["Employee ID", "Month", "Department", column], *old]


def hidden_column() -> Sheet:
    return sheet("Pay", rows(), hidden_columns=(4,))


def hidden_lines() -> Sheet:
    return sheet("Pay", rows(), hidden_rows=(5,))


def shifted() -> Rows:
    values = [line[3] for line in rows()[1:]]
    lines = zip(rows()[1:], [values[-1], *values[:-1]], strict=True)
    return [rows()[0], *([*line[:3], value] for line, value in lines)]


def lost_zeros() -> Rows:
    return rows(lambda e: f"EMP{int(e[3:])}")


def pasted() -> Rows:
    return [rows()[0], *([*line[:3], line[3].value] for line in rows()[1:])]


def uncached() -> Rows:
    return [rows()[0], *([*line[:3], F(None, line[3].formula)] for line in rows()[1:])]


LOOK_ALIKES: dict[str, Rows | Sheet] = {
    "the column is too narrow to show": sheet("Pay", rows(), widths={4: 0.1}),
    "the column is hidden": hidden_column(),
    "a row is hidden": hidden_lines(),
    "a neighbour's values": shifted(),
    "ids that lost their zeros": lost_zeros(),
    "values pasted for formulas": pasted(),
    "constants dressed as formulas": without_heading("Gross pay"),
    "formulas that nobody calculated": uncached(),
    "numbers stored as text": [rows()[0], *([*r[:3], f"{r[3].value}"] for r in rows()[1:])],
    "one row left out": rows()[:-1],
    "signs turned": [rows()[0], *([*r[:3], F(-r[3].value, "E2")] for r in rows()[1:])],
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_look_alike_fails(name: str) -> None:
    assert ask(CHECK, on(LOOK_ALIKES[name]), tables=TABLES).mark == "fail"


def test_the_same_heading_twice_in_one_table_is_for_the_judge() -> None:
    doubled = [[*line, line[3]] for line in rows()]
    answer = ask(CHECK, on(doubled), tables=TABLES)
    assert (answer.mark, answer.seen) == ("unsure", "columns D, E")


def test_a_demanded_heading_fails_where_it_is_absent() -> None:
    demanded = {"gross": Field(("Gross pay",), "number", demanded=True)}
    table = renamed("Employee ID", "Month", "", "Pay")
    answer = ask(CHECK, on(table), tables=TABLES, fields=demanded)
    assert (answer.mark, answer.wanted) == ("fail", "Gross pay")
