"""The reference workbook under the pen: a formula and the value that the rules give it."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import xlsxwriter

from authoring.parts.tables import put

Value = str | int | Decimal | date
EPOCH = date(1899, 12, 30)
LOOKS: dict[str, dict[str, Any]] = {
    "money": {"num_format": "#,##0;-#,##0"},
    "cents": {"num_format": "#,##0.00"},
    "percent": {"num_format": "0.0%"},
    "fine percent": {"num_format": "0.00%"},
    "times": {"num_format": "0.00", "align": "right"},
    "rate": {"num_format": "0.0000"},
    "month": {"num_format": "yyyy-mm", "align": "left"},
    "day": {"num_format": "yyyy-mm-dd", "align": "left"},
    "text": {},
    "word": {"indent": 1},
    "wrap": {"text_wrap": True, "indent": 1},
    "total": {"num_format": "#,##0;-#,##0", "bold": True, "top": 1},
    "input": {"num_format": "0.00", "bg_color": "#FFF4CC"},
    "input percent": {"num_format": "0.00%", "bg_color": "#FFF4CC"},
    "input money": {"num_format": "#,##0", "bg_color": "#FFF4CC"},
    "input rate": {"num_format": "0.0000", "bg_color": "#FFF4CC"},
    "input day": {"num_format": "yyyy-mm-dd", "bg_color": "#FFF4CC", "align": "right"},
    "head": {
        **{"bold": True, "bg_color": "#203A4C", "font_color": "white"},
        **{"text_wrap": True, "align": "center", "valign": "vcenter"},
    },
    "title": {"bold": True, "font_size": 14},
    "bold": {"bold": True},
}


def serial(day: date) -> int:
    return (day - EPOCH).days


def month_end(month: str) -> date:
    """The last day of `2024-09`."""
    year, number = int(month[:4]), int(month[5:])
    following = date(year + number // 12, number % 12 + 1, 1)
    return date.fromordinal(following.toordinal() - 1)


class Book:
    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self.book = book
        self.looks = {name: book.add_format(look) for name, look in LOOKS.items()}

    def sheet(self, name: str, widths: Sequence[int]) -> "Sheet":
        made = self.book.add_worksheet(name)
        made.set_landscape()
        made.set_paper(9)
        made.fit_to_pages(1, 0)
        for column, width in enumerate(widths):
            made.set_column(column, column, width)
        return Sheet(self, made, name)


class Sheet:
    def __init__(self, book: Book, sheet: xlsxwriter.worksheet.Worksheet, name: str) -> None:
        self.book, self.sheet, self.name = book, sheet, name

    def heads(self, names: Sequence[str], row: int = 1) -> None:
        self.sheet.write_row(row - 1, 0, names, self.book.looks["head"])
        self.sheet.set_row(row - 1, 32)

    def tall(self, row: int, lines: int) -> None:
        """Room for so many lines: not every program makes it by itself."""
        self.sheet.set_row(row - 1, 15 * lines)

    def put(self, at: str, value: Value, look: str = "text") -> None:
        row, column = xlsxwriter.utility.xl_cell_to_rowcol(at)
        put(self.sheet, row, column, value, self.book.looks[look])

    def calc(self, at: str, formula: str, value: Value, look: str = "money") -> None:
        """A formula, and what it comes to."""
        plain = serial(value) if isinstance(value, date) else value
        known = float(plain) if isinstance(plain, Decimal) else plain
        self.sheet.write_formula(at, f"={formula}", self.book.looks[look], known)

    def define(self, name: str, at: str) -> None:
        """A name for a cell."""
        column, row = at.rstrip("0123456789"), at.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        self.book.book.define_name(name, f"='{self.name}'!${column}${row}")
