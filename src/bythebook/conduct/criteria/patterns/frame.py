"""The frame: what a task may touch, row by row.

    frame: {except: ["TABLE [where PRED(r, old)]"+]}

Every write caused by the agent (its calls, and the company's events that they set off; never the
customer's acts) lies in one of the exceptions. `r` is the row as written, `old` the row before it
(None when it is new).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bythebook.conduct.criteria.hits import Hit, WriteHit
from bythebook.conduct.criteria.monitor import Breach, Monitor
from bythebook.conduct.criteria.predicate import Predicate
from bythebook.conduct.criteria.selector import Key
from bythebook.conduct.criteria.state import State


@dataclass(frozen=True)
class Spared:
    """One exception: rows of a table that may be written."""

    source: str
    table: str
    where: Predicate | None

    @cached_property
    def looks_back(self) -> bool:
        """It reads the row as it was before."""
        return self.where is not None and "old" in self.where.names


@dataclass(frozen=True)
class Frame:
    """The agent caused no write outside these rows."""

    spared: tuple[Spared, ...]
    keys: tuple[Key, ...] = ()
    can_be_vacuous: bool = False

    @property
    def by_table(self) -> Mapping[str, tuple[Spared, ...]]:
        found: dict[str, tuple[Spared, ...]] = {}
        for one in self.spared:
            found[one.table] = (*found.get(one.table, ()), one)
        return found

    def monitor(self) -> Monitor:
        return FrameMonitor(self.by_table)


class FrameMonitor(Monitor):
    def __init__(self, spared: Mapping[str, tuple[Spared, ...]]) -> None:
        super().__init__()
        self.spared = spared

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        assert isinstance(hit, WriteHit)
        self.exercised = True
        for one in self.spared.get(hit.name, ()):
            # The row before is decoded only for those who look at it.
            if one.where is None:
                return None
            old = hit.old if one.looks_back else None
            if one.where.test(state, hit.new, old):
                return None
        why = f"{hit.name} {hit.key} is outside what this task may touch"
        return Breach(why, {"write": hit.shown()}, write=hit.number)
