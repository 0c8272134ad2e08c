"""The memo, written twice: two people's words for the same facts."""

from decimal import Decimal
from pathlib import Path

from authoring.fin_01_three_levels import deal as d
from authoring.fin_01_three_levels.inputs import facts, table
from authoring.fin_01_three_levels.story import Story
from authoring.parts.numbers import money, percent
from authoring.parts.word import Letter, write_docx

MEMO = "investment-memo.docx"
TEXTS = Path(__file__).with_name("texts")


def write_memos(told: Story, folder: Path, second: bool) -> None:
    """Into reference/, and into reference-2/ where that is built."""
    drawn = told.world
    letter = Letter(title="Investment memo", author="Deal team", header=drawn.fund, points=9.5)
    places = {"reference": "memo.md", **({"reference-2": "memo-2.md"} if second else {})}
    for place, name in places.items():
        write_docx(
            folder / place / MEMO, (TEXTS / name).read_text("utf-8").format(**said(told)), letter
        )


def day(year: d.Year) -> str:
    return f"31 March {2025 + year.year}"


def said(told: Story) -> dict[str, str]:
    """Everything that memos and rubric say, as text."""
    paid, drawn = told.price, told.world
    base, low = told.outcomes["Base"], told.outcomes["Low"]
    senior = paid.loan - drawn.terms.cash
    claims = {one.no: one.claimed for one in drawn.matters}
    worst = {name: min(row.headroom for row in rows) for name, rows in told.years.items()}
    rows = [
        (name, percent(one.irr), f"{one.moic:.2f}", percent(worst[name]))
        for name, one in told.outcomes.items()
    ]
    breach = told.breach
    assert breach is not None
    found = facts(drawn) | {
        "irr": percent(base.irr),
        "low_moic": f"{low.moic:.2f}",
        "room": percent(told.least.headroom),
        "reduced_irr": percent(told.reduced_outcome.irr),
        "premium": percent(told.premium),
        "median": f"{told.median:.2f}",
        "lever": f"{senior / paid.covenant_ebitda:.2f}",
        "lever_ifrs": f"{(senior + paid.leases) / paid.normalised:.2f}",
        "limit": f"{told.least.covenant:.2f}",
        "breach": day(breach),
        "cases": table(rows),
        "printed": f"{drawn.printed}",
    }
    amounts: dict[str, Decimal] = {
        "loan": paid.loan,
        "largest": told.largest,
        "more": told.reduced_outcome.equity - base.equity,
        "normalised": paid.normalised,
        "covenant": paid.covenant_ebitda,
        "equity": paid.equity,
        "reported": paid.reported,
        "vendor_ebitda": paid.reported + sum(claims.values(), Decimal(0)),
        "claimed": sum(claims.values(), Decimal(0)),
        "counted": paid.normalised - paid.reported,
        "settlement": claims["V2"],
        "fair": claims["V4"],
        "synergies": claims["V8"],
        "exchange": claims["V9"],
        "value": paid.value,
        "debt": paid.debt,
        "adjustment": paid.adjustment,
        "later": paid.later,
        "leases": paid.leases,
        "lease_payments": paid.lease_payments,
        "b1": -told.amount("B1"),
        "b2": -told.amount("B2"),
    }
    for no in ("V1", "V5", "V6", "V7", "V10"):
        amounts[no.lower()], amounts[f"{no.lower()}_claim"] = told.amount(no), claims[no]
    amounts["v5_early"] = claims["V5"] - told.amount("V5")
    return found | {name: money(value, 0) for name, value in amounts.items()}
