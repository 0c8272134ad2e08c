"""The monitors of criteria over a foreign trace: the same rules, and one more answer.

`uncheckable` is what cannot be decided from the trace: a rule looked for something that it does not
show, it counts minutes and the trace has no times, or what it waits for may stand in a part that
could not be read. Nothing uncheckable is ever counted as a pass or as a failure. A failure that was
seen stands, whatever else could not be decided.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from bythebook.conduct.criteria.evaluate import LOOKUP, Watch
from bythebook.conduct.criteria.hits import Hit
from bythebook.conduct.criteria.monitor import Breach, Pattern
from bythebook.conduct.criteria.patterns import After, Before, Count, Finally
from bythebook.conduct.criteria.selector import Key, Selector
from bythebook.interop.rulebook import Rulebook
from bythebook.tool import Day
from bythebook.verdict import Finding, Mark

HOLDS = Breach("")


@dataclass(frozen=True)
class Opening:
    """Nothing is known when a foreign trace begins."""

    tables: Mapping[str, Mapping[str, Any]]
    day: Day = "1970-01-01"
    clock: int = 0


@dataclass(frozen=True)
class Undecided:
    """Where a rule could not be decided first, and why."""

    at: int | None
    why: str


class ForeignWatch(Watch):
    """All rules over one foreign trace."""

    def __init__(self, book: Rulebook, opening: Opening) -> None:
        self.undecided: dict[int, Undecided] = {}
        self.doubtful: dict[int, Undecided] = {}
        """Rules that may have missed what would have served them: they can pass, not fail."""
        self.clouded: set[str] = set()
        """Tables in which there may be rows that were not recorded."""
        self.withdrawn: set[int] = set()
        """Rules that seem broken, and cannot be said to be."""
        self.gap = ""
        """The first place that could not be read."""
        self._key: Key = ("", "")
        super().__init__(book.criteria, opening)

    def fork(self) -> Self:
        twin = super().fork()
        twin.undecided, twin.doubtful = dict(self.undecided), dict(self.doubtful)
        twin.withdrawn, twin.clouded = set(self.withdrawn), set(self.clouded)
        twin.gap, twin._key = self.gap, self._key
        return twin

    def unsure(self, number: int, key: Key, at: int | None, why: str) -> None:
        """Whether the event of this key concerns a rule cannot be decided."""
        pattern = self.criteria.rules[number].pattern
        if key in serving(pattern):
            self.doubtful.setdefault(number, Undecided(at, why))
        if key not in serving(pattern) or key in asking(pattern):
            self.undecided.setdefault(number, Undecided(at, why))

    def _open(self, number: int) -> None:
        try:
            self.monitors[number].check(self.state, None)
        except LOOKUP:
            return  # nothing is known yet; that says nothing about the rule
        super()._open(number)

    def _hear(self, heard: Any, key: Key, hit: Hit) -> None:
        self._key = key
        super()._hear(heard, key, hit)
        self._key = ("", "")

    def _raised(self, number: int, at: int | None, caused: bool, error: Exception) -> None:
        if not isinstance(error, LOOKUP):
            super()._raised(number, at, caused, error)
            return
        said = str(error.args[0] if error.args else error)
        if isinstance(error, KeyError):
            said = f"the trace does not show {said!r}, of which the rule asks"
        self.unsure(number, self._key, at, said)

    def _finding(
        self, number: int, mark: Mark, breach: Breach = HOLDS, at: int | None = None
    ) -> Finding:
        """A failure by what is missing is none where something may have been missed."""
        if mark == "fail":
            why = self._may_be_missed(number, breach)
            if why:
                self.undecided[number] = Undecided(at, why)
                self.withdrawn.add(number)
        return super()._finding(number, mark, breach, at)

    def _may_be_missed(self, number: int, breach: Breach) -> str:
        if number in self.doubtful:
            first = self.doubtful[number]
            return f"what would have served it may have happened at {first.at}: {first.why}"
        if not self.clouded.isdisjoint(self.criteria.rules[number].tables):
            return "it reads rows that a call may have set of which the trace shows no result"
        if self.gap and missing(self.criteria.rules[number].pattern, breach):
            return f"what would have served it may stand where nothing could be read: {self.gap}"
        return ""


def serving(pattern: Pattern) -> tuple[Key, ...]:
    """The events whose happening keeps a rule from being broken later."""
    match pattern:
        case Before():
            return (pattern.needs.key,)
        case After():
            return (pattern.then.key,)
        case Count() if pattern.at_least is not None:
            return pattern.keys
        case _:
            return ()


def asking(pattern: Pattern) -> tuple[Key, ...]:
    """The events whose happening can break a rule, or begins what can."""
    match pattern:
        case Before() | After():
            return (pattern.what.key,)
        case Count() if pattern.at_most is None:
            return ()
        case _:
            return pattern.keys


def missing(pattern: Pattern, breach: Breach) -> bool:
    """Was the rule broken by something that did not happen?"""
    return isinstance(pattern, Before | After) or (
        isinstance(pattern, Count) and (breach.margin or 0) < 0
    )


def waits_for_the_end(pattern: Pattern) -> bool:
    """Can the rule be decided only when all has happened?"""
    least = isinstance(pattern, Count) and pattern.at_least is not None
    return isinstance(pattern, Finally | After) or least


def successes(pattern: Pattern) -> list[Selector]:
    """The selectors that speak of successful calls."""
    parts = (getattr(pattern, name) for name in getattr(pattern, "__dataclass_fields__", ()))
    return [one for one in parts if isinstance(one, Selector) and one.kind in ("call", "customer")]
