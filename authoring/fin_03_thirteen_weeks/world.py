"""What dice draw for one seed: names and amounts. Days, notes and what they mean stay."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import yaml

from authoring.parts.dice import Dice
from authoring.parts.numbers import rounded
from authoring.parts.people import Person

D = Decimal
TEXTS = Path(__file__).with_name("texts")
STATUS, START, END = date(2025, 10, 3), date(2025, 10, 6), date(2026, 1, 4)
HOLIDAYS = (date(2025, 10, 27), date(2025, 12, 25), date(2025, 12, 26), date(2026, 1, 1))
COMPANIES = ("P", "T", "S")
"""Two in the Pool, and one outside."""
MONTHS = tuple(f"{2024 + n // 12}-{n % 12 + 1:02d}" for n in range(9, 24))
"""October 2024 to December 2025."""
ACTUAL, PLANNED = MONTHS[:12], MONTHS[12:]
VAT = D("0.23")


class Customer(msgspec.Struct, frozen=True):
    key: str
    no: str
    name: str
    company: str
    terms: str
    late: tuple[int, ...]
    debit: bool


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An open item of a customer, and what was read of it."""

    key: str
    no: str
    company: str
    customer: str
    """A key, or the letter of a company of the group."""
    day: date
    amount: Decimal
    paid: Decimal = D(0)
    setoff: Decimal = D(0)
    off: Decimal = D(0)
    promise: date | None = None
    made: date | None = None
    broken: int = 0
    insolvent: bool = False
    returned: bool = False


class Supplier(msgspec.Struct, frozen=True):
    key: str
    no: str
    name: str
    company: str
    net: int
    rate: Decimal
    days: int
    how: str


class Payable(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    no: str
    """Our voucher."""
    ref: str
    """The supplier's own number."""
    company: str
    supplier: str
    day: date
    amount: Decimal
    paid: Decimal = D(0)
    setoff: Decimal = D(0)
    off: Decimal = D(0)
    flag: bool = False
    text: str = ""


class Matter(msgspec.Struct, frozen=True):
    """A line of the register of exceptional items."""

    key: str
    no: str
    month: str
    company: str
    amount: Decimal
    """Costs positive, income negative."""
    counted: Decimal
    letter: str
    reported: str
    text: str


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    names: Mapping[str, str]
    """P, T, S, parent, bank."""
    people: tuple[Person, ...]
    customers: Mapping[str, Customer]
    items: tuple[Item, ...]
    suppliers: Mapping[str, Supplier]
    payables: tuple[Payable, ...]
    matters: tuple[Matter, ...]
    figures: Mapping[str, Decimal]
    """Single amounts by name."""
    monthly: Mapping[str, tuple[Decimal, ...]]
    """Series over MONTHS, or over the months that their name says."""

    @property
    def by_key(self) -> dict[str, Item]:
        return {one.key: one for one in self.items}

    @property
    def vouchers(self) -> dict[str, Payable]:
        return {one.key: one for one in self.payables}


def load(name: str) -> Any:
    return yaml.safe_load((TEXTS / name).read_text("utf-8"))


def sized(dice: Dice, size: float, places: int = 2) -> Decimal:
    """About `size` thousand."""
    factor = D(dice.whole(9000, 11000)) / D(10)
    return rounded(D(str(size)) * factor + D(dice.whole(1, 99)) / 100, places)
