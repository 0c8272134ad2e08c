"""Workbooks to read, made here: one with everything in it, and small ones of raw XML."""

import datetime
from pathlib import Path

import pytest
import xlsxwriter
from openpyxl import Workbook
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import ColorScale, FormatObject, Rule
from openpyxl.styles import Color, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet

from bythebook.deliverables.evidence.office import find_engine
from tests.deliverables.evidence.documents import relations, zipped

needs_engine = pytest.mark.skipif(find_engine() is None, reason="LibreOffice is not installed")

S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT_S = "http://purl.oclc.org/ooxml/spreadsheetml/main"
MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"


TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{MAIN}"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
)


def payroll(path: Path) -> Path:
    """Formulas without cached values, charts, names, hidden things, comments: all in one book."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "Payroll"
    _people(sheet)
    _figures(sheet)
    _looks(sheet)
    for title, state in (("Hidden", "hidden"), ("VeryHidden", "veryHidden")):
        extra = book.create_sheet(title)
        extra["A1"], extra["B2"] = f"{title} text", 21
        extra.sheet_state = state
    book.defined_names["GrossRange"] = DefinedName("GrossRange", attr_text="Payroll!$E$2:$E$41")
    book.defined_names["TaxRate"] = DefinedName("TaxRate", attr_text="0.2")
    _table(book.create_sheet("Tbl"))
    book.save(path)
    return path


def _people(sheet: Worksheet) -> None:
    sheet.append(["Emp", "Name", "Base", "Bonus", "Gross", "Month"])
    for n in range(1, 41):
        month = datetime.date(2024, n % 12 + 1, 1)
        sheet.append(
            [f"EMP{n:03}", f"员工{n}", 10000 + n * 137.5, n * 10, f"=C{n + 1}+D{n + 1}", month]
        )
        sheet.cell(n + 1, 3).number_format = "#,##0.00"
        sheet.cell(n + 1, 5).number_format = "¥#,##0.00"
        sheet.cell(n + 1, 6).number_format = "yyyy-mm"


def _figures(sheet: Worksheet) -> None:
    sheet["H1"] = "KPI"
    sheet.merge_cells("H1:J2")
    formulas = (
        ("Total gross", "SUM(E2:E41)"),
        ("Lookup", 'VLOOKUP("EMP007",A2:E41,5,FALSE)'),
        ("Tax", "SUMPRODUCT((E2:E41>12000)*(E2:E41-12000)*0.1)"),
        ("Missing", 'IFERROR(INDEX(B2:B41,MATCH("EMP099",A2:A41,0)),"n/a")'),
        ("Named", "SUM(GrossRange)*TaxRate"),
        ("Cross", "Hidden!B2*2"),
        ("Error", "1/0"),
        ("Newer", '_xlfn.XLOOKUP("EMP003",A2:A41,E2:E41,"none")'),
        ("On newer", "I10*2"),
        ("Caught", 'IFERROR(I10,"caught")'),
        ("Today", "TODAY()-F2"),
        ("Joined", '_xlfn.TEXTJOIN(",",TRUE,A2:A4)'),
        ("Text", 'TEXT(I3,"#,##0.00")'),
    )
    for row, (label, formula) in enumerate(formulas, 3):
        sheet.cell(row, 8, label)
        sheet.cell(row, 9, f"={formula}")
    sheet["I3"].number_format = "#,##0"
    sheet["K1"] = ArrayFormula("K1:K3", "=D2:D4*2")


def _looks(sheet: Worksheet) -> None:
    sheet["E3"].comment = Comment("Check with payroll: raise effective 2024-04", "Reviewer A")
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = "A1:F41"
    red = DifferentialStyle(fill=PatternFill("solid", bgColor="FFFFC7CE"))
    over = Rule("cellIs", operator="greaterThan", formula=["15000"], dxf=red)
    sheet.conditional_formatting.add("E2:E41", over)
    ends = [FormatObject("min"), FormatObject("max")]
    scale = ColorScale(cfvo=ends, color=[Color("F8696B"), Color("63BE7B")])
    sheet.conditional_formatting.add("C2:C41", Rule("colorScale", colorScale=scale))
    sheet.print_area = "A1:F41"
    for kind, column, corner in ((BarChart, 5, "H20"), (LineChart, 4, "H38")):
        chart = kind()
        chart.title = f"Column {column}"
        data = Reference(sheet, min_col=column, min_row=1, max_row=13)
        chart.add_data(data, titles_from_data=True)
        chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=13))
        sheet.add_chart(chart, corner)
    sheet.row_dimensions[10].hidden = True
    sheet.column_dimensions["D"].hidden = True
    sheet.column_dimensions["B"].width = 22
    rule = DataValidation(type="list", formula1='"A,B,C"')
    sheet.add_data_validation(rule)
    rule.add("G2")


def _table(sheet: Worksheet) -> None:
    sheet.append(["k", "v"])
    for n in range(5):
        sheet.append([f"k{n}", n])
    table = Table(displayName="Figures", ref="A1:B6")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleMedium9")
    sheet.add_table(table)
    sheet["D1"] = "=SUM(Figures[v])"
    sheet["D2"], sheet["D2"].number_format = "1234", "@"
    sheet["D3"] = True
    sheet["D5"], sheet["D5"].number_format = -1234.567, "#,##0.00;[Red](#,##0.00)"
    sheet["D6"], sheet["D6"].number_format = 45000, 'yyyy"年"m"月"d"日"'
    sheet["D7"] = "link"
    sheet["D7"].hyperlink = "https://example.com"


def raw(path: Path, rows: str, *, after: str = "", space: str = S, **parts: str | bytes) -> Path:
    """A book of one sheet `Data` whose XML is given; parts by name, `__` for `/`."""
    book = (
        f'<workbook xmlns="{space}" xmlns:r="{R}"><sheets>'
        '<sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    sheet = (
        f'<worksheet xmlns="{space}" xmlns:r="{R}"><sheetData>{rows}</sheetData>{after}</worksheet>'
    )
    made: dict[str, str | bytes] = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": relations(rId1="officeDocument xl/workbook.xml"),
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": relations(
            rId1="worksheet worksheets/sheet1.xml",
            rId2="sharedStrings sharedStrings.xml",
            rId3="styles styles.xml",
        ),
        "xl/worksheets/sheet1.xml": sheet,
    }
    named = {name.replace("__", "/") + ".xml": part for name, part in parts.items()}
    return zipped(path, {**made, **named})


def row(number: int, *cells: str) -> str:
    """`row(1, 'A1|<v>1</v>', 'B1 t="b"|<v>1</v>')`: a cell's address and attributes, its inside."""
    inner = ""
    for cell in cells:
        head, _, value = cell.partition("|")
        at, _, more = head.partition(" ")
        inner += f'<c r="{at}" {more}>{value}</c>'
    return f'<row r="{number}">{inner}</row>'


def cached(path: Path, rows: int = 3, *, wrong: bool = False) -> Path:
    """Numbers, and formulas over them with their values; `wrong`: one of them is forged."""
    with xlsxwriter.Workbook(path) as book:
        data = book.add_worksheet("Data")
        data.write_row("A1", ["Base", "Bonus", "Gross"])
        for n in range(1, rows + 1):
            data.write_row(n, 0, [n * 100, n])
            data.write_formula(n, 2, f"=A{n + 1}+B{n + 1}", None, n * 101)
        total = 999 if wrong else 101 * rows * (rows + 1) // 2
        data.write_formula("E1", f"=SUM(C2:C{rows + 1})", None, total)
    return path
