"""Strips read wrongly, each in one way: what then stands on the sheet Readings."""

from collections.abc import Callable

import msgspec

from authoring.stem_02_furnace_charts.inputs import guessed
from authoring.stem_02_furnace_charts.rules import Result, at, drawn
from authoring.stem_02_furnace_charts.story import Story
from authoring.stem_02_furnace_charts.taken import half
from authoring.stem_02_furnace_charts.traces import STEP
from authoring.stem_02_furnace_charts.world import RECALIBRATED, recorders

Cells = dict[str, float | str | None]
Misread = Callable[[Story, Result], Cells]
"""Column of the sheet Readings to what is written there."""


def _passing(curve: list[float], level: float, load_before: float) -> float:
    first = next((n for n, value in enumerate(curve) if value >= level), len(curve))
    return half(first * STEP - load_before)


def printed_lines(told: Story, one: Result) -> Cells:
    """Each value at the next printed line."""
    pen, load, read = told.world.recorder(one.load), one.load, one.read
    minutes, seconds = 5 * 60 / load.speed, 5 * 60 / pen.fast
    times = {
        "D": read.passed_600,
        "E": read.passed_750,
        "F": read.first_band,
        "H": read.door,
    }
    cells: Cells = {name: round(value / minutes) * minutes for name, value in times.items()}
    cells["K"] = pen.low + round((read.highest - pen.low) / pen.step) * pen.step
    cells["L"] = round(read.delay / seconds) * seconds
    if read.dip:
        cells["G"] = round(read.after_dip / minutes) * minutes
        cells["I"] = max(1, round(read.dip / minutes)) * minutes
        cells["J"] = pen.low + round(((read.dip_low or 0) - pen.low) / pen.step) * pen.step
    return cells


def control_pen(told: Story, one: Result) -> Cells:
    """The control pen in place of the load pen, which has no dip of consequence."""
    pen, load = told.world.recorder(one.load), one.load
    own = float(at(pen.control, one.klass.set_at))
    run = drawn(told.world, load)
    top = max(run.control[: round(run.door / STEP)])
    return {
        "D": _passing(run.control, 600, load.before),
        "E": _passing(run.control, 750, load.before),
        "F": _passing(run.control, one.klass.set_at - one.klass.band - own, load.before),
        "G": None,
        "I": 0,
        "J": None,
        "K": round(top),
    }


def other_limit(add: Callable[[Story, Result], float]) -> Misread:
    """The band's limit as somebody sees it who has another correction."""

    def read(told: Story, one: Result) -> Cells:
        limit = one.klass.set_at - one.klass.band - add(told, one)
        run = drawn(told.world, one.load)
        return {"F": _passing(run.load, limit, one.load.before)}

    return read


def pen_only(told: Story, one: Result) -> float:
    return float(at(told.world.recorder(one.load).load, one.klass.set_at))


def couple_only(told: Story, one: Result) -> float:
    return float(at(told.world.couples[one.load.couple].corrections, one.klass.set_at))


def without_offset(told: Story, one: Result) -> Cells:
    """The load pen's places taken for places on the time line."""
    back = told.world.recorder(one.load).offset * 60 / one.load.speed
    times = {"D": one.read.passed_600, "E": one.read.passed_750, "F": one.read.first_band}
    if one.read.dip:
        times["G"] = one.read.after_dip
    return {name: half(value - back) for name, value in times.items()}


def _delay_mm(told: Story, one: Result) -> float:
    return one.read.delay / 60 * told.world.recorder(one.load).fast


def slow_delay(told: Story, one: Result) -> Cells:
    return {"L": round(_delay_mm(told, one) / one.load.speed * 3600)}


def one_fast_speed(told: Story, one: Result) -> Cells:
    return {"L": round(_delay_mm(told, one) * 6)}


def fast_run_is_soak(told: Story, one: Result) -> Cells:
    return {"H": half(one.read.door + _delay_mm(told, one) / one.load.speed * 60)}


def noted_speed(told: Story, one: Result) -> Cells:
    ratio = one.load.speed / one.load.noted
    if ratio == 1:
        return {}
    read = one.read
    times = {"D": read.passed_600, "E": read.passed_750, "F": read.first_band, "H": read.door}
    if read.dip:
        times |= {"G": read.after_dip, "I": read.dip}
    return {"C": one.load.noted, **{name: half(value * ratio) for name, value in times.items()}}


def old_span(told: Story, one: Result) -> Cells:
    """REC-2 after its return read as if it still had its old span."""
    now = told.world.recorder(one.load)
    if now.since != RECALIBRATED:
        return {}
    old = next(pen for pen in recorders() if pen.name == now.name)
    ratio = (now.high - now.low) / (old.high - old.low)
    run = drawn(told.world, one.load)

    def passing(level: float) -> float:
        return _passing(run.load, now.low + (level - old.low) * ratio, one.load.before)

    top = old.low + (one.read.highest - now.low) / ratio
    return {"D": passing(600), "E": passing(750), "F": passing(one.limit), "K": round(top)}


def no_dips(told: Story, one: Result) -> Cells:
    return {"G": None, "I": 0, "J": None} if one.read.dip else {}


def operators_soak(told: Story, one: Result) -> Cells:
    return {**no_dips(told, one), "F": half(one.read.door - guessed(told.world, one.load))}


def holds_left_out(told: Story, one: Result) -> Cells:
    hold = one.load.run.hold
    return {"E": half(one.read.passed_750 - hold)} if hold else {}


class Slip(msgspec.Struct, frozen=True):
    read: Misread
    corrections: str = ""
    """Range of Corrections that is taken for zero."""


SLIPS: dict[str, Slip] = {
    "read_to_the_printed_line": Slip(printed_lines),
    "control_pen": Slip(control_pen),
    "thermocouples_forgotten": Slip(other_limit(pen_only), "F9:G13"),
    "pens_taken_as_right": Slip(other_limit(couple_only), "F2:G5"),
    "offset_forgotten": Slip(without_offset),
    "fast_speed_forgotten": Slip(slow_delay),
    "one_fast_speed_for_all": Slip(one_fast_speed),
    "fast_run_is_soak": Slip(fast_run_is_soak),
    "noted_speed": Slip(noted_speed),
    "old_span": Slip(old_span),
    "dips_overlooked": Slip(no_dips),
    "operators_soak": Slip(operators_soak),
    "holds_left_out": Slip(holds_left_out),
}
