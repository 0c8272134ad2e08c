"""What a value could be instead: one unit or line more or less, another id, another choice."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

from bythebook.conduct.golden.reference import Ref
from bythebook.conduct.schema import Spec
from bythebook.conduct.world import Row, Tables, add_days

MOST_SIBLINGS = 3
ANY = Spec("any")

Change = tuple[Any, str]
"""The whole value with one place changed, and the change in words."""


class Neighbours:
    """Finds values near a given one, in the state that a golden leaves behind."""

    def __init__(self, tables: Tables, meaning: Callable[[Ref], Any], customer: str) -> None:
        self.tables, self.meaning, self.customer = tables, meaning, customer
        self._place = {key: name for name, rows in tables.items() for key in rows}
        self._owned: dict[str, bool] = {}

    def of(self, value: Any, spec: Spec) -> Iterator[Change]:
        """Every value that differs from `value` in one place, a reference in its literal value."""
        literal = self.meaning(value) if isinstance(value, Ref) else value
        if isinstance(literal, list):
            yield from self._list(literal, spec.item or ANY)
        elif isinstance(literal, dict):
            for name, inner in literal.items():
                for new, says in self.of(inner, spec.fields.get(name, ANY)):
                    yield {**literal, name: new}, f"{name} {says}"
        else:
            for new in self._scalar(literal, spec):
                yield new, f"{literal!r} -> {new!r}"

    def _list(self, values: list[Any], item: Spec) -> Iterator[Change]:
        for place, inner in enumerate(values):
            rest = [*values[:place], *values[place + 1 :]]
            yield rest, f"without item {place}"
            for new, says in self.of(inner, item):
                yield [*values[:place], new, *values[place + 1 :]], f"item {place} {says}"

    def _scalar(self, value: Any, spec: Spec) -> Iterator[Any]:
        if isinstance(value, bool):
            yield not value
        elif isinstance(value, int):
            yield from (value + 1, value - 1)
        elif isinstance(value, str):
            yield from self._text(value, spec)

    def _text(self, value: str, spec: Spec) -> Iterator[str]:
        if spec.values:
            yield from (other for other in spec.values if other != value)
        elif spec.kind == "day" or is_day(value):
            yield from (add_days(value, 1), add_days(value, -1))
        elif value in self._place:
            yield from self.siblings(value)
        else:
            yield value + "~"

    def siblings(self, key: str) -> list[str]:
        """Up to three other keys of the same table: the most alike rows, somebody else's among
        them where there is one."""
        rows = self.tables[self._place[key]]
        likeness = sorted((k for k in rows if k != key), key=lambda k: -_alike(rows[key], rows[k]))
        near = likeness[:MOST_SIBLINGS]
        foreign = next((k for k in likeness if not self.owned(k)), None)
        if foreign is not None and foreign not in near:
            near = [*near[: MOST_SIBLINGS - 1], foreign]
        return near

    def owned(self, key: str) -> bool:
        """The row belongs to the task's customer: its references lead to them."""
        if key not in self._owned:
            self._owned[key] = self.customer in self.reached(key)
        return self._owned[key]

    def reached(self, key: str) -> set[str]:
        """Every row that a row's columns lead to, itself included."""
        found: set[str] = set()
        todo = [key]
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found.add(name)
            if name in self._place:
                todo += texts_in(self.tables[self._place[name]][name])
        return found


def texts_in(value: object) -> Iterator[str]:
    """Every text inside a row or plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from texts_in(getattr(value, name))


def is_day(value: str) -> bool:
    """A calendar day as ISO text."""
    try:
        return len(value) == 10 and bool(date.fromisoformat(value))
    except ValueError:
        return False


def floated(value: Any) -> Any:
    """Plain data with every number spelled as a float."""
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, dict):
        return {key: floated(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [floated(inner) for inner in value]
    return value


def permuted(value: Any) -> Iterator[Any]:
    """The value with one of its lists turned round."""
    if isinstance(value, list):
        if len(value) > 1 and value != value[::-1]:
            yield value[::-1]
        for place, inner in enumerate(value):
            for new in permuted(inner):
                yield [*value[:place], new, *value[place + 1 :]]
    elif isinstance(value, dict):
        for name, inner in value.items():
            for new in permuted(inner):
                yield {**value, name: new}


def _alike(one: Row, other: Row) -> int:
    """In how many columns two rows agree."""
    return sum(getattr(one, n) == getattr(other, n) for n in one.__struct_fields__)
