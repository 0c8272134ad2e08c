"""A sheet of the reference: XlsxWriter writes each formula with the value it gives."""

from collections.abc import Mapping, Sequence
from datetime import date

import xlsxwriter

Value = str | float | date | None
SERIAL = date(1899, 12, 30)


def serial(day: date) -> int:
    """A day as a spreadsheet counts it."""
    return (day - SERIAL).days


class Page:
    def __init__(self, book: xlsxwriter.Workbook, name: str) -> None:
        self.book = book
        self.sheet = book.add_worksheet(name)
        self.sheet.set_landscape()
        self.sheet.set_paper(9)
        self.sheet.fit_to_pages(1, 0)
        look = {"bold": True, "bg_color": "#E4E0D0", "bottom": 1, "text_wrap": True}
        self.head = book.add_format(look)
        self.known: dict[str, xlsxwriter.format.Format] = {}

    def look(self, code: str) -> xlsxwriter.format.Format:
        if code not in self.known:
            self.known[code] = self.book.add_format({"num_format": code})
        return self.known[code]

    def header(self, names: Sequence[str], widths: Sequence[int]) -> None:
        self.sheet.write_row(0, 0, names, self.head)
        for column, width in enumerate(widths):
            self.sheet.set_column(column, column, width)

    def headings(self, at: str, names: Sequence[str]) -> None:
        self.sheet.write_row(at, names, self.head)

    def line(self, row: int, cells: Mapping[str, Value]) -> None:
        """Column to a constant; nothing for None."""
        for column, value in cells.items():
            at = f"{column}{row}"
            match value:
                case None:
                    continue
                case str():
                    self.sheet.write_string(at, value)
                case date():
                    self.sheet.write_number(at, serial(value), self.look("yyyy-mm-dd"))
                case _:
                    self.sheet.write_number(at, value)

    def formula(self, at: str, formula: str, value: Value, code: str = "General") -> None:
        if isinstance(value, date):
            code, value = "yyyy-mm-dd", serial(value)
        self.sheet.write_formula(at, f"={formula}", self.look(code), value)
