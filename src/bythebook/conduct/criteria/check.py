"""The load-time check of one expression: every node allowed, every name known, every type right."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bythebook.conduct.criteria import calls
from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.shapes import Shape
from bythebook.conduct.criteria.vocabulary import Vocabulary
from bythebook.errors import ContentError, suggestion

ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
INTEGER = (ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


@dataclass(frozen=True)
class Uses:
    """What the expressions of a set of criteria lean on, collected while they are checked."""

    tables: set[str] = field(default_factory=set)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)
    """Literal keys of `row('T', 'KEY')`, with the place that names them."""
    functions: set[str] = field(default_factory=set)
    families: set[str] = field(default_factory=set)
    clock: set[str] = field(default_factory=set)
    """Expressions that read a minute or a day."""


@dataclass(frozen=True)
class Scope:
    """Where an expression stands: the names it can see and the place that errors name."""

    vocabulary: Vocabulary
    facts: Shape
    where: str
    uses: Uses = field(default_factory=Uses)
    names: Mapping[str, Shape] = field(default_factory=dict)
    sure: frozenset[str] = frozenset()
    """Expressions that a selector's `where` has shown not to be None."""

    def wrong(self, what: str, hint: str = "") -> ContentError:
        return ContentError(what, where=self.where, hint=hint)


