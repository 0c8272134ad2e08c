"""The rules of a criteria file or pack, over what a guard sees pass by.

Before a call its result is not known: a rule that needs it is decided when it comes. What cannot be
decided stops nothing.
"""

from typing import Any, Literal

from bythebook.conduct.criteria.evaluate import AGENT_SPEAKS
from bythebook.conduct.criteria.grammar import Rule
from bythebook.conduct.criteria.patterns import After, Always, Finally
from bythebook.conduct.criteria.selector import Key
from bythebook.guard.decision import Broken, Called
from bythebook.interop.observer import Observer
from bythebook.interop.records import ForeignEvent, looks_failed
from bythebook.interop.rulebook import Rulebook
from bythebook.verdict import Finding

LASTING = (Always, After, Finally)
"""A rule of these that is broken stays so: what comes later does not break it anew."""
MINUTE = 60
UNSEEN = frozenset({"customer", "event"})
"""Kinds of events that no guard is told of: the customer's tools, and where turns begin."""
UNHEARD = UNSEEN | {"message"}


class TraceRules:
    """The rules of `book`. `hears`: whoever uses the guard tells it what is said."""

    def __init__(self, book: Rulebook, *, hears: bool = True) -> None:
        self.book, self.name, self.sha = book, book.where, book.criteria.sha
        self.astray = ""
        self.set_aside = frozenset(_unseen(book, UNSEEN if hears else UNHEARD))
        """Ids of rules that are about what this guard does not see."""
        self.asked = 0
        """Calls for which rules had to be asked; for the others none listens."""
        self._observer = Observer(book)
        self._numbers = {rule.id: n for n, rule in enumerate(book.criteria.rules)}
        self._began = 0.0
        self._serial = self._t = 0
        self._open: dict[int, Called] = {}

    def would_break(self, call: Called) -> tuple[Broken, ...]:
        """Calls under way count as if they had succeeded, so that two at once are not each the
        only one."""
        name = self.book.aliases.get(call.name, call.name)
        found: tuple[Broken, ...] = ()
        if self._concerns(("call", name)):
            self.asked += 1
            trial = self._observer.fork() if self._open else self._observer
            for other in self._open.values():
                trial.feed(self._event(other))
                self._renew(trial)
            found = self._told(trial.breaches(self._event(call)))
        return found

    def begun(self, call: Called) -> None:
        self._open[call.number] = call

    def passed(self, at: float) -> tuple[Broken, ...]:
        if not self._observer.timed:
            self._began = at
            self._observer.begin(at)
        t = max(self._t, int((at - self._began) // MINUTE))
        if t == self._t:
            return ()
        self._t = t
        return self._fed(ForeignEvent(self._next(), t, "company", "note", "clock"))

    def did(self, call: Called, result: Any, *, ok: bool) -> tuple[Broken, ...]:
        self._open.pop(call.number, None)
        ok = ok and not looks_failed(result)
        return self._fed(self._event(call, result=result, ok=ok, i=self._next()))

    def lost(self, call: Called) -> tuple[Broken, ...]:
        self._open.pop(call.number, None)
        return self._fed(self._event(call, ok=False, answered=False, i=self._next()))

    def heard(self, by: Literal["agent", "customer"], text: str, at: float) -> tuple[Broken, ...]:
        name = "message_customer" if by == "agent" else "message_agent"
        return self._fed(ForeignEvent(self._next(), self._t, by, "message", name, {"text": text}))

    # --- inside -----------------------------------------------------------------------------

    def _concerns(self, key: Key) -> bool:
        """Does any rule, or any row, listen to calls of this tool?"""
        listeners = self.book.criteria.listeners
        return key in listeners or key in self.book.listeners or key == AGENT_SPEAKS

    def _event(self, call: Called, **more: Any) -> ForeignEvent:
        i, place = more.pop("i", self._serial), f"call {call.number}"
        args = dict(call.args)
        return ForeignEvent(i, self._t, "agent", "call", call.name, args, place=place, **more)

    def _next(self) -> int:
        self._serial += 1
        return self._serial - 1

    def _fed(self, event: ForeignEvent) -> tuple[Broken, ...]:
        found = self._observer.feed(event)
        self._renew(self._observer)
        return self._told(found)

    def _renew(self, observer: Observer) -> None:
        """A rule that was broken can be broken again, and is guarded on."""
        watch = observer.watch
        for number, found in enumerate(watch.findings):
            if found is None or found.verdict != "fail":
                continue
            if not isinstance(self.book.criteria.rules[number].pattern, LASTING):
                watch.findings[number] = None
                watch.withdrawn.discard(number)

    def _told(self, findings: tuple[Finding, ...]) -> tuple[Broken, ...]:
        broken = (one for one in findings if one.verdict == "fail")
        return tuple(
            Broken.of(one, heuristic=self._rule(one).heuristic)
            for one in broken
            if one.id not in self.set_aside and self._decidable(self._rule(one))
        )

    def _rule(self, finding: Finding) -> Rule:
        return self.book.criteria.rules[self._numbers[finding.id]]

    def _decidable(self, rule: Rule) -> bool:
        if "day" in rule.clock and not self._observer.dated:
            return False
        return not rule.clock or self._observer.timed


def _unseen(book: Rulebook, kinds: frozenset[str]) -> set[str]:
    """Rules that listen to these kinds of events, or read rows made of them."""
    tables = {
        track.table for key, tracks in book.listeners.items() if key[0] in kinds for track in tracks
    }
    return {
        rule.id
        for rule in book.criteria.rules
        if any(kind in kinds for kind, _ in rule.pattern.keys)
        or any(("write", table) in rule.pattern.keys for table in tables)
        or rule.tables & tables
    }
