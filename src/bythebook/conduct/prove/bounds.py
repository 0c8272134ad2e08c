"""Variants that put the two sides of an invariant exactly on its bound, and one unit beyond."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bythebook.conduct.criteria import Rule, Watch
from bythebook.conduct.criteria.patterns import Always
from bythebook.conduct.criteria.predicate import Bound
from bythebook.conduct.criteria.state import State
from bythebook.conduct.prove.court import Court
from bythebook.conduct.prove.variant import Expect, Variant
from bythebook.trace import Event, Write

Events = tuple[Event, ...]

EDGES: Mapping[type[ast.cmpop], tuple[int, int]] = {
    ast.GtE: (0, -1),
    ast.LtE: (0, 1),
    ast.Gt: (1, 0),
    ast.Lt: (-1, 0),
    ast.Eq: (0, 1),
}
"""Comparison to the difference left - right that just passes, and the one that just fails."""


Writes = tuple[Write, ...]


class Bounds:
    """Finds a number in the state that moves a bound, or a row whose copies do, and uses it."""

    def __init__(self, court: Court, events: Events) -> None:
        self.events = events
        watch = Watch(court.criteria, court.scene)
        for event in events:
            watch.feed(event)
        self.state = watch.state
        self.notes: list[str] = []
        """Bounds that nothing in the state moves."""

    def variants(self, rule: Rule, pattern: Always) -> Iterator[Variant]:
        """Two for each bound that something in the state can move."""
        for bound in pattern.that.bounds:
            edges = EDGES.get(type(bound.node.ops[0]), ())
            expects: tuple[Expect, Expect] = ("pass", "fail")
            text = f"{bound.left_source} against {bound.right_source}"
            for difference, expect in zip(edges, expects, strict=False):
                writes = self._moving(rule, bound, difference)
                if writes is None:
                    self.notes.append(f"{rule.id}: nothing in the state moves {text}")
                    continue
                where = "on" if expect == "pass" else "one unit beyond"
                by = f"by {writes[0].table} {writes[0].key}" if writes else "as it is"
                yield Variant(
                    operator="bound",
                    says=f"{rule.id}: {where} the bound ({text}, {by})",
                    expect=expect,
                    events=self._with(writes),
                    rule=rule.id,
                )

    def _moving(self, rule: Rule, bound: Bound, wanted: int) -> Writes | None:
        """Writes after which left - right is what is wanted; None when there are no such."""
        now = _difference(bound, self.state)
        if now is None or now == wanted:
            return None if now is None else ()
        for table in sorted(rule.tables):
            for key, row in self.state.tables[table].items():
                for column, value in _numbers(row):
                    new = _changed(row, column, value + 1)
                    step = self._step(bound, now, (Write(table, key, row, new),))
                    new = _changed(row, column, value + step * (wanted - now))
                    write = Write(table, key, row, new)
                    if step and self._step(bound, wanted, (write,)) == 0:
                        return (write,)
        return self._copying(rule, bound, now, wanted)

    def _copying(self, rule: Rule, bound: Bound, now: int, wanted: int) -> Writes | None:
        """The same by adding copies of a row, for bounds that count rows."""
        for table in sorted(rule.tables):
            for row in self.state.tables[table].values():
                step = self._step(bound, now, _copies(table, row, 1))
                copies = _copies(table, row, step * (wanted - now))
                if step and copies and self._step(bound, wanted, copies) == 0:
                    return copies
        return None

    def _step(self, bound: Bound, before: int, writes: Writes) -> int:
        """What the writes add to the difference `before`; 0 also when that cannot be told."""
        state = self.state.fork()
        for write in writes:
            state.put(write.table, write.key, write.new)
        after = _difference(bound, state)
        return 0 if after is None else after - before

    def _with(self, writes: Writes) -> Events:
        """The trace with the writes at its end, undone where they can be, by nobody's cause."""
        last = self.events[-1]
        back = tuple(Write(w.table, w.key, w.new, w.old) for w in writes if w.old is not None)
        moved = (
            Event(last.i + number, last.t, "company", "event", "surgery", writes=these)
            for number, these in enumerate((writes, back), start=1)
        )
        return (*self.events, *moved)


def _changed(row: Any, column: str, value: Any) -> Any:
    return msgspec.structs.replace(row, **{column: value})


def _copies(table: str, row: Any, count: int) -> Writes:
    keys = [f"{row.id}-copy{number}" for number in range(count)]
    return tuple(Write(table, key, None, _changed(row, "id", key)) for key in keys)


def _numbers(row: Any) -> Iterator[tuple[str, int]]:
    for name in row.__struct_fields__:
        value = getattr(row, name)
        if type(value) is int:
            yield name, value


def _difference(bound: Bound, state: State) -> int | None:
    try:
        return int(bound.left(state) - bound.right(state))
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
