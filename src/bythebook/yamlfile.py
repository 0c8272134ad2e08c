"""Content files: YAML read strictly, so that every error names file, line and field.

Refused: floats (money and rates are integers), duplicate keys, tabs and anything the C loader
refuses. A file that may hold decimals is read with `decimals=True`: they become `Decimal`, digits
kept as written. Plain words are resolved as in YAML 1.2: a bare date or time stays the text that
was written (`2025-09-25`, `16:00`), so does a number with leading zeros, and `on`, `off`, `yes` and
`no` are words.
"""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import yaml

from bythebook.errors import ContentError, suggestion

T = TypeVar("T")

UNKNOWN_FIELD = re.compile(r"unknown field `(?P<name>[^`]+)`")
ENUM = re.compile(r"invalid enum value '(?P<value>.*)'", re.I)
PATH = re.compile(r" - at `\$(?P<path>[^`]*)`")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
ALIAS = re.compile(r"(?:^|[\s\[{,:-])\*\S", re.M)
STEP = re.compile(r"\.(?P<key>[A-Za-z_][\w-]*)|\[(?P<index>\d+|\.\.\.)\]")


MOST_VALUES = 1_000_000
"""Values of one text, those that a * stands for counted each time."""
DEEPEST = 100
"""Lists and mappings inside each other."""
MOST_DIGITS = 40
"""Digits of one number, its zeros written out."""


