"""The mark scheme and its notes: what each criterion gives, as one function of their settings."""

from decimal import Decimal
from fractions import Fraction

import msgspec

from authoring.edu_02_graph_marking.pupils import slope
from authoring.edu_02_graph_marking.world import HIGH, WIDE, Corner, Script

CRITERIA = {
    "Axes": 1,
    "Scales": 1,
    "Plotting": 2,
    "Anomaly": 1,
    "Line": 2,
    "Triangle": 1,
    "Read-offs": 2,
    "Gradient": 1,
    "Figures": 1,
    "Unit": 1,
    "Intercept": 1,
}
"""Name to the marks it can give; 14 in all."""
UNITS = ("V/A", "ohm")
GRADES = (("A", 12), ("B", 9), ("C", 7), ("D", 5), ("E", 3))


class Rules(msgspec.Struct, frozen=True):
    """As the notes of 2026 have them."""

    multiples: tuple[int, ...] = (1, 2, 4, 5)
    half: Fraction = Fraction(1, 2)
    line: Fraction = Fraction(3, 2)
    triangle: Fraction = Fraction(1, 2)
    figures: tuple[int, int] = (2, 3)
    edge: bool = False
    """The intercept may be read at the left edge, wherever the current's scale begins."""
    misplot_ringed: bool = False
    """A ring round a point plotted elsewhere earns the mark."""


def marks(one: Script, by: Rules | None = None) -> dict[str, int]:
    how = by or Rules()
    return {
        "Axes": int(one.axes == "ok"),
        "Scales": int(_scales(one, how)),
        "Plotting": max(0, 2 - len(one.out)),
        "Anomaly": int(one.ring == one.odd or (how.misplot_ringed and one.ring in one.out)),
        "Line": sum(abs(off) <= how.line for off in one.dev),
        "Triangle": int(one.share > how.triangle),
        "Read-offs": sum(_read_off(one, corner, how) for corner in one.corners),
        "Gradient": int(gradient_right(one)),
        "Figures": int(how.figures[0] <= figures(one.gradient) <= how.figures[1]),
        "Unit": int(one.unit in UNITS),
        "Intercept": int(_intercept(one, how)),
    }


def _scales(one: Script, how: Rules) -> bool:
    wide, high = one.spans
    half = wide > Fraction(WIDE, 2) and high > Fraction(HIGH, 2)
    return half and all(multiple(s.large) in how.multiples for s in (one.x, one.y))


def multiple(large: Decimal) -> Decimal:
    """A large square's value, between 1 and 10."""
    return large.scaleb(-large.adjusted()).normalize()


def beside(one: Script, corner: Corner) -> Fraction:
    """How far a read-off point is off the drawn line, in small squares."""
    return abs(corner.y - one.line(corner.x))


def misread(one: Script, corner: Corner) -> Fraction:
    """The larger error of what was written, in small squares."""
    across = abs(one.x.squares(corner.current) - corner.x)
    return max(across, abs(one.y.squares(corner.pd) - corner.y))


def _read_off(one: Script, corner: Corner, how: Rules) -> bool:
    return max(misread(one, corner), beside(one, corner)) <= how.half


def figures(written: str) -> int:
    """Significant figures of a number as written."""
    return len(written.lstrip("-").replace(".", "").lstrip("0"))


def gradient_right(one: Script) -> bool:
    """Own read-offs, own rounding: to half a unit of the last figure, sign included."""
    written = Decimal(one.gradient)
    unit = Fraction(1, 10 ** -int(written.as_tuple().exponent))
    return abs(Fraction(written) - slope(one.corners)) <= unit / 2


def at_edge(one: Script) -> Fraction:
    """Error of an intercept read at the left edge, in small squares."""
    return abs(one.y.squares(Decimal(one.intercept)) - one.line(Fraction(0)))


def reckoned(one: Script) -> Fraction:
    """Error of an intercept calculated from the first own read-off and the own gradient, in V."""
    first = one.corners[0]
    right = Fraction(first.pd) - Fraction(Decimal(one.gradient)) * Fraction(first.current)
    return abs(Fraction(Decimal(one.intercept)) - right)


def _intercept(one: Script, how: Rules) -> bool:
    if one.how.startswith("calc"):
        return reckoned(one) <= Fraction(1, 100)
    if one.x.corner and not how.edge:
        return False
    return at_edge(one) <= how.half


def total(one: Script, by: Rules | None = None) -> int:
    return sum(marks(one, by).values())


def grade(points: int, bounds: tuple[tuple[str, int], ...] = GRADES) -> str:
    return next((name for name, least in bounds if points >= least), "U")


def below(points: int) -> bool:
    """One mark below a boundary."""
    return points + 1 in [least for _, least in GRADES]
