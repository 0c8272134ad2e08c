"""Variants made by operating on a golden's trace: no tool is called, no customer asked.

consent      each `authorised`: other terms, expired, revoked, by another, given later, used
             twice must fail; expiring or revoked a minute after the use must pass
bound        each comparison of numbers in an `always`: exactly on the bound must pass, one unit
             beyond must fail
trespass     a write by the agent to a row of somebody else, in each table, must break the frame
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from bythebook.conduct.consent import Approval
from bythebook.conduct.criteria import Rule, Watch
from bythebook.conduct.criteria.hits import Hit
from bythebook.conduct.criteria.monitor import Breach
from bythebook.conduct.criteria.patterns import Always, Authorised, Frame
from bythebook.conduct.criteria.patterns.consent import AuthorisedMonitor
from bythebook.conduct.criteria.selector import Key
from bythebook.conduct.criteria.state import State, approvals_of
from bythebook.conduct.prove.bounds import Bounds
from bythebook.conduct.prove.court import Court
from bythebook.conduct.prove.values import Neighbours
from bythebook.conduct.prove.variant import Expect, Variant
from bythebook.conduct.world import Row
from bythebook.trace import Event, Write

Events = tuple[Event, ...]


class Surgeon:
    """Makes the variants of one golden's trace."""

    def __init__(self, court: Court, events: Events, neighbours: Neighbours) -> None:
        self.court, self.events, self.neighbours = court, events, neighbours
        self.notes: list[str] = []
        """What could not be tried."""

    def variants(self) -> Iterator[Variant]:
        """All of them, in a fixed order."""
        for rule in self.court.criteria.rules:
            if isinstance(rule.pattern, Authorised):
                yield from self.consents(rule, rule.pattern)
            elif isinstance(rule.pattern, Always):
                bounds = Bounds(self.court, self.events)
                yield from bounds.variants(rule, rule.pattern)
                self.notes += bounds.notes
            elif isinstance(rule.pattern, Frame):
                yield from self.trespasses(rule, rule.pattern)

    # --- consent ----------------------------------------------------------------------------

    def consents(self, rule: Rule, pattern: Authorised) -> Iterator[Variant]:
        """Every facet of the approvals that each hit of the rule rests on."""
        for use in _uses(self.court, self.events, rule):
            other = "agent" if pattern.by == "customer" else "customer"
            facets: tuple[tuple[str, Expect, dict[str, Any]], ...] = (
                ("of other terms", "fail", {"terms_hash": "0" * 32}),
                ("expires at its use", "fail", {"expires": use.t}),
                ("expires a minute after its use", "pass", {"expires": use.t + 1}),
                ("revoked at its use", "fail", {"revoked": use.t}),
                ("revoked a minute after its use", "pass", {"revoked": use.t + 1}),
                (f"by the {other}", "fail", {"by": other}),
            )
            for says, expect, columns in facets:
                events = tuple(_approval_changed(e, use.approvals, columns) for e in self.events)
                yield self._consent(rule, use, f"an approval {says}", expect, events)
            later = _moved_behind(self.events, use.approvals, use.at)
            yield self._consent(rule, use, "an approval given after its use", "fail", later)
            twice = renumbered((*self.events[: use.at + 1], *self.events[use.at :]))
            yield self._consent(rule, use, "an approval used twice", "fail", twice)

    def _consent(
        self, rule: Rule, use: "Use", says: str, expect: Expect, events: Events
    ) -> Variant:
        text = f"{rule.id}: {says} (event {use.at}, t={use.t})"
        return Variant(
            operator="consent", says=text, expect=expect, events=events, rule=rule.id, at=use.at
        )

    # --- trespass ---------------------------------------------------------------------------

    def trespasses(self, rule: Rule, frame: Frame) -> Iterator[Variant]:
        """A row of somebody else, written by the agent, in every table that is not left open."""
        excepted = frame.by_table
        for table in sorted(self.court.task.opening.tables):
            spared = excepted.get(table, ())
            if any(one.where is None for one in spared):
                if list(self._strangers(table)):
                    self.notes.append(f"the frame leaves {table} open, rows of others too")
                continue
            for row in self._foreign(table, by_row=bool(spared)):
                write = Write(table, row.id, row, row)
                says = f"the agent wrote {table} {row.id}, which is somebody else's"
                yield Variant(
                    operator="trespass",
                    says=says,
                    expect="fail",
                    events=_also_written(self.events, write),
                    rule=rule.id,
                )

    def _foreign(self, table: str, *, by_row: bool) -> Iterator[Row]:
        """Rows that are not the customer's; where the base holds none, one made up."""
        opening = self.court.task.opening.tables[table]
        mine = {row.id for row in self._written(table)}
        rows = [row for key, row in opening.items() if key not in mine]
        foreign = list(self._strangers(table))
        if not by_row:
            yield from (foreign or rows)[:1]
        elif foreign:
            yield from foreign
        else:
            yield from (_estranged(row) for row in (self._written(table) or rows)[:1])
            self.notes.append(f"no row of {table} is somebody else's, so trespass is made up")

    def _strangers(self, table: str) -> Iterator[Row]:
        """Rows of somebody else that the golden leaves alone."""
        mine = {row.id for row in self._written(table)}
        for key, row in self.court.task.opening.tables[table].items():
            if key not in mine and not self.neighbours.owned(row.id):
                yield row

    def _written(self, table: str) -> list[Row]:
        """Rows that the golden's agent wrote, or caused to be written."""
        caused = [e for e in self.events if e.actor == "agent" or e.cause is not None]
        return [w.new for event in caused for w in event.writes if w.table == table]


