"""Clause 20 as a function: which change counts, what then stands, and what follows from it."""

import calendar
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal

import msgspec

from authoring.law_02_conformed_copy.world import PARTIES, Change, World, Written
from authoring.parts.numbers import rounded

CODES = ("X", "P", "S", "D", "I", "L", "E")
DATED = date(2025, 6, 11)
HOLIDAYS = (date(2025, 8, 25), date(2025, 12, 25), date(2025, 12, 26), date(2030, 1, 1))
CURE_DAYS = 10
LISTED = {"P8": "5", "P10": "5", "5.2": "2025-10-31", "14.2": "14", "16.1": "6"}


class Rules(msgspec.Struct, frozen=True):
    """As they are; a slip has one of them otherwise."""

    completion: str = "17.20"
    attorney: bool = True
    """The power of attorney counts in Schedule 4."""
    alike: Mapping[str, str] = {}
    """Hands that are taken for others."""
    pencil: bool = False


def hands(marks: Sequence[str], alike: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Who initialled in ink, each once, in order."""
    return tuple(sorted({(alike or {}).get(who, who) for who in marks if who.isupper()}))


def missing(ref: str, marks: Sequence[str], how: Rules) -> tuple[str, ...]:
    """Parties for whom nobody with authority initialled."""
    found = set(hands(marks, how.alike))
    if how.attorney and ref.startswith("S4") and "PK" in found:
        found.add("RK")
    return tuple(name for who, name in PARTIES.items() if who not in found)


def reason(change: Change, how: Rules) -> str:
    landlord, tenant = change.landlord, change.tenant
    if change.stet is not None and not missing(change.ref, change.stet, how):
        return "X"
    if change.pencil and not how.pencil:
        return "P"
    if landlord is None or tenant is None:
        return "S"
    if landlord.to != tenant.to:
        return "D"
    both = (landlord, tenant)
    if any(missing(change.ref, one.marks, how) for one in both):
        return "I"
    return "L" if any(one.time > how.completion for one in both) else "E"


def copy_text(written: Written | None) -> str:
    if written is None:
        return "none"
    return written.to or "deleted"


def initials_text(written: Written | None) -> str:
    marks = hands(written.marks) if written else ()
    return " ".join(marks) or "none"


class Term(msgspec.Struct, frozen=True):
    ref: str
    label: str
    unit: str
    printed: str
    """A number, or an ISO date."""
    amended: str = ""
    listed: str = ""


def terms(told: World) -> tuple[Term, ...]:
    """The terms that partner and client want to have told."""
    money = {name: text.replace(",", "") for name, text in told.facts.items()}
    listed = LISTED | {
        "8.2": money["works_to"],
        "R2": money["rent2_to"],
        "R4": money["rent4_listed"],
    }
    return tuple(
        Term(ref, label, unit, was.format_map(money), to.format_map(money), listed.get(ref, ""))
        for ref, label, unit, was, to in TERMS
    )


TERMS = (
    ("P6", "Term", "years", "10", ""),
    ("P7", "Term Commencement Date", "date", "2025-07-01", "2025-07-15"),
    ("P8", "Rent Free Period", "months", "3", "5"),
    ("P10", "Deposit", "months' Rent", "6", ""),
    ("P12", "Break Date, anniversary", "number", "5", "6"),
    ("P13", "Break Notice", "months", "9", "6"),
    ("P14", "Service Charge Cap, first Rent Year", "GBP", "{cap_printed}", "{cap_to}"),
    ("P15", "Interest above base rate", "per cent", "4", "3"),
    ("P16", "Parking", "spaces", "12", "16"),
    ("3.4", "Days before interest", "days", "7", "14"),
    ("5.2", "Landlord's Works complete", "date", "2025-09-30", "2025-10-31"),
    ("5.3", "Longer Rent Free Period for each day of delay", "days", "1", "2"),
    ("6.3", "Decoration, every", "years", "3", ""),
    ("6.5", "Notice of entry", "hours", "24", "48"),
    ("7.2", "Management fee", "per cent", "10", "7"),
    ("8.2", "Alterations without consent up to", "GBP", "{works_printed}", "{works_to}"),
    ("9.5", "Suspension of Rent, at most", "years", "3", "2"),
    ("13.1", "Days before re-entry", "days", "14", "21"),
    ("14.2", "Return of the Deposit", "days", "28", "14"),
    ("15.3", "Break payment", "months' Rent", "6", "3"),
    ("16.1", "Notice of renewal", "months", "9", "6"),
    ("17.1", "Service by post", "Working Days", "2", "3"),
    ("R1", "Rent, first Rent Year", "GBP", "{rent1}", ""),
    ("R2", "Rent, second Rent Year", "GBP", "{rent2_printed}", "{rent2_to}"),
    ("R3", "Rent, third Rent Year", "GBP", "{rent3}", ""),
    ("R4", "Rent, fourth Rent Year", "GBP", "{rent4_printed}", "{rent4_to}"),
    ("R5", "Rent, fifth Rent Year", "GBP", "{rent5}", ""),
    ("S3.3", "Increase of Rent from the sixth Rent Year", "per cent", "3", "2.5"),
    ("S3.5", "Increase of the cap", "per cent", "4", "3"),
    ("S4.3", "Limit of the guarantee", "months' Rent", "24", "18"),
    ("S4.5", "End of the guarantee, anniversary", "number", "5", "3"),
)


class Outcome(msgspec.Struct, frozen=True, dict=True):
    """What stands under some rules."""

    codes: dict[str, str]
    conformed: dict[str, str]
    basis: dict[str, str]

    def number(self, ref: str) -> int:
        return int(self.conformed[ref])

    def part(self, ref: str) -> Decimal:
        return Decimal(self.conformed[ref]) / 100


def outcome(told: World, how: Rules | None = None) -> Outcome:
    rules = how or Rules()
    codes = {change.ref: reason(change, rules) for change in told.changes}
    found, basis = {}, {}
    for term in terms(told):
        code = codes.get(term.ref, "")
        source = "Printed"
        if code == "E":
            source = "Amendment"
        elif code in ("S", "D") and term.listed:
            source = "Agreed List"
        basis[term.ref] = source
        told_by = {"Amendment": term.amended, "Agreed List": term.listed, "Printed": term.printed}
        found[term.ref] = told_by[source]
    return Outcome(codes, found, basis)


class RentYear(msgspec.Struct, frozen=True):
    number: int
    first: date
    last: date
    rent: int
    payable: Decimal
    cap: int


def rents(of: Outcome) -> tuple[RentYear, ...]:
    begin = date.fromisoformat(of.conformed["P7"])
    rent, cap = 0, 0
    found = []
    for n in range(1, of.number("P6") + 1):
        rent = of.number(f"R{n}") if n <= 5 else whole(rent * (1 + of.part("S3.3")))
        cap = of.number("P14") if n == 1 else whole(cap * (1 + of.part("S3.5")))
        free = of.number("P8") if n == 1 else 0
        payable = rounded(Decimal(rent * (12 - free)) / 12, 2)
        first, after = (later(begin, 12 * years) for years in (n - 1, n))
        found.append(RentYear(n, first, after - timedelta(1), rent, payable, cap))
    return tuple(found)


def whole(value: Decimal) -> int:
    return int(rounded(value, 0))


def later(day: date, months: int) -> date:
    """As EDATE."""
    at = day.year * 12 + day.month - 1 + months
    year, month = at // 12, at % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def working(day: date, days: int) -> date:
    """As WORKDAY."""
    step = timedelta(1 if days > 0 else -1)
    left = abs(days)
    while left:
        day += step
        left -= day.weekday() < 5 and day not in HOLIDAYS
    return day


def key_dates(of: Outcome) -> dict[str, date]:
    begin = date.fromisoformat(of.conformed["P7"])
    leave = later(begin, 12 * of.number("P12"))
    serve = later(leave, -of.number("P13"))
    end = later(begin, 12 * of.number("P6")) - timedelta(1)
    return {
        "Term begins": begin,
        "Rent begins": later(begin, of.number("P8")),
        "Works complete by": date.fromisoformat(of.conformed["5.2"]),
        "Break Date": leave,
        "Last day to serve the Break Notice": serve,
        "Last day to post it": working(serve, -of.number("17.1")),
        "Guarantee ends": later(begin, 12 * of.number("S4.5")),
        "Last day to ask for renewal": later(end, -of.number("16.1")),
        "Term ends": end,
        "Deposit back by": end + timedelta(of.number("14.2")),
        "Cure by": working(DATED, CURE_DAYS),
    }


def sums(told: World, of: Outcome) -> dict[str, Decimal]:
    """The labels of Summary to their figures."""
    years = rents(of)
    month = Decimal(years[0].rent) / 12
    effective = sum(code == "E" for code in of.codes.values())
    broken = years[of.number("P12") - 1].rent
    return {
        "Changes": Decimal(len(told.changes)),
        "Effective changes": Decimal(effective),
        "Changes without effect": Decimal(len(told.changes) - effective),
        "Rent payable over the Term": sum((one.payable for one in years), Decimal(0)),
        "Deposit": rounded(month * of.number("P10"), 2),
        "Break payment": rounded(Decimal(broken) / 12 * of.number("15.3"), 2),
        "Limit of the guarantee": rounded(month * of.number("S4.3"), 2),
    }


def cures(told: World, how: Rules | None = None) -> list[tuple[str, str, str]]:
    """Clause, counterpart, party: whose initials are missing where."""
    rules = how or Rules()
    found = []
    for change in told.changes:
        if reason(change, rules) == "I":
            for copy, written in zip(("Landlord's", "Tenant's"), change.written, strict=True):
                marks = written.marks if written else ()
                found += [(change.ref, copy, party) for party in missing(change.ref, marks, rules)]
    return found


def counted(of: Outcome) -> dict[str, int]:
    values = list(of.codes.values())
    return {code: values.count(code) for code in CODES}
