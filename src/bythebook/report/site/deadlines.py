"""Deadlines that rules set: fixed minutes they name, and answers they want within some minutes."""

import ast
from collections.abc import Iterator

import msgspec

from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.criteria.evaluate import LOOKUP
from bythebook.conduct.criteria.grammar import Criteria, Rule
from bythebook.conduct.criteria.hits import EventHit, Hit, WriteHit
from bythebook.conduct.criteria.patterns import After
from bythebook.conduct.criteria.patterns.order import matches
from bythebook.conduct.criteria.predicate import Compiler
from bythebook.conduct.criteria.state import State
from bythebook.errors import ContentError
from bythebook.report.site.short import short
from bythebook.report.site.watched import compiler_of

ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
SWAPPED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤"}
SIGN: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥"}


class Deadline(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A minute that a rule compares the time of something with."""

    rule: str
    t: int
    sign: str = "≤"
    """What the time must be to it: `<`, `≤`, `>` or `≥`."""
    says: str
    since: int | None = None
    """Event that set it, where one did."""
    met: int | None = None
    """Event that answered in time."""


def fixed(scene: SceneFile) -> tuple[Deadline, ...]:
    """Minutes that stand in the rules: `w.t < facts.discount_ends`."""
    compiler = compiler_of(scene.criteria)
    state = State(scene.tables, scene.day, scene.clock)
    found = [
        deadline
        for rule in scene.criteria.rules
        for expression in rule.expressions
        for deadline in _named(rule, expression.source, compiler, state)
    ]
    return tuple(dict.fromkeys(found))


def _named(rule: Rule, source: str, compiler: Compiler, state: State) -> Iterator[Deadline]:
    try:
        tree = compiler.parse(source)
    except ContentError:
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ORDERED):
            continue
        left, right, sign = node.left, node.comparators[0], SIGN[type(node.ops[0])]
        if len(node.ops) > 1 or _is_time(left) == _is_time(right):
            continue
        if _is_time(right):
            left, right, sign = right, left, SWAPPED[sign]
        minute = _minute(ast.unparse(right), compiler, state)
        if minute is not None:
            yield Deadline(rule=rule.id, t=minute, sign=sign, says=short(ast.unparse(right)))


def _is_time(node: ast.expr) -> bool:
    """`t`, or `w.t` of something bound."""
    if isinstance(node, ast.Attribute):
        return node.attr == "t" and isinstance(node.value, ast.Name)
    return isinstance(node, ast.Name) and node.id == "t"


def _minute(source: str, compiler: Compiler, state: State) -> int | None:
    """The value of an expression that hangs on nothing bound."""
    try:
        value = compiler.value(source).test(state)
    except (ContentError, *LOOKUP):
        return None
    return value if type(value) is int else None


# --- answers within some minutes ----------------------------------------------------------------


class Awaiting:
    """Follows the `after .. within` rules of a run, event by event."""

    def __init__(self, criteria: Criteria) -> None:
        self._criteria = criteria
        self._rules = [r for r in criteria.rules if isinstance(r.pattern, After)]
        self._open: dict[str, list[tuple[Hit, int]]] = {rule.id: [] for rule in self._rules}
        self.found: list[Deadline] = []

    def hear(self, state: State, hit: EventHit | WriteHit) -> None:
        """One event or write, in the state before it."""
        for rule in self._rules:
            pattern = rule.pattern
            assert isinstance(pattern, After)
            key = (hit.kind, hit.name)
            if key == pattern.then.key and _holds(pattern, state, hit, then=True):
                self._answer(rule, state, hit)
            if key == pattern.what.key and _holds(pattern, state, hit, then=False):
                self._set(rule, hit)

    def _set(self, rule: Rule, hit: Hit) -> None:
        pattern = rule.pattern
        assert isinstance(pattern, After)
        if pattern.within is None:
            return
        place = len(self.found)
        due = hit.t + pattern.within
        says = f"answer within {pattern.within} min"
        self.found.append(Deadline(rule=rule.id, t=due, says=says, since=hit.i))
        self._open[rule.id].append((hit, place))

    def _answer(self, rule: Rule, state: State, hit: Hit) -> None:
        pattern = rule.pattern
        assert isinstance(pattern, After)
        still: list[tuple[Hit, int]] = []
        for first, place in self._open[rule.id]:
            if matches(pattern, state, first, hit):
                met = hit.i if hit.t <= self.found[place].t else None
                self.found[place] = msgspec.structs.replace(self.found[place], met=met)
            else:
                still.append((first, place))
        self._open[rule.id] = still


def _holds(pattern: After, state: State, hit: Hit, *, then: bool) -> bool:
    selector = pattern.then if then else pattern.what
    try:
        return bool(selector.matches(state, hit))
    except LOOKUP:
        return False
