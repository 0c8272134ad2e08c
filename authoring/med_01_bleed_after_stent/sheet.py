"""One sheet of the reference workbook: formula and value go into a cell together."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import xlsxwriter

from authoring.parts.tables import put

Value = str | int | Decimal | date | None
A4 = 9
"""The paper's number in a workbook."""
EPOCH = date(1899, 12, 30)
FORMATS = {
    "date": "yyyy-mm-dd",
    "whole": "#,##0",
    "one": "0.0",
    "dose": "#,##0.###",
}


def serial(value: Value) -> int | float | str:
    """As a workbook keeps it."""
    match value:
        case date():
            return (value - EPOCH).days
        case Decimal():
            return float(value)
        case None:
            return ""
    return value


class Book:
    """The workbook, its formats, its names."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self.book = book
        self.formats = {
            name: book.add_format({"num_format": code, "valign": "top", "align": "right"})
            for name, code in FORMATS.items()
        }
        for name, wraps in (("text", False), ("wrap", True)):
            self.formats[name] = book.add_format(
                {"text_wrap": wraps, "valign": "top", "align": "left", "indent": 1}
            )
        self.formats["input"] = book.add_format({"num_format": "General", "bg_color": "#FFF2CC"})
        self.formats["input date"] = book.add_format(
            {"num_format": "yyyy-mm-dd", "bg_color": "#FFF2CC"}
        )
        self.head = book.add_format(
            {"bold": True, "bottom": 1, "bg_color": "#DCE6F1", "text_wrap": True, "valign": "top"}
        )
        self.title = book.add_format({"bold": True, "font_size": 13})

    def sheet(self, name: str, widths: Sequence[int]) -> "Sheet":
        made = self.book.add_worksheet(name)
        made.set_landscape()
        made.set_paper(A4)
        made.fit_to_pages(1, 0)
        for column, width in enumerate(widths):
            made.set_column(column, column, width)
        return Sheet(self, made)

    def name(self, name: str, place: str) -> None:
        self.book.define_name(name, f"={place}")


class Sheet:
    def __init__(self, book: Book, sheet: xlsxwriter.worksheet.Worksheet) -> None:
        self.book, self.sheet = book, sheet

    def heads(self, row: int, names: Sequence[str]) -> None:
        """`row` from 1, like everywhere here."""
        self.sheet.set_row(row - 1, 31)
        self.sheet.write_row(row - 1, 0, names, self.book.head)

    def cell(self, at: str, value: Value, look: str, formula: str = "") -> None:
        """One cell; with a formula the value is what was computed."""
        style = self.book.formats[look]
        if formula:
            self.sheet.write_formula(at, f"={formula}", style, serial(value))
            return
        row, column = xlsxwriter.utility.xl_cell_to_rowcol(at)
        put(self.sheet, row, column, value, style)
