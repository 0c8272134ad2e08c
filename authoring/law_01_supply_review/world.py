"""What the dice draw: parties, days, terms, the forecast."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.law_01_supply_review.calendar import DAY, Calendar, add_months
from authoring.parts.dice import Dice
from authoring.parts.invariants import invariant
from authoring.parts.people import Person, company, people

BUYERS = ("Dairies", "Breweries", "Foods", "Mills", "Ceramics", "Paper")
SUPPLIERS = ("Sensors", "Instruments", "Weighing", "Metering", "Controls")
ITEMS = (
    ("Flow sensor FS-20", 1),
    ("Pressure head PH-3", 1),
    ("Control unit CU-8", 1),
    ("Seal kit SK-40", 100),
)
"""Description and the number of pieces that the price is for."""
WARRANTY_OLD, WARRANTY = 24, 18
RENEWAL_OLD = 3
INSPECTION = 15
"""Business Days."""
ANSWER = 10
"""Business Days for which draft 4 is open."""
Kind = Literal["goods", "services"]


class Row(msgspec.Struct, frozen=True):
    """One line of Schedule 2."""

    line: str
    kind: Kind
    what: str
    month: date
    quantity: int
    price: Decimal
    per: int = 1
    status: str = "forecast"
    again: bool = False
    """Exported a second time."""


class Parties(msgspec.Struct, frozen=True):
    buyer: str
    supplier: str
    partner: Person
    associate: Person
    counsel: Person
    buyer_head: Person
    seller_head: Person
    seller_counsel: Person


class Days(msgspec.Struct, frozen=True):
    sent: date
    effective: date
    renewal: int
    """Months of notice in 2.2."""
    delivery: date
    delivery_old: date
    nda: date
    interim_end: date
    interim_days: int
    list_day: date
    objection: int
    """Days to object to a price list."""


class Terms(msgspec.Struct, frozen=True):
    ld_rate: Decimal
    ld_limit: Decimal
    payment: int
    interest: Decimal
    """Per cent a month."""
    base: Decimal
    increase: Decimal
    response: int
    insurance: int
    majeure: int
    last_buy: int
    fixed_cap: int
    cap_percent: int
    price_old: Decimal
    price_new: Decimal


class World(msgspec.Struct, frozen=True):
    seed: int
    parties: Parties
    days: Days
    terms: Terms
    rows: tuple[Row, ...]
    time: str
    """When draft 4 was sent, after 16:00."""

    @property
    def expiry(self) -> date:
        return add_months(self.days.effective, 36) - DAY


def world(seed: int) -> World:
    days = _days(Dice("days", seed))
    rows = tuple(_rows(Dice("rows", seed), days.effective))
    dice = Dice("time", seed)
    time = f"{dice.pick((16, 17))}:{dice.whole(11, 53)}"
    return World(seed, _parties(Dice("parties", seed)), days, _terms(seed, rows, days), rows, time)


def _parties(dice: Dice) -> Parties:
    buyer, supplier = company(dice, BUYERS), company(dice, SUPPLIERS)
    while supplier.split()[0] == buyer.split()[0]:
        supplier = company(dice, SUPPLIERS)
    return Parties(buyer, supplier, *people(dice, 6))


def _days(dice: Dice) -> Days:
    effective, renewal, deliveries = dice.pick(
        (
            (date(2026, 5, 1), 6, (date(2026, 6, 25), date(2026, 6, 26))),
            (date(2026, 6, 1), 5, (date(2026, 6, 25), date(2026, 6, 26))),
            (date(2026, 7, 1), 6, tuple(_summer())),
        )
    )
    delivery = dice.pick(deliveries)
    list_day, objection = dice.pick(
        (
            (date(2026, 9, 15), 20),
            (date(2026, 9, 14), 21),
            (date(2026, 9, 10), 30),
            (date(2026, 9, 18), 15),
        )
    )
    interim_end, interim_days = dice.pick(tuple(_interim()))
    return Days(
        sent=date(2026, 3, dice.whole(10, 13)),
        effective=effective,
        renewal=renewal,
        delivery=delivery,
        delivery_old=delivery - dice.pick((14, 21)) * DAY,
        nda=dice.pick(tuple(_signed())),
        interim_end=interim_end,
        interim_days=interim_days,
        list_day=list_day,
        objection=objection,
    )


def _summer() -> Iterator[date]:
    """Deliveries whose fifteen Business Days pass Assembly Day, a Saturday, and whose warranty
    ends on a weekend."""
    day = date(2026, 7, 27)
    while day <= date(2026, 8, 13):
        if day.weekday() < 5 and add_months(day, WARRANTY).weekday() > 4:
            yield day
        day += DAY


def _interim() -> Iterator[tuple[date, int]]:
    """Ends and notice periods for which clear days and moving backwards both matter."""
    calendar = Calendar()
    for end in (date(2026, 6, 30), date(2026, 7, 31), date(2026, 8, 31), date(2026, 9, 30)):
        for days in range(30, 91, 5):
            latest = end - (days + 1) * DAY
            naive = calendar.on_or_before(latest + DAY)
            if not calendar.open(latest) and naive != calendar.on_or_before(latest):
                yield end, days


def _signed() -> Iterator[date]:
    """Working days of 2023 that are a Saturday or Sunday eight years later."""
    day = date(2023, 8, 21)
    while day <= date(2023, 11, 24):
        if day.weekday() < 5 and add_months(day, 96).weekday() > 4:
            yield day
        day += DAY


def _terms(seed: int, rows: tuple[Row, ...], days: Days) -> Terms:
    dice = Dice("terms", seed)
    kits = next(row for row in rows if row.per == 100)
    goods, services = (_rough(rows, days, kind) for kind in ("goods", "services"))
    percent = dice.pick((120, 125))
    low = max(goods * percent / 100, goods + services)
    high = (goods + services) * percent / 100
    fixed = int((low + (high - low) * dice.pick((3, 4, 5)) / 10) / 25_000) * 25_000
    invariant(low * Decimal("1.01") < fixed < high * Decimal("0.99"), "the fixed cap lies between")
    return Terms(
        ld_rate=dice.pick((Decimal("0.5"), Decimal("0.6"), Decimal("0.7"))),
        ld_limit=Decimal(dice.whole(6, 8)),
        payment=dice.pick((30, 35)),
        interest=dice.pick((Decimal("0.9"), Decimal("1.0"), Decimal("1.1"))),
        base=dice.pick((Decimal("2.00"), Decimal("2.25"), Decimal("2.50"))),
        increase=dice.pick((Decimal("3.5"), Decimal(4), Decimal("4.5"))),
        response=dice.whole(5, 8),
        insurance=dice.whole(5, 9),
        majeure=dice.pick((100, 120, 150)),
        last_buy=dice.pick((12, 15, 18)),
        fixed_cap=fixed,
        cap_percent=percent,
        price_old=kits.price,
        price_new=kits.price - dice.whole(15, 30),
    )


def _rough(rows: tuple[Row, ...], days: Days, kind: Kind) -> Decimal:
    """What counts of a kind, at list prices."""
    return sum(
        (
            row.quantity * row.price / row.per
            for row in rows
            if row.kind == kind
            and row.status != "withdrawn"
            and not row.again
            and row.month < add_months(days.effective, 12)
        ),
        Decimal(0),
    )


def _rows(dice: Dice, effective: date) -> Iterator[Row]:
    """Fifteen months of forecast, three of them beyond the first Contract Year."""
    plain = [*_goods(dice, effective), *_services(dice, effective)]
    of_goods = [row for row in plain if row.kind == "goods" and _early(row, effective)]
    gone = dice.sample(of_goods, 3)
    rest = [row for row in plain if row not in gone and _early(row, effective)]
    again = dice.sample(rest, 4)
    for row in plain:
        yield msgspec.structs.replace(row, status="withdrawn") if row in gone else row
    for row in again:
        yield msgspec.structs.replace(row, again=True)


def _early(row: Row, effective: date) -> bool:
    return row.month < add_months(effective, 12)


def _goods(dice: Dice, effective: date) -> Iterator[Row]:
    prices = (
        dice.decimal("412.50", "468.00"),
        dice.decimal("186.00", "214.50"),
        dice.decimal("1840.00", "2090.00"),
        Decimal(dice.whole(380, 460, 5)),
    )
    sizes = ((90, 160), (120, 220), (28, 52), (900, 1600))
    number = 0
    for (what, per), price, (low, high), step in zip(
        ITEMS, prices, sizes, (2, 2, 2, 3), strict=True
    ):
        for month in range(dice.below(2), 15, step):
            number += 1
            due = add_months(effective, month)
            quantity = dice.whole(low, high, 10 if per > 1 else 2)
            yield Row(f"G{number:02d}", "goods", what, due, quantity, price, per)


def _services(dice: Dice, effective: date) -> Iterator[Row]:
    visit, hour = Decimal(dice.whole(2900, 3500, 50)), Decimal(dice.whole(140, 170, 5))
    licence = Decimal(dice.whole(18_000, 24_000, 500))
    number = 0
    plan = (
        ("Calibration visit", range(1, 15), visit, (3, 6)),
        ("Maintenance, hours", range(0, 15, 3), hour, (240, 380)),
        ("Software licence, a year", (0, 12), licence, (1, 1)),
        ("Training day", (0, 2), visit, (2, 4)),
    )
    for what, months, price, (low, high) in plan:
        for month in months:
            number += 1
            due = add_months(effective, month)
            yield Row(f"S{number:02d}", "services", what, due, dice.whole(low, high), price)
