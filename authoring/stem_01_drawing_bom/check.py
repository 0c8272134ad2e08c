"""What the check comes to: entries, actions, the tolerance chain, mass and cost, the decision."""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

import msgspec

from authoring.stem_01_drawing_bom.nouns import Part, World
from authoring.stem_01_drawing_bom.rules import (
    CLASSES,
    DAYS,
    KINDS,
    Code,
    Compared,
    Limits,
    Rules,
    compare,
    due,
    limits,
)
from authoring.stem_01_drawing_bom.world import BEARING_MINUS, BEARING_WIDTH, GAP

D = Decimal


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the register."""

    parent: str
    item: int
    code: Code
    part: str
    key: bool
    drawn: str
    found: str
    """What ERP has, or what was measured."""
    governing: str
    source: str
    kinds: str
    """Of its actions, in the order in which they are taken: `HE`."""

    @property
    def id(self) -> str:
        return f"D-{self.parent[-3:]}-{self.item:02d}-{self.code}"

    @property
    def cls(self) -> str:
        return CLASSES[self.code][0 if self.key else 1]


class Action(msgspec.Struct, frozen=True, kw_only=True):
    entry: Entry
    kind: str
    owner: str
    days: int
    due: date

    @property
    def id(self) -> str:
        return f"A{self.entry.id[1:]}-{self.kind}"


class Link(msgspec.Struct, frozen=True):
    """A contributor of the chain; direction +1 opens the gap, -1 closes it."""

    name: str
    code: str
    direction: int
    count: int
    nominal: Decimal
    lower: Decimal
    upper: Decimal


class Chain(msgspec.Struct, frozen=True):
    links: tuple[Link, ...]
    nominal: Decimal
    smallest: Decimal
    largest: Decimal

    @property
    def met(self) -> bool:
        return self.smallest >= GAP[0] and self.largest <= GAP[1]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A part that is no assembly, per station."""

    part: Part
    qty: Decimal
    erp: Decimal
    unit_mass: Decimal
    """kg per unit of the parts list."""
    price: Decimal

    @property
    def mass(self) -> Decimal:
        return self.qty * self.unit_mass

    @property
    def change(self) -> Decimal:
        return (self.qty - self.erp) * self.price


def entries(world: World, lines: Sequence[Compared], found: Sequence[Limits]) -> tuple[Entry, ...]:
    made = [_entry(world, line, code) for line in lines for code in line.codes]
    out: dict[str, Limits] = {}
    for limit in found:
        if limit.verdict == "out":
            out.setdefault(limit.dim.part, limit)
    made += [_measured(world, line, out[line.part]) for line in lines if line.part in out]
    return tuple(sorted(made, key=lambda one: (one.parent, one.item, one.code)))


def _entry(world: World, line: Compared, code: Code) -> Entry:
    sheet = f"{line.parent} rev {world.revisions[line.parent]}"
    notice = line.notice.number if line.notice else ""
    told: dict[str, tuple[str, str, str, str]] = {
        "QTY": (_plain(line.drawn), _plain(line.erp), _plain(line.governing), notice or sheet),
        "PN": (line.part, line.erp_part, line.part, sheet),
        "MAT": (line.drawn_material, line.erp_material, line.material, notice or sheet),
        "REV": (line.revision, line.erp_revision, line.revision, "Drawing register"),
        "MIS": (line.part, "-", line.part, sheet),
        "EXT": ("-", line.erp_part, "-", sheet),
    }
    drawn, found, governing, source = told[code]
    wrong = "E" if found != governing else ""
    wrong += "W" if drawn != governing else ""
    one = Entry(
        parent=line.parent,
        item=line.item,
        code=code,
        part=line.part,
        key=line.key,
        drawn=drawn,
        found=found,
        governing=governing,
        source=source,
        kinds=wrong,
    )
    return msgspec.structs.replace(one, kinds=f"H{wrong}") if one.cls == "A" else one


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _measured(world: World, line: Compared, limit: Limits) -> Entry:
    notice = next((one for one in world.notices if one.item == limit.dim.code), None)
    wanted = f"{limit.lower:.4f} to {limit.upper:.4f} mm"
    sheet = f"{line.part} rev {world.revisions[line.part]}"
    return Entry(
        parent=line.parent,
        item=line.item,
        code="DIM",
        part=line.part,
        key=line.key,
        drawn=wanted,
        found=f"{limit.measured:.4f} mm ({limit.dim.code})",
        governing=wanted,
        source=notice.number if notice else sheet,
        kinds="HS",
    )


def actions(world: World, rules: Rules, register: Sequence[Entry]) -> tuple[Action, ...]:
    return tuple(_actions(world, rules, register))


def _actions(world: World, rules: Rules, register: Sequence[Entry]) -> Iterator[Action]:
    for entry in register:
        for kind in entry.kinds:
            days = DAYS["H" if kind == "H" else entry.cls]
            owner = world.owners[KINDS[kind]]
            day = due(world, rules, days)
            yield Action(entry=entry, kind=kind, owner=owner, days=days, due=day)


