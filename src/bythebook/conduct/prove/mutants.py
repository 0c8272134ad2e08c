"""Mutants of the criteria themselves: what no trace of the proof notices is reported.

numbers +-1 · a conjunct or alternative left out · <= for <, == for != and so on
since, match, once left out · state and at the other way round · an exception of the frame
widened to its whole table · within, at_least, at_most +-1 · numbers in `facts:` +-1, where the
rule reads them
"""

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from bythebook.conduct.criteria import Criteria, Rule, build, evaluate
from bythebook.conduct.criteria.compose import Expression
from bythebook.conduct.criteria.hits import AnyEvent
from bythebook.conduct.criteria.patterns import Frame
from bythebook.conduct.prove.court import Court, Judged
from bythebook.conduct.prove.proof import Unnoticed
from bythebook.errors import BythebookError
from bythebook.verdict import Finding

SWAPS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OTHER = {"before": "after", "after": "before", "event": "write", "write": "event"}

Path = tuple[str | int, ...]
Events = tuple[AnyEvent, ...]


class Mutant(msgspec.Struct, frozen=True):
    """One rule said differently."""

    rule: str
    says: str
    data: dict[str, Any]
    """criteria.yaml with nothing in it but the mutated rule and a frame."""


def mutants(criteria: Criteria) -> Iterator[Mutant]:
    """Every mutant of every rule, in a fixed order."""
    spared = min(criteria.vocabulary.schema.tables)
    frame = {"id": "-", "kind": "protection", "says": "-", "frame": {"except": [spared]}}
    data = msgspec.json.decode(msgspec.json.encode(criteria.data))
    for number, rule in enumerate(criteria.rules):
        raw = data["criteria"][number]
        for says, changed in _changed(rule, raw):
            yield Mutant(rule.id, says, _alone(changed, data.get("facts"), frame))
        for name, value in data.get("facts", {}).items():
            if f"facts.{name}" in str(raw):
                for says, new in _constant(value, name, _columns(rule, name)):
                    yield Mutant(rule.id, says, _alone(raw, {**data["facts"], name: new}, frame))


def unnoticed(court: Court) -> Unnoticed:
    """The mutants that change no verdict on any trace that the court has seen."""
    found: list[str] = []
    rules = {rule.id: rule for rule in court.criteria.rules}
    traces: dict[str, list[tuple[Events, bool]]] = {}
    count = 0
    for mutant in mutants(court.criteria):
        try:
            changed = build(mutant.data, court.criteria.vocabulary, where=mutant.rule)
        except BythebookError:
            continue  # it does not even load: the checks at load notice it
        count += 1
        name = mutant.rule
        if name not in traces:
            traces[name] = told_apart(court.seen, rules[name])
        if all(fails(changed, court, one, name) == broke for one, broke in traces[name]):
            found.append(f"{name}: {mutant.says}")
    return Unnoticed(count - len(found), count, tuple(found))


def fails(criteria: Criteria, court: Court, events: Events, rule: str) -> bool:
    findings: dict[str, Finding] = {f.id: f for f in evaluate(criteria, court.scene, events)}
    return findings[rule].verdict != "pass"


def told_apart(seen: Iterable[Judged], rule: Rule) -> list[tuple[Events, bool]]:
    """What one rule can notice of each trace, and whether it broke the rule. What is the same to
    the rule is tried once: most variants change what other rules look at."""
    found: dict[bytes, tuple[Events, bool]] = {}
    for judged in seen:
        events = _slim(judged, rule)
        found.setdefault(_noticed(events), (events, rule.id in judged.broken))
    return list(found.values())


def _noticed(events: Events) -> bytes:
    """A digest of all that a rule can ask of these events; numbers only set them in order."""
    digest = blake2b()
    for e in events:
        agents = e.cause is not None
        said = (e.t, e.actor, e.kind, e.name, e.args, e.ok, e.result, e.writes, agents, e.move)
        digest.update(msgspec.json.encode(said))
    return digest.digest()


def _slim(judged: Judged, rule: Rule) -> Events:
    """The part of a trace that one rule can notice: what it listens to, what writes a table that
    it reads, what moves time. A frame looks at every write."""
    listens = frozenset(rule.pattern.keys)
    tables = rule.tables | {name for kind, name in listens if kind == "write"}
    whole = isinstance(rule.pattern, Frame)
    kept: list[AnyEvent] = []
    t = 0
    for event in judged.events:
        writes: Any = event.writes
        if writes and not whole:
            writes = tuple(write for write in writes if write.table in tables)
        if not writes and event.t == t:
            key = (event.kind, event.actor if event.kind == "message" else event.name)
            if key not in listens:
                continue
        slim = len(writes) < len(event.writes)
        kept.append(msgspec.structs.replace(event, writes=writes) if slim else event)
        t = event.t
    return tuple(kept)


