"""What the sheets of the second reference share: a title, headings in row 3, the sheet Draft."""

from collections.abc import Sequence

from openpyxl.styles import Font
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

TOP = 4
"""First row of data, under a title and the headings of row 3."""
LAST = 45
"""Last row of the modules."""
TWO = "0.00"


def heads(sheet: Worksheet, title: str, names: Sequence[str]) -> None:
    sheet["A1"] = title
    sheet["A1"].font = Font(bold=True, size=13)
    for column, name in enumerate(names, 1):
        cell = sheet.cell(TOP - 1, column, name)
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = max(11, len(name) + 2)
    sheet.freeze_panes = f"A{TOP}"


def draft(letter: str) -> str:
    return f"Draft!${letter}${TOP}:${letter}${LAST}"


def landscape(sheet: Worksheet) -> Worksheet:
    """Printed one page wide."""
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToHeight = 0
    return sheet