class Checker:
    """Walks one expression; raises `ContentError` at the first thing that is not allowed."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.names: dict[str, Shape] = {
            "t": of.INT,
            "day": of.DAY,
            "facts": scope.facts,
            **scope.names,
        }
        self.sure = scope.sure
        self.depth = 0
        """How many tables are being walked around the node in hand."""
        self.tables: set[str] = set()
        self.used: set[str] = set()
        """Names it reads."""
        self.subjects: dict[ast.Call, str] = {}
        """`approved(...)` calls and the table of the row they ask about."""
        self.bounds: set[ast.Compare] = set()
        """Single comparisons of two numbers."""

    def wrong(self, what: str, hint: str = "", node: ast.AST | None = None) -> ContentError:
        shown = f"`{ast.unparse(node)}`: {what}" if node is not None else what
        return self.scope.wrong(shown, hint)

    def unknown(self, kind: str, name: str, known: Any) -> ContentError:
        return self.wrong(f"no {kind} {name!r}", suggestion(name, known))

    def check(self, node: ast.expr) -> Shape:
        """The shape of what the expression gives."""
        method = self.NODES.get(type(node))
        if method is None:
            raise self.wrong(f"{type(node).__name__} is not part of the language", node=node)
        found = method(self, node)
        if found.optional and ast.unparse(node) in self.sure:
            return of.replace(found, optional=False)
        return found

    def truth(self, node: ast.expr) -> None:
        """The expression must be true or false."""
        found = self.check(node)
        if found.kind not in ("bool", "any"):
            raise self.wrong(f"{found.noun} stands where true or false belongs", node=node)

    def present(self, node: ast.expr, why: str) -> Shape:
        """The expression's shape; it must not be able to be None."""
        found = self.check(node)
        if found.optional or found.kind == "none":
            hint = f"say `{ast.unparse(node)} is not None and ...` first"
            raise self.wrong(f"it may be None, and {why}", hint, node)
        return found

    # --- leaves -----------------------------------------------------------------------------

    def constant(self, node: ast.Constant) -> Shape:
        if isinstance(node.value, float):
            raise self.wrong(f"{node.value} is a float; money, rates and times are integers")
        if node.value is not None and not isinstance(node.value, str | int):
            raise self.wrong("it is no constant of the language", node=node)
        return of.of_constant(node.value)

    def name(self, node: ast.Name) -> Shape:
        if node.id not in self.names:
            if node.id in self.scope.vocabulary.calls():
                raise self.wrong(f"{node.id} is a function; call it: {node.id}(...)")
            known = (*self.names, *self.scope.vocabulary.calls())
            raise self.unknown("name", node.id, known)
        self.used.add(node.id)
        if node.id in ("t", "day"):
            self.scope.uses.clock.add(node.id)
        return self.names[node.id]

    def attribute(self, node: ast.Attribute) -> Shape:
        owner = self.present(node.value, f"None has no .{node.attr}")
        if node.attr.startswith("_"):
            raise self.wrong("names with a leading underscore are closed", node=node)
        if not owner.fields:
            raise self.wrong(f"{owner.noun} has no fields", node=node)
        if node.attr not in owner.fields:
            raise self.unknown(f"field of {ast.unparse(node.value)}", node.attr, owner.fields)
        if node.attr == "t" and owner.kind in ("event", "write"):
            self.scope.uses.clock.add(ast.unparse(node))
        return owner.fields[node.attr]

    def subscript(self, node: ast.Subscript) -> Shape:
        owner = self.present(node.value, "None has no items")
        try:
            index = ast.literal_eval(node.slice)
        except ValueError:
            index = None
        if type(index) is not int:
            raise self.wrong("only a literal number can stand in brackets", node=node)
        if owner.kind == "tuple":
            if not -len(owner.items) <= index < len(owner.items):
                raise self.wrong(f"there are {len(owner.items)} items", node=node)
            return owner.items[index]
        if owner.kind not in ("list", "any"):
            why = "rows stand in no order" if owner.kind == "rows" else f"{owner.noun} has no items"
            raise self.wrong(why, "pick one by min, max or sorted of a column", node)
        return owner.item or of.ANY

    def sequence(self, node: ast.List | ast.Tuple) -> Shape:
        return Shape("tuple", items=tuple(self.check(inner) for inner in node.elts))

    # --- operators --------------------------------------------------------------------------

    def boolean(self, node: ast.BoolOp) -> Shape:
        before, conjunction = self.sure, isinstance(node.op, ast.And)
        for inner in node.values:
            self.truth(inner)
            self.sure |= shown(inner, conjunction)
        self.sure = before
        return of.BOOL

    def unary(self, node: ast.UnaryOp) -> Shape:
        if isinstance(node.op, ast.Not):
            self.truth(node.operand)
            return of.BOOL
        if not isinstance(node.op, ast.USub):
            raise self.wrong("this operator is not part of the language", node=node)
        return self.number(node.operand, node)

    def number(self, node: ast.expr, whole: ast.AST) -> Shape:
        found = self.present(node, "arithmetic needs a number")
        if found.kind not in ("int", "any"):
            raise self.wrong(f"{found.noun} stands where a number belongs", node=whole)
        return found

    def binary(self, node: ast.BinOp) -> Shape:
        if isinstance(node.op, ast.Add):
            return self.add(node)
        if not isinstance(node.op, INTEGER):
            hint = "// divides integers" if isinstance(node.op, ast.Div) else ""
            raise self.wrong("this operator is not part of the language", hint, node)
        self.number(node.left, node)
        self.number(node.right, node)
        return of.INT

    def add(self, node: ast.BinOp) -> Shape:
        left = self.present(node.left, "None cannot be added")
        right = self.present(node.right, "None cannot be added")
        if left.is_text and right.is_text:
            return of.STR
        if left.kind in ("list", "tuple") and right.kind in ("list", "tuple"):
            if left.kind == right.kind == "tuple":
                return Shape("tuple", items=left.items + right.items)
            item = of.merge(of.item_of(left) or of.ANY, of.item_of(right) or of.ANY)
            return Shape("list", item=item or of.ANY, scan=left.scan or right.scan)
        if {left.kind, right.kind} <= {"int", "any"}:
            return of.INT
        raise self.wrong(f"{left.noun} cannot be added to {right.noun}", node=node)

    def compare(self, node: ast.Compare) -> Shape:
        operands = [node.left, *node.comparators]
        for left, op, right in zip(operands, node.ops, node.comparators, strict=False):
            if isinstance(op, ast.Is | ast.IsNot):
                self.identity(left, right, node)
            elif isinstance(op, ast.In | ast.NotIn):
                self.membership(left, right, node)
            elif isinstance(op, ORDER):
                self.ordering(left, right, node)
            else:
                self.equality(left, right, node)
        return of.BOOL

    def identity(self, left: ast.expr, right: ast.expr, node: ast.Compare) -> None:
        self.check(left)
        if not (isinstance(right, ast.Constant) and right.value is None):
            raise self.wrong("`is` compares with None only", "use ==", node)

    def membership(self, left: ast.expr, right: ast.expr, node: ast.Compare) -> None:
        one, many = self.check(left), self.present(right, "nothing is in None")
        if one.is_text and many.is_text:
            return
        item = of.item_of(many)
        if item is None:
            raise self.wrong(f"nothing is in {many.noun}", node=node)
        self.fits(one, item, node)

    def ordering(self, left: ast.expr, right: ast.expr, node: ast.Compare) -> None:
        one = self.present(left, "None is neither more nor less")
        two = self.present(right, "None is neither more nor less")
        for side in (one, two):
            if side.kind not in ("int", "str", "day", "any"):
                raise self.wrong(f"{side.noun} is neither more nor less", node=node)
        self.fits(one, two, node, ordered=True)
        self.note_bound(one, two, node)

    def equality(self, left: ast.expr, right: ast.expr, node: ast.Compare) -> None:
        one, two = self.check(left), self.check(right)
        if "none" in (one.kind, two.kind):
            raise self.wrong("None is compared by ==", "use `is None` or `is not None`", node)
        self.fits(one, two, node)
        self.note_bound(one, two, node)

    def note_bound(self, one: Shape, two: Shape, node: ast.Compare) -> None:
        if len(node.ops) == 1 and one.kind == two.kind == "int":
            self.bounds.add(node)

    def fits(self, one: Shape, two: Shape, node: ast.AST, *, ordered: bool = False) -> None:
        if ordered and one.is_text and two.is_text:
            one, two = of.replace(one, values=()), of.replace(two, values=())
        why = of.clash(one, two)
        if why:
            raise self.wrong(why, nearest(one, two), node)

    def either(self, node: ast.IfExp) -> Shape:
        before = self.sure
        self.truth(node.test)
        self.sure = before | shown(node.test, True)
        body = self.check(node.body)
        self.sure = before | shown(node.test, False)
        orelse = self.check(node.orelse)
        self.sure = before
        found = of.merge(body, orelse)
        if found is None:
            raise self.wrong(f"it is {body.noun} or {orelse.noun}", node=node)
        return found

    # --- walking ----------------------------------------------------------------------------

    def walk(self, node: ast.ListComp | ast.GeneratorExp) -> Shape:
        names, sure, depth = dict(self.names), self.sure, self.depth
        for loop in node.generators:
            shape = self.present(loop.iter, "None cannot be walked")
            item = of.item_of(shape)
            if item is None:
                raise self.wrong(f"{shape.noun} cannot be walked", node=loop.iter)
            self.bind(loop.target, item)
            self.depth += shape.kind == "rows" or shape.scan
            for condition in loop.ifs:
                self.truth(condition)
                self.sure |= shown(condition, True)
        item = self.check(node.elt)
        scan = self.depth > depth
        self.names, self.sure, self.depth = names, sure, depth
        return Shape("list", item=item, scan=scan)

    def bind(self, target: ast.expr, item: Shape) -> None:
        if isinstance(target, ast.Name):
            self.names[self.free(target.id)] = item
        elif isinstance(target, ast.Tuple):
            parts = item.items if item.kind == "tuple" else (of.item_of(item),) * len(target.elts)
            if len(parts) != len(target.elts):
                raise self.wrong(f"{len(parts)} items for {len(target.elts)} names", node=target)
            for inner, part in zip(target.elts, parts, strict=True):
                if part is None:
                    raise self.wrong(f"{item.noun} has no items", node=target)
                self.bind(inner, part)
        else:
            raise self.wrong("only names can be bound", node=target)

    def free(self, name: str) -> str:
        """`name` if it can be given a meaning here."""
        if name in self.names or name in self.scope.vocabulary.calls():
            raise self.wrong(f"{name!r} already means something here", "take another name")
        if name.startswith("_"):
            raise self.wrong(f"{name!r}: names with a leading underscore are closed")
        return name

    def call(self, node: ast.Call) -> Shape:
        return calls.check(self, node)

    NODES: ClassVar[dict[type[ast.expr], Callable[["Checker", Any], Shape]]] = {
        ast.Constant: constant,
        ast.Name: name,
        ast.Attribute: attribute,
        ast.Subscript: subscript,
        ast.List: sequence,
        ast.Tuple: sequence,
        ast.BoolOp: boolean,
        ast.UnaryOp: unary,
        ast.BinOp: binary,
        ast.Compare: compare,
        ast.IfExp: either,
        ast.ListComp: walk,
        ast.GeneratorExp: walk,
        ast.Call: call,
    }


def shown(node: ast.expr, truth: bool) -> frozenset[str]:
    """The expressions that cannot be None once `node` is known to be true (or false)."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return shown(node.operand, not truth)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) == truth:
        return frozenset().union(*(shown(inner, truth) for inner in node.values))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        wanted = ast.IsNot if truth else ast.Is
        right = node.comparators[0]
        none = isinstance(right, ast.Constant) and right.value is None
        if none and isinstance(node.ops[0], wanted):
            return frozenset({ast.unparse(node.left)})
    return frozenset()


def nearest(one: Shape, two: Shape) -> str:
    """`did you mean`, when a literal text is none of the values a column can hold."""
    if len(one.values) > 1 and len(two.values) == 1:
        one, two = two, one
    return suggestion(one.values[0], two.values) if one.values and two.values else ""
