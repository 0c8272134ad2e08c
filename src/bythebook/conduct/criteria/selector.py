"""Selectors: which events or writes a rule speaks of.

SEL  := KIND('NAME') [as v] [where PRED]
KIND := call      a successful call of tool NAME by the agent
      | attempt   any call of it; an argument that does not fit reads as None
      | customer  a successful act of the customer's tool NAME
      | event     scheduled event NAME
      | message   words of NAME, 'agent' or 'customer'
      | write     a write to table NAME, by whatever tool (prefer it: it survives new tools)
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.check import shown
from bythebook.conduct.criteria.hits import MESSAGE, Hit
from bythebook.conduct.criteria.predicate import Compiler, Predicate
from bythebook.conduct.criteria.shapes import Shape
from bythebook.conduct.criteria.state import State
from bythebook.conduct.schema import Signature
from bythebook.errors import ContentError, suggestion

KINDS = ("call", "attempt", "customer", "event", "message", "write")
FORM = re.compile(
    r"""\s*(?P<kind>\w+)\(\s*(?P<quote>['"])(?P<name>.*?)(?P=quote)\s*\)"""
    r"""(?:\s+as\s+(?P<variable>\w+))?(?:\s+where\s+(?P<where>.+?))?\s*""",
    re.DOTALL,
)
HINT = "write KIND('NAME') [as v] [where PREDICATE], KIND one of " + ", ".join(KINDS)

Key = tuple[str, str]


@dataclass(frozen=True)
class Selector:
    """One selector, compiled."""

    source: str
    kind: str
    name: str
    variable: str
    """Empty when the selector binds nothing."""
    shape: Shape
    where: Predicate | None
    prefix: str
    """The text before the predicate, `where` included."""
    sure: frozenset[str] = frozenset()

    @cached_property
    def key(self) -> Key:
        """What it listens to. A call and an attempt are the same event."""
        return ("call" if self.kind == "attempt" else self.kind, self.name)

    @property
    def names(self) -> Mapping[str, Shape]:
        """The variable it binds."""
        return {self.variable: self.shape} if self.variable else {}

    @cached_property
    def matches(self) -> Callable[[State, Hit], object]:
        """`matches(state, hit)`: does it speak of this event or write, seen in the state before it?

        The hot path: made once, with no question left in it whose answer is known.
        """
        test = self._where
        if self.kind not in ("call", "customer", "event"):
            return test or _any
        if test is None:
            return _succeeded
        where = test
        return lambda state, hit: hit.ok and where(state, hit)

    @property
    def _where(self) -> Callable[[State, Hit], object] | None:
        if self.where is None:
            return None
        test = self.where.test
        return test if self.variable else lambda state, hit: test(state)

    def bound(self, hit: Hit) -> tuple[Hit, ...]:
        """The value of its variable, ready to be passed to a predicate."""
        return (hit,) if self.variable else ()


def _any(state: State, hit: Hit) -> bool:
    return True


def _succeeded(state: State, hit: Hit) -> bool:
    return hit.ok


def read_selector(source: object, compiler: Compiler) -> Selector:
    """Compile a selector; raises `ContentError` for anything it cannot mean."""
    found = FORM.fullmatch(source) if isinstance(source, str) else None
    if found is None:
        raise compiler.scope.wrong(f"`{source}` is no selector", HINT)
    kind, name, variable = found["kind"], found["name"], found["variable"] or ""
    shape = _shape(kind, name, compiler)
    _check_variable(variable, compiler)
    where, sure = None, frozenset[str]()
    inner = compiler.seeing({variable: shape} if variable else {})
    if found["where"]:
        where = inner.truth(found["where"])
        known = shown(inner.parse(found["where"]), True)
        # What was read from tables may have changed by the time `require` looks.
        sure = frozenset(e for e in known if "row(" not in e and "rows(" not in e)
    text = str(source)
    prefix = text[: found.start("where")] if found["where"] else text
    return Selector(text, kind, name, variable, shape, where, prefix, sure)


def _check_variable(variable: str, compiler: Compiler) -> None:
    words = compiler.scope.vocabulary
    taken = (*words.calls(), *compiler.scope.names, "t", "day", "facts")
    if variable in taken or variable.startswith("_"):
        raise compiler.scope.wrong(f"{variable!r} already means something here", "take another")


def _shape(kind: str, name: str, compiler: Compiler) -> Shape:
    schema = compiler.scope.vocabulary.schema
    if kind == "write":
        if name not in schema.tables:
            raise _unknown(compiler, "table", name, schema.tables)
        return of.write_of(schema, name)
    known: dict[str, tuple[str, Mapping[str, Signature]]] = {
        "call": ("tool", schema.calls),
        "attempt": ("tool", schema.calls),
        "customer": ("customer tool", schema.customer),
        "event": ("scheduled event", schema.events),
        "message": ("speaker", {"agent": MESSAGE, "customer": MESSAGE}),
    }
    if kind not in known:
        raise _unknown(compiler, "kind of event", kind, KINDS)
    noun, signatures = known[kind]
    if name not in signatures:
        raise _unknown(compiler, noun, name, signatures)
    return of.event_of(signatures[name], sure=kind != "attempt")


def _unknown(compiler: Compiler, noun: str, name: str, known: object) -> ContentError:
    names = list(known)  # type: ignore[call-overload]  # a mapping or a tuple of names
    return compiler.scope.wrong(f"no {noun} {name!r}", suggestion(name, names))
