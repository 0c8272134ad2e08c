"""For a terminal: a figure, and its interval on the line below."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from bythebook.report.render.words import TIED, aside, figure, heading, interval, source
from bythebook.report.table import Cell, Column, Row, Table

STYLES = {"best": "bold", "second": "underline", "tied": "", "": ""}


def shown(table: Table, *, without: frozenset[str] = frozenset()) -> RenderableType:
    """Title, caption, table, notes; `without` those that are said elsewhere."""
    return Group(*_parts(table, without))


def _parts(table: Table, without: frozenset[str]) -> Iterator[RenderableType]:
    yield Text(table.title, style="bold")
    yield Text(" ".join(filter(None, (table.says, source(table)))), style="dim")
    if table.rows:
        yield _grid(table)
    for note in table.notes:
        if note not in without:
            yield Text(note, style="dim")


def _grid(table: Table) -> RichTable:
    grid = RichTable(box=None, header_style="bold", pad_edge=False, padding=(0, 1))
    for place, column in enumerate(table.columns):
        text = column.unit == "text"
        grid.add_column(
            Text(heading(column)),
            justify="left" if text else "right",
            min_width=min(WIDEST, max(map(len, heading(column).split()))),
            overflow="fold",
            no_wrap=place == 0 and len(table.columns) > 2,
        )
    for row in table.rows:
        cells = [_cell(row.cell(column.key), column, row) for column in table.columns]
        grid.add_row(*cells, style="italic" if row.published else "")
    return grid


WIDEST = 12
"""Letters of a heading's word that are kept on one line."""


def _cell(cell: Cell, column: Column, row: Row) -> Text:
    told = Text(figure(cell, column.unit), style=STYLES[cell.mark])
    if cell.mark == "tied":
        told.append(TIED, style="dim")
    for more in (_interval(cell, column), aside(cell, row)):
        if more:
            told.append(f"\n{more}", style="dim")
    return told


def _interval(cell: Cell, column: Column) -> str:
    """Whole percents and points, for want of room."""
    if cell.low is None or cell.high is None or column.unit not in ("percent", "points"):
        return interval(cell, column.unit)
    return f"[{cell.low:.0f}, {cell.high:.0f}]"
