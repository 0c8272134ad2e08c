"""criteria.yaml, read and checked into compiled rules.

    criteria.yaml := {facts?: {name: constant}, criteria: [RULE+]}
    RULE    := {id, kind: goal|process|protection, says, source: {family, clause}, PATTERN}
    PATTERN := finally: PRED
             | always: PRED, at: event|write
             | never: SEL
             | whenever: SEL, require: PRED, state: before|after
             | before: SEL_b, needs: SEL_a, match?: PRED(a, b), since?: SEL, once?: bool
             | after: SEL_a, then: SEL_b, match?: PRED(a, b), within?: n
             | count: SEL, at_least?: n, at_most?: n
             | authorised: SEL, request: EXPR, table: T, terms: [field+], by: ROLE
             | frame: {except: ["TABLE [where PRED(r, old)]"+]}

Exactly one pattern a rule; `source` may be left out by goals and frames only. An unknown field or
name, an empty list, a float, two rules of one id, or a task without exactly one frame is an error.

Rules over the traces of other programs (`of_task=False`) have no need of a frame, and two more
fields: `heuristic: true` for what rests on a guess about words, and `group`.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook import yamlfile
from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.check import Scope
from bythebook.conduct.criteria.compose import PATTERNS, Expression, compose
from bythebook.conduct.criteria.hits import Forms
from bythebook.conduct.criteria.monitor import Pattern
from bythebook.conduct.criteria.patterns import After, Always, Frame, Whenever
from bythebook.conduct.criteria.predicate import Compiler
from bythebook.conduct.criteria.rawrule import FOREIGN, RawRule
from bythebook.conduct.criteria.selector import Key
from bythebook.conduct.criteria.vocabulary import Vocabulary
from bythebook.errors import ContentError

Kind = Literal["goal", "process", "protection"]
Cites = Callable[[str, str], None]
"""Checks that a document family has a clause; raises `ContentError` when it has not."""


class RawCriteria(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """criteria.yaml as it is written."""

    criteria: tuple[RawRule, ...]
    facts: dict[str, Any] = {}


@dataclass(frozen=True)
class Rule:
    """One criterion, compiled."""

    id: str
    kind: Kind
    says: str
    source: str
    """family#clause, or empty."""
    pattern: Pattern
    expressions: tuple[Expression, ...]
    """Every predicate and where it stands, so that the proof can bend them one by one."""
    tables: frozenset[str]
    """Tables whose rows it reads."""
    functions: frozenset[str] = frozenset()
    """Functions of the company's policy that it calls."""
    clock: frozenset[str] = frozenset()
    """Where it reads a minute or a day, or counts minutes: `t`, `day`, `v.t`, `within`."""
    heuristic: bool = False
    group: str = ""


@dataclass(frozen=True)
class Interest:
    """Who wants to know of a write to one table."""

    key: Key
    heard: tuple[int, ...] = ()
    """Rules whose selectors name it."""
    read: bool = False
    """Some rule reads its rows."""
    at_write: tuple[int, ...] = ()
    """`always at: write` rules that read its rows."""


NO_INTEREST = Interest(("write", ""))


