"""What watches one rule while a trace goes by, and what it says when the rule is broken."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Protocol, Self

import msgspec

from bythebook.conduct.criteria.hits import Hit
from bythebook.conduct.criteria.predicate import Predicate
from bythebook.conduct.criteria.selector import Key, Selector
from bythebook.conduct.criteria.state import State


class Breach(msgspec.Struct, frozen=True):
    """How a rule was broken."""

    why: str
    values: dict[str, Any] = {}
    margin: int | None = None
    write: int | None = None
    """Number of the write inside the event, when a single write broke it."""


class Monitor:
    """One rule's memory of a run. Each pattern overrides what it listens to; all answer None as
    long as the rule holds. Forking copies only what the rule remembers."""

    def __init__(self) -> None:
        self.exercised = False
        """Something the rule speaks of has happened."""
        self.stained = False
        """It remembers something that the agent caused."""
        self.due: int | None = None
        """First minute after which `tick` must be asked."""
        self.unsettled = False
        """`settle` must be asked at the end of this event."""

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        """An event or write it listens to, in the state before it. A frame hears each write that
        the agent caused, in the state after it."""
        return None

    def check(self, state: State, write: int | None) -> Breach | None:
        """The state at a moment when a table it reads has changed (by this write)."""
        return None

    def settle(self, state: State) -> Breach | None:
        """The end of an event, all its writes applied."""
        return None

    def tick(self, state: State) -> Breach | None:
        """Time has moved past `due`."""
        return None

    def close(self, state: State) -> Breach | None:
        """The end of the run."""
        return None

    def fork(self) -> Self:
        """An independent copy. A monitor that remembers more than values overrides this."""
        return copy(self)


class Pattern(Protocol):
    """What a rule says, compiled. Stateless: `monitor()` makes the memory for one run."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """The events and writes that its monitor must hear."""

    @property
    def can_be_vacuous(self) -> bool:
        """It passes when nothing it speaks of ever happens, and that is worth saying."""

    def monitor(self) -> Monitor:
        """An empty memory, for one run."""


def shown(bound: Mapping[str, Hit]) -> dict[str, Any]:
    """Bound events and writes as JSON."""
    return {name or "event": hit.shown() for name, hit in bound.items()}


def broken(
    why: str, state: State, predicate: Predicate, selectors: Sequence[Selector] = (), *hits: Hit
) -> Breach:
    """The breach of a predicate: what was bound, and by how much a bound was missed."""
    pairs = list(zip(selectors, hits, strict=True))
    values = shown({s.variable or s.kind: hit for s, hit in pairs})
    bound = [hit for s, hit in pairs if s.variable]
    found = predicate.measure(state, *bound)
    write = hits[0].number if hits else None
    if found is None:
        return Breach(why, values, write=write)
    sides = {found.left_source: found.left, found.right_source: found.right}
    values |= {source: value for source, value in sides.items() if not source.isdigit()}
    return Breach(why, values, found.left - found.right, write)
