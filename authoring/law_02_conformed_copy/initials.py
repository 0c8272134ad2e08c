"""Initials by hand: of each hand one running line, drawn a little otherwise each time.

Nobody writes letters: they are paraphs, and the attendance sheet says whose each is. HB makes two
arches after the upright, NB three. AK, RK and PK begin with a bowl: AK stays on the line, RK's loop
below it turns to the left like a g, PK's to the right like a q.
"""

import math
from collections.abc import Iterator, Sequence

from authoring.parts.dice import Dice
from authoring.parts.picture import Picture, Point

UPRIGHT: tuple[Point, ...] = ((0.0, 0.1), (0.1, -0.22), (0.06, 0.2), (0.0, 0.96))
BOWL: tuple[Point, ...] = (
    *((0.6, 0.22), (0.4, 0.02), (0.1, 0.2), (0.04, 0.62), (0.2, 0.86), (0.42, 0.66), (0.6, 0.2)),
)
TAIL: tuple[Point, ...] = (
    *((0.92, 0.62), (1.02, 0.5), (1.06, 0.9), (1.22, 0.58), (1.32, 0.86), (1.8, 0.7)),
)


def _arches(count: int, wide: float, end: float) -> Iterator[Point]:
    yield from UPRIGHT
    for n in range(count):
        for x, y in ((0.12, 0.55), (0.45, 0.24), (0.8, 0.4), (1.0, 0.96)):
            yield wide * (n + x), y
    yield from ((wide * count + 0.1, 1.0), (wide * count + 0.25, 0.93), (end, 0.82))


CURVES: dict[str, tuple[Point, ...]] = {
    "HB": tuple(_arches(2, 0.42, 1.6)),
    "NB": tuple(_arches(3, 0.38, 1.75)),
    "AK": (*BOWL, (0.58, 0.6), (0.62, 0.92), (0.76, 0.86), *TAIL),
    "RK": (
        *(*BOWL, (0.56, 0.7), (0.5, 1.2), (0.32, 1.44), (0.1, 1.3)),
        *((0.26, 1.08), (0.6, 0.92), *TAIL),
    ),
    "PK": (
        *(*BOWL, (0.58, 0.7), (0.58, 1.2), (0.74, 1.46), (0.96, 1.3)),
        *((0.84, 1.08), (0.64, 0.98), (0.76, 0.84), *TAIL),
    ),
}
INK = (48, 88)
"""Lightest and darkest grey of a pen."""
LEAD = 140
WIDE = 1.75
"""Of a pair of initials, as a multiple of its height."""


def curve(points: Sequence[Point], steps: int = 10) -> list[Point]:
    """A smooth line through the points (Catmull and Rom)."""
    p = [points[0], *points, points[-1]]
    found: list[Point] = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        for n in range(steps):
            x, y = (_between((a[k], b[k], c[k], d[k]), n / steps) for k in (0, 1))
            found.append((x, y))
    return [*found, points[-1]]


def _between(v: tuple[float, float, float, float], t: float) -> float:
    a, b, c, d = v
    square = 2 * a - 5 * b + 4 * c - d
    return 0.5 * (2 * b + (c - a) * t + square * t * t + (3 * b - a - 3 * c + d) * t**3)


def initial(page: Picture, at: Point, who: str, dice: Dice, height: float = 2.2) -> None:
    """`at`: the top left corner, in mm. `who` in small letters writes with a pencil."""
    ink, grey = ("pencil", LEAD) if who.islower() else ("pen", dice.whole(*INK))
    wide = height * dice.whole(66, 90) / 100
    high = height * dice.whole(90, 112) / 100
    slant, turn = dice.whole(5, 34) / 100, math.radians(dice.whole(-11, 8))
    points = []
    for x, y in curve([_shaken(point, dice) for point in CURVES[who.upper()]]):
        across, down = (x + slant * (1 - y)) * wide, y * high
        points.append(
            (
                at[0] + across * math.cos(turn) + down * math.sin(turn),
                at[1] - across * math.sin(turn) + down * math.cos(turn),
            )
        )
    page.line(points, 0.19 * dice.whole(85, 120) / 100, grey, ink)


def _shaken(point: Point, dice: Dice) -> Point:
    return point[0] + dice.whole(-35, 35) / 1000, point[1] + dice.whole(-35, 35) / 1000
