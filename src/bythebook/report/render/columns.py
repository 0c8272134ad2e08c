"""A table as plain columns of values, unrounded: what CSV and data frames are made of.

    strict, strict.low, strict.high, strict.n, strict.mark, ...

A part stands there when some row has it. `published` is true for a paper's own figures.
"""

from bythebook.report.table import Cell, Column, Table, Value

PARTS = ("low", "high", "least", "most", "n", "mark", "note")


def columns_of(table: Table) -> dict[str, list[Value]]:
    """Name to values, row by row."""
    found: dict[str, list[Value]] = {}
    for column in table.columns:
        cells = [row.cell(column.key) for row in table.rows]
        found[column.key] = [cell.value for cell in cells]
        found |= _parts(column, cells)
    if any(row.published for row in table.rows):
        found["published"] = [row.published for row in table.rows]
    return found


def _parts(column: Column, cells: list[Cell]) -> dict[str, list[Value]]:
    every = {f"{column.key}.{part}": [getattr(cell, part) for cell in cells] for part in PARTS}
    return {
        name: values for name, values in every.items() if any(v not in (None, "") for v in values)
    }
