"""The release note, written twice: two people's words for the same facts."""

from datetime import date, timedelta
from pathlib import Path

from authoring.parts.numbers import money
from authoring.parts.word import Letter, write_docx
from authoring.stem_01_drawing_bom.inputs import long_day, text
from authoring.stem_01_drawing_bom.story import Story

NOTE = "release-note.docx"


def write_notes(told: Story, folder: Path) -> None:
    """Into reference/ and reference-2/."""
    drawn = told.world
    day = f"{_short(drawn.checked)} {drawn.checked.year}"
    header = f"{drawn.company} | To the production manager | {day}"
    letter = Letter(
        title="Build release",
        author="Configuration Management",
        header=header,
        footer=f"{drawn.head}, Head of Engineering",
        fitted=True,
    )
    for place, name in (("reference", "note.md"), ("reference-2", "note-2.md")):
        write_docx(folder / place / NOTE, text(name, **facts(told)), letter)


def _short(day: date) -> str:
    return f"{day.day} {day:%B}"


def facts(told: Story) -> dict[str, str]:
    """What both notes say, as text."""
    drawn, made = told.world, told.made
    owners = {name.lower().split()[0]: who for name, who in drawn.owners.items()}
    days = {one.days: f"{one.due.day} {one.due:%B}" for one in made.actions}
    entries = {one.id: one for one in made.register}
    housing, spindle = entries["D-110-01-MAT"], entries["D-200-01-MAT"]
    spigot = told.limit("C07")
    assert spigot.measured is not None
    names = {"station": "000", "block": "110", "shaft": "101", "adjuster": "200"}
    return owners | {key: drawn.no(number) for key, number in names.items()} | {
        "base": drawn.base,
        "build": long_day(drawn.build),
        "hold": days[1],
        "first": days[3],
        "second": days[8],
        "third": days[15],
        "housing": housing.part,
        "housing_wrong": housing.found,
        "housing_right": housing.governing,
        "spindle": spindle.part,
        "spindle_wrong": spindle.found,
        "spindle_right": spindle.governing,
        "spigot": f"{spigot.measured:.3f}",
        "spigot_high": f"{spigot.upper:.3f}",
        "mass": f"{made.mass:.2f}",
        "limit": str(told.mass_limit),
        "change": money(made.change),
        "smallest": f"{made.chain.smallest:.3f}",
        "largest": f"{made.chain.largest:.3f}",
        "cancelled": told.cancelled,
        "later": told.later,
        "gauge": str(drawn.gauge_error),
        "mail": _short(drawn.checked - timedelta(days=3)),
        "closed": _short(drawn.closed_too),
    }  # fmt: skip
