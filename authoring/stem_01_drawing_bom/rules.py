"""Procedure CM-07 as functions of its settings: a slip is the same check, otherwise set."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.stem_01_drawing_bom.nouns import Dim, ErpLine, Notice, Place, World
from authoring.stem_01_drawing_bom.world import OLD_SCREWS, SHIFT

D = Decimal
INCH, POUND = D("25.4"), D("0.45359237")
Code = Literal["QTY", "PN", "MAT", "REV", "MIS", "EXT", "DIM"]
CODES: tuple[Code, ...] = ("QTY", "PN", "MAT", "REV", "MIS", "EXT", "DIM")
CLASSES: dict[str, tuple[str, str]] = {
    "QTY": ("A", "B"),
    "PN": ("A", "B"),
    "MAT": ("A", "B"),
    "REV": ("B", "C"),
    "MIS": ("A", "B"),
    "EXT": ("B", "B"),
    "DIM": ("A", "B"),
}
"""Code to the class for key parts and for others."""
DAYS = {"H": 1, "A": 3, "B": 8, "C": 15}
"""Working days: of a hold, else of the class."""
LEAD = 3
"""Working days before build start, after which nothing is due."""
KINDS = {"H": "Quality", "E": "Master data", "W": "Design office", "S": "Purchasing"}
"""Kind of action to the role that owns it."""
GENERAL: tuple[tuple[int, int, Decimal], ...] = (
    (0, 6, D("0.1")),
    (6, 30, D("0.2")),
    (30, 120, D("0.3")),
    (120, 400, D("0.5")),
    (400, 1000, D("0.8")),
)
"""Over, up to, plus or minus; mm."""
GENERAL_INCH = D("0.005")
"""For three decimals."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """As CM-07 has it; every other setting is a slip."""

    superseded: bool = False
    """The bearing block by the revision that the set still holds."""
    preliminary: bool = False
    cancelled: bool = False
    future: bool = False
    pending: bool = True
    """Notices that drawings do not show yet."""
    alternates: bool = True
    expired: bool = False
    """ERP lines whatever their validity."""
    sums: bool = True
    """ERP lines of one position together."""
    inch: Decimal = INCH
    gauge: bool = True
    last: bool = True
    """The last inspection, not the first."""
    worst: bool = True
    """Every contributor at its limit; else the root of the squares."""
    levels: bool = True
    per: bool = True
    title_mass: bool = True
    pound: Decimal = POUND
    told_closed: bool = True
    """The closed day of the mail."""
    cap: bool = True
    working: bool = True
    """Working days, not days of the calendar."""


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One position of a parts list or of the ERP bill."""

    parent: str
    item: int
    part: str
    key: bool
    listed: bool
    """It stands on the parts list."""
    drawn: Decimal
    notice: Notice | None
    """That counts for this position's quantity or material."""
    governing: Decimal
    erp: Decimal
    erp_part: str
    """Empty: no line that counts."""
    material: str
    """That governs."""
    drawn_material: str
    erp_material: str
    revision: str
    erp_revision: str
    alternate: bool
    codes: tuple[Code, ...]

    @property
    def status(self) -> str:
        return "Discrepancy" if self.codes else "Alternate" if self.alternate else "Match"

    @property
    def built(self) -> str:
        """The part that is built here; none where only ERP has the position."""
        return self.erp_part if self.alternate else self.part if self.listed else ""


def notices_that_count(world: World, rules: Rules) -> tuple[Notice, ...]:
    def counts(one: Notice) -> bool:
        released = one.status == "Released" or rules.cancelled
        in_time = one.effective <= world.build or rules.future
        pending = rules.pending or bool(one.incorporated) or one.code == "ALT"
        return released and in_time and pending and (rules.alternates or one.code != "ALT")

    return tuple(one for one in world.notices if counts(one))


def compare(world: World, rules: Rules) -> tuple[Compared, ...]:
    """All positions, by parent and item."""
    notices = notices_that_count(world, rules)
    listed = {(place.parent, place.item): place for place in world.places}
    erp: dict[tuple[str, int], list[ErpLine]] = {}
    for line in world.erp:
        if rules.expired or line.since <= world.build <= line.until:
            erp.setdefault((line.parent, line.item), []).append(line)
    return tuple(
        _compared(world, rules, (listed.get(at), tuple(erp.get(at, ()))), notices)
        for at in sorted(listed.keys() | erp.keys())
    )


Sides = tuple[Place | None, tuple[ErpLine, ...]]


