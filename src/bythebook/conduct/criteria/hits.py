"""What a selector binds: one event or one write, read from the trace only as far as rules look.

An argument that does not fit its declared shape (only a refused call can hold one) reads as None.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from bythebook.conduct.schema import Schema, Signature, Spec, args_type, row_type, type_of
from bythebook.errors import TraceError
from bythebook.tool import fold
from bythebook.trace import Event, StoredEvent, StoredWrite, Write

AnyEvent = Event | StoredEvent
AnyWrite = Write | StoredWrite

MESSAGE = Signature({"text": Spec("str")})
NOTHING: Mapping[str, Any] = {}


class Forms:
    """How the values of one schema are decoded. Made once for a set of criteria."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.signatures: dict[str, Mapping[str, Signature]] = {
            "call": schema.calls,
            "customer": schema.customer,
            "event": schema.events,
            "message": {"agent": MESSAGE, "customer": MESSAGE},
        }
        self._kinds: dict[str, type[msgspec.Struct]] = {}
        self._rows: dict[str, msgspec.json.Decoder[Any]] = {}
        self._results: dict[tuple[str, str], Any] = {}
        self._args: dict[tuple[str, str], tuple[type[msgspec.Struct], Any]] = {}
        self._plain: dict[str, bool] = {}

    def row_kind(self, table: str) -> type[msgspec.Struct]:
        """The struct that a table's rows are read as."""
        found = self._kinds.get(table)
        if found is None:
            found = self._kinds[table] = row_type(self.schema.tables[table])
        return found

    def row(self, table: str, value: Any) -> Any:
        """A row as predicates see it, from raw JSON or from a live row; None for no row."""
        if isinstance(value, msgspec.Raw):
            decoder = self._rows.get(table)
            if decoder is None:
                decoder = msgspec.json.Decoder(self.row_kind(table) | None)
                self._rows[table] = decoder
            try:
                return decoder.decode(value)
            except msgspec.MsgspecError as error:
                raise TraceError(f"a row of {table!r} does not read: {error}") from None
        return value if self._plain.get(table) else self.live_row(table, value)

    def live_row(self, table: str, row: Any) -> Any:
        """A live row. Records inside it take the type that records of a stored trace have, so
        that a record of a row equals the same record of an argument."""
        if row is None:
            return None
        plain = self._plain.get(table)
        if plain is None:
            columns = self.schema.tables[table].values()
            plain = self._plain[table] = all(_is_plain(spec) for spec in columns)
        if plain:
            return row
        return msgspec.convert(row, self.row_kind(table), from_attributes=True)

    def args(self, kind: str, name: str, value: Any) -> Any:
        """Arguments as a struct; what was not sent or does not fit is None."""
        found = self._args.get((kind, name))
        if found is None:
            made = args_type(self.signatures[kind][name])
            found = self._args[kind, name] = made, msgspec.json.Decoder(made)
        made, decoder = found
        try:
            if isinstance(value, msgspec.Raw):
                return decoder.decode(value)
            live: msgspec.Struct = msgspec.convert(value, made, from_attributes=True)
            return live
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return self._piecewise(self.signatures[kind][name], made, value)

    def _piecewise(self, signature: Signature, made: type[msgspec.Struct], value: Any) -> Any:
        sent = fold(open_json(value))
        pieces = sent if isinstance(sent, dict) else NOTHING
        specs = signature.args
        return made(**{n: _fit(pieces[n], type_of(specs[n])) for n in specs if n in pieces})

    def result(self, kind: str, name: str, value: Any, *, ok: bool) -> Any:
        """What a successful call gave back, typed; anything else as open JSON."""
        if not ok:
            return open_json(value)
        signature = self.signatures[kind][name]
        return _fit(fold(open_json(value)), type_of(signature.result))


def _is_plain(spec: Spec) -> bool:
    if spec.kind == "list":
        return spec.item is not None and _is_plain(spec.item)
    return spec.kind not in ("record", "any")


def _fit(value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind, from_attributes=True)
    except (msgspec.MsgspecError, RecursionError):
        return None


def open_json(value: Any) -> Any:
    """Open JSON as plain values; None when it does not read."""
    if not isinstance(value, msgspec.Raw):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None


def as_json(value: Any) -> Any:
    """A live value as it would read back from a stored trace."""
    if isinstance(value, msgspec.Raw):
        return open_json(value)
    return msgspec.json.decode(msgspec.json.encode(value))


class EventHit:
    """`v.i v.t v.ok v.cause v.args.F v.result` of one event."""

    __slots__ = (
        "_event", "_forms", "args", "cause", "caused", "i", "kind", "name", "ok", "result", "t",
    )  # fmt: skip
    args: Any
    result: Any
    number: int | None = None

    def __init__(self, event: AnyEvent, kind: str, name: str, forms: Forms) -> None:
        self._event, self._forms = event, forms
        self.kind, self.name = kind, name
        self.i, self.t, self.ok, self.cause = event.i, event.t, event.ok, event.cause
        self.caused = event.actor != "company" or event.cause is not None

    def __getattr__(self, name: str) -> Any:
        # Asked once: what is found fills the slot. functools.cached_property takes a lock on
        # Python 3.11 and costs more than decoding a row.
        if name == "args":
            self.args = self._forms.args(self.kind, self.name, self._event.args)
            return self.args
        if name == "result":
            found = self._forms.result(self.kind, self.name, self._event.result, ok=self.ok)
            self.result = found
            return found
        raise AttributeError(name)

    def shown(self) -> dict[str, Any]:
        """As JSON, for a finding."""
        sent = as_json(self._event.args)
        return {"i": self.i, "t": self.t, self.kind: self.name, "args": sent}


class WriteHit:
    """`v.i v.t v.key v.old v.new` of one write."""

    __slots__ = ("_forms", "_write", "caused", "i", "key", "name", "new", "number", "old", "t")
    old: Any
    new: Any
    kind, ok = "write", True

    def __init__(self, event: AnyEvent, number: int, write: AnyWrite, forms: Forms) -> None:
        self._write, self._forms = write, forms
        self.i, self.t, self.number = event.i, event.t, number
        self.key, self.name = write.key, write.table
        self.caused = event.actor != "company" or event.cause is not None

    def __getattr__(self, name: str) -> Any:
        if name == "new":
            self.new = self._forms.row(self.name, self._write.new)
            return self.new
        if name == "old":
            self.old = self._forms.row(self.name, self._write.old)
            return self.old
        raise AttributeError(name)

    def shown(self) -> dict[str, Any]:
        """As JSON, for a finding."""
        old, new = as_json(self._write.old), as_json(self._write.new)
        return {
            "i": self.i,
            "t": self.t,
            "write": self.name,
            "key": self.key,
            "old": old,
            "new": new,
        }


Hit = EventHit | WriteHit
