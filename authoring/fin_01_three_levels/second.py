"""reference-2: another hand. Months as text, each case a block with the years across, matters by
account and text, the largest loan from two trial loans.

openpyxl writes it, LibreOffice's values are put in afterwards.
"""

from pathlib import Path

import openpyxl
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_01_three_levels.book import NAME, SHEETS
from authoring.fin_01_three_levels.second_data import data
from authoring.fin_01_three_levels.second_returns import cases, covenant, decision, returns
from authoring.fin_01_three_levels.second_value import (
    adjustments,
    assumptions,
    cross_check,
    ltm,
    net_debt,
    price,
    working,
)
from authoring.fin_01_three_levels.story import Story
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

WIDEST = 52
NAMES = {
    "NormalisedEBITDA": "Adjustments!$E$20",
    "CovenantEBITDA": "Adjustments!$E$22",
    "WorkingCapitalPeg": "'Working capital'!$H$3",
    "EquityPrice": "Price!$B$9",
}


def _laid_out(sheet: Worksheet) -> None:
    """Columns as wide as their texts, long ones wrapped; pages as wide as the sheet."""
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", 9
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    for number, cells in enumerate(sheet.columns, 1):
        texts = [str(c.value) for c in cells if c.value is not None and c.data_type != "f"]
        widest = max([12, *(len(text) + 2 for text in texts)])
        sheet.column_dimensions[get_column_letter(number)].width = min(widest, WIDEST)
        for cell in cells:
            if isinstance(cell.value, str) and cell.data_type != "f":
                cell.alignment = Alignment(
                    horizontal="left", indent=1, wrap_text=len(cell.value) > WIDEST
                )
                lines = -(-len(cell.value) // (WIDEST - 8))
                if lines > 1:
                    sheet.row_dimensions[cell.row].height = 15 * lines


def write_second(told: Story, folder: Path) -> None:
    """Needs LibreOffice."""
    book = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    sheets = {name: first if name == SHEETS[0] else book.create_sheet(name) for name in SHEETS}
    book.properties.creator, book.properties.title = "J. Analyst", "Add-on"
    book.properties.created = book.properties.modified = WHEN
    data(told, book)
    writers = (
        assumptions,
        ltm,
        adjustments,
        working,
        net_debt,
        price,
        cross_check,
        returns,
        covenant,
        decision,
    )
    for name, write in zip(SHEETS, writers, strict=True):
        write(told, sheets[name])
        for cell in sheets[name][1]:
            cell.font = Font(name="Calibri", size=11, bold=True)
    cases(told, book.create_sheet("Cases"))
    for sheet in book.worksheets:
        _laid_out(sheet)
    for name, place in NAMES.items():
        book.defined_names[name] = DefinedName(name, attr_text=place)
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
