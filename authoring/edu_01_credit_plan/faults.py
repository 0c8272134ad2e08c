"""faults.yaml: its text, with what varies from seed to seed filled in."""

from pathlib import Path
from string import Template

from authoring.edu_01_credit_plan.book_people import rows
from authoring.edu_01_credit_plan.inputs import TEXTS
from authoring.edu_01_credit_plan.letters import facts
from authoring.edu_01_credit_plan.story import Plan
from authoring.edu_01_credit_plan.transfer import FREE


class _Text(Template):
    """Formulas are full of dollars."""

    delimiter = "%"


def write_faults(told: Plan, path: Path) -> None:
    template = _Text((TEXTS / "faults.yaml").read_text("utf-8"))
    path.write_text(template.substitute(_places(told)), "utf-8", newline="\n")


def _places(told: Plan) -> dict[str, object]:
    known: dict[str, object] = {
        key: value for key, value in facts(told).items() if isinstance(value, str | int)
    }
    recognised = rows(told)
    at = {(row.student, row.module): number for number, row in enumerate(recognised, 2)}
    first, second, _ = (student.number for student in told.students)
    modules = {course.module.code: row for row, course in enumerate(told.courses, 2)}
    return known | {
        **{f"row_{code}": row for code, row in modules.items()},
        "after": len(recognised) + 2,
        "resit_row": at[second, "W202"],
        "other_row": at[second, FREE],
        "part_row": at[first, "W105"],
        "first_number": first,
    }
