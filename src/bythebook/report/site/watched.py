"""State lines: the two sides of what a task's rules watch, followed through one run.

    always: "row('reserves', 'RSV-201').balance >= 2000"     balance against 2000, after every write
    always: "all(f.total <= row(..).cap for f in rows(..))"  one line for each row that is met

Taken from the rules' own expressions: each comparison of numbers or of texts that a rule joins by
`and`, and that inside one `all(...)`. Of invariants and of goals; the others speak of moments.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.check import Scope
from bythebook.conduct.criteria.evaluate import LOOKUP
from bythebook.conduct.criteria.grammar import Criteria, Rule
from bythebook.conduct.criteria.patterns import Always, Finally
from bythebook.conduct.criteria.predicate import Compiler, Predicate
from bythebook.conduct.criteria.state import State
from bythebook.errors import ContentError
from bythebook.report.site.short import short
from bythebook.trace import StoredEvent

SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: "≠",
    ast.Lt: "<",
    ast.LtE: "≤",
    ast.Gt: ">",
    ast.GtE: "≥",
    ast.In: "in",
    ast.NotIn: "not in",
}
OPENING = -1
"""Number of the moment before the first event."""
MOST_ROWS = 6
"""Lines of one rule that speaks of many rows."""

Sides = tuple[Any, Any]


class Point(msgspec.Struct, frozen=True, array_like=True):
    """Both sides from here on. None: there is no such value."""

    i: int
    """Event; -1 is the opening state."""
    write: int | None
    """Of the event, where the rule looks at single writes; None: after all of them."""
    left: Any
    right: Any


class Line(msgspec.Struct, frozen=True, kw_only=True):
    rule: str
    shows: Literal["number", "text"]
    name: str
    """Short name of the left side; `bound` of the right one."""
    sign: str
    bound: str
    says: str
    """The comparison as the rule writes it."""
    row: str = ""
    """Of a rule that speaks of many rows: which one."""
    points: tuple[Point, ...]
    """Only where a side changes."""


@dataclass(frozen=True)
class Gauge:
    """How the sides of one comparison are read off a state."""

    rule: str
    shows: Literal["number", "text"]
    node: ast.Compare
    row: str
    """The name that stands for a row, where there is a line for each."""
    at_write: bool
    read: Callable[[State], Mapping[str, Sides]]
    tables: frozenset[str]
    timed: bool


def lines(
    scene: SceneFile, events: Iterable[StoredEvent], every: Sequence[Gauge] | None = None
) -> tuple[Line, ...]:
    """The state lines of a run, in the order of the rules. `every`: the gauges of the scene, where
    they are at hand."""
    records = [_Record(gauge) for gauge in every or gauges(scene.criteria)]
    state = State(scene.tables, scene.day, scene.clock)
    for record in records:
        record.look(state, OPENING, None)
    for event in events:
        _follow(scene.criteria, state, event, records)
    return tuple(line for record in records for line in record.lines())


def _follow(
    criteria: Criteria, state: State, event: StoredEvent, records: Iterable["_Record"]
) -> None:
    moved, state.t = state.t != event.t, event.t
    written = {write.table for write in event.writes}
    for number, write in enumerate(event.writes):
        if write.table not in criteria.tables:
            continue
        state.put(write.table, write.key, criteria.forms.row(write.table, write.new))
        for record in records:
            if record.gauge.at_write and write.table in record.gauge.tables:
                record.look(state, event.i, number)
    for record in records:
        gauge = record.gauge
        if not gauge.at_write and (written & gauge.tables or (moved and gauge.timed)):
            record.look(state, event.i, None)


class _Record:
    """What one gauge has shown so far, row by row."""

    def __init__(self, gauge: Gauge) -> None:
        self.gauge = gauge
        self._points: dict[str, list[Point]] = {}

    def look(self, state: State, i: int, write: int | None) -> None:
        try:
            found = self.gauge.read(state)
        except LOOKUP:
            found = {}
        for row in {**self._points, **found}:
            left, right = found.get(row, (None, None))
            points = self._points.setdefault(row, [])
            if not points or (points[-1].left, points[-1].right) != (left, right):
                points.append(Point(i, write, left, right))

    def lines(self) -> Iterator[Line]:
        gauge = self.gauge
        left, right = ast.unparse(gauge.node.left), ast.unparse(gauge.node.comparators[0])
        sign = SIGNS[type(gauge.node.ops[0])]
        for row, points in [*self._points.items()][:MOST_ROWS]:
            yield Line(
                rule=gauge.rule,
                shows=gauge.shows,
                name=short(left, but=gauge.row),
                sign=sign,
                bound=short(right, but=gauge.row),
                says=f"{left} {sign} {right}",
                row=row,
                points=tuple(points),
            )


# --- from rules to gauges -----------------------------------------------------------------------


def compiler_of(criteria: Criteria) -> Compiler:
    """Compiles more expressions against the same tables and facts."""
    facts = criteria.data.get("facts", {})
    scope = Scope(criteria.vocabulary, of.of_constant(facts), "a state line")
    return Compiler.of(scope, facts)


def gauges(criteria: Criteria) -> tuple[Gauge, ...]:
    """Every comparison that can be followed. What cannot be is left out: a rule says it anyhow."""
    compiler = compiler_of(criteria)
    found: list[Gauge] = []
    for rule in criteria.rules:
        if not isinstance(rule.pattern, Always | Finally):
            continue
        for part in _conjuncts(compiler.parse(rule.pattern.that.source)):
            gauge = _gauge(rule, part, compiler)
            if gauge is not None:
                found.append(gauge)
    return tuple(found)


def _conjuncts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return node.values
    return [node]


def _gauge(rule: Rule, part: ast.expr, compiler: Compiler) -> Gauge | None:
    if isinstance(part, ast.Compare):
        return _plain(rule, part, compiler)
    walked = _walked(part)
    return _by_row(rule, *walked, compiler) if walked is not None else None


def _plain(rule: Rule, node: ast.Compare, compiler: Compiler) -> Gauge | None:
    if not _followed(node):
        return None
    left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
    try:
        both = compiler.value(f"({left}, {right})")
    except ContentError:
        return None

    def read(state: State) -> Mapping[str, Sides]:
        one, other = both.test(state)
        return {"": (one, other)}

    return _made(rule, node, both, read)


def _followed(node: ast.Compare) -> bool:
    """One comparison, and not with None."""
    right = node.comparators[0]
    none = isinstance(right, ast.Constant) and right.value is None
    return len(node.ops) == 1 and type(node.ops[0]) in SIGNS and not none


def _shows(shape: of.Shape) -> Literal["number", "text", ""]:
    left, right = (shape.item or shape).items[-2:]
    if left.kind == right.kind == "int":
        return "number"
    return "text" if left.is_text else ""


def _made(
    rule: Rule,
    node: ast.Compare,
    found: Predicate,
    read: Callable[[State], Mapping[str, Sides]],
    row: str = "",
) -> Gauge | None:
    """None where neither numbers nor texts are compared."""
    shows = _shows(found.shape)
    if not shows:
        return None
    return Gauge(
        rule=rule.id,
        shows=shows,
        node=node,
        row=row,
        at_write=isinstance(rule.pattern, Always) and rule.pattern.at == "write",
        read=read,
        tables=found.tables,
        timed=found.timed,
    )


# --- one line for each row ----------------------------------------------------------------------


def _walked(
    node: ast.expr,
) -> tuple[ast.GeneratorExp | ast.ListComp, ast.Compare, list[str]] | None:
    """`all(GUARD or .. or COMPARISON for r in rows(..))`: the walk, the comparison, and what keeps
    a row from being asked."""
    is_all = (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "all"
        and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp)
    )
    if not is_all:
        return None
    assert isinstance(node, ast.Call)
    walk = node.args[0]
    assert isinstance(walk, ast.GeneratorExp | ast.ListComp)
    test = walk.elt
    is_or = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    *guards, last = parts
    single = is_or or not isinstance(test, ast.BoolOp)
    if not single or not isinstance(last, ast.Compare) or not _followed(last):
        return None
    return walk, last, [ast.unparse(guard) for guard in guards]


def _by_row(
    rule: Rule,
    walk: ast.GeneratorExp | ast.ListComp,
    node: ast.Compare,
    guards: list[str],
    compiler: Compiler,
) -> Gauge | None:
    row = walk.generators[-1].target
    if not isinstance(row, ast.Name):
        return None
    loops = ast.unparse(ast.ListComp(ast.Constant(0), walk.generators))[2:-1]
    left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
    spared = "".join(f" if not ({guard})" for guard in guards)
    try:
        every = compiler.value(f"[({row.id}.id, {left}, {right}) {loops}{spared}]")
    except ContentError:
        return None

    def read(state: State) -> Mapping[str, Sides]:
        return {str(key): (one, other) for key, one, other in every.test(state)}

    return _made(rule, node, every, read, row.id)
