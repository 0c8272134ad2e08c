"""What the review finds, and that each trap is alive."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal

import msgspec

from authoring.med_03_thrombosis_audit.census import MONTHS, How, Point, bed_days, series
from authoring.med_03_thrombosis_audit.inputs import SENT
from authoring.med_03_thrombosis_audit.rules import Case, Coded, coded
from authoring.med_03_thrombosis_audit.world import COUNTED, World, world
from authoring.parts.invariants import invariant
from authoring.parts.numbers import rounded

HOLIDAYS = (date(2025, 8, 25), date(2025, 12, 25), date(2025, 12, 26), date(2026, 1, 1))
TODAY = date(2026, 1, 26)
FAILURES = ("F0", "F1", "F2", "F3", "F4", "F5")
HALF = MONTHS[18:]
LABELS = (
    *("Reports read", "Reports left out", "Cases", "In the stay", "After leaving", "S3 and S4"),
    *("Potentially preventable", "Bed days", "Rate of the half-year", "Median"),
)


class Settings(msgspec.Struct, frozen=True):
    hours: int = 48
    days: int = 90
    nights: int = 29
    least: int = 5


class Found(msgspec.Struct, frozen=True):
    """All that follows from the cases and the settings."""

    cases: tuple[Case, ...]
    days: dict[tuple[str, date], int]
    points: tuple[Point, ...]
    median: Decimal
    least: int

    def count(self, ward: str, month: date) -> int:
        return sum(one.ward == ward and one.month == month for one in self.cases)

    def of_ward(self, ward: str) -> int:
        return sum(one.ward == ward for one in self.cases)

    def days_of(self, ward: str) -> int:
        return sum(self.days[ward, month] for month in HALF)

    @property
    def whole(self) -> int:
        return sum(self.days_of(ward) for ward in COUNTED)

    def rate(self, ward: str, month: date) -> Decimal:
        return rate(self.count(ward, month), self.days[ward, month])

    @property
    def failures(self) -> dict[str, int]:
        counts = Counter(one.failure for one in self.cases)
        return {code: counts[code] for code in FAILURES}


def rate(cases: int, days: int) -> Decimal:
    return rounded(Decimal(1000 * cases) / days, 2)


def counts(case: Case, settings: Settings) -> bool:
    if case.basis == "a":
        return case.hours > settings.hours
    return case.days <= settings.days


def found(told: World, settings: Settings | None = None, code: Coded | None = None) -> Found:
    way = settings or Settings()
    cases = tuple(one for one in (code or coded(told)).cases if counts(one, way))
    days = bed_days(told.seed, How(nights=way.nights))
    points, middle = series(cases, days)
    return Found(cases, days, points, middle, way.least)


def shown(numbers: Iterable[int], least: int, total: bool) -> list[str]:
    """Numbers as 9.2 publishes them."""
    given = list(numbers)
    small = [0 < n < least for n in given]
    said = [f"<{least}" if hide else str(n) for n, hide in zip(given, small, strict=True)]
    if total and sum(small) == 1:
        rest = [n for n in given if n >= least]
        said[given.index(min(rest))] = "-"
    return said


def due(event: date) -> date:
    """Ten working days after it."""
    day, left = event, 10
    while left:
        day += timedelta(days=1)
        left -= day.weekday() < 5 and day not in HOLIDAYS
    return day


def state(case: Case) -> str:
    sent = SENT.get(case.key)
    if sent is None:
        return "open"
    return "in time" if sent <= due(case.event.date()) else "late"


def totals(told: World, what: Found, code: Coded) -> dict[str, Decimal]:
    cases = what.cases
    figures: tuple[int | Decimal, ...] = (
        *(len(told.reports), len(code.left), len(cases)),
        *(sum(one.basis == basis for one in cases) for basis in "ab"),
        sum(one.grade >= 3 for one in cases),
        sum(one.preventable for one in cases),
        what.whole,
        rate(len(cases), what.whole),
        what.median,
    )
    return {name: Decimal(value) for name, value in zip(LABELS, figures, strict=True)}


def story(seed: int) -> World:
    told = world(seed)
    code = coded(told)
    what = found(told)
    invariant(len(told.reports) == len(code.belongs) + len(code.left), "each report has its place")
    invariant(len(what.cases) == len(code.cases) == 45, "45 cases")
    wards = [what.of_ward(ward) for ward in COUNTED]
    invariant(sum(0 < n < 5 for n in wards) == 1, "one ward is hidden, so one more is")
    signals = [point.signal for point in what.points]
    invariant(signals.count("shift") == 7 and signals.count("trend") == 5, "a shift and a trend")
    invariant(signals[18] == "none" and what.points[18].rate == what.median, "July on the median")
    escalated = [one for one in code.cases if one.escalated]
    states = sorted(state(one) for one in escalated)
    invariant(states == ["in time", "in time", "in time", "late", "open"], "letters of all kinds")
    for report in told.reports:
        words = len(report.text.split()) + len(report.info.split())
        invariant(8 <= words <= 75, f"{report.key}: neither short nor long")
    return told
