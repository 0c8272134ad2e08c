"""One machine, its drawings, notices and records as they lie about before a build, from a seed.

A roller station of four assemblies. Numbers of drawings are `4410-110`; the places below name them
by their last three digits, bought parts by their whole number.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.parts.dice import Dice
from authoring.parts.numbers import rounded
from authoring.parts.people import company, people
from authoring.stem_01_drawing_bom.nouns import (
    Dim,
    Measured,
    Notice,
    Part,
    Place,
    Unit,
    World,
)
from authoring.stem_01_drawing_bom.record import erp_lines

D = Decimal
TRADES = ("Conveyors", "Handling Systems", "Machinery", "Roller Technology")
BASES = ("4410", "5230", "3870", "6120")
ROLES = ("Master data", "Design office", "Quality", "Purchasing")
BEARING, ALTERNATE = "90-6206", "90-6206-A"
# Parent, item, part, quantity, key part. Parts of three digits are drawings of the machine.
PLACES: tuple[tuple[str, int, str, int, bool], ...] = (
    ("000", 1, "100", 2, False),
    ("000", 2, "200", 2, False),
    ("000", 3, "001", 1, True),
    ("000", 4, "002", 4, False),
    ("000", 5, "90-0825", 8, False),
    ("000", 6, "90-0208", 8, False),
    ("000", 7, "90-2210", 1, False),
    ("100", 1, "101", 1, True),
    ("100", 2, "102", 1, False),
    ("100", 3, "110", 2, False),
    ("100", 4, "90-7012", 1, False),
    ("100", 5, "90-0471", 2, False),
    ("110", 1, "111", 1, True),
    ("110", 2, BEARING, 2, True),
    ("110", 3, "113", 1, False),
    ("110", 4, "112", 1, False),
    ("110", 5, "90-0616", 6, False),
    ("110", 6, "90-4562", 1, False),
    ("110", 7, "95-0010", 40, False),
    ("110", 8, "90-0412", 1, False),
    ("200", 1, "201", 1, True),
    ("200", 2, "202", 1, False),
    ("200", 3, "90-0825", 2, False),
    ("200", 4, "90-0850", 2, False),
    ("200", 5, "95-0100", 1260, False),
)
OLD_SCREWS, SCREWS = 4, 6
"""Item 5 of the bearing block, before and after revision D."""
ASSEMBLIES = (
    ("000", "Roller station"),
    ("100", "Roller cartridge"),
    ("110", "Bearing block"),
    ("200", "Adjuster"),
)
# Number, name, material, middle price, mass in kg (item master).
MADE = (
    ("001", "Base frame", "S355J2", "612.00", "68.400"),
    ("002", "Clamp bar", "S235JR", "14.80", "1.150"),
    ("101", "Shaft", "42CrMo4+QT", "96.50", "5.020"),
    ("102", "Roller tube", "E235+N", "58.20", "9.720"),
    ("111", "Housing", "EN-GJL-250", "71.40", "2.480"),
    ("112", "Cover", "EN AW-6082-T6", "18.90", "0.460"),
    ("113", "Spacer ring", "C45", "6.30", "0.058"),
    ("201", "Spindle", "42CrMo4", "33.70", "0.830"),
    ("202", "Nut block", "CuSn12-C", "27.60", "0.460"),
)
# Number, name, price, per, mass, unit of the mass, unit of the parts list.
BOUGHT: tuple[tuple[str, str, str, int, str, Literal["kg", "g"], Unit], ...] = (
    ("90-0825", "Screw ISO 4017 - M8x25 - 8.8", "11.40", 100, "16.3", "g", "pcs"),
    ("90-0208", "Washer ISO 7089 - 8 - 200 HV", "2.10", 100, "2.1", "g", "pcs"),
    ("90-2210", "Rating plate", "3.20", 1, "12.0", "g", "pcs"),
    ("90-7012", "Key DIN 6885 - A 8x7x40", "0.92", 1, "17.2", "g", "pcs"),
    ("90-7010", "Key DIN 6885 - A 8x7x32", "0.78", 1, "13.7", "g", "pcs"),
    ("90-0471", "Retaining ring DIN 471 - 30x1.5", "16.50", 100, "3.5", "g", "pcs"),
    (BEARING, "Ball bearing 6206-2RS", "7.85", 1, "0.204", "kg", "pcs"),
    (ALTERNATE, "Ball bearing 6206-2RS1, second source", "8.10", 1, "0.201", "kg", "pcs"),
    ("90-0616", "Screw ISO 4762 - M6x25 - 8.8", "9.60", 100, "7.6", "g", "pcs"),
    ("90-4562", "Shaft seal 30x45x8 NBR", "1.95", 1, "14.0", "g", "pcs"),
    ("95-0010", "Grease NLGI 2", "13.40", 1, "1.000", "kg", "g"),
    ("90-0412", "Grease nipple DIN 71412 - A M6", "38.00", 100, "4.4", "g", "pcs"),
    ("90-0850", "Lock nut ISO 7042 - M12 - 8", "24.00", 100, "17.5", "g", "pcs"),
    ("95-0100", "Sealing cord 6 mm", "1.15", 1, "0.035", "kg", "mm"),
    ("90-0733", "Locking plate", "4.35", 1, "31.0", "g", "pcs"),
)
# Day of the check, build start, closed days, closed day that a mail adds.
SCHEDULES = (
    ((2025, 4, 28), (2025, 5, 19), ((2025, 5, 1), (2025, 5, 2)), (2025, 5, 9)),
    ((2025, 5, 26), (2025, 6, 18), ((2025, 5, 29), (2025, 5, 30), (2025, 6, 9)), (2025, 6, 5)),
    ((2025, 9, 29), (2025, 10, 20), ((2025, 10, 3),), (2025, 10, 7)),
    ((2025, 10, 27), (2025, 11, 17), ((2025, 10, 31),), (2025, 11, 5)),
)
SHIFT = D("0.10")
"""What a notice takes off the spacer's length."""
BEARING_WIDTH, BEARING_MINUS = D("16.00"), D("0.12")
GAP = (D("0.10"), D("0.70"))
OLD_GAP = (D("0.05"), D("0.50"))


