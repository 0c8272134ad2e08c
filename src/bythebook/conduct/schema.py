"""The shapes of rows, arguments and results, as data.

A scene file carries the shapes of the tables and tools its criteria mention, so that a verdict
needs no Python class of the company that made the trace. `spec_of` reads a shape from an
annotation, `type_of` builds a type that decodes it again. Equal record shapes give one and the same
type, so values from a row and from an argument compare equal.
"""

import hashlib
import inspect
import types
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from bythebook.tool import Day, Tool

Scalar = Literal["str", "int", "bool", "day", "any", "none"]


class Spec(msgspec.Struct, frozen=True, omit_defaults=True):
    """One shape. `kind` says which of the other fields speak."""

    kind: Literal["str", "int", "bool", "day", "any", "none", "list", "record"]
    optional: bool = False
    values: tuple[str, ...] = ()
    """str: the only values allowed, when the column is an enumeration."""
    item: "Spec | None" = None
    """list: the shape of its items."""
    fields: dict[str, "Spec"] = {}
    """record: its fields in order."""

    def __hash__(self) -> int:
        return hash(_canonical(self))


class Signature(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a tool, customer tool or scheduled event carries."""

    args: dict[str, Spec]
    result: Spec = Spec("any")
    defaults: dict[str, Any] = {}
    """What an argument that was not sent reads as, where that is not None."""


class Schema(msgspec.Struct, frozen=True):
    """Every name a criterion may use, with its shape."""

    tables: dict[str, dict[str, Spec]]
    calls: dict[str, Signature]
    customer: dict[str, Signature]
    events: dict[str, Signature]
    terms: dict[str, tuple[str, ...]] = {}
    """Table to the columns that an approval of one of its rows binds."""


ANY = Spec("any")


def spec_of(hint: Any) -> Spec:
    """The shape of a type annotation. Raises `TypeError` for one that has none here."""
    if hint == Day:
        return Spec("day")
    if get_origin(hint) is Annotated:
        return spec_of(get_args(hint)[0])
    if hint in (str, int, bool):
        return Spec(hint.__name__)
    if hint in (None, types.NoneType):
        return Spec("none")
    if hint in (Any, object):
        return ANY
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return Spec("record", fields=fields_of(hint))
    return _generic(hint)


def _generic(hint: Any) -> Spec:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return Spec("str", values=tuple(args))
    if origin in (tuple, list) and args:
        return Spec("list", item=spec_of(args[0]))
    if origin in (Union, types.UnionType):
        rest = [a for a in args if a is not types.NoneType]
        if len(rest) == 1:
            return msgspec.structs.replace(spec_of(rest[0]), optional=True)
        return ANY
    if origin is dict or hint is dict:
        return ANY
    raise TypeError(f"{getattr(hint, '__name__', hint)} has no shape a rule could read")


def fields_of(kind: type[msgspec.Struct]) -> dict[str, Spec]:
    """Column name to shape, in the order of the struct."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: spec_of(hints[name]) for name in kind.__struct_fields__}


def signature_of(tool: Tool) -> Signature:
    """Arguments and result of a tool as shapes."""
    hints = dict(tool.hints)
    result = spec_of(hints.pop("return"))
    found = {f.name: f.default for f in msgspec.structs.fields(tool.arguments)}
    defaults = {
        name: msgspec.to_builtins(value)
        for name, value in found.items()
        if value is not msgspec.NODEFAULT and value is not None
    }
    return Signature({name: spec_of(hint) for name, hint in hints.items()}, result, defaults)


def event_signature(run: Any) -> Signature:
    """Arguments of a scheduled event's handler as shapes."""
    hints = get_type_hints(run, include_extras=True)
    _, *names = inspect.signature(run).parameters
    return Signature({name: spec_of(hints[name]) for name in names}, Spec("none"))


def type_of(spec: Spec) -> Any:
    """A msgspec type that decodes values of this shape."""
    base = _base_type(spec)
    return base | None if spec.optional and base is not Any else base


def _base_type(spec: Spec) -> Any:
    match spec.kind:
        case "str" | "day":
            return str
        case "int":
            return int
        case "bool":
            return bool
        case "none":
            return type(None)
        case "list":
            item: Any = type_of(spec.item or ANY)
            return tuple[item, ...]
        case "record":
            return record_type(_canonical(msgspec.structs.replace(spec, optional=False)))
        case _:
            return Any


@cache
def record_type(canonical: bytes) -> type[msgspec.Struct]:
    """The one frozen struct type for a record shape."""
    spec = msgspec.json.decode(canonical, type=Spec)
    fields = [(name, type_of(inner)) for name, inner in spec.fields.items()]
    return msgspec.defstruct("Record", fields, frozen=True)


def row_type(columns: Mapping[str, Spec]) -> type[msgspec.Struct]:
    """The struct type of a table's rows."""
    return record_type(_canonical(Spec("record", fields=dict(columns))))


def args_type(signature: Signature) -> type[msgspec.Struct]:
    """A struct type for stored arguments: what was not sent reads as its default, or as None."""
    given = {
        name: msgspec.convert(value, type_of(signature.args[name]))
        for name, value in signature.defaults.items()
    }
    fields = [(name, type_of(s) | None, given.get(name)) for name, s in signature.args.items()]
    return msgspec.defstruct("Args", fields, frozen=True)


def _canonical(value: object) -> bytes:
    return msgspec.json.encode(value)


def tables_of(kinds: Iterable[type]) -> dict[str, dict[str, Spec]]:
    """Table name to columns for row classes."""
    return {kind.table: fields_of(kind) for kind in kinds}  # type: ignore[attr-defined]  # row classes


def hash_of_terms(row: msgspec.Struct, terms: Iterable[str]) -> str:
    """What an approval of `row` binds: the same for a live row and for one read from a trace."""
    bound = {name: getattr(row, name) for name in sorted(terms)}
    return hashlib.blake2b(_canonical(bound), digest_size=16).hexdigest()
