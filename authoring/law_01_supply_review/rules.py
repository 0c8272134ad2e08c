"""What is right: one function of the rules' settings, so that a slip is the same function."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal

import msgspec

from authoring.law_01_supply_review.calendar import DAY, Calendar, add_months
from authoring.law_01_supply_review.playbook import (
    Class,
    Position,
    approver_of,
    class_of,
    grade_of,
    in_force,
)
from authoring.law_01_supply_review.world import (
    ANSWER,
    INSPECTION,
    WARRANTY,
    WARRANTY_OLD,
    Row,
    World,
)
from authoring.parts.numbers import cents, rounded


class Rules(msgspec.Struct, frozen=True):
    """Each default is right; another value is a slip."""

    addendum: bool = True
    services_in_charges: bool = False
    lower: bool = True
    share_of_charges: bool = False
    business_days: bool = True
    monthly_times_twelve: bool = True
    base_rate_off: bool = True
    unmarked_seen: bool = True
    goods_statute_for_services: bool = False
    repealed_section: bool = False
    future_section: bool = False
    statute_cures: bool = True
    reference_repaired: bool = False
    withdrawn_offer: bool = False
    conditional_offer: bool = False
    agreed_price: bool = True
    per_hundred: bool = True
    again: bool = False
    withdrawn_lines: bool = False
    first_year_only: bool = True
    after_four: bool = True
    holidays: bool = True
    substitutes: bool = True
    backwards: bool = True
    clear_days: bool = True
    duties_moved: bool = False
    moved_delivery: bool = True


class Line(msgspec.Struct, frozen=True):
    """One line of Charges."""

    row: Row
    price: Decimal
    amount: Decimal


class Cap(msgspec.Struct, frozen=True):
    goods: Decimal
    services: Decimal
    drafted: Decimal
    draft_3: Decimal
    share: Decimal
    """Of all charges, to six places."""
    fallback: Decimal

    @property
    def all(self) -> Decimal:
        return self.goods + self.services

    @property
    def lost(self) -> Decimal:
        return self.draft_3 - self.drafted

    @property
    def shortfall(self) -> Decimal:
        return self.fallback - self.drafted


class Entry(msgspec.Struct, frozen=True):
    """One line of Clauses."""

    position: Position
    change: str
    term: Decimal | None
    found: Class
    up: int
    down: int
    agreed: str

    @property
    def grade(self) -> str:
        return grade_of(self.position.weight, self.found, self.up, self.down)

    @property
    def approver(self) -> str:
        return approver_of(self.grade)

    @property
    def accepted(self) -> bool:
        """Without a redline."""
        return self.found in ("met", "fallback")


class Advice(msgspec.Struct, frozen=True):
    world: World
    entries: tuple[Entry, ...]
    lines: tuple[Line, ...]
    cap: Cap
    dates: Mapping[str, date]

    def entry(self, code: str) -> Entry:
        return next(one for one in self.entries if one.position.code == code)

    def graded(self, grade: str) -> tuple[str, ...]:
        return tuple(one.position.code for one in self.entries if one.grade == grade)


def advise(drawn: World, rules: Rules) -> Advice:
    lines = tuple(_lines(drawn, rules))
    cap = _cap(drawn, lines, rules)
    entries = tuple(_entries(drawn, cap, rules))
    return Advice(drawn, entries, lines, cap, dict(_dates(drawn, rules)))


# --- charges and cap ----------------------------------------------------------------------------


def _lines(drawn: World, rules: Rules) -> Iterator[Line]:
    end = add_months(drawn.days.effective, 12)
    for row in sorted(drawn.rows, key=lambda one: (one.line, one.again)):
        if row.status == "withdrawn" and not rules.withdrawn_lines:
            continue
        if (row.again and not rules.again) or (row.month >= end and rules.first_year_only):
            continue
        kits = row.per > 1
        price = drawn.terms.price_new if kits and rules.agreed_price else row.price
        per = row.per if rules.per_hundred else 1
        yield Line(row, price, cents(row.quantity * price / per))


def cap_of(fixed: Decimal, percent: int, sums: tuple[Decimal, Decimal], rules: Rules) -> Cap:
    """`sums`: charges for goods and for services."""
    goods, services = sums
    whole = goods + services
    base = whole if rules.services_in_charges else goods
    part, old = (cents(value * percent / 100) for value in (base, whole))
    drafted = min(fixed, part) if rules.lower else max(fixed, part)
    over = goods if rules.share_of_charges else whole
    share = rounded(drafted / over, 6)
    return Cap(goods, services, drafted, max(fixed, old), share, cents(whole * 3 / 2))


def _cap(drawn: World, lines: tuple[Line, ...], rules: Rules) -> Cap:
    goods, services = (
        sum((line.amount for line in lines if line.row.kind == kind), Decimal(0))
        for kind in ("goods", "services")
    )
    terms = drawn.terms
    return cap_of(Decimal(terms.fixed_cap), terms.cap_percent, (goods, services), rules)


# --- clauses ------------------------------------------------------------------------------------

UNCHANGED = ("P12", "P13", "P15", "P20", "P22")
WORDS: Mapping[str, Class] = {
    "P05": "walk-away",
    "P10": "walk-away",
    "P11": "walk-away",
    "P13": "walk-away",
    "P18": "walk-away",
    "P19": "fallback",
    "P20": "met",
    "P21": "walk-away",
}
"""Positions without a number."""


def _terms(drawn: World, cap: Cap, rules: Rules) -> dict[str, Decimal]:
    """In the playbook's units."""
    terms = drawn.terms
    inspection = INSPECTION * 7 / Decimal(5) if rules.business_days else Decimal(INSPECTION)
    yearly = terms.interest * (12 if rules.monthly_times_twelve else 1)
    return {
        "P01": Decimal(drawn.days.renewal),
        "P02": terms.ld_rate,
        "P03": terms.ld_limit,
        "P04": inspection,
        "P06": Decimal(terms.payment),
        "P07": yearly - (terms.base if rules.base_rate_off else 0),
        "P08": terms.increase,
        "P09": Decimal(WARRANTY if rules.unmarked_seen else WARRANTY_OLD),
        "P12": Decimal(terms.response),
        "P14": rounded(cap.share * 100, 1),
        "P15": Decimal(terms.insurance),
        "P16": Decimal(2),
        "P17": Decimal(terms.majeure),
        "P22": Decimal(terms.last_buy),
    }


