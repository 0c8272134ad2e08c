"""The memo, written twice: two people's words for the same facts."""

from decimal import Decimal
from pathlib import Path

from authoring.fin_01_three_levels import deal as d
from authoring.fin_01_three_levels.inputs import facts, table
from authoring.fin_01_three_levels.rules import Rules
from authoring.fin_01_three_levels.story import Story
from authoring.parts.numbers import money, percent
from authoring.parts.word import Letter, write_docx

MEMO = "investment-memo.docx"
TEXTS = Path(__file__).with_name("texts")


def write_memos(told: Story, folder: Path, second: bool) -> None:
    """Into reference/, and into reference-2/ where that is built."""
    drawn = told.world
    letter = Letter(
        title="Investment memo", author="Deal team", header=drawn.fund, points=10, fitted=True
    )
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
    base = told.outcomes["Base"]
    senior = paid.loan - drawn.terms.cash
    claims = {one.no: one.claimed for one in drawn.matters}
    rooms = {name: [percent(row.headroom) for row in rows] for name, rows in told.years.items()}
    rows = [
        (name, percent(one.irr), f"{one.moic:.2f}", *rooms[name])
        for name, one in told.outcomes.items()
    ]
    low = next(case for case in drawn.cases if case.name == "Low")
    smaller = d.years(drawn, paid, low, told.largest, Rules())
    thin = min((row for row in told.years["Low"] if row.headroom >= 0), key=lambda y: y.headroom)
    breach = told.breach
    assert breach is not None
    found = facts(drawn) | {
        "irr": percent(base.irr),
        "low_moic": f"{told.outcomes['Low'].moic:.2f}",
        "room": percent(told.least.headroom),
        "reduced_irr": percent(told.reduced_outcome.irr),
        "premium": percent(told.premium),
        "median": f"{told.median:.2f}",
        "lever": f"{senior / paid.covenant_ebitda:.2f}",
        "lever_ifrs": f"{(senior + paid.leases) / paid.normalised:.2f}",
        "limit": f"{told.least.covenant:.2f}",
        "breach": day(breach),
        "breach_room": percent(breach.headroom),
        "low_smaller": percent(smaller[breach.year - 1].headroom),
        "thin": percent(thin.headroom),
        "thin_day": day(thin),
        "low_rooms": ", ".join(
            f"{year.tested[:4]} {room}"
            for year, room in zip(told.years["Low"], rooms["Low"], strict=True)
        ),
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
        "fund_pays": base.equity,
        "uses": base.equity + paid.loan,
        "leases": paid.leases,
        "lease_payments": paid.lease_payments,
        "b1": -told.amount("B1"),
        "b2": -told.amount("B2"),
    }
    for no in ("V1", "V5", "V6", "V7", "V10"):
        amounts[no.lower()], amounts[f"{no.lower()}_claim"] = told.amount(no), claims[no]
    amounts["v5_early"] = claims["V5"] - told.amount("V5")
    return found | {name: money(value, 0) for name, value in amounts.items()}
