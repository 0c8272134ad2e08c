"""Attendance Cleaning and Monthly Payroll of reference-2."""

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from authoring.biz_01_payroll_talent.rules import month_name
from authoring.biz_01_payroll_talent.story import Story

ATTENDANCE = ("Month", "Employee ID", "Overtime (hours)", "Unpaid absence (days)")
PAYROLL = (
    "Month",
    "Employee ID",
    "Department",
    "Gross pay",
    "Tax this month",
    "Net pay",
    "Base salary",
    "Absence deduction",
    "Overtime pay",
    "Contribution base",
    "Employee contributions",
    "Employer contributions",
    "Total employment cost",
    "Cumulative taxable income",
    "Month number",
    "Taxable in the month",
    "Due on the year so far",
)
TOP = 4
"""The row of the headings in Monthly Payroll."""
MONEY = "#,##0.00"
BLOCK = 24
"""Row of the first change in the block beside the payroll."""


def titled(sheet: Worksheet, title: str, header: tuple[str, ...], row: int) -> None:
    sheet["A1"] = title
    sheet["A1"].font = Font(name="Calibri", bold=True, size=14)
    for column, name in enumerate(header, 1):
        cell = sheet.cell(row, column, name)
        cell.font = Font(name="Calibri", bold=True)
        sheet.column_dimensions[cell.column_letter].width = max(13, len(name) + 2)
    printed(sheet, row)


def printed(sheet: Worksheet, row: int = 0) -> None:
    """One page wide, the heading row on each."""
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", 9
    sheet.page_setup.fitToHeight = 0 if row else 1
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    if row:
        sheet.print_title_rows = f"{row}:{row}"


