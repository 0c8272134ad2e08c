"""A thin pen over XlsxWriter: cells by column and row, a formula written with what it comes to."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import xlsxwriter

from authoring.parts.tables import Value, put

LOOKS: dict[str, dict[str, object]] = {
    "text": {},
    "money": {"num_format": "#,##0.00"},
    "whole": {"num_format": "#,##0"},
    "rate": {"num_format": "0.0000%"},
    "percent": {"num_format": "0.000%"},
    "spot": {"num_format": "0.0000"},
    "ratio": {"num_format": "0.00"},
    "factor": {"num_format": "0.0000000000"},
    "day": {"num_format": "yyyy-mm-dd", "align": "left"},
    "hour": {"num_format": "hh:mm"},
    "head": {"bold": True, "bottom": 2, "text_wrap": True, "valign": "top"},
}
TYPED = {"bg_color": "#E2F0D9"}
"""Cells that somebody may overwrite."""


class Pen:
    """One sheet. Row 1 holds the headings."""

    def __init__(
        self, book: xlsxwriter.Workbook, name: str, heads: Sequence[str], widths: Sequence[int] = ()
    ) -> None:
        self.book, self.name = book, name
        self.sheet = book.add_worksheet(name)
        self.sheet.set_landscape()
        self.sheet.fit_to_pages(1, 0)
        self.sheet.write_row(0, 0, heads, self._look("head"))
        for column, head in enumerate(heads):
            width = widths[column] if column < len(widths) else max(12, len(head) // 2 + 2)
            self.sheet.set_column(column, column, width)

    def _look(self, name: str, typed: bool = False) -> xlsxwriter.format.Format:
        known = self.book.__dict__.setdefault("looks", {})
        key = (name, typed)
        if key not in known:
            known[key] = self.book.add_format(LOOKS[name] | (TYPED if typed else {}))
        return known[key]

    def put(self, at: str, value: Value, look: str = "text", typed: bool = False) -> None:
        row, column = xlsxwriter.utility.xl_cell_to_rowcol(at)
        put(self.sheet, row, column, value, self._look(look, typed))

    def calc(self, at: str, formula: str, value: Value, look: str = "money") -> None:
        """A formula, and what it comes to."""
        known: object = value
        if isinstance(value, date):
            known = (value - date(1899, 12, 30)).days
        elif isinstance(value, Decimal):
            known = float(value)
        self.sheet.write_formula(at, f"={formula}", self._look(look), known)

    def row(self, row: int, cells: Mapping[str, tuple[object, ...]]) -> None:
        """Column to (value, look) or (formula, value, look)."""
        for column, cell in cells.items():
            at = f"{column}{row}"
            if len(cell) == 3:
                formula, value, look = cell
                self.calc(at, str(formula), value, str(look))  # type: ignore[arg-type] # a Value
            else:
                value, look = cell
                self.put(at, value, str(look))  # type: ignore[arg-type] # a Value

    def define(self, name: str, at: str) -> None:
        letter, row = at[0], at[1:]
        self.book.define_name(name, f"='{self.name}'!${letter}${row}")
