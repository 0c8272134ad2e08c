"""The client's playbook: positions, classes, grades."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

import msgspec

Class = Literal["met", "fallback", "outside", "walk-away"]
CLASSES: tuple[Class, ...] = ("met", "fallback", "outside", "walk-away")
GRADES = ("none", "low", "medium", "high", "critical")
APPROVERS = (
    "category buyer",
    "head of purchasing",
    "legal counsel",
    "general counsel",
    "board",
)
MATRIX: Mapping[str, tuple[str, str, str, str]] = {
    "standard": ("none", "low", "low", "medium"),
    "key": ("none", "low", "medium", "high"),
    "vital": ("none", "medium", "high", "critical"),
}
"""Weight to the grade of each class."""


class Position(msgspec.Struct, frozen=True):
    """One row of the playbook's table."""

    code: str
    subject: str
    clause: str
    """Of draft 4; empty where two may be named."""
    weight: str
    unit: str
    better: str
    """`more` or `less`; empty: words, not numbers."""
    limits: tuple[str, str, str]
    """Preferred, Fallback, walk-away line."""

    @property
    def numbers(self) -> tuple[Decimal, Decimal, Decimal]:
        first, second, third = self.limits
        return Decimal(first), Decimal(second), Decimal(third)


def _p(code: str, subject: str, clause: str, kind: str, *limits: str) -> Position:
    """`kind`: weight, unit and what is better."""
    weight, unit, better = (part.strip() for part in kind.split("/"))
    first, second, third = limits
    return Position(code, subject, clause, weight, unit, better, (first, second, third))


POSITIONS: tuple[Position, ...] = (
    _p("P01", "Notice against renewal", "2.2", "standard/months/less", "3", "4", "6"),
    _p("P02", "Delay damages, rate", "4.4", "key/per cent a week/more", "1", "0.5", "0.25"),
    _p("P03", "Delay damages, limit", "4.5", "key/per cent of price/more", "15", "10", "5"),
    _p("P04", "Time to notify apparent defects", "5.2", "standard/days/more", "30", "20", "10"),
    _p(
        *("P05", "Title", "6.2", "key//", "on delivery"),
        "when the price of the Goods in that delivery is paid",
        "later, or dependent on other debts",
    ),
    _p("P06", "Time for payment", "7.2", "key/days from receipt/more", "60", "45", "30"),
    _p("P07", "Late interest", "7.5", "standard/points above base rate/less", "2", "4", "8"),
    _p("P08", "Price rise", "8.1", "vital/per cent a Contract Year/less", "2", "3", "5"),
    _p("P09", "Warranty for Goods", "9.2", "vital/months from delivery/more", "36", "24", "12"),
    _p(
        *("P10", "Implied terms as to Goods", "9.4", "vital//", "all kept"),
        *("quality and fitness kept", "excluded"),
    ),
    _p(
        *("P11", "Standard of Services", "10.2", "key//", "care, skill and a stated result"),
        *("reasonable care and skill", "excluded, or as they stand"),
    ),
    _p("P12", "Response to a fault", "10.3", "standard/hours/less", "4", "8", "24"),
    _p(
        *("P13", "Recall and third-party claims", "", "vital//", "indemnity outside the cap"),
        *("indemnity with a cap of its own, three times the general one", "inside the cap"),
    ),
    _p("P14", "Liability cap", "15.2", "vital/per cent of all charges/more", "200", "150", "100"),
    _p("P15", "Insurance", "16.1", "standard/ACR million a claim/more", "10", "5", "2"),
    _p("P16", "Confidentiality", "13.4", "standard/years after the end/more", "5", "3", "1"),
    _p(
        *("P17", "Force majeure, right to end", "17.3", "standard/days/less"),
        *("60", "90", "180"),
    ),
    _p(
        *("P18", "Our right to end for convenience", "18.2", "key//"),
        *("notice of three months or less", "notice of up to six months", "no such right"),
    ),
    _p(
        *("P19", "Assignment by the Supplier", "20.1", "standard//", "with our consent only"),
        *("within its group by notice", "freely"),
    ),
    _p(
        *("P20", "Law and forum", "22.1", "key//", "law of Ardenmark, courts at Karst"),
        *("law of Ardenmark, arbitration at Karst", "any other law or seat"),
    ),
    _p(
        *("P21", "Earlier confidentiality agreements", "23.1", "standard//", "stay in force"),
        *("replaced by equal terms", "ended, or replaced by lesser terms"),
    ),
    _p("P22", "Last orders after the end", "19.2", "standard/months/more", "12", "9", "6"),
)
ADDENDUM = {"P06": ("45", "30", "14")}
"""New limits from the general counsel's mail; P16 becomes vital."""
HEAVIER = "P16"


def in_force(addendum: bool = True) -> tuple[Position, ...]:
    """Edition 6, as changed on 20 February unless that is overlooked."""
    if not addendum:
        return POSITIONS
    return tuple(
        msgspec.structs.replace(
            one,
            limits=ADDENDUM.get(one.code, one.limits),
            weight="vital" if one.code == HEAVIER else one.weight,
        )
        for one in POSITIONS
    )


def class_of(one: Position, term: Decimal) -> Class:
    """Of a term that is a number: at the walk-away line is beyond it."""
    preferred, fallback, line = one.numbers
    if one.better == "less":
        term, preferred, fallback, line = -term, -preferred, -fallback, -line
    if term >= preferred:
        return "met"
    if term >= fallback:
        return "fallback"
    return "outside" if term > line else "walk-away"


def grade_of(weight: str, found: Class, up: int = 0, down: int = 0) -> str:
    """By the matrix and the steps of section 2."""
    base = GRADES.index(MATRIX[weight][CLASSES.index(found)])
    return "none" if base == 0 else GRADES[min(4, max(1, base + up - down))]


def approver_of(grade: str) -> str:
    return APPROVERS[GRADES.index(grade)]
