"""Time at a desk: what falls due happens, as in a run."""

from bythebook.alder import DESKS
from bythebook.conduct.world import World

EVENTS = {name: run for desk in DESKS for name, run in desk.events.items()}


def later(world: World, minutes: int) -> None:
    """Let so many minutes pass."""
    for due in world.passing(world.t + minutes):
        EVENTS[due.name](world, **due.args)


def until(world: World, clock: str) -> None:
    """Let time pass to a minute of the day."""
    later(world, world.minute(clock) - world.t)
