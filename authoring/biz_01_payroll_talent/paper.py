"""A new sheet of the reference: XlsxWriter writes each formula with the value it computes to."""

from collections.abc import Sequence
from decimal import Decimal

import xlsxwriter

NAME = "payroll-2024.xlsx"
NEW = (
    "Attendance Cleaning",
    "Monthly Payroll",
    "Annual Performance",
    "Talent Grid",
    "Department Cost",
    "Dashboard",
)
CARDS = (
    "Total gross pay",
    "Total employment cost",
    "Budget variance",
    "Headcount at year end",
)
Value = str | int | Decimal


class Paper:
    """One new sheet being written, with the formats of the book."""

    def __init__(self, book: xlsxwriter.Workbook, name: str) -> None:
        self.book, self.name = book, name
        self.sheet = book.add_worksheet(name)
        look = {"bold": True, "bg_color": "#22405C", "font_color": "white", "text_wrap": True}
        self.bold = book.add_format({**look, "valign": "vcenter"})
        self.money = book.add_format({"num_format": "#,##0.00"})
        self.month = book.add_format({"num_format": "yyyy-mm", "align": "left"})
        self.percent = book.add_format({"num_format": "0.0%"})
        self.plain = book.add_format({})
        self.strong = book.add_format({"bold": True, "num_format": "#,##0.00", "top": 1})

    def header(self, names: Sequence[str], widths: Sequence[int], row: int = 0) -> None:
        self.sheet.write_row(row, 0, names, self.bold)
        self.sheet.set_row(row, 45 if max(map(len, names)) > 16 else 30)
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)

    def formula(
        self, at: str, formula: str, value: Value, style: xlsxwriter.format.Format | None = None
    ) -> None:
        known = value if isinstance(value, str) else float(value)
        self.sheet.write_formula(at, f"={formula}", style or self.plain, known)

    def table(self, rows: int, columns: int, freeze: int = 2) -> None:
        """Frozen header, a filter over all rows, and a table that can be printed."""
        self.sheet.freeze_panes(1, freeze)
        self.sheet.autofilter(0, 0, rows, columns - 1)
        self.printed(rows, columns)

    def printed(self, rows: int, columns: int) -> None:
        """On landscape A4, all columns beside each other, the header on every page."""
        self.sheet.set_landscape()
        self.sheet.set_paper(9)
        self.sheet.fit_to_pages(1, 0)
        self.sheet.repeat_rows(0)
        self.sheet.print_area(0, 0, rows, columns - 1)
        self.sheet.set_footer("&L&F, &A&RPage &P of &N")
