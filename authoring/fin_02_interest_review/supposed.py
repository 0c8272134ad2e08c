"""What comes out when Inputs are overwritten: the rubric's what-ifs."""

from datetime import date
from decimal import Decimal
from typing import Any

import msgspec
from msgspec.structs import replace

from authoring.fin_02_interest_review.book_terms import FIXED, NOTIFIED
from authoring.fin_02_interest_review.rules import RIGHT
from authoring.fin_02_interest_review.story import Story, paid_of, tell
from authoring.fin_02_interest_review.world import World
from authoring.parts.numbers import money, percent, rounded

D = Decimal
DISPUTED = date(2025, 10, 10)
"""Within the periods that are accrued."""
LATER, SOONER = date(2025, 12, 15), date(2025, 11, 19)
EPOCH = date(1899, 12, 30)
HALF = D("0.005")


class Supposed(msgspec.Struct, frozen=True):
    what_ifs: dict[str, dict[str, Any]]
    facts: dict[str, str]


def _restated(drawn: World, leverage: str) -> tuple[World, Decimal]:
    """Another net debt on the restated certificate for 30 September 2024."""
    ones = list(drawn.certificates)
    debt = rounded(ones[4].ebitda * D(leverage), 0)
    ones[4] = replace(ones[4], debt=debt)
    return replace(drawn, certificates=tuple(ones)), debt


def _row(told: Story, key: str, column: str, value: Decimal) -> dict[str, Any]:
    find = {"notice": told.of(key).notice.no}
    sheet = "Claim" if column == "claimed" else "Recalculation"
    return {"sheet": sheet, "find": find, "column": column, "equals": value, "tol": HALF}


def _label(name: str, value: Decimal) -> dict[str, Any]:
    return {"sheet": "Summary", "label": name, "equals": value, "tol": HALF}


def _disputed(told: Story, paid: dict[str, Decimal]) -> Story:
    """Amendment No. 2 after both restated certificates, and KPI 2 at its target."""
    first, second, third = told.world.indicators
    second = replace(second, assured=second.target)
    drawn = replace(told.world, indicators=(first, second, third))
    return tell(drawn, replace(RIGHT, amended_2=DISPUTED), paid, SOONER)


def supposed(told: Story) -> Supposed:
    paid = paid_of(told)
    drawn, up_debt = _restated(told.world, "3.10")
    drawn = replace(drawn, spot=drawn.spot | {NOTIFIED: D("1.1000")})
    up = tell(drawn, RIGHT, paid, LATER)
    drawn, down_debt = _restated(told.world, "1.95")
    fixed = drawn.euribor[FIXED]
    euribor = drawn.euribor | {FIXED: (fixed[0], D("-0.100"), fixed[2])}
    first, second, third = drawn.indicators
    indicators = (first, replace(second, assured=D(40)), third)
    down = tell(replace(drawn, euribor=euribor, indicators=indicators), RIGHT, paid)
    edge = _disputed(told, paid)
    target = second.target / 100
    what_ifs = {
        "live_up": {
            "set": {
                "Inputs!B2": (LATER - EPOCH).days,
                "Inputs!B3": up_debt,
                "Inputs!B6": D("1.1"),
            },
            "then": [
                _label("total_label", up.totals["Claim total"]),
                _label("deductions_label", up.totals["Deductions"]),
                _row(told, "A5", "correct", up.of("A5").right.amount),
                _row(told, "B7", "claimed", up.of("B7").claim.total),
            ],
        },
        "live_down": {
            "set": {"Inputs!B3": down_debt, "Inputs!B4": D("-0.001"), "Inputs!B5": D("0.4")},
            "then": [
                _row(told, "A4", "correct", down.of("A4").right.amount),
                _row(told, "A6", "correct", down.of("A6").right.amount),
                _label("total_label", down.totals["Claim total"]),
                _label("accrued_label", down.totals["Accrued at 31 October 2025"]),
            ],
        },
        "live_edge": {
            "set": {
                "Inputs!B2": (SOONER - EPOCH).days,
                "Inputs!B5": target,
                "Inputs!B7": (DISPUTED - EPOCH).days,
            },
            "then": [
                _label("total_label", edge.totals["Claim total"]),
                _label("barred_label", edge.totals["Overpaid but barred"]),
                _row(told, "B7", "correct", edge.of("B7").right.amount),
                _row(told, "C6", "correct", edge.of("C6").right.amount),
                _label("accrued_label", edge.totals["Accrued at 31 October 2025"]),
            ],
        },
    }
    facts = {
        "up_debt": money(up_debt, 0),
        "up_total": money(up.totals["Claim total"]),
        "up_deductions": money(up.totals["Deductions"]),
        "edge_c6": money(edge.of("C6").right.amount),
        "edge_share": percent(target),
        "edge_total": money(edge.totals["Claim total"]),
        "edge_accrued": money(edge.totals["Accrued at 31 October 2025"]),
        "down_debt": money(down_debt, 0),
        "down_a4": money(down.of("A4").right.amount),
        "down_a6": money(down.of("A6").right.amount),
        "down_accrued": money(down.totals["Accrued at 31 October 2025"]),
    }
    return Supposed(what_ifs, facts)
