"""The month as the papers tell it, and that each trap is alive whatever the seed."""

from collections import Counter
from decimal import Decimal
from functools import cached_property

import msgspec

from authoring.parts.invariants import invariant
from authoring.stem_02_furnace_charts.nouns import Load
from authoring.stem_02_furnace_charts.rules import MOVED, Result, exact, result
from authoring.stem_02_furnace_charts.world import (
    AMENDED,
    DIP_DEPTH,
    DIP_MINUTES,
    FAR_OVER,
    OVER,
    World,
    world,
)

DEGREES, DIP = 3.0, 2.0
"""Tolerances of readings, deg C and minutes: twice what a reader with a ruler is off."""
SOAK = {60: 1.5, 30: 2.0, 20: 3.0}
RATE = {60: 0.04, 30: 0.04, 20: 0.05}
"""Minutes, and shares of the rate, by the chart's speed in mm/h."""
DELAY = {10: 5.0, 5: 8.0}
"""Seconds, by the fast speed in mm/min."""
WANTED = {"release": 8, "reprocess": 4, "hold": 5, "scrap": 1}


class Story(msgspec.Struct, frozen=True, dict=True):
    world: World

    @cached_property
    def results(self) -> tuple[Result, ...]:
        return tuple(result(self.world, load) for load in self.world.loads)

    @cached_property
    def moved(self) -> tuple[Result, ...]:
        """The same readings under the limits of the what-if."""
        return tuple(msgspec.structs.replace(one, limits=MOVED) for one in self.results)

    def of(self, number: int) -> Result:
        return self.results[number - 1]


def _far(value: float, limit: float, tolerance: float, says: str) -> None:
    invariant(abs(value - limit) >= 2 * tolerance, f"{says}: {value:.1f} lies near {limit:.1f}")


def _clear(told: World, one: Result) -> None:
    """Each reading lies two tolerances away from where it would change the decision."""
    no, speed = one.load.no, one.load.speed
    _far(one.rate, one.klass.fastest, one.rate * RATE[speed], f"{no} rate")
    _far(one.soak, one.required, SOAK[speed], f"{no} soak")
    _far(one.soak, one.klass.longest, SOAK[speed], f"{no} soak")
    for limit in (OVER, FAR_OVER):
        _far(one.peak - one.klass.set_at, limit, DEGREES, f"{no} peak")
    _far(one.read.delay, one.allowed, DELAY[told.recorder(one.load).fast], f"{no} delay")
    if one.read.dip:
        _far(one.read.dip, DIP_MINUTES, DIP, f"{no} dip")
        if one.load.day >= AMENDED:
            _far(one.depth, DIP_DEPTH, DEGREES, f"{no} dip's depth")


def _steady(told: World, one: Result) -> None:
    """No reading within its tolerance changes the decision under the limits of the what-if."""
    delay = DELAY[told.recorder(one.load).fast]
    off = {"delay": delay, "highest": DEGREES, "door": SOAK[one.load.speed]}
    if one.read.dip:
        off["dip"] = DIP
    for name, by in off.items():
        for value in (getattr(one.read, name) - by, getattr(one.read, name) + by):
            other = msgspec.structs.replace(one.read, **{name: value})
            same = msgspec.structs.replace(one, read=other).decision == one.decision
            invariant(same, f"{one.load.no}: {name} {value:.1f} changes the what-if")


def _decided(told: Story) -> None:
    found = Counter(one.decision for one in told.results)
    invariant(found == WANTED, f"the month has {WANTED}, not {dict(found)}")
    codes = [one.findings for one in told.results]
    invariant(all(len(some) <= 1 for some in codes), "a finding each at most")
    clocks = [told.of(n).clock for n in (4, 6, 15)]
    invariant(clocks == ["stops", "resets", "resets"], f"the three dips: {clocks}")
    invariant(sum(bool(one.read.dip) for one in told.results) == 3, "three dips")


def _rounded(told: World, load: Load) -> None:
    invariant(abs(exact(told, load)) % 1 != Decimal("0.5"), f"{load.no}: no half degree")


def story(seed: int) -> Story:
    told = Story(world(seed))
    for load in told.world.loads:
        _rounded(told.world, load)
    for one in told.results:
        _clear(told.world, one)
    for one in told.moved:
        _steady(told.world, one)
    _decided(told)
    return told