def attendance(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Attendance Cleaning")
    titled(sheet, f"{told.world.company}: attendance 2024, cleaned", ATTENDANCE, 3)
    for row, line in enumerate(sorted(told.lines, key=lambda o: (o.month, o.employee)), 4):
        values = (month_name(line.month), line.employee, line.overtime, line.absence)
        for column, value in enumerate(values, 1):
            sheet.cell(row, column).value = value
    sheet.freeze_panes = "A4"
    sheet.auto_filter.ref = f"A3:D{3 + len(told.lines)}"


def payroll(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Monthly Payroll")
    titled(sheet, f"{told.world.company}: payroll 2024", PAYROLL, TOP)
    sheet["A2"] = "All amounts in TVC"
    rows = sorted(told.pay, key=lambda o: (o.month, o.employee))
    for row, line in enumerate(rows, TOP + 1):
        sheet[f"A{row}"], sheet[f"B{row}"] = month_name(line.month), line.employee
        for column, formula in _formulas(row, len(told.lines)).items():
            sheet[f"{column}{row}"] = f"={formula}"
            sheet[f"{column}{row}"].number_format = "0" if column == "O" else MONEY
    sheet.freeze_panes = f"C{TOP + 1}"
    sheet.auto_filter.ref = f"A{TOP}:Q{TOP + len(rows)}"
    _slices(told, sheet)
    _changes(told, sheet)


def _formulas(r: int, lines: int) -> dict[str, str]:
    """One row of the payroll, by column."""
    return _changed(r) | _paid(r, lines + 3) | _taxed(r)


def _block(column: str) -> str:
    """A column of the block of changes."""
    return f"${column}${BLOCK}:${column}${BLOCK + 8}"


def _changed(r: int) -> dict[str, str]:
    """Base as steps from the roster's; department by the last transfer reached."""
    home = f"MATCH(B{r},Roster!$A$2:$A$41,0)"
    reached = f'({_block("S")}=B{r})*({_block("T")}="Transfer")*({_block("U")}<=O{r})'
    steps = f'SUMIFS({_block("V")},{_block("S")},B{r},{_block("U")},"<="&O{r})'
    return {
        "O": f"VALUE(RIGHT(A{r},2))",
        "C": f"IFERROR(LOOKUP(2,1/({reached}),{_block('W')}),INDEX(Roster!$C$2:$C$41,{home}))",
        "G": f"INDEX(Roster!$G$2:$G$41,{home})+{steps}",
    }


def _paid(r: int, last: int) -> dict[str, str]:
    """Gross pay and contributions. 4/87 is 1/21.75, 174 is 8 times 21.75."""
    ids, months, hours, days = (f"'Attendance Cleaning'!${c}$4:${c}${last}" for c in "BACD")
    here = f"({ids}=B{r})*({months}=A{r})"
    own, rates = (
        "+".join(f"Contributions!${column}${row}" for row in range(2, 6)) for column in "DE"
    )
    july = f"IF(O{r}>6,$T$13-Contributions!$E$3,0)"
    return {
        "H": f"ROUND(G{r}*SUMPRODUCT({here}*{days})*4/87,2)",
        "I": f"ROUND(G{r}*SUMPRODUCT({here}*{hours})*1.5/174,2)",
        "D": f"G{r}-H{r}+I{r}",
        "J": f"MEDIAN(G{r},Contributions!$B$2,Contributions!$C$2)",
        "K": f"ROUND(J{r}*({own}),2)",
        "L": f"ROUND(J{r}*({rates}+{july}),2)",
        "M": f"D{r}+L{r}",
    }


def _taxed(r: int) -> dict[str, str]:
    """Nothing is paid back, so what was withheld so far is the highest tax due so far."""
    first = TOP + 1
    home = f"INDEX(Roster!$H$2:$H$41,MATCH(B{r},Roster!$A$2:$A$41,0))"
    slices = f"(N{r}>$S$6:$S$10)*(N{r}-$S$6:$S$10)*$U$6:$U$10"
    before = f"SUMPRODUCT(MAX(($B${first}:B{r - 1}=B{r})*$Q${first}:Q{r - 1}))"
    return {
        "P": f"D{r}-K{r}-4500-{home}",
        "N": f"SUMIF($B${first}:B{r},B{r},$P${first}:P{r})",
        "Q": f"ROUND(SUMPRODUCT({slices}),2)",
        "E": f"Q{r}" if r == first else f"ROUND(MAX(0,Q{r}-{before}),2)",
        "F": f"D{r}-K{r}-E{r}",
    }


def _slices(told: Story, sheet: Worksheet) -> None:
    """By how much the rate rises above each threshold; and the rate that finance corrected."""
    for column, name in zip("STU", ("Above", "Rate", "More than below"), strict=True):
        sheet[f"{column}5"] = name
    for row in range(6, 11):
        sheet[f"S{row}"] = f"='Tax Table'!A{row - 4}"
        sheet[f"T{row}"] = f"='Tax Table'!B{row - 4}"
        sheet[f"U{row}"] = f"=T{row}-T{row - 1}" if row > 6 else "=T6"
    sheet["S13"], sheet["T13"] = "Health, employer, from July", told.world.july


def _changes(told: Story, sheet: Worksheet) -> None:
    """The changes that were made, by the day on which they take effect, as steps."""
    names = ("Who", "What", "Holds from month", "Step in base", "Department from then")
    for column, name in zip("STUVW", names, strict=True):
        sheet[f"{column}{BLOCK - 1}"] = name
    order = sorted(range(9), key=lambda number: told.world.changes[number].day)
    for row, number in enumerate(order, BLOCK):
        raw = number + 2
        sheet[f"S{row}"] = f"=TRIM(Adjustments!A{raw})"
        sheet[f"T{row}"] = f"=Adjustments!B{raw}"
        sheet[f"U{row}"] = f"=MONTH(Adjustments!C{raw})+(DAY(Adjustments!C{raw})>15)"
        roster = f"INDEX(Roster!$G$2:$G$41,MATCH(S{row},Roster!$A$2:$A$41,0))"
        earlier = f"SUMIF($S${BLOCK - 1}:S{row - 1},S{row},$V${BLOCK - 1}:V{row - 1})"
        made = f'AND(T{row}="Raise",Adjustments!F{raw}="approved")'
        sheet[f"V{row}"] = f"=IF({made},Adjustments!D{raw}-{roster}-{earlier},0)"
        sheet[f"W{row}"] = f'=Adjustments!E{raw}&""'
