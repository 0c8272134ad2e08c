"""The note to the CEO, written twice: two people's words for the same facts."""

from collections.abc import Sequence
from pathlib import Path

from authoring.biz_01_payroll_talent.inputs import text
from authoring.biz_01_payroll_talent.rules import HEALTH, Cost
from authoring.biz_01_payroll_talent.story import Story
from authoring.parts.numbers import money, percent
from authoring.parts.word import Letter, write_docx

NOTE = "note-to-ceo.docx"


def write_notes(told: Story, folder: Path) -> None:
    """Into reference/ and reference-2/."""
    letter = Letter(title="Payroll and talent 2024", author="HR director")
    for place, name in (("reference", "note.md"), ("reference-2", "note-2.md")):
        write_docx(folder / place / NOTE, text(name, **facts(told)), letter)


def facts(told: Story) -> dict[str, str]:
    """What both notes say, as text."""
    boxes = told.people("Future leader")
    return {
        "company": told.world.company,
        "cost": money(told.cost, 0),
        "budget": money(told.budget, 0),
        "variance": money(told.variance, 0),
        "used": percent(told.cost / told.budget),
        "used_over": percent(told.cost / told.budget - 1),
        "cost_exact": money(told.cost),
        "budget_exact": money(told.budget),
        "variance_exact": money(told.variance),
        "over": "{}, {} and {}".format(*(cost.department for cost in told.over)),
        "bullets": "\n".join(_bullet(cost) for cost in told.over),
        "sentences": " ".join(_sentence(cost) for cost in told.over),
        "july": money(told.july, 0),
        "july_thousands": money(told.july / 1000, 1),
        "old": percent(HEALTH),
        "new": percent(told.world.july),
        "rated": str(len(told.rated)),
        **{rating.lower(): str(told.ratings[rating]) for rating in "ABCD"},
        "leaders": ", ".join(boxes),
        "is_are": "is" if len(boxes) == 1 else "are",
        "leaders_said": _leaders(boxes),
    }


def _bullet(cost: Cost) -> str:
    line = max(cost.lines)
    share = "more than all" if line > cost.variance else "most"
    return (
        f"- **{cost.department}** is {money(cost.variance, 0)} over its budget. The budget line "
        f"*{cost.driver}* explains {share} of it: {money(line, 0)} over."
    )


def _sentence(cost: Cost) -> str:
    return (
        f"{cost.department} spent {money(cost.variance)} more than planned, above all in the line "
        f"{cost.driver} ({money(max(cost.lines), 0)} more)."
    )


def _leaders(people: Sequence[str]) -> str:
    one, *more = people
    if not more:
        return f"One person is both rated A and of the highest potential, our future leader: {one}."
    return f"Rated A and of the highest potential, our future leaders: {', '.join(people)}."
