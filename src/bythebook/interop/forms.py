"""The shapes of what other programs' tools take and give back, and how it is read.

    TYPE := str | int | bool | day | cents | any        one value; `?` behind it: it may be null
          | 'a | b | c'                                 text, one of these
          | [TYPE]                                      a list
          | {name: TYPE, ..}                            a record; what is not named is left out
          | {'*': TYPE}                                 a mapping: a list of its values; a value
                                                        that is a record gets the field `key`

`cents` is a decimal number of whole units (226.11) as an integer of hundredths (22611): rules know
no floats. What a trace does not show, or shows in another shape, is not made up: whoever asks for
it gets `NotShown`, and the rule that asked is uncheckable.
"""

import ast
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, Literal

import msgspec

from bythebook.conduct.criteria.hits import Forms
from bythebook.conduct.schema import Schema, Signature, Spec
from bythebook.errors import ContentError, suggestion
from bythebook.tool import fold, is_day

SCALARS = ("str", "int", "bool", "day", "cents", "any")
KEY = "key"
EACH = "*"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
DUST = Decimal("0.000001")
"""How far from whole hundredths a sum of binary floats may stand."""


class NotShown(LookupError):
    """The trace does not show what a rule looks at."""


class Known(dict[str, Any]):
    """A record as far as the trace shows it. `r.name` is the value of a field and nothing else."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):
            return super().__getattribute__(name)
        try:
            return self[name]
        except KeyError:
            raise NotShown(f"the trace does not show `{name}`") from None

    def __hash__(self) -> int:  # type: ignore[override]  # never changed after it was made
        return hash(tuple(sorted(map(str, dict.items(self)))))


class Form(msgspec.Struct, frozen=True):
    """A TYPE, read."""

    kind: Literal["str", "int", "bool", "day", "cents", "any", "list", "record", "mapping"]
    optional: bool = False
    values: tuple[str, ...] = ()
    item: "Form | None" = None
    fields: Mapping[str, "Form"] = {}

    @property
    def spec(self) -> Spec:
        """The shape as criteria see it."""
        item = self.item.spec if self.item else None
        fields = {name: one.spec for name, one in self.fields.items()}
        match self.kind:
            case "mapping" if item is not None and item.kind == "record":
                keyed = msgspec.structs.replace(item, fields={KEY: Spec("str"), **item.fields})
                return Spec("list", self.optional, item=keyed)
            case "list" | "mapping":
                return Spec("list", self.optional, item=item)
            case "cents":
                return Spec("int", self.optional)
            case kind:
                return Spec(kind, self.optional, self.values, None, fields)


TEXT, ANY = Form("str"), Form("any")


def form_of(written: object, where: str) -> Form:
    """A TYPE as it is written. Raises `ContentError`."""
    if isinstance(written, str):
        return _scalar(written.strip(), where)
    if isinstance(written, list) and len(written) == 1:
        return Form("list", item=form_of(written[0], f"{where}[0]"))
    if isinstance(written, Mapping) and set(written) == {EACH}:
        return Form("mapping", item=form_of(written[EACH], f"{where}.{EACH}"))
    if isinstance(written, Mapping) and written:
        return Form("record", fields=fields_of(written, where))
    hint = "write str, int, bool, day, cents, any, 'a | b', [TYPE], {name: TYPE} or {'*': TYPE}"
    raise ContentError(f"{written!r} is no type", where=where, hint=hint)


def fields_of(written: Mapping[Any, object], where: str) -> dict[str, Form]:
    """Names with their types."""
    for name in written:
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise ContentError(f"{name!r} cannot be written behind a dot", where=where)
    return {str(name): form_of(one, f"{where}.{name}") for name, one in written.items()}


def _scalar(written: str, where: str) -> Form:
    name, optional = written.removesuffix("?").strip(), written.endswith("?")
    values = tuple(part.strip() for part in name.split("|"))
    if len(values) > 1:
        return Form("str", optional, values)
    if name not in SCALARS:
        raise ContentError(f"no type {name!r}", where=where, hint=suggestion(name, SCALARS))
    return Form(name, optional)  # type: ignore[arg-type]  # one of SCALARS


# --- reading ------------------------------------------------------------------------------------


def read(form: Form, value: Any) -> Any:
    """A value of a trace in its form. Raises `NotShown` when it does not fit."""
    if value is None:
        if form.optional or form.kind == "any":
            return None
        raise NotShown("nothing stands there")
    return READERS[form.kind](form, value)


def _misfit(form: Form, value: Any) -> NotShown:
    return NotShown(f"{shortened(value)} is not {form.kind}")


def shortened(value: Any, most: int = 60) -> str:
    """A value for people, cut."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def _text(form: Form, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float | Mapping | list):
        raise _misfit(form, value)
    if isinstance(value, Mapping | list):
        return msgspec.json.encode(value).decode()
    text = value if isinstance(value, str) else str(fold(value))
    if form.values and text not in form.values:
        raise NotShown(f"{shortened(text)} is none of {', '.join(form.values)}")
    return text


