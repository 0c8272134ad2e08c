"""Rows of a sheet with XlsxWriter: each formula stands there together with what it comes to."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import msgspec
import xlsxwriter

from authoring.parts.tables import Value, put

EPOCH = date(1899, 12, 30)
LOOKS = {
    "day": "yyyy-mm-dd",
    "time": "hh:mm",
    "money": "#,##0.00",
    "whole": "#,##0",
    "any": "General",
}


class Live(msgspec.Struct, frozen=True):
    """A formula without its sign, and its value."""

    says: str
    value: Value


class Clock(msgspec.Struct, frozen=True):
    """A time of day: `17.20`."""

    text: str

    @property
    def share(self) -> float:
        hours, minutes = map(int, self.text.split("."))
        return (60 * hours + minutes) / 1440


Cell = Value | Live | Clock


def cached(value: Value) -> str | float | bool:
    """As a formula's value is kept."""
    if isinstance(value, bool):
        return value
    if isinstance(value, date):
        return float((value - EPOCH).days)
    if isinstance(value, int | float | Decimal):
        return float(value)
    return value or ""


class Page:
    """One sheet, filled row by row below its headings."""

    def __init__(
        self, book: xlsxwriter.Workbook, name: str, heads: Sequence[str], widths: Sequence[int]
    ) -> None:
        self.book, self.sheet, self.next = book, book.add_worksheet(name), 1
        self._looks: dict[str, xlsxwriter.format.Format] = {}
        bold = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        self.sheet.write_row(0, 0, heads, bold)
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)

    def look(self, name: str) -> xlsxwriter.format.Format | None:
        if not name:
            return None
        if name not in self._looks:
            self._looks[name] = self.book.add_format({"num_format": LOOKS[name], "align": "left"})
        return self._looks[name]

    def add(self, cells: Sequence[Cell], looks: Sequence[str] = ()) -> None:
        for column, cell in enumerate(cells):
            self._put(column, cell, looks[column] if column < len(looks) else "")
        self.next += 1

    def _put(self, column: int, cell: Cell, look: str) -> None:
        if isinstance(cell, Live):
            value = cached(cell.value)
            self.sheet.write_formula(self.next, column, f"={cell.says}", self.look(look), value)
        elif isinstance(cell, Clock):
            self.sheet.write_number(self.next, column, cell.share, self.look("time"))
        else:
            put(self.sheet, self.next, column, cell or None, self.look(look))
