"""What dice draw for one seed: parties, amounts, rates. The calendar is the same for every seed."""

from datetime import date
from decimal import Decimal
from itertools import pairwise

import msgspec

from authoring.fin_02_interest_review.days import FRANKFURT, LONDON, TARGET, span
from authoring.parts.dice import Dice
from authoring.parts.numbers import rounded
from authoring.parts.people import Person, company, people

D = Decimal
TRADES = ("Packaging", "Polymers", "Films")
BANKS = ("Bankhaus Ehrenthal", "Mittelmark Bank", "Bank für Handel und Hafen")
START, END = date(2024, 1, 15), date(2025, 11, 1)
ENDS = (
    *(date(2024, 2, 29), date(2024, 5, 31), date(2024, 8, 30), date(2024, 11, 29)),
    *(date(2025, 2, 28), date(2025, 5, 30), date(2025, 8, 29)),
)
"""The last Business Days on which interest and fees are paid."""
FACILITIES = ("Facility A", "Facility B", "RCF")


class Certificate(msgspec.Struct, frozen=True):
    quarter: date
    restated: bool
    debt: Decimal
    """EUR thousand."""
    ebitda: Decimal
    received: date
    hour: str

    @property
    def version(self) -> str:
        return "restated" if self.restated else "original"


class Loan(msgspec.Struct, frozen=True):
    """An RCF Loan; the last one still runs."""

    name: str
    currency: str
    amount: Decimal
    first: date
    last: date
    months: int


class Indicator(msgspec.Struct, frozen=True):
    name: str
    target: Decimal
    least: bool
    """The target is the least value, not the most."""
    before: Decimal
    reported: Decimal
    assured: Decimal

    def met(self, assured: bool) -> bool:
        value = self.assured if assured else self.reported
        return value >= self.target if self.least else value <= self.target


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    borrower: str
    bank: str
    people: tuple[Person, ...]
    """Treasurer, CFO, controller, the former treasurer, the Agent's clerk, assurance provider."""
    a0: Decimal
    b0: Decimal
    repayment: Decimal
    prepaid: Decimal
    rcf: tuple[Decimal, Decimal]
    grid: dict[str, tuple[Decimal, ...]]
    """Per cent by step; keys `Facility A`, `Facility B`, `RCF` and, of the amendment, `A new`,
    `RCF new`."""
    refund: Decimal
    fee: Decimal
    certificates: tuple[Certificate, ...]
    indicators: tuple[Indicator, ...]
    loans: tuple[Loan, ...]
    euribor: dict[date, tuple[Decimal, ...]]
    """1, 3 and 6 months, per cent."""
    sonia: dict[date, Decimal]
    spot: dict[date, Decimal]
    closing: Decimal


def world(seed: int) -> World:
    dice = Dice("fin-02", seed)
    spot = _spot(Dice("fin-02 spot", seed))
    rcf = (D(20_000_000), D(26_000_000))
    base = dice.decimal("2.30", "2.50")
    steps = tuple(base + D("0.25") * n for n in (-2, -1, 0, 1, 2))
    return World(
        seed=seed,
        borrower=f"{company(dice, TRADES)} GmbH",
        bank=dice.pick(BANKS),
        people=people(dice, 6, plain=True),
        a0=D(dice.whole(36, 44)) * 1_000_000 + D(500_000),
        b0=D(dice.whole(86, 99)) * 100_000,
        repayment=D(dice.whole(15, 19)) * 100_000 + D(50_000),
        prepaid=D(dice.whole(27, 34)) * 100_000,
        rcf=rcf,
        grid={
            "Facility A": steps,
            "Facility B": tuple(one + D("0.20") for one in steps),
            "RCF": tuple(one - D("0.25") for one in steps),
            "A new": tuple(one - D("0.10") for one in steps),
            "RCF new": tuple(one - D("0.30") for one in steps),
        },
        refund=dice.decimal("2.20", "2.80"),
        fee=D(dice.whole(60, 90)) * 500,
        certificates=_certificates(dice),
        indicators=_indicators(dice),
        loans=_loans(dice, spot, rcf[0]),
        euribor=_euribor(Dice("fin-02 euribor", seed)),
        sonia=_sonia(Dice("fin-02 sonia", seed)),
        spot=spot,
        closing=spot[date(2025, 10, 31)] - D("0.0037"),
    )


def _certificates(dice: Dice) -> tuple[Certificate, ...]:
    rows = (
        (date(2024, 3, 31), False, "3.021", date(2024, 5, 2), "16:05"),
        (date(2024, 6, 30), False, "2.5037", date(2024, 8, 12), "11:48"),
        (date(2024, 9, 30), False, "2.472", date(2024, 11, 12), "17:22"),
        (date(2024, 12, 31), False, "3.044", date(2025, 2, 14), "17:41"),
        (date(2024, 9, 30), True, "2.553", date(2025, 5, 8), "09:30"),
        (date(2024, 12, 31), True, "2.968", date(2025, 5, 8), "09:30"),
        (date(2025, 3, 31), False, "2.312", date(2025, 5, 14), "15:10"),
        (date(2025, 6, 30), False, "2.0034", date(2025, 8, 11), "10:26"),
    )
    made = []
    for quarter, restated, ratio, received, hour in rows:
        ebitda = D(dice.whole(17_600, 19_400))
        debt = rounded(ebitda * D(ratio), 0)
        made.append(Certificate(quarter, restated, debt, ebitda, received, hour))
    return tuple(made)


