"""What a value in a predicate can be: the shapes of the schema, and those only predicates know.

A shape is as narrow as can be told: a text remembers the only values it can hold, a value that may
be missing is `optional`, a row knows its table. So a comparison that can never hold is an error
when the criteria load, not a rule that silently never fires.
"""

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, Literal

import msgspec

from bythebook.conduct.schema import Schema, Signature, Spec

ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Kind = Literal[
    "str", "int", "bool", "day", "any", "none",
    "list", "tuple", "record", "row", "rows", "event", "write", "args", "facts",
]  # fmt: skip


class Shape(msgspec.Struct, frozen=True):
    """One shape. `kind` says which of the other fields speak."""

    kind: Kind
    optional: bool = False
    values: tuple[str, ...] = ()
    """str, day: the only values it can hold; empty when that is not known."""
    item: "Shape | None" = None
    """list, rows: the shape of an item."""
    items: tuple["Shape", ...] = ()
    """tuple: one shape for each place."""
    fields: Mapping[str, "Shape"] = {}
    """record, row, event, write, args, facts: what stands behind the dot."""
    table: str = ""
    """row: its table."""
    scan: bool = False
    """list: it was made by walking a table, so walking it costs a table's length."""

    @property
    def noun(self) -> str:
        """How an error calls it."""
        if self.kind in ("str", "day") and len(self.values) == 1:
            return repr(self.values[0])
        names = {"str": "text", "int": "a number", "bool": "a truth value", "none": "None"}
        names |= {"row": f"a row of {self.table}", "rows": "rows", "any": "an open value"}
        return names.get(self.kind, f"a {self.kind}")

    @property
    def is_text(self) -> bool:
        return self.kind in ("str", "day")


INT, STR, BOOL, DAY = Shape("int"), Shape("str"), Shape("bool"), Shape("day")
ANY, NONE = Shape("any"), Shape("none")
SEQUENCES = ("list", "tuple", "rows")
RECORDS = ("record", "row")


def replace(shape: Shape, **changes: Any) -> Shape:
    return msgspec.structs.replace(shape, **changes)


def of_spec(spec: Spec) -> Shape:
    """A schema's shape as a predicate sees it."""
    return Shape(
        spec.kind,
        optional=spec.optional,
        values=spec.values,
        item=of_spec(spec.item) if spec.item else None,
        fields={name: of_spec(inner) for name, inner in spec.fields.items()},
    )


