"""transition-plan.docx, written twice: two people's words for the same facts."""

from pathlib import Path

from authoring.edu_01_credit_plan.inputs import names, text
from authoring.edu_01_credit_plan.story import Plan
from authoring.parts.numbers import money, rounded
from authoring.parts.word import Letter, write_docx

LETTER = "transition-plan.docx"


def write_letters(told: Plan, folder: Path) -> None:
    """Into reference/ and reference-2/."""
    letter = Letter(title="Transition plan", author="Programme office", points=9.5)
    for place, name in (
        ("reference", "transition-plan.md"),
        ("reference-2", "transition-plan-2.md"),
    ):
        write_docx(folder / place / LETTER, text(name, **facts(told)), letter)


def facts(told: Plan) -> dict[str, object]:
    """What both letters say."""
    drawn = told.world
    moved = next(one for one in drawn.teachers if one.away != one.away_on_file)
    lab = drawn.room("Lab C")
    known: dict[str, object] = dict(names(told))
    for place, student in enumerate(told.students, 1):
        known |= {f"number_{place}": student.number, f"credits_{place}": student.credits}
        known |= {f"entry_{place}": student.entry, f"make_up_{place}": student.make_up}
    expired = next(row for row in drawn.results if row.code == "WT-16")
    return known | {
        "expired": f"{expired.day:%B %Y}",
        "resit": f"{drawn.resit.day:%B %Y}",
        "low": told.semesters["Monitoring", 4],
        "high": told.semesters["Monitoring", 5],
        "limit_low": drawn.limits.low,
        "limit_high": drawn.limits.high,
        "over": drawn.limits.over,
        "overloads": overloads(told),
        "loads": loads(told),
        "cancelled": told.cancelled,
        "choices": drawn.registered[told.cancelled],
        "least": drawn.limits.least,
        "intake": drawn.intake,
        "old_intake": drawn.intake_on_file,
        "away": moved.name,
        "places": lab.places,
        "old_places": lab.places_on_file,
        "minutes": drawn.limits.minutes,
    }


def overloads(told: Plan) -> str:
    """`Vermeer (summer, +5.4), ..`."""
    return ", ".join(
        f"{one.teacher} ({one.term}, +{rounded(one.balance, 1):f})" for one in told.over
    )


def loads(told: Plan) -> str:
    """The same without a difference: `Vermeer in summer 25.40 (duty 20.00), ..`."""
    return ", ".join(
        f"{one.teacher} in {one.term} {money(one.load)} (duty {money(one.duty)})"
        for one in told.over
    )
