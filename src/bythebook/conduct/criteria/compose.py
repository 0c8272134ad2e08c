"""From a criterion's written fields to its compiled pattern."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.calls import check_consent
from bythebook.conduct.criteria.check import Checker
from bythebook.conduct.criteria.monitor import Pattern
from bythebook.conduct.criteria.patterns import (
    After,
    Always,
    Authorised,
    Before,
    Count,
    Finally,
    Frame,
    Never,
    Spared,
    Whenever,
)
from bythebook.conduct.criteria.predicate import Compiler, Predicate
from bythebook.conduct.criteria.rawrule import FIELDS, HEAD, RawRule
from bythebook.conduct.criteria.selector import Selector, read_selector
from bythebook.errors import ContentError, suggestion

PATTERNS = tuple(FIELDS)
SPARED = re.compile(r"\s*(?P<table>\w+)(?:\s+where\s+(?P<where>.+?))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Expression:
    """One predicate and its place in the data: the value at `path` is `prefix + source`."""

    path: tuple[str | int, ...]
    prefix: str
    source: str


class Composer:
    """Compiles the fields of one criterion and remembers where each expression stood."""

    def __init__(self, raw: RawRule, number: int, compiler: Compiler, place: str) -> None:
        self.raw, self.fields = raw, raw.given()
        self.compiler, self.place = compiler, place
        self.path: tuple[str | int, ...] = ("criteria", number)
        self.expressions: list[Expression] = []

    def at(self, field: str) -> Compiler:
        return self.compiler.at(f"{self.place} ({self.raw.id}, {field})")

    def wrong(self, field: str, what: str, hint: str = "") -> ContentError:
        return self.at(field).scope.wrong(what, hint)

    def note(self, field: str, source: str, prefix: str = "", *rest: str | int) -> None:
        self.expressions.append(Expression((*self.path, field, *rest), prefix, source))

    def truth(self, field: str, *seen: Selector) -> Predicate:
        """A predicate that sees the variables of these selectors."""
        source = self.fields[field]
        self.note(field, source)
        return self.seeing(field, seen).truth(source)

    def seeing(self, field: str, seen: tuple[Selector, ...]) -> Compiler:
        compiler = self.at(field)
        for one in seen:
            for name in one.names:
                if name in compiler.scope.names:
                    raise self.wrong(field, f"two selectors bind {name!r}", "rename one of them")
            compiler = compiler.seeing(one.names, one.sure)
        return compiler

    def selector(self, field: str) -> Selector:
        found = read_selector(self.fields[field], self.at(field))
        if found.where is not None:
            self.note(field, found.where.source, found.prefix)
        return found

    def optional_match(self, first: Selector, second: Selector) -> Predicate | None:
        return self.truth("match", first, second) if "match" in self.fields else None


def compose(
    raw: RawRule, number: int, compiler: Compiler, place: str
) -> tuple[Pattern, tuple[Expression, ...]]:
    """The pattern of a criterion and all its expressions."""
    composer = Composer(raw, number, compiler, place)
    (name,) = raw.patterns()
    needed, allowed = FIELDS[name]
    for field in needed:
        if field not in composer.fields:
            raise composer.wrong(name, f"`{name}` needs `{field}`")
    mine = (*HEAD, name, *needed, *allowed)
    for field in composer.fields:
        if field not in mine:
            raise composer.wrong(field, f"`{name}` has no field {field!r}", suggestion(field, mine))
    pattern = MAKERS[name](composer)
    return pattern, tuple(composer.expressions)


def _finally(composer: Composer) -> Pattern:
    return Finally(composer.truth("finally"))


def _always(composer: Composer) -> Pattern:
    that = composer.truth("always")
    if not that.tables and not that.timed:
        raise composer.wrong("always", "it reads nothing that could change")
    return Always(that, composer.fields.get("at", "event"))


def _never(composer: Composer) -> Pattern:
    return Never(composer.selector("never"))


def _whenever(composer: Composer) -> Pattern:
    what = composer.selector("whenever")
    require = composer.truth("require", what)
    return Whenever(what, require, composer.fields.get("state", "before"))


def _before(composer: Composer) -> Pattern:
    what, needs = composer.selector("before"), composer.selector("needs")
    since = composer.selector("since") if "since" in composer.fields else None
    match = composer.optional_match(needs, what)
    return Before(what, needs, match, since, composer.fields.get("once", False))


def _after(composer: Composer) -> Pattern:
    what, then = composer.selector("after"), composer.selector("then")
    within = composer.fields.get("within")
    if within is not None and within < 0:
        raise composer.wrong("within", "minutes cannot be negative")
    return After(what, then, composer.optional_match(what, then), within)


def _count(composer: Composer) -> Pattern:
    least, most = composer.fields.get("at_least"), composer.fields.get("at_most")
    if least is None and most is None:
        raise composer.wrong("count", "`count` needs `at_least`, `at_most` or both")
    if min(n for n in (least, most) if n is not None) < 0 or (least or 0) > (
        most if most is not None else least or 0
    ):
        raise composer.wrong("count", "nothing can happen so many times")
    return Count(composer.selector("count"), least, most)


def _authorised(composer: Composer) -> Pattern:
    what, fields = composer.selector("authorised"), composer.fields
    compiler = composer.seeing("request", (what,))
    composer.note("request", fields["request"])
    request = compiler.value(fields["request"])
    if not (request.shape.is_text or request.shape.kind == "any"):
        hint = f"it is the id of a row of {fields['table']}"
        raise composer.wrong("request", f"`{request.source}` is {request.shape.noun}", hint)
    tables = compiler.scope.vocabulary.schema.tables
    if fields["table"] not in tables:
        hint = suggestion(fields["table"], tables)
        raise composer.wrong("table", f"no table {fields['table']!r}", hint)
    checker = Checker(composer.at("terms").scope)
    check_consent(checker, fields["table"], fields["terms"], fields["by"])
    compiler.scope.uses.tables.update((*checker.tables, fields["table"]))
    return Authorised(what, request, fields["table"], tuple(fields["terms"]), fields["by"])


def _frame(composer: Composer) -> Pattern:
    spared = composer.fields["frame"].spared
    if not spared:
        raise composer.wrong("frame", "an empty list; a task that may touch nothing has no goal")
    return Frame(tuple(_spared(composer, number, text) for number, text in enumerate(spared)))


def _spared(composer: Composer, number: int, text: str) -> Spared:
    field = f"frame.except[{number}]"
    found, tables = SPARED.fullmatch(text), composer.compiler.scope.vocabulary.schema.tables
    if found is None:
        raise composer.wrong(field, f"`{text}` is no exception", "write TABLE [where PREDICATE]")
    table, where = found["table"], found["where"]
    if table not in tables:
        raise composer.wrong(field, f"no table {table!r}", suggestion(table, tables))
    if not where:
        return Spared(text, table, None)
    composer.note("frame", where, text[: found.start("where")], "except", number)
    schema = composer.compiler.scope.vocabulary.schema
    row = of.row_of(schema, table)
    names = {"r": row, "old": of.replace(row, optional=True)}
    return Spared(text, table, composer.at(field).seeing(names).truth(where))


MAKERS: dict[str, Callable[[Composer], Any]] = {
    "finally": _finally,
    "always": _always,
    "never": _never,
    "whenever": _whenever,
    "before": _before,
    "after": _after,
    "count": _count,
    "authorised": _authorised,
    "frame": _frame,
}
