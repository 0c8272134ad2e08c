"""A predicate: one Python expression over a whitelisted tree, checked and compiled once.

    PRED  := and or not, comparisons (also in, is None), + - * // %, unary -, if-else, literals
             (int, str, bool, None, list, tuple), comprehensions, v.field, [int literal], calls
    names := the bound variables, facts.NAME, t (minute), day, and the functions of `calls`

Sequences are tuples, also those written with brackets. A predicate sees nothing but the state it is
handed and the values bound by its rule's selectors.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import msgspec

from bythebook.conduct.criteria.check import Checker, Scope
from bythebook.conduct.criteria.shapes import Shape
from bythebook.conduct.criteria.state import State, approval, edition_in_force
from bythebook.conduct.criteria.vocabulary import Editions

STATE = "_s"
STREAMING = ("sum", "any", "all", "min", "max", "sorted")
"""Functions that read a generator once, so that it need not become a tuple first."""

UNSEEN = (LookupError, AttributeError, TypeError, ValueError, ArithmeticError)
"""What an expression raises that looks for what is not there."""

COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Measure(msgspec.Struct, frozen=True):
    """The two sides of a comparison of numbers, as they stood when it did not hold."""

    left: int
    right: int
    left_source: str
    right_source: str


@dataclass(frozen=True)
class Predicate:
    """One compiled expression. `test(state, *bound)` evaluates it."""

    source: str
    shape: Shape
    test: Callable[..., Any]
    tables: frozenset[str]
    names: frozenset[str]
    """Bound variables, `t`, `day` and `facts`, as far as it reads them."""
    bounds: tuple["Bound", ...] = ()

    @property
    def timed(self) -> bool:
        """Its value can change without a write."""
        return not self.names.isdisjoint(("t", "day"))

    def measure(self, state: State, *bound: object) -> Measure | None:
        """The first comparison of numbers that does not hold, of those joined by `and`.

        A part in front of it may have failed first, to keep it from being looked at: one that has
        no numbers to compare is passed over.
        """
        for one in self.bounds:
            sides = one.sides(state, *bound)
            if sides is not None and not one.holds(*sides):
                return Measure(*sides, one.left_source, one.right_source)
        return None


@dataclass(frozen=True)
class Bound:
    """A top-level comparison of two numbers; compiled only when a rule was broken."""

    node: ast.Compare
    left_source: str
    right_source: str
    compile: Callable[[ast.expr], Callable[..., Any]]

    @cached_property
    def left(self) -> Callable[..., Any]:
        return self.compile(self.node.left)

    @cached_property
    def right(self) -> Callable[..., Any]:
        return self.compile(self.node.comparators[0])

    def sides(self, state: State, *bound: object) -> tuple[int, int] | None:
        """Left and right, if both are numbers here."""
        try:
            left, right = self.left(state, *bound), self.right(state, *bound)
        except UNSEEN:
            return None
        return (left, right) if isinstance(left, int) and isinstance(right, int) else None

    def holds(self, left: int, right: int) -> bool:
        return bool(COMPARE[type(self.node.ops[0])](left, right))


@dataclass(frozen=True)
class Compiler:
    """What every expression of one set of criteria is compiled against."""

    scope: Scope
    space: Mapping[str, Any]

    @classmethod
    def of(cls, scope: Scope, facts: Mapping[str, Any]) -> "Compiler":
        words = scope.vocabulary
        return cls(scope, _namespace(facts, words.editions) | dict(words.functions))

    def at(self, where: str) -> "Compiler":
        """The same, for an expression that stands at `where`."""
        return replace(self, scope=replace(self.scope, where=where))

    def seeing(self, names: Mapping[str, Shape], sure: frozenset[str] = frozenset()) -> "Compiler":
        """The same, with more names bound."""
        scope = self.scope
        both = {**scope.names, **names}
        return replace(self, scope=replace(scope, names=both, sure=scope.sure | sure))

    def truth(self, source: str) -> Predicate:
        """An expression that is true or false."""
        found = self.value(source)
        if found.shape.kind not in ("bool", "any"):
            raise self.scope.wrong(f"`{source}` is {found.shape.noun}, not true or false")
        return found

    def value(self, source: str) -> Predicate:
        """An expression of any shape."""
        tree, checker = self.parse(source), Checker(self.scope)
        shape = checker.check(tree)
        texts = {node: _sides(node) for node in checker.bounds}
        lowered = _Lower(checker.subjects, self.scope).visit(tree)
        parts = lowered.values if _is_conjunction(lowered) else [lowered]
        names = tuple(self.scope.names)

        def build(node: ast.expr) -> Callable[..., Any]:
            return _compile(node, names, self.space)

        self.scope.uses.tables.update(checker.tables)
        return Predicate(
            source=source,
            shape=shape,
            test=build(lowered),
            tables=frozenset(checker.tables),
            names=frozenset(checker.used & {*checker.names}),
            bounds=tuple(Bound(n, *texts[n], build) for n in parts if n in texts),
        )

    def parse(self, source: str) -> ast.expr:
        """The tree of an expression; text that is no expression is a `ContentError`."""
        if not isinstance(source, str) or not source.strip():
            raise self.scope.wrong("an expression is needed, in quotes")
        try:
            return ast.parse(f"({source.strip()}\n)", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            said = error.msg if isinstance(error, SyntaxError) else type(error).__name__
            raise self.scope.wrong(f"`{source}` is no expression: {said}") from None


def _is_conjunction(node: ast.AST) -> bool:
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)


def _sides(node: ast.Compare) -> tuple[str, str]:
    return ast.unparse(node.left), ast.unparse(node.comparators[0])


def _compile(
    node: ast.expr, names: tuple[str, ...], space: Mapping[str, Any]
) -> Callable[..., Any]:
    arguments = ast.arguments([], [ast.arg(n) for n in (STATE, *names)], None, [], [], None, [])
    tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, node)))
    code = compile(tree, "<criterion>", "eval")
    run: Callable[..., Any] = eval(code, {"__builtins__": {}, **space})
    return run


def _namespace(facts: Mapping[str, Any], editions: Editions) -> dict[str, Any]:
    """The only global names that compiled code can reach."""

    def sort(items: Any, *, reverse: bool = False) -> tuple[Any, ...]:
        return tuple(sorted(items, reverse=reverse))

    def in_force(family: str, **asked: str) -> str:
        return edition_in_force(family, editions[family], **asked)

    return {
        **{run.__name__: run for run in (sum, len, any, all, min, max, abs)},
        "sorted": sort,
        "_tuple": tuple,
        "in_force": in_force,
        "approved": approval,
        "facts": frozen(facts),
    }


def frozen(value: Any) -> Any:
    """A constant as predicates see it: lists are tuples, mappings have fields."""
    if isinstance(value, Mapping):
        return SimpleNamespace(**{str(key): frozen(inner) for key, inner in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(inner) for inner in value)
    return value


@dataclass
class _Lower(ast.NodeTransformer):
    """Rewrites what the language adds to Python into plain expressions on the state."""

    subjects: Mapping[ast.Call, str]
    scope: Scope
    serial: int = field(default=0)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in ("t", "day") and isinstance(node.ctx, ast.Load):
            return ast.Attribute(ast.Name(STATE, ast.Load()), node.id, ast.Load())
        return node

    def visit_List(self, node: ast.List) -> ast.expr:
        return ast.Tuple([self.visit(inner) for inner in node.elts], ast.Load())

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        self.generic_visit(node)
        return _call("_tuple", ast.GeneratorExp(node.elt, node.generators))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        self.generic_visit(node)
        return _call("_tuple", node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("rows", "row"):
            return self.rows(node) if name == "rows" else self.row(node)
        if name in STREAMING and isinstance(node.args[0], ast.GeneratorExp):
            self.generic_visit(node.args[0])
            rest = [self.visit(inner) for inner in node.args[1:]]
            keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
            return ast.Call(node.func, [node.args[0], *rest], keywords)
        table = self.subjects.get(node)
        self.generic_visit(node)
        if table is not None:
            terms = self.scope.vocabulary.schema.terms[table]
            node.args[1] = ast.Tuple([ast.Constant(n) for n in sorted(terms)], ast.Load())
            node.args[:0] = [ast.Name(STATE, ast.Load()), ast.Constant(table)]
        return node

    def row(self, node: ast.Call) -> ast.expr:
        return ast.Subscript(_table(node), self.visit(node.args[1]), ast.Load())

    def rows(self, node: ast.Call) -> ast.expr:
        """`[r for c in (EXPR,) .. for r in table if r.col == c ..]`: EXPR is worked out once."""
        walked = ast.Call(ast.Attribute(_table(node), "values", ast.Load()), [], [])
        if not node.keywords:
            return walked
        self.serial += 1
        row, loops, tests = f"_r{self.serial}", [], []
        for index, keyword in enumerate(node.keywords):
            name = f"_c{self.serial}_{index}"
            once = ast.Tuple([self.visit(keyword.value)], ast.Load())
            loops.append(ast.comprehension(ast.Name(name, ast.Store()), once, [], 0))
            column = ast.Attribute(ast.Name(row, ast.Load()), str(keyword.arg), ast.Load())
            tests.append(ast.Compare(column, [ast.Eq()], [ast.Name(name, ast.Load())]))
        test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), list(tests))
        loops.append(ast.comprehension(ast.Name(row, ast.Store()), walked, [test], 0))
        return ast.ListComp(ast.Name(row, ast.Load()), loops)


def _table(node: ast.Call) -> ast.expr:
    tables = ast.Attribute(ast.Name(STATE, ast.Load()), "tables", ast.Load())
    return ast.Subscript(tables, node.args[0], ast.Load())


def _call(name: str, argument: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])
