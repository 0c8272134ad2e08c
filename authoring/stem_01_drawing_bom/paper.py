"""A sheet of the reference: XlsxWriter writes each formula with the value it computes to."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import xlsxwriter

NEW = (
    "BOM comparison",
    "Dimensions",
    "Discrepancies",
    "Actions",
    "Tolerance stack",
    "Mass and cost",
    "Dashboard",
)
CARDS = (
    "Open discrepancies",
    "Class A",
    "Class B",
    "Class C",
    "Open actions",
    "Mass per station (kg)",
    "Cost change per station (EUR)",
    "Build decision",
)
Value = str | int | Decimal | date | None
LEFT = "left"
"""In place of a number's format: words, and figures among words."""
SERIAL = date(1899, 12, 30)


def serial(day: date) -> int:
    """A day as a spreadsheet counts it."""
    return (day - SERIAL).days


class Paper:
    def __init__(self, book: xlsxwriter.Workbook, name: str) -> None:
        self.book, self.name = book, name
        self.sheet = book.add_worksheet(name)
        self.sheet.set_landscape()
        self.sheet.set_paper(9)
        self.sheet.fit_to_pages(1, 0)
        look = {"bold": True, "bg_color": "#D9E2D0", "bottom": 1, "text_wrap": True, "indent": 1}
        self.head = book.add_format({**look, "valign": "vcenter"})
        self.bold = book.add_format({"bold": True})
        self.styles: dict[str, xlsxwriter.format.Format] = {}

    def style(self, code: str) -> xlsxwriter.format.Format:
        if code not in self.styles:
            look = {"align": "left", "indent": 1} if code == LEFT else {"num_format": code}
            self.styles[code] = self.book.add_format(look)
        return self.styles[code]

    def header(self, names: Sequence[str], widths: Sequence[int], row: int = 1) -> None:
        self.sheet.write_row(row - 1, 0, names, self.head)
        self.sheet.set_row(row - 1, 32)
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)

    def put(self, at: str, value: Value, code: str = "General") -> None:
        """A constant; nothing for None and ''."""
        style = self.style(LEFT if isinstance(value, str) else code)
        match value:
            case None | "":
                return
            case str():
                self.sheet.write_string(at, value, style)
            case date():
                self.sheet.write_number(at, serial(value), self.style("yyyy-mm-dd"))
            case _:
                self.sheet.write_number(at, float(value), style)

    def formula(self, at: str, formula: str, value: Value, code: str = "General") -> None:
        if isinstance(value, date):
            code, value = "yyyy-mm-dd", serial(value)
        if isinstance(value, str):
            code = LEFT
        known = value if isinstance(value, str) else float(value or 0)
        self.sheet.write_formula(at, f"={formula}", self.style(code), known)

    def line(self, row: int, cells: Mapping[str, tuple[str, Value] | Value], **codes: str) -> None:
        """Column to a constant, or to a formula and its value; `codes`: column to format."""
        for column, cell in cells.items():
            at, code = f"{column}{row}", codes.get(column, "General")
            if isinstance(cell, tuple):
                self.formula(at, *cell, code=code)
            else:
                self.put(at, cell, code)

    def table(self, rows: int, columns: int, top: int = 1) -> None:
        """Frozen headings in row `top`, a filter over `rows` rows below them."""
        self.sheet.freeze_panes(top, 1)
        self.sheet.autofilter(top - 1, 0, top - 1 + rows, columns - 1)