@dataclass(frozen=True)
class Criteria:
    """All rules of a task. Stateless: one object serves all runs."""

    rules: tuple[Rule, ...]
    vocabulary: Vocabulary
    data: Mapping[str, Any]
    """What they were compiled from, as plain data; `build` takes an edited copy."""
    tables: frozenset[str]
    """Tables whose rows are read: what a scene must hold of the opening state."""
    keys: Mapping[tuple[str, str], str]
    """Rows named by a literal key, with the place that names them."""
    functions: frozenset[str]
    families: frozenset[str]

    @cached_property
    def sha(self) -> str:
        """SHA-256 of the rules' data; comments and layout of the YAML do not count."""
        return hashlib.sha256(msgspec.json.encode(self.data, order="sorted")).hexdigest()

    @cached_property
    def forms(self) -> Forms:
        return self.vocabulary.reading(self.vocabulary.schema)

    @cached_property
    def listeners(self) -> Mapping[Key, tuple[int, ...]]:
        """Event or write to the numbers of the rules that must hear it."""
        found: dict[Key, list[int]] = {}
        for number, rule in enumerate(self.rules):
            for key in rule.pattern.keys:
                found.setdefault(key, []).append(number)
        return {key: tuple(numbers) for key, numbers in found.items()}

    @cached_property
    def named(self) -> Mapping[str, frozenset[str]]:
        """Tables, tools, customer tools and events that selectors and frames name."""
        found: dict[str, set[str]] = {k: set() for k in ("write", "call", "customer", "event")}
        for kind, name in self.listeners:
            found.setdefault(kind, set()).add(name)
        for rule in self.rules:
            if isinstance(rule.pattern, Frame):
                found["write"].update(rule.pattern.by_table)
        return {kind: frozenset(names) for kind, names in found.items()}

    @cached_property
    def invariants(self) -> Mapping[str, Mapping[str, tuple[int, ...]]]:
        """`always` rules by what they look at (event or write) and by the tables they read."""
        found: dict[str, dict[str, tuple[int, ...]]] = {"event": {}, "write": {}}
        for number, rule in enumerate(self.rules):
            if isinstance(rule.pattern, Always):
                by_table = found[rule.pattern.at]
                for table in rule.tables:
                    by_table[table] = (*by_table.get(table, ()), number)
        return found

    @cached_property
    def interests(self) -> Mapping[str, Interest]:
        """By table; one that is not here interests nobody but the frame."""
        named = {name for kind, name in self.listeners if kind == "write"}
        return {
            table: Interest(
                key := ("write", table),
                self.listeners.get(key, ()),
                table in self.tables,
                self.invariants["write"].get(table, ()),
            )
            for table in named | self.tables
        }

    @cached_property
    def openings(self) -> tuple[int, ...]:
        """`always` rules, which must hold in the opening state."""
        return tuple(n for n, rule in enumerate(self.rules) if isinstance(rule.pattern, Always))

    @cached_property
    def timed(self) -> tuple[int, ...]:
        """`always` rules that read the time, so that they must be asked when it moves."""
        return tuple(
            number
            for number, rule in enumerate(self.rules)
            if isinstance(rule.pattern, Always) and rule.pattern.that.timed
        )

    @cached_property
    def awaiting(self) -> tuple[int, ...]:
        """`after .. within` rules, which have deadlines."""
        return tuple(
            number
            for number, rule in enumerate(self.rules)
            if isinstance(rule.pattern, After) and rule.pattern.within is not None
        )

    @cached_property
    def settling(self) -> tuple[int, ...]:
        """`whenever .. state: after` rules, asked at the end of each event."""
        return tuple(
            number
            for number, rule in enumerate(self.rules)
            if isinstance(rule.pattern, Whenever) and rule.pattern.state == "after"
        )

    @cached_property
    def frames(self) -> tuple[int, ...]:
        """Numbers of the rules that are frames."""
        return tuple(n for n, rule in enumerate(self.rules) if isinstance(rule.pattern, Frame))

    def check_keys(self, opening: Mapping[str, Mapping[str, Any]]) -> None:
        """A row named by a literal key exists in the opening state, or `facts: {appears: [..]}`
        says that it comes later."""
        appears = set(self.data.get("facts", {}).get("appears", ()))
        for (table, key), where in self.keys.items():
            if key not in opening.get(table, {}) and key not in appears:
                hint = "a row that comes later is named in `facts: {appears: [KEY]}`"
                raise ContentError(f"{table} has no row {key!r}", where=where, hint=hint)


def load(path: Path, vocabulary: Vocabulary, *, cites: Cites | None = None) -> Criteria:
    """Read a criteria.yaml. Raises `ContentError` naming file, line and criterion."""
    return read(yamlfile.read_text(path), vocabulary, where=path, cites=cites)


def read(
    text: str, vocabulary: Vocabulary, *, where: str | Path, cites: Cites | None = None
) -> Criteria:
    """The criteria in `text`."""
    data = yamlfile.parse(text, where)
    return build(data, vocabulary, where=where, text=text, cites=cites)


def build(
    data: Any,
    vocabulary: Vocabulary,
    *,
    where: str | Path,
    text: str = "",
    cites: Cites | None = None,
    of_task: bool = True,
) -> Criteria:
    """The criteria in plain data, as YAML or JSON gives it; `text` gives errors their lines."""
    raw = _fit(data, where, text)
    if not raw.criteria:
        raise ContentError("there are no criteria", where=where)
    _check_facts(raw.facts, "facts", where)
    scope = Scope(vocabulary, of.of_constant(raw.facts), str(where))
    compiler = Compiler.of(scope, raw.facts)
    rules: list[Rule] = []
    for number, one in enumerate(raw.criteria):
        place = _place(where, text, number)
        _check_head(one, rules, place)
        if of_task:
            _check_of_task(one, place)
        rules.append(_rule(one, number, compiler, place))
        if cites is not None and one.source is not None:
            _check_citation(one, cites, place)
    if of_task:
        _check_one_frame(rules, where)
    return Criteria(
        rules=tuple(rules),
        vocabulary=vocabulary,
        data=data,
        tables=frozenset(scope.uses.tables),
        keys=dict(scope.uses.keys),
        functions=frozenset(scope.uses.functions),
        families=frozenset(scope.uses.families),
    )


