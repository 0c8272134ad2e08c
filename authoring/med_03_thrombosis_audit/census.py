"""Bed days of 24 months as they were, and as the export has them; the series and its signals."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from statistics import median

import msgspec

from authoring.med_03_thrombosis_audit.rules import Case
from authoring.med_03_thrombosis_audit.world import COUNTED
from authoring.parts.dice import Dice
from authoring.parts.numbers import rounded

MONTHS = tuple(date(year, month, 1) for year in (2024, 2025) for month in range(1, 13))
RECODED = (7, 6, 6, 5, 7, 6, 6, 7, 6, 5, 5, 5, 6, 6, 7, 5, 7, 7)
"""Cases of January 2024 to June 2025 by version 4."""
REPORTED = (6, 6, 5, 5, 6, 7, 5, 7, 7, 4, 5, 6, 5, 7, 6, 5, 6, 6)
"""The same as they were reported at the time, by version 3."""
AIM = (
    *("1.42", "1.38", "1.31", "1.09", "1.50", "1.31", "1.22", "1.47", "1.36", "1.05", "1.12"),
    *("1.12", "1.20", "1.27", "1.35", "1.04", "1.40", "1.42"),
    *("1.31", "1.44", "1.60", "1.56", "1.53", "1.48"),
)
NOW = (6, 7, 8, 8, 8, 8)
SHARE = {"Alder": 13, "Birch": 17, "Larch": 22, "Maple": 19, "Rowan": 13, "Willow": 16}
OTHERS = {"ICU": 310, "Maternity": 420, "Day unit": 0}
NO_LONGER = date(2025, 5, 1)
"""From then on Elm's rows repeat a part of Larch's."""
LAST_LEAVING = date(2025, 3, 1)
"""The last month whose export counts the day of leaving."""
OCTOBER, NIGHTS, WRONG_NIGHTS = date(2025, 10, 1), 29, 28
HOURS = ("Alder", date(2025, 7, 1))
CORRECTIONS = {
    ("Maple", date(2025, 8, 1)): -38,
    ("Birch", date(2025, 11, 1)): 26,
    ("Willow", date(2024, 6, 1)): -17,
}
CODES = {
    **{"Alder": "W01", "Birch": "W02", "Elm": "W04", "Larch": "W09", "Maple": "W05"},
    **{"Rowan": "W06", "Willow": "W07", "ICU": "C01", "Maternity": "T01", "Day unit": "D01"},
}


class Row(msgspec.Struct, frozen=True):
    ward: str
    month: date
    status: str
    days: int
    leaving: int
    """Patients discharged or moved out."""

    def counts(self) -> bool:
        return self.ward in COUNTED or (self.ward == "Elm" and self.month < NO_LONGER)


class How(msgspec.Struct, frozen=True):
    """How the export is put right; set otherwise, it gives a slip."""

    leaving: bool = True
    elm: bool = True
    hours: bool = True
    nights: int = NIGHTS
    corrections: bool = True


@lru_cache
def export(seed: int) -> tuple[Row, ...]:
    dice = Dice("census", seed)
    rows: list[Row] = []
    for month, aim, count in zip(MONTHS, AIM, (*RECODED, *NOW), strict=True):
        whole = int(1000 * count / Decimal(aim)) + dice.whole(-9, 9)
        rows += _month(month, whole, dice)
    return tuple(rows)


def _split(whole: int, month: date, dice: Dice) -> dict[str, int]:
    wards = {ward: whole * share // 100 for ward, share in SHARE.items()}
    for ward in ("Alder", "Birch", "Maple", "Rowan", "Willow"):
        wards[ward] += dice.whole(-20, 20)
    wards["Larch"] = whole - sum(n for ward, n in wards.items() if ward != "Larch")
    if month < NO_LONGER:
        wards["Elm"] = wards["Larch"] * 2 // 5
        wards["Larch"] -= wards["Elm"]
    return wards


def _month(month: date, whole: int, dice: Dice) -> list[Row]:
    rows = []
    wards = _split(whole, month, dice)
    if month >= NO_LONGER and month <= date(2025, 8, 1):
        wards["Elm"] = wards["Larch"] * 2 // 5 + dice.whole(-9, 9)
    for ward, usual in OTHERS.items():
        wards[ward] = usual + dice.whole(-15, 15) if usual else dice.whole(160, 240)
    for ward in sorted(wards, key=lambda name: CODES[name]):
        leaving = wards[ward] // 6 + dice.whole(-6, 6)
        rows += _rows(ward, month, wards[ward], leaving)
    return rows


def _rows(ward: str, month: date, true: int, leaving: int) -> list[Row]:
    shown = true
    if month <= LAST_LEAVING:
        shown += leaving
    if month == OCTOBER:
        shown = int(rounded(Decimal(true) * NIGHTS / 31, 0))
    if (ward, month) == HOURS:
        shown *= 24
    change = CORRECTIONS.get((ward, month), 0)
    rows = [Row(ward, month, "F", shown - change, leaving)]
    return [*rows, Row(ward, month, "C", change, 0)] if change else rows


def true_days(row: Row, how: How) -> int:
    """Bed days of one row of the export, put right."""
    days = row.days
    if row.status == "C" and not how.corrections:
        return 0
    if how.hours and (row.ward, row.month) == HOURS:
        days //= 24
    if how.leaving and row.month <= LAST_LEAVING:
        days -= row.leaving
    if row.month == OCTOBER:
        days = int(rounded(Decimal(days) * 31 / how.nights, 0))
    return days


def bed_days(seed: int, how: How | None = None) -> dict[tuple[str, date], int]:
    """Of each ward and month; Elm's are Larch's."""
    way = how or How()
    found: dict[tuple[str, date], int] = {}
    for row in export(seed):
        if not (row.counts() or (row.ward == "Elm" and not way.elm)):
            continue
        ward = "Larch" if row.ward == "Elm" else row.ward
        found[ward, row.month] = found.get((ward, row.month), 0) + true_days(row, way)
    return found


class Point(msgspec.Struct, frozen=True):
    month: date
    cases: int
    days: int
    signal: str = "none"

    @property
    def rate(self) -> Decimal:
        return rounded(Decimal(1000 * self.cases) / self.days, 2)


def _runs(points: list[Point], middle: Decimal, least: int, skip: bool) -> set[int]:
    """Points in a row on one side of the median; one on it neither counts nor breaks."""
    found: set[int] = set()
    row: list[int] = []
    side = 0
    for n, point in enumerate(points):
        here = (point.rate > middle) - (point.rate < middle)
        if here == 0 and skip:
            continue
        row = [*row, n] if here == side and here else [n] if here else []
        side = here
        if len(row) >= least:
            found |= set(row)
    return found


def _trends(points: list[Point], least: int) -> set[int]:
    """Points that rise, or fall, each from the one before; an equal one is left out."""
    kept = [n for n, p in enumerate(points) if n == 0 or p.rate != points[n - 1].rate]
    found: set[int] = set()
    for way in (1, -1):
        row: list[int] = []
        for n in kept:
            goes_on = row and way * points[n].rate > way * points[row[-1]].rate
            row = [*row, n] if goes_on else [n]
            if len(row) >= least:
                found |= set(row)
    return found


def series(
    cases: tuple[Case, ...],
    days: Mapping[tuple[str, date], int],
    old: tuple[int, ...] = RECODED,
    shift: int = 6,
    trend: int = 5,
    skip: bool = True,
) -> tuple[tuple[Point, ...], Decimal]:
    """The 24 points, and the median of the first twelve."""
    now = tuple(sum(one.month == month for one in cases) for month in MONTHS[18:])
    whole = [sum(n for (_, m), n in days.items() if m == month) for month in MONTHS]
    points = [Point(*told) for told in zip(MONTHS, (*old, *now), whole, strict=True)]
    middle = rounded(Decimal(median(point.rate for point in points[:12])), 2)
    up, along = _runs(points, middle, shift, skip), _trends(points, trend)
    names = ["shift" if n in up else "trend" if n in along else "none" for n in range(24)]
    told = zip(points, names, strict=True)
    return tuple(msgspec.structs.replace(p, signal=name) for p, name in told), middle