def _number(form: Form, value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise _misfit(form, value)
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        raise _misfit(form, value) from None
    if not found.is_finite() or found.adjusted() > 15:
        raise _misfit(form, value)
    return found


def _int(form: Form, value: Any) -> int:
    found = _number(form, value)
    if found != int(found):
        raise _misfit(form, value)
    return int(found)


def _cents(form: Form, value: Any) -> int:
    found = _number(form, value) * 100
    near = found.to_integral_value()
    if abs(found - near) > DUST * 100:
        raise _misfit(form, value)
    return int(near)


def _bool(form: Form, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    words = {"true": True, "false": False, "yes": True, "no": False}
    if isinstance(value, str) and value.strip().lower() in words:
        return words[value.strip().lower()]
    raise _misfit(form, value)


def _day(form: Form, value: Any) -> str:
    text = value[:10] if isinstance(value, str) else ""
    if not is_day(text):
        raise _misfit(form, value)
    return text


def _any(form: Form, value: Any) -> Any:
    return fold(value)


def _list(form: Form, value: Any) -> tuple[Any, ...]:
    found = structured(value)
    if not isinstance(found, list | tuple):
        raise _misfit(form, value)
    return tuple(read(form.item or ANY, one) for one in found)


def _mapping(form: Form, value: Any) -> tuple[Any, ...]:
    found = structured(value)
    if not isinstance(found, Mapping):
        raise _misfit(form, value)
    items = [(str(key), read(form.item or ANY, one)) for key, one in found.items()]
    return tuple(Known({KEY: k, **v}) if isinstance(v, Known) else v for k, v in items)


def _record(form: Form, value: Any) -> Known:
    found = structured(value)
    if not isinstance(found, Mapping):
        raise _misfit(form, value)
    return partly(form.fields, found)


def partly(fields: Mapping[str, Form], sent: Mapping[str, Any]) -> Known:
    """The fields that are there and fit. One that may be null and is left out reads as None."""
    known = Known()
    for name, form in fields.items():
        try:
            known[name] = read(form, sent.get(name))
        except NotShown:
            continue
    return known


READERS = {
    "str": _text,
    "int": _int,
    "bool": _bool,
    "day": _day,
    "cents": _cents,
    "any": _any,
    "list": _list,
    "mapping": _mapping,
    "record": _record,
}


def structured(value: Any) -> Any:
    """A value that may have been sent as text: JSON, or what Python prints of it."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, RecursionError):
        pass
    try:
        return fold(ast.literal_eval(value))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value


class Called(msgspec.Struct, frozen=True):
    """What a tool takes and gives back."""

    args: Mapping[str, Form]
    result: Form

    @property
    def signature(self) -> Signature:
        return Signature({n: f.spec for n, f in self.args.items()}, self.result.spec)


Calls = Mapping[str, Mapping[str, Called]]
"""By kind of event, then by name."""


class ForeignForms(Forms):
    """Reads arguments and results by the declared types of a criteria file; rows are what its
    `track:` made of them."""

    def __init__(self, calls: Calls, schema: Schema) -> None:
        super().__init__(schema)
        self.calls = calls

    @classmethod
    def of(cls, calls: Calls) -> partial["ForeignForms"]:
        return partial(cls, calls)

    def live_row(self, table: str, row: Any) -> Any:
        return row

    def args(self, kind: str, name: str, value: Any) -> Any:
        sent = structured(value)
        return partly(self.calls[kind][name].args, sent if isinstance(sent, Mapping) else {})

    def result(self, kind: str, name: str, value: Any, *, ok: bool) -> Any:
        return read(self.calls[kind][name].result, value)
