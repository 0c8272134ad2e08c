"""Patients, stays, drug charts and reports of half a year, as `texts/*.txt` tell them."""

from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path

import msgspec

from authoring.parts.dice import Dice
from authoring.parts.people import Person, people

TEXTS = Path(__file__).with_name("texts")
WARDS = {
    **{"A": "Alder", "B": "Birch", "L": "Larch", "M": "Maple", "R": "Rowan", "W": "Willow"},
    **{"F": "Elm", "I": "ICU", "E": "ED", "D": "Day unit", "T": "Maternity", "U": "Lounge"},
}
COUNTED = ("Alder", "Birch", "Larch", "Maple", "Rowan", "Willow")
FIRST, LAST = date(2025, 7, 1), date(2025, 12, 31)
CLOCK = timedelta(hours=2)
"""What scanner CT2 was slow by from 8 to 12 November."""
POST_MORTEM = timedelta(days=2, hours=5)
"""From death to it."""


class Stay(msgspec.Struct, frozen=True, dict=True):
    no: str
    places: tuple[tuple[datetime, str], ...]
    """When each ward took the patient over."""
    left: datetime

    @property
    def arrived(self) -> datetime:
        return self.places[0][0]

    def nights(self, until: datetime, left_out: tuple[str, ...]) -> dict[str, int]:
        """Midnights on each ward up to a time, in the order in which the wards came."""
        ends = [when for when, _ in self.places[1:]] + [self.left]
        found: dict[str, int] = {}
        for (begin, ward), end in zip(self.places, ends, strict=True):
            span = (min(end, until).date() - begin.date()).days
            if span > 0 and ward not in left_out:
                name = "Larch" if ward == "Elm" else ward
                found[name] = found.get(name, 0) + span
        return found


