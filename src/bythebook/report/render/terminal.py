"""For a terminal: a figure, and its interval on the line below."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from bythebook.report.render.words import TIED, aside, figure, heading, interval, source
from bythebook.report.table import Cell, Column, Row, Table

STYLES = {"best": "bold", "second": "underline", "tied": "", "": ""}
SIGNS = {"best": "*", "second": "+", "tied": TIED, "": ""}


def show(console: Console, tables: Sequence[Table]) -> None:
    """Tables one below the other; what is said of several of them stands at the end, once.

    Nothing is cropped: where a table needs more columns than there are, its lines are longer.
    """
    counted = Counter(note for one in tables for note in one.notes)
    shared = [note for note, times in counted.items() if times > 1]
    needed = [console.measure(_grid(one)).minimum for one in tables if one.rows]
    console.width = max([console.width, *needed])
    for one in tables:
        console.print(*_parts(one, frozenset(shared)), sep="\n", crop=False)
        console.print()
    for note in shared:
        console.print(Text(note, style="dim"))


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
            min_width=_least(column, table),
            overflow="fold",
            no_wrap=place == 0 and len(table.columns) > 2,
        )
    for row in table.rows:
        cells = [_cell(row.cell(column.key), column, row) for column in table.columns]
        grid.add_row(*cells, style="italic" if row.published else "")
    return grid


WIDEST = 14
"""Letters of a word that are kept on one line."""
WIDEST_VALUE = 32
"""The same of a word that is a value: an outcome such as `infrastructure_failure(provider)`."""


def _least(column: Column, table: Table) -> int:
    """Width at which no figure and no word of usual length is broken."""
    cells = [row.cell(column.key) for row in table.rows]
    words = [*heading(column).split(), *(word for c in cells for word in c.note.split())]
    words += ["(n = 290)"] if any(cell.n is not None for cell in cells) else []
    figures = [_figure(cell, column) for cell in cells]
    if column.unit == "text":
        figures = [word[:WIDEST_VALUE] for one in figures for word in one.split()]
    figures += [_interval(cell, column) for cell in cells]
    return max([min(WIDEST, len(word)) for word in words] + [len(one) for one in figures])


def _cell(cell: Cell, column: Column, row: Row) -> Text:
    told = Text(_figure(cell, column), style=STYLES[cell.mark])
    for more in (_interval(cell, column), aside(cell, row)):
        if more:
            told.append(f"\n{more}", style="dim")
    return told


def _figure(cell: Cell, column: Column) -> str:
    return figure(cell, column.unit) + SIGNS[cell.mark]


def _interval(cell: Cell, column: Column) -> str:
    """Whole percents and points, for want of room."""
    if cell.low is None or cell.high is None or column.unit not in ("percent", "points"):
        return interval(cell, column.unit)
    return f"[{cell.low:.0f}, {cell.high:.0f}]"
