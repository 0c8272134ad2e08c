"""Patterns over two events or writes. "Earlier" means a smaller event number, then write number.

before: SEL_b, needs: SEL_a, match?: PRED(a, b), since?: SEL, once?: bool
after: SEL_a, then: SEL_b, match?: PRED(a, b), within?: n
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from bythebook.conduct.criteria.hits import Hit
from bythebook.conduct.criteria.matching import Matching
from bythebook.conduct.criteria.monitor import Breach, Monitor, shown
from bythebook.conduct.criteria.predicate import Predicate
from bythebook.conduct.criteria.selector import Key, Selector
from bythebook.conduct.criteria.state import State

Chain = tuple[Hit, Any] | None
"""Hits, the newest first: each with those before it. Adding one is as cheap as sharing them all."""


def newest_first(chain: Chain) -> Iterator[Hit]:
    """The hits of a chain."""
    while chain is not None:
        hit, chain = chain
        yield hit


@dataclass(frozen=True)
class Before:
    """Every b has an earlier a that matches, after the last earlier `since`.

    `match` is asked in the state before b. `once`: an a serves one b. An event that is both a and
    `since` counts as an a of the new stretch.
    """

    what: Selector
    needs: Selector
    match: Predicate | None
    since: Selector | None
    once: bool
    can_be_vacuous: bool = True

    @property
    def keys(self) -> tuple[Key, ...]:
        found = [self.what.key, self.needs.key]
        return tuple(dict.fromkeys(found + ([self.since.key] if self.since else [])))

    def monitor(self) -> Monitor:
        return BeforeMonitor(self)


class BeforeMonitor(Monitor):
    def __init__(self, pattern: Before) -> None:
        super().__init__()
        self.pattern = pattern
        self.earlier: Chain = None
        self.matching: Matching[Hit] = Matching()

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        rule = self.pattern
        if key == rule.what.key and rule.what.matches(state, hit):
            self.exercised = True
            if not self.served(hit, state):
                return self.breach(hit)
        if rule.since is not None and key == rule.since.key and rule.since.matches(state, hit):
            self.earlier = None
        if key == rule.needs.key and rule.needs.matches(state, hit):
            # Where any a serves any b, the last one is as good as all.
            any_serves = rule.match is None and not rule.once
            self.earlier = (hit, None if any_serves else self.earlier)
            self.stained |= hit.caused
        return None

    def served(self, b: Hit, state: State) -> bool:
        rule, earlier = self.pattern, newest_first(self.earlier)
        if rule.once:
            return self.matching.admit([a for a in earlier if matches(rule, state, a, b)][::-1])
        return any(matches(rule, state, a, b) for a in earlier)

    def breach(self, hit: Hit) -> Breach:
        rule = self.pattern
        since = f" since the last {rule.since.source}" if rule.since else ""
        why = f"nothing earlier{since} serves it: {rule.needs.source}"
        return Breach(why, shown({rule.what.variable or rule.what.kind: hit}), write=hit.number)

    def fork(self) -> Self:
        twin = super().fork()
        twin.matching = self.matching.fork()
        return twin


def matches(rule: "Before | After", state: State, a: Hit, b: Hit) -> bool:
    """Does `match` hold for this a and this b?"""
    if rule.match is None:
        return True
    first, second = (rule.needs, rule.what) if isinstance(rule, Before) else (rule.what, rule.then)
    return bool(rule.match.test(state, *first.bound(a), *second.bound(b)))


@dataclass(frozen=True)
class After:
    """Every a is answered by a later b that matches, within n minutes (t_a + n still counts) or
    by the end of the run. One b can answer several a."""

    what: Selector
    then: Selector
    match: Predicate | None
    within: int | None
    can_be_vacuous: bool = True

    @property
    def keys(self) -> tuple[Key, ...]:
        return tuple(dict.fromkeys((self.what.key, self.then.key)))

    def monitor(self) -> Monitor:
        return AfterMonitor(self)


class AfterMonitor(Monitor):
    def __init__(self, pattern: After) -> None:
        super().__init__()
        self.pattern = pattern
        self.open: tuple[Hit, ...] = ()

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        rule = self.pattern
        if key == rule.then.key and rule.then.matches(state, hit):
            self.open = tuple(a for a in self.open if not matches(rule, state, a, hit))
        if key == rule.what.key and rule.what.matches(state, hit):
            self.exercised = True
            self.open += (hit,)
            self.stained |= hit.caused
        self.due = self.deadline()
        return None

    def deadline(self) -> int | None:
        within = self.pattern.within
        if within is None or not self.open:
            return None
        return self.open[0].t + within

    def tick(self, state: State) -> Breach | None:
        if self.due is None or state.t <= self.due:
            return None
        return self.breach(f"it was not answered by t={self.due}", state.t - self.due)

    def close(self, state: State) -> Breach | None:
        return self.breach("it was not answered by the end") if self.open else None

    def breach(self, why: str, margin: int | None = None) -> Breach:
        what = self.pattern.what
        values = shown({what.variable or what.kind: self.open[0]})
        return Breach(f"{why}: {self.pattern.then.source}", values, margin)
