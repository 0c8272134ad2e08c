"""expected/*.csv: the columns that the rubric compares with, named by its fields."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from authoring.biz_01_payroll_talent.rules import BOXES, month_name
from authoring.biz_01_payroll_talent.story import Story
from authoring.parts.expected import Value, write_expected
from authoring.parts.numbers import rounded


def write_tables(told: Story, folder: Path) -> None:
    tables: dict[str, tuple[Iterable[Mapping[str, Value]], tuple[str, ...]]] = {
        "attendance": (_attendance(told), ("employee_id", "month")),
        "payroll": (_payroll(told), ("employee_id", "month")),
        "performance": (_performance(told), ("employee_id",)),
        "talent": (_talent(told), ("employee_id",)),
        "departments": (_departments(told), ("department",)),
        "drivers": (_drivers(told), ("department",)),
        "months": (
            ({"month": month, "gross_pay": gross} for month, gross in told.by_month),
            ("month",),
        ),
        "ratings": (({"rating": r, "people": told.ratings[r]} for r in "ABCD"), ("rating",)),
        "boxes": (
            ({"box": box, "people": told.boxes[box]} for box, _ in BOXES.values()),
            ("box",),
        ),
    }
    for name, (rows, keys) in tables.items():
        write_expected(folder / f"{name}.csv", rows, keys)


def _attendance(told: Story) -> list[Mapping[str, Value]]:
    lines = sorted(told.lines, key=lambda line: (line.employee, line.month))
    return [
        {
            "employee_id": line.employee,
            "month": month_name(line.month),
            "absence_days": line.absence,
            "overtime_hours": line.overtime,
        }
        for line in lines
    ]


def _payroll(told: Story) -> list[Mapping[str, Value]]:
    return [
        {
            "employee_id": row.employee,
            "month": month_name(row.month),
            "department": row.department,
            "base_salary": rounded(row.base, 2),
            "absence_deduction": row.absence,
            "overtime_pay": row.overtime,
            "gross_pay": rounded(row.gross, 2),
            "contribution_base": rounded(row.contribution_base, 2),
            "own_contributions": row.own,
            "employer_contributions": row.employer,
            "cumulative_taxable": rounded(row.taxable, 2),
            "tax": rounded(row.tax, 2),
            "net_pay": rounded(row.net, 2),
            "total_cost": rounded(row.cost, 2),
        }
        for row in told.pay
    ]


def _performance(told: Story) -> list[Mapping[str, Value]]:
    return [
        {
            "employee_id": row.employee,
            "name": row.name,
            "department": row.department,
            "annual_score": row.score,
            "rank": row.rank,
            "rating": row.rating,
        }
        for row in told.rated
    ]


def _talent(told: Story) -> list[Mapping[str, Value]]:
    return [
        {
            "employee_id": row.employee,
            "rating": row.rating,
            "potential": row.potential,
            "box": row.box,
            "action": row.action,
        }
        for row in told.rated
    ]


def _departments(told: Story) -> list[Mapping[str, Value]]:
    return [
        {
            "department": cost.department,
            "gross_pay": rounded(cost.gross, 2),
            "employer_contributions": rounded(cost.spent[2], 2),
            "total_cost": rounded(cost.cost, 2),
            "budget": rounded(cost.planned, 2),
            "variance": rounded(cost.variance, 2),
            "budget_used": rounded(cost.cost / cost.planned, 6),
        }
        for cost in told.costs
    ]


def _drivers(told: Story) -> list[Mapping[str, Value]]:
    """A dash for the departments within their budget."""
    return [
        {
            "department": cost.department,
            "main_driver": cost.driver if cost.variance > 0 else "-",
        }
        for cost in told.costs
    ]
