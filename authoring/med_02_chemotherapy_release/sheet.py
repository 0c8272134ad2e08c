"""Writing a sheet with XlsxWriter: each formula stands there together with what it comes to."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal

import xlsxwriter

Known = str | int | Decimal | date | datetime | None
EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - no zone in Excel
FORMATS = {
    "day": "yyyy-mm-dd",
    "time": "yyyy-mm-dd hh:mm",
    "share": "0%",
    "one": "0.0",
    "two": "0.00",
    "euro": "#,##0.00",
    "mg": "#,##0.0##",
    "plain": "General",
    "head": "General",
    "input": "General",
}


def serial(at: date | datetime) -> float:
    """Days since 30 December 1899, as a spreadsheet counts them."""
    if isinstance(at, datetime):
        minutes = round((at - EPOCH).total_seconds() / 60)
        return minutes / 1440
    return float((at - EPOCH.date()).days)


def number(value: Known) -> str | float:
    if isinstance(value, date):
        return serial(value)
    if value is None:
        return "missing"
    return value if isinstance(value, str) else float(value)


class Formula:
    """A formula, and what it comes to."""

    def __init__(self, says: str, value: Known) -> None:
        self.says, self.value = says, value


def split_head(column: str) -> tuple[str, str]:
    """Heading and format; a heading may have a colon of its own."""
    head, _, look = column.rpartition(":")
    return (head, look) if look in FORMATS else (column, "plain")


class Page:
    """One sheet, filled row by row below its headings."""

    def __init__(self, book: xlsxwriter.Workbook, name: str, columns: Sequence[str]) -> None:
        """`columns`: `Heading:format`, the format `plain` if left out."""
        self.book, self.name = book, name
        self.sheet = book.add_worksheet(name)
        split = [split_head(one) for one in columns]
        self.looks = [look for _, look in split]
        self.next = 1
        for column, (head, look) in enumerate(split):
            self.sheet.write_string(0, column, head, self._look("head"))
            width = 17 if look in ("time", "share") else 12
            self.sheet.set_column(column, column, max(width, len(head) + 2))

    def _look(self, name: str) -> xlsxwriter.format.Format:
        known = self.book.__dict__.setdefault("known_looks", {})
        if name not in known:
            about: dict[str, object] = {"num_format": FORMATS[name]}
            if name == "head":
                about |= {"bold": True, "bottom": 1}
            known[name] = self.book.add_format(about)
        return known[name]

    def add(self, cells: Iterable[Known | Formula], looks: Sequence[str] = ()) -> int:
        """A row; gives its number. An empty text leaves the cell empty."""
        for column, cell in enumerate(cells):
            look = self._look((looks or self.looks)[column])
            if isinstance(cell, Formula):
                self.sheet.write_formula(
                    self.next, column, f"={cell.says}", look, number(cell.value)
                )
            elif isinstance(cell, str):
                if cell:
                    self.sheet.write_string(self.next, column, cell, look)
            elif cell is not None:
                self.sheet.write_number(self.next, column, float(number(cell)), look)
        self.next += 1
        return self.next
