"""expected/*.csv: the columns that the rubric compares with, named by its fields."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from authoring.edu_01_credit_plan.book_people import rows
from authoring.edu_01_credit_plan.story import Plan
from authoring.parts.expected import Value, write_expected
from authoring.parts.numbers import rounded

Rows = Iterable[Mapping[str, Value]]


def write_tables(told: Plan, folder: Path) -> None:
    tables: dict[str, tuple[Rows, tuple[str, ...]]] = {
        "modules": (_modules(told), ("module",)),
        "semesters": (_semesters(told), ("pathway", "semester")),
        "practice": (_practice(told), ("pathway", "year")),
        "prerequisites": (_needs(told), ("module", "prerequisite")),
        "competences": (_competences(told), ("competence", "pathway")),
        "groups": (_groups(told), ("module",)),
        "staffing": (_staffing(told), ("teacher", "term")),
        "recognition": (_recognition(told), ("student", "module")),
        "students": (_students(told), ("student",)),
        "treatment": (_semesters_of("Treatment", told), ("semester",)),
        "monitoring": (_semesters_of("Monitoring", told), ("semester",)),
        "winter": ((row for row in _staffing(told) if row["term"] == "winter"), ("teacher",)),
    }
    for name, (lines, keys) in tables.items():
        write_expected(folder / f"{name}.csv", lines, keys)


def _modules(told: Plan) -> Rows:
    return [
        {
            "module": one.module.code,
            "contact_hours": rounded(one.contact, 2),
            "self_study": rounded(one.self_study, 2),
        }
        for one in told.courses
    ]


def _semesters(told: Plan) -> Rows:
    return [
        {
            "pathway": way,
            "semester": semester,
            "credits": value,
            "limits": told.findings[way, semester],
        }
        for (way, semester), value in told.semesters.items()
    ]


def _semesters_of(pathway: str, told: Plan) -> Rows:
    return [row for row in _semesters(told) if row["pathway"] == pathway]


def _practice(told: Plan) -> Rows:
    return [
        {
            "pathway": one.pathway,
            "year": one.year,
            "practice": one.practice,
            "short": rounded(one.missing, 2),
        }
        for one in told.practice
    ]


def _needs(told: Plan) -> Rows:
    return [
        {"module": one.module, "prerequisite": one.needs, "met": one.finding} for one in told.needs
    ]


def _competences(told: Plan) -> Rows:
    return [
        {
            "competence": one.competence,
            "pathway": one.pathway,
            "assessing": one.assessed,
            "covered": one.covered,
        }
        for one in told.coverage
    ]


def _groups(told: Plan) -> Rows:
    return [
        {
            "module": one.module.code,
            "participants": one.students,
            "seminar_groups": one.seminars,
            "lab_groups": one.labs,
        }
        for one in told.courses
    ]


def _staffing(told: Plan) -> Rows:
    return [
        {
            "teacher": one.teacher,
            "term": one.term,
            "duty": rounded(one.duty, 2),
            "load": rounded(one.load, 2),
            "overload": one.finding,
        }
        for one in told.staffing
    ]


def _recognition(told: Plan) -> Rows:
    return [
        {"student": one.student, "module": one.module, "recognised": one.credits}
        for one in rows(told)
    ]


def _students(told: Plan) -> Rows:
    return [
        {
            "student": one.number,
            "recognised": one.credits,
            "entry": one.entry,
            "make_up": one.make_up,
        }
        for one in told.students
    ]
