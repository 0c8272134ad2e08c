"""Attempts that do not count: how they ended, and how far the agent had come.

An agent that brings its own provider or harness down when a run goes badly is not punished for it,
since nobody can tell that from bad luck. It can be seen here: its attempts end at work, and more
often than those of others at the same provider.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from bythebook.errors import TraceError
from bythebook.run.folder import RunFolder
from bythebook.trace import read_trace

OPEN = "in flight when a process ended"


class SetAside(msgspec.Struct, frozen=True, kw_only=True):
    """Attempts that ended in one way."""

    attempts: int = 0
    at_work: int = 0
    """Of these, attempts in which the agent had made a move or its model had answered."""


def set_aside(places: Iterable[RunFolder]) -> dict[str, SetAside]:
    """By outcome, the most frequent first."""
    found: dict[str, SetAside] = {}
    for outcome, at_work in _ends(places):
        so_far = found.get(outcome, SetAside())
        found[outcome] = SetAside(
            attempts=so_far.attempts + 1, at_work=so_far.at_work + int(at_work)
        )
    return dict(sorted(found.items(), key=lambda one: (-one[1].attempts, one[0])))


def _ends(places: Iterable[RunFolder]) -> Iterator[tuple[str, bool]]:
    """Each attempt: its outcome, and whether the agent had acted."""
    for place in places:
        for folder in place.attempts:
            try:
                trace = read_trace(folder / place.trace.name)
            except TraceError:  # torn by whatever ended it
                yield OPEN, False
                continue
            closing = trace.closing
            ended = closing is not None and not closing.outcome.counts
            outcome = str(closing.outcome) if closing is not None and ended else OPEN
            yield outcome, any(event.actor == "agent" for event in trace.events)


def aside_line(found: Mapping[str, SetAside]) -> str:
    """All that was set aside in one line for people; empty where nothing was."""
    if not found:
        return ""
    ends = ", ".join(
        f"{one.attempts} {name} ({one.at_work} with the agent at work)"
        for name, one in found.items()
    )
    number = sum(one.attempts for one in found.values())
    return f"{number} {'attempt' if number == 1 else 'attempts'} set aside: {ends}"
