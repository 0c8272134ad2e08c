"""The patient, the two stays and what was measured, drawn from a seed.

A man of 79 with atrial fibrillation bleeds from a gastric ulcer ten weeks after his last stent. He
turns 80 while he still takes clopidogrel. Days hang on the day of discharge, which is a day of the
week on which the blood test before the anticoagulant falls on a weekend.
"""

from datetime import date, timedelta
from decimal import Decimal

import msgspec

from authoring.med_01_bleed_after_stent.lab import Lab, labs
from authoring.med_01_bleed_after_stent.shelf import HomeLine, home_list, pick_brands
from authoring.parts.dice import Dice
from authoring.parts.numbers import rounded
from authoring.parts.people import Person, people

DAY = timedelta(days=1)
HOSPITALS = (
    "Marrenfeld Hospital",
    "St Orlan Hospital",
    "Tessaly Bridge Hospital",
    "Quarrow Vale Hospital",
    "Hollin Reach Hospital",
)
WEEKDAYS = {9: (2, 3), 10: (1, 2), 12: (0,)}
"""Day of the anticoagulant's restart to the weekdays (Monday 0) of discharge that put the day
before it on a Saturday or Sunday."""
PRINTED_DAY = 7
"""What Table 3 of the guideline says by mistake."""
INCH, POUND = Decimal("2.54"), Decimal("0.4536")
MILLIGRAM = Decimal("88.4")
"""1 mg/dL of creatinine in umol/L."""
VESSELS = ("left anterior descending artery", "circumflex artery", "right coronary artery")


class Stent(msgspec.Struct, frozen=True):
    day: date
    vessel: str
    width: str
    length: int
    """Both in mm."""


class Measure(msgspec.Struct, frozen=True):
    """One line of the nursing chart."""

    day: date
    time: str
    item: str
    value: str
    unit: str
    how: str


class Team(msgspec.Struct, frozen=True):
    consultant: Person
    resident: Person
    operator: Person
    endoscopist: Person
    pharmacist: Person
    practitioner: Person
    nurse: Person


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    hospital: str
    patient: Person
    record: str
    born: date
    team: Team
    admitted: date
    day_zero: date
    control: date
    discharge: date
    restart: int
    """The day of the anticoagulant, as the correction says."""
    stents: tuple[Stent, ...]
    """Of two procedures of one stay."""
    feet: int
    inches: Decimal
    pounds: Decimal
    """Last weight on a scale."""
    reported_height: int
    reported_weight: int
    measures: tuple[Measure, ...]
    milligrams: Decimal
    """Creatinine in mg/dL: the last valid one."""
    cancelled: Decimal
    """The one after it, of somebody else's blood."""
    labs: tuple[Lab, ...]
    home: tuple[HomeLine, ...]
    brands: dict[str, str]
    closed: tuple[tuple[date, str], ...] = ()
    """Days on which the clinics are shut, beside weekends. `story` draws them: they fall on due
    dates."""

    @property
    def birthday(self) -> date:
        """The eightieth."""
        return self.born.replace(year=self.born.year + 80)

    @property
    def first_pci(self) -> date:
        return self.stents[0].day

    @property
    def last_pci(self) -> date:
        return self.stents[-1].day

    @property
    def height(self) -> Decimal:
        """In cm, as the guideline converts it."""
        return rounded((12 * self.feet + self.inches) * INCH, 1)

    @property
    def weight(self) -> Decimal:
        """In kg."""
        return rounded(self.pounds * POUND, 1)


def world(seed: int) -> World:
    dice = Dice("bleed-after-stent", seed)
    who = people(dice, 8)
    restart = dice.pick((9, 10, 12))
    discharge = _discharge(dice, restart)
    day_zero = discharge - 5 * DAY
    stents = _stents(Dice("stents", seed), day_zero)
    body = _body(Dice("body", seed))
    brands = pick_brands(Dice("brands", seed))
    milligrams, cancelled = body.creatinine
    return World(
        seed=seed,
        hospital=dice.pick(HOSPITALS),
        patient=who[0],
        record=f"{dice.whole(20, 89)}-{dice.whole(100000, 999999)}",
        born=_born(dice, day_zero + restart * DAY),
        team=Team(*who[1:]),
        admitted=day_zero - 2 * DAY,
        day_zero=day_zero,
        control=day_zero + 2 * DAY,
        discharge=discharge,
        restart=restart,
        stents=stents,
        feet=5,
        inches=body.inches,
        pounds=body.pounds,
        reported_height=body.said_height,
        reported_weight=body.said_weight,
        measures=_measures(Dice("chart", seed), body, day_zero),
        milligrams=milligrams,
        cancelled=cancelled,
        labs=labs(Dice("labs", seed), day_zero, milligrams, cancelled),
        home=home_list(Dice("home", seed), brands, stents[0].day, day_zero),
        brands=brands,
    )


def _discharge(dice: Dice, restart: int) -> date:
    found = date(2025, 3, 24) + dice.below(150) * DAY
    while found.weekday() not in WEEKDAYS[restart]:
        found += DAY
    return found