def _alone(raw: dict[str, Any], facts: Any, frame: dict[str, Any]) -> dict[str, Any]:
    rules = [raw] if "frame" in raw else [raw, frame]
    return {"criteria": rules} | ({"facts": facts} if facts else {})


# --- one rule -----------------------------------------------------------------------------------


Changed = Iterator[tuple[str, dict[str, Any]]]


def _changed(rule: Rule, raw: dict[str, Any]) -> Changed:
    for expression in rule.expressions:
        for says, source in _bent(expression):
            path = expression.path[2:]
            yield f"{path[0]}: {says}", _put(raw, path, expression.prefix + source)
    yield from _fields(raw)
    for place, entry in enumerate(raw.get("frame", {}).get("except", ())):
        table, where, _ = entry.partition(" where ")
        if where:
            yield f"{table} excepted whole", _put(raw, ("frame", "except", place), table)


def _fields(raw: dict[str, Any]) -> Changed:
    for name in ("since", "match", "once"):
        if name in raw:
            yield f"without {name}", {k: v for k, v in raw.items() if k != name}
    for name in ("state", "at"):
        if name in raw:
            yield f"{name}: {OTHER[raw[name]]}", {**raw, name: OTHER[raw[name]]}
    for name in ("within", "at_least", "at_most"):
        for value in (raw[name] + 1, raw[name] - 1) if name in raw else ():
            yield f"{name}: {value}", {**raw, name: value}


def _bent(expression: Expression) -> Iterator[tuple[str, str]]:
    """The expression with one node changed: what was changed, and the new source."""
    tree = ast.parse(f"({expression.source.strip()}\n)", mode="eval")
    for place, node in enumerate(ast.walk(tree)):
        for says, change in _changes(node):
            twin = copy.deepcopy(tree)
            target = next(n for number, n in enumerate(ast.walk(twin)) if number == place)
            change(target)
            yield says, ast.unparse(twin.body)


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield f"{node.value} -> {value}", _setting("value", value)
    elif isinstance(node, ast.BoolOp):
        for place, part in enumerate(node.values):
            yield f"without `{ast.unparse(part)}`", _losing(place)
    elif isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            if type(op) in SWAPS:
                new = SWAPS[type(op)]()
                says = f"`{ast.unparse(node)}` with {type(new).__name__}"
                yield says, _swapping(place, new)


def _setting(name: str, value: Any) -> Any:
    return lambda node: setattr(node, name, value)


def _losing(place: int) -> Any:
    def change(node: ast.BoolOp) -> None:
        del node.values[place]
        if len(node.values) == 1:
            node.values.append(ast.Constant(isinstance(node.op, ast.And)))

    return change


def _swapping(place: int, op: ast.cmpop) -> Any:
    def change(node: ast.Compare) -> None:
        node.ops[place] = op

    return change


def _numbers_in(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Plain data with one number changed by one."""
    if type(value) is int:
        for new in (value + 1, value - 1):
            yield f"{name}: {value} -> {new}", new
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    for place, inner in parts:
        for says, new in _numbers_in(inner, f"{name}.{place}"):
            yield says, _put(value, (place,), new)


def _constant(value: Any, name: str, columns: frozenset[int] | None) -> Iterator[tuple[str, Any]]:
    """A constant of `facts:` with one number changed by one, in these columns of its rows."""
    if columns is None:
        yield from _numbers_in(value, f"facts.{name}")
        return
    for place, row in enumerate(value):
        for column in sorted(columns):
            for says, new in _numbers_in(row[column], f"facts.{name}.{place}.{column}"):
                yield says, _put(value, (place, column), new)


def _columns(rule: Rule, name: str) -> frozenset[int] | None:
    """Which columns of a constant a rule reads; None when it takes whole rows.

    Rules share constants. A number that this rule unpacks and never looks at is no part of it.
    """
    read: set[int] = set()
    for expression in rule.expressions:
        tree = ast.parse(f"({expression.source.strip()}\n)", mode="eval")
        unpacked = 0
        for node in ast.walk(tree):
            for loop in getattr(node, "generators", ()):
                if ast.unparse(loop.iter) == f"facts.{name}" and isinstance(loop.target, ast.Tuple):
                    unpacked += 1
                    seen = _names(node)
                    names = [ast.unparse(target) for target in loop.target.elts]
                    read |= {column for column, one in enumerate(names) if one in seen}
        if sum(ast.unparse(node) == f"facts.{name}" for node in ast.walk(tree)) > unpacked:
            return None
    return frozenset(read)


def _names(tree: ast.AST) -> frozenset[str]:
    """The names that are read in it."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return frozenset(node.id for node in nodes if isinstance(node.ctx, ast.Load))


def _put(value: Any, path: Path, new: Any) -> Any:
    """Plain data with `new` standing at `path`."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    twin = copy.copy(value)
    twin[first] = _put(value[first], rest, new)
    return twin
