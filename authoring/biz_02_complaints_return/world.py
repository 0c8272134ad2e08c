"""The contacts of half a year as people wrote them, and what the manual makes of each."""

from datetime import date, timedelta
from functools import cached_property
from pathlib import Path

import msgspec

from authoring.parts.dice import Dice
from authoring.parts.people import Person, people

TEXTS = Path(__file__).with_name("texts")
CODES = ("K01", "K02", "K03", "K04", "K05", "K06", "K07", "K08", "K09", "K10")
LEFT = ("N1", "N2", "N3", "N4", "N5", "N6", "N7")
OUTCOMES = {"not": "not upheld"}
HOLIDAYS = tuple(
    date(2025, month, day)
    for month, day in ((1, 1), (4, 18), (4, 21), (5, 5), (5, 26), (12, 25), (12, 26))
)
LARGE = ("a107", "a108")
SMALL = ("a19", "a24", "a53", "a60")
ELECTRICITY = (
    *("a04", "a06", "a15", "a16", "a19", "a20", "a22", "a24", "a27", "a31", "a33", "a34", "a36"),
    *("a37", "a44", "a50", "a51", "a52", "a53", "a57", "a58", "a59", "a60", "a62", "a63", "a65"),
    *("a74", "a81", "a92", "a98", "a101", "a107", "a109", "a110"),
)
GAS = ("a11", "a30", "a49", "a55", "a73", "a75", "a96")
PARTNERS = {"a73": "a06"}
"""Accounts of one household: the second to the first."""


class Contact(msgspec.Struct, frozen=True, dict=True):
    key: str
    no: str
    day: date
    channel: str
    account: str
    tag: str
    verdict: str
    """As in contacts.txt: a complaint, `=` and the one it belongs to, or why it is left out."""
    clause: str
    text: str
    done: str
    words: tuple[str, ...]
    """What decides it, word for word."""

    @property
    def left(self) -> str:
        return self.verdict if self.verdict in LEFT else ""


class Complaint(msgspec.Struct, frozen=True):
    first: Contact
    more: tuple[Contact, ...]
    product: str
    cause: str
    received: date
    closed: date | None
    outcome: str
    redress: int

    @property
    def no(self) -> str:
        return self.first.no

    @property
    def key(self) -> str:
        return self.first.key

    @property
    def days(self) -> int | None:
        return (self.closed - self.received).days if self.closed else None

    @property
    def business(self) -> int | None:
        """Business days after the day of receipt, up to the closing."""
        if self.closed is None:
            return None
        after = (
            self.received + timedelta(days=n + 1) for n in range((self.closed - self.received).days)
        )
        return sum(day.weekday() < 5 and day not in HOLIDAYS for day in after)

    @property
    def reason(self) -> str:
        said = " / ".join(f'"{words}"' for words in self.first.words)
        return f"{said} ({self.first.clause})"

    def summary(self, days: int = 3) -> bool:
        return self.business is not None and self.business <= days

    def in_time(self, days: int = 56) -> bool:
        return self.days is not None and self.days <= days


class World(msgspec.Struct, frozen=True, dict=True):
    contacts: tuple[Contact, ...]
    accounts: dict[str, str]
    """Alias in contacts.txt to the number of the account."""
    holders: dict[str, Person]
    lead: Person
    head: Person
    base: int
    """Accounts at the end of the half-year."""

    @cached_property
    def by_key(self) -> dict[str, Contact]:
        return {one.key: one for one in self.contacts}

    @cached_property
    def complaints(self) -> tuple[Complaint, ...]:
        return tuple(self._complaint(one) for one in self.contacts if one.verdict[0] == "K")

    def _complaint(self, first: Contact) -> Complaint:
        told, _, handed = first.verdict.partition(" @")
        cause, product, closed, *rest = told.split()
        outcome, redress = rest if rest else ("open", "0")
        return Complaint(
            first=first,
            more=tuple(one for one in self.contacts if one.verdict == f"={first.key}"),
            product=product,
            cause=cause,
            received=_day(handed) if handed else first.day,
            closed=None if closed == "open" else _day(closed),
            outcome=OUTCOMES.get(outcome, outcome),
            redress=int(redress),
        )

    def belongs(self, one: Contact) -> str:
        """The number of the complaint's first contact; nothing if the contact is left out."""
        if one.left:
            return ""
        return self.by_key[one.verdict[1:]].no if one.verdict[0] == "=" else one.no

    def of(self, key: str) -> Complaint:
        return next(one for one in self.complaints if one.key == key)


def _day(text: str) -> date:
    month, day = text.split("-")
    return date(2025, int(month), int(day))


def _blocks() -> list[tuple[list[str], list[str]]]:
    blocks = (TEXTS / "contacts.txt").read_text("utf-8").strip().split("\n\n")
    found = []
    for block in blocks:
        head, *lines = block.split("\n")
        found.append(([part.strip() for part in head.split("|")], [line[3:] for line in lines]))
    return sorted(found, key=lambda one: one[0][1])


def _contact(number: int, head: list[str], lines: list[str]) -> Contact:
    key, day, channel, account, tag, verdict, clause = head
    text, done, words = lines
    return Contact(
        key=key,
        no=f"C{number:03d}",
        day=_day(day),
        channel=channel,
        account=account,
        tag=tag,
        verdict=verdict,
        clause=clause,
        text=text,
        done=done,
        words=tuple(words.split(" // ")),
    )


def world(seed: int) -> World:
    contacts = tuple(_contact(n, *block) for n, block in enumerate(_blocks(), 1))
    names = sorted({one.account for one in contacts} - {"-"})
    dice = Dice("complaints", seed)
    known = people(dice, len(names) + 2)
    numbers = dice.sample(range(300000, 800000, 37), len(names))
    return World(
        contacts=contacts,
        accounts={name: f"T{number}" for name, number in zip(names, numbers, strict=True)},
        holders=dict(zip(names, known[2:], strict=True)),
        lead=known[0],
        head=known[1],
        base=dice.whole(38000, 46000, 10),
    )