class Chart(msgspec.Struct, frozen=True):
    stay: str
    background: str
    major: tuple[str, ...] = ()
    minor: tuple[str, ...] = ()
    form: int | None = 6
    """Hours from arrival to the form; None: no form."""
    low: bool = False
    dose: str = ""
    missed: tuple[tuple[date, str], ...] = ()
    platelets: int | None = None
    operation: date | None = None
    minutes: int = 0
    other: str = ""
    given: int | None = None
    """Syringes on leaving."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    no: str
    patient: str
    when: datetime
    exam: str
    what: str
    """`yes`, `maybe`, `line`, `no`, `old`, `sup` or `other`."""
    place: str = ""
    grade: int = 0
    marks: tuple[str, ...] = ()
    info: str
    text: str

    @property
    def exported(self) -> datetime:
        """As the list of examinations has it: a post-mortem on the day it was made."""
        if "death" in self.marks:
            return self.when + POST_MORTEM
        return self.when - CLOCK if "clock" in self.marks else self.when


class Patient(msgspec.Struct, frozen=True):
    key: str
    sex: str
    age: int
    weight: int
    creatinine: int
    stays: tuple[Stay, ...]
    charts: tuple[Chart, ...]
    reports: tuple[Report, ...]

    def chart(self, stay: str) -> Chart:
        return next(one for one in self.charts if one.stay == stay)


class World(msgspec.Struct, frozen=True, dict=True):
    patients: tuple[Patient, ...]
    numbers: dict[str, str]
    """Hospital number of each patient; `h12 alias` is another of the same."""
    chair: Person
    director: Person
    radiologist: Person
    clerk: Person
    analyst: Person
    seed: int

    @cached_property
    def reports(self) -> tuple[Report, ...]:
        found = [report for patient in self.patients for report in patient.reports]
        return tuple(sorted(found, key=lambda one: one.no))

    @cached_property
    def stays(self) -> tuple[tuple[Patient, Stay], ...]:
        found = [(patient, stay) for patient in self.patients for stay in patient.stays]
        return tuple(sorted(found, key=lambda pair: pair[1].no))

    def patient(self, key: str) -> Patient:
        return next(one for one in self.patients if one.key == key)

    def report(self, key: str) -> Report:
        return next(one for one in self.reports if one.key == key)

    def number(self, report: Report) -> str:
        """The hospital number that the report bears."""
        name = f"{report.patient} alias" if "alias" in report.marks else report.patient
        return self.numbers[name]


# --- reading the texts --------------------------------------------------------------------------


class Block(msgspec.Struct):
    """Lines of one patient."""

    head: list[str]
    stays: list[tuple[tuple[tuple[datetime, str], ...], datetime]] = []
    facts: dict[int, str] = {}
    reports: list[tuple[str, str, str]] = []


def at(day: str, hour: str) -> datetime:
    """`01-03` is of January 2026, all others of 2025."""
    month = int(day[:2])
    year = 2026 if month == 1 else 2025
    return datetime.strptime(f"{year}-{day} {hour}", "%Y-%m-%d %H:%M")  # noqa: DTZ007 - local time


def _places(text: str) -> tuple[tuple[tuple[datetime, str], ...], datetime]:
    day, found = "", []
    words = text.split()
    for word in words:
        if "-" in word:
            day = word
        elif ":" in word:
            when = at(day, word)
        elif word != ".":
            found.append((when, WARDS[word]))
    return tuple(found), when


def _block(text: str) -> Block:
    first, *lines = text.split("\n")
    block = Block(first.split())
    for line in lines:
        kind, rest = line[0], line[2:]
        match kind:
            case "s":
                block.stays.append(_places(rest))
            case "c":
                block.facts[len(block.stays) - 1] = rest
            case "r":
                block.reports.append((rest, "", ""))
            case "i":
                block.reports[-1] = (block.reports[-1][0], rest, "")
            case _:
                block.reports[-1] = (*block.reports[-1][:2], rest)
    return block


def blocks() -> list[Block]:
    texts = [(TEXTS / name).read_text("utf-8") for name in ("cases.txt", "others.txt")]
    return [_block(text) for text in "\n\n".join(one.strip() for one in texts).split("\n\n")]


def _pair(text: str) -> tuple[date, str]:
    day, reason = text.split(":")
    return at(day, "00:00").date(), reason


def _ordinary(stay: Stay, background: str, seed: int) -> Chart:
    """The chart of a stay whose prophylaxis nobody asks about."""
    dice = Dice("charts", seed, stay.no)
    none = stay.places[-1][1] in ("Day unit", "ED", "Maternity")
    missed: tuple[tuple[date, str], ...] = ()
    if dice.chance(35) and not none and (stay.left - stay.arrived).days > 4:
        days = [stay.arrived.date() + timedelta(days=n) for n in (2, 3, 4)]
        reason = dice.pick(("stock", "asleep", "blank", "ref", "talk"))
        missed = tuple((day, reason) for day in days[: dice.whole(1, 3)])
    return Chart(
        stay=stay.no,
        background=background,
        form=None if none else dice.whole(2, 26),
        low=dice.chance(15),
        dose="" if none or dice.chance(15) else "40",
        missed=missed,
    )


def _chart(stay: Stay, line: str, seed: int) -> Chart:
    facts, background = (part.strip() for part in line.split("|"))
    if not facts:
        return _ordinary(stay, background, seed)
    told = dict(word.split("=") for word in facts.split())
    operation, _, minutes = told.get("op", "").partition("/")
    return Chart(
        stay=stay.no,
        background=background,
        major=tuple(told["major"].split(",")) if "major" in told else (),
        minor=tuple(told["minor"].split(",")) if "minor" in told else (),
        form=None if told["form"] == "none" else int(told["form"]),
        low="low" in told,
        dose=told.get("rx", ""),
        missed=tuple(map(_pair, told["miss"].split(","))) if "miss" in told else (),
        platelets=int(told["platelets"]) if "platelets" in told else None,
        operation=at(operation, "00:00").date() if operation else None,
        minutes=int(minutes or 0),
        other=told.get("other", ""),
        given=int(told["give"]) if "give" in told else None,
    )


def _report(key: str, patient: str, no: str, lines: tuple[str, str, str]) -> Report:
    head, info, text = lines
    when, exam, facts = (part.strip() for part in head.split("|"))
    words = facts.split()
    grade = next((int(word[1]) for word in words if word in ("S1", "S2", "S3", "S4")), 0)
    whats = ("yes", "maybe", "line", "no", "old", "sup", "other")
    what = next(word for word in words if word in whats)
    places = ("pe", "legR", "legL", "armR", "armL", "neck")
    return Report(
        key=key,
        no=no,
        patient=patient,
        when=at(*when.split()),
        exam=exam,
        what=what,
        place=next((word for word in words if word in places), ""),
        grade=grade,
        marks=tuple(word for word in words if word not in (what, *places, f"S{grade}")),
        info=info,
        text=text,
    )


def _named(patient: str, n: int) -> str:
    return f"{patient}{'abc'[n]}"


def world(seed: int) -> World:
    known = blocks()
    order = sorted(
        (_report("", "", "", lines).exported, block.head[0], n)
        for block in known
        for n, lines in enumerate(block.reports)
    )
    nos = {_named(key, n): f"X{number:03d}" for number, (_, key, n) in enumerate(order, 1)}
    begun = sorted(
        (places[0][0], block.head[0], n)
        for block in known
        for n, (places, _) in enumerate(block.stays)
    )
    stays = {(key, n): f"S{number:03d}" for number, (_, key, n) in enumerate(begun, 1)}
    patients = tuple(_patient(block, nos, stays, seed) for block in known)
    dice = Dice("thrombosis", seed)
    names = [one.key for one in patients] + ["h12 alias", "h31 alias"]
    numbers = dice.sample(range(204117, 689000, 41), len(names))
    chair, director, radiologist, clerk, analyst = people(dice, 5)
    return World(
        patients=patients,
        numbers={name: f"H{number}" for name, number in zip(names, numbers, strict=True)},
        chair=chair,
        director=director,
        radiologist=radiologist,
        clerk=clerk,
        analyst=analyst,
        seed=seed,
    )


def _patient(
    block: Block, nos: dict[str, str], stays: dict[tuple[str, int], str], seed: int
) -> Patient:
    key, sex, age, weight, creatinine = block.head
    mine = [Stay(stays[key, n], *told) for n, told in enumerate(block.stays)]
    return Patient(
        key=key,
        sex=sex,
        age=int(age),
        weight=int(weight),
        creatinine=int(creatinine),
        stays=tuple(mine),
        charts=tuple(_chart(stay, block.facts[n], seed) for n, stay in enumerate(mine)),
        reports=tuple(
            _report(name, key, nos[name], lines)
            for name, lines in ((_named(key, n), one) for n, one in enumerate(block.reports))
        ),
    )