def _born(dice: Dice, anticoagulant: date) -> date:
    """The eightieth birthday comes well within the plan."""
    birthday = anticoagulant + dice.whole(50, 120) * DAY
    if (birthday.month, birthday.day) == (2, 29):
        birthday += DAY
    return birthday.replace(year=birthday.year - 80)


def _stents(dice: Dice, day_zero: date) -> tuple[Stent, ...]:
    """Two in the first procedure, one in the second: three and over 60 mm only together."""
    last = day_zero - dice.whole(67, 73) * DAY
    while last.weekday() > 4:
        last += DAY
    first = last - dice.whole(4, 5) * DAY
    vessels = dice.shuffled(VESSELS)
    lengths = dice.pick(((28, 18, 22), (24, 20, 26), (22, 23, 20), (28, 16, 24)))
    widths = [dice.pick(("2.75", "3.0", "3.5")) for _ in lengths]
    return (
        Stent(first, vessels[0], widths[0], lengths[0]),
        Stent(first, vessels[0], widths[1], lengths[1]),
        Stent(last, vessels[1], widths[2], lengths[2]),
    )


class Body(msgspec.Struct, frozen=True):
    inches: Decimal
    pounds: Decimal
    said_height: int
    said_weight: int
    creatinine: tuple[Decimal, Decimal]


def clearance(weight: Decimal, creatinine: Decimal, age: int = 79) -> Decimal:
    """Cockcroft and Gault for a man; kg, umol/L, mL/min."""
    return (140 - age) * weight * Decimal("1.23") / creatinine


def ideal(height: Decimal) -> Decimal:
    """Of a man; cm to kg."""
    return rounded(50 + Decimal("0.91") * (height - Decimal("152.4")), 1)


def adjusted(ideal_weight: Decimal, actual: Decimal) -> Decimal:
    return rounded(ideal_weight + Decimal("0.4") * (actual - ideal_weight), 1)


def _body(dice: Dice) -> Body:
    """Drawn until the clearance is 40 to 44 by the right weight, over 50 by the actual one."""
    while True:
        inches = Decimal(dice.pick(("6.5", "7", "7.5", "8", "8.5", "9")))
        height = rounded((60 + inches) * INCH, 1)
        lean = ideal(height)
        pounds = rounded(lean * dice.decimal("1.46", "1.60") / POUND, 1)
        actual = rounded(pounds * POUND, 1)
        right = adjusted(lean, actual)
        target = dice.decimal("40.6", "43.7")
        milligrams = rounded(clearance(right, target) / MILLIGRAM, 2)
        creatinine = rounded(milligrams * MILLIGRAM, 0)
        fits = Decimal("40.5") < clearance(right, creatinine) < Decimal("43.8")
        if fits and clearance(actual, creatinine) > Decimal("50.6") and creatinine > 136:
            cancelled = milligrams - dice.decimal("0.20", "0.26")
            said = int(actual) - dice.whole(7, 10)
            return Body(inches, pounds, int(height) + 4, said, (milligrams, cancelled))


def _measures(dice: Dice, body: Body, day_zero: date) -> tuple[Measure, ...]:
    """From admission (two days before Day 0) to the eve of discharge."""
    lines = []
    tall, heavy = f"5 ft {body.inches} in", "bed scale, blanket and pump removed"
    for number in range(-2, 5):
        day = day_zero + number * DAY
        low = 98 if number < 1 else 118
        pressure = f"{dice.whole(low, low + 12)}/{dice.whole(58, 74)}"
        lines.append(Measure(day, "07:45", "blood pressure", pressure, "mmHg", "cuff, left arm"))
        pulse = dice.whole(92, 112) if number < 1 else dice.whole(66, 84)
        lines.append(Measure(day, "07:45", "pulse", str(pulse), "/min", "irregular"))
    said = str(body.said_weight)
    early = rounded(body.pounds - dice.decimal("3.0", "5.5"), 1)
    extra = (
        (0, Measure(day_zero - 2 * DAY, "04:50", "weight", said, "kg", "as told by the patient")),
        (
            1,
            Measure(
                day_zero - 2 * DAY,
                "04:50",
                "height",
                f"{body.said_height}",
                "cm",
                "as told by the patient",
            ),
        ),
        (6, Measure(day_zero - DAY, "09:20", "weight", f"{early}", "lb", heavy)),
        (7, Measure(day_zero - DAY, "09:40", "height", tall, "", "measured lying, tape")),
        (15, Measure(day_zero + 3 * DAY, "06:30", "weight", f"{body.pounds}", "lb", "chair scale")),
        (
            18,
            Measure(
                day_zero + 4 * DAY,
                "11:10",
                "weight",
                str(body.said_weight + 3),
                "kg",
                "estimated for the lift",
            ),
        ),
    )
    for place, line in extra:
        lines.insert(place, line)
    return tuple(sorted(lines, key=lambda line: (line.day, line.time)))
