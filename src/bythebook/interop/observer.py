"""One foreign trace under one set of rules: state is recorded, rules judge it, findings are kept.

Feed it events as they happen, or all of a stored trace. `breaches` asks what an event would break
without it happening, so that a guard can stop it.
"""

from datetime import UTC, datetime
from typing import Any, Literal, Self

import msgspec

from bythebook.conduct.criteria.evaluate import LOOKUP
from bythebook.conduct.criteria.hits import EventHit, as_json
from bythebook.conduct.criteria.patterns.order import AfterMonitor
from bythebook.conduct.criteria.selector import Selector
from bythebook.conduct.criteria.state import State
from bythebook.interop.forms import shortened
from bythebook.interop.records import Odd
from bythebook.interop.rulebook import Rulebook
from bythebook.interop.track import Tracker
from bythebook.interop.watch import (
    ForeignWatch,
    Opening,
    successes,
    waits_for_the_end,
)
from bythebook.trace import Event
from bythebook.verdict import Finding

Answer = Literal["pass", "fail", "void", "uncheckable"]
NO_RESULT = "the call has no result, so nobody knows whether it succeeded"
A_YEAR = 365 * 24 * 3600
LONGEST = 400
"""Most characters of a text or result that a quotation holds."""


class Quoted(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event of a foreign trace, for people to find again."""

    i: int
    kind: str
    actor: str
    name: str
    args: dict[str, Any] = {}
    result: Any = None
    place: str = ""

    def __str__(self) -> str:
        if self.kind == "message":
            return f"{self.actor}: {shortened(str(self.args.get('text', '')), 160)!r}"
        args = ", ".join(f"{name}={value!r}" for name, value in self.args.items())
        gave = "" if self.result is None else f" -> {shortened(self.result, 80)}"
        return shortened(f"{self.name}({args})", 240) + gave


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What one rule found in one foreign trace."""

    id: str
    kind: str
    verdict: Answer
    heuristic: bool = False
    group: str = ""
    at: int | None = None
    says: str
    vacuous: bool = False
    why: str = ""
    source: str = ""
    event: Quoted | None = None
    """The event that broke the rule, or before which it could not be decided."""
    values: dict[str, Any] = {}


class Observer:
    """State and rules of one trace.

    Until `begin` is told when the trace began, what counts minutes or days is uncheckable.
    """

    def __init__(self, book: Rulebook) -> None:
        tables: dict[str, dict[str, Any]] = {name: {} for name in book.tables}
        opening = Opening(tables)
        state = State(tables, opening.day, opening.clock)
        self.book, self.timed, self.dated = book, False, False
        self.watch = ForeignWatch(book, opening)
        self.tracker = Tracker(book.listeners, book.criteria.forms, state)
        self.unread: list[str] = []
        """What `track:` could not make out, with its places."""
        self.empty = True
        """Nothing that either side did was read."""
        self.cut = ""
        """Why the trace ends before its end."""
        self._events: dict[int, Quoted] = {}

    def feed(self, event: Event) -> tuple[Finding, ...]:
        """One more event; what it broke."""
        if event.name in self.book.aliases:
            event = msgspec.structs.replace(event, name=self.book.aliases[event.name])
        self.empty = self.empty and event.actor == "company"
        before = list(self.watch.findings)
        undecided = set(self.watch.undecided)
        if not getattr(event, "answered", True):
            event = self._unanswered(event)
        else:
            event = self.tracker.follow(event)
            self.watch.clouded |= self.tracker.clouded
            place = getattr(event, "place", "") or f"event {event.i}"
            self.unread += [f"{place}: {what}" for what in self.tracker.unread]
        self.watch.feed(event)
        broken = self._new(before)
        for number in {n for n, _ in broken} | (set(self.watch.undecided) - undecided):
            self._events[number] = quoted(event)
        return tuple(found for number, found in broken if number not in self.watch.withdrawn)

    def begin(self, seconds: float) -> None:
        """The trace began at this moment (seconds since 1970, UTC), or at no date (less than a
        year)."""
        self.timed, self.dated = True, seconds >= A_YEAR
        began = datetime.fromtimestamp(seconds, UTC)
        for state in (self.watch.state, self.tracker.state):
            state.opening_day = began.date().isoformat()
            state.clock = began.hour * 60 + began.minute

    def gap(self, odd: Odd) -> None:
        """Something here could not be read."""
        self.watch.gap = self.watch.gap or f"{odd.place}: {odd.what}"

    def breaches(self, event: Event) -> tuple[Finding, ...]:
        """The rules that this event would break, without it happening: guard mode."""
        return self.fork().feed(event)

    def fork(self) -> Self:
        """An independent copy of this moment, to think of events that have not happened."""
        twin = type(self).__new__(type(self))
        twin.book, twin.timed, twin.dated = self.book, self.timed, self.dated
        twin.watch, twin.tracker = self.watch.fork(), self.tracker.fork()
        twin.empty = self.empty
        twin.unread, twin.cut, twin._events = list(self.unread), self.cut, dict(self._events)
        return twin

    def finish(self) -> tuple[Judged, ...]:
        """Close every rule: one answer each, in the order of the criteria."""
        self._quote_what_waits()
        findings = self.watch.finish()
        return tuple(self._judged(number, found) for number, found in enumerate(findings))

    def _new(self, before: list[Finding | None]) -> list[tuple[int, Finding]]:
        pairs = enumerate(zip(before, self.watch.findings, strict=True))
        return [(n, new) for n, (old, new) in pairs if old is None and new is not None]

    def _unanswered(self, event: Event) -> Event:
        """A call of which nobody knows whether it succeeded: rules that it may have broken are
        undecided, and rows that it may have changed are no longer known."""
        criteria, key = self.book.criteria, (event.kind, event.name)
        hit = EventHit(msgspec.structs.replace(event, ok=True), *key, criteria.forms)
        for number in criteria.listeners.get(key, ()):
            pattern = criteria.rules[number].pattern
            if any(_may_match(one, self.watch.state, hit) for one in successes(pattern)):
                self.watch.unsure(number, key, event.i, NO_RESULT)
        writes, tables = self.tracker.doubt(hit)
        self.watch.clouded |= tables
        return msgspec.structs.replace(event, writes=writes) if writes else event

    def _quote_what_waits(self) -> None:
        """Rules that still wait for an answer are about the event that asks for one."""
        for number, monitor in enumerate(self.watch.monitors):
            if isinstance(monitor, AfterMonitor) and monitor.open:
                hit = monitor.open[0]
                event = getattr(hit, "_event", None)
                if event is not None and number not in self._events:
                    self._events[number] = quoted(event)

    def _judged(self, number: int, found: Finding) -> Judged:
        rule, event = self.book.criteria.rules[number], self._events.get(number)
        answer, why = self._answer(number, found)
        at = found.at if event is None or answer == "pass" else event.i
        decided = answer in ("fail", "void")
        return Judged(
            id=rule.id,
            kind=rule.kind,
            verdict=answer,
            heuristic=rule.heuristic,
            group=rule.group,
            at=None if answer == "pass" else at,
            says=rule.says,
            vacuous=found.vacuous and answer == "pass",
            why=why,
            source=rule.source,
            event=None if answer == "pass" else event,
            values=as_json(found.values) if decided else {},
        )

    def _answer(self, number: int, found: Finding) -> tuple[Answer, str]:
        rule, undecided = self.book.criteria.rules[number], self.watch.undecided.get(number)
        if self.empty and self.watch.gap:
            return "uncheckable", f"nothing of the trace could be read: {self.watch.gap}"
        if rule.clock and not self.timed:
            return "uncheckable", "it counts time, and the trace tells none"
        if "day" in rule.clock and not self.dated:
            return "uncheckable", "it asks for the day, and the trace tells none"
        if self.cut and waits_for_the_end(rule.pattern):
            return "uncheckable", f"the trace ends before its end: {self.cut}"
        if number in self.watch.withdrawn or (found.verdict == "pass" and undecided is not None):
            assert undecided is not None
            return "uncheckable", undecided.why
        return found.verdict, found.why


def _may_match(selector: Selector, state: State, hit: EventHit) -> bool:
    """Could the selector speak of this call, had it succeeded?"""
    try:
        return selector.key == (hit.kind, hit.name) and bool(selector.matches(state, hit))
    except LOOKUP:
        return True


def quoted(event: Event) -> Quoted:
    """An event as it is shown to people."""
    result = event.result
    if event.kind in ("call", "customer"):
        result = shortened(as_json(result), LONGEST) if result is not None else None
    args = {name: _cut(value) for name, value in as_json(event.args).items()}
    place = getattr(event, "place", "")
    return Quoted(event.i, event.kind, event.actor, event.name, args, result, place)


def _cut(value: Any) -> Any:
    return shortened(value, LONGEST) if isinstance(value, str) else value