def world(seed: int) -> World:
    dice = Dice("drawing-bom", seed)
    base = dice.pick(BASES)
    checked, build, closed, too = dice.pick(SCHEDULES)
    head, former, *staff = (one.name for one in people(dice, 6, plain=True))
    start = date(*build)
    notices = _notices(Dice("notices", seed), base, start)
    dims = _dims(Dice("dims", seed), base)
    parts, places = _parts(Dice("parts", seed), base), _places(base)
    revisions = _revisions(Dice("revisions", seed), base)
    gauge_error = D(dice.pick(("0.012", "0.013", "0.014")))
    return World(
        seed=seed,
        company=company(dice, TRADES),
        base=base,
        head=head,
        owners=dict(zip(ROLES, staff, strict=True)),
        former=former,
        checked=date(*checked),
        build=start,
        closed=tuple(date(*day) for day in closed),
        closed_too=date(*too),
        parts=parts,
        places=places,
        notices=notices,
        revisions=revisions,
        erp=erp_lines(places, parts, revisions, start),
        dims=dims,
        loose=_loose(dims),
        measured=_measured(Dice("measured", seed), dims, gauge_error),
        gauge_error=gauge_error,
        stations=dice.whole(8, 16, 2),
    )


def full(base: str, part: str) -> str:
    """The whole number of a part."""
    return f"{base}-{part}" if len(part) == 3 else part


def _places(base: str) -> tuple[Place, ...]:
    return tuple(
        Place(full(base, parent), item, full(base, part), D(qty), key)
        for parent, item, part, qty, key in PLACES
    )