def _entries(drawn: World, cap: Cap, rules: Rules) -> Iterator[Entry]:
    terms = _terms(drawn, cap, rules)
    agreed = {"P03", "P16"}
    agreed |= {"P02"} if rules.withdrawn_offer else set()
    agreed |= {"P17"} if rules.conditional_offer else set()
    cured = {"P05", "P10"} if rules.statute_cures else set()
    cured |= {"P11"} if rules.goods_statute_for_services else set()
    cured |= {"P09"} if rules.repealed_section else set()
    cured |= {"P07"} if rules.future_section else set()
    for position in in_force(rules.addendum):
        code = position.code
        term = terms.get(code)
        found = WORDS[code] if term is None else class_of(position, term)
        if code == "P13" and rules.reference_repaired:
            found = "met"
        change = "no" if code in UNCHANGED else "marked"
        unmarked = code == "P09"
        if unmarked:
            change = "unmarked" if rules.unmarked_seen else "no"
        up = int(unmarked and rules.unmarked_seen)
        down = int(code in cured)
        yield Entry(position, change, term, found, up, down, "yes" if code in agreed else "no")


# --- dates --------------------------------------------------------------------------------------


def _dates(drawn: World, rules: Rules) -> Iterator[tuple[str, date]]:
    days = drawn.days
    calendar = Calendar(rules.holidays, rules.substitutes)
    back = calendar.on_or_before if rules.backwards else calendar.on_or_after
    received = calendar.on_or_after(days.sent + DAY) if rules.after_four else days.sent
    yield "D1", calendar.after(received, ANSWER)
    yield "D2", back(add_months(drawn.expiry, -days.renewal))
    duties = add_months(days.nda, 12 * 8)
    yield "D3", calendar.on_or_after(duties) if rules.duties_moved else duties
    yield "D4", back(days.interim_end - (days.interim_days + int(rules.clear_days)) * DAY)
    yield "D5", calendar.on_or_after(days.list_day + days.objection * DAY)
    delivery = days.delivery if rules.moved_delivery else days.delivery_old
    if rules.business_days:
        yield "D6", calendar.after(delivery, INSPECTION)
    else:
        yield "D6", calendar.on_or_after(delivery + INSPECTION * DAY)
    months = WARRANTY if rules.unmarked_seen else WARRANTY_OLD
    yield "D7", calendar.on_or_after(add_months(delivery, months))


def promised(told: Advice) -> dict[object, object]:
    """Everything that an answer must hold, by its place."""
    found: dict[object, object] = {("date", code): day for code, day in told.dates.items()}
    found |= {("line", one.row.line, one.row.again): one.amount for one in told.lines}
    for name in ("drafted", "draft_3", "share", "shortfall"):
        found["cap", name] = getattr(told.cap, name)
    for one in told.entries:
        about = (one.change, one.term, one.found, one.grade, one.agreed)
        found["entry", one.position.code] = about
    return found
