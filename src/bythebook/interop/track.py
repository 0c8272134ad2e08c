"""`track:` - which results set which rows of which table, so that rules judge recorded state.

    TRACK := {on: SEL | [SEL+], table: T, key: EXPR, set: {column: EXPR} | EXPR,
              each?: 'NAME in EXPR'}
           | {on: SEL | [SEL+], table: T, key: EXPR, forget: true, each?: ..}

Selectors and expressions are those of criteria. They see the event, and the rows as they stood
before it, with what the rules of `track:` above have set. A column that is not set keeps its value;
one whose expression finds nothing becomes unknown. `set: EXPR` takes every column a record has.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from bythebook.conduct.criteria import shapes as of
from bythebook.conduct.criteria.evaluate import LOOKUP
from bythebook.conduct.criteria.hits import EventHit, Forms
from bythebook.conduct.criteria.predicate import Compiler, Predicate
from bythebook.conduct.criteria.selector import Key, Selector, read_selector
from bythebook.conduct.criteria.shapes import Shape
from bythebook.conduct.criteria.state import State
from bythebook.conduct.schema import Spec
from bythebook.errors import suggestion
from bythebook.interop.forms import Known
from bythebook.trace import Event, Write

UNKNOWN = object()
EACH = re.compile(r"\s*(?P<name>[a-z]\w*)\s+in\s+(?P<many>.+)", re.DOTALL)


class RawTrack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One item of `track:`, as written."""

    on: str | tuple[str, ...]
    table: str
    key: str
    each: str | None = None
    set: str | dict[str, str] | None = None
    forget: bool = False


@dataclass(frozen=True)
class Each:
    """One row for each item of `many`."""

    name: str
    many: Predicate