def _parts(dice: Dice, base: str) -> dict[str, Part]:
    def price(middle: str) -> Decimal:
        return rounded(D(middle) * dice.whole(88, 114) / 100, 2)

    found = [
        Part(number=full(base, number), name=name, kind="assembly") for number, name in ASSEMBLIES
    ]
    drawn: dict[str, tuple[str, Literal["kg", "lb"]]] = {
        "101": (f"4.{dice.whole(78, 92)}", "kg"),
        "111": (f"2.{dice.whole(26, 36)}", "kg"),
        "112": (f"0.{dice.whole(90, 96)}", "lb"),
        "113": (f"0.05{dice.whole(0, 4)}", "kg"),
    }
    for number, name, material, middle, mass in MADE:
        shown = drawn.get(number)
        one = Part(
            number=full(base, number),
            name=name,
            kind="made",
            material=material,
            price=price(middle),
            mass=D(mass),
            drawn_mass=D(shown[0]) if shown else None,
            drawn_unit=shown[1] if shown else "kg",
        )
        found.append(one)
    for number, name, middle, per, mass, mass_unit, unit_ in BOUGHT:
        one = Part(
            number=number,
            name=name,
            kind="bought",
            unit=unit_,
            price=price(middle),
            per=per,
            mass=D(mass),
            mass_unit=mass_unit,
        )
        found.append(one)
    return {one.number: one for one in found}


def _revisions(dice: Dice, base: str) -> dict[str, str]:
    fixed = {"110": "D", "101": "B", "202": "B"}
    drawings = [number for number, _ in ASSEMBLIES] + [one[0] for one in MADE]
    return {full(base, one): fixed.get(one) or dice.pick("ABBC") for one in drawings}


def _notices(dice: Dice, base: str, build: date) -> tuple[Notice, ...]:
    """Six notices: shown already, alternate, cancelled, two not shown yet, one for later builds."""
    first, numbers = dice.whole(2140, 2260), [0]
    for _ in range(5):
        numbers.append(numbers[-1] + dice.whole(2, 7))
    names = [f"ECN-{first + number}" for number in numbers]

    def before(days: int) -> date:
        return build - timedelta(days=days)

    def no(suffix: str) -> str:
        return full(base, suffix)

    block = {"number": names[0], "title": "Cover screws and axial gap", "status": "Released"}
    shown = f"{no('110')} rev D"
    fasten = {"number": names[3], "title": "Washers and lock nuts", "status": "Released"}
    points: tuple[dict[str, object], ...] = (
        {**block, "effective": before(160), "code": "QTY", "at": no("110"), "item": "5"}
        | {"value": str(SCREWS), "incorporated": shown},
        {"number": names[1], "title": "Second source for bearing 6206", "status": "Released"}
        | {"effective": before(120), "code": "ALT", "at": BEARING, "item": ALTERNATE, "value": ""},
        {"number": names[2], "title": "Housing in ductile iron", "status": "Cancelled"}
        | {"effective": before(60), "code": "MAT", "at": no("110"), "item": "1"}
        | {"value": "EN-GJS-400-15"},
        {**fasten, "effective": before(40), "code": "QTY", "at": no("000"), "item": "6"}
        | {"value": "16"},
        {**fasten, "effective": before(40), "code": "QTY", "at": no("200"), "item": "4"}
        | {"value": "3"},
        {"number": names[4], "title": "Spacer ring shorter", "status": "Released"}
        | {"effective": before(26), "code": "DIM", "at": no("113"), "item": "C10", "value": ""},
        {"number": names[5], "title": "Six clamp bars", "status": "Released"}
        | {"effective": build + timedelta(days=28), "code": "QTY", "at": no("000"), "item": "4"}
        | {"value": "6"},
    )
    return tuple(msgspec.convert(point, Notice) for point in points)


