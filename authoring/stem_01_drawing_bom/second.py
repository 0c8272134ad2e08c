"""reference-2: another hand, another road to the same numbers.

Entries are typed and sorted by class; the status of a position is looked up in them. ERP lines are
cleaned on a sheet of their own, due dates counted off a list of working days, quantities per
station multiplied cell by cell, the gap built from the largest and smallest closing chain.
openpyxl writes it into a copy of the export, LibreOffice's values are put in afterwards.
"""

from datetime import timedelta
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment

from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN
from authoring.stem_01_drawing_bom.book import BOOK
from authoring.stem_01_drawing_bom.inputs import BOM_FIRST, RAW
from authoring.stem_01_drawing_bom.said import told_again
from authoring.stem_01_drawing_bom.second_figures import chain, dimensions, overview, weights
from authoring.stem_01_drawing_bom.second_sheet import day, listed, printed, titled
from authoring.stem_01_drawing_bom.story import Story

TOP = 3
"""The row of the headings of BOM comparison, Dimensions and Mass and cost."""
CLEAN, WORKDAYS = "ERP lines", "Working days"
ACTIONS_HEAD = 5


def write_second(told: Story, source: Path, folder: Path) -> None:
    """Needs LibreOffice. `source`: the export."""
    book: Workbook = load_workbook(source)
    book.properties.creator, book.properties.title = "Config Mgmt", "Check before build"
    book.properties.created = book.properties.modified = WHEN
    for write in (lines, dimensions, register, todo, chain, weights, overview, clean, workdays):
        write(told, book)
    for sheet in book.worksheets[len(RAW) :]:
        printed(sheet)
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / BOOK)
    fill_caches(folder / BOOK)


def clean(told: Story, book: Workbook) -> None:
    """The export's lines with plain numbers, and whether each counts."""
    sheet = book.create_sheet(CLEAN)
    titled(sheet, "", ("In", "No.", "What", "How many", "Counts"), 1)
    for row in range(2, len(told.world.erp) + 2):
        there = row + BOM_FIRST - 2
        raw = f'SUBSTITUTE(\'BOM export\'!F{there},",",".")'
        scale = f"IF(OR('BOM export'!G{there}=\"KG\",'BOM export'!G{there}=\"M\"),1000,1)"
        valid = f"'BOM export'!J{there}<=Actions!$B$2,'BOM export'!K{there}>=Actions!$B$2"
        sheet[f"A{row}"] = f"='BOM export'!B{there}"
        sheet[f"B{row}"] = f"=VALUE('BOM export'!C{there})/10"
        sheet[f"C{row}"] = f"=TRIM('BOM export'!D{there})"
        sheet[f"D{row}"] = f"=ROUND(VALUE({raw})*{scale},6)"
        sheet[f"E{row}"] = f'=IF(AND({valid}),"yes","no")'


def workdays(told: Story, book: Workbook) -> None:
    """Every working day around the build, one below the other."""
    sheet = book.create_sheet(WORKDAYS)
    sheet["A1"] = "Open"
    sheet.column_dimensions["A"].width = 14
    closed = {*told.world.closed, told.world.closed_too}
    first, row = told.world.checked - timedelta(days=7), 2
    for back in range((told.world.build - first).days + 40):
        one = first + timedelta(days=back)
        if one.weekday() < 5 and one not in closed:
            day(sheet, f"A{row}", one)
            row += 1


def lines(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("BOM comparison")
    names = (
        "Item",
        "Parent",
        "Part",
        "Name",
        "Drawing qty",
        "Notice qty",
        "Notice",
        "Governing qty",
        "ERP qty",
        "ERP part",
        "Status",
    )
    titled(sheet, f"{told.world.no('000')}: drawings against ERP", names, TOP)
    end = len(told.world.erp) + 1
    ids = f"Discrepancies!$A$2:$A${len(told.made.register) + 1}"
    for row, one in enumerate(told.made.lines, TOP + 1):
        quantity = one.notice is not None and one.notice.code == "QTY"
        values = (one.item, one.parent, one.part, told.world.parts[one.part].name)
        for column, value in enumerate(values, 1):
            sheet.cell(row, column, value)
        sheet[f"E{row}"] = int(one.drawn) if one.listed else 0
        if quantity and one.notice:
            sheet[f"F{row}"], sheet[f"G{row}"] = int(one.notice.value), one.notice.number
        sheet[f"H{row}"] = f"=IF(ISBLANK(F{row}),E{row},F{row})"
        in_, no, qty, counts = (f"{CLEAN!r}!${c}$2:${c}${end}" for c in "ABDE")
        sheet[f"I{row}"] = f'=SUMIFS({qty},{in_},B{row},{no},A{row},{counts},"yes")'
        sheet[f"J{row}"] = one.erp_part or "none"
        prefix = f'"D-"&RIGHT(B{row},3)&"-"&TEXT(A{row},"00")&"-"'
        hits = f'SUMPRODUCT((LEFT({ids},9)={prefix})*(RIGHT({ids},3)<>"DIM"))'
        other = f'IF(J{row}=C{row},"Match","Alternate")'
        sheet[f"K{row}"] = f'=IF({hits}>0,"Discrepancy",{other})'
        sheet[f"K{row}"].alignment = Alignment(horizontal="left", indent=1)
    sheet.column_dimensions["D"].width = 38
    listed(sheet, TOP, TOP + len(told.made.lines), "K")


def register(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Discrepancies")
    names = (
        "Discrepancy ID",
        "Class",
        "Part",
        "Drawing",
        "Found",
        "Governing value",
        "Governing source",
    )
    titled(sheet, "", names, 1)
    rows = sorted(told.made.register, key=lambda one: (one.cls, one.id))
    for row, one in enumerate(rows, 2):
        values = (one.id, one.cls, one.part, one.drawn, one.found, one.governing, one.source)
        for column, value in enumerate(values, 1):
            whole = one.code == "QTY" and column in (4, 5, 6)
            cell = sheet.cell(row, column, int(value) if whole else value)
            cell.alignment = Alignment(horizontal="left", indent=1)
    for letter in "DEFG":
        sheet.column_dimensions[letter].width = 26
    listed(sheet, 1, len(rows) + 1, "G")


def todo(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Actions")
    sheet["A1"], sheet["A2"] = "Day of the check", "Build start"
    day(sheet, "B1", told.world.checked)
    day(sheet, "B2", told.world.build)
    names = ("Action ID", "Discrepancy ID", "Owner", "Due date", "After days")
    titled(sheet, "", (*names, "Record", "What is to be done"), ACTIONS_HEAD)
    rows = sorted(told.made.actions, key=lambda one: (one.due, one.id))
    open_ = f"{WORKDAYS!r}!$A$2:$A$80"
    last = f"INDEX({open_},MATCH($B$2-1,{open_},1)-2)"
    for row, one in enumerate(rows, ACTIONS_HEAD + 1):
        sheet[f"A{row}"], sheet[f"B{row}"], sheet[f"C{row}"] = one.id, one.entry.id, one.owner
        counted = f"INDEX({open_},MATCH($B$1,{open_},1)+E{row})"
        day(sheet, f"D{row}", f"=MIN({counted},{last})")
        sheet[f"E{row}"] = one.days
        sheet[f"F{row}"], sheet[f"G{row}"] = told_again(told, one)
    sheet.column_dimensions["F"].width, sheet.column_dimensions["G"].width = 24, 76
    for letter in "ABC":
        sheet.column_dimensions[letter].width = 22
    listed(sheet, ACTIONS_HEAD, ACTIONS_HEAD + len(rows), "G")
