"""Thirteen weeks of the Pool, the facility, and the covenants at two Quarter Dates."""

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import msgspec

from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks.flows import flows
from authoring.fin_03_thirteen_weeks.rules import RIGHT, Rules, payables, receivables
from authoring.fin_03_thirteen_weeks.world import MONTHS, World
from authoring.parts.numbers import cents, rounded

D = Decimal
POOL = ("P", "T")
LOT, LEAST = D(250_000), D(500_000)
OUTSIDE = D(500_000)
"""What counts of a company outside the Pool."""
PAYS = (4, 8, 13)
"""Weeks of 31 October, 28 November, 31 December."""
OLD_MARGIN, BASE_RATE = D("0.0260"), D("0.02")
GRID = (("2.00", "0.0175"), ("2.50", "0.0220"), ("3.00", "0.0260"), ("99", "0.0325"))
LIMITS = (D("3.00"), D("2.75"))
COVER = D("4.50")
SHARE_LOST = D("0.45")
LINES: tuple[str, ...] = ("Consolidated EBITDA", "Exceptional Items", "Adjusted EBITDA")
LINES += ("Borrowings", "Cash", "Net Debt", "Leverage", "Net Finance Charges", "Interest Cover")


class Week(msgspec.Struct, frozen=True):
    number: int
    opening: Decimal
    flow: Decimal
    interest: Decimal
    """To be paid, positive."""
    move: Decimal
    """Drawn positive, repaid negative."""
    closing: Decimal
    drawn: Decimal
    outside: Decimal
    liquidity: Decimal


def by_week(told: World, rules: Rules) -> tuple[dict[int, Decimal], dict[int, Decimal]]:
    """Flows of the Pool and of the company outside, without the facility."""
    sums: dict[str, dict[int, Decimal]] = {
        name: dict.fromkeys(range(1, 14), D(0)) for name in "PTS"
    }

    def add(company: str, week: int, amount: Decimal) -> None:
        if 1 <= week <= 13:
            sums[company][week] += amount

    for line in receivables(told, rules):
        add(line.item.company, d.week(line.day), line.amount)
        if line.code == "R3":
            add(line.item.customer, d.week(line.day), -line.amount)
    for bill in payables(told, rules):
        add(bill.payable.company, d.week(bill.day), -bill.amount)
    for flow in flows(told, rules):
        add(flow.company, d.week(flow.day), flow.amount)
    pool = {week: sum((sums[name][week] for name in POOL), D(0)) for week in range(1, 14)}
    return pool, sums["S"]


def loan(before: Decimal, drawn: Decimal, room: Decimal, minimum: Decimal) -> Decimal:
    gap = minimum - before
    if gap > 0:
        lots = (gap / LOT).to_integral_value(ROUND_CEILING) * LOT
        return min(max(lots, LEAST), (room / LOT).to_integral_value(ROUND_FLOOR) * LOT)
    spare = min(drawn, (-gap / LOT).to_integral_value(ROUND_FLOOR) * LOT)
    return -spare if spare >= LEAST or spare == drawn else D(0)


def margin(leverage: Decimal) -> Decimal:
    return next(D(rate) for most, rate in GRID if leverage <= D(most))


def weeks(told: World, rules: Rules = RIGHT) -> tuple[Week, ...]:
    known = told.figures
    pool, own = by_week(told, rules)
    new = margin(quarter(told, rules)["Leverage"])
    most = known["commitments"] - known["guarantees"]
    balance, outside = known["cash P"] + known["cash T"], known["cash S"]
    drawn, owed = known["drawn"] + known["drawn October"], D(0)
    found = []
    for number in range(1, 14):
        paid = cents(owed) if number in PAYS else D(0)
        owed = D(0) if number in PAYS else owed
        before = balance + pool[number] - paid
        move = loan(before, drawn, most - drawn, rules.minimum)
        opening, balance, drawn = balance, before + move, drawn + move
        outside += own[number]
        owed += drawn * 7 * (BASE_RATE + (OLD_MARGIN if number < 5 else new)) / 360
        free = balance + min(outside, OUTSIDE) + most - drawn
        flow = pool[number]
        found.append(Week(number, opening, flow, paid, move, balance, drawn, outside, free))
    return tuple(found)


def lowest(told: World, scenario: str) -> Decimal:
    """The least Liquidity at the end of a week."""
    return min(one.liquidity for one in weeks(told, Rules(scenario=scenario)))


# --- covenants ----------------------------------------------------------------------------------


def exceptional(told: World, first: str, last: str) -> Decimal:
    return sum((one.counted for one in told.matters if first <= one.month <= last), D(0))


def ebitda(told: World, first: int, last: int) -> Decimal:
    """Consolidated EBITDA over a slice of MONTHS."""
    span, known = slice(first, last), told.monthly
    book = sum((sum(known[f"ebitda {name}"][span]) for name in "PTS"), D(0))
    rent = sum((sum(known[f"rent {name}"][span]) for name in "PTS"), D(0))
    return book - rent + sum(known["own S"][first:7], D(0))


def charges(told: World, months: int) -> Decimal:
    known = told.monthly
    names = ("interest", "finance lease interest", "commitment fee", "guarantee commission")
    total = sum((sum(known[name][:months]) for name in names), D(0))
    return cents((total - sum(known["interest received"][:months], D(0))) * 12 / months)


def _ratios(found: Mapping[str, Decimal], cap: Decimal) -> dict[str, Decimal]:
    most = cents(found["Consolidated EBITDA"] * cap)
    counted = min(found["Exceptional Items"], most)
    adjusted = found["Consolidated EBITDA"] + counted
    debt = found["Borrowings"] - found["Cash"]
    whole = {**found, "Exceptional Items": counted, "Adjusted EBITDA": adjusted, "Net Debt": debt}
    whole["Leverage"] = rounded(debt / adjusted, 2)
    whole["Interest Cover"] = rounded(adjusted / found["Net Finance Charges"], 2)
    return {name: whole[name] for name in LINES}


def quarter(told: World, rules: Rules = RIGHT) -> dict[str, Decimal]:
    """At 30 September 2025."""
    known = told.figures
    cash = known["bank P"] + known["bank T"] + min(known["bank S"], OUTSIDE)
    found = {
        "Consolidated EBITDA": ebitda(told, 0, 12),
        "Exceptional Items": exceptional(told, MONTHS[0], MONTHS[11]),
        "Borrowings": known["term"] + known["drawn"] + known["lease September"] + known["vendor"],
        "Cash": cash,
        "Net Finance Charges": charges(told, 9),
    }
    return _ratios(found, rules.cap)


def year_end(told: World, rules: Rules = RIGHT) -> dict[str, Decimal]:
    """At 31 December 2025, with balances at the end of week 12."""
    known, last = told.figures, weeks(told, rules)[11]
    sales = sum((sum(told.monthly[f"sales {name}"]) for name in "PTS"), D(0))
    lost = cents(sales * (1 - rules.sold) * SHARE_LOST)
    found = {
        "Consolidated EBITDA": ebitda(told, 3, 15) - lost,
        "Exceptional Items": exceptional(told, MONTHS[3], MONTHS[14]),
        "Borrowings": known["term"] + last.drawn + known["lease December"] + known["vendor"],
        "Cash": last.closing + min(last.outside, OUTSIDE),
        "Net Finance Charges": charges(told, 12),
    }
    return _ratios(found, rules.cap)
