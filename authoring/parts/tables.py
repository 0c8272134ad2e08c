"""Raw tables: rows as a system exported them, put into a workbook's sheets or into a csv."""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import msgspec
import xlsxwriter

from authoring.parts.pack import WHEN, pack

Value = str | int | float | bool | Decimal | date | None


class Table(msgspec.Struct, frozen=True):
    """One raw sheet: its name, its headings, its rows."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    formats: Mapping[str, str] = {}
    """Heading to number format; dates without one are `yyyy-mm-dd`."""
    widths: Mapping[str, float] = {}
    title: tuple[str, ...] = ()
    """Lines above the headings, as exports have them."""

    @property
    def first(self) -> int:
        """The sheet's row number (from 1) of the first row of data."""
        return len(self.title) + 2

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def put_tables(book: xlsxwriter.Workbook, tables: Sequence[Table]) -> None:
    """A sheet for each table, the same cells in an input and in a reference made of it."""
    bold = book.add_format({"bold": True, "bottom": 1})
    for table in tables:
        sheet = book.add_worksheet(table.name)
        for number, line in enumerate(table.title):
            sheet.write_string(number, 0, line)
        top = len(table.title)
        sheet.write_row(top, 0, table.header, bold)
        formats = [_format(book, table, name) for name in table.header]
        for number, row in enumerate(table.rows, top + 1):
            for column, value in enumerate(row):
                put(sheet, number, column, value, formats[column])
        for column, name in enumerate(table.header):
            sheet.set_column(column, column, table.widths.get(name, max(11, len(name) + 2)))


def _format(book: xlsxwriter.Workbook, table: Table, heading: str) -> xlsxwriter.format.Format:
    dated = any(isinstance(row[table.header.index(heading)], date) for row in table.rows)
    code = table.formats.get(heading, "yyyy-mm-dd" if dated else "General")
    return book.add_format({"num_format": code})


def put(
    sheet: xlsxwriter.worksheet.Worksheet,
    row: int,
    column: int,
    value: Value,
    style: xlsxwriter.format.Format | None = None,
) -> None:
    """One value (row and column from 0); text is never taken for a number, formula or link."""
    match value:
        case None:
            return
        case bool():
            sheet.write_boolean(row, column, value, style)
        case str():
            sheet.write_string(row, column, value, style)
        case date():
            noon = datetime(value.year, value.month, value.day)  # noqa: DTZ001 - no zone in Excel
            sheet.write_datetime(row, column, noon, style)
        case _:
            sheet.write_number(row, column, float(value), style)


def write_workbook(path: Path, tables: Sequence[Table], title: str = "", author: str = "") -> None:
    """A workbook of raw sheets only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, title, author)
    put_tables(book, tables)
    book.close()
    pack(path)


def open_workbook(path: Path, title: str = "", author: str = "") -> xlsxwriter.Workbook:
    """An XlsxWriter workbook whose properties vary with nothing. `pack` it after closing."""
    book = xlsxwriter.Workbook(str(path), {"strings_to_numbers": False, "strings_to_urls": False})
    book.set_properties({"title": title, "author": author, "created": WHEN})
    return book


def write_csv(path: Path, table: Table, delimiter: str = ",") -> None:
    """The table as an export in text; dates ISO, decimals as written."""
    text = io.StringIO()
    lines = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    for line in table.title:
        lines.writerow([line])
    lines.writerow(table.header)
    for row in table.rows:
        lines.writerow(["" if value is None else str(value) for value in row])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.getvalue(), "utf-8", newline="\n")