def _dims(dice: Dice, base: str) -> tuple[Dim, ...]:
    def no(suffix: str) -> str:
        return full(base, suffix)

    spacer = D(dice.pick(("12.00", "12.20", "12.40")))
    spigot = D(dice.pick(("0.390", "0.394", "0.400")))
    chain = 2 * BEARING_WIDTH + spacer - SHIFT + spigot * D("25.4") + D("0.20")
    depth = rounded(chain * 20, 0) / 20
    length = D(dice.whole(620, 680, 5))
    rows: tuple[tuple[str, str, str, Literal["mm", "in"], Decimal, str, str], ...] = (
        ("C01", "101", "Bearing seat, diameter k6", "mm", D("30"), "0.015", "0.002"),
        ("C02", "101", "Length over all", "mm", length, "", ""),
        ("C03", "101", "Distance of shoulders", "mm", length - 128, "0.2", "-0.2"),
        ("C04", "111", "Bore, diameter H7", "mm", D("62"), "0.030", "0"),
        ("C05", "111", "Depth of bore", "mm", rounded(depth, 2), "0.10", "0"),
        ("C06", "111", "Distance of foot holes", "mm", D(dice.whole(92, 104, 2)), "", ""),
        ("C07", "112", "Length of spigot", "in", spigot, "0.002", "-0.002"),
        ("C08", "112", "Diameter of spigot", "in", D("2.4400"), "0", "-0.0012"),
        ("C09", "112", "Thickness of flange", "in", D(dice.pick(("0.500", "0.512"))), "", ""),
        ("C10", "113", "Length", "mm", spacer, "0", "-0.05"),
        ("C11", "113", "Outer diameter", "mm", D("61.5"), "", ""),
    )
    return tuple(
        Dim(code, no(part), what, unit, nominal, _number(upper), _number(lower))
        for code, part, what, unit, nominal, upper, lower in rows
    )


def _number(text: str) -> Decimal | None:
    return D(text) if text else None


def _loose(dims: Sequence[Dim]) -> tuple[Dim, ...]:
    """The shaft as a preliminary revision wants it: tighter on its bearings, and longer."""
    seat, length, shoulders, *_ = dims
    new = msgspec.structs.replace
    return (
        new(seat, what="Bearing seat, diameter m6", upper=D("0.021"), lower=D("0.008")),
        new(length, nominal=length.nominal + 12),
        new(shoulders, nominal=shoulders.nominal + 12),
    )


def _measured(dice: Dice, dims: Sequence[Dim], gauge_error: Decimal) -> tuple[Measured, ...]:
    """Per characteristic the offsets from what was drawn, in its own unit, piece by piece."""
    wrong = gauge_error
    spread: dict[str, tuple[tuple[int, tuple[str, ...]], ...]] = {
        "C01": ((1, ("0.006", "0.008", "0.004", "0.009")),),
        "C02": ((1, ("0.3", "-0.4", "0.1", "0.2")),),
        "C03": ((1, ("0.05", "-0.08", "0.11", "0.02")),),
        "C04": ((1, ("0.013", "0.019", "0.016", "0.024", "0.017")),),
        "C05": ((1, ("0.04", "0.07", "0.05", "0.08", "0.06")),),
        "C07": ((1, ("0.0006", "0.0011", "0.0034", "0.0009", "-0.0004")),),
        "C08": ((1, ("-0.0005", "-0.0007", "-0.0003", "-0.0004", "-0.0006")),),
        "C09": ((1, ("0.0020", "0.0012", "-0.0008", "0.0031", "0.0006")),),
        "C10": (
            (1, ("-0.01", "-0.02", "0.00", "-0.03", "-0.01")),
            (2, ("-0.12", "-0.13", "-0.11", "-0.13", "-0.12")),
        ),
    }
    gauges = {"C04": "G-17", "C05": "G-04", "C10": "G-09"}
    found = []
    for dim in dims:
        for inspection, offsets in spread.get(dim.code, ()):
            for piece, offset in enumerate(dice.shuffled(offsets), 1):
                value = dim.nominal + D(offset) + (wrong if dim.code == "C04" else 0)
                gauge = gauges.get(dim.code, "")
                one = Measured(dim.part, dim.code, inspection, piece, value, dim.unit, gauge)
                found.append(_in_mm(one) if dim.code == "C09" else one)
    return tuple(found)


def _in_mm(one: Measured) -> Measured:
    """The supplier measured this one with a metric micrometer."""
    return msgspec.structs.replace(one, value=rounded(one.value * D("25.4"), 3), unit="mm")
