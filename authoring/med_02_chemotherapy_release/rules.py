"""What protocol, amendment and minutes make of the world; `Rules` are the settings, so that a slip,
or an error in an order, is the same computation with one of them wrong."""

from datetime import date, datetime, timedelta
from decimal import ROUND_FLOOR, Decimal

import msgspec

from authoring.med_02_chemotherapy_release.world import Drug, Given, Line, Patient, World, bsa
from authoring.parts.numbers import rounded

D = Decimal
ANTHRACYCLINES = ("doxorubicin", "epirubicin")
WINDOW = (datetime(2026, 3, 8, 22, 0), datetime(2026, 3, 9, 5, 30))  # noqa: DTZ001 - local time
FIRST_WINDOW = datetime(2026, 3, 9, 6, 30)  # noqa: DTZ001 - local time
MISSING = None


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """Right as it stands."""

    hours: int = 72
    chemistry: int = 120
    """For category W."""
    corrected: bool = True
    cancelled: bool = True
    off: Decimal = D(9)
    until: datetime = WINDOW[1]
    by_sample: bool = False
    """The window by the time of sampling."""
    ahead: bool = True
    """Hours of the outside laboratory are turned into ours."""
    floor: Decimal = D(62)
    most: Decimal = D(125)
    adjusted: bool = True
    estimated: bool = False
    change: Decimal = D("0.10")
    surface_cap: Decimal | None = None
    listed_height: bool = False
    gcsf: bool = True
    letters: bool = True
    register_days: bool = False
    early: int = 1
    """Days that category W may come early."""
    decimals: int = 2
    """Of neutrophils."""
    product: bool = False
    """Factors multiplied."""
    cap_last: bool = False
    equal: Decimal = D("0.5")
    limit: Decimal = D(450)
    lower: Decimal = D(400)
    radiated: Decimal = D(400)
    lowered: bool = True
    own_surface: bool = True
    """Earlier doses by the surface of their day."""
    as_given: bool = True
    once: bool = True
    others: bool = True
    """What was given elsewhere counts."""
    reload: bool = True
    orders_per: bool = False
    whole: Decimal = D("0.05")
    whole_antibody: Decimal = D("0.10")
    rounded_down: bool = True
    """A rounding gives way to the limit."""
    evening: bool = True
    stable: bool = True
    """Short-lived drugs are not prepared the evening before."""
    sharing: bool = True


