"""A check as text, and where in a rubric's text it goes; all else there stays as it is."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import msgspec
import yaml

PLAIN = re.compile(r"[^\W\d_][\w./#-]*(?:[ !][\w./()#&+-]+)*")
"""Texts that need no quotes, between brackets either."""
WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
NUMBERED = re.compile(r"(?P<stem>.*?)(?P<number>\d+)")


class Digits(str):
    """A number as it is written: its digits say how exact it is."""


def flow(value: Any) -> str:
    """One line of YAML."""
    match value:
        case Digits():
            return str(value)
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return str(value)
        case Mapping():
            return "{" + ", ".join(f"{flow(k)}: {flow(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(flow, value)) + "]"
    return text(str(value))


def text(value: str) -> str:
    """A text, in quotes where it needs them."""
    if PLAIN.fullmatch(value) and " #" not in value and value.casefold() not in WORDS:
        return value
    return msgspec.json.encode(value).decode()


def sentence(value: str) -> str:
    """A text on a line of its own, in quotes where it needs them."""
    plain = value[:1].isalpha() and not any(mark in value for mark in (": ", " #", "\n"))
    return value if plain and not value.endswith(":") else text(value)


def joined(texts: Iterable[str]) -> str:
    """`a, b and c`"""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def digits(value: float) -> Digits:
    """A computed number with as many places as it has, cents at least; whole ones with none."""
    exact = Decimal(repr(round(value, 6)))
    if exact == exact.to_integral_value():
        return Digits(str(int(exact)))
    places = -int(exact.normalize().as_tuple().exponent)
    return Digits(f"{exact:.{max(2, places)}f}")


def next_id(ids: list[str]) -> str:
    """The id after the last one: R07 comes after R06."""
    found = [match for one in reversed(ids) if (match := NUMBERED.fullmatch(one))]
    stem, width = (found[0]["stem"], len(found[0]["number"])) if found else ("R", 1)
    taken = [int(m["number"]) for m in found if m["stem"] == stem]
    number = max(taken, default=0) + 1
    name = f"{stem}{number:0{width}}"
    return name if name not in ids else next_id([*ids, name])


def lines(item: Mapping[str, str], *, off: bool) -> list[str]:
    """An item: names to values as YAML. `off`: as a comment."""
    first, *more = (f"{name}: {value}" for name, value in item.items())
    told = [f"- {first}", *(f"  {line}" for line in more)]
    return [f"# {line}" for line in told] if off else told


def with_item(rubric: str, item: list[str]) -> str:
    """The rubric's text with an item after its last one; the text reads as a rubric."""
    node: Any = yaml.compose(rubric, Loader=yaml.CSafeLoader)
    entries = [(key.value, value) for key, value in node.value]
    items = next(value for key, value in entries if key == "items")
    last = items.value[-1]
    indent = " " * max(0, last.start_mark.column - 2)
    written = rubric.splitlines()
    # What follows the items begins a line of its own; comments before it are the items'.
    at = _end(last) if entries[-1][0] != "items" else len(written)
    while at == len(written) and written and not written[-1].strip():
        written.pop()
        at -= 1
    written[at:at] = [indent + line for line in item]
    return "\n".join(written) + "\n"


def _end(node: Any) -> int:
    """The last line on which a node says something, from 1."""
    match node:
        case yaml.MappingNode() if node.value and not node.flow_style:
            return _end(node.value[-1][1])
        case yaml.SequenceNode() if node.value and not node.flow_style:
            return _end(node.value[-1])
    mark = node.end_mark
    return int(mark.line) + 1 if mark.column else int(mark.line)
