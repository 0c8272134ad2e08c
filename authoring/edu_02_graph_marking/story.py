"""All candidates of the centre, and that each is as decidable as the notes promise."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import pairwise

from authoring.edu_02_graph_marking.pupils import BAD, GOOD, script
from authoring.edu_02_graph_marking.rules import (
    CRITERIA,
    Rules,
    at_edge,
    below,
    beside,
    marks,
    misread,
    reckoned,
    total,
)
from authoring.edu_02_graph_marking.world import (
    HIGH,
    READINGS,
    WIDE,
    Script,
    World,
    least_squares,
)
from authoring.parts.dice import Dice
from authoring.parts.invariants import alive, invariant, unique
from authoring.parts.people import people

SCRIPTS = 24
FEEDBACK = (22, 14, 3)
"""Places of those who get a paragraph: misread corners, a corner off the line, points out."""
OLD = {
    "scales_of_2025": Rules(multiples=(1, 2, 5)),
    "line_of_2025": Rules(line=Fraction(3)),
    "triangle_of_2025": Rules(triangle=Fraction(1, 3)),
    "figures_of_2025": Rules(figures=(2, 4)),
    "edge_of_2025": Rules(edge=True),
    "ring_of_2025": Rules(misplot_ringed=True),
}


def story(seed: int) -> World:
    told = _world(seed)
    unique([one.number for one in told.scripts], "each number once")
    for one in told.scripts:
        _check(one)
    right: dict[Hashable, object] = {
        (one.number, c): n for one in told.scripts for c, n in marks(one).items()
    }
    for name, by in OLD.items():
        wrong: dict[Hashable, object] = {
            (one.number, c): n for one in told.scripts for c, n in marks(one, by).items()
        }
        alive(right, wrong, name, 2)
    points = [total(one) for one in told.scripts]
    invariant(5 <= sum(map(below, points)) <= 10, "some scripts near a boundary")
    invariant(sum(CRITERIA.values()) == 14, "14 marks")
    return told


def _world(seed: int) -> World:
    dice = Dice("graphs", seed)
    known = people(dice, SCRIPTS + 5, plain=True)
    numbers = sorted(dice.sample(range(4101, 4190), SCRIPTS + 2))
    gone = sorted(dice.sample(range(3, SCRIPTS - 1), 2))
    forms = [dice.pick(("12A", "12B")) for _ in numbers]
    entered = list(zip(map(str, numbers), known[3:], forms, strict=True))
    absent = tuple(entered[n] for n in gone)
    order = dice.shuffled(range(SCRIPTS))
    present = [one for n, one in enumerate(entered) if n not in gone]
    scripts = tuple(
        script(Dice("script", seed, who[0]), who, place)
        for who, place in zip(present, order, strict=True)
    )
    return World(scripts, absent, *known[:3])


def _check(one: Script) -> None:
    name = f"{one.number}: "
    tops = [one.line(end) for end in one.ends]
    invariant(all(0 < y < HIGH - Fraction(1, 2) for y in tops), name + "the line is on the grid")
    invariant(0 <= one.ends[0] < one.ends[1] <= WIDE, name + "its ends are on the grid")
    invariant(
        one.ends[0] < one.x.squares(one.first.current)
        and one.ends[1] > one.x.squares(one.last.current),
        name + "the line covers the run",
    )
    invariant(all(abs(d) <= GOOD or abs(d) >= BAD for d in one.dev), name + "line: well or badly")
    invariant(abs(one.share - Fraction(1, 2)) > Fraction(1, 20), name + "triangle: clearly")
    invariant(abs(one.share - Fraction(1, 3)) > Fraction(1, 100), name + "triangle: 2025 clearly")
    for corner in one.corners:
        for off in (misread(one, corner), beside(one, corner)):
            invariant(off <= Fraction(1, 5) or off >= 1, name + "read-offs: right or wrong")
    for number, (x, y) in zip(range(1, READINGS + 1), one.plotted, strict=True):
        reading = one.readings[number - 1]
        away = max(abs(x - one.x.squares(reading.current)), abs(y - one.y.squares(reading.pd)))
        invariant((away >= 1) == (number in one.out), name + "points: right or out")
        invariant(away <= Fraction(1, 5) or away >= 1, name + "points: clearly")
    wide, high = one.spans
    far = abs(wide - WIDE // 2) >= 2 and abs(high - HIGH // 2) >= 2
    invariant(far, name + "half of the grid: clearly")
    _anomaly(one)
    _answers(one)


def _anomaly(one: Script) -> None:
    """The odd reading is by far the one farthest from the line through the others."""
    away = []
    for reading in one.readings:
        rest = [other for other in one.readings if other is not reading]
        slope, at_zero = least_squares(rest)
        off = Fraction(reading.pd) - slope * Fraction(reading.current) - at_zero
        away.append((abs(off) * 10 / Fraction(one.y.large), reading.number))
    away.sort(reverse=True)
    invariant(away[0][1] == one.odd, f"{one.number}: the odd reading is the farthest")
    invariant(away[0][0] > away[1][0] + 2, f"{one.number}: and by far")
    crossings = [x for x, _ in one.plotted]
    invariant(all(b - a > 3 for a, b in pairwise(crossings)), "points apart")


def _answers(one: Script) -> None:
    if one.how.startswith("calc"):
        off = reckoned(one)
        clear = off <= Fraction(1, 200) or off >= Fraction(4, 100)
    else:
        clear = at_edge(one) <= Fraction(3, 10) or at_edge(one) >= Fraction(3, 2)
    invariant(clear, f"{one.number}: the intercept is right or wrong")
