"""CSV, unrounded: see `columns`. Text that a spreadsheet would take for a formula gets an
apostrophe in front, since some of it was written by the agents that were measured."""

import csv as writing
import io

from bythebook.report.render.columns import columns_of
from bythebook.report.table import Table, Value

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv(table: Table) -> str:
    """One heading line, then a line a row; lines end in a line feed."""
    columns = columns_of(table)
    lines = io.StringIO()
    writer = writing.writer(lines, lineterminator="\n")
    writer.writerow(columns)
    for values in zip(*columns.values(), strict=True):
        writer.writerow([_plain(value) for value in values])
    return lines.getvalue()


def _plain(value: Value) -> Value:
    if not isinstance(value, str):
        return value
    text = value.replace("\r", " ")
    return f"'{text}" if value.startswith(FORMULA) else text
