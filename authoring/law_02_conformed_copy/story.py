"""What the lease provides, and that each trap is alive."""

from itertools import pairwise

from authoring.law_02_conformed_copy.rules import Rules, counted, outcome, rents
from authoring.law_02_conformed_copy.world import World, world
from authoring.parts.invariants import alive, invariant, unique

ALIKE = {"NB": "HB", "PK": "RK"}


def story(seed: int) -> World:
    told = world(seed)
    right = outcome(told)
    invariant(len(told.changes) == 44, "44 changes")
    unique([change.ref for change in told.changes], "one change in a clause")
    invariant(all(counted(right).values()), "each reason is there")
    slips = {
        "similar hands": (Rules(alike=ALIKE), 3),
        "the corrected time": (Rules(completion="17.40"), 3),
        "the power of attorney": (Rules(attorney=False), 2),
        "pencil": (Rules(pencil=True), 2),
    }
    for says, (how, least) in slips.items():
        alive(dict(right.codes.items()), dict(outcome(told, how).codes.items()), says, least)
    years = rents(right)
    rising = all(a.rent < b.rent for a, b in pairwise(years))
    invariant(rising, "the rent rises from year to year")
    near = [one.time for change in told.changes for one in change.written if one and one.time]
    invariant(not any("17.17" < time < "17.24" for time in near), "no time near Completion")
    return told
