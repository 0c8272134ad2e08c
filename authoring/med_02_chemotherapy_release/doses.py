"""Lines, decisions, sums of anthracyclines, vials."""

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_CEILING, Decimal

import msgspec
from msgspec.structs import replace

from authoring.med_02_chemotherapy_release import rules as r
from authoring.med_02_chemotherapy_release.rules import Dose, Reading, Rules, Sum
from authoring.med_02_chemotherapy_release.world import Drug, Line, World
from authoring.parts.numbers import rounded

D = Decimal
DEFER, REFER, RELEASE = "defer", "refer", "release"
DAYS = tuple(date(2026, 3, n) for n in (9, 10, 11, 12))
LEAST = {"T": 21, "W": 7, "A": 21}
ECHO_DAYS, PUMP_LEAST, RELOAD = 90, 50, 42


class Batch(msgspec.Struct, frozen=True):
    """A drug on a day."""

    day: date
    drug: str
    amount: Decimal
    vials: int
    surplus: Decimal
    cost: Decimal


class Found(msgspec.Struct, frozen=True, kw_only=True):
    readings: dict[str, Reading]
    sums: dict[str, Sum]
    doses: tuple[Dose, ...]
    batches: tuple[Batch, ...]


def packed(drug: Drug, amount: Decimal) -> tuple[int, Decimal, Decimal]:
    """Vials, surplus, cost: least surplus, then fewest vials."""
    left = int((amount / drug.sizes[0]).to_integral_value(ROUND_CEILING))
    whole, count, cost = left * drug.sizes[0], 0, D(0)
    for size, price in zip(drug.sizes[::-1], drug.prices[::-1], strict=True):
        units = int(size / drug.sizes[0])
        count, cost, left = count + left // units, cost + left // units * price, left % units
    return count, whole - amount, cost


def find(world: World, rules: Rules) -> Found:
    readings = {key: r.reading(world, one, rules) for key, one in world.patients.items()}
    raw: dict[str, list[Dose]] = {key: [] for key in readings}
    for line in world.lines:
        raw[line.patient].append(_dose(world, line, readings[line.patient], rules))
    doses: list[Dose] = []
    sums: dict[str, Sum] = {}
    for key, told in readings.items():
        code = _code(told, raw[key], rules)
        decision = RELEASE if code == "C0" else DEFER if code < "C4" else REFER
        readings[key] = replace(told, code=code, decision=decision)
        ours = [one if code == "C0" else replace(one, dose=D(0)) for one in raw[key]]
        doses += ours
        for one in ours:
            if one.line.drug in r.ANTHRACYCLINES:
                sums[key] = _summed(world, told, one, rules)
    doses.sort(key=lambda one: one.line.no)
    batches = tuple(
        _batch(world, day, drug, doses, rules) for day in DAYS for drug in world.drugs.values()
    )
    return Found(readings=readings, sums=sums, doses=tuple(doses), batches=batches)


def _summed(world: World, told: Reading, one: Dose, rules: Rules) -> Sum:
    before = r.sum_before(world, told, rules)
    equal = rules.equal if one.line.drug == "epirubicin" else D(1)
    after = rounded(before + one.dose * equal / told.surface, 1)
    return Sum(before, r.limit(told, rules), after)


def per_of(told: Reading, line: Line, rules: Rules) -> Decimal:
    if line.drug == "trastuzumab" and rules.reload:
        return D(8) if told.interval > RELOAD else D(6)
    return line.per


def _size(told: Reading, drug: Drug, rules: Rules) -> Decimal | None:
    if drug.per == "auc":
        return None if told.clearance is None else min(told.clearance, rules.most) + 25
    return told.weight if drug.per == "kg" else told.surface


def _dose(world: World, line: Line, told: Reading, rules: Rules) -> Dose:
    drug = world.drugs[line.drug]
    per, size = per_of(told, line, rules), _size(told, drug, rules)
    full = D(0) if size is None else per * size
    if line.drug == "vincristine" and not rules.cap_last:
        full = min(full, D(2))
    known = told.bilirubin is not None and told.clearance is not None
    organ = D(100)
    if known and not drug.antibody:
        assert told.bilirubin is not None
        assert told.clearance is not None
        organ = r.organ(drug, told.bilirubin, told.clearance)
    factors = {"level": told.level, "organ": organ, "blood": told.blood}
    if drug.antibody:
        factors = {"level": D(100), "organ": D(100), "blood": D(100)}
    factor = min(factors.values())
    if rules.product:
        factor = factors["level"] * factors["organ"] * factors["blood"] / 10000
    why = next((name for name, value in factors.items() if value == factor < 100), "none")
    if factor == 100 and line.drug == "vincristine" and per * told.surface > 2:
        why = "cap"
    computed = full * factor / 100
    if rules.cap_last and line.drug == "vincristine":
        computed = min(computed, D(2))
    whole = rounded(computed / drug.sizes[0], 0) * drug.sizes[0]
    stepped = rounded(computed / drug.step, 0) * drug.step
    near = rules.whole_antibody if drug.antibody else rules.whole
    dose = whole if computed and abs(whole - computed) <= near * computed else stepped
    made = Dose(
        line=line,
        per=per,
        size=size,
        full=full,
        organ=organ,
        factor=factor,
        why=why,
        computed=computed,
        whole=whole,
        stepped=stepped,
        room=None,
        dose=dose,
        batch=r.batch(told.patient.start, drug, rules),
    )
    return _limited(world, told, made, rules) if drug.name in r.ANTHRACYCLINES else made


def _limited(world: World, told: Reading, made: Dose, rules: Rules) -> Dose:
    equal = rules.equal if made.line.drug == "epirubicin" else D(1)
    left = r.limit(told, rules) - r.sum_before(world, told, rules)
    room = left / equal * told.surface
    step = world.drugs[made.line.drug].step
    if made.computed > room:
        return replace(made, room=room, dose=max(D(0), r.down(room, step)), why="cumulative")
    if made.dose > room and rules.rounded_down:
        return replace(made, room=room, dose=r.down(made.computed, step))
    return replace(made, room=room)


def _code(told: Reading, doses: Sequence[Dose], rules: Rules) -> str:
    category = told.patient.category
    least = LEAST[category] - (rules.early if category == "W" else 0)
    values = (told.neutrophils, told.platelets, told.creatinine, told.bilirubin)
    heart = {one.line.drug for one in doses} & {*r.ANTHRACYCLINES, "trastuzumab"}
    pump, age = told.pump, told.pump_age
    weak = pump is None or age is None or age > ECHO_DAYS or pump < PUMP_LEAST
    tests = {
        "C1": told.interval < least,
        "C2": category != "A" and None in values,
        "C3": told.blood == 0,
        "C4": bool(heart) and weak,
        "C5": any(one.organ == 0 for one in doses),
        "C6": any(one.room is not None and one.room < one.computed / 2 for one in doses),
    }
    return next((code for code, holds in tests.items() if holds), "C0")


def _batch(world: World, day: date, drug: Drug, doses: Sequence[Dose], rules: Rules) -> Batch:
    ours = [one.dose for one in doses if one.batch == day and one.line.drug == drug.name]
    amount = sum(ours, D(0))
    parts = [amount] if drug.share and rules.sharing else ours
    packs = [packed(drug, part) for part in parts]
    surplus = sum((one[1] for one in packs), D(0))
    cost = sum((one[2] for one in packs), D(0))
    return Batch(day, drug.name, amount, sum(one[0] for one in packs), surplus, cost)
