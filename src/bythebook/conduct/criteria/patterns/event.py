"""Patterns over single events or writes.

never: SEL
whenever: SEL, require: PRED, state: before|after      default before
count: SEL, at_least?: n, at_most?: n
"""

from dataclasses import dataclass
from typing import Literal

from bythebook.conduct.criteria.hits import Hit
from bythebook.conduct.criteria.monitor import Breach, Monitor, broken, shown
from bythebook.conduct.criteria.predicate import Predicate
from bythebook.conduct.criteria.selector import Key, Selector
from bythebook.conduct.criteria.state import State


@dataclass(frozen=True)
class Never:
    """Nothing that SEL speaks of happens."""

    what: Selector
    can_be_vacuous: bool = False

    @property
    def keys(self) -> tuple[Key, ...]:
        return (self.what.key,)

    def monitor(self) -> Monitor:
        return NeverMonitor(self.what)


class NeverMonitor(Monitor):
    def __init__(self, what: Selector) -> None:
        super().__init__()
        self.what = what

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        if not self.what.matches(state, hit):
            return None
        self.exercised = True
        values = shown({self.what.variable or self.what.kind: hit})
        return Breach("this must never happen", values, write=hit.number)


@dataclass(frozen=True)
class Whenever:
    """Each time SEL happens PRED holds, in the state before it or after it.

    Before: all writes of earlier events, and for a write also the earlier writes of its event.
    After: all writes of the event, also for a write.
    """

    what: Selector
    require: Predicate
    state: Literal["before", "after"] = "before"
    can_be_vacuous: bool = True

    @property
    def keys(self) -> tuple[Key, ...]:
        return (self.what.key,)

    def monitor(self) -> Monitor:
        return WheneverMonitor(self)


class WheneverMonitor(Monitor):
    def __init__(self, pattern: Whenever) -> None:
        super().__init__()
        self.pattern = pattern
        self.pending: tuple[Hit, ...] = ()
        self._after = pattern.state == "after"
        self._test, self._binds = pattern.require.test, bool(pattern.what.variable)

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        if not self.pattern.what.matches(state, hit):
            return None
        self.exercised = True
        if self._after:
            self.pending += (hit,)
            self.unsettled = True
            return None
        return self.judge(hit, state)

    def settle(self, state: State) -> Breach | None:
        pending, self.pending, self.unsettled = self.pending, (), False
        for hit in pending:
            found = self.judge(hit, state)
            if found is not None:
                return found
        return None

    def judge(self, hit: Hit, state: State) -> Breach | None:
        if self._test(state, hit) if self._binds else self._test(state):
            return None
        what, require = self.pattern.what, self.pattern.require
        why = f"what it requires does not hold {self.pattern.state} this"
        return broken(why, state, require, (what,), hit)


@dataclass(frozen=True)
class Count:
    """SEL happens at least, at most so many times."""

    what: Selector
    at_least: int | None
    at_most: int | None
    can_be_vacuous: bool = False

    @property
    def keys(self) -> tuple[Key, ...]:
        return (self.what.key,)

    def monitor(self) -> Monitor:
        return CountMonitor(self)


class CountMonitor(Monitor):
    def __init__(self, pattern: Count) -> None:
        super().__init__()
        self.pattern, self.seen = pattern, 0

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        if not self.pattern.what.matches(state, hit):
            return None
        self.exercised = True
        self.seen += 1
        most = self.pattern.at_most
        if most is None or self.seen <= most:
            return None
        values = shown({self.pattern.what.variable or self.pattern.what.kind: hit})
        why = f"it happened {self.seen} times, at most {most} allowed"
        return Breach(why, values, self.seen - most, hit.number)

    def close(self, state: State) -> Breach | None:
        least = self.pattern.at_least
        if least is None or self.seen >= least:
            return None
        return Breach(
            f"it happened {self.seen} times, at least {least} needed", {}, self.seen - least
        )
