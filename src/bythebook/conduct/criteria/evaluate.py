"""One pass over a trace: each rule's monitor hears what it listens to, in the order of the story.

Order inside one event: (1) selectors on the event, in the state before it; (2) for each write in
turn: selectors on the write, the write is applied, `always at: write`, the frame; (3) `always at:
event` if a table it reads has changed; (4) `whenever .. state: after`. The first failure of a rule
is final.

A lookup that fails while judging what the agent caused fails the rule, so that no agent can make a
run void. Void is for our own faults: a rule that does not hold in the opening state, a lookup that
fails where nothing of the agent had a part, any other exception.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Self

import msgspec

from bythebook.conduct.criteria.grammar import Criteria
from bythebook.conduct.criteria.hits import AnyEvent, AnyWrite, EventHit, Hit, WriteHit
from bythebook.conduct.criteria.monitor import Breach, Monitor
from bythebook.conduct.criteria.selector import Key
from bythebook.conduct.criteria.state import State
from bythebook.conduct.schema import row_type
from bythebook.errors import JudgeError, TraceError
from bythebook.tool import Day, Refused
from bythebook.verdict import Finding, Mark

LOOKUP = (LookupError, AttributeError, TypeError, ValueError, ArithmeticError, Refused)
"""What a predicate raises when something it looks for is not there, or is not what it should be."""

NONE = Breach("")


class Opening(Protocol):
    """What a world or a scene starts from."""

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def day(self) -> Day: ...
    @property
    def clock(self) -> int: ...


class Watch:
    """All rules of a task over one run. Feed it events as they happen, or all of a stored trace."""

    def __init__(self, criteria: Criteria, opening: Opening) -> None:
        self.criteria = criteria
        self.state = State(_slice(criteria, opening), opening.day, opening.clock)
        self.monitors: list[Monitor] = [rule.pattern.monitor() for rule in criteria.rules]
        self.findings: list[Finding | None] = [None] * len(criteria.rules)
        self.last: int | None = None
        self._stained: set[str] = set()
        self._due: int | None = None
        for numbers in criteria.invariants.values():
            for number in numbers:
                self._open(number)

    def feed(self, event: AnyEvent) -> None:
        """One more event."""
        moved = event.t != self.state.t
        self.state.t, self.last = event.t, event.i
        caused = event.actor != "company" or event.cause is not None
        if self._due is not None and event.t > self._due:
            self._tick(event.i, caused)
        key = (event.kind, event.actor if event.kind == "message" else event.name)
        heard = self.criteria.listeners.get(key)
        if heard:
            self._hear(heard, key, EventHit(event, *key, self.criteria.forms))
        writes: tuple[AnyWrite, ...] = event.writes
        for number, write in enumerate(writes):
            self._write(WriteHit(event, number, write, self.criteria.forms))
        if event.writes or moved:
            self._invariants(event, caused, moved)
        for number in self.criteria.settling:
            self._ask(number, event.i, caused, self.monitors[number].settle, self.state)

    def breaches(self, event: AnyEvent) -> tuple[Finding, ...]:
        """The rules that this event would break, without it happening: guard mode."""
        twin = self.fork()
        twin.feed(event)
        pairs = zip(self.findings, twin.findings, strict=True)
        return tuple(new for old, new in pairs if old is None and new is not None)

    def finish(self) -> tuple[Finding, ...]:
        """Close every rule: one finding each, in the order of the criteria."""
        for number, monitor in enumerate(self.monitors):
            self._ask(number, self.last, True, monitor.close, self.state)
        return tuple(
            found or self._finding(number, "pass") for number, found in enumerate(self.findings)
        )

    def fork(self) -> Self:
        """An independent copy of this moment."""
        twin = type(self).__new__(type(self))
        twin.criteria, twin.state = self.criteria, self.state.fork()
        twin.monitors = [monitor.fork() for monitor in self.monitors]
        twin.findings, twin.last = list(self.findings), self.last
        twin._stained, twin._due = set(self._stained), self._due
        return twin

    # --- the parts of an event --------------------------------------------------------------

    def _hear(self, heard: Iterable[int], key: Key, hit: Hit) -> None:
        for number in heard:
            monitor = self.monitors[number]
            self._ask(number, hit.i, hit.caused, monitor.hear, key, hit, self.state)
            if monitor.due is not None and (self._due is None or monitor.due < self._due):
                self._due = monitor.due

    def _write(self, hit: WriteHit) -> None:
        criteria, table = self.criteria, hit.name
        heard = criteria.listeners.get(("write", table))
        if heard:
            self._hear(heard, ("write", table), hit)
        if table in criteria.tables:
            self.state.put(table, hit.key, hit.new)
            if hit.caused:
                self._stained.add(table)
            for number in criteria.invariants["write"]:
                if table in criteria.rules[number].tables:
                    self._check(number, hit.i, hit.caused, hit.number)
        if hit.framed:
            for number in criteria.frames:
                self._ask(number, hit.i, True, self.monitors[number].see, hit, self.state)

    def _invariants(self, event: AnyEvent, caused: bool, moved: bool) -> None:
        changed = {write.table for write in event.writes}
        for number in self.criteria.invariants["event"]:
            touched = not changed.isdisjoint(self.criteria.rules[number].tables)
            if touched or (moved and number in self.criteria.timed):
                self._check(number, event.i, caused, None)

    def _check(self, number: int, at: int, caused: bool, write: int | None) -> None:
        monitor = self.monitors[number]
        monitor.exercised = True
        self._ask(number, at, caused, monitor.check, self.state, write)

    def _tick(self, at: int, caused: bool) -> None:
        """Time has moved past the first deadline there is."""
        for number, monitor in enumerate(self.monitors):
            if monitor.due is not None:
                self._ask(number, at, caused, monitor.tick, self.state)
        open_ = (m.due for m, f in zip(self.monitors, self.findings, strict=True) if f is None)
        self._due = min((due for due in open_ if due is not None), default=None)

    # --- findings ---------------------------------------------------------------------------

    def _open(self, number: int) -> None:
        """An invariant in the opening state, of which the agent has no part."""
        try:
            found = self.monitors[number].check(self.state, None)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is our fault: void
            found = Breach(_told(error))
        if found is not None:
            breach = msgspec.structs.replace(found, why=f"in the opening state: {found.why}")
            self.findings[number] = self._finding(number, "void", breach)

    def _ask(
        self,
        number: int,
        at: int | None,
        caused: bool,
        question: Callable[..., Breach | None],
        *about: Any,
    ) -> None:
        """Put a question to a rule that is still open, and keep its answer if it is a failure."""
        if self.findings[number] is not None:
            return
        mark: Mark = "fail"
        try:
            breach = question(*about)
        except TraceError:
            raise
        except LOOKUP as error:
            mark = "fail" if caused or self._agent_had_a_part(number) else "void"
            breach = Breach(f"lookup: {_told(error)}")
        except Exception as error:  # noqa: BLE001 - anything else is our fault: void
            mark, breach = "void", Breach(_told(error))
        if breach is not None:
            self.findings[number] = self._finding(number, mark, breach, at)

    def _agent_had_a_part(self, number: int) -> bool:
        """In a table the rule reads, or in what its monitor remembers."""
        tables = self.criteria.rules[number].tables
        return self.monitors[number].stained or not self._stained.isdisjoint(tables)

    def _finding(
        self, number: int, mark: Mark, breach: Breach = NONE, at: int | None = None
    ) -> Finding:
        rule = self.criteria.rules[number]
        vacuous = rule.pattern.can_be_vacuous and not self.monitors[number].exercised
        return Finding(
            id=rule.id,
            kind=rule.kind,
            says=rule.says,
            verdict=mark,
            vacuous=vacuous and mark == "pass",
            at=at,
            write=breach.write,
            why=breach.why,
            values=breach.values,
            margin=breach.margin,
            source=rule.source,
        )


def evaluate(
    criteria: Criteria, opening: Opening, events: Iterable[AnyEvent]
) -> tuple[Finding, ...]:
    """What every rule finds in a whole run; live events and stored ones give the same."""
    watch = Watch(criteria, opening)
    for event in events:
        watch.feed(event)
    return watch.finish()


def _slice(criteria: Criteria, opening: Opening) -> dict[str, Mapping[str, Any]]:
    """The rows that the rules read, as predicates see them."""
    found: dict[str, Mapping[str, Any]] = {}
    for table in sorted(criteria.tables):
        rows = opening.tables.get(table)
        if rows is None:
            what = f"the opening state holds no table {table!r}, which the criteria read"
            hint = f"it holds {', '.join(sorted(opening.tables)) or 'none'}"
            raise JudgeError(what, hint=hint)
        found[table] = _rows(criteria, table, rows)
    return found


def _rows(criteria: Criteria, table: str, rows: Mapping[str, Any]) -> Mapping[str, Any]:
    columns = criteria.vocabulary.schema.tables[table]
    kinds = {type(row) for row in rows.values()}
    if kinds <= {row_type(columns)}:
        return rows
    for kind in kinds:
        missing = [name for name in columns if name not in kind.__struct_fields__]
        if missing:
            what = f"rows of {table!r} in the opening state lack {', '.join(missing)}"
            raise JudgeError(what, hint="the criteria speak of another version of the table")
    return {key: criteria.forms.live_row(table, row) for key, row in rows.items()}


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
