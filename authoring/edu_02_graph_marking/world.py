"""Twenty-four runs of one experiment, and what each candidate made of theirs on paper."""

from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import yaml

from authoring.parts.dice import Dice
from authoring.parts.people import Person

TEXTS = Path(__file__).with_name("texts")
WIDE, HIGH = 120, 100
"""Of the grid, in small squares of a millimetre."""
READINGS = 8
MILLI = Decimal("0.001")
NEAR = Fraction(1, 8)
"""A candidate who is right is right to this, in small squares."""


class Scale(msgspec.Struct, frozen=True):
    corner: Decimal
    large: Decimal
    """Of a large square, ten small ones."""
    labels: int
    """Large squares between two labels."""

    def value(self, squares: Decimal | Fraction) -> Fraction:
        return Fraction(self.corner) + Fraction(squares) * Fraction(self.large) / 10

    def squares(self, value: Decimal | Fraction) -> Fraction:
        return (Fraction(value) - Fraction(self.corner)) * 10 / Fraction(self.large)


class Reading(msgspec.Struct, frozen=True):
    number: int
    current: Decimal
    pd: Decimal


class Corner(msgspec.Struct, frozen=True):
    """A read-off point: where it is drawn, in small squares, and what was written of it."""

    x: Fraction
    y: Fraction
    current: Decimal
    pd: Decimal


class Script(msgspec.Struct, frozen=True, dict=True):
    place: int
    """Of the profile in scripts.yaml, from 0."""
    number: str
    person: Person
    form: str
    run: str
    x: Scale
    y: Scale
    readings: tuple[Reading, ...]
    other: tuple[Reading, ...]
    """A run that was not used, of those who made two."""
    odd: int
    """Number of the anomalous reading."""
    plotted: tuple[tuple[Fraction, Fraction], ...]
    out: tuple[int, ...]
    ring: int
    """0: none."""
    dev: tuple[Fraction, Fraction]
    ends: tuple[Fraction, Fraction]
    corners: tuple[Corner, Corner]
    gradient: str
    unit: str
    intercept: str
    how: str
    """axis, axis-off, edge, calc or calc-off."""
    axes: str
    style: str
    ghosts: tuple[tuple[int, Fraction, Fraction], ...]

    @property
    def first(self) -> Reading:
        return self.readings[0]

    @property
    def last(self) -> Reading:
        return self.readings[-1]

    @cached_property
    def fit(self) -> tuple[Fraction, Fraction]:
        """Slope and intercept of the scheme's line, in V/A and V: least squares without the
        anomalous reading."""
        return least_squares([one for one in self.readings if one.number != self.odd])

    def scheme(self, current: Decimal) -> Fraction:
        """Height of the scheme's line, in small squares."""
        slope, at_zero = self.fit
        return self.y.squares(slope * Fraction(current) + at_zero)

    @cached_property
    def drawn(self) -> tuple[Fraction, Fraction]:
        """Height of the drawn line at the first and the last reading's current."""
        pairs = zip((self.first, self.last), self.dev, strict=True)
        low, high = (self.scheme(one.current) + off for one, off in pairs)
        return low, high

    def line(self, x: Fraction) -> Fraction:
        """Height of the drawn line."""
        a, b = (self.x.squares(one.current) for one in (self.first, self.last))
        low, high = self.drawn
        return low + (high - low) * (x - a) / (b - a)

    @property
    def share(self) -> Fraction:
        """Of the drawn line that lies between the read-off points."""
        return (self.corners[1].x - self.corners[0].x) / (self.ends[1] - self.ends[0])

    @property
    def spans(self) -> tuple[Fraction, Fraction]:
        """Of the readings, in small squares."""
        pds = [one.pd for one in self.readings]
        return (
            self.x.squares(self.last.current) - self.x.squares(self.first.current),
            self.y.squares(max(pds)) - self.y.squares(min(pds)),
        )


class World(msgspec.Struct, frozen=True, dict=True):
    scripts: tuple[Script, ...]
    absent: tuple[tuple[str, Person, str], ...]
    teacher: Person
    head: Person
    leader: Person

    @cached_property
    def by_number(self) -> dict[str, Script]:
        return {one.number: one for one in self.scripts}


def least_squares(readings: list[Reading]) -> tuple[Fraction, Fraction]:
    xs = [Fraction(one.current) for one in readings]
    ys = [Fraction(one.pd) for one in readings]
    n, sx, sy = len(xs), sum(xs), sum(ys)
    sxx = sum(x * x for x in xs)
    sxy = sum(x * y for x, y in zip(xs, ys, strict=True))
    slope = Fraction(n * sxy - sx * sy) / (n * sxx - sx * sx)
    return slope, (sy - slope * sx) / n


def frac(value: object) -> Fraction:
    return Fraction(str(value))


def milli(value: Fraction) -> Decimal:
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(MILLI)


def scale(of: list[Any]) -> Scale:
    return Scale(Decimal(str(of[0])), Decimal(str(of[1])), of[2])


def run(dice: Dice, x: Scale, y: Scale, at: list[int]) -> tuple[tuple[Reading, ...], int]:
    """Readings near a falling line with one that is off it, and its number."""
    left, right, top, low = (Fraction(v) for v in at)
    odd = 3 + dice.below(4)
    sign = dice.pick((-1, 1))
    readings = []
    for n in range(READINGS):
        inner = 0 < n < READINGS - 1
        along = Fraction(n, READINGS - 1) + (Fraction(dice.whole(-32, 32), 1000) if inner else 0)
        stray = Fraction(dice.whole(-55, 55), 100)
        if n + 1 == odd:
            stray = sign * Fraction(dice.whole(65, 90), 10)
        current = milli(x.value(left + along * (right - left)))
        pd = milli(y.value(top + along * (low - top) + stray))
        readings.append(Reading(n + 1, current, pd))
    return tuple(readings), odd


def profiles() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((TEXTS / "scripts.yaml").read_text("utf-8"))
    return found


TWO_RUNS = {2: "B", 9: "A", 15: "B", 19: "A"}
"""Places (from 0) of those who made two, with the run that they used."""
