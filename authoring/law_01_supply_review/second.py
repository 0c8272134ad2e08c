"""The second reference: grades by arithmetic, days by counting them on a sheet, another layout."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from math import ceil
from pathlib import Path

import openpyxl
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from authoring.law_01_supply_review.book import EVENTS, NAME, SHEETS, basis, redlines
from authoring.law_01_supply_review.calendar import DAY, Calendar
from authoring.law_01_supply_review.law import AUTHORITIES, CITED, REFERENCES
from authoring.law_01_supply_review.playbook import APPROVERS, CLASSES, GRADES
from authoring.law_01_supply_review.rules import Advice, Entry
from authoring.law_01_supply_review.sheet import A4
from authoring.law_01_supply_review.world import ANSWER, INSPECTION, WARRANTY
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

ISO = "yyyy-mm-dd"
HEADS = (
    *("Position", "Clause", "Class", "Grade", "Approver", "Required redline", "Authority"),
    *("Change", "Agreed", "Draft term"),
    *("Weight, points", "Class, points", "Steps", "Sum of points"),
)
FIRST, LAST = date(2026, 3, 1), date(2029, 6, 30)
"""Days that are counted."""
COUNTED = (LAST - FIRST).days + 2
"""Last row of the sheet Days."""


def write_second(told: Advice, folder: Path) -> None:
    """Needs LibreOffice."""
    folder.mkdir(parents=True, exist_ok=True)
    book = openpyxl.Workbook()
    book.properties.creator, book.properties.title = "R. Marsh", "Clause table"
    book.properties.created = book.properties.modified = WHEN
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = SHEETS[0]
    made = {SHEETS[0]: sheet} | {name: _sheet(book, name) for name in (*SHEETS[1:], "Days")}
    _basis(told, made["Basis"])
    _clauses(told, made["Clauses"])
    _references(made["Cross-references"])
    count = _charges(told, made["Charges"])
    _cap(count, made["Cap"])
    _dates(told, made["Dates"])
    _authorities(made["Authorities"])
    _days(made["Days"])
    book.save(folder / NAME)
    fill_caches(folder / NAME)


def _sheet(book: openpyxl.Workbook, name: str) -> Worksheet:
    made: Worksheet = book.create_sheet(name)
    made.page_setup.orientation, made.page_setup.paperSize = "landscape", A4
    made.page_setup.fitToHeight = 0
    made.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    return made


def _heads(sheet: Worksheet, names: Sequence[str], row: int = 3) -> None:
    for column, name in enumerate(names, 1):
        sheet.cell(row, column, name).font = Font(bold=True)
    sheet.freeze_panes = f"A{row + 1}"


def _widths(sheet: Worksheet, **widths: int) -> None:
    for column, width in widths.items():
        sheet.column_dimensions[column].width = width


def _basis(told: Advice, sheet: Worksheet) -> None:
    sheet["A1"] = "What the other sheets hang on"
    for row, (label, value, _) in enumerate(basis(told), 3):
        sheet.cell(row, 1, label)
        cell = sheet.cell(row, 2, float(value) if isinstance(value, Decimal) else value)
        if isinstance(value, date):
            cell.number_format = ISO
    sheet["B6"].number_format, sheet["B7"].number_format = "0%", "#,##0"
    _widths(sheet, A=22, B=14)


# --- clauses ------------------------------------------------------------------------------------


def _clauses(told: Advice, sheet: Worksheet) -> None:
    sheet["A1"] = "Draft 4 against the playbook"
    _heads(sheet, HEADS)
    words = redlines(told, 1)
    for row, one in enumerate(told.entries, 4):
        code = one.position.code
        relied = CITED.get(code, ("-",))[-1]
        sheet.cell(row, 1, code)
        sheet.cell(row, 2, one.position.clause or "12.1").number_format = "@"
        sheet.cell(row, 3, one.found)
        sheet.cell(row, 4, f"=CHOOSE(N{row}+1,{_quoted(GRADES)})")
        sheet.cell(row, 5, f"=CHOOSE(N{row}+1,{_quoted(APPROVERS)})")
        sheet.cell(row, 6, words[code])
        sheet.row_dimensions[row].height = 15 * ceil(len(words[code]) / 70)
        for column, text in enumerate((relied, one.change, one.agreed), 7):
            sheet.cell(row, column, text)
        _numbers(sheet, row, one)
        for cell in sheet[row]:
            cell.alignment = Alignment(vertical="top", wrap_text=cell.column == 6)
    sheet.auto_filter.ref = f"A3:J{3 + len(told.entries)}"
    _widths(sheet, C=11, D=10, E=19, F=70, G=18, H=10, J=12, K=15, L=14, M=8, N=15)


def _quoted(words: Sequence[str]) -> str:
    return ",".join(f'"{word}"' for word in words)


def _numbers(sheet: Worksheet, row: int, one: Entry) -> None:
    """Draft term, weight (-1, 0, 1), class (0 to 3), steps, and the grade (0 to 4)."""
    if one.position.code == "P14":
        sheet.cell(row, 10, "=ROUND(Cap!B9*100,1)").number_format = "0.0"
    else:
        sheet.cell(row, 10, "-" if one.term is None else float(one.term))
    sheet.cell(row, 11, ("standard", "key", "vital").index(one.position.weight) - 1)
    sheet.cell(row, 12, f"=MATCH(C{row},{{{_quoted(CLASSES)}}},0)-1")
    sheet.cell(row, 13, one.up - one.down)
    sheet.cell(row, 14, f"=IF(L{row}=0,0,MIN(4,MAX(1,MAX(1,L{row}+K{row})+M{row})))")


def _references(sheet: Worksheet) -> None:
    sheet["A1"] = "Wrong references in draft 4"
    _heads(sheet, ("Printed", "Should be", "In clause"))
    for row, one in enumerate(REFERENCES, 4):
        for column, text in enumerate((one.printed, one.right, one.clause), 1):
            sheet.cell(row, column, text).number_format = "@"


# --- money --------------------------------------------------------------------------------------


def _charges(told: Advice, sheet: Worksheet) -> int:
    sheet["A1"] = "What counts for the first Contract Year"
    _heads(sheet, ("Line", "Kind", "Amount (ACR)", "Pieces", "For one"))
    for row, line in enumerate(told.lines, 4):
        one = line.row
        sheet.cell(row, 1, one.line)
        sheet.cell(row, 2, str(one.kind))
        each = f"={line.price}/{one.per}" if one.per > 1 else float(line.price)
        sheet.cell(row, 4, one.quantity)
        sheet.cell(row, 5, each)
        sheet.cell(row, 3, f"=ROUND(D{row}*E{row},2)").number_format = "#,##0.00"
    _widths(sheet, C=16)
    return len(told.lines)


def _cap(count: int, sheet: Worksheet) -> None:
    sheet["A1"] = "Limit of liability"

    def total(kind: str) -> str:
        return f'SUMPRODUCT((Charges!B4:B{3 + count}="{kind}")*Charges!C4:C{3 + count})'

    rows = (
        ("Goods charges", total("goods")),
        ("Services charges", total("services")),
        ("All charges", f"SUM(Charges!C4:C{3 + count})"),
        ("Fallback cap", "ROUND(B5*3/2,2)"),
        ("Cap as drafted", "IF(Basis!B7<Basis!B6*B3,Basis!B7,ROUND(Basis!B6*B3,2))"),
        ("Cap by draft 3 wording", "IF(Basis!B7>Basis!B6*B5,Basis!B7,ROUND(Basis!B6*B5,2))"),
        ("Share of all charges", "B7/SUM(B3:B4)"),
        ("Cap lost", "B8-B7"),
        ("Shortfall", "B6-B7"),
    )
    for row, (label, formula) in enumerate(rows, 3):
        sheet.cell(row, 1, label)
        cell = sheet.cell(row, 2, f"={formula}")
        cell.number_format = "0.0%" if label.startswith("Share") else "#,##0.00"
    _widths(sheet, A=26, B=18)


# --- days ---------------------------------------------------------------------------------------


def _dates(told: Advice, sheet: Worksheet) -> None:
    days = told.world.days
    sheet["A1"] = "Days, counted on the sheet Days"
    _heads(sheet, ("Date", "Code", "What for"))

    def at(day: date) -> str:
        return f"DATE({day.year},{day.month},{day.day})"

    duties = f"DATE({days.nda.year}+3+5,{days.nda.month},{days.nda.day})"
    end = "DATE(YEAR(Basis!B4)+3,MONTH(Basis!B4),DAY(Basis!B4))-1"
    latest = f"MIN(DATE(YEAR({end}),MONTH({end})-{days.renewal},DAY({end})),"
    latest += f"DATE(YEAR({end}),MONTH({end})-{days.renewal}+1,0))"
    spring = f"DATE(YEAR(Basis!B5),MONTH(Basis!B5)+{WARRANTY},DAY(Basis!B5))"
    formulas = {
        "D1": _counted("Basis!B3", ANSWER + 1),
        "D2": _counted(latest, 0),
        "D3": duties,
        "D4": _counted(f"{at(days.interim_end)}-{days.interim_days}-1", 0),
        "D5": _counted(f"{at(days.list_day)}+{days.objection}-1", 1),
        "D6": _counted("Basis!B5", INSPECTION),
        "D7": _counted(f"{spring}-1", 1),
    }
    for row, code in enumerate(told.dates, 4):
        sheet.cell(row, 1, f"={formulas[code]}").number_format = ISO
        sheet.cell(row, 2, code)
        sheet.cell(row, 3, EVENTS[code][0])
    _widths(sheet, A=14, C=50)


def _counted(day: str, steps: int) -> str:
    """So many Business Days after a day; with 0 that day, or the one before it that is open."""
    number = f"INDEX(Days!$C$2:$C${COUNTED},MATCH({day},Days!$A$2:$A${COUNTED},0))"
    return f"INDEX(Days!$A$2:$A${COUNTED},MATCH({number}+{steps},Days!$C$2:$C${COUNTED},0))"


def _authorities(sheet: Worksheet) -> None:
    sheet["A1"] = "Authorities in the bundle"
    _heads(sheet, ("Short form", "Applies to", "Mandatory", "Status", "Note"))
    for row, one in enumerate(AUTHORITIES, 4):
        texts = (one.short, one.applies or "-", one.mandatory or "-", one.status, one.helps)
        for column, text in enumerate(texts, 1):
            sheet.cell(row, column, text)
    _widths(sheet, A=20, E=50)


def _days(sheet: Worksheet) -> None:
    """Every day, whether it is open, and how many open ones there were up to it."""
    _heads(sheet, ("Day", "Open", "So far", "Shut"), row=1)
    calendar = Calendar()
    shut = sorted((*calendar.named, *calendar.moved))
    for row, day in enumerate(shut, 2):
        sheet.cell(row, 4, day).number_format = ISO
    for row in range(2, COUNTED + 1):
        sheet.cell(row, 1, FIRST + (row - 2) * DAY).number_format = ISO
        held = f"COUNTIF($D$2:$D${len(shut) + 1},A{row})"
        sheet.cell(row, 2, f"=IF(OR(WEEKDAY(A{row},2)>5,{held}>0),0,1)")
        sheet.cell(row, 3, f"=B{row}" if row == 2 else f"=C{row - 1}+B{row}")
