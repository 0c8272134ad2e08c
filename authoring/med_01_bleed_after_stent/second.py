"""The second reference: the rules inside the formulas, days counted one by one, another layout."""

from datetime import date
from pathlib import Path

import openpyxl
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from authoring.med_01_bleed_after_stent.book import NAME
from authoring.med_01_bleed_after_stent.plan import Line, Plan
from authoring.med_01_bleed_after_stent.rules import grams, valid
from authoring.med_01_bleed_after_stent.said import BETWEEN, CHECKS, DO, DRUGS, comment, why
from authoring.med_01_bleed_after_stent.sheet import A4
from authoring.parts.caches import fill_caches

DAY, TOP = "yyyy-mm-dd", 4
"""Format of dates; the first row of data under a title, a note and the headings."""
WIDTHS = {
    "Basis": (34, 14, 8, 28),
    "Home medicines": (7, 12, 20, 12, 78, 18),
    "Schedule": (20, 7, 13, 13, 10, 10, 12, 10, 76),
    "Monitoring": (8, 50, 13, 13, 7, 3, *(5,) * 7),
    "Interactions": (7, 13, 13, 36, 64),
    "Closed days": (13, 32),
}
AT_HOME, ZERO, CLEAR = "Basis!$B$3", "Basis!$B$4", "Basis!$B$15"
EIGHTY = "DATE(YEAR(Basis!$B$10)+80,MONTH(Basis!$B$10),DAY(Basis!$B$10))"
NINE = (
    "MIN(DATE(YEAR(Basis!$B$7),MONTH(Basis!$B$7)+{n},DAY(Basis!$B$7)),"
    "DATE(YEAR(Basis!$B$7),MONTH(Basis!$B$7)+{n}+1,0))"
)
MONTHS = "IF(OR(Basis!$B$9>60,Basis!$C$9>=3),9,6)"
FIRST = {
    ("apixaban", 2): EIGHTY,
    ("clopidogrel", 1): f"{ZERO}+IF(Basis!$B$8>90,5,IF(Basis!$B$8>30,3,1))",
    ("pantoprazole", 1): f"{ZERO}+3",
    ("pantoprazole", 2): f"MAX({ZERO},{AT_HOME})+15",
    ("calcium carbonate", 1): f"{AT_HOME}+15",
    ("ramipril", 1): f"{ZERO}+7",
    ("spironolactone", 1): f"{ZERO}+14",
}
LAST = {
    ("apixaban", 1): f"{EIGHTY}-1",
    ("clopidogrel", 1): NINE.format(n=MONTHS),
    ("pantoprazole", 1): f"MAX({ZERO},{AT_HOME})+14",
    ("bismuth subcitrate", 1): f"{AT_HOME}+14",
    ("tetracycline", 1): f"{AT_HOME}+14",
    ("metronidazole", 1): f"{AT_HOME}+14",
    ("paracetamol", 1): f"{AT_HOME}+14",
}
DOSE = {
    "metformin": f"MIN(2000,IF({CLEAR}>=60,3000,IF({CLEAR}>=45,2000,IF({CLEAR}>=30,1000,0))))/2",
    "gabapentin": (
        f"MIN(1800,IF({CLEAR}>=80,3600,IF({CLEAR}>=50,1800,IF({CLEAR}>=30,900,"
        f"IF({CLEAR}>=15,600,0)))))/3"
    ),
}


