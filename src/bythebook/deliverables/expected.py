"""Expected values: `expected/*.csv`, one table a file, read strictly and kept as text.

The first line names columns by the ids of the rubric's `fields` (a column that no field describes,
such as the total a chart shows, is a number). Money, rates and counts are decimals with a point and
no thousands separator: `26345.50`. They are never floats; the digits written say how exact the
value is. An empty place means that nothing is asked there.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bythebook.errors import ContentError, unknown
from bythebook.yamlfile import read_text


class Table(msgspec.Struct, frozen=True):
    """One file: columns, and rows of as many texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> tuple[str, ...]:
        place = self.columns.index(name)
        return tuple(row[place] for row in self.rows)

    def picked(self, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Every row, only these columns, in this order."""
        places = [self.columns.index(name) for name in names]
        for row in self.rows:
            yield tuple(row[place] for place in places)


class Expected(msgspec.Struct, frozen=True):
    """All expected tables of a task, by name: `expected/NAME.csv`."""

    tables: dict[str, Table] = {}

    def table(self, name: str, *, where: str | Path = "") -> Table:
        """By `expected/NAME.csv`; raises `ContentError`."""
        if name not in self.tables:
            raise unknown("expected table", name, self.tables, where=where)
        return self.tables[name]

    def column(self, name: str, *, where: str | Path = "") -> tuple[Table, str]:
        """The table and the column of `expected/NAME.csv#FIELD`; raises `ContentError`."""
        path, hash_sign, column = name.partition("#")
        table = self.table(path, where=where)
        if not hash_sign:
            hint = f"expected/NAME.csv#FIELD, one of {', '.join(table.columns)}"
            raise ContentError(f"{name!r} names no column", where=where, hint=hint)
        if column not in table.columns:
            raise unknown(f"column of {path}", column, table.columns, where=where)
        return table, column


def load_expected(folder: Path) -> Expected:
    """All of `folder/expected/*.csv`; none is no error."""
    paths = sorted((folder / "expected").glob("*"))
    tables = [path for path in paths if path.suffix.lower() == ".csv" and path.is_file()]
    return Expected({f"expected/{path.name}": read_table(path) for path in tables})


def read_table(path: Path) -> Table:
    """One file; raises `ContentError` with file and line. A spreadsheet's byte order mark is no
    part of the first name."""
    return parse_table(read_text(path).removeprefix("\ufeff"), where=path)


def parse_table(text: str, *, where: str | Path) -> Table:
    """The table in a CSV text; raises `ContentError` with the line."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    lines: list[list[str]] = []
    try:
        lines += reader
    except csv.Error as error:
        # What is wrong began after the last line that reads.
        place = f"{where}:{len(lines) + 1}"
        hint = "a quotation mark is left open, or stands inside a value"
        raise ContentError(f"is no CSV: {error}", where=place, hint=hint) from None
    if not lines or not all(lines[0]):
        raise ContentError("the first line names every column", where=f"{where}:1")
    columns = tuple(lines[0])
    other = next((mark for mark in ";\t" if len(columns) == 1 and mark in columns[0]), "")
    if other:
        says = "semicolons" if other == ";" else "tabs"
        hint = "save it with commas, and with points in its numbers: trip,amount"
        raise ContentError(f"its values are parted by {says}", where=f"{where}:1", hint=hint)
    if len(set(columns)) < len(columns):
        raise ContentError("a column stands here twice", where=f"{where}:1")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(columns):
            what = f"{len(line)} values, {len(columns)} columns"
            hint = "numbers have a point and no thousands separator; text with commas is quoted"
            raise ContentError(what, where=f"{where}:{number}", hint=hint)
    return Table(columns, tuple(tuple(line) for line in lines[1:]))