class _Loader(yaml.CSafeLoader):
    """Safe loader that keeps dates as text and refuses floats, repeated keys and texts of a few
    lines that unfold to more than any machine holds."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._aliases = ALIAS.search(text) is not None

    def get_single_node(self) -> yaml.Node | None:
        node = super().get_single_node()
        # Without aliases a text is as large as what it stands for.
        if node is not None and self._aliases:
            demand_bounded(node)
        return node


class _Size(NamedTuple):
    values: int
    depth: int


def demand_bounded(node: yaml.Node) -> None:
    """Raises `yaml.YAMLError` for what unfolds to more than any machine holds."""
    _measured(node, {})


def _measured(node: yaml.Node, known: dict[int, _Size]) -> _Size:
    """How large a node is with every alias written out. Nodes that aliases share are looked at
    once, so this takes as long as the text is; one that holds itself has no end."""
    found = known.get(id(node))
    if found is not None:
        return found
    known[id(node)] = _Size(MOST_VALUES, 1)
    inner = [_measured(one, known) for one in _inner(node)]
    size = _Size(
        1 + sum(one.values for one in inner), 1 + max((one.depth for one in inner), default=0)
    )
    if size.values > MOST_VALUES or size.depth > DEEPEST:
        says = f"{MOST_VALUES:,} values" if size.values > MOST_VALUES else f"{DEEPEST} levels"
        raise yaml.constructor.ConstructorError(
            None, None, f"this unfolds to more than {says}", node.start_mark
        )
    known[id(node)] = size
    return size


def _inner(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for pair in node.value:
            yield from pair
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _whole(loader: _Loader, node: yaml.ScalarNode) -> int:
    if len(node.value) > MOST_DIGITS:
        raise yaml.constructor.ConstructorError(None, None, TOO_LONG, node.start_mark)
    return int(node.value)


TOO_LONG = f"a number of more than {MOST_DIGITS} digits"


def _refuse_float(loader: _Loader, node: yaml.ScalarNode) -> object:
    raise yaml.constructor.ConstructorError(
        None, None, f"{node.value} is a float; money, rates and times are integers", node.start_mark
    )


def _text(loader: _Loader, node: yaml.ScalarNode) -> str:
    """Text as written. What looks like a day has to be one."""
    text = str(loader.construct_scalar(node))
    if DAY.fullmatch(text):
        try:
            date.fromisoformat(text)
        except ValueError:
            raise yaml.constructor.ConstructorError(
                None, None, f"the calendar has no {text}", node.start_mark
            ) from None
    return text


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[object] = set()
    for key, _ in node.value:
        name = loader.construct_object(key, deep=True)
        if not isinstance(name, str | int):
            raise yaml.constructor.ConstructorError(
                None, None, f"{name!r} cannot be a key; quote it if it is text", key.start_mark
            )
        if name in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"{name!r} stands here twice", key.start_mark
            )
        seen.add(name)
    return dict(loader.construct_pairs(node, deep=True))


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    (
        "float",
        r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$",
        "-+.0123456789",
    ),
    ("float", r"^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$", "-+."),
    ("null", r"^(?:~|null|Null|NULL|)$", "~nN\0"),
    ("merge", r"^(?:<<)$", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^$"), [""])
_Loader.add_constructor("tag:yaml.org,2002:float", _refuse_float)
_Loader.add_constructor("tag:yaml.org,2002:int", _whole)
_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
_Loader.add_constructor("tag:yaml.org,2002:str", _text)


class _DecimalLoader(_Loader):
    """The same, with decimals."""


def _decimal(loader: _Loader, node: yaml.ScalarNode) -> Decimal:
    value = Decimal(str(node.value).lstrip("+").replace(".inf", "inf").replace(".nan", "nan"))
    if not value.is_finite():
        raise yaml.constructor.ConstructorError(
            None, None, f"{node.value} is no number to count with", node.start_mark
        )
    if max(len(value.as_tuple().digits), abs(value.adjusted())) > MOST_DIGITS:
        raise yaml.constructor.ConstructorError(None, None, TOO_LONG, node.start_mark)
    return value


_DecimalLoader.add_constructor("tag:yaml.org,2002:float", _decimal)


def parse(text: str, where: str | Path, *, decimals: bool = False) -> Any:
    """The plain value of one YAML text; `where` is named in errors."""
    try:
        return yaml.load(text, Loader=_DecimalLoader if decimals else _Loader)
    except yaml.YAMLError as error:
        says = refused(error, text)
        place = f"{where}:{says.line}" if says.line else str(where)
        raise ContentError(says.what, where=place, hint=says.hint) from None
    except RecursionError:
        what, hint = "lists and mappings are nested too deeply", f"{DEEPEST} levels are plenty"
        raise ContentError(what, where=where, hint=hint) from None


class Refusal(NamedTuple):
    """Why a text is no YAML, in words for whoever wrote it."""

    what: str
    line: int
    """From 1; 0: not known."""
    hint: str = ""


def refused(error: yaml.YAMLError, text: str) -> Refusal:
    """What a parser says against a text, in our words."""
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        hint = "take it out; an editor may not show it"
        return Refusal(f"a control character stands here (U+{error.character:04X})", line, hint)
    if not isinstance(error, yaml.MarkedYAMLError):
        return Refusal(str(error), 0)
    mark = error.problem_mark or error.context_mark
    problem = error.problem or str(error)
    if mark is None:
        return Refusal(problem, 0)
    written = text.splitlines()[mark.line : mark.line + 1] or [""]
    at = written[0][mark.column : mark.column + 1]
    if at == "\t" or " tab " in problem:
        return Refusal("a tab stands here", mark.line + 1, "indent with spaces; YAML takes no tabs")
    if at and "cannot start any token" in problem:
        return Refusal(f"no value begins with {at}", mark.line + 1, "put it in quotation marks")
    what, hint = next((said for part, said in SAID.items() if part in problem), (problem, ""))
    return Refusal(what, mark.line + 1, hint)


SAID = {
    "mapping values are not allowed": (
        "a colon stands where no name can be",
        "put words with `: ` in them in quotation marks, or mend the indentation",
    ),
    "unexpected end of stream": ("the text ends within quotation marks", "close them"),
    "expected ',' or ']'": ("a list in [] is not closed before this", "close it with ]"),
    "expected ',' or '}'": ("a mapping in {} is not closed before this", "close it with }"),
    "undefined alias": (
        "a * stands for another value, and there is none of that name",
        "put text that begins with * in quotation marks",
    ),
    "determine a constructor": ("no kind of value is named like this", "leave the ! word out"),
    "expected '-' indicator": (
        "a list does not go on here",
        "indent this line, or begin it with -",
    ),
    "expected key": ("a name is missing", "mend the indentation of this line or the one before"),
    "expected ':'": ("a name has no colon", "write `name: value`"),
    "another document": ("a second document begins", "a file holds one: take the --- out"),
}
"""Part of what a parser says, to what it means and the next move."""


def read_text(path: Path) -> str:
    """The file's text; a missing or unreadable file is a `ContentError` naming it."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        near = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        raise ContentError("no such file", where=path, hint=suggestion(path.name, near)) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        where = f"{path}:{line}"
        hint = "save it as UTF-8"
        raise ContentError("cannot be read: it is no UTF-8", where=where, hint=hint) from None
    except OSError as error:
        raise ContentError(f"cannot be read: {error.strerror}", where=path) from None


def load(path: Path, kind: type[T], *, decimals: bool = False) -> T:
    """Read one YAML file as `kind` (a msgspec type), strictly."""
    return convert(read_text(path), kind, where=path, decimals=decimals)