def write_second(told: Plan, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    _basis(told, sheet)
    _home(told, _sheet(book, "Home medicines"))
    rows = _schedule(told, _sheet(book, "Schedule"))
    _monitoring(told, _sheet(book, "Monitoring"), rows)
    _interactions(told, _sheet(book, "Interactions"))
    closed = _sheet(book, "Closed days")
    for day, reason in (("Closed on", "Why"), *told.world.closed):
        closed.append([day, reason])
    for row in range(2, closed.max_row + 1):
        closed.cell(row, 1).number_format = DAY
    for name, at in (("Day_Zero", "B4"), ("CrCl", "B15"), ("Iron_mg", "B19")):
        place = f"Basis!${at[0]}${at[1:]}"
        book.defined_names[name] = openpyxl.workbook.defined_name.DefinedName(name, attr_text=place)
    _layout(book)
    path = folder / NAME
    book.save(path)
    fill_caches(path)


def _sheet(book: openpyxl.Workbook, name: str) -> Worksheet:
    made: Worksheet = book.create_sheet(name)
    return made


def _basis(told: Plan, sheet: Worksheet) -> None:
    drawn, found = told.world, told.basis
    sheet.title = "Basis"
    bloods = valid(drawn, "Haemoglobin")
    before = next(row for row in reversed(bloods) if row.day < drawn.admitted)
    lowest = min(grams(row) for row in bloods)
    lengths = "+".join(str(stent.length) for stent in drawn.stents)
    sheet["A1"] = f"Basis of the plan, {drawn.patient.name}"
    sheet["A1"].font = Font(bold=True, size=12)
    rows: tuple[tuple[str, str | float | date], ...] = (
        ("Discharge date", drawn.discharge),
        ("Day 0", drawn.day_zero),
        ("Creatinine used (µmol/L)", int(found.creatinine)),
        ("Actual weight (kg)", float(found.actual)),
        ("Date of last stent", drawn.last_pci),
        ("Stent age on Day 0 (days)", "=B4-B7"),
        ("Total stent length (mm)", f"={lengths}"),
        ("Date of birth", drawn.born),
        ("Age (years)", "=YEAR(B3)-YEAR(B10)-IF(DATE(YEAR(B3),MONTH(B10),DAY(B10))>B3,1,0)"),
        ("Height (cm)", f"=ROUND((12*{drawn.feet}+{drawn.inches})*2.54,1)"),
        ("Ideal weight (kg)", "=ROUND(50+0.91*(B12-152.4),1)"),
        ("Dosing weight (kg)", "=IF(B6/B13>1.2,ROUND(0.6*B13+0.4*B6,1),MIN(B6,B13))"),
        ("Creatinine clearance (mL/min)", "=ROUND(1.23*B14*(140-B11)/B5,1)"),
        ("Months between renal checks", "=ROUNDDOWN(B15/10,0)"),
        ("CHA2DS2-VASc", "=2+1+1+1"),
        ("Haemoglobin fall (g/L)", f"={before.value}*10-{lowest}"),
        ("Iron in all (mg)", f"=IF({found.haemoglobin}<100,1500,1000)+IF(B6>=70,500,0)"),
    )
    for row, (label, value) in enumerate(rows, 3):
        sheet.cell(row, 1, label)
        cell = sheet.cell(row, 2, value)
        if label in ("Discharge date", "Day 0", "Date of last stent", "Date of birth"):
            cell.number_format = DAY
    sheet["C9"], sheet["D9"] = found.stents, "stents, of both procedures"


def _layout(book: openpyxl.Workbook) -> None:
    """What a reader sees and prints: widths, landscape, numbers apart from words."""
    for name, widths in WIDTHS.items():
        sheet = book[name]
        sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", A4
        sheet.page_setup.fitToHeight = 0
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        for column, width in enumerate(widths, 1):
            sheet.column_dimensions[get_column_letter(column)].width = width
        table = name not in ("Basis", "Closed days")
        if table:
            sheet.row_dimensions[TOP - 1].height = 30
        for cell in (
            cell for row in sheet.iter_rows(min_row=TOP - 1 if table else 1) for cell in row
        ):
            heading = table and cell.row == TOP - 1
            cell.alignment = Alignment(horizontal="left", vertical="top", wrap_text=heading)


def _heads(sheet: Worksheet, title: str, note: str, heads: tuple[str, ...]) -> None:
    sheet["A1"], sheet["A2"] = title, note
    sheet["A1"].font = Font(bold=True, size=12)
    for column, name in enumerate(heads, 1):
        sheet.cell(TOP - 1, column, name).font = Font(bold=True)
    sheet.freeze_panes = f"A{TOP}"


def _home(told: Plan, sheet: Worksheet) -> None:
    heads = ("Line", "Decision", "Drug", "Daily dose (mg)", "Ground", "Product on the box")
    _heads(sheet, "Medicines on admission", "Ended lines left out", heads)
    for line in sorted(
        (one for one in told.world.home if one.decision), key=lambda one: one.generic
    ):
        reason = why(told, line)
        row = [line.line, line.decision, line.generic, float(line.daily), reason, line.product]
        sheet.append(row)


def _schedule(told: Plan, sheet: Worksheet) -> dict[tuple[str, int], int]:
    """Gives the row of each drug and step."""
    heads = (
        "Drug",
        "Step",
        "First day",
        "Last day",
        "Dose (mg)",
        "Times per day",
        "Tablets to dispense",
    )
    _heads(sheet, "What he takes", "Sorted by drug", (*heads, "Tablet (mg)", "Note"))
    rows: dict[tuple[str, int], int] = {}
    for row, key in enumerate(sorted(DRUGS), TOP):
        line = told.line(*key)
        rows[key] = row
        _line(sheet, row, line, told.basis.restart)
        sheet.cell(row, 9, comment(told, line))
    return rows


def _line(sheet: Worksheet, row: int, line: Line, restart: int) -> None:
    key = (line.drug, line.step)
    begin = f"{ZERO}+{restart}" if key == ("apixaban", 1) else FIRST.get(key, f"{AT_HOME}+1")
    dose = f"={DOSE[line.drug]}" if line.drug in DOSE else float(line.dose)
    days = f"ROW($1:$28)+{AT_HOME}"
    end = f"IF(ISNUMBER(D{row}),D{row},99999)"
    count = f"SUMPRODUCT(({days}>=C{row})*({days}<={end}))"
    values: tuple[str | float, ...] = (
        *(line.drug, line.step, f"={begin}", f"={LAST[key]}" if key in LAST else "open"),
        *(dose, line.times, f"={count}*F{row}*E{row}/H{row}", float(line.strength)),
    )
    for column, value in enumerate(values, 1):
        sheet.cell(row, column, value)
    sheet.cell(row, 3).number_format = sheet.cell(row, 4).number_format = DAY


def _monitoring(told: Plan, sheet: Worksheet, rows: dict[tuple[str, int], int]) -> None:
    _heads(
        sheet,
        "Checks",
        "Columns G to M: days to the next open day (99: closed); side -1: the open day before",
        ("Code", "Examination", "Due", "Appointment", "Side"),
    )
    end = f"Schedule!D{rows['tetracycline', 1]}"

    def start(drug: str, step: int = 1) -> str:
        return f"Schedule!C{rows[drug, step]}"

    due = {
        "M01": f"{AT_HOME}+3",
        "M02": f"{AT_HOME}+7",
        "M03": f"{start('apixaban')}-1",
        "M04": f"{start('ramipril')}+7",
        "M05": f"{start('spironolactone')}+7",
        "M06": f"{start('apixaban')}+7",
        "M07": f"{start('apixaban')}+28",
        "M08": f"{ZERO}+7*8",
        "M09": f"{end}+7*6",
        "M10": f"{start('apixaban', 2)}-7",
        "M11": f"Schedule!D{rows['clopidogrel', 1]}-14",
    }
    for row, check in enumerate(told.checks, TOP):
        renal = f"EDATE({AT_HOME},{check.code[1:]}*Basis!$B$16)"
        sheet.cell(row, 1, check.code)
        sheet.cell(row, 2, CHECKS.get(check.code, CHECKS["R"]))
        sheet.cell(row, 3, f"={due.get(check.code, renal)}").number_format = DAY
        sheet.cell(row, 4, f"=C{row}+E{row}*MIN(G{row}:M{row})").number_format = DAY
        sheet.cell(row, 5, -1 if check.way == "before" else 1)
        for step in range(7):
            day = f"C{row}+E{row}*{step}"
            open_ = f"AND(WEEKDAY({day},2)<6,COUNTIF('Closed days'!$A$2:$A$40,{day})=0)"
            sheet.cell(row, 7 + step, f"=IF({open_},{step},99)")


def _interactions(told: Plan, sheet: Worksheet) -> None:
    heads = ("No.", "First day together", "Last day together", "Pair", "Advice")
    _heads(sheet, "Live lines of Table 6", "", heads)
    for row, pair in enumerate(told.pairs, TOP):
        sums = [
            f'SUMIFS(Schedule!$C$4:$C$40,Schedule!$A$4:$A$40,"{drug}",Schedule!$B$4:$B$40,1)'
            for drug in BETWEEN[pair.number]
        ]
        last = sums[0].replace("$C$", "$D$").replace(BETWEEN[pair.number][0], "clopidogrel")
        sheet.cell(row, 1, pair.number)
        sheet.cell(row, 2, f"=MAX({','.join(sums)})").number_format = DAY
        sheet.cell(row, 3, f"={last}" if pair.last else "open").number_format = DAY
        sheet.cell(row, 4, " with ".join(BETWEEN[pair.number]))
        sheet.cell(row, 5, DO[pair.number][1])
