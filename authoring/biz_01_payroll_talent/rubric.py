"""The rubric: what each item says and what it checks come from one value."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from authoring.biz_01_payroll_talent.book import NAME
from authoring.biz_01_payroll_talent.inputs import BOOK, RAW
from authoring.biz_01_payroll_talent.notes import NOTE
from authoring.biz_01_payroll_talent.paper import NEW
from authoring.biz_01_payroll_talent.rubric_note import note_items
from authoring.biz_01_payroll_talent.rules import (
    HEALTH,
    Pay,
    Rules,
    costs,
    month_name,
    pay,
    tax_due,
)
from authoring.biz_01_payroll_talent.story import Story
from authoring.biz_01_payroll_talent.world import Employee
from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money, percent
from bythebook.deliverables.rubric import ReadAs

MONTHLY = ("employee_id", "month")
FIELDS: tuple[tuple[str, ReadAs, tuple[str, ...]], ...] = (
    ("employee_id", "text", ("Employee ID", "Emp ID", "Employee No", "Staff ID", "ID")),
    ("month", "month", ("Month", "Period", "Pay month")),
    ("department", "text", ("Department", "Dept")),
    ("overtime_hours", "number", ("Overtime (hours)", "Overtime hours", "OT hours")),
    ("base_salary", "number", ("Base salary", "Base", "Basic salary", "Monthly base")),
    ("gross_pay", "number", ("Gross pay", "Gross salary", "Gross")),
    ("employer_contributions", "number", ("Employer contributions", "Employer contribution")),
    ("cumulative_taxable", "number", ("Cumulative taxable income", "YTD taxable income")),
    ("tax", "number", ("Tax this month", "Monthly tax", "Income tax")),
    ("net_pay", "number", ("Net pay", "Take-home pay")),
    ("annual_score", "number", ("Annual score", "Weighted score", "Score")),
    ("rating", "text", ("Rating", "Grade")),
    ("box", "text", ("Box", "Talent box", "Nine-box cell")),
    ("action", "text", ("Action", "Development action")),
    ("variance", "number", ("Variance", "Budget variance")),
    ("main_driver", "text", ("Main driver", "Driver")),
    ("card_gross", "number", ("Total gross pay",)),
    ("card_cost", "number", ("Total employment cost",)),
    ("card_variance", "number", ("Budget variance", "Budget variance (cost less budget)")),
    ("card_people", "number", ("Headcount at year end",)),
)
COUNTED = ("overtime_hours", "annual_score", "card_people")
"""Numbers that are no amounts."""
CENT, DIME = Decimal("0.01"), Decimal("0.05")
EXTRA = Decimal(1000)
"""By how much the what-if raises a base salary."""


def write_rubric(told: Story, path: Path) -> None:
    sheet = RubricSheet()
    for name, read_as, names in FIELDS:
        amount = read_as == "number" and name not in COUNTED
        unit = "TVC" if amount else ""
        sheet.field(name, *names, read_as=read_as, unit=unit)
    _files(told, sheet)
    _cleaning(told, sheet)
    _pay(told, sheet)
    _talent(told, sheet)
    _costs(told, sheet)
    _workbook(told, sheet)
    note_items(told, sheet)
    sheet.write(path)


def _column(place: int, field: str, table: str, **how: Any) -> dict[str, Any]:
    """A whole column of one of the new sheets against an expected table."""
    key = {1: MONTHLY, 0: MONTHLY, 4: ("department",)}.get(place, ("employee_id",))
    where = {"sheet": NEW[place], "key": key, "column": field}
    return {"column": where | {"table": f"expected/{table}.csv#{field}"} | how}


def _rows(place: int, table: str, key: tuple[str, ...]) -> dict[str, Any]:
    return {"rows": {"sheet": NEW[place], "key": key, "are": f"expected/{table}.csv"}}


def _files(told: Story, sheet: RubricSheet) -> None:
    sheet.item(
        "structure",
        "core",
        f"results/ holds {NAME} and {NOTE}, both open, and nothing else.",
        failure="output format",
        check={"files": {"want": {NAME: "xlsx", NOTE: "docx"}, "only": True}},
    )
    sheet.item(
        "structure",
        "core",
        f"The seven raw sheets ({', '.join(RAW)}) stand first, in the order of {BOOK}, with every "
        "value as it was.",
        check={"unchanged": {"input": BOOK, "first": True}},
    )
    sheet.item(
        "structure",
        "core",
        f"The six new sheets follow in the stated order ({', '.join(NEW)}), visible and filled.",
        check={"sheets": {"order": NEW}},
    )


def _cleaning(told: Story, sheet: RubricSheet) -> None:
    lines, raw = len(told.lines), len(told.world.lines)
    sheet.item(
        "integration",
        "important",
        f"Attendance Cleaning has exactly one line for each of the {lines} employee-months that "
        f"count: of the {raw} raw lines, those of open badges, repeated and corrected ones are "
        "settled, IDs read EMP001 and months 2024-01.",
        check=_rows(0, "attendance", MONTHLY),
    )
    sheet.item(
        "integration",
        "important",
        f"The overtime hours of all {lines} employee-months are right: numbers typed as text are "
        "read, a line exported twice counts once, a corrected line replaces the earlier one.",
        failure="self-verification",
        check=_column(0, "overtime_hours", "attendance", tol=0),
    )


def _pay(told: Story, sheet: RubricSheet) -> None:
    count, drawn = len(told.pay), told.world
    sheet.item(
        "structure",
        "core",
        f"Monthly Payroll has exactly one line for each employee and month on the roster, {count} "
        "in all; leavers end with the month in which they leave.",
        check=_rows(1, "payroll", MONTHLY),
    )
    sheet.item(
        "domain",
        "core",
        "The base salary is right in every employee-month: a raise of the 15th "
        f"({drawn.fifteenth}) holds for its whole month, one of the 16th ({drawn.sixteenth}) from "
        "the next, the later of two raises wins although it was entered first, a withdrawn one "
        "never was.",
        failure="domain expertise",
        check=_column(1, "base_salary", "payroll", tol=CENT, formula=True),
    )
    sheet.item(
        "domain",
        "core",
        f"Each employee-month stands under the right department: {drawn.mover} moves in September "
        f"and {drawn.late_mover}, whose transfer is of the 20th, in December.",
        failure="domain expertise",
        check=_column(1, "department", "payroll"),
    )
    sheet.item(
        "calculation",
        "core",
        f"Gross pay is right in all {count} employee-months ({money(told.gross)} TVC together), to "
        "the cent, as live formulas whose values can be read.",
        failure="self-verification",
        check=_column(1, "gross_pay", "payroll", tol=CENT, formula=True),
    )
    sheet.item(
        "integration",
        "core",
        "Employer contributions are right in all employee-months: floor and cap hold, and from "
        f"July the health rate is {percent(drawn.july)} as finance says, not {percent(HEALTH)}.",
        failure="domain expertise",
        check=_column(1, "employer_contributions", "payroll", tol=CENT, formula=True),
    )
    _tax(told, sheet)


def _tax(told: Story, sheet: RubricSheet) -> None:
    drawn = told.world
    rows = {(row.employee, row.month): row for row in told.pay}
    first = drawn.employees[0].id
    month, who = drawn.refund_month, drawn.refund
    too_much = rows[who, month - 1].due - rows[who, month].due
    assert too_much == tax_due(rows[who, month - 1].taxable) - rows[who, month].due
    sheet.item(
        "calculation",
        "core",
        "The cumulative taxable income is right in all employee-months (for example "
        f"{money(rows[first, 12].taxable)} of {first} in December), as live formulas.",
        check=_column(1, "cumulative_taxable", "payroll", tol=DIME, formula=True),
    )
    sheet.item(
        "calculation",
        "core",
        "The tax of every month is right; where too much was withheld (from "
        f"{who} by {month_name(month)}: {money(too_much)} TVC) nothing is paid back and the "
        "surplus is set off against the months that follow.",
        failure="domain expertise",
        check=_column(1, "tax", "payroll", tol=Decimal("0.02"), formula=True),
    )
    sheet.item(
        "calculation",
        "important",
        "Net pay is right in all employee-months, as live formulas.",
        check=_column(1, "net_pay", "payroll", tol=DIME, formula=True),
    )


def _talent(told: Story, sheet: RubricSheet) -> None:
    n = len(told.rated)
    counts = ", ".join(f"{told.ratings[r]} {r}" for r in "ABCD")
    late = [one.employee for one in told.rated if None in one.marks]
    sheet.item(
        "structure",
        "important",
        f"Annual Performance lists the {n} people in service on 31 December and nobody else.",
        check=_rows(2, "performance", ("employee_id",)),
    )
    sheet.item(
        "calculation",
        "important",
        "The annual score weighs the quarters 20/20/25/35; for those without a first quarter "
        f"({', '.join(late)}) the other quarters keep their proportions.",
        failure="domain expertise",
        check=_column(2, "annual_score", "performance", tol=Decimal("0.005"), formula=True),
    )
    sheet.item(
        "calculation",
        "core",
        "Ratings follow the forced distribution within the department of 31 December, rounded up "
        f"({counts}).",
        failure="domain expertise",
        check=_column(2, "rating", "performance"),
    )
    sheet.item(
        "domain",
        "important",
        f"Each of the {n} people stands in the right one of nine boxes.",
        check=_column(3, "box", "talent"),
    )
    sheet.item(
        "domain",
        "auxiliary",
        "Each person has the action that the annex names for the box.",
        check=_column(3, "action", "talent"),
    )


def _costs(told: Story, sheet: RubricSheet) -> None:
    over = "; ".join(f"{c.department} {money(c.variance)}" for c in told.over)
    drivers = "; ".join(f"{c.department}: {c.driver}" for c in told.over)
    sheet.item(
        "calculation",
        "core",
        "The variance of each department (total employment cost less budget) is right, over is "
        f"positive ({over}), as live formulas.",
        check=_column(4, "variance", "departments", tol=DIME, formula=True),
    )
    sheet.item(
        "integration",
        "important",
        f"The main driver of each department over budget is named ({drivers}); the others have a "
        "dash; all are live formulas, for a corrected base salary may change them.",
        check=_column(4, "main_driver", "drivers", formula=True),
    )


def _workbook(told: Story, sheet: RubricSheet) -> None:
    cards = (
        {"label": "card_gross", "equals": told.gross, "tol": DIME},
        {"label": "card_cost", "equals": told.cost, "tol": DIME},
        {"label": "card_variance", "equals": told.variance, "tol": DIME},
        {"label": "card_people", "equals": len(told.rated), "tol": 0},
    )
    sheet.item(
        "presentation",
        "core",
        "The dashboard's four cards show the right live figures, readable without calculating: "
        f"{money(told.gross)}, {money(told.cost)}, {money(told.variance)} and {len(told.rated)}.",
        failure="self-verification",
        check={"label": {"sheet": NEW[5], "all": cards, "formula": True}},
    )
    charts = (
        {
            "values": "expected/departments.csv#total_cost",
            "also": "expected/departments.csv#budget",
            "tol": DIME,
        },
        {"values": "expected/months.csv#gross_pay", "tol": DIME},
        {"values": "expected/ratings.csv#people", "tol": 0},
        {"values": "expected/boxes.csv#people", "tol": 0},
    )
    sheet.item(
        "presentation",
        "important",
        "The dashboard has four native charts on these figures, drawn from live formulas: cost and "
        "budget by department, gross pay by month, people by rating, people by box.",
        failure="output format",
        check={"charts": {"sheet": NEW[5], "all": charts, "formula": True}},
    )
    names = {"TotalGross": told.gross, "TotalCost": told.cost, "TotalBudget": told.budget}
    sheet.item(
        "engineering",
        "important",
        "TotalGross, TotalCost and TotalBudget are names of single cells that hold these totals: "
        + ", ".join(money(value) for value in names.values())
        + ".",
        check={"names": {"are": {n: {"equals": v, "tol": DIME} for n, v in names.items()}}},
    )
    sheet.item(
        "engineering",
        "auxiliary",
        "The first four new sheets have a filter on their table and a frozen header.",
        check={"view": {"sheets": NEW[:4], "has": ("freeze", "filter")}},
    )
    sheet.item(
        "presentation",
        "auxiliary",
        "In Department Cost a conditional format marks the departments over budget.",
        check={"view": {"sheets": NEW[4:5], "has": ("cf",)}},
    )
    _live(told, sheet)


def _live(told: Story, sheet: RubricSheet) -> None:
    """A base salary is corrected in Roster: pay, tax, costs and cards must follow."""
    one = told.world.employees[0]
    more = _raised(told, one)
    before, after = _of(told, one), _of(more, one)
    variance = next(cost.variance for cost in more.costs if cost.department == one.department)
    paid = {"sheet": NEW[1], "find": {"employee_id": one.id, "month": "2024-03"}}
    earned = {"sheet": NEW[1], "find": {"employee_id": one.id, "month": "2024-11"}}
    home = {"sheet": NEW[4], "find": {"department": one.department}}
    then = [
        paid | {"column": "gross_pay", "equals": after[3].gross, "tol": CENT},
        earned | {"column": "cumulative_taxable", "equals": after[11].taxable, "tol": DIME},
        home | {"column": "variance", "equals": variance, "tol": DIME},
        {"sheet": NEW[5], "label": "card_gross", "equals": more.gross, "tol": DIME},
        {"sheet": NEW[5], "label": "card_cost", "equals": more.cost, "tol": DIME},
    ]
    sheet.item(
        "engineering",
        "important",
        f"The workbook is live: with {money(one.base + EXTRA, 0)} as base salary of {one.id} in "
        f"Roster, March's gross pay becomes {money(after[3].gross)} (before: "
        f"{money(before[3].gross)}), the cumulative taxable income of November "
        f"{money(after[11].taxable)}, the variance of {one.department} {money(variance)}, and the "
        f"cards show {money(more.gross)} and {money(more.cost)}.",
        failure="self-verification",
        check={"whatif": {"set": {"Roster!G2": one.base + EXTRA}, "then": then}},
    )


def _of(told: Story, one: Employee) -> dict[int, Pay]:
    return {row.month: row for row in told.pay if row.employee == one.id}


def _raised(told: Story, one: Employee) -> Story:
    """After the what-if; budgets stay as they were approved."""
    staff = tuple(
        replace(other, base=other.base + EXTRA) if other.id == one.id else other
        for other in told.world.employees
    )
    drawn = replace(told.world, employees=staff)
    rows = pay(drawn, Rules())
    return replace(told, world=drawn, pay=rows, costs=costs(drawn, rows, told.pay))
