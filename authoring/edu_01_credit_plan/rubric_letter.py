"""The items on the plan for the study board: its headings are checked, the rest is judged."""

from typing import Any

import yaml

from authoring.edu_01_credit_plan.inputs import TEXTS
from authoring.edu_01_credit_plan.letters import LETTER, facts
from authoring.edu_01_credit_plan.story import Plan
from authoring.parts.items import RubricSheet
from bythebook.deliverables.rubric import Dimension, Failure

JUDGED: tuple[tuple[str, Dimension, Failure, tuple[str | tuple[str, ...], ...]], ...] = (
    (
        "grounds",
        "domain",
        "domain expertise",
        (
            ("WT-16", "WT16", "Laboratory Course"),
            ("W402", "Process Sensors"),
            ("T43", "Plant Operation"),
        ),
    ),
    (
        "findings",
        "integration",
        "domain expertise",
        ("W401", "W502", "T53", "K3", "K4", "K5"),
    ),
    ("sources", "integration", "self-verification", ("2024",)),
)
"""Key of the text, dimension, failure, and what such a text cannot leave out."""


def letter_items(told: Plan, sheet: RubricSheet) -> None:
    names = [student.name for student in told.students]
    headings = ("Decisions", *names, "Findings on the draft", "Sources")
    sheet.item(
        "structure",
        "auxiliary",
        f"The plan has the headings {', '.join(headings)}, in this order.",
        failure="output format",
        check={"outline": {"file": LETTER, "has": headings, "in_order": True}},
    )
    figures: list[dict[str, Any]] = [
        {"is": value, "digits": 1, "near": one.name}
        for one in told.students
        for value in (one.credits, one.entry, one.make_up)
    ]
    said = "; ".join(f"{s.name} {s.credits}, {s.entry}, {s.make_up}" for s in told.students)
    sheet.item(
        "integration",
        "important",
        "The table under Decisions gives for each student the credits recognised, the entry "
        f"semester and the make-up credits ({said}).",
        screen={"figures": {"file": LETTER, "only": "tables", "all": figures}},
        truth="Each figure stands in the column whose heading says that it is this one, in "
        "whatever words; further columns and figures may stand beside them. The figures "
        "are those that student-records.csv, transition-rules.docx and the mail give.",
    )
    _judged(told, sheet)


def _judged(told: Plan, sheet: RubricSheet) -> None:
    """Texts from `texts/judged.yaml`."""
    texts = yaml.safe_load((TEXTS / "judged.yaml").read_text("utf-8"))
    for name, dimension, failure, codes in JUDGED:
        says, truth = (texts[name][key].format_map(facts(told)) for key in ("says", "truth"))
        screen = {"text": {"file": LETTER, "all": codes}}
        sheet.item(dimension, "important", says, failure=failure, screen=screen, truth=truth)