class Use(msgspec.Struct, frozen=True):
    """One hit of an `authorised` rule, and the approvals that hold for it."""

    at: int
    t: int
    approvals: frozenset[str]


class _Noting(AuthorisedMonitor):
    """Judges as its class does, and notes what each hit rests on."""

    def __init__(self, pattern: Authorised) -> None:
        super().__init__(pattern)
        self.uses: list[Use] = []

    def hear(self, key: Key, hit: Hit, state: State) -> Breach | None:
        rule = self.pattern
        if rule.what.matches(state, hit):
            row = state.tables[rule.table][rule.request.test(state, *rule.what.bound(hit))]
            found = approvals_of(state, rule.table, row, rule.terms, rule.by)
            self.uses.append(Use(hit.i, hit.t, frozenset(one.id for one in found)))
        return super().hear(key, hit, state)


def _uses(court: Court, events: Events, rule: Rule) -> list[Use]:
    assert isinstance(rule.pattern, Authorised)
    watch, noting = Watch(court.criteria, court.scene), _Noting(rule.pattern)
    watch.monitors[court.criteria.rules.index(rule)] = noting
    for event in events:
        watch.feed(event)
    return noting.uses


def renumbered(events: Iterable[Event]) -> Events:
    """Events in a new order, numbered so; causes keep pointing at the events they meant."""
    listed = list(events)
    places: dict[int, int] = {}
    for place, event in enumerate(listed):
        places.setdefault(event.i, place)
    return tuple(
        msgspec.structs.replace(
            event, i=place, cause=None if event.cause is None else places.get(event.cause, 0)
        )
        for place, event in enumerate(listed)
    )


def _approval_changed(event: Event, keys: frozenset[str], columns: dict[str, Any]) -> Event:
    """The event with its approvals of these keys changed."""
    if not any(_is_approval(write, keys) for write in event.writes):
        return event
    writes = tuple(
        Write(w.table, w.key, w.old, msgspec.structs.replace(w.new, **columns))
        if _is_approval(w, keys)
        else w
        for w in event.writes
    )
    return msgspec.structs.replace(event, writes=writes)


def _is_approval(write: Write, keys: frozenset[str]) -> bool:
    return write.table == Approval.table and write.key in keys


def _moved_behind(events: Events, keys: frozenset[str], at: int) -> Events:
    """The approvals of these keys written right after event `at`, by the same acts."""
    before: list[Event] = []
    late: list[Event] = []
    for event in events[: at + 1]:
        moved = tuple(w for w in event.writes if _is_approval(w, keys))
        stay = tuple(w for w in event.writes if not _is_approval(w, keys))
        before.append(msgspec.structs.replace(event, writes=stay) if moved else event)
        if moved:
            late.append(msgspec.structs.replace(event, writes=moved, t=events[at].t))
    return renumbered((*before, *late, *events[at + 1 :]))


def _also_written(events: Events, write: Write) -> Events:
    """One more write in the agent's last call."""
    last = max(event.i for event in events if event.kind == "call")
    changed = msgspec.structs.replace(events[last], writes=(*events[last].writes, write))
    return (*events[:last], changed, *events[last + 1 :])


def _estranged(row: Row) -> Row:
    """A row of nobody known: every text in it is another one."""
    texts = {
        name: f"{getattr(row, name)}~"
        for name in row.__struct_fields__
        if isinstance(getattr(row, name), str)
    }
    return msgspec.structs.replace(row, **texts)
