"""How a sheet of reference-2 looks."""

from datetime import date

from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet


def printed(sheet: Worksheet) -> None:
    """Across an A4, one page wide."""
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", 9
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    words = [c for row in sheet.iter_rows() for c in row if isinstance(c.value, str)]
    for cell in words:
        if not str(cell.value).startswith("="):
            cell.alignment = Alignment(horizontal="left", indent=1)


def titled(sheet: Worksheet, title: str, names: tuple[str, ...], row: int) -> None:
    if title:
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
