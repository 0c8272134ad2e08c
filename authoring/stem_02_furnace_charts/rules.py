"""The specification in force, over readings; a slip is the same rules, otherwise set."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import msgspec

from authoring.parts.numbers import rounded
from authoring.stem_02_furnace_charts.nouns import Class, Load
from authoring.stem_02_furnace_charts.traces import Readings, Trace, readings, trace
from authoring.stem_02_furnace_charts.world import (
    AMENDED,
    DELAYS,
    DIP_DEPTH,
    DIP_MINUTES,
    FAR_OVER,
    OVER,
    SECTIONS,
    World,
)

DECISIONS = ("release", "reprocess", "hold", "scrap")
FINDINGS = {
    "P2": "scrap",
    "P1": "hold",
    "L": "hold",
    "R": "hold",
    "T": "hold",
    "S": "reprocess",
    "Q": "reprocess",
}


def at(points: Mapping[int, Decimal], where: int) -> Decimal:
    """Between certified points by proportion."""
    low = max(point for point in points if point <= where)
    high = min(point for point in points if point >= where)
    if low == high:
        return points[low]
    return points[low] + (points[high] - points[low]) * (where - low) / (high - low)


def exact(told: World, load: Load) -> Decimal:
    """Recorder and thermocouple at the set temperature, not rounded yet."""
    klass = told.classes[load.klass]
    pen = at(told.recorder(load).load, klass.set_at)
    return pen + at(told.couples[load.couple].corrections, klass.set_at)


def correction(told: World, load: Load) -> int:
    return int(rounded(exact(told, load), 0))


class Limits(msgspec.Struct, frozen=True):
    """The five that the prompt puts into cells; what-ifs move them."""

    over: int = OVER
    far_over: int = FAR_OVER
    dip_minutes: int = DIP_MINUTES
    delays: tuple[int, int] = DELAYS
    """Seconds, before and under the amendment."""


IN_FORCE = Limits()
MOVED = Limits(over=35, far_over=60, dip_minutes=20, delays=(90, 130))
"""A what-if: each of the five alone changes what becomes of a load."""


def drawn(told: World, load: Load) -> Trace:
    klass = told.classes[load.klass]
    own = float(at(told.recorder(load).control, klass.set_at))
    dip = load.run.dip
    stops = dip is not None and not resets(dip.minutes, dip.depth, load.day)
    return trace(load, klass, correction(told, load), own, stops)


def resets(minutes: float, depth: float, day: date, longest: float = DIP_MINUTES) -> bool:
    return minutes > longest or (day >= AMENDED and depth > DIP_DEPTH)


class Result(msgspec.Struct, frozen=True):
    """All of one load, in the units of the workbook."""

    load: Load
    klass: Class
    correction: int
    limit: int
    """Of the band, as the load pen writes it."""
    read: Readings
    required: int
    expired: bool
    limits: Limits = IN_FORCE

    @property
    def allowed(self) -> int:
        """Seconds from door to quench."""
        return self.limits.delays[self.load.day >= AMENDED]

    @property
    def rate(self) -> float:
        return 150 / (self.read.passed_750 - self.read.passed_600) * 60

    @property
    def depth(self) -> float:
        low = self.read.dip_low
        return 0.0 if low is None else self.limit - low

    @property
    def clock(self) -> str:
        if not self.read.dip:
            return "none"
        longest = self.limits.dip_minutes
        return "resets" if resets(self.read.dip, self.depth, self.load.day, longest) else "stops"

    @property
    def begins(self) -> float:
        return self.read.after_dip if self.clock == "resets" else self.read.first_band

    @property
    def soak(self) -> float:
        stopped = self.read.dip if self.clock == "stops" else 0.0
        return self.read.door - self.begins - stopped

    @property
    def peak(self) -> float:
        return self.read.highest + self.correction

    @property
    def findings(self) -> tuple[str, ...]:
        above = self.peak - self.klass.set_at
        held = {
            "P2": above > self.limits.far_over,
            "P1": self.limits.over < above <= self.limits.far_over,
            "L": self.soak > self.klass.longest,
            "R": self.rate > self.klass.fastest,
            "T": self.expired,
            "S": self.soak < self.required,
            "Q": self.read.delay > self.allowed,
        }
        return tuple(code for code, holds in held.items() if holds)

    @property
    def decision(self) -> str:
        found = max((FINDINGS[code] for code in self.findings), key=DECISIONS.index, default="")
        if found == "reprocess" and self.load.rerun:
            return "hold"
        return found or "release"


def result(told: World, load: Load) -> Result:
    klass, add = told.classes[load.klass], correction(told, load)
    limit = klass.set_at - klass.band - add
    new = load.day >= AMENDED
    need = next(row for row in SECTIONS if load.section <= row[0])
    return Result(
        load=load,
        klass=klass,
        correction=add,
        limit=limit,
        read=readings(load, drawn(told, load), limit),
        required=need[2 if new else 1],
        expired=load.day > told.couples[load.couple].due,
    )
