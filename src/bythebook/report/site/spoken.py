"""Which rules spoke of which event: whose selector an event or a write answered, and what stood
there then."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.criteria.evaluate import AGENT_SPEAKS, AGENT_WORDS, LOOKUP
from bythebook.conduct.criteria.grammar import Rule
from bythebook.conduct.criteria.hits import EventHit, Hit, WriteHit
from bythebook.conduct.criteria.patterns import (
    After,
    Authorised,
    Before,
    Count,
    Never,
    Whenever,
)
from bythebook.conduct.criteria.selector import Selector
from bythebook.conduct.criteria.state import State, approvals_of
from bythebook.report.site.deadlines import Awaiting, Deadline
from bythebook.trace import StoredEvent

Part = Literal["asked", "serves", "again"]
"""asked: the rule looks at this. serves: the rule asks for this elsewhere, earlier or later.
again: from here on the rule forgets what served it."""


class Spoke(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One rule at one event."""

    rule: str
    part: Part = "asked"
    write: int | None = None
    sides: tuple[str, int, str, int] | None = None
    """Left side and its value, right side and its value, of the first comparison of numbers."""
    approvals: tuple[str, ...] = ()
    """Approvals that held for exactly these terms."""


class Heard(msgspec.Struct, frozen=True):
    """A whole run."""

    spoken: dict[int, tuple[Spoke, ...]]
    """By number of the event."""
    awaited: tuple[Deadline, ...]


def listen(scene: SceneFile, events: Sequence[StoredEvent]) -> Heard:
    """Walk a run as its judge does (`evaluate`), and write down who listened."""
    walk = _Walk(scene)
    for event in events:
        walk.feed(event)
    return Heard(walk.spoken, tuple(walk.awaiting.found))


class _Walk:
    def __init__(self, scene: SceneFile) -> None:
        self.criteria = scene.criteria
        self.state = State(scene.tables, scene.day, scene.clock)
        self.awaiting = Awaiting(scene.criteria)
        self.spoken: dict[int, tuple[Spoke, ...]] = {}

    def feed(self, event: StoredEvent) -> None:
        self.state.t = event.t
        key = (event.kind, event.actor if event.kind == "message" else event.name)
        heard: list[Spoke] = []
        keys = [key, AGENT_WORDS] if key == AGENT_SPEAKS and event.ok else [key]
        for kind, name in keys:
            if (kind, name) in self.criteria.listeners:
                heard += self._hear(EventHit(event, kind, name, self.criteria.forms))
        for number, write in enumerate(event.writes):
            if ("write", write.table) in self.criteria.listeners:
                heard += self._hear(WriteHit(event, number, write, self.criteria.forms))
            if write.table in self.criteria.tables:
                row = self.criteria.forms.row(write.table, write.new)
                self.state.put(write.table, write.key, row)
        if heard:
            # A call that writes ten rows is asked about once.
            first: dict[tuple[str, Part], Spoke] = {}
            for one in heard:
                first.setdefault((one.rule, one.part), one)
            self.spoken[event.i] = tuple(first.values())

    def _hear(self, hit: EventHit | WriteHit) -> Iterator[Spoke]:
        self.awaiting.hear(self.state, hit)
        for number in self.criteria.listeners[hit.kind, hit.name]:
            rule = self.criteria.rules[number]
            for part, selector in _selectors(rule):
                if selector.key == (hit.kind, hit.name) and self._matches(selector, hit):
                    yield self._spoke(rule, part, hit)

    def _matches(self, selector: Selector, hit: Hit) -> bool:
        try:
            return bool(selector.matches(self.state, hit))
        except LOOKUP:
            return False

    def _spoke(self, rule: Rule, part: Part, hit: Hit) -> Spoke:
        found = Spoke(rule=rule.id, part=part, write=hit.number)
        if part != "asked":
            return found
        try:
            if isinstance(rule.pattern, Whenever):
                sides = _sides(rule.pattern, self.state, hit)
                return msgspec.structs.replace(found, sides=sides)
            if isinstance(rule.pattern, Authorised):
                approvals = _approvals(rule.pattern, self.state, hit)
                return msgspec.structs.replace(found, approvals=approvals)
        except LOOKUP:
            pass
        return found


def _selectors(rule: Rule) -> Iterator[tuple[Part, Selector]]:
    pattern = rule.pattern
    if isinstance(pattern, Never | Whenever | Count | Before | After | Authorised):
        yield "asked", pattern.what
    if isinstance(pattern, Before):
        yield "serves", pattern.needs
        if pattern.since is not None:
            yield "again", pattern.since
    if isinstance(pattern, After):
        yield "serves", pattern.then


def _sides(pattern: Whenever, state: State, hit: Hit) -> tuple[str, int, str, int] | None:
    if pattern.state == "after":
        return None
    for bound in pattern.require.bounds:
        sides: Any = bound.sides(state, *pattern.what.bound(hit))
        if sides is not None:
            return bound.left_source, sides[0], bound.right_source, sides[1]
    return None


def _approvals(pattern: Authorised, state: State, hit: Hit) -> tuple[str, ...]:
    request = pattern.request.test(state, *pattern.what.bound(hit))
    row = state.tables[pattern.table].get(request)
    if row is None:
        return ()
    found = approvals_of(state, pattern.table, row, pattern.terms, pattern.by)
    return tuple(one.id for one in found)