def _indicators(dice: Dice) -> tuple[Indicator, ...]:
    first, second, third = (
        dice.decimal("398.0", "431.0"),
        dice.decimal("33.0", "36.0"),
        dice.decimal("2.2", "2.9"),
    )
    return (
        Indicator("KPI 1", first, False, first + D("17.3"), first - D("3.4"), first - D("3.4")),
        Indicator("KPI 2", second, True, second - 3, second + D("0.6"), second - D("0.7")),
        Indicator("KPI 3", third, False, third + D("0.3"), third, third),
    )


def _loans(dice: Dice, spot: dict[date, Decimal], rcf: Decimal) -> tuple[Loan, ...]:
    """The loan in GBP is below a third of the commitments at July's rate, above at October's."""
    sterling = rounded(rcf * D("0.3317") / spot[date(2024, 7, 8)] / 10_000, 0) * 10_000
    return (
        Loan("RCF 1", "EUR", D(dice.whole(50, 60)) * 100_000, *_days("2024-03-04 2024-05-07"), 2),
        Loan("RCF 2", "GBP", sterling, *_days("2024-07-10 2024-10-10"), 3),
        Loan("RCF 3", "GBP", sterling, *_days("2024-10-10 2025-01-10"), 3),
        Loan("RCF 4", "EUR", D(8_500_000), *_days("2025-01-13 2025-07-14"), 6),
        Loan("RCF 5", "EUR", D(5_000_000), *_days("2025-02-10 2025-03-10"), 1),
        Loan("RCF 6", "EUR", D(dice.whole(30, 45)) * 100_000, *_days("2025-09-15 2025-12-15"), 3),
    )


def _days(text: str) -> tuple[date, date]:
    first, last = text.split()
    return date.fromisoformat(first), date.fromisoformat(last)


def _between(day: date, anchors: tuple[tuple[str, str], ...]) -> Decimal:
    """On the straight line between anchors."""
    points = [(date.fromisoformat(when), D(value)) for when, value in anchors]
    for (left, low), (right, high) in pairwise(points):
        if left <= day <= right:
            return low + (high - low) * (day - left).days / (right - left).days
    return points[-1][1]


def _euribor(dice: Dice) -> dict[date, tuple[Decimal, ...]]:
    three: tuple[tuple[str, str], ...] = (
        ("2024-01-01", "3.93"),
        ("2024-06-06", "3.78"),
        ("2024-11-01", "3.05"),
    )
    three += (("2025-04-01", "2.32"), ("2025-08-01", "2.00"), ("2025-12-01", "2.05"))
    found: dict[date, tuple[Decimal, ...]] = {}
    for day in span(date(2024, 1, 2), END, TARGET):
        middle = rounded(_between(day, three) + dice.decimal("-0.035", "0.035"), 3)
        short = middle + dice.decimal("-0.110", "-0.045")
        found[day] = (short, middle, middle + dice.decimal("-0.095", "0.060"))
    right = found[date(2025, 5, 28)]
    found[date(2025, 5, 27)] = tuple(one + D("0.027") for one in right)
    return found


def _sonia(dice: Dice) -> dict[date, Decimal]:
    cuts: tuple[tuple[str, str], ...] = (
        ("2024-08-01", "5.19"),
        ("2024-11-07", "4.95"),
        ("2025-02-06", "4.70"),
    )
    cuts += (("2025-05-08", "4.45"), ("2025-08-07", "4.21"), ("2026-01-01", "3.97"))
    found = {}
    for day in span(date(2024, 1, 2), END, LONDON):
        level = next(D(rate) for until, rate in cuts if day.isoformat() < until)
        found[day] = level + dice.decimal("-0.0080", "0.0260")
    return found


def _spot(dice: Dice) -> dict[date, Decimal]:
    anchors: tuple[tuple[str, str], ...] = (
        ("2024-01-01", "1.1660"),
        ("2024-07-08", "1.1655"),
        ("2024-10-08", "1.1935"),
    )
    anchors += (("2025-03-01", "1.2080"), ("2025-08-01", "1.1530"), ("2025-12-01", "1.1390"))
    days = span(date(2024, 1, 2), date(2025, 11, 15), TARGET | LONDON | FRANKFURT)
    return {
        day: rounded(_between(day, anchors) + dice.decimal("-0.0024", "0.0024"), 4) for day in days
    }
