"""The policy: when customers pay and when suppliers are paid."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import ROUND_CEILING, Decimal
from statistics import median

import msgspec

from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks.world import COMPANIES, STATUS, Item, Payable, World
from authoring.parts.numbers import cents

D = Decimal
GROUP_TERMS = "N45"
CONTRACT, REBATE = date(2025, 9, 1), D("0.015")
"""Of the mail of Friday evening: the first document date, and what is deducted."""


class Rules(msgspec.Struct, frozen=True):
    """What Settings hold, and what a slip sets otherwise."""

    scenario: str = "Base"
    good: int = 42
    each: int = 5
    unknown: int = 12
    overdue: int = 10
    weekday: int = 4
    least: Decimal = D("0.02")
    minimum: Decimal = D(1_500_000)
    later: int = 7
    lost: Decimal = D("0.12")
    cap: Decimal = D("0.10")
    contract: date = CONTRACT
    rebate: Decimal = REBATE
    exceptions: bool = True

    @property
    def down(self) -> bool:
        return self.scenario == "Downside"

    @property
    def sold(self) -> Decimal:
        return 1 - self.lost if self.down else D(1)

    @property
    def bought(self) -> Decimal:
        return 1 - self.lost / 2 if self.down else D(1)


RIGHT = Rules()
EXCEPTIONS = (
    ("c13", date(2024, 1, 1), date(2024, 12, 31), "E60"),
    ("c17", date(2025, 1, 1), date(2025, 6, 30), "N60"),
    ("c04", date(2025, 6, 1), date(2025, 8, 31), "N75"),
    ("c09", date(2025, 7, 15), date(2025, 9, 15), "E30"),
    ("c01", date(2025, 9, 1), date(2025, 12, 31), "N45"),
)
"""Customer, first and last document date, terms."""
FAR = date(2026, 12, 31)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """An open item of a customer, decided."""

    item: Item
    terms: str
    due: date
    delay: int
    off: Decimal
    left: Decimal
    code: str
    day: date | None
    amount: Decimal


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """An open item of a supplier, decided."""

    payable: Payable
    due: date
    left: Decimal
    code: str
    day: date | None
    amount: Decimal


def exceptions(rules: Rules) -> tuple[tuple[str, date, date, str], ...]:
    own = EXCEPTIONS if rules.exceptions else ()
    return (*own, ("c03", rules.contract, FAR, "N30"))


def terms(told: World, item: Item, rules: Rules) -> str:
    if item.customer in COMPANIES:
        return GROUP_TERMS
    for customer, first, last, special in exceptions(rules):
        if customer == item.customer and first <= item.day <= last:
            return special
    return told.customers[item.customer].terms


def due(day: date, words: str) -> date:
    if words == "F15":
        return d.months_on(day, 2).replace(day=15)
    start = day if words[0] == "N" else d.month_last(day)
    return start + timedelta(days=int(words[1:]))


def delay(late: tuple[int, ...], unknown: int) -> int:
    if len(late) < 3:
        return unknown
    return max(0, int(D(str(median(late))).to_integral_value(ROUND_CEILING)))


def settled(day: date) -> date:
    """When an item between companies of the group is."""
    return d.on_or_before(d.month_last(max(day, date(2025, 10, 1) if day <= STATUS else day)))


def _counts(item: Item, rules: Rules) -> bool:
    if item.promise is None or item.made is None:
        return False
    return item.promise > STATUS and (STATUS - item.made).days <= rules.good


def _code(told: World, item: Item, left: Decimal, rules: Rules) -> str:
    if not left and item.paid:
        return "R1"
    if item.amount < 0:
        return "R2"
    if item.customer in COMPANIES:
        return "R3"
    if item.insolvent:
        return "R4"
    if not left:
        return "R5" if item.setoff else "R6"
    if told.customers[item.customer].debit and not item.returned:
        return "R7"
    return "R8" if _counts(item, rules) else "R9"


def _day(line: Line, rules: Rules) -> date | None:
    item = line.item
    match line.code:
        case "R3":
            return settled(line.due)
        case "R7":
            return d.on_or_after(max(line.due, STATUS + d.DAY))
        case "R8":
            assert item.promise
            return d.later(d.on_or_after(item.promise), item.broken * rules.each)
        case "R9":
            day = d.on_or_after(line.due + timedelta(days=line.delay))
            day = day if day > STATUS else d.later(STATUS, rules.overdue)
            return d.later(day, rules.later) if rules.down else day
    return None


def line(told: World, item: Item, rules: Rules) -> Line:
    """Without the day of a credit note, which hangs on the others."""
    contract = item.customer == "c03" and item.day >= rules.contract
    off = item.off + (cents(item.amount * rules.rebate) if contract else D(0))
    left = item.amount - item.paid - item.setoff - off
    words = terms(told, item, rules)
    known = told.customers.get(item.customer)
    first = Line(
        item=item,
        terms=words,
        due=due(item.day, words),
        delay=delay(known.late, rules.unknown) if known else 0,
        off=off,
        left=left,
        code=_code(told, item, left, rules),
        day=None,
        amount=D(0),
    )
    day = _day(first, rules)
    return msgspec.structs.replace(first, day=day, amount=left if day else D(0))


def receivables(told: World, rules: Rules = RIGHT) -> tuple[Line, ...]:
    lines = [line(told, item, rules) for item in told.items]
    firsts: dict[str, date] = {}
    for one in lines:
        if one.code in ("R7", "R8", "R9") and one.day:
            known = firsts.get(one.item.customer, one.day)
            firsts[one.item.customer] = min(known, one.day)
    return tuple(_credited(one, firsts) for one in lines)


def _credited(one: Line, firsts: Mapping[str, date]) -> Line:
    first = firsts.get(one.item.customer)
    if one.code != "R2" or first is None:
        return one
    return msgspec.structs.replace(one, day=first, amount=one.left)


# --- suppliers ----------------------------------------------------------------------------------


def _gone(one: Payable) -> str:
    """What left nothing of it."""
    return "P2" if one.paid else "P3" if one.setoff else "P4"


def _paid_as(told: World, one: Payable, left: Decimal, rules: Rules) -> str:
    if one.supplier in COMPANIES:
        return "P1"
    if not left:
        return _gone(one)
    supplier = told.suppliers[one.supplier]
    if supplier.how == "debit":
        return "P5"
    last = d.run_day(one.day + timedelta(days=supplier.days), rules.weekday)
    if supplier.rate and supplier.rate >= rules.least and last > STATUS:
        return "P6"
    return "P7" if supplier.how == "critical" else "P8"


def bill(told: World, one: Payable, rules: Rules) -> Bill:
    left = one.amount - one.paid - one.setoff - one.off
    code = _paid_as(told, one, left, rules)
    supplier = told.suppliers.get(one.supplier)
    net, days = (supplier.net, supplier.days) if supplier else (45, 0)
    last = one.day + timedelta(days=net)
    amount, day = left, None
    match code:
        case "P5":
            day = d.on_or_after(max(last, STATUS + d.DAY))
        case "P6":
            assert supplier
            day = d.by_run(one.day + timedelta(days=days), rules.weekday)
            amount = cents(left * (1 - supplier.rate))
        case "P7":
            day = d.on_or_before(last)
            day = day if day > STATUS else d.later(STATUS, 1)
        case "P8":
            day = d.by_run(last, rules.weekday)
        case _:
            amount = D(0)
    return Bill(payable=one, due=last, left=left, code=code, day=day, amount=amount)


def payables(told: World, rules: Rules = RIGHT) -> tuple[Bill, ...]:
    return tuple(bill(told, one, rules) for one in told.payables)
