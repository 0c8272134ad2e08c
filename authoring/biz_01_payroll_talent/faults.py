"""faults.yaml: its text, with what varies from seed to seed filled in."""

from datetime import date
from pathlib import Path
from string import Template

from authoring.biz_01_payroll_talent.book_pay import serial
from authoring.biz_01_payroll_talent.inputs import TEXTS, kinds
from authoring.biz_01_payroll_talent.story import Story
from authoring.parts.numbers import money


def write_faults(told: Story, path: Path) -> None:
    template = Template((TEXTS / "faults.yaml").read_text("utf-8"))
    values = _repeat(told) | _corrected(told) | _leaver(told)
    values["worst"] = told.over[0].department
    values |= {"cost": money(told.cost, 0), "other_cost": money(told.cost * 103 / 100, 0)}
    values |= {"budget": money(told.budget, 0), "other_budget": money(told.cost + 100_000, 0)}
    path.write_text(template.substitute(values), "utf-8", newline="\n")


def _repeat(told: Story) -> dict[str, str]:
    line = kinds(told, "repeat")[0]
    return {
        "repeat_id": line.employee,
        "repeat_month": str(serial(line.month)),
        "repeat_days": str(line.absence),
        "repeat_hours": str(line.overtime),
    }


def _corrected(told: Story) -> dict[str, str]:
    """The row of Attendance Cleaning that holds a corrected line; the raw row it replaced."""
    line = kinds(told, "corrected")[0]
    ordered = sorted(told.lines, key=lambda one: (one.employee, one.month))
    wrong = next(
        number
        for number, one in enumerate(told.world.lines, 2)
        if (one.employee, one.month, one.kind) == (line.employee, line.month, "wrong")
    )
    return {"corrected": str(2 + ordered.index(line)), "wrong_line": str(wrong)}


def _leaver(told: Story) -> dict[str, str]:
    """Somebody who left, in the month after."""
    one = next(employee for employee in told.world.employees if employee.left)
    assert isinstance(one.left, date)
    return {
        "leaver": one.id,
        "leaver_month": str(serial(one.left.month + 1)),
        "leaver_department": one.department,
        "leaver_base": str(one.base),
    }
