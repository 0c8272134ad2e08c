"""The nouns of a configuration check: parts, places of parts lists, notices, records, sizes."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Literal

import msgspec

Unit = Literal["pcs", "g", "mm"]
Kind = Literal["assembly", "made", "bought"]
D = Decimal
FOREVER = date(2099, 12, 31)


class Part(msgspec.Struct, frozen=True, kw_only=True):
    number: str
    name: str
    kind: Kind
    material: str = ""
    unit: Unit = "pcs"
    """Of the parts list; ERP keeps g as KG and mm as M."""
    price: Decimal = D(0)
    per: int = 1
    """The price is that of so many base units."""
    mass: Decimal = D(0)
    """Of one base unit, as the item master has it, in `mass_unit`."""
    mass_unit: Literal["kg", "g"] = "kg"
    drawn_mass: Decimal | None = None
    """In the title block, where the set has the sheet."""
    drawn_unit: Literal["kg", "lb"] = "kg"


class Place(msgspec.Struct, frozen=True):
    """A position of a parts list."""

    parent: str
    item: int
    part: str
    qty: Decimal
    key: bool = False


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """One point of an engineering change notice."""

    number: str
    title: str
    status: Literal["Released", "Cancelled"]
    effective: date
    code: Literal["QTY", "MAT", "ALT", "DIM"]
    at: str
    """Parent, or the part of a dimension, or the part that an alternate stands for."""
    item: str
    """Item of the parts list, or the characteristic, or the alternate."""
    value: str
    incorporated: str = ""
    """`4410-110 rev D`."""


class ErpLine(msgspec.Struct, frozen=True, kw_only=True):
    parent: str
    item: int
    part: str
    qty: Decimal
    """In the unit of the parts list."""
    rev: str = ""
    material: str = ""
    since: date = date(2023, 1, 1)
    until: date = FOREVER
    bin: str = ""


class Dim(msgspec.Struct, frozen=True):
    """A characteristic as drawn; deviations None: the general tolerance of the sheet."""

    code: str
    part: str
    what: str
    unit: Literal["mm", "in"]
    nominal: Decimal
    upper: Decimal | None
    lower: Decimal | None


class Measured(msgspec.Struct, frozen=True):
    part: str
    code: str
    inspection: int
    piece: int
    value: Decimal
    unit: Literal["mm", "in"]
    gauge: str


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    company: str
    base: str
    head: str
    """Who asks."""
    owners: Mapping[str, str]
    """Role to its holder on the day of the check."""
    former: str
    """Who held the design office before."""
    checked: date
    build: date
    closed: tuple[date, ...]
    """In the calendar."""
    closed_too: date
    """Told in a mail only."""
    parts: Mapping[str, Part]
    places: tuple[Place, ...]
    """The released parts lists."""
    notices: tuple[Notice, ...]
    """Every point of every notice; those of one number belong together."""
    revisions: Mapping[str, str]
    """Drawing to its released revision."""
    erp: tuple[ErpLine, ...]
    dims: tuple[Dim, ...]
    loose: tuple[Dim, ...]
    """The preliminary shaft's."""
    measured: tuple[Measured, ...]
    gauge_error: Decimal
    stations: int

    def no(self, suffix: str) -> str:
        return f"{self.base}-{suffix}"
