"""Published figures in the form of a report: beside measured ones, or as tables of their own.

Each row says in its name which paper and table it is from, so that no reader, and no program that
takes rows alone, can mistake it for something measured here.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from bythebook.report.label import BETWEEN
from bythebook.report.published.beside import BESIDE, NOTHING, Beside, Shown
from bythebook.report.published.papers import (
    PaperColumn,
    PaperRow,
    PaperTable,
    Quoted,
    paper_table,
    paper_tables,
    papers,
)
from bythebook.report.table import Cell, Column, Row, Table

NAME = Column("name", "published")
SHARES = ("percent", "points")


def published(table_id: str) -> tuple[Row, ...]:
    """What the papers report on a table of ours, by its columns: no row where they have nothing
    like it, no cell where the figure is lost."""
    shown = BESIDE.get(table_id, NOTHING)
    rows: dict[str, Row] = {}
    for beside in shown.parts:
        for row in _rows(beside, shown.named):
            held = rows.get(row.key, row)
            rows[row.key] = msgspec.structs.replace(row, cells={**held.cells, **row.cells})
    return tuple(rows.values())


def with_published(table: Table) -> Table:
    """The table with the papers' rows after the measured ones, and a note on what they are.

    Unchanged where the papers have nothing like it.
    """
    shown = BESIDE.get(table.id, NOTHING)
    columns = (*table.columns, *(_missing(table, shown) if shown.more else ()))
    known = {column.key for column in columns}
    figures = {key for beside in shown.parts for key in beside.columns}
    rows = [
        msgspec.structs.replace(
            row, cells={key: cell for key, cell in row.cells.items() if key in known}
        )
        for row in published(table.id)
        if row.cells.keys() & figures & known
    ]
    if not rows:
        return table
    return msgspec.structs.replace(
        table,
        columns=columns,
        rows=(*table.rows, *rows),
        notes=(*map(_of_measured, table.notes), *_notes(shown.parts)),
    )


def _of_measured(note: str) -> str:
    """A table that held nothing holds published figures now."""
    return note.replace("Nothing to show:", "Nothing measured to show:", 1)


def _missing(table: Table, shown: Shown) -> Iterator[Column]:
    """Columns that published figures stand in and the table has not."""
    known = {column.key for column in table.columns}
    for part in shown.parts:
        for ours, theirs in part.columns.items():
            column = paper_table(part.of).column(theirs)
            if ours not in known:
                yield Column(ours, column.title, column.unit, "Published only.", column.better)


def published_tables(suite: str = "") -> tuple[Table, ...]:
    """The papers' tables as they are, those of one suite or all; empty cells where the text that
    we have has lost the figure."""
    found = paper_tables().values()
    return tuple(as_table(table) for table in found if suite in ("", papers()[table.paper].suite))


def as_table(table: PaperTable) -> Table:
    every = {column.key: column.key for column in table.columns}
    return Table(
        id=table.id,
        title=table.title,
        says=table.says,
        suite=papers()[table.paper].suite,
        source=source(table),
        columns=(NAME, *(Column(c.key, c.title, c.unit, better=c.better) for c in table.columns)),
        rows=tuple(_own_row(table, row, every) for row in table.rows),
        notes=(_standing(table), *table.notes),
    )


def _own_row(table: PaperTable, row: PaperRow, columns: Mapping[str, str]) -> Row:
    name = label(table, row.name)
    return Row(name, {NAME.key: Cell(name), **_cells(table, row, columns)}, published=True)


def source(table: PaperTable) -> str:
    """`StartupBench, Table 3`."""
    return f"{papers()[table.paper].name}, {table.where}"


def _rows(beside: Beside, named: str) -> Iterator[Row]:
    """Rows that have at least one of the figures asked for."""
    table = paper_table(beside.of)
    for row in table.rows:
        found = _cells(table, row, beside.columns)
        if found and (not beside.rows or row.key in beside.rows):
            who = {named: Cell(label(table, beside.subject or row.name))}
            words = dict(beside.fixed) | ({beside.facet: row.name} if beside.facet else {})
            what = {key: Cell(value) for key, value in words.items()}
            key = label(table, " / ".join(filter(None, (beside.subject, row.name))))
            yield Row(key, {**who, **what, **_size(table, row), **found}, published=True)


def label(table: PaperTable, name: str) -> str:
    """`Kimi-K3 · StartupBench, Table 3`."""
    return f"{name}{BETWEEN}{source(table)}"


def _size(table: PaperTable, row: PaperRow) -> dict[str, Cell]:
    """Tasks and runs, as far as the text tells them."""
    tasks, runs = table.tasks, row.runs or table.runs
    told = {"tasks": None if tasks is None else int(tasks.value), "runs": _product(tasks, runs)}
    return {key: Cell(value) for key, value in told.items() if value is not None}


def _cells(table: PaperTable, row: PaperRow, columns: Mapping[str, str]) -> dict[str, Cell]:
    """`columns`: keys of the cells to the paper's columns. A lost figure has no cell."""
    found = {key: row.cells.get(table.column(theirs).key) for key, theirs in columns.items()}
    return {
        key: _cell(table, row, table.column(columns[key]), figure)
        for key, figure in found.items()
        if figure is not None
    }


def _cell(table: PaperTable, row: PaperRow, column: PaperColumn, figure: Quoted) -> Cell:
    whole = figure.value == int(figure.value) and column.unit not in SHARES
    n = _product(column.tasks or table.tasks, row.runs or table.runs)
    return Cell(
        int(figure.value) if whole else float(figure.value),
        n=n,
        note=figure.note,
    )


def _product(tasks: Quoted | None, runs: Quoted | None) -> int | None:
    return int(tasks.value * runs.value) if tasks is not None and runs is not None else None


def _standing(table: PaperTable) -> str:
    paper = papers()[table.paper]
    return (
        f"Published in {source(table)}, not measured here: other tasks, other runs."
        f" Read from: {paper.says} n is tasks x runs, where the paper tells both."
    )


def _notes(besides: Iterable[Beside]) -> Iterator[str]:
    """What has to be known of the published rows."""
    tables = {table.id: table for table in (paper_table(one.of) for one in besides)}
    sources = list(dict.fromkeys(map(source, tables.values())))
    yield (
        f"Rows that name {' or '.join(sources)} are published figures, not measured here: other"
        " tasks, other runs. Where they are empty the paper has no such figure, or it is lost in"
        " the text they were read from."
    )
    for table in tables.values():
        yield from (f"{source(table)}: {note}" for note in table.notes)
