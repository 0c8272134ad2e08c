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

from bythebook.conduct.criteria.grammar import NO_INTEREST, Criteria
from bythebook.conduct.criteria.hits import AnyEvent, AnyWrite, EventHit, Hit, WriteHit
from bythebook.conduct.criteria.monitor import Breach, Monitor
from bythebook.conduct.criteria.selector import Key
from bythebook.conduct.criteria.state import State
from bythebook.errors import BythebookError, JudgeError, TraceError
from bythebook.tool import Day, Refused
from bythebook.verdict import Finding, Mark

LOOKUP = (
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    ArithmeticError,
    Refused,
    BythebookError,
)
"""What a predicate raises when something it looks for is not there, or is not what it should be."""

NONE = Breach("")

AGENT_SPEAKS: Key = ("call", "message_customer")
AGENT_WORDS: Key = ("message", "agent")
"""In a played task the agent speaks through a tool; a rule may ask for either."""


class Opening(Protocol):
    """What a world or a scene starts from."""

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        """Table to key to row."""

    @property
    def day(self) -> Day: ...
    @property
    def clock(self) -> int:
        """What t = 0 is on the wall clock, in minutes after midnight."""


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
        for number in criteria.openings:
            self._open(number)

    def feed(self, event: AnyEvent) -> None:
        """One more event."""
        criteria, state, t = self.criteria, self.state, event.t
        self.last = event.i
        key = (event.kind, event.actor if event.kind == "message" else event.name)
        heard = criteria.listeners.get(key)
        words = criteria.listeners.get(AGENT_WORDS) if key == AGENT_SPEAKS and event.ok else None
        writes: tuple[AnyWrite, ...] = event.writes
        moved = t != state.t
        if not (heard or words or writes or moved):
            return
        caused = event.actor != "company" or event.cause is not None
        state.t = t
        if self._due is not None and t > self._due:
            self._tick(event.i, caused)
        if heard:
            self._hear(heard, key, EventHit(event, *key, criteria.forms))
        if words:
            self._hear(words, AGENT_WORDS, EventHit(event, *AGENT_WORDS, criteria.forms))
        for number, write in enumerate(writes):
            self._write(event, number, write, caused)
        self._invariants(writes, moved, event.i, caused)
        for number in criteria.settling:
            if self.monitors[number].unsettled:
                self._ask(number, event.i, caused, self.monitors[number].settle, state)

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
        findings, monitors, state = self.findings, self.monitors, self.state
        for number in heard:
            if findings[number] is None:
                monitor = monitors[number]
                try:
                    breach = monitor.hear(key, hit, state)
                except Exception as error:  # noqa: BLE001 - whose fault it is, _raised tells
                    self._raised(number, hit.i, hit.caused, error)
                    continue
                if breach is not None:
                    findings[number] = self._finding(number, "fail", breach, hit.i)
                elif monitor.due is not None and (self._due is None or monitor.due < self._due):
                    self._due = monitor.due

    def _write(self, event: AnyEvent, number: int, write: AnyWrite, caused: bool) -> None:
        criteria = self.criteria
        interest = criteria.interests.get(write.table, NO_INTEREST)
        hit = WriteHit(event, number, write, criteria.forms)
        if interest.heard:
            self._hear(interest.heard, interest.key, hit)
        if interest.read:
            self.state.put(write.table, write.key, hit.new)
            if caused:
                self._stained.add(write.table)
            if interest.at_write:
                self._check(interest.at_write, event.i, caused, number)
        if caused and event.actor != "customer":
            self._hear(criteria.frames, interest.key, hit)

    def _invariants(self, writes: tuple[AnyWrite, ...], moved: bool, at: int, caused: bool) -> None:
        by_table = self.criteria.invariants["event"]
        wanted = list(self.criteria.timed) if moved else []
        for write in writes:
            wanted += by_table.get(write.table, ())
        if wanted:
            self._check(dict.fromkeys(wanted), at, caused, None)

    def _check(self, wanted: Iterable[int], at: int, caused: bool, write: int | None) -> None:
        """Ask the invariants that a write, or time, may have broken. The hot path: one loop."""
        findings, monitors, state = self.findings, self.monitors, self.state
        for number in wanted:
            if findings[number] is not None:
                continue
            monitor = monitors[number]
            monitor.exercised = True
            try:
                breach = monitor.check(state, write)
            except Exception as error:  # noqa: BLE001 - whose fault it is, _raised tells
                self._raised(number, at, caused, error)
                continue
            if breach is not None:
                findings[number] = self._finding(number, "fail", breach, at)

    def _tick(self, at: int, caused: bool) -> None:
        """Time has moved past the first deadline there is."""
        monitors, findings, self._due = self.monitors, self.findings, None
        for number in self.criteria.awaiting:
            if monitors[number].due is not None:
                self._ask(number, at, caused, monitors[number].tick, self.state)
            due = monitors[number].due
            if due is not None and findings[number] is None:
                self._due = due if self._due is None else min(due, self._due)

    # --- findings ---------------------------------------------------------------------------

    def _open(self, number: int) -> None:
        """An invariant in the opening state, of which the agent has no part."""
        try:
            breach = self.monitors[number].check(self.state, None)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is our fault: void
            breach = Breach(_told(error))
        if breach is not None:
            void = msgspec.structs.replace(breach, why=f"in the opening state: {breach.why}")
            self.findings[number] = self._finding(number, "void", void)

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
        try:
            breach = question(*about)
        except Exception as error:  # noqa: BLE001 - whose fault it is, _raised tells
            self._raised(number, at, caused, error)
            return
        if breach is not None:
            self.findings[number] = self._finding(number, "fail", breach, at)

    def _raised(self, number: int, at: int | None, caused: bool, error: Exception) -> None:
        """What an exception means: a failed lookup of the agent's, or our own fault."""
        if isinstance(error, TraceError):
            raise error
        lookup = isinstance(error, LOOKUP)
        mark: Mark = "void"
        if lookup and (caused or self._agent_had_a_part(number)):
            mark = "fail"
        why = f"lookup: {_told(error)}" if lookup else _told(error)
        self.findings[number] = self._finding(number, mark, Breach(why), at)

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
    """A table whose rows are of the kind that a stored trace's rows have."""
    first = next(iter(rows.values()), None)
    if first is None or type(first) is criteria.forms.row_kind(table):
        return rows
    known = type(first).__struct_fields__
    missing = [n for n in criteria.vocabulary.schema.tables[table] if n not in known]
    if missing:
        what = f"rows of {table!r} in the opening state lack {', '.join(missing)}"
        raise JudgeError(what, hint="the criteria speak of another version of the table")
    return {key: criteria.forms.live_row(table, row) for key, row in rows.items()}


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
