"""Why each adjustment counts as it does: for the workbook, the memo and the rubric."""

from authoring.fin_01_three_levels.story import Story
from authoring.parts.numbers import money


def reason(told: Story, no: str) -> str:
    drawn = told.world
    claims = {one.no: one.claimed for one in drawn.matters}
    net, erp, depot = (money(told.amount(key), 0) for key in ("V6", "V5", "V7"))
    early = money(claims["V5"] - told.amount("V5"), 0)
    return {
        "V1": f"The successor costs {money(drawn.terms.director, 0)} a month as signed, not what a survey says (IP-04 1.8).",
        "V2": "Accrual and invoice were both charged and the accrual was released in July 2024 on account 4900: net once (1.4, 1.5).",
        "V3": "The same settlement as V2, booked a second time and released again (1.5).",
        "V4": "A stand was paid for in November 2022 as well: it comes back (1.6).",
        "V5": f"{early} was posted in August and September 2023, before the LTM; {erp} falls into it (1.4, 1.6).",
        "V6": f"The insurer's refund on account 4900 belongs to it; net {net} (1.4).",
        "V7": f"Nine months stand in the LTM, {depot}; no yearly rate (1.7).",
        "V8": "A synergy that has not happened (1.7).",
        "V9": "Account 7600 lies outside EBITDA (1.4).",
        "V10": "Translated at the average of April 2024, not at the closing rate of September (1.3).",
        "V11": "Posted in August 2024, came once (1.4).",
        "B1": "Income that came once, account 4900 (1.9).",
        "B2": "Income that came once, account 4900 (1.9).",
    }[no]
