"""`$adv.id` in a golden: a value that an earlier step was answered, or one named under `values:`.

A reference is a whole text of the form `$name` or `$name.part.0.part`; any other text, also one
that merely starts with a dollar sign ("$10 are due"), is itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from bythebook.conduct.schema import Spec

FORM = re.compile(r"\$(?P<name>[A-Za-z_][\w-]*)(?P<path>(?:\.[\w-]+)*)")


class Ref(msgspec.Struct, frozen=True):
    """One reference: what is meant, and the way into it."""

    name: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "$" + ".".join((self.name, *self.path))


class Astray(LookupError):
    """A path leads nowhere in the value it was followed into."""


def symbolic(value: Any) -> Any:
    """Plain data with its references recognised."""
    if isinstance(value, str) and (found := FORM.fullmatch(value)):
        return Ref(found["name"], tuple(found["path"].split(".")[1:]))
    if isinstance(value, Mapping):
        return {key: symbolic(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [symbolic(inner) for inner in value]
    return value


def references(value: Any) -> Iterator[Ref]:
    """Every reference in a symbolic value."""
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def replaced(value: Any, meaning: Callable[[Ref], Any]) -> Any:
    """A symbolic value with every reference replaced by what `meaning` says."""
    if isinstance(value, Ref):
        return meaning(value)
    if isinstance(value, Mapping):
        return {key: replaced(inner, meaning) for key, inner in value.items()}
    if isinstance(value, list):
        return [replaced(inner, meaning) for inner in value]
    return value


def follow(value: Any, path: tuple[str, ...]) -> Any:
    """What stands at `path` in plain data. Raises `Astray`."""
    for part in path:
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (LookupError, TypeError, ValueError):
            raise Astray(part) from None
    return value


def put(value: Any, path: tuple[str, ...], new: Any) -> Any:
    """A copy of plain or symbolic data with `new` standing at `path`. Raises `Astray`."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        inner = value.get(first) if not rest else follow(value, (first,))
        return {**value, first: put(inner, rest, new)}
    if isinstance(value, list) and first.isdigit() and int(first) < len(value):
        place = int(first)
        return [*value[:place], put(value[place], rest, new), *value[place + 1 :]]
    raise Astray(first)


def spec_at(spec: Spec, path: tuple[str, ...]) -> Spec:
    """The shape that a path leads to in a result. Raises `Astray` with the part that does not."""
    for part in path:
        if spec.kind == "any":
            return spec
        if spec.kind == "list" and part.isdigit():
            spec = spec.item or Spec("any")
        elif spec.kind == "record" and part in spec.fields:
            spec = spec.fields[part]
        else:
            raise Astray(part, tuple(spec.fields))
    return spec
