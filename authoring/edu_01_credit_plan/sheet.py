"""One sheet of the reference workbook: formula and value go into a cell together."""

from collections.abc import Sequence
from decimal import Decimal

import xlsxwriter
from xlsxwriter.format import Format

SHEETS = (
    *("Parameters", "Modules", "Semesters", "Practice", "Prerequisites", "Competences"),
    *("Groups", "Staffing", "Recognition", "Students", "Overview"),
)
NAME = "curriculum-plan.xlsx"
Value = str | int | Decimal | None


class Sheet:
    """A sheet that is written row by row, from 1; `formula` gives value and formula."""

    def __init__(self, book: xlsxwriter.Workbook, name: str) -> None:
        self.book, self.name = book, name
        self.sheet = book.add_worksheet(name)
        self.sheet.set_landscape()
        self.sheet.fit_to_pages(1, 0)
        look = {
            "bold": True,
            "bg_color": "#20504F",
            "font_color": "white",
            "text_wrap": True,
            "indent": 1,
        }
        self.bold = book.add_format({**look, "valign": "top", "indent": 1})
        self.title = book.add_format({"bold": True, "font_size": 13})
        self.two = book.add_format({"num_format": "#,##0.00"})
        self.word = book.add_format({"indent": 1})
        self.input = book.add_format({"bg_color": "#FFF4C2", "border": 1})

    def header(self, names: Sequence[str], widths: Sequence[int]) -> None:
        self.sheet.write_row(0, 0, names, self.bold)
        self.sheet.set_row(0, 32)
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)
        self.sheet.freeze_panes(1, 1)

    def values(self, at: str, values: Sequence[Value]) -> None:
        """Constants from a cell to the right; None leaves a cell empty."""
        row, first = xlsxwriter.utility.xl_cell_to_rowcol(at)
        for column, value in enumerate(values, first):
            if value is not None and value != "":
                self.sheet.write(row, column, _plain(value), self._look(value))

    def formula(self, at: str, formula: str, value: Value, two: bool = False) -> None:
        style = self.two if two else self._look(value)
        self.sheet.write_formula(at, f"={formula}", style, _plain(value))

    def _look(self, value: Value) -> Format | None:
        """Words stand off the number in the column before."""
        return self.word if isinstance(value, str) else None


def _plain(value: Value) -> str | int | float:
    """As a cell keeps it."""
    if value is None:
        return ""
    return float(value) if isinstance(value, Decimal) else value
