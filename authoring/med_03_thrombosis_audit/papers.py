"""The committee's paper and the Medical Director's note, each twice: two people's words."""

from pathlib import Path

from authoring.med_03_thrombosis_audit.inputs import SENT, facts
from authoring.med_03_thrombosis_audit.rules import Case, coded
from authoring.med_03_thrombosis_audit.story import (
    FAILURES,
    Found,
    due,
    found,
    rate,
    shown,
    state,
    totals,
)
from authoring.med_03_thrombosis_audit.world import COUNTED, TEXTS, World
from authoring.parts.word import Letter, write_docx

PAPER, NOTE = "committee-paper.docx", "note-to-medical-director.docx"
HEADS = ("Result", "By ward", "What failed", "Run chart", "Request")


def wards_shown(what: Found) -> list[tuple[str, str, str]]:
    """Ward, cases and rate as published, the hospital last."""
    numbers = shown([what.of_ward(ward) for ward in COUNTED], what.least, True)
    rows = [
        (ward, n, f"{rate(what.of_ward(ward), what.days_of(ward))}" if n.isdigit() else "-")
        for ward, n in zip(COUNTED, numbers, strict=True)
    ]
    cases = len(what.cases)
    return [*rows, ("Hospital", str(cases), f"{rate(cases, what.whole)}")]


def codes_shown(what: Found) -> list[tuple[str, str]]:
    return [*zip(FAILURES, shown(what.failures.values(), what.least, False), strict=True)]


def months(what: Found, signal: str) -> str:
    named = [f"{point.month:%B %Y}" for point in what.points if point.signal == signal]
    return f"{', '.join(named[:-1])} and {named[-1]}"


def _row(case: Case) -> str:
    last = f"{due(case.event.date()):%d %B %Y}".removeprefix("0")
    cells = (case.no, case.ward, case.severity, case.failure, last, state(case))
    return "| " + " | ".join(cells) + " |"


def said(told: World) -> dict[str, str]:
    """Everything that the papers and the rubric say, as text."""
    code, what = coded(told), found(told)
    figures = totals(told, what, code)
    grave = [one for one in code.cases if one.escalated]
    by_state = {name: next(c for c in grave if state(c) == name) for name in ("open", "late")}
    days = {
        f"{name}_due": f"{due(case.event.date()):%d %B %Y}".removeprefix("0")
        for name, case in by_state.items()
    }
    sent = SENT[by_state["late"].key]
    return facts(told) | {
        "cases": str(len(what.cases)),
        "rate": str(figures["Rate of the half-year"]),
        "grave": str(figures["S3 and S4"]),
        "median": str(what.median),
        "wards": "\n".join(f"| {w} | {n} | {r} |" for w, n, r in wards_shown(what)),
        "codes": "\n".join(f"| {code} | {n} |" for code, n in codes_shown(what)),
        "shift": months(what, "shift"),
        "trend": months(what, "trend"),
        "lines": "\n".join(_row(case) for case in grave),
        "open": by_state["open"].no,
        "late": by_state["late"].no,
        "late_sent": f"{sent:%d %B %Y}".removeprefix("0"),
        **days,
        **{case.key[:3]: case.no for case in grave},
        "h04": next(one.no for one in code.cases if one.key == "h04a"),
    }


def write_papers(told: World, folder: Path, second: bool = False) -> None:
    for stem, name in (("paper", PAPER), ("note", NOTE)):
        text = (TEXTS / f"{stem}{'-2' if second else ''}.md").read_text("utf-8")
        around = Letter(title=name, author="Thrombosis Group", points=10, fitted=True)
        write_docx(folder / name, text.format(**said(told)), around)
