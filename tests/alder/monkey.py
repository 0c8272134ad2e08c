"""Somebody who presses every button: makes up arguments for any tool, mostly sensible ones."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Protocol, TypeVar, Union, get_args, get_origin

import msgspec

from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Tool

T = TypeVar("T")


class Dice(Protocol):
    """The part of `random.Random` that is used; hypothesis gives one."""

    def choice(self, seq: Sequence[T], /) -> T: ...
    def random(self) -> float: ...


ALSO = {
    "applicant": ("parties",),
    "beneficiary": ("applications",),
    "buyer": ("parties",),
    "credit_to": ("accounts", "collateral_accounts"),
    "document": ("trade_documents",),
    "funding": ("accounts", "collateral_accounts"),
    "owner": ("parties",),
    "party": ("parties",),
    "quote": ("fx_quotes",),
    "request": ("releases", "limit_raises", "approval_requests"),
    "source": ("accounts", "reserves", "receipts", "credit_memos"),
    "sponsor": ("parties",),
    "subject": ("mandates", "refunds", "releases", "settlements", "payouts", "deliveries",
                "advices", "conversions"),
    "target": ("accounts", "reserves"),
    "to": ("accounts", "collateral_accounts"),
}  # fmt: skip
"""Tables whose rows an argument names, besides those called like it."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "at": ("13:48", "16:00", "17:30", "23:59", "00:01", "24:00", "9:00", ""),
    "buy": ("EUR", "EUR", "USD", "GBP", "JPY"),
    "sell": ("USD", "USD", "EUR", "GBP", "JPY"),
    "currency": ("USD", "EUR", "GBP", "JPY", ""),
    "field": ("total_cap", "total_cap", "id", "balance"),
    "clause": ("fee-mandates#1.2", "no clause", "#"),
    "ending": ("1234", "4417", "12a4", "\u0661\u0662\u0663\u0664"),
    "text": ("Please go on.", "What is the limit?", " ", "\ud800", "x" * 500),
}
ODD = ("", " ", "ACC-7140 ", "acc-7140", "\u0410CC-7140", "nothing", "None", "\x00", "x" * 200)
DAYS = ("2025-09-25", "2025-10-02", "2025-10-03", "2025-10-08", "2025-10-09", "2025-10-20",
        "2025-12-31", "2026-01-25", "2026-02-30", "2025-99-99", "0000-00-00", "9999-12-31",
        "\u0662\u0660\u0662\u0665-10-10", "2025-10-10\n", "yesterday")  # fmt: skip
PATTERNED = ("1234", "16:00", "09:00", "99:99", "2025-10", "2025-13", "\u0661\u0662:\u0663\u0664",
             "16:00\n", "2025-10-20 09:00")  # fmt: skip
INTEGERS = (0, 1, -1, 2, 12, 60, 1000, 2**31, 2**53, 2**63, 2**64, 10**30, -(10**30))
JUNK: tuple[Any, ...] = (None, True, 1.5, 25.0, float("nan"), float("inf"), 1e300, "x", [], {},
                         [[["x"]]], {"a": 1})  # fmt: skip


def arguments(dice: Dice, tool: Tool, world: World, near: list[str]) -> dict[str, Any]:
    """Arguments of one call. `near` are ids that the story is about just now."""
    hints = {name: hint for name, hint in tool.hints.items() if name != "return"}
    chosen: dict[str, Any] = {}
    for name in sorted(hints, key=lambda n: (_is_number(hints[n]), dice.random())):
        chosen[name] = _value(dice, name, hints[name], world, [*near, *_texts(chosen)])
    sent = {name: chosen[name] for name in hints}
    return _spoilt(dice, sent) if dice.random() < 0.03 else sent


def doing_something_with(key: str, tools: Sequence[Tool], world: World) -> list[Tool]:
    """The writing tools that take a row like this one as an argument."""
    table, tables = table_of(world, key), tuple(world.tables)
    return [
        tool
        for tool in tools
        if tool.writes and any(table in _tables(name, tables) for name in tool.hints)
    ]


def table_of(world: World, key: str) -> str:
    """The table that a row stands in; empty when there is no such row."""
    return next((name for name, rows in world.tables.items() if key in rows), "")


def _spoilt(dice: Dice, sent: dict[str, Any]) -> dict[str, Any]:
    """The same with something wrong."""
    name = dice.choice(sorted(sent) or ["nothing"])
    wrong = dice.random()
    if wrong < 0.2:
        return {key: value for key, value in sent.items() if key != name}
    if wrong < 0.4:
        return sent | {dice.choice(["id", "self", "world", "\ud800", ""]): 1}
    return sent | {name: dice.choice(JUNK)}


