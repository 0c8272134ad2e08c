"""Answers and briefings on a terminal: documents as text, lists as tables, cards as cards."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bythebook.serve.seat import Response, Said

WIDE = 7
"""Columns of a table at most; wider records are shown one below the other."""
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, save tab and newline."""


def answer(tool: str, response: Response) -> Iterator[RenderableType]:
    """What a call was answered, and what the customer said to it."""
    if not response.ok:
        yield Text.assemble(("refused: ", "bold red"), plain(response.result))
    elif tool != "message_customer":
        yield _result(response.result)
    if response.customer is not None:
        yield words(Said("customer", response.customer, 0), when="")


def words(said: Said, when: str) -> RenderableType:
    """One message of the conversation."""
    mine = said.who == "agent"
    title = " ".join(filter(None, ("You" if mine else "The customer", when)))
    style = "dim" if mine else "green"
    return Panel(Text(said.text.strip()), title=title, title_align="left", border_style=style)


def table(head: Iterable[str], rows: Iterable[Iterable[str | Text]]) -> Table:
    made = Table(box=None, header_style="bold", pad_edge=False)
    for name in head:
        made.add_column(name, overflow="fold")
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return made


def show(console: Console, parts: Iterable[RenderableType]) -> None:
    for part in parts:
        console.print(part)


def _result(result: Any) -> RenderableType:
    if isinstance(result, str):
        return Markdown(clean(result))
    if isinstance(result, dict) and {"rows", "total"} == set(result):
        return _listing(result["rows"], result["total"])
    if isinstance(result, dict) and isinstance(result.get("arguments"), dict) and "doc" in result:
        return _card(result)
    if isinstance(result, list) and all(isinstance(row, dict) for row in result):
        return _rows(result, numbered=True)
    return fields(result) if isinstance(result, dict) else Text(plain(result))


def _listing(rows: list[dict[str, Any]], total: int) -> RenderableType:
    more = f"{len(rows)} of {total}" if len(rows) < total else f"{total} in all"
    return Group(_rows(rows, numbered=False), Text(more, style="dim"))


def _rows(rows: list[dict[str, Any]], *, numbered: bool) -> RenderableType:
    if not rows:
        return Text("nothing", style="dim")
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(names) > WIDE:
        return Group(*(part for row in rows for part in (fields(row), Text(""))))
    head = ["#", *names] if numbered else names
    cells = ([plain(row.get(name)) for name in names] for row in rows)
    if numbered:
        return table(head, ([str(n), *row] for n, row in enumerate(cells, start=1)))
    return table(head, cells)


def fields(found: dict[str, Any]) -> Table:
    made = Table.grid(padding=(0, 2))
    made.add_column(style="bold")
    made.add_column(overflow="fold")
    for name, value in found.items():
        made.add_row(Text(clean(name)), Text(plain(value)))
    return made


def _card(card: dict[str, Any]) -> RenderableType:
    """A tool, as `describe_tool` shows it."""
    takes = f"takes {card['minutes']} min" if card["minutes"] else "takes no time"
    does = "changes records" if card["writes"] else "only reads"
    gone = f"retired, use {card['retired']} · " if card.get("retired") else ""
    about = Text(f"{gone}{card['desk']} · {does} · {takes}\n\n{card['doc']}")
    return Panel(Group(about, Text(""), _arguments(card["arguments"])), title=card["name"])


def _arguments(schema: dict[str, Any]) -> RenderableType:
    required = schema.get("required", ())
    lines = [
        (name, kind_of(spec), "" if name in required else "optional", spec.get("description", ""))
        for name, spec in schema.get("properties", {}).items()
    ]
    return table(("argument", "kind", "", ""), lines) if lines else Text("no arguments")


def kind_of(spec: dict[str, Any]) -> str:
    """What an argument is, in a word or two."""
    if "enum" in spec:
        return " | ".join(map(str, spec["enum"]))
    if "anyOf" in spec:
        return " | ".join(kind_of(one) for one in spec["anyOf"])
    if spec.get("type") == "array" and isinstance(spec.get("items"), dict):
        return f"list of {kind_of(spec['items'])}"
    return str(spec.get("type", "any"))


def plain(value: Any) -> str:
    """A value of JSON as a person reads it."""
    if value is None:
        return "-"
    return clean(value) if isinstance(value, str) else msgspec.json.encode(value).decode()


def clean(text: str) -> str:
    """Without the characters that would steer a terminal."""
    return STEERING.sub("\N{REPLACEMENT CHARACTER}", text)
