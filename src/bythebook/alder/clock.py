"""Clock times and banking days as desks need them."""

import re
from datetime import date

from bythebook.conduct.world import MINUTES_A_DAY, World, add_days
from bythebook.tool import Refused

CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def ahead(world: World, at: str) -> int:
    """The minute at which the clock reads `at` today; refused when misspelt or past."""
    if not CLOCK.fullmatch(at):
        raise Refused(f"at: a clock time HH:MM, not {at!r}")
    due = world.minute(at)
    if due <= world.t:
        raise Refused(f"at: {at} has passed; it is {world.clock_at(world.t)}")
    return due


def next_morning(world: World, at: str) -> int:
    """The minute at which the clock reads `at` on the next banking day, Monday to Friday."""
    days = 1
    while date.fromisoformat(add_days(world.day, days)).weekday() > 4:
        days += 1
    return world.minute(at) + days * MINUTES_A_DAY