def _value(dice: Dice, name: str, hint: Any, world: World, near: list[str]) -> Any:
    if hint == Day:
        return _day(dice, world, near)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _text_like(dice, parts) if parts[0] is str else _number(dice, world, near)
    if origin is Literal:
        return dice.choice(parts)
    if origin is tuple:
        return _many(dice, name, parts[0], world, near)
    if origin in (Union, UnionType):
        return None if dice.random() < 0.5 else _value(dice, name, parts[0], world, near)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        fields = msgspec.structs.fields(hint)
        return {f.name: _value(dice, f.name, f.type, world, near) for f in fields}
    return _number(dice, world, near) if hint is int else _name(dice, name, world, near)


def _text_like(dice: Dice, parts: tuple[Any, ...]) -> str:
    """A text that fits a pattern, mostly."""
    patterns = [str(m.pattern) for m in parts[1:] if getattr(m, "pattern", None)]
    fitting = [text for text in PATTERNED if all(re.search(p, text) for p in patterns)]
    return dice.choice(fitting if fitting and dice.random() < 0.8 else PATTERNED)


def _many(dice: Dice, name: str, item: Any, world: World, near: list[str]) -> list[Any]:
    single = re.sub(r"ies$", "y", name).removesuffix("s")
    size = dice.choice((0, 1, 1, 1, 2, 3))
    values = [_value(dice, single, item, world, near) for _ in range(size)]
    return values + values[:1] if dice.random() < 0.05 else values


def _name(dice: Dice, name: str, world: World, near: list[str]) -> str:
    """An id of the right kind of row, mostly; rows of the same story are preferred."""
    if name in WORDS and dice.random() < 0.95:
        return dice.choice(WORDS[name])
    tables = sorted(_tables(name, tuple(world.tables)))
    ids = [key for table in tables for key in world.tables.get(table, {})]
    if not ids or dice.random() < 0.03:
        anywhere = [key for rows in world.tables.values() for key in rows]
        return dice.choice((*ODD, *anywhere[::7]))
    kin = _kin(world, near)
    fitting = [key for key in ids if key in near] or [
        key for key in ids if key in kin or not kin.isdisjoint(_names(_row(world, key)))
    ]
    return dice.choice(fitting if fitting and dice.random() < 0.85 else ids)


@cache
def _tables(name: str, tables: tuple[str, ...]) -> frozenset[str]:
    """Those whose rows an argument of this name means: `case` is a row of `cases`, `hold` one of
    `holds` or of another table that ends so."""
    plurals = (f"{name}s", f"{name}es", f"{name.removesuffix('y')}ies", name)
    exact = {table for table in tables if table in plurals}
    ending = {table for table in tables if table.rpartition("_")[2] in plurals}
    starting = {table for table in tables if table.startswith(f"{name}_")}
    return frozenset(exact or ending or starting) | frozenset(ALSO.get(name, ()))


def _day(dice: Dice, world: World, near: list[str]) -> str:
    """Today, a day of the story, or any other, possible or not."""
    found = sorted(text for text in _kin(world, near) if re.fullmatch(r"\d{4}-\d\d-\d\d", text))
    if found and dice.random() < 0.5:
        return dice.choice(found)
    return dice.choice(DAYS) if dice.random() < 0.6 else world.day


def _kin(world: World, near: list[str]) -> set[str]:
    """What the rows named in `near` name, and what those name: customers, cases, accounts ..."""
    first = {name for key in near for name in _names(_row(world, key))}
    return first | {name for key in first for name in _names(_row(world, key))}


def one_of_the_story(dice: Dice, world: World, key: str) -> str:
    """The row itself, or one that it names."""
    named = sorted(name for name in _names(_row(world, key)) if table_of(world, name))
    return dice.choice(named) if named and dice.random() < 0.4 else key


def _names(row: Row | None) -> set[str]:
    """A row's own id, and everything in it that looks like one."""
    if row is None:
        return set()
    texts = (value for value in msgspec.structs.astuple(row) if isinstance(value, str))
    return {text for text in texts if text[:2].isupper() or text[:4].isdigit()}


def _row(world: World, key: str) -> Row | None:
    return world.tables.get(table_of(world, key), {}).get(key)


def _number(dice: Dice, world: World, near: list[str]) -> int:
    """A number that stands in a row that was chosen, or one beside it."""
    rows = [row for row in (_row(world, key) for key in near) if row is not None]
    found = sorted({v for row in rows for v in msgspec.structs.astuple(row) if type(v) is int})
    if not found or dice.random() < 0.1:
        return dice.choice(INTEGERS)
    number = dice.choice(found)
    return number + dice.choice((0, 0, 0, 1, -1, -(number // 2), 500))


def _texts(chosen: Mapping[str, Any]) -> list[str]:
    """Every text among chosen values, at whatever depth."""
    found: list[str] = []
    todo = list(chosen.values())
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict | list):
            todo.extend(one.values() if isinstance(one, dict) else one)
    return found


def _is_number(hint: Any) -> bool:
    return hint is int or (get_origin(hint) is Annotated and get_args(hint)[0] is int)
