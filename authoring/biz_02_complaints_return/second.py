"""reference-2: sorted by cause, other columns first on Contacts, other formulas, a title above."""

from pathlib import Path

import openpyxl
from openpyxl.styles import Font
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.biz_02_complaints_return.book import FORM_NAME, NAME, SETTINGS, SHEETS, filled
from authoring.biz_02_complaints_return.story import LABELS, RATE
from authoring.biz_02_complaints_return.world import CODES, HOLIDAYS, World
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN, pack

FREE = "Settings!$E$2:$E$8"
OUTCOMES = ("open", "upheld", "partly", "not upheld")


def _settings(told: World, sheet: Worksheet) -> None:
    sheet.append(("What", "Now", None, None, "Public holidays"))
    for pair in zip(SETTINGS, (3, 56, told.base), strict=True):
        sheet.append(pair)
    for row, day in enumerate(HOLIDAYS, 2):
        sheet.cell(row, 5, day).number_format = "d mmm yyyy"


def _register(told: World, sheet: Worksheet) -> None:
    heads = ("Complaint", "Received", "Closed", "Product", "Cause", "Outcome", "Redress")
    sheet.append((*heads, "Days", "Last day for a summary", "Summary resolution", "Reason"))
    ordered = sorted(told.complaints, key=lambda one: (one.cause, one.no))
    for row, one in enumerate(ordered, 2):
        typed = (one.no, one.received, one.closed, one.product, one.cause, one.outcome)
        days = f'=IF(ISNUMBER(C{row}),C{row}-B{row},"")'
        last = f"=WORKDAY(B{row},Settings!$B$2,{FREE})"
        said = f'=IF(AND(ISNUMBER(C{row}),N(C{row})<=I{row}),"yes","no")'
        why = f"{one.first.clause}: {'; '.join(one.first.words)}"
        sheet.append((*typed, one.redress, days, last, said, why))
        for column in (2, 3, 9):
            sheet.cell(row, column).number_format = "dd/mm/yyyy" if column == 9 else "yyyy-mm-dd"


def _contacts(told: World, sheet: Worksheet) -> None:
    sheet.append(("Contact", "Left out", "Complaint", "Channel"))
    for one in told.contacts:
        sheet.append((one.no, one.left or None, told.belongs(one) or None, one.channel))


def _area(column: str, rows: int) -> str:
    return f"Register!${column}$2:${column}${rows + 1}"


def _summary(told: World, sheet: Worksheet) -> None:
    n = len(told.complaints)
    sheet.append(("Complaints of January to June 2025",))
    sheet.append(())
    formulas = (
        f'=SUMPRODUCT(--({_area("A", n)}<>""))',
        f'=SUMPRODUCT(--({_area("J", n)}="yes"))',
        f'=SUMPRODUCT(({_area("C", n)}<>"")*(Settings!$B$3>={_area("C", n)}-{_area("B", n)}))',
        *(f'=SUMPRODUCT(--({_area("F", n)}="{name}"))' for name in OUTCOMES),
        f"=SUMPRODUCT({_area('G', n)})",
        "=ROUND(B3/(Settings!$B$4/1000),2)",
    )
    for pair in zip((*LABELS, RATE), formulas, strict=True):
        sheet.append(pair)
    for column, head in enumerate(("Code", "Paid", "Complaints", "For the customer"), 5):
        sheet.cell(3, column, head).font = Font(bold=True)
    for row, code in enumerate(CODES, 4):
        mine = f"({_area('E', n)}=$E{row})"
        right = f'(({_area("F", n)}="upheld")+({_area("F", n)}="partly"))'
        told_of = (f"{mine}*{_area('G', n)}", f"{mine}*1", f"{mine}*{right}")
        sheet.cell(row, 5, code)
        for column, product in enumerate(told_of, 6):
            sheet.cell(row, column, f"=SUMPRODUCT({product})")


def write_second(told: World, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    for name, write in zip(SHEETS, (_settings, _register, _contacts, _summary), strict=True):
        write(told, first if name == SHEETS[0] else book.create_sheet(name))
    _save(book, folder / NAME)
    fill_caches(folder / NAME)
    form: Workbook = openpyxl.Workbook()
    sheet = form.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "Return"
    tables = filled(told)
    for table, place in zip(tables, (sheet, form.create_sheet("Open")), strict=True):
        place.append(table.header)
        for row in table.rows:
            place.append([str(value) if isinstance(value, str) else value for value in row])
    _save(form, folder / FORM_NAME)
    pack(folder / FORM_NAME)


def _save(book: Workbook, path: Path) -> None:
    for sheet in book.worksheets:
        for letter in "ABCDEFGH":
            sheet.column_dimensions[letter].width = 18
    book.properties.creator, book.properties.title = "A. Clerk", "Complaints"
    book.properties.created = book.properties.modified = WHEN
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)
