"""How a sheet of reference-2 looks."""

from datetime import date

from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet


def titled(sheet: Worksheet, title: str, names: tuple[str, ...], row: int) -> None:
    if row > 1:
        sheet["A1"] = title
        sheet["A1"].font = Font(bold=True, size=13)
    for column, name in enumerate(names, 1):
        cell = sheet.cell(row, column, name)
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="FFDDE6F0")
        sheet.column_dimensions[cell.column_letter].width = max(11, len(name) + 3)


def listed(sheet: Worksheet, row: int, last: int, columns: str) -> None:
    """Headings in view and a filter."""
    sheet.freeze_panes = f"A{row + 1}"
    sheet.auto_filter.ref = f"A{row}:{columns}{last}"


def day(sheet: Worksheet, at: str, value: date | str) -> None:
    sheet[at] = value
    sheet[at].number_format = "dd mmm yyyy"
