"""What follows from the guideline for this patient: medicines, checks, interactions, decisions."""

from collections.abc import Hashable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.med_01_bleed_after_stent.rules import (
    GABAPENTIN,
    LONG_STENT,
    METFORMIN,
    ORAL_PPI_DAY,
    P2Y12_DAYS,
    PARACETAMOL,
    PPI_TWICE,
    RAMIPRIL_DAY,
    SHORT_STENT,
    SPIRONOLACTONE_DAY,
    Basis,
    Rules,
    add_months,
    apixaban,
    at_most,
    basis,
    strength,
)
from authoring.med_01_bleed_after_stent.world import DAY, World

Way = Literal["after", "before"]
PAIRS = {
    1: ("apixaban", "clopidogrel"),
    2: ("apixaban", "sertraline"),
    3: ("clopidogrel", "sertraline"),
    9: ("levothyroxine", "calcium carbonate"),
    10: ("levothyroxine", "pantoprazole"),
    11: ("ramipril", "spironolactone"),
}
"""Line of Table 6 to the two medicines of the plan that it speaks of."""
KEPT = ("atorvastatin", "bisoprolol", "levothyroxine", "sertraline")
RENAL = {"metformin": METFORMIN, "gabapentin": GABAPENTIN}


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One dose period of one medicine."""

    drug: str
    step: int
    dose: Decimal
    """mg, each time."""
    times: int
    first: date
    last: date | None
    strength: Decimal
    tablets: int
    """For the first supply."""


class Check(msgspec.Struct, frozen=True):
    code: str
    due: date
    appointment: date
    way: Way


class Pair(msgspec.Struct, frozen=True):
    number: int
    first: date
    last: date | None


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    world: World
    basis: Basis
    lines: tuple[Line, ...]
    checks: tuple[Check, ...]
    pairs: tuple[Pair, ...]

    def line(self, drug: str, step: int = 1) -> Line:
        return next(one for one in self.lines if (one.drug, one.step) == (drug, step))

    def check(self, code: str) -> Check:
        return next(one for one in self.checks if one.code == code)

    @property
    def antibiotics_end(self) -> date:
        last = self.line("tetracycline").last
        assert last is not None
        return last

    @property
    def clopidogrel_end(self) -> date:
        last = self.line("clopidogrel").last
        assert last is not None
        return last


def plan(world: World, rules: Rules) -> Plan:
    found = basis(world, rules)
    lines = tuple(_tablets(line, found, rules) for line in _lines(world, found, rules))
    return Plan(
        world=world,
        basis=found,
        lines=lines,
        checks=tuple(_checks(world, found, lines, rules)),
        pairs=tuple(_pairs(lines)),
    )


def _line(
    drug: str, dose: Decimal | int, times: int, first: date, last: date | None = None, step: int = 1
) -> Line:
    return Line(
        drug=drug,
        step=step,
        dose=Decimal(dose),
        times=times,
        first=first,
        last=last,
        strength=Decimal(0),
        tablets=0,
    )


def _lines(world: World, found: Basis, rules: Rules) -> Iterator[Line]:
    home = found.discharge + rules.at_home * DAY
    stop = home + (rules.eradication - 1) * DAY
    yield from _antithrombotics(world, found, rules)
    twice = found.day_zero + PPI_TWICE * DAY
    if rules.ppi_covers_eradication:
        twice = max(twice, stop)
    yield _line("pantoprazole", 40, 2, found.day_zero + ORAL_PPI_DAY * DAY, twice)
    yield _line("pantoprazole", 40, 1, twice + DAY, step=2)
    yield _line("bismuth subcitrate", 120, 4, home, stop)
    yield _line("tetracycline", 500, 4, home, stop)
    yield _line("metronidazole", 400, 3, home, stop)
    for line in world.home:
        if line.generic in KEPT:
            yield _line(line.generic, line.daily / line.times, line.times, home)
        if line.generic in RENAL:
            daily = min(line.daily, Decimal(at_most(RENAL[line.generic], found.clearance)))
            yield _line(line.generic, daily / line.times, line.times, home)
    again = stop + DAY if rules.calcium_pauses else home
    yield _line("calcium carbonate", 1250, 1, again)
    yield _line("paracetamol", 1000, 3, home, home + (PARACETAMOL - 1) * DAY)
    yield _line("ramipril", Decimal("2.5"), 2, found.day_zero + RAMIPRIL_DAY * DAY)
    yield _line("spironolactone", 25, 1, found.day_zero + SPIRONOLACTONE_DAY * DAY)


def _antithrombotics(world: World, found: Basis, rules: Rules) -> Iterator[Line]:
    again = found.day_zero + found.restart * DAY
    early, late = (apixaban(found, age) for age in (found.age, found.age + 1))
    if rules.always_reduced:
        early = late = Decimal("2.5")
    if rules.eightieth and early != late:
        yield _line("apixaban", early, 2, again, world.birthday - DAY)
        yield _line("apixaban", late, 2, world.birthday, step=2)
    else:
        yield _line("apixaban", early, 2, again)
    number = (found.stent_age > SHORT_STENT) + (found.stent_age > LONG_STENT)
    begin = found.day_zero + P2Y12_DAYS[number] * DAY
    yield _line("clopidogrel", 75, 1, begin, add_months(found.last_stent, found.p2y12_months))


def _tablets(line: Line, found: Basis, rules: Rules) -> Line:
    size = strength(line.drug, line.dose, rules)
    opens = found.discharge + rules.at_home * DAY
    closes = opens + (rules.supply - 1) * DAY
    days = (min(line.last or closes, closes) - max(line.first, opens)).days + 1
    count = int(max(0, days) * line.times * line.dose / size)
    return msgspec.structs.replace(line, strength=size, tablets=count)


def dues(found: Basis, lines: tuple[Line, ...]) -> Iterator[tuple[str, date, Way]]:
    """Table 5: code, day on which it is due, and to which side it moves off a closed day."""
    start = {(line.drug, line.step): line.first for line in lines}
    ends = {line.drug: line.last for line in lines if line.last}
    anticoagulant = start["apixaban", 1]
    weeks = timedelta(days=7)
    yield "M01", found.discharge + 3 * DAY, "after"
    yield "M02", found.discharge + weeks, "after"
    yield "M03", anticoagulant - DAY, "before"
    yield "M04", start["ramipril", 1] + weeks, "after"
    yield "M05", start["spironolactone", 1] + weeks, "after"
    yield "M06", anticoagulant + weeks, "after"
    yield "M07", anticoagulant + 4 * weeks, "after"
    yield "M08", found.day_zero + 8 * weeks, "after"
    yield "M09", ends["tetracycline"] + 6 * weeks, "after"
    if ("apixaban", 2) in start:
        yield "M10", start["apixaban", 2] - weeks, "before"
    yield "M11", ends["clopidogrel"] - 2 * weeks, "before"
    for number in range(1, 12 // found.months + 1):
        yield f"R{number}", add_months(found.discharge, number * found.months), "after"


def _checks(world: World, found: Basis, lines: tuple[Line, ...], rules: Rules) -> Iterator[Check]:
    shut = {day for day, _ in world.closed} if rules.closed_days else set()
    for code, due, way in dues(found, lines):
        step = -DAY if way == "before" and not rules.before_moves_forward else DAY
        day = due
        while rules.closed_days and (day.weekday() > 4 or day in shut):
            day += step
        yield Check(code, due, day, way)


def _pairs(lines: tuple[Line, ...]) -> Iterator[Pair]:
    for number, (one, other) in PAIRS.items():
        first = max(_begins(lines, one), _begins(lines, other))
        ends = [end for end in (_ends(lines, one), _ends(lines, other)) if end]
        yield Pair(number, first, min(ends, default=None))


def _begins(lines: tuple[Line, ...], drug: str) -> date:
    return min(line.first for line in lines if line.drug == drug)


def _ends(lines: tuple[Line, ...], drug: str) -> date | None:
    """None: it goes on."""
    mine = [line.last for line in lines if line.drug == drug]
    return None if None in mine else max(day for day in mine if day)


def promised(told: Plan) -> dict[Hashable, object]:
    """The values that the prompt asks for."""
    found: dict[Hashable, object] = {}
    for name in ("day_zero", "actual", "ideal", "dosing", "creatinine", "clearance", "last_stent"):
        found[name] = getattr(told.basis, name)
    for line in told.lines:
        for name in ("dose", "first", "last", "tablets"):
            found[line.drug, line.step, name] = getattr(line, name)
    for check in told.checks:
        found[check.code, "due"], found[check.code, "day"] = check.due, check.appointment
    for pair in told.pairs:
        found[pair.number, "first"], found[pair.number, "last"] = pair.first, pair.last
    return found
