"""Markdown, as GitHub reads it. The best figure is bold, the second italic, = is tied."""

import re
from collections.abc import Iterator

from bythebook.report.render.words import TIED, heading, source, words
from bythebook.report.table import Column, Row, Table

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
MARKED = {"best": "**{}**", "second": "*{}*", "tied": "{} " + TIED, "": "{}"}


def markdown(table: Table) -> str:
    """A section with the table and its notes."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: Table) -> Iterator[str]:
    yield f"### {escaped(table.title)}"
    yield ""
    yield escaped(" ".join(filter(None, (table.says, source(table)))))
    yield ""
    if table.rows:
        yield from grid(table)
        yield ""
    for note in table.notes:
        yield f"- {escaped(note)}"


def grid(table: Table) -> Iterator[str]:
    """The table alone, line by line."""
    yield _line([escaped(heading(column)) for column in table.columns])
    yield _line(["---" if column.unit == "text" else "---:" for column in table.columns])
    for row in table.rows:
        yield _line([_cell(row, column) for column in table.columns])


def _cell(row: Row, column: Column) -> str:
    cell = row.cell(column.key)
    return MARKED[cell.mark].format(escaped(words(cell, column, row)))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """Text that Markdown reads as itself, on one line."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))