@dataclass(frozen=True)
class Track:
    """One declared way for events to become rows."""

    what: Selector
    table: str
    key: Predicate
    columns: Mapping[str, Predicate]
    whole: Predicate | None
    forget: bool
    each: Each | None
    known: Mapping[str, Spec]
    """Columns of the table."""

    def writes(self, state: State, hit: EventHit) -> Iterator[Write]:
        """The rows that this event sets. Raises a lookup error when it does not say which."""
        for key, values in self.rows(state, hit):
            old = state.tables[self.table].get(key)
            if not self.forget:
                yield Write(self.table, key, old, self._row(state, values, old))
            elif old is not None:
                yield Write(self.table, key, old, None)

    def rows(self, state: State, hit: EventHit) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The keys of those rows, each with the values that its expressions see."""
        bound = self.what.bound(hit)
        many = self.each.many.test(state, *bound) if self.each else None
        for values in [(*bound, one) for one in many] if many is not None else [bound]:
            yield str(self.key.test(state, *values)), values

    def _row(self, state: State, values: tuple[Any, ...], old: Known | None) -> Known:
        row = Known({**old} if old else {})  # dict(old) would ask `old` for `.keys`
        told: dict[str, Any] = {}
        if self.whole is not None:
            whole = self.whole.test(state, *values)
            told = {name: whole[name] for name in whole if name in self.known}
        for name, column in self.columns.items():
            try:
                told[name] = column.test(state, *values)
            except LOOKUP:
                told[name] = UNKNOWN
        for name, value in told.items():
            if _fits(value, self.known[name]):
                row[name] = value
            else:
                dict.pop(row, name, None)
        return row


def _fits(value: Any, column: Spec) -> bool:
    """Can the column hold this?"""
    if value is None:
        return column.optional or column.kind == "any"
    return value is not UNKNOWN and (not column.values or value in column.values)


def read_tracks(raw: RawTrack, compiler: Compiler) -> list[Track]:
    """One item of `track:`, a Track for each of its selectors. Raises `ContentError`."""
    selectors = (raw.on,) if isinstance(raw.on, str) else raw.on
    if not selectors:
        raise compiler.scope.wrong("`on` names no event")
    return [_track(raw, one, compiler) for one in selectors]


def _track(raw: RawTrack, on: str, compiler: Compiler) -> Track:
    scope = compiler.scope
    tables = scope.vocabulary.schema.tables
    if raw.table not in tables:
        raise scope.wrong(f"no table {raw.table!r}", suggestion(raw.table, tables))
    if raw.forget == (raw.set is not None):
        raise scope.wrong("a row is either set or forgotten", "give `set:` or `forget: true`")
    what = read_selector(on, compiler)
    if what.kind == "write":
        raise scope.wrong("rows are set by events, not by other rows", "name a call or a message")
    inner = compiler.seeing(what.names, what.sure)
    each, inner = _each(raw.each, inner)
    key = inner.value(raw.key)
    if key.shape.kind not in ("str", "day", "int", "any") or key.shape.optional:
        raise scope.wrong(f"`{raw.key}` is {key.shape.noun}; a key is a text or a number")
    columns, whole = _columns(raw, inner)
    return Track(what, raw.table, key, columns, whole, raw.forget, each, tables[raw.table])


def _each(written: str | None, compiler: Compiler) -> tuple[Each | None, Compiler]:
    if written is None:
        return None, compiler
    found = EACH.fullmatch(written)
    if found is None:
        raise compiler.scope.wrong(f"`{written}` names no items", "write `each: NAME in LIST`")
    many = compiler.value(found["many"])
    item = of.item_of(many.shape)
    if item is None:
        raise compiler.scope.wrong(f"`{many.source}` is {many.shape.noun}, no list")
    return Each(found["name"], many), compiler.seeing({found["name"]: item})


def _columns(raw: RawTrack, compiler: Compiler) -> tuple[dict[str, Predicate], Predicate | None]:
    scope = compiler.scope
    shapes = of.row_of(scope.vocabulary.schema, raw.table).fields
    if isinstance(raw.set, str):
        whole = compiler.value(raw.set)
        if whole.shape.kind not in of.RECORDS:
            raise scope.wrong(f"`{raw.set}` is {whole.shape.noun}; `set` takes a record")
        for name in whole.shape.fields:
            if name in shapes:
                _check(name, shapes[name], whole.shape.fields[name], compiler)
        if not set(whole.shape.fields) & set(shapes):
            raise scope.wrong(f"`{raw.set}` has no column of {raw.table}")
        return {}, whole
    found: dict[str, Predicate] = {}
    for name, source in (raw.set or {}).items():
        if name not in shapes:
            raise scope.wrong(f"no column of {raw.table} {name!r}", suggestion(name, shapes))
        found[name] = compiler.value(source)
        _check(name, shapes[name], found[name].shape, compiler)
    return found, None


def _check(name: str, column: Shape, value: Shape, compiler: Compiler) -> None:
    why = of.clash(column, value)
    if value.kind == "none" and not column.optional:
        why = "it is never None"
    if why:
        raise compiler.scope.wrong(f"column {name}: {why}")


class Tracker:
    """The rows of one trace, as declared rules make them out of its events."""

    foreseen = False
    """Events are only thought of, and have no results yet: nothing follows from what they lack."""

    def __init__(self, tracks: Mapping[Key, tuple[Track, ...]], forms: Forms, state: State) -> None:
        self.tracks, self.forms, self.state = tracks, forms, state
        self.unread: list[str] = []
        """What a rule of `track:` could not make out of the last event."""
        self.clouded: set[str] = set()
        """Tables in which that event may have set rows that nobody knows."""

    def follow(self, event: Event) -> Event:
        """The event with the rows that it sets."""
        self.unread, self.clouded = [], set()
        self.state.t = event.t
        key = (event.kind, event.actor if event.kind == "message" else event.name)
        writes: list[Write] = []
        for track in self.tracks.get(key, ()):
            hit = EventHit(event, *key, self.forms)
            for write in self._made(track, hit):
                writes.append(write)
                self.state.put(write.table, write.key, write.new)
        return msgspec.structs.replace(event, writes=tuple(writes)) if writes else event

    def _made(self, track: Track, hit: EventHit) -> list[Write]:
        try:
            return (
                list(track.writes(self.state, hit)) if track.what.matches(self.state, hit) else []
            )
        except LOOKUP as error:
            self.unread.append(f"{track.table}: {track.what.source}: {error}")
            return [] if self.foreseen else self._doubted(track, hit, self.clouded)

    def doubt(self, hit: EventHit) -> tuple[tuple[Write, ...], set[str]]:
        """What a call may have changed, of which nobody knows whether it succeeded: rows of which
        nothing is known any more, and tables in which there may be other rows."""
        writes: list[Write] = []
        tables: set[str] = set()
        for track in self.tracks.get((hit.kind, hit.name), ()):
            writes += self._doubted(track, hit, tables)
        for write in writes:
            self.state.put(write.table, write.key, write.new)
        return tuple(writes), tables

    def _doubted(self, track: Track, hit: EventHit, tables: set[str]) -> list[Write]:
        """The rows that it may have set, as rows of which nothing is known; `tables` gets its table
        where these may be others than those that were known."""
        if track.what.kind not in ("call", "customer"):
            return []
        try:
            keys = [key for key, _ in track.rows(self.state, hit)]
        except LOOKUP:
            tables.add(track.table)
            return []
        known = self.state.tables[track.table]
        tables |= {track.table for key in keys if known.get(key) is None}
        return [Write(track.table, k, known[k], Known()) for k in keys if known.get(k) is not None]

    def fork(self) -> "Tracker":
        """An independent copy of this moment, to think of events that have not happened."""
        twin = Tracker(self.tracks, self.forms, self.state.fork())
        twin.foreseen = True
        return twin
