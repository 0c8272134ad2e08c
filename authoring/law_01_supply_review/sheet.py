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
LOOKS: dict[str, dict[str, str | bool | int]] = {
    "date": {"num_format": "yyyy-mm-dd", "align": "left"},
    "money": {"num_format": "#,##0.00"},
    "percent": {"num_format": "0.0%"},
    "plain": {"num_format": "General", "align": "left"},
    "wrap": {"text_wrap": True},
    "text": {"num_format": "@"},
    "count": {"num_format": "0"},
    "note": {"indent": 1},
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


class Sheet:
    def __init__(self, book: xlsxwriter.Workbook, name: str, widths: Sequence[int]) -> None:
        self.book, self.sheet = book, book.add_worksheet(name)
        self.sheet.set_landscape()
        self.sheet.set_paper(A4)
        self.sheet.fit_to_pages(1, 0)
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)
        self._looks = {
            name: book.add_format({"valign": "top"} | look) for name, look in LOOKS.items()
        }
        self._looks["input date"] = book.add_format(LOOKS["date"] | {"bg_color": "#E2EFDA"})
        self._looks["input"] = book.add_format(
            {"num_format": "#,##0.##", "align": "left", "bg_color": "#E2EFDA"}
        )
        self._looks["input percent"] = book.add_format(
            {"num_format": "0%", "align": "left", "bg_color": "#E2EFDA"}
        )
        head = {"bold": True, "bg_color": "#3B3838", "font_color": "white", "text_wrap": True}
        self._looks["head"] = book.add_format(head | {"valign": "top"})
        self._looks["title"] = book.add_format({"bold": True, "font_size": 13})

    def row(self, row: int, names: Sequence[str], look: str = "head", column: int = 0) -> None:
        """`row` from 1."""
        self.sheet.write_row(row - 1, column, names, self._looks[look])

    def high(self, row: int, lines: int) -> None:
        """Room for so many lines of wrapped text."""
        self.sheet.set_row(row - 1, 15 * lines)

    def cell(self, at: str, value: Value, look: str = "plain", formula: str = "") -> None:
        """One cell; with a formula the value is what was computed."""
        style = self._looks[look]
        if formula:
            self.sheet.write_formula(at, f"={formula}", style, serial(value))
            return
        row, column = xlsxwriter.utility.xl_cell_to_rowcol(at)
        put(self.sheet, row, column, value, style)
