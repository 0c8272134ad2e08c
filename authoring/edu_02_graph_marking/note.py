"""The moderation note and the feedback, each twice: two people's words for the same facts."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from authoring.edu_02_graph_marking.expected import facilities, figures, grades, near
from authoring.edu_02_graph_marking.inputs import facts, named
from authoring.edu_02_graph_marking.rules import (
    CRITERIA,
    beside,
    marks,
    misread,
    multiple,
    total,
)
from authoring.edu_02_graph_marking.world import HIGH, TEXTS, WIDE, Script, World
from authoring.parts.numbers import rounded
from authoring.parts.word import Letter, write_docx

NOTE, FEEDBACK = "moderation-note.docx", "feedback.docx"
HEADS = ("Result", "Lost marks", "Teach again", "Near a boundary")
MEASURED = ("Plotting", "Line", "Triangle", "Read-offs", "Intercept")


def said(told: World) -> dict[str, str]:
    """Everything that note and rubric say, as text."""
    shares = {
        f"f_{name.lower().replace('-', '')}": f"{_percent(share)} %"
        for name, share in facilities(told).items()
    }
    mean = figures(told)["Mean total"]
    close = near(told)
    return (
        facts(told)
        | shares
        | counts(told)
        | {
            "mean": f"{rounded(Decimal(mean.numerator) / mean.denominator, 2)}",
            "grades": ", ".join(f"{name} {n}" for name, n in grades(told).items()),
            "n_near": str(len(close)),
            "near_list": ", ".join(f"{one.number} ({total(one)})" for one in close),
            "near_told": ". ".join(f"{one.number} ({total(one)}): {lost(one)}" for one in close),
            "near_rows": "\n".join(
                f"| {one.number} {one.person.name} | {total(one)} | {lost(one)} |" for one in close
            ),
        }
    )


def _percent(share: Fraction) -> Decimal:
    return rounded(100 * Decimal(share.numerator) / share.denominator, 0)


def counts(told: World) -> dict[str, str]:
    """How often each kind of slip was made."""
    scripts = told.scripts
    corners = [(one, corner) for one in scripts for corner in one.corners]
    wide = [one for one in scripts if one.spans[0] <= WIDE // 2 or one.spans[1] <= HIGH // 2]
    odd = [s for s in scripts if {multiple(s.x.large), multiple(s.y.large)} - {1, 2, 4, 5}]
    found = {
        "points_out": sum(len(one.out) for one in scripts),
        "scripts_out": sum(bool(one.out) for one in scripts),
        "edge": sum(one.how == "edge" for one in scripts),
        "axis_off": sum(one.how == "axis-off" for one in scripts),
        "bad_ends": sum(abs(off) > 1 for one in scripts for off in one.dev),
        "awkward": len(odd),
        "small": len(wide),
        "short": sum(not marks(one)["Triangle"] for one in scripts),
        "ring_wrong": sum(not marks(one)["Anomaly"] for one in scripts),
        "misread": sum(misread(one, corner) > 1 for one, corner in corners),
        "beside": sum(beside(one, corner) > 1 for one, corner in corners),
    }
    return {name: str(value) for name, value in found.items()}


def lost(one: Script) -> str:
    """What was lost by measuring, in a few words."""
    given = marks(one)
    parts = []
    if one.out:
        word = "readings" if len(one.out) > 1 else "reading"
        parts.append(f"{word} {', '.join(map(str, one.out))} plotted elsewhere")
    ends = [
        f"{end} end {abs(float(off)):.1f} squares {'high' if off > 0 else 'low'}"
        for end, off in zip(("left", "right"), one.dev, strict=True)
        if abs(off) > 1
    ]
    parts += [f"line's {end}" for end in ends]
    if not given["Triangle"]:
        parts.append(f"triangle {round(100 * one.share)} % of the line")
    for name, corner in zip(("first", "second"), one.corners, strict=True):
        if misread(one, corner) > 1:
            parts.append(f"{name} point misread by {round(misread(one, corner))} squares")
        if beside(one, corner) > 1:
            parts.append(f"{name} point {float(beside(one, corner)):.1f} squares off the line")
    if one.how == "axis-off":
        parts.append("intercept misread by 2 squares")
    return "; ".join(parts) or "none"


def other(one: Script) -> str:
    """What else was lost."""
    given = marks(one)
    rest = [name for name, most in CRITERIA.items() if given[name] < most and name not in MEASURED]
    return f" The other marks lost: {', '.join(rest)}." if rest else ""


def paragraphs(told: World, second: bool = False) -> str:
    blocks = []
    for one in named(told):
        points = f"{total(one)} of 14"
        if second:
            text = f"Score: {points}.{other(one)} When I measured your sheet I found: {lost(one)}. "
            text += "Next time count from the nearest heavy line, twice."
        else:
            text = (
                f"You have {points}. What you lost by measuring: {lost(one)}.{other(one)} "
                f"Your small square is worth {one.x.large / 10} A across and {one.y.large / 10} V "
                "up: write that at the axes first, and count from the nearest heavy line each time."
            )
        blocks.append(f"# {one.person.name}\n\n{text}")
    return "\n\n".join(blocks)


def write_notes(told: World, folder: Path, second: bool = False) -> None:
    text = (TEXTS / ("note-2.md" if second else "note.md")).read_text("utf-8")
    around = Letter(title="Moderation note", author="Physics", points=10, fitted=True)
    write_docx(folder / NOTE, text.format(**said(told)), around)
    around = Letter(title="Feedback", author="Physics", points=11, fitted=True)
    write_docx(folder / FEEDBACK, paragraphs(told, second), around)
