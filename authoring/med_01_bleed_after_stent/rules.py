"""The hospital's guideline AT-12, computed; a slip is the same function, otherwise set."""

from calendar import monthrange
from datetime import date
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.med_01_bleed_after_stent.lab import Lab
from authoring.med_01_bleed_after_stent.shelf import STOCK
from authoring.med_01_bleed_after_stent.world import (
    DAY,
    MILLIGRAM,
    PRINTED_DAY,
    World,
    adjusted,
    clearance,
    ideal,
)
from authoring.parts.numbers import rounded

SHORT_STENT, LONG_STENT = 30, 90
P2Y12_DAYS = (1, 3, 5)
"""Day of restart by the stent's age on Day 0: up to 30 days, to 90, to 365."""
COMPLEX_MM, COMPLEX_STENTS = 60, 3
MONTHS = {"usual": 12, "bled": 6, "bled, complex": 9}
"""How long the P2Y12 inhibitor is taken after an acute coronary syndrome."""
LOW_RISK_DAY = 5
ERADICATION, PPI_TWICE, PARACETAMOL = 14, 14, 14
RAMIPRIL_DAY, SPIRONOLACTONE_DAY = 7, 14
ORAL_PPI_DAY = 3
SUPPLY = 28
REDUCED_AGE, REDUCED_KG, REDUCED_UMOL = 80, 60, 133
METFORMIN = ((60, 3000), (45, 2000), (30, 1000))
GABAPENTIN = ((80, 3600), (50, 1800), (30, 900), (15, 600))
"""Clearance from, mg a day at most."""
POINTS = {"age 75 or over": 2, "hypertension": 1, "diabetes": 1, "vascular disease": 1}
"""Of CHA2DS2-VASc, as far as the patient has them."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The settings; each default is the rule in force."""

    weight: Literal["adjusted", "actual", "ideal"] = "adjusted"
    reported: bool = False
    """Weight and height as told instead of measured."""
    cancelled: bool = False
    """The cancelled creatinine is believed."""
    day_zero: Literal["treated", "first", "control"] = "treated"
    corrected: bool = True
    """The anticoagulant's day of the correction, not the printed one."""
    high_risk: bool = True
    """Stigmata of Day 0; those of the control look would be low-risk."""
    second_procedure: bool = True
    """The stent of the second procedure counts."""
    bled: bool = True
    """The bleed shortens the P2Y12 inhibitor."""
    complex: bool = True
    """Complex stenting is looked for."""
    eightieth: bool = True
    """The dose changes on the birthday."""
    always_reduced: bool = False
    """2.5 mg for whoever has bled, as in version 3."""
    at_home: int = 1
    """The first day at home, in days after discharge."""
    eradication: int = ERADICATION
    ppi_covers_eradication: bool = True
    calcium_pauses: bool = True
    closed_days: bool = True
    before_moves_forward: bool = False
    """Checks before something move to the next open day like the others."""
    supply: int = SUPPLY
    short_capsules: bool = True
    """Tetracycline comes in capsules of 250 mg, as the mail says."""


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    discharge: date
    day_zero: date
    height: Decimal
    actual: Decimal
    ideal: Decimal
    dosing: Decimal
    creatinine: Decimal
    """umol/L, whole."""
    age: int
    clearance: Decimal
    months: int
    """Between checks of kidney function."""
    score: int
    fall: Decimal
    """Of haemoglobin, g/L."""
    haemoglobin: Decimal
    """The last one."""
    iron: int
    last_stent: date
    stent_age: int
    length: int
    """All stents, mm."""
    stents: int
    complex: bool
    p2y12_months: int
    restart: int

    @property
    def home(self) -> date:
        return self.discharge + DAY


def add_months(day: date, months: int) -> date:
    """The same day of a later month, or the last of a shorter one: EDATE."""
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def valid(world: World, test: str) -> tuple[Lab, ...]:
    """Results that count, in the order of collection."""
    rows = [row for row in world.labs if row.test == test and row.status != "cancelled"]
    return tuple(sorted(rows, key=lambda row: (row.day, row.time)))


