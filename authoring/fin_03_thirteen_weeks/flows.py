"""Everything else that is due: wages, taxes, rent, loans, the plan."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

import msgspec

from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks.rules import RIGHT, Rules
from authoring.fin_03_thirteen_weeks.world import COMPANIES, END, START, VAT, World
from authoring.parts.numbers import cents

D = Decimal
TAX = D("0.41")
LAG = timedelta(days=38)
PLANNED = (10, 11, 12)


class Flow(msgspec.Struct, frozen=True):
    flow: str
    company: str
    due: date
    day: date
    amount: Decimal
    """Receipts positive, payments negative."""


def _before(flow: str, company: str, due: date, amount: Decimal) -> Flow:
    return Flow(flow, company, due, d.on_or_before(due), -amount)


def _next(flow: str, company: str, due: date, amount: Decimal) -> Flow:
    return Flow(flow, company, due, d.on_or_after(due), amount)


def _wages(told: World) -> Iterator[Flow]:
    for n, company in enumerate(COMPANIES, 1):
        wages = told.monthly[f"wages {company}"]
        for place, month in enumerate(PLANNED, 1):
            first = date(2025, month, 1)
            due = d.month_last(first) if company == "S" else first.replace(day=25)
            yield _before(f"F0{n}", company, due, wages[place])
            tax = cents(TAX * wages[place - 1])
            yield _before(f"F0{n + 3}", company, first.replace(day=23), tax)


def vat(told: World, company: str, month: int, rules: Rules) -> Decimal:
    """Of one month of 2025, September to December; to pay if positive."""
    if month == 9:
        return told.figures[f"output {company}"] - told.figures[f"input {company}"]
    place = month - 10
    out = cents(told.monthly[f"sales {company}"][place] * rules.sold * VAT)
    return out - cents(told.monthly[f"purchases {company}"][place] * rules.bought * VAT)


def _taxes(told: World, rules: Rules) -> Iterator[Flow]:
    for month in (9, 10, 11):
        due = d.months_on(date(2025, month, 1), 1).replace(day=23)
        yield _before("F07", "P", due, vat(told, "P", month, rules))
    for flow, company in (("F08", "T"), ("F09", "S")):
        both = vat(told, company, 9, rules) + vat(told, company, 10, rules)
        if both > 0:
            yield _before(flow, company, date(2025, 11, 23), both)
    yield _next("F10", "S", date(2025, 10, 17), told.figures["refund S"])


def _fixed(told: World) -> Iterator[Flow]:
    known = told.figures
    for due in (date(2025, 11, 1), date(2025, 12, 1), date(2026, 1, 1)):
        yield _before("F12", "P", due, known["rent"])
    yield _before("F13", "T", date(2026, 1, 1), known["store"])
    for month in PLANNED:
        yield _next("F14", "P", date(2025, month, 15), -known["robots"])
    yield _before("F15", "P", date(2025, 12, 1), known["insurance"])
    for due, share in ((d.later(date(2025, 11, 3), 10), "0.5"), (date(2025, 12, 24), "0.2")):
        yield _before("F16", "P", due, cents(known["furnace"] * (1 + VAT) * D(share)))
    last = date(2025, 12, 31)
    yield _before("F17", "P", last, known["instalment"])
    yield _before("F18", "P", last, known["loan interest"])
    yield _next("F19", "P", last, -known["quarter fees"])
    yield _before("F20", "P", date(2025, 11, 1), known["vendor interest"])


def third(told: World, company: str, month: int, rules: Rules) -> Decimal:
    net = told.monthly[f"sales {company}"][month - 10] * rules.sold
    return cents(net * (1 + VAT) / 3)


def _plan(told: World, rules: Rules) -> Iterator[Flow]:
    for n, company in enumerate(COMPANIES):
        for month in PLANNED:
            first = date(2025, month, 1)
            for day in (first.replace(day=10), first.replace(day=20), d.month_last(first)):
                yield _next(f"F{21 + n}", company, day + LAG, third(told, company, month, rules))
            due = first.replace(day=15) + timedelta(days=30)
            net = told.monthly[f"purchases {company}"][month - 10] * rules.bought
            paid = d.by_run(due, rules.weekday)
            yield Flow(f"F{24 + n}", company, due, paid, -cents(net * (1 + VAT)))


def flows(told: World, rules: Rules = RIGHT) -> tuple[Flow, ...]:
    """Those that are paid within the thirteen weeks, in the order of `obligations.xlsx`."""
    every = (*_wages(told), *_taxes(told, rules), *_fixed(told), *_plan(told, rules))
    inside = (one for one in every if START <= one.day <= END)
    return tuple(sorted(inside, key=lambda one: (one.flow, one.due)))
