"""What is read and decided, row by row; expected/*.csv; figures of the summary."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from authoring.edu_02_graph_marking.rules import CRITERIA, GRADES, below, grade, marks, total
from authoring.edu_02_graph_marking.world import Script, World
from authoring.parts.expected import Value, write_expected

TENTH = Decimal("0.1")
LABELS = ("Scripts", "Mean total", "Points out", "Near a boundary")
NAMES = (*(name for name, _ in GRADES), "U")
GROUPS = ((0, 8), (8, 16), (16, 24))
"""Of the scripts, in the order of their numbers."""


def tenth(value: Fraction) -> Decimal:
    """As somebody measures it."""
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(TENTH)


def positions(one: Script) -> dict[str, Decimal]:
    """What is measured on the sheet, in small squares."""
    first, second = one.corners
    low, high = one.drawn
    values = {
        "Line start": one.ends[0],
        "Line end": one.ends[1],
        "Line at first": low,
        "Line at last": high,
        "P1 across": first.x,
        "P1 up": first.y,
        "P2 across": second.x,
        "P2 up": second.y,
    }
    return {name: tenth(value) for name, value in values.items()}


def scales(one: Script) -> dict[str, Decimal]:
    return {
        "I at corner": one.x.corner,
        "I per large square": one.x.large,
        "V at corner": one.y.corner,
        "V per large square": one.y.large,
    }


def written(one: Script) -> dict[str, Decimal]:
    """Numbers that the candidate wrote."""
    first, second = one.corners
    return {
        "I1": first.current,
        "V1": first.pd,
        "I2": second.current,
        "V2": second.pd,
        "Gradient": Decimal(one.gradient),
        "Intercept": Decimal(one.intercept),
    }


def plotted(one: Script) -> list[tuple[Decimal, Decimal]]:
    return [(tenth(x), tenth(y)) for x, y in one.plotted]


def totals(told: World) -> list[int]:
    return [total(one) for one in told.scripts]


def figures(told: World) -> dict[str, Fraction]:
    """The labels of Summary to their figures."""
    points = totals(told)
    return {
        "Scripts": Fraction(len(points)),
        "Mean total": Fraction(sum(points), len(points)),
        "Points out": Fraction(sum(len(one.out) for one in told.scripts)),
        "Near a boundary": Fraction(sum(map(below, points))),
    }


def means(told: World) -> dict[str, Fraction]:
    """Of each criterion."""
    given = [marks(one) for one in told.scripts]
    return {name: Fraction(sum(one[name] for one in given), len(given)) for name in CRITERIA}


def facilities(told: World) -> dict[str, Fraction]:
    return {name: mean / CRITERIA[name] for name, mean in means(told).items()}


def grades(told: World) -> dict[str, int]:
    found = [grade(points) for points in totals(told)]
    return {name: found.count(name) for name in NAMES}


def near(told: World) -> list[Script]:
    return [one for one in told.scripts if below(total(one))]


def write_tables(told: World, folder: Path) -> None:
    names = [{"candidate": one.number} for one in told.scripts]
    write_expected(folder / "readings.csv", names, ("candidate",))
    for number, (low, high) in enumerate(GROUPS, 1):
        rows = [
            {
                "candidate": one.number,
                "reading": str(reading.number),
                "out": "yes" if reading.number in one.out else "no",
            }
            for one in told.scripts[low:high]
            for reading in one.readings
        ]
        write_expected(folder / f"points-{number}.csv", rows, ("candidate", "reading"))
    shares: list[Mapping[str, Value]] = [
        {"criterion": name, "facility": _decimal(value)} for name, value in facilities(told).items()
    ]
    write_expected(folder / "facilities.csv", shares, ("criterion",))


def _decimal(value: Fraction, places: int = 4) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(Decimal(1).scaleb(-places))