# --- the chain ----------------------------------------------------------------------------------


def chain(rules: Rules, lines: Sequence[Compared], found: Sequence[Limits]) -> Chain:
    """Depth of the bore, less two bearings, spacer and spigot."""
    by = {limit.dim.code: limit for limit in found}
    bearings = next(int(line.governing) for line in lines if line.part == "90-6206")

    def link(name: str, code: str, direction: int) -> Link:
        one = by[code]
        return Link(name, code, direction, 1, one.nominal, one.lower, one.upper)

    width = BEARING_WIDTH, BEARING_WIDTH - BEARING_MINUS, BEARING_WIDTH
    links = (
        link("Depth of bore, housing", "C05", 1),
        Link("Width of bearing", "-", -1, bearings, *width),
        link("Length of spacer ring", "C10", -1),
        link("Length of spigot, cover", "C07", -1),
    )
    nominal = sum((one.direction * one.count * one.nominal for one in links), D(0))
    smallest, largest = (
        sum((one.count * _end(one, side) for one in links), D(0)) for side in (-1, 1)
    )
    if not rules.worst:
        middle = (smallest + largest) / 2
        squares = (one.count * ((one.upper - one.lower) / 2) ** 2 for one in links)
        half = sum(squares, D(0)).sqrt()
        smallest, largest = middle - half, middle + half
    return Chain(links, nominal, smallest, largest)


def _end(one: Link, side: int) -> Decimal:
    """What a contributor adds to the gap at one end: side -1 the smallest, +1 the largest."""
    return one.direction * (one.upper if one.direction * side > 0 else one.lower)


# --- mass and cost ------------------------------------------------------------------------------


def per_station(world: World, rules: Rules, lines: Sequence[Compared]) -> dict[str, Decimal]:
    """How many of each assembly a station has."""
    found = {world.no("000"): D(1)}
    for line in lines:
        if world.parts[line.part].kind == "assembly":
            found[line.part] = found[line.parent] * line.governing if rules.levels else D(1)
    return found


def rows(world: World, rules: Rules, lines: Sequence[Compared]) -> tuple[Row, ...]:
    """By part number."""
    times = per_station(world, rules, lines)
    qty: dict[str, Decimal] = {}
    erp: dict[str, Decimal] = {}
    for line in lines:
        for part, count, into in (
            (line.built, line.governing, qty),
            (line.erp_part, line.erp, erp),
        ):
            if part and world.parts[part].kind != "assembly":
                into[part] = into.get(part, D(0)) + count * times[line.parent]
    return tuple(
        Row(
            part=world.parts[number],
            qty=qty.get(number, D(0)),
            erp=erp.get(number, D(0)),
            unit_mass=_unit_mass(world.parts[number], rules),
            price=_price(world.parts[number], rules),
        )
        for number in sorted(qty.keys() | erp.keys())
    )


def _scale(part: Part) -> Decimal:
    """ERP's base units per unit of the parts list: KG and M against g and mm."""
    return D(1) if part.unit == "pcs" else D("0.001")


def _unit_mass(part: Part, rules: Rules) -> Decimal:
    if part.drawn_mass is not None and rules.title_mass:
        return part.drawn_mass * (rules.pound if part.drawn_unit == "lb" else 1)
    return part.mass * (D("0.001") if part.mass_unit == "g" else 1) * _scale(part)


def _price(part: Part, rules: Rules) -> Decimal:
    return part.price / (part.per if rules.per else 1) * _scale(part)


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """A whole check."""

    lines: tuple[Compared, ...]
    limits: tuple[Limits, ...]
    register: tuple[Entry, ...]
    actions: tuple[Action, ...]
    chain: Chain
    rows: tuple[Row, ...]

    @property
    def mass(self) -> Decimal:
        return sum((row.mass for row in self.rows), D(0))

    @property
    def change(self) -> Decimal:
        return sum((row.change for row in self.rows), D(0))

    def of_class(self, cls: str) -> tuple[Entry, ...]:
        return tuple(one for one in self.register if one.cls == cls)

    def decision(self, limit: Decimal) -> str:
        """`limit`: of the station's mass, in kg."""
        lot_out = any(one.code == "DIM" and one.key for one in self.register)
        if lot_out or not self.chain.met or self.mass > limit:
            return "No release"
        return "Conditional release" if self.of_class("A") else "Release"


def outcome(world: World, rules: Rules) -> Outcome:
    lines = compare(world, rules)
    found = limits(world, rules)
    register = entries(world, lines, found)
    return Outcome(
        lines=lines,
        limits=found,
        register=register,
        actions=actions(world, rules, register),
        chain=chain(rules, lines, found),
        rows=rows(world, rules, lines),
    )