def _fit(data: Any, where: str | Path, text: str) -> RawCriteria:
    """The data as written rules; an error inside one names its id."""
    try:
        return yamlfile.fit(data, RawCriteria, where=where, text=text)
    except ContentError as error:
        found = re.search(r"criteria\[(\d+)\]", error.what)
        rules = data.get("criteria") if isinstance(data, dict) else None
        if found is None or not isinstance(rules, list):
            raise
        one = rules[int(found[1])]
        name = one.get("id", "without id") if isinstance(one, dict) else "without id"
        what = f"criterion {name}: {error.what}"
        raise ContentError(what, where=error.where, hint=error.hint) from None


def _place(where: str | Path, text: str, number: int) -> str:
    line = yamlfile.line_of(text, f".criteria[{number}]") if text else 0
    return f"{where}:{line}" if line else str(where)


def _check_facts(value: object, name: str, where: str | Path) -> None:
    """Constants are text, whole numbers, truth values, and lists and mappings of them."""
    if isinstance(value, float):
        raise ContentError(f"{name}: {value} is a float; use integers", where=where)
    inner = value if isinstance(value, list | tuple) else []
    if isinstance(value, Mapping):
        for key, one in value.items():
            if not str(key).isidentifier() or str(key).startswith("_"):
                raise ContentError(f"{name}: {key!r} cannot be written behind a dot", where=where)
            _check_facts(one, f"{name}.{key}", where)
    for number, one in enumerate(inner):
        _check_facts(one, f"{name}[{number}]", where)


def _check_head(raw: RawRule, before: list[Rule], place: str) -> None:
    if not raw.id.strip() or not raw.says.strip():
        raise ContentError("a criterion has an id, and says in words what it asks", where=place)
    if any(rule.id == raw.id for rule in before):
        raise ContentError(f"criterion {raw.id!r} stands here twice", where=place)
    patterns = raw.patterns()
    if len(patterns) != 1:
        hint = f"exactly one of: {', '.join(PATTERNS)}"
        what = f"two patterns: {', '.join(patterns)}" if patterns else "no pattern"
        raise ContentError(f"criterion {raw.id!r} has {what}", where=place, hint=hint)
    if raw.source is None and raw.kind != "goal" and patterns != ("frame",):
        hint = "source: {family: ..., clause: ...}"
        raise ContentError(f"criterion {raw.id!r} cites no clause", where=place, hint=hint)


def _check_of_task(raw: RawRule, place: str) -> None:
    for field in FOREIGN:
        if field in raw.given():
            hint = "it is a field of rules for `bythebook check`"
            raise ContentError(f"criterion {raw.id!r} has a {field}", where=place, hint=hint)


def _check_citation(raw: RawRule, cites: Cites, place: str) -> None:
    assert raw.source is not None
    try:
        cites(raw.source.family, raw.source.clause)
    except ContentError as error:
        where = f"{place} ({raw.id}, source)"
        raise ContentError(error.what, where=where, hint=error.hint) from None


def _rule(raw: RawRule, number: int, compiler: Compiler, place: str) -> Rule:
    # Each rule collects its own uses, then hands them on.
    own = replace(compiler.scope.uses, tables=set(), functions=set(), clock=set())
    scope = replace(compiler.scope, uses=own)
    pattern, expressions = compose(raw, number, replace(compiler, scope=scope), place)
    compiler.scope.uses.tables.update(own.tables)
    compiler.scope.uses.functions.update(own.functions)
    source = f"{raw.source.family}#{raw.source.clause}" if raw.source else ""
    return Rule(
        id=raw.id,
        kind=raw.kind,
        says=raw.says,
        source=source,
        pattern=pattern,
        expressions=expressions,
        tables=frozenset(own.tables),
        functions=frozenset(own.functions),
        clock=frozenset(own.clock) | ({"within"} if raw.within is not None else set()),
        heuristic=bool(raw.heuristic),
        group=raw.group or "",
    )


def _check_one_frame(rules: list[Rule], where: str | Path) -> None:
    frames = [rule.id for rule in rules if isinstance(rule.pattern, Frame)]
    if len(frames) != 1:
        what = f"{len(frames)} frames: {', '.join(frames)}" if frames else "no frame"
        hint = "frame: {except: [what the task may touch]}, as a protection"
        raise ContentError(f"every task has one frame; this one has {what}", where=where, hint=hint)
