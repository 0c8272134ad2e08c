"""Who signed what: the lease's figures, and each change that was made by hand on the paper."""

from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import yaml

from authoring.law_02_conformed_copy.page import TAG, tags
from authoring.parts.dice import Dice

TEXTS = Path(__file__).with_name("texts")
COPIES = ("landlord", "tenant")
PARTIES = {"HB": "Landlord", "AK": "Tenant", "RK": "Guarantor"}
"""Whose initials are given for whom."""
ALL = "HB AK RK"
FIRST_NAMES = {
    "H": ("Helena", "Hannah", "Harriet"),
    "N": ("Niall", "Nathan", "Norbert"),
    "A": ("Anton", "Alasdair", "Aled"),
    "R": ("Rosalind", "Ruth", "Rowena"),
    "P": ("Piers", "Percy", "Philip"),
}
LAST_NAMES = {
    "B": ("Brandreth", "Barrowclough", "Bexley", "Birtwhistle"),
    "K": ("Kessler", "Keane", "Kingdon", "Kirkbride"),
}
LANDLORDS = ("Corrin Vale Estates Limited", "Tarrick Land Limited", "Oxmoor Estates Limited")
TENANTS = ("Brightlathe Tooling Limited", "Fennick Castings Limited", "Marrow Gears Limited")
GUARANTORS = ("Brightlathe Holdings Limited", "Fennick Group Limited", "Marrow Industries Limited")
ESTATES = ("Saltmarsh Works, Pellan Road, Wrexley", "Dray Mills, Kiln Lane, Astwick")


class Written(msgspec.Struct, frozen=True):
    """A change as it stands on one counterpart."""

    to: str
    """Words written in; nothing if words were only struck."""
    marks: tuple[str, ...]
    time: str = ""


class Change(msgspec.Struct, frozen=True):
    ref: str
    printed: str
    page: int
    landlord: Written | None
    tenant: Written | None
    pencil: bool = False
    stet: tuple[str, ...] | None = None
    """Who initialled the stet; none: there is no stet."""
    bracket: bool = False
    """The next change shares these initials, by a bracket."""
    joined: bool = False

    @property
    def written(self) -> tuple[Written | None, Written | None]:
        return self.landlord, self.tenant


class World(msgspec.Struct, frozen=True, dict=True):
    seed: int
    people: dict[str, str]
    """Initials to names."""
    facts: dict[str, str]
    """What fills the texts."""

    @cached_property
    def lease(self) -> str:
        return (TEXTS / "lease.txt").read_text("utf-8").format_map(self.facts | self.people)

    @cached_property
    def printed(self) -> dict[str, str]:
        """Reference to the printed words that are struck there; nothing for an insertion."""
        return {found[1]: found[2] for found in TAG.finditer(self.lease)}

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        told: dict[str, Any] = yaml.safe_load((TEXTS / "changes.yaml").read_text("utf-8"))
        pages = {
            tag: number
            for number, page in enumerate(self.lease.strip().split("\n---\n"), 1)
            for tag in tags(page)
        }
        return tuple(self._change(ref, told[ref], page) for ref, page in pages.items())

    def _change(self, ref: str, told: dict[str, Any], page: int) -> Change:
        landlord, tenant = (self._written(told, copy) for copy in COPIES)
        stet = tuple(told["stet"].split()) if "stet" in told else None
        flags = {name: told.get(name, False) for name in ("pencil", "bracket", "joined")}
        return Change(ref, self.printed[ref], page, landlord, tenant, stet=stet, **flags)

    def _written(self, told: dict[str, Any], copy: str) -> Written | None:
        own = told.get(copy, {})
        if own is None:
            return None
        whole = {"marks": ALL, "time": ""} | told | own
        to = str(whole["to"]).format_map(self.facts)
        return Written(to, tuple(whole["marks"].split()), whole["time"])


def _people(dice: Dice) -> dict[str, str]:
    last = {letter: list(dice.shuffled(names)) for letter, names in LAST_NAMES.items()}
    initials = ("HB", "NB", "AK", "RK", "PK")
    return {who: f"{dice.pick(FIRST_NAMES[who[0]])} {last[who[1]].pop()}" for who in initials}


def _money(value: int) -> str:
    return f"{value:,}"


def _rents(dice: Dice) -> dict[str, int]:
    first = dice.whole(168000, 192000, 2000)
    steps = [first + dice.whole(5, 7) * 1000 * n for n in range(5)]
    second, fourth = steps[1] - 4500, steps[3] - 5500
    return {
        **{f"rent{n}": steps[n - 1] for n in (1, 3, 5)},
        "rent2_printed": steps[1],
        "rent2_to": second,
        "rent4_printed": steps[3],
        "rent4_to": fourth,
        "rent4_listed": steps[3] - 3000,
    }


def world(seed: int) -> World:
    dice = Dice("conformed copy", seed)
    people = _people(dice)
    which = dice.below(3)
    cap = dice.whole(34000, 41000, 500)
    works = dice.whole(12000, 18000, 1000)
    money = _rents(dice) | {
        "cap_printed": cap,
        "cap_to": cap - 2300,
        "works_printed": works,
        "works_to": works + 10000,
    }
    numbers = dice.sample(range(4000000, 9000000, 1237), 3)
    facts = {name: _money(value) for name, value in money.items()} | {
        "landlord": LANDLORDS[dice.below(3)],
        "tenant": TENANTS[which],
        "guarantor": GUARANTORS[which],
        "landlord_no": f"0{numbers[0]}",
        "tenant_no": f"0{numbers[1]}",
        "guarantor_no": f"0{numbers[2]}",
        "premises": f"Units 3 and 4, {dice.pick(ESTATES)}",
        "landlord_solicitor": "Tamsin Orde, Marlow Tye LLP",
        "tcd_printed": "1 July",
        "tcd_to": "15 July",
    }
    return World(seed, people, facts)