def load_each(path: Path, kind: type[T], *, decimals: bool = False) -> dict[str, T]:
    """One YAML file of names, each with a value of `kind`; errors name their line."""
    text = read_text(path)
    told = convert(text, dict[str, Any], where=path, decimals=decimals)
    return {
        name: fit(value, kind, where=path, text=text, under=f".{name}")
        for name, value in told.items()
    }


def convert(text: str, kind: type[T], *, where: str | Path, decimals: bool = False) -> T:
    """`text` as `kind`; a misfit names the line, the field and, where it can, the nearest name."""
    return fit(parse(text, where, decimals=decimals), kind, where=where, text=text)


def fit(value: object, kind: type[T], *, where: str | Path, text: str = "", under: str = "") -> T:
    """A parsed value as `kind`; `text` (what it was parsed from) gives errors their line, and
    `under` is where in it the value stands: `.items[3].check`."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        raise _misfit(str(error), kind, where, (text, under)) from None


def _misfit(
    message: str, kind: type[Any], where: str | Path, source: tuple[str, str]
) -> ContentError:
    text, under = source
    found = PATH.search(message)
    path = found["path"] if found else ""
    said = PATH.sub("", message)
    if said.endswith("got `null`") and not (path or under):
        return ContentError("nothing stands in it", where=where)
    field = UNKNOWN_FIELD.search(said)
    if field:
        path = f"{path}.{field['name']}"
    line = line_of(text, under + path) if text else 0
    place = f"{where}:{line}" if line else str(where)
    hint = suggestion(field["name"], _field_names(kind)) if field else ""
    wrong = ENUM.search(said)
    if wrong:
        hint = suggestion(wrong["value"], _choices(msgspec.inspect.type_info(kind), path))
    return ContentError(f"{said} (at {path.lstrip('.')})" if path else said, where=place, hint=hint)


def line_of(text: str, path: str) -> int:
    """The line (from 1) of the deepest node on `path` that exists; 0 when unknown."""
    node, line = _composed(text), 0
    for step in STEP.finditer(path):
        child = _child(node, step["key"], step["index"])
        if child is None:
            return line
        mark, node = child
        line = mark + 1
    return line


@lru_cache(maxsize=8)
def _composed(text: str) -> Any:
    """The nodes of a text; a loader asks for one line after the other of the same file."""
    try:
        return yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return None


def _child(node: Any, key: str | None, index: str | None) -> tuple[int, Any] | None:
    if isinstance(node, yaml.MappingNode) and key is not None:
        for name, value in node.value:
            if name.value == key:
                return name.start_mark.line, value
    if isinstance(node, yaml.SequenceNode) and index is not None and index.isdigit():
        value = node.value[int(index)] if int(index) < len(node.value) else None
        return None if value is None else (value.start_mark.line, value)
    return None


def _choices(info: Any, path: str) -> Iterator[str]:
    """The words that may stand at `path` of a value of this type."""
    parts = (info, *getattr(info, "types", ()))
    for step in STEP.finditer(path):
        parts = tuple(inner for part in parts for inner in _inside(part, step["key"]))
    for part in parts:
        if isinstance(part, msgspec.inspect.LiteralType):
            yield from (str(value) for value in part.values)


def _inside(info: Any, key: str | None) -> Iterator[Any]:
    """The types of what stands in a struct's field, in a mapping or in a list; of a union, each."""
    found = [getattr(info, part, None) for part in ("item_type", "value_type")]
    found += getattr(info, "item_types", ())
    found += [field.type for field in getattr(info, "fields", ()) if field.encode_name == key]
    for inner in found:
        if inner is not None:
            yield from (inner, *getattr(inner, "types", ()))


def _field_names(kind: Any) -> Iterator[str]:
    """All field names of the structs reachable from `kind`."""
    seen: set[int] = set()
    todo = [msgspec.inspect.type_info(kind)]
    while todo:
        info = todo.pop()
        if id(info) in seen:
            continue
        seen.add(id(info))
        if isinstance(info, msgspec.inspect.StructType):
            yield from (f.encode_name for f in info.fields)
            todo.extend(f.type for f in info.fields)
        for part in ("item_type", "key_type", "value_type"):
            inner = getattr(info, part, None)
            if inner is not None:
                todo.append(inner)
        todo.extend(getattr(info, "types", ()) or ())
        inner_items = getattr(info, "item_types", ()) or ()
        todo.extend(inner_items)