def _compared(world: World, rules: Rules, sides: Sides, notices: tuple[Notice, ...]) -> Compared:
    place, lines = sides
    part, parent, item = _where(sides)
    drawn = place.qty if place else D(0)
    if rules.superseded and (parent[-3:], item) == ("110", 5):
        drawn = D(OLD_SCREWS)
    own = [one for one in notices if (one.at, one.item) == (parent, str(item))]
    notice = next((one for one in own if not one.incorporated), None)
    quantity = notice is not None and notice.code == "QTY"
    first = lines[0] if lines else None
    alternates = {(one.at, one.item) for one in notices if one.code == "ALT"}
    drawn_material = world.parts[part].material if place else ""
    changed = notice is not None and notice.code == "MAT"
    found = Compared(
        parent=parent,
        item=item,
        part=part,
        key=bool(place and place.key),
        listed=place is not None,
        drawn=drawn,
        notice=notice,
        governing=D(notice.value) if notice and quantity else drawn,
        erp=sum((line.qty for line in lines[: None if rules.sums else 1]), D(0)),
        erp_part=first.part if first else "",
        material=notice.value if notice and changed else drawn_material,
        drawn_material=drawn_material,
        erp_material=first.material if first else "",
        revision=_revision(world, rules, part),
        erp_revision=first.rev if first else "",
        alternate=first is not None and (part, first.part) in alternates,
        codes=(),
    )
    return msgspec.structs.replace(found, codes=tuple(_codes(found)))


def _where(sides: Sides) -> tuple[str, str, int]:
    one = sides[0] or sides[1][0]
    return one.part, one.parent, one.item


def _revision(world: World, rules: Rules, part: str) -> str:
    loose = {world.no("110"): "C"} if rules.superseded else {}
    loose |= {world.no("101"): "C"} if rules.preliminary else {}
    return loose.get(part, world.revisions.get(part, ""))


def _codes(one: Compared) -> Iterator[Code]:
    if not one.listed:
        yield "EXT"
        return
    if not one.erp_part:
        yield "MIS"
        return
    if {one.governing, one.drawn, one.erp} != {one.governing}:
        yield "QTY"
    if one.erp_part != one.part:
        if not one.alternate:
            yield "PN"
        return
    if one.material and {one.material, one.drawn_material, one.erp_material} != {one.material}:
        yield "MAT"
    if one.revision and one.revision != one.erp_revision:
        yield "REV"


# --- days ---------------------------------------------------------------------------------------


def closed_days(world: World, rules: Rules) -> frozenset[date]:
    return frozenset(world.closed) | ({world.closed_too} if rules.told_closed else frozenset())


def workday(start: date, days: int, closed: frozenset[date]) -> date:
    """WORKDAY(start, days, closed): so many working days after, or before, a day."""
    step, left, day = (1 if days > 0 else -1), abs(days), start
    while left:
        day += timedelta(days=step)
        left -= day.weekday() < 5 and day not in closed
    return day


def due(world: World, rules: Rules, days: int) -> date:
    closed = closed_days(world, rules)
    if not rules.working:
        return world.checked + timedelta(days=days)
    last = workday(world.build, -LEAD, closed)
    found = workday(world.checked, days, closed)
    return min(found, last) if rules.cap else found


# --- dimensions ---------------------------------------------------------------------------------


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """A characteristic in mm, as it governs."""

    dim: Dim
    nominal: Decimal
    lower: Decimal
    upper: Decimal
    least: Decimal | None
    """Of the inspection that counts."""
    most: Decimal | None

    @property
    def measured(self) -> Decimal | None:
        """The piece farthest from the middle of the limits."""
        if self.least is None or self.most is None:
            return None
        middle = (self.lower + self.upper) / 2
        return self.most if self.most - middle > middle - self.least else self.least

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "no data"
        return "in" if self.lower <= self.measured <= self.upper else "out"


def limits(world: World, rules: Rules) -> tuple[Limits, ...]:
    changed = {one.item for one in notices_that_count(world, rules) if one.code == "DIM"}
    loose = {dim.code: dim for dim in world.loose} if rules.preliminary else {}
    return tuple(
        _limits(world, rules, loose.get(dim.code, dim), dim.code in changed) for dim in world.dims
    )


def deviations(dim: Dim) -> tuple[Decimal, Decimal]:
    """Upper and lower, in the drawing's unit."""
    if dim.upper is not None and dim.lower is not None:
        return dim.upper, dim.lower
    if dim.unit == "in":
        return GENERAL_INCH, -GENERAL_INCH
    plus = next(value for over, to, value in GENERAL if over < dim.nominal <= to)
    return plus, -plus


def _limits(world: World, rules: Rules, dim: Dim, changed: bool) -> Limits:
    scale = rules.inch if dim.unit == "in" else D(1)
    nominal = (dim.nominal - (SHIFT if changed else 0)) * scale
    upper, lower = deviations(dim)
    values = [
        (one.value - (world.gauge_error if rules.gauge and one.gauge == "G-17" else 0))
        * (rules.inch if one.unit == "in" else 1)
        for one in world.measured
        if one.code == dim.code and one.inspection == _inspection(world, rules, dim.code)
    ]
    return Limits(
        dim=dim,
        nominal=nominal,
        lower=nominal + lower * scale,
        upper=nominal + upper * scale,
        least=min(values, default=None),
        most=max(values, default=None),
    )


def _inspection(world: World, rules: Rules, code: str) -> int:
    found = [one.inspection for one in world.measured if one.code == code]
    return (max if rules.last else min)(found, default=0)
