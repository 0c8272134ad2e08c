"""The two pens' curves in time, and what a reader with a ruler gets from them.

Curves are lists of readings (deg C, as the pen writes) every tenth of a minute from the strip's
left end. What is true is found on these very lists, after smoothing and ripple.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from authoring.stem_02_furnace_charts.nouns import Class, Load, Recorder

STEP = 0.1
SMOOTH, SLUGGISH, SHARP = 1.6, 7.0, 0.2
"""Minutes of the moving average that rounds corners: of the soak, of the heating, and from the
opening of the door."""
AFTER = 2.2
"""Minutes that are drawn after the door opens, at most."""
Knots = list[tuple[float, float]]


class Trace(msgspec.Struct, frozen=True):
    """Two curves and where the door opens (minutes from the left end)."""

    load: list[float]
    control: list[float]
    door: float
    quench: float


def _at(knots: Sequence[tuple[float, float]], time: float) -> float:
    if time <= knots[0][0]:
        return knots[0][1]
    for (a, low), (b, high) in pairwise(knots):
        if time <= b:
            return low + (high - low) * (time - a) / (b - a)
    return knots[-1][1]


def _sampled(knots: Knots, warm: float, door: float, until: float) -> list[float]:
    """`warm`: up to there the heating is rounded more."""
    count = round(until / STEP) + 1
    raw = [_at(knots, n * STEP) for n in range(count)]
    sums = [0.0]
    for value in raw:
        sums.append(sums[-1] + value)
    smooth = []
    for n in range(count):
        time = n * STEP
        window = min(SLUGGISH, max(SMOOTH, warm - time))
        window = min(window, max(SHARP, 2 * (door - time))) if time < door else SHARP
        wide = min(round(window / STEP / 2), n, count - 1 - n)
        smooth.append((sums[n + wide + 1] - sums[n - wide]) / (2 * wide + 1))
    return smooth


def heating(load: Load, klass: Class, correction: float) -> tuple[Knots, float]:
    """Knots up to the soak, in readings, and when the band is reached (by the straight line)."""
    run = load.run
    crossing = 60 * 150 / run.rate
    slope = 150 / (crossing - run.hold)
    first = load.before + load.lead
    low = 600 - 0.8 * slope * first
    knots: Knots = [(0.0, low), (first, 600.0)]
    if run.hold:
        bend = first + 82 / slope
        knots += [(bend, 680.0), (bend + run.hold, 684.0)]
    else:
        knots += [(first + 0.47 * crossing, 681.0)]
    passed = first + crossing
    knots += [(passed, 750.0)]
    soak = klass.set_at - correction + run.level
    steep = 2.5
    near = soak - 30
    knots += [(passed + (near - 750) / (slope + 0.4), near)]
    knee = knots[-1][0] + 26 / steep
    knots += [(knee, soak - 4), (knee + 4.5, soak)]
    limit = klass.set_at - klass.band - correction
    return knots, knee - (soak - 4 - limit) / steep


def _bump(knots: Knots, top: float, at: float, base: float) -> None:
    knots += [(at, base), (at + (top - base) / 2.2, top), (at + (top - base) / 0.8, base)]


def trace(load: Load, klass: Class, correction: float, own: float, stops: bool) -> Trace:
    """`correction` of the load pen with its thermocouple, `own` of the control pen; `stops`: the
    dip stops the clock (else it sets it back)."""
    run = load.run
    knots, band = heating(load, klass, correction)
    soak = knots[-1][1]
    rising: Knots = [(t - run.lag, v) for t, v in knots[:-3]]
    if run.bump:
        top = klass.set_at - correction + run.bump + 0.8
        _bump(knots, top, max(band + run.bump_at, knots[-1][0] + 1), soak)
    begins = band
    if run.dip:
        dip, limit = run.dip, klass.set_at - klass.band - correction
        fall = max(2.4, 2.6 * dip.depth / dip.minutes)
        start, end = band + dip.at, band + dip.at + dip.minutes
        knots += [
            (start - (soak - limit) / fall, soak),
            (start + dip.depth / fall, limit - dip.depth),
        ]
        if end - dip.depth / fall > knots[-1][0] + 0.2:
            knots += [(end - dip.depth / fall, limit - dip.depth)]
        knots += [(end + (soak - limit) / fall, soak)]
        begins = end if not stops else band + dip.minutes
    door = begins + run.soak
    quench = door + run.delay / 60
    until = quench + AFTER
    knots += [(door, soak), (quench, soak - 9), (quench + 0.9, soak - 420), (until, soak - 470)]
    curve = _sampled(knots, band - 2, door, until)
    for n in range(len(curve)):
        time = n * STEP
        if knots[0][0] < time < door:
            grown = min(1.0, max(0.0, (time - band - 6) / 10))
            curve[n] += 0.15 * math.sin(time * 2.1) + grown * 0.7 * math.sin(time / 2.3)
    return Trace(
        load=curve,
        control=_control(load, klass, own, rising, door, until),
        door=door,
        quench=quench,
    )


def _control(
    load: Load, klass: Class, own: float, rising: Knots, door: float, until: float
) -> list[float]:
    """The control pen is ahead, overshoots and then swings around the set temperature."""
    run = load.run
    level = klass.set_at - own + 1
    unique = {time: value for time, value in rising}
    knots: Knots = sorted(unique.items())
    last, value = knots[-1]
    top = last + (level + run.over - value) / 3.0
    knots += [(top, level + run.over), (top + 9 + run.over / 2, level)]
    if run.control_dip:
        at = top + 30
        knots += [(at, level), (at + 4, level - run.control_dip), (at + 9, level)]
    knots += [(door, level), (door + 0.5, level - 45), (until, level - 85)]
    curve = _sampled(knots, top - 2, door, until)
    for n in range(len(curve)):
        time = n * STEP
        if time < door:
            grown = min(1.0, max(0.0, (time - top) / 6))
            curve[n] += 0.2 * math.sin(time * 3.3) + grown * 1.9 * math.sin(time / 1.35)
    return curve


# --- what is read -------------------------------------------------------------------------------


class Readings(msgspec.Struct, frozen=True):
    """Minutes after the first clock mark; temperatures as the load pen writes them."""

    passed_600: float
    passed_750: float
    first_band: float
    dip: float
    """Minutes below the band, 0 without a dip."""
    dip_low: float | None
    after_dip: float
    door: float
    highest: float
    delay: float
    """Seconds."""


def _crossings(curve: list[float], level: float, first: int, last: int) -> list[float]:
    """Times at which the curve passes the level, upwards or downwards."""
    found = []
    for n in range(first, last):
        a, b = curve[n], curve[n + 1]
        if (a < level) != (b < level):
            found.append((n + (level - a) / (b - a)) * STEP)
    return found


def readings(load: Load, drawn: Trace, limit: float) -> Readings:
    """`limit`: the reading of the load pen at which its corrected value is the lower limit."""
    end = round(drawn.door / STEP) - 1
    zero = load.before
    low, mid = (_crossings(drawn.load, level, 0, end)[0] for level in (600.0, 750.0))
    band, *more = _crossings(drawn.load, limit, 0, end)
    inside = drawn.load[round(band / STEP) + 1 : end]
    return Readings(
        passed_600=low - zero,
        passed_750=mid - zero,
        first_band=band - zero,
        dip=more[1] - more[0] if more else 0.0,
        dip_low=min(inside) if more else None,
        after_dip=(more[1] if more else band) - zero,
        door=drawn.door - zero,
        highest=max(inside),
        delay=60 * (drawn.quench - drawn.door),
    )


def places(load: Load, recorder: Recorder, drawn: Trace) -> list[float]:
    """mm from the left end on the time line, for each sample."""
    slow = load.speed / 60
    return [
        slow * min(n * STEP, drawn.door) + recorder.fast * max(0.0, n * STEP - drawn.door)
        for n in range(len(drawn.load))
    ]