def grams(row: Lab) -> Decimal:
    """Haemoglobin in g/L."""
    return row.value * 10 if row.unit == "g/dL" else row.value


def micromoles(row: Lab) -> Decimal:
    """Creatinine in umol/L, whole."""
    return rounded(row.value * MILLIGRAM, 0) if row.unit == "mg/dL" else row.value


def basis(world: World, rules: Rules) -> Basis:
    height = Decimal(world.reported_height) if rules.reported else world.height
    actual = Decimal(world.reported_weight) if rules.reported else world.weight
    lean = ideal(height)
    right = adjusted(lean, actual) if actual > lean * Decimal("1.2") else min(lean, actual)
    dosing = {"adjusted": right, "actual": actual, "ideal": lean}[rules.weight]
    creatinine = micromoles(valid(world, "Creatinine")[-1])
    if rules.cancelled:
        creatinine = rounded(world.cancelled * MILLIGRAM, 0)
    filtered = rounded(clearance(dosing, creatinine), 1)
    days = {"treated": world.day_zero, "first": world.admitted, "control": world.control}
    day_zero = days[rules.day_zero]
    stents = [s for s in world.stents if rules.second_procedure or s.day == world.first_pci]
    length = sum(stent.length for stent in stents)
    hard = rules.complex and (length > COMPLEX_MM or len(stents) >= COMPLEX_STENTS)
    last = valid(world, "Haemoglobin")[-1]
    return Basis(
        discharge=world.discharge,
        day_zero=day_zero,
        height=height,
        actual=actual,
        ideal=lean,
        dosing=dosing,
        creatinine=creatinine,
        age=age_on(world.born, world.discharge),
        clearance=filtered,
        months=int(filtered // 10),
        score=sum(POINTS.values()),
        fall=_fall(world),
        haemoglobin=grams(last),
        iron=_iron(grams(last), actual),
        last_stent=stents[-1].day,
        stent_age=(day_zero - stents[-1].day).days,
        length=length,
        stents=len(stents),
        complex=hard,
        p2y12_months=MONTHS["bled, complex" if hard else "bled"] if rules.bled else MONTHS["usual"],
        restart=_restart(world, rules),
    )


def _restart(world: World, rules: Rules) -> int:
    if not rules.high_risk:
        return LOW_RISK_DAY
    return world.restart if rules.corrected else PRINTED_DAY


def age_on(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def _fall(world: World) -> Decimal:
    rows = valid(world, "Haemoglobin")
    before = [row for row in rows if row.day < world.admitted]
    return grams(before[-1]) - min(grams(row) for row in rows if row.day >= world.admitted)


def _iron(haemoglobin: Decimal, weight: Decimal) -> int:
    """Table 4."""
    if haemoglobin < 100:
        return 1500 if weight < 70 else 2000
    return 1000 if weight < 70 else 1500


def at_most(table: tuple[tuple[int, int], ...], filtered: Decimal) -> int:
    """mg a day at this clearance; 0 below the last line."""
    return next((most for least, most in table if filtered >= least), 0)


def apixaban(found: Basis, age: int) -> Decimal:
    """A single dose: reduced when two of three hold."""
    held = (age >= REDUCED_AGE, found.actual <= REDUCED_KG, found.creatinine >= REDUCED_UMOL)
    return Decimal("2.5") if sum(held) >= 2 else Decimal(5)


def strength(drug: str, dose: Decimal, rules: Rules) -> Decimal:
    """mg of the stocked tablet of which the fewest whole ones make a dose."""
    kept = [one for one in STOCK if one.generic == drug and one.stocked and not one.brand]
    if drug == "tetracycline" and rules.short_capsules:
        kept = [one for one in kept if one.strength != "500"]
    sizes = [
        Decimal(one.strength) * (Decimal("0.001") if one.unit == "microgram" else 1) for one in kept
    ]
    return max(size for size in sizes if dose % size == 0)
