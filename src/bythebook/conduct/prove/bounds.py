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


class Bounds:
    """Finds a number in the state that moves a bound, and moves it there and back."""

    def __init__(self, court: Court, events: Events) -> None:
        self.events = events
        watch = Watch(court.criteria, court.scene)
        for event in events:
            watch.feed(event)
        self.state = watch.state
        self.notes: list[str] = []
        """Bounds that no single number in the state moves."""

    def variants(self, rule: Rule, pattern: Always) -> Iterator[Variant]:
        """Two for each bound that some number in some row can move."""
        for bound in pattern.that.bounds:
            edges = EDGES.get(type(bound.node.ops[0]))
            expects: tuple[Expect, Expect] = ("pass", "fail")
            text = f"{bound.left_source} against {bound.right_source}"
            for difference, expect in zip(edges or (), expects, strict=False):
                write = self._moving(rule, bound, difference)
                if write is None:
                    self.notes.append(f"{rule.id}: no number in the state moves {text}")
                else:
                    where = "on" if expect == "pass" else "one unit beyond"
                    yield Variant(
                        operator="bound",
                        says=f"{rule.id}: {where} the bound ({text}, by {write.table} {write.key})",
                        expect=expect,
                        events=self._with(write),
                        rule=rule.id,
                    )

    def _moving(self, rule: Rule, bound: Bound, wanted: int) -> Write | None:
        """A write after which left - right is what is wanted."""
        now = _difference(bound, self.state)
        for table in sorted(rule.tables):
            for key, row in self.state.tables[table].items():
                for column, value in _numbers(row):
                    step = self._step(bound, table, row, column, now)
                    if now is None or step not in (1, -1):
                        continue
                    new = msgspec.structs.replace(row, **{column: value + step * (wanted - now)})
                    if self._after(bound, table, new) == wanted:
                        return Write(table, key, row, new)
        return None

    def _step(self, bound: Bound, table: str, row: Any, column: str, now: int | None) -> int | None:
        """By how much the difference moves when the column grows by one."""
        more = msgspec.structs.replace(row, **{column: getattr(row, column) + 1})
        then = self._after(bound, table, more)
        return None if then is None or now is None else then - now

    def _after(self, bound: Bound, table: str, row: Any) -> int | None:
        state = self.state.fork()
        state.put(table, row.id, row)
        return _difference(bound, state)

    def _with(self, write: Write) -> Events:
        """The trace with the write and its undoing at the end, by nobody's cause."""
        last = self.events[-1]
        back = Write(write.table, write.key, write.new, write.old)
        moved = (
            Event(last.i + number, last.t, "company", "event", "surgery", writes=(one,))
            for number, one in enumerate((write, back), start=1)
        )
        return (*self.events, *moved)


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