def of_constant(value: object) -> Shape:
    """The shape of a constant of `facts:` or of an expression."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    if isinstance(value, str):
        return Shape("str", values=(value,))
    if isinstance(value, Mapping):
        return Shape("facts", fields={str(k): of_constant(v) for k, v in value.items()})
    if isinstance(value, list | tuple):
        return Shape("tuple", items=tuple(of_constant(inner) for inner in value))
    return NONE


def row_of(schema: Schema, table: str, *, optional: bool = False) -> Shape:
    """A row of a table."""
    columns = {name: of_spec(spec) for name, spec in schema.tables[table].items()}
    return Shape("row", optional=optional, fields=columns, table=table)


def event_of(signature: Signature, *, sure: bool) -> Shape:
    """An event bound by a selector. `sure`: it succeeded, so its arguments fit the signature;
    otherwise an argument that does not fit reads as None and the result is open."""
    args = {name: of_spec(spec) for name, spec in signature.args.items()}
    if not sure:
        args = {name: replace(shape, optional=True) for name, shape in args.items()}
    fields = {
        "i": INT,
        "t": INT,
        "ok": BOOL,
        "args": Shape("args", fields=args),
        "result": of_spec(signature.result) if sure else ANY,
        "cause": replace(INT, optional=True),
    }
    return Shape("event", fields=fields)


def write_of(schema: Schema, table: str) -> Shape:
    """A write to a table: `old` is None for a new row."""
    row = row_of(schema, table)
    fields = {"i": INT, "t": INT, "key": STR, "old": replace(row, optional=True), "new": row}
    return Shape("write", fields=fields)


def item_of(shape: Shape) -> Shape | None:
    """What walking the shape yields; None when it cannot be walked."""
    if shape.kind in ("list", "rows"):
        return shape.item or ANY
    if shape.kind == "tuple":
        return merge_all(shape.items)
    return ANY if shape.kind == "any" else None


def merge_all(shapes: Iterable[Shape]) -> Shape:
    """The shape that covers all of them; an open value when there is none."""
    found = list(shapes)
    if not found:
        return ANY

    def both(a: Shape, b: Shape) -> Shape:
        return merge(a, b) or ANY

    return reduce(both, found)


def merge(a: Shape, b: Shape) -> Shape | None:
    """The shape that covers both, or None when they have nothing in common."""
    if a.kind == "none":
        return replace(b, optional=b.kind != "none")
    if b.kind == "none":
        return replace(a, optional=True)
    optional = a.optional or b.optional
    if "any" in (a.kind, b.kind):
        return ANY
    if a.is_text and b.is_text:
        values = tuple(dict.fromkeys(a.values + b.values)) if a.values and b.values else ()
        return Shape(a.kind if a.kind == b.kind else "str", optional=optional, values=values)
    if a.kind in SEQUENCES and b.kind in SEQUENCES:
        return _merge_sequences(a, b, optional)
    if clash(a, b):
        return None
    return replace(a, optional=optional)


def _merge_sequences(a: Shape, b: Shape, optional: bool) -> Shape:
    if a.kind == b.kind == "tuple" and len(a.items) == len(b.items):
        items = tuple(merge(x, y) or ANY for x, y in zip(a.items, b.items, strict=True))
        return Shape("tuple", optional=optional, items=items)
    item = merge(item_of(a) or ANY, item_of(b) or ANY) or ANY
    return Shape("list", optional=optional, item=item, scan=a.scan or b.scan)


def clash(a: Shape, b: Shape) -> str:
    """Why a value of one shape can never equal one of the other; empty when it can."""
    if "any" in (a.kind, b.kind):
        return ""
    if "none" in (a.kind, b.kind):
        return _clash_none(a, b)
    if a.is_text and b.is_text:
        return _clash_text(a, b) or _clash_text(b, a)
    if a.kind in SEQUENCES and b.kind in SEQUENCES:
        return _clash_sequences(a, b)
    if a.kind in RECORDS and b.kind in RECORDS:
        return _clash_records(a, b)
    if a.kind == b.kind and a.kind in ("int", "bool"):
        return ""
    return f"{a.noun} is compared with {b.noun}"


def _clash_none(a: Shape, b: Shape) -> str:
    both = a.kind == b.kind or a.optional or b.optional
    return "" if both else f"{a.noun} is compared with {b.noun}"


def _clash_text(a: Shape, b: Shape) -> str:
    if a.values and b.values and not set(a.values) & set(b.values):
        one, many = (a, b) if len(a.values) == 1 else (b, a)
        return f"{one.noun} is none of the values there can be ({', '.join(many.values)})"
    if a.kind == "day" and b.values and not any(ISO_DAY.fullmatch(v) for v in b.values):
        return f"{b.noun} is not a day (YYYY-MM-DD)"
    return ""


def _clash_sequences(a: Shape, b: Shape) -> str:
    if a.kind == b.kind == "tuple":
        if len(a.items) != len(b.items):
            return f"{len(a.items)} items are compared with {len(b.items)}"
        pairs = zip(a.items, b.items, strict=True)
        return next((why for x, y in pairs if (why := clash(x, y))), "")
    if b.kind == "tuple":
        a, b = b, a
    item = item_of(b) or ANY
    inner = a.items if a.kind == "tuple" else (item_of(a) or ANY,)
    return next((why for x in inner if (why := clash(x, item))), "")


def _clash_records(a: Shape, b: Shape) -> str:
    if a.table != b.table and a.table and b.table:
        return f"{a.noun} is compared with {b.noun}"
    if list(a.fields) != list(b.fields):
        return f"{a.noun} and {b.noun} have other fields"
    return next((why for name in a.fields if (why := clash(a.fields[name], b.fields[name]))), "")
