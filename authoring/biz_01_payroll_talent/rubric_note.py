"""The items on the note to the CEO: one agrees with the workbook, the rest a judge decides."""

from authoring.biz_01_payroll_talent.notes import NOTE
from authoring.biz_01_payroll_talent.paper import NEW
from authoring.biz_01_payroll_talent.rules import HEALTH
from authoring.biz_01_payroll_talent.story import Story
from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money, percent

OVER = (
    "over|above|exceed|exceeding|overspent|overspend|overran|overrun|overrunning|overshot"
    "|overshoot|more|beyond|excess|too much|adverse|unfavourable|unfavorable|in the red"
)
"""How people say it. A sentence that gives the three may end with who stayed under budget."""


def note_items(told: Story, sheet: RubricSheet) -> None:
    sheet.item(
        "integration",
        "important",
        "The note's Total employment cost is the workbook's.",
        failure="self-verification",
        check={
            "agree": {
                "cell": {"sheet": NEW[5], "label": "card_cost"},
                "figure": {"file": NOTE, "near": "Total employment cost", "digits": 3},
            }
        },
    )
    over = [
        {
            "is": cost.variance,
            "digits": 2,
            "near": cost.department,
            "word": [OVER, "under|below"],
        }
        for cost in told.over
    ]
    said = "; ".join(
        f"{c.department} {money(c.variance, 0)} over, of it {c.driver} {money(max(c.lines), 0)}"
        for c in told.over
    )
    sheet.item(
        "integration",
        "core",
        "The note tells the CEO in words which departments ran over budget, by how much, and which "
        f"budget line explains most of it in each ({said}); no other department is called over.",
        screen={"figures": {"file": NOTE, "all": over}},
        truth=f"{said}. The other three are under budget. From Budgets!B2:D7 and the payroll by "
        "the rules of 2024. Rounded figures are right, and so is a line that ran over by more than "
        "its department.",
    )
    _judged(told, sheet)


def _judged(told: Story, sheet: RubricSheet) -> None:
    drawn = told.world
    leaders = ", ".join(told.people("Future leader"))
    counts = ", ".join(f"{told.ratings[r]} {r}" for r in "ABCD")
    sheet.item(
        "domain",
        "important",
        "The note says what finance's correction cost in 2024 "
        f"(about {money(told.july, 0)} TVC of employer contributions from July to December), so "
        "that somebody who has not read finance's note sees what was corrected: the employer's "
        "health rate.",
        failure="domain expertise",
        truth=f"{money(told.july)} TVC: the sum of all contribution bases of July to December "
        f"times {percent(drawn.july - HEALTH)}, by which the employer's health rate rose (from "
        f"{percent(HEALTH)} to {percent(drawn.july)}). From note-from-finance.md, Contributions!E3 "
        "and the payroll.",
    )
    sheet.item(
        "presentation",
        "important",
        "The note fits one page, opens with the answer (over budget, by how much) before any "
        f"method or background, has the small table (Total employment cost {money(told.cost, 0)}, "
        f"Budget {money(told.budget, 0)}, Budget variance {money(told.variance, 0)}, rounded as it "
        f"likes), and gives ratings ({counts}) and future leaders ({leaders}).",
        screen={"pages": {"file": NOTE, "at_most": 1}},
        truth=f"Company over budget by {money(told.variance, 0)} TVC: {money(told.cost, 0)} "
        f"against {money(told.budget, 0)}. {counts}. Future leader "
        f"(A with potential 3): {leaders}. From Annex A (page 2 of the rules), Performance and "
        "Roster.",
    )
