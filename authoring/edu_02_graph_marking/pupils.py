"""One candidate's work from what the profile says: points, line, read-offs, answers."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import msgspec

from authoring.edu_02_graph_marking.world import (
    NEAR,
    Corner,
    Reading,
    Scale,
    Script,
    frac,
    profiles,
    run,
    scale,
)
from authoring.parts.dice import Dice
from authoring.parts.invariants import invariant
from authoring.parts.people import Person

TWO_RUNS = {2: "B", 9: "A", 15: "B", 19: "A"}
"""Places of those who made two runs, with the one that they used."""
GOOD, BAD = Fraction(2, 5), Fraction(5, 2)
"""How far a line drawn well, or badly, is from the scheme's, in small squares."""


def script(dice: Dice, who: tuple[str, Person, str], place: int) -> Script:
    told, used = profiles()[place], TWO_RUNS.get(place, "")
    number, person, form = who
    x, y = scale(told["x"]), scale(told["y"])
    readings, odd = run(dice, x, y, told["at"])
    other = run(dice, x, y, told["at"])[0] if used else ()
    out = {int(n): off for n, off in told.get("out", {}).items()}
    odd, readings = _kept(dice, (x, y), told, (readings, odd))
    made = Script(
        place=place,
        number=number,
        person=person,
        form=form,
        run=used or "A",
        x=x,
        y=y,
        readings=readings,
        other=other,
        odd=odd,
        plotted=tuple(_plot(dice, x, y, one, out.get(one.number)) for one in readings),
        out=tuple(sorted(out)),
        ring=_ring(told["ring"], odd, out),
        dev=(frac(told["dev"][0]), frac(told["dev"][1])),
        ends=(frac(told["ends"][0]) + _little(dice, told["ends"][0]), frac(told["ends"][1])),
        corners=(Corner(Fraction(0), Fraction(0), Decimal(0), Decimal(0)),) * 2,
        gradient="",
        unit={"none": ""}.get(told.get("unit", ""), told.get("unit") or _unit(dice)),
        intercept="",
        how=told["e"],
        axes=told.get("axes", "ok"),
        style=told["style"],
        ghosts=tuple((int(n), frac(a), frac(b)) for n, (a, b) in told.get("ghost", {}).items()),
    )
    return _answered(dice, made, told)


def _unit(dice: Dice) -> str:
    return dice.pick(("V/A", "ohm"))


def _little(dice: Dice, start: int) -> Fraction:
    return Fraction(dice.whole(-3, 3), 10) if start else Fraction(0)


def _kept(
    dice: Dice,
    scales: tuple[Scale, Scale],
    told: dict[str, Any],
    first: tuple[tuple[Reading, ...], int],
) -> tuple[int, tuple[Reading, ...]]:
    """A run whose anomalous reading is none of those that are plotted elsewhere or ringed."""
    readings, odd = first
    taken = {*told.get("out", {}), *told.get("ghost", {})}
    while odd in taken:
        readings, odd = run(dice, *scales, told["at"])
    return odd, readings


def _ring(said: object, odd: int, out: dict[int, Any]) -> int:
    if said == "right":
        return odd
    if said == "none":
        return 0
    if said == "wrong":
        return next(n for n in (2, 6, 5) if n != odd and n not in out)
    return int(str(said))


def _plot(
    dice: Dice, x: Scale, y: Scale, one: Reading, off: list[float] | None
) -> tuple[Fraction, Fraction]:
    little = [Fraction(dice.whole(-11, 11), 100) for _ in range(2)]
    gone = [frac(value) for value in off or (0, 0)]
    return (
        x.squares(one.current) + little[0] + gone[0],
        y.squares(one.pd) + little[1] + gone[1],
    )


def _answered(dice: Dice, made: Script, told: dict[str, Any]) -> Script:
    made = _settled(made)
    corners = _corners(dice, made, told)
    gradient = _gradient(corners, told.get("grad", "ok"), told.get("sf", 2))
    intercept = _intercept(made, corners, gradient)
    return msgspec.structs.replace(made, corners=corners, gradient=gradient, intercept=intercept)


def _settled(made: Script) -> Script:
    """The line shifted by a hair, so that it meets the left edge at a printed line or midway."""
    if made.how.startswith("calc"):
        return made
    steps = [Fraction(n, 20) for n in range(-5, 6)]
    tries = [(made.dev[0] + a, made.dev[1] + b) for a in steps for b in steps]
    tries = [pair for pair in tries if all(abs(d) <= GOOD or abs(d) >= BAD for d in pair)]
    moved = [msgspec.structs.replace(made, dev=pair) for pair in tries]
    return min(
        moved, key=lambda one: abs(2 * one.line(Fraction(0)) - round(2 * one.line(Fraction(0))))
    )


def _corners(dice: Dice, made: Script, told: dict[str, Any]) -> tuple[Corner, Corner]:
    found = []
    for n, about in enumerate(told["tri"], 1):
        x = _crossing(made, about)
        y = made.line(x) + frac(told.get("beside", {}).get(n, 0))
        wrong = told.get("read", {})
        current = made.x.value(round(x) + wrong.get(f"I{n}", 0))
        pd = made.y.value(round(y * 2) / Fraction(2) + wrong.get(f"V{n}", 0))
        if n not in told.get("beside", {}):
            pd = made.y.value(round(y) + wrong.get(f"V{n}", 0))
        found.append(Corner(x, y, _short(current), _short(pd)))
    return found[0], found[1]


def _short(value: Fraction) -> Decimal:
    """Exact, without zeros at the end beyond two places."""
    exact = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    return exact if int(exact.as_tuple().exponent) < -2 else exact.quantize(Decimal("0.01"))


def _crossing(made: Script, about: int) -> Fraction:
    """Where, near `about`, the line goes through a crossing of the printed grid."""
    for away in sorted(range(-9, 10), key=abs):
        x = Fraction(about + away)
        y = made.line(x)
        if abs(y - round(y)) <= NEAR and made.ends[0] < x < made.ends[1]:
            return x
    invariant(False, f"{made.number}: the line meets a crossing near {about}")
    raise AssertionError


def significant(value: Fraction, figures: int) -> Decimal:
    """Rounded to so many significant figures, halves away from zero."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    places = figures - 1 - exact.adjusted()
    found = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    if found.adjusted() != exact.adjusted():
        found = found.quantize(Decimal(1).scaleb(1 - places), ROUND_HALF_UP)
    return found


def slope(corners: tuple[Corner, Corner]) -> Fraction:
    """Of the read-offs as written."""
    one, two = corners
    return Fraction(two.pd - one.pd) / Fraction(two.current - one.current)


def _gradient(corners: tuple[Corner, Corner], how: str, figures: int) -> str:
    right = slope(corners)
    match how:
        case "sign":
            return f"{significant(-right, figures):f}"
        case "inverse":
            return f"{significant(1 / right, figures):f}"
        case "slip":
            return f"{significant(right * Fraction(118, 100), figures):f}"
    return f"{significant(right, figures):f}"


def _intercept(made: Script, corners: tuple[Corner, Corner], gradient: str) -> str:
    cent = Decimal("0.01")
    if made.how.startswith("calc"):
        one = corners[0]
        found = one.pd - Decimal(gradient) * one.current
        found += Decimal("0.06") if made.how == "calc-off" else 0
        return f"{found.quantize(cent, ROUND_HALF_UP):f}"
    squares = made.line(Fraction(0))
    squares = round(squares * 2) / Fraction(2) + (2 if made.how == "axis-off" else 0)
    value = made.y.value(squares)
    return f"{_short(value):f}"
