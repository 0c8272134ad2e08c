"""A small writer of TOML: tables of texts, numbers, switches and lists of texts."""

from collections.abc import Mapping

import msgspec

Value = str | int | float | bool | list[str] | dict[str, str]
Table = Mapping[str, Value]


def written(root: Table, tables: Mapping[str, Table]) -> str:
    """The text of a file: `root` first, then each table under its dotted name."""
    parts = [_lines(root), *(f"[{name}]\n{_lines(table)}" for name, table in tables.items())]
    return "\n".join(parts)


def _lines(table: Table) -> str:
    return "".join(f"{name} = {_value(value)}\n" for name, value in table.items())


def _value(value: Value) -> str:
    """A JSON text is a basic string of TOML, but for one control character."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_value(one)}' for name, one in value.items())} }}"
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
