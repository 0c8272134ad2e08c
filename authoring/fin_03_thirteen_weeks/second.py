"""reference-2: ones and noughts for each rule, sums between days, months across the page."""

from datetime import date
from pathlib import Path

import openpyxl
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_03_thirteen_weeks.book import NAME, SETTINGS, SHEETS
from authoring.fin_03_thirteen_weeks.rules import RIGHT
from authoring.fin_03_thirteen_weeks.second_cash import (
    covenants,
    exceptionals,
    flows,
    months,
    weeks,
)
from authoring.fin_03_thirteen_weeks.second_items import partners, payables, receivables, terms
from authoring.fin_03_thirteen_weeks.world import HOLIDAYS, World
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

MONEY = "#,##0.00"


def _settings(told: World, sheet: Worksheet) -> None:
    sheet.append(("What may be overwritten", "Now"))
    for _, label, field, _ in SETTINGS:
        sheet.append((label, getattr(RIGHT, field)))


def _closed(told: World, sheet: Worksheet) -> None:
    sheet.append(("Banks closed",))
    for day in HOLIDAYS:
        sheet.append((day,))


def _laid_out(sheet: Worksheet) -> None:
    sheet.freeze_panes = "B2"
    for number, cells in enumerate(sheet.iter_cols(), 1):
        sheet.column_dimensions[get_column_letter(number)].width = 17
        cells[0].font = Font(bold=True)
        for cell in cells[1:]:
            if isinstance(cell.value, date):
                cell.number_format = "dd mmm yyyy"
            elif cell.number_format == "General" and isinstance(cell.value, float):
                cell.number_format = MONEY


def write_second(told: World, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    sheets = {name: first if name == SHEETS[0] else book.create_sheet(name) for name in SHEETS}
    writers = (_settings, receivables, payables, flows, weeks, exceptionals, covenants)
    for name, write in zip(SHEETS, writers, strict=True):
        write(told, sheets[name])
    more = {"Partners": partners, "Terms": terms, "Months": months, "Closed": _closed}
    for name, write in more.items():
        write(told, book.create_sheet(name))
    place = f"Closed!$A$2:$A${len(HOLIDAYS) + 1}"
    book.defined_names["Shut"] = DefinedName("Shut", attr_text=place)
    for sheet in book.worksheets:
        _laid_out(sheet)
    sheets["Receivables"].auto_filter.ref = sheets["Receivables"].dimensions
    book.properties.creator, book.properties.title = "A. Analyst", "Thirteen weeks"
    book.properties.created = book.properties.modified = WHEN
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
