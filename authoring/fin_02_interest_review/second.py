"""reference-2: overlaps of periods with Margins, stretches of constant fees, a running index."""

from pathlib import Path

import openpyxl
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_02_interest_review.book import NAME, SHEETS
from authoring.fin_02_interest_review.second_amounts import (
    accrual,
    claim,
    overlap,
    recalculation,
    summary,
)
from authoring.fin_02_interest_review.second_data import (
    compound,
    data,
    holidays,
    stretches,
)
from authoring.fin_02_interest_review.second_terms import certificates, inputs, margin, table
from authoring.fin_02_interest_review.story import Story
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

WIDEST = 60


def _laid_out(sheet: Worksheet) -> None:
    sheet.freeze_panes = "B2"
    for number, cells in enumerate(sheet.iter_cols(), 1):
        texts = (str(cell.value or "") for cell in cells if cell.data_type != "f")
        long = max(map(len, texts), default=0)
        letter = get_column_letter(number)
        sheet.column_dimensions[letter].width = min(WIDEST, max(13, long + 2))
        cells[0].font = Font(bold=True)
        cells[0].alignment = Alignment(wrap_text=True)


def write_second(told: Story, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    sheets = {name: first if name == SHEETS[0] else book.create_sheet(name) for name in SHEETS}
    writers = (inputs, certificates, margin, recalculation, claim, accrual, summary)
    for name, write in zip(SHEETS, writers, strict=True):
        write(told, sheets[name])
    more = {
        "Table": table,
        "Overlap": overlap,
        "Stretches": stretches,
        "Compound": compound,
        "Data": data,
    }
    for name, write in more.items():
        write(told, book.create_sheet(name))
    for name, place in holidays(book.create_sheet("Closed")).items():
        book.defined_names[name] = DefinedName(name, attr_text=place)
    for sheet in book.worksheets:
        _laid_out(sheet)
    book.properties.creator, book.properties.title = "M. Analyst", "Check of interest"
    book.properties.created = book.properties.modified = WHEN
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
