"""Cells by address: a value, or a formula with what it comes to."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import xlsxwriter

from authoring.parts.tables import Value, put

LOOKS: dict[str, dict[str, object]] = {
    "text": {},
    "money": {"num_format": "#,##0.00"},
    "whole": {"num_format": "#,##0"},
    "rate": {"num_format": "0.00%"},
    "ratio": {"num_format": "0.00"},
    "day": {"num_format": "yyyy-mm-dd", "align": "left"},
    "head": {"bold": True, "bottom": 2, "text_wrap": True, "valign": "top"},
}
READ = {"bg_color": "#FFF2CC"}
"""Cells that were typed in: settings, and what was read."""
Cell = tuple[Value, str] | tuple[str, Value, str]
"""A value and its look, or formula, value, look."""


class Page:
    """One sheet, its headings in row 1."""

    def __init__(self, book: xlsxwriter.Workbook, name: str, heads: Sequence[str]) -> None:
        self.book, self.name = book, name
        self.sheet = book.add_worksheet(name)
        self.sheet.set_landscape()
        self.sheet.fit_to_pages(1, 0)
        self.sheet.freeze_panes(1, 1)
        self.sheet.write_row(0, 0, heads, self.look("head"))
        for column, head in enumerate(heads):
            self.sheet.set_column(column, column, max(12, min(30, len(head) + 2)))

    def look(self, name: str, typed: bool = False) -> xlsxwriter.format.Format:
        known = self.book.__dict__.setdefault("looks", {})
        if (name, typed) not in known:
            known[name, typed] = self.book.add_format(LOOKS[name] | (READ if typed else {}))
        return known[name, typed]

    def put(self, at: str, value: Value, look: str = "text", typed: bool = False) -> None:
        row, column = xlsxwriter.utility.xl_cell_to_rowcol(at)
        put(self.sheet, row, column, value, self.look(look, typed))

    def calc(self, at: str, formula: str, value: Value, look: str = "money") -> None:
        known: object = "" if value is None else value
        if isinstance(value, date):
            known = (value - date(1899, 12, 30)).days
        elif isinstance(value, Decimal):
            known = float(value)
        self.sheet.write_formula(at, f"={formula}", self.look(look), known)

    def row(self, row: int, cells: Mapping[str, Cell], typed: str = "") -> None:
        """Column to cell; `typed`: letters of columns that are marked as read."""
        for column, cell in cells.items():
            if len(cell) == 3:
                self.calc(f"{column}{row}", cell[0], cell[1], cell[2])
            else:
                self.put(f"{column}{row}", cell[0], cell[1], column in typed)