RIGHT = Rules()


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One patient on the day, as the protocol reads the record."""

    patient: Patient
    age: int
    weight: Decimal
    dosing: Decimal
    surface: Decimal
    mass_index: Decimal
    formula_weight: Decimal
    creatinine: Decimal | None
    clearance: Decimal | None
    neutrophils: Decimal | None
    platelets: Decimal | None
    bilirubin: Decimal | None
    interval: int
    pump: int | None
    """LVEF, per cent."""
    pump_age: int | None
    blood: Decimal
    """Factor, per cent; 0: not enough."""
    level: Decimal
    decision: str = ""
    code: str = ""


class Sum(msgspec.Struct, frozen=True):
    """Anthracyclines, mg/m2 as doxorubicin."""

    before: Decimal
    limit: Decimal
    after: Decimal


class Dose(msgspec.Struct, frozen=True, kw_only=True):
    line: Line
    per: Decimal
    size: Decimal | None
    """m2, kg, or clearance + 25; none where the clearance is missing."""
    full: Decimal
    organ: Decimal
    factor: Decimal
    why: str
    computed: Decimal
    whole: Decimal
    stepped: Decimal
    room: Decimal | None
    """Most that the limit leaves, mg."""
    dose: Decimal
    batch: date


def last_time(world: World, key: str, test: str, start: datetime, rules: Rules) -> datetime | None:
    return max((one[0] for one in _valid(world, key, test, start, rules)), default=None)


def _valid(
    world: World, key: str, test: str, start: datetime, rules: Rules
) -> list[tuple[datetime, Decimal]]:
    weekly = world.patients[key].category == "W" and test in ("CREA", "BILI")
    hours = rules.chemistry if weekly else rules.hours
    mine = [one for one in world.results if one.patient == key and one.test == test]
    found = []
    for one in mine:
        same = {other.status for other in mine if other.sample == one.sample}
        stands = one.status == "final"
        if rules.corrected and "corrected" in same:
            stands = one.status == "corrected"
        if rules.cancelled and "cancelled" in same:
            stands = False
        behind = one.analyser == "LX" and not rules.ahead
        taken = one.taken - timedelta(hours=1) if behind else one.taken
        inside = start - timedelta(hours=hours) <= taken <= start
        if stands and inside and one.value is not None:
            when = one.taken if rules.by_sample else one.measured
            off = one.analyser == "C2" and WINDOW[0] <= when <= rules.until
            found.append((one.taken, converted(one.test, one.value, one.unit, off, rules)))
    return found


def converted(test: str, value: Decimal, unit: str, off: bool, rules: Rules) -> Decimal:
    if unit == "mg/dL":
        value = rounded(value * D("88.4"), 0)
    if unit == "/µL":
        value = value / 1000
    return value - (rules.off if off and test == "CREA" else 0)


def _value(
    world: World, patient: Patient, test: str, start: datetime, rules: Rules
) -> Decimal | None:
    valid = _valid(world, patient.key, test, start, rules)
    return max(valid)[1] if valid else MISSING


def reading(world: World, patient: Patient, rules: Rules) -> Reading:
    day = patient.start.date()
    age = (
        day.year
        - patient.born.year
        - ((day.month, day.day) < (patient.born.month, patient.born.day))
    )
    scales = [
        one
        for one in world.weights
        if one.patient == patient.key
        and (rules.estimated or one.how != "estimated")
        and 0 <= (day - one.at.date()).days <= 7
    ]
    weight = max(scales, key=lambda one: one.at).kg
    moved = abs(weight - patient.dosing) / patient.dosing >= rules.change
    dosing = weight if moved else patient.dosing
    height = patient.listed_height if rules.listed_height else patient.height
    surface = bsa(height, dosing)
    if rules.surface_cap:
        surface = min(surface, rules.surface_cap)
    index = rounded(weight / (height / 100) ** 2, 1)
    ideal = (D("45.5") if patient.female else D(50)) + D("0.91") * (height - D("152.4"))
    formula = ideal + D("0.4") * (weight - ideal) if rules.adjusted and index >= 25 else weight
    values = {
        test: _value(world, patient, test, patient.start, rules)
        for test in ("NEUT", "PLT", "CREA", "BILI")
    }
    creatinine, clearance = values["CREA"], None
    if creatinine is not None:
        creatinine = max(rules.floor, creatinine)
        sex = D("1.04") if patient.female else D("1.23")
        clearance = rounded((140 - age) * formula * sex / creatinine, 1)
    echos = [(seen, ef) for key, seen, ef in world.echos if key == patient.key and seen <= day]
    level = patient.level if rules.letters else patient.listed_level
    return Reading(
        patient=patient,
        age=age,
        weight=weight,
        dosing=dosing,
        surface=surface,
        mass_index=index,
        formula_weight=formula,
        creatinine=creatinine,
        clearance=clearance,
        neutrophils=values["NEUT"],
        platelets=values["PLT"],
        bilirubin=values["BILI"],
        interval=(day - _last(world, patient, rules)).days,
        pump=max(echos)[1] if echos else None,
        pump_age=(day - max(echos)[0]).days if echos else None,
        blood=_blood(patient, values["NEUT"], values["PLT"], rules),
        level=level,
    )


def _last(world: World, patient: Patient, rules: Rules) -> date:
    if rules.register_days:
        return patient.planned
    rows = (row.day for row in world.given if row.patient == patient.key and row.status == "given")
    return max(rows)


def _blood(
    patient: Patient, neutrophils: Decimal | None, platelets: Decimal | None, rules: Rules
) -> Decimal:
    """Table 2."""
    if patient.category == "A":
        return D(100)
    if neutrophils is None or platelets is None:
        return D(0)
    counted = rounded(neutrophils, rules.decimals)
    if patient.category == "T":
        least = D(1) if patient.gcsf and rules.gcsf else D("1.5")
        return D(100) if counted >= least and platelets >= 100 else D(0)
    if counted >= 1 and platelets >= 100:
        return D(100)
    return D(80) if counted >= D("0.8") and platelets >= 75 else D(0)


def organ(drug: Drug, bilirubin: Decimal, clearance: Decimal) -> Decimal:
    """Table 3: per cent; 0: the line is referred."""
    first, factor, most = drug.bili
    by_liver = D(0) if bilirubin > most else factor if bilirubin > first else D(100)
    limit, share, least = drug.crcl
    by_kidney = D(0) if clearance < least else share if clearance < limit else D(100)
    return min(by_liver, by_kidney)


def sum_before(world: World, told: Reading, rules: Rules) -> Decimal:
    rows: list[Given] = [row for row in world.given if row.patient == told.patient.key]
    if rules.once:
        rows = list({row.infusion + row.drug: row for row in rows}.values())
    if rules.others:
        rows += [row for row in world.elsewhere if row.patient == told.patient.key]
    total = D(0)
    for row in rows:
        if row.drug in ANTHRACYCLINES and row.status == "given":
            mg = row.given if rules.as_given else row.prescribed
            surface = row.bsa if rules.own_surface else told.surface
            total += mg * _equal(row.drug, rules) / surface
    return rounded(total, 1)


def _equal(drug: str, rules: Rules) -> Decimal:
    return rules.equal if drug == "epirubicin" else D(1)


def limit(told: Reading, rules: Rules) -> Decimal:
    if "mediastinum" in told.patient.history:
        return rules.radiated
    lower = told.age >= 70 or (told.pump is not None and told.pump < 55)
    return rules.lower if rules.lowered and lower else rules.limit


def down(value: Decimal, step: Decimal) -> Decimal:
    return (value / step).to_integral_value(ROUND_FLOOR) * step


def batch(start: datetime, drug: Drug, rules: Rules) -> date:
    """The calendar day on which a dose is prepared."""
    early = (start.hour, start.minute) < (9, 30) and (drug.hours >= 24 or not rules.stable)
    return start.date() - timedelta(days=1 if early and rules.evening else 0)
