"""The reference workbook: rules in named cells of `Workings`, all else led back to `Basis`."""

from pathlib import Path

from authoring.med_01_bleed_after_stent.plan import Plan
from authoring.med_01_bleed_after_stent.said import BETWEEN, CHECKS, DO, DRUGS, comment, source, why
from authoring.med_01_bleed_after_stent.sheet import Book, Sheet
from authoring.med_01_bleed_after_stent.workings import put_workings
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook

NAME = "medication-plan.xlsx"
SHEETS = ("Basis", "Home medicines", "Schedule", "Monitoring", "Interactions")
FIRST = {
    ("apixaban", 1): "Day_Zero+OAC_day",
    ("apixaban", 2): "EDATE(Birth,12*Reduced_age)",
    ("clopidogrel", 1): "Day_Zero+P2Y12_day",
    ("pantoprazole", 1): "Day_Zero+Oral_PPI_day",
    ("pantoprazole", 2): "F5+1",
    ("calcium carbonate", 1): "F8+Calcium_gap",
    ("ramipril", 1): "Day_Zero+ACE_day",
    ("spironolactone", 1): "Day_Zero+MRA_day",
}
"""All others: First_home."""
LAST = {
    ("apixaban", 1): "E3-1",
    ("clopidogrel", 1): "EDATE(Last_stent,Dual_months)",
    ("pantoprazole", 1): "MAX(Day_Zero+PPI_day,F8)",
    ("bismuth subcitrate", 1): "E7+Eradication_days-1",
    ("tetracycline", 1): "E8+Eradication_days-1",
    ("metronidazole", 1): "E9+Eradication_days-1",
    ("paracetamol", 1): "E16+Paracetamol_days-1",
}
APIXABAN = "IF({age}+(Actual_kg<=Reduced_kg)+(Creatinine>=Reduced_umol)>=2,2.5,5)"
RENAL = (
    "MIN(INDEX('Home medicines'!$C$2:$C$17,MATCH(A{r},'Home medicines'!$B$2:$B$17,0)),"
    "VLOOKUP(CrCl,{table},2))/D{r}"
)
DOSE = {
    ("apixaban", 1): APIXABAN.format(age='(DATEDIF(Birth,E2,"Y")>=Reduced_age)'),
    ("apixaban", 2): APIXABAN.format(age="(E3>=EDATE(Birth,12*Reduced_age))"),
    ("gabapentin", 1): RENAL.format(r=13, table="Gabapentin_most"),
    ("metformin", 1): RENAL.format(r=15, table="Metformin_most"),
}
DUE = {
    "M01": "Discharge+3",
    "M02": "Discharge+7",
    "M03": "Schedule!E2-1",
    "M04": "Schedule!E17+7",
    "M05": "Schedule!E19+7",
    "M06": "Schedule!E2+7",
    "M07": "Schedule!E2+28",
    "M08": "Day_Zero+56",
    "M09": "Schedule!F8+42",
    "M10": "Schedule!E3-7",
    "M11": "Schedule!F4-14",
}
TOGETHER = {1: (2, 4), 2: (2, 18), 3: (4, 18), 9: (14, 12), 10: (14, 5), 11: (17, 19)}
"""No. to the rows of the two medicines in Schedule."""
BASIS_LABELS = (
    ("Discharge date", "discharge", "input date", ""),
    ("Day 0", "day_zero", "input date", ""),
    ("Creatinine used (µmol/L)", "creatinine", "input", ""),
    ("Actual weight (kg)", "actual", "input", ""),
    ("Date of birth", "", "date", ""),
    ("Height (cm)", "height", "one", "ROUND(Inches*2.54,1)"),
    ("Ideal weight (kg)", "ideal", "one", "ROUND(50+0.91*(B8-152.4),1)"),
    (
        *("Dosing weight (kg)", "dosing", "one"),
        "IF(B6<=B9,B6,IF(B6<=B9*Obese_from,B9,ROUND(B9+Obese_share*(B6-B9),1)))",
    ),
    ("Age (years)", "age", "whole", 'DATEDIF(B7,B3,"Y")'),
    ("Creatinine clearance (mL/min)", "clearance", "one", "ROUND((140-B11)*B10*1.23/B5,1)"),
    ("Months between renal checks", "months", "whole", "INT(B12/10)"),
    ("CHA2DS2-VASc", "score", "whole", "SUM(Score_points)"),
    ("Haemoglobin fall (g/L)", "fall", "whole", "Hb_before*10-Hb_lowest"),
    (
        *("Iron in all (mg)", "iron", "whole"),
        "IF(Hb_last<100,IF(B6<70,1500,2000),IF(B6<70,1000,1500))",
    ),
    ("Date of last stent", "last_stent", "date", "MAX(Stent_days)"),
    ("Stent age on Day 0 (days)", "stent_age", "whole", "B4-B17"),
    ("Total stent length (mm)", "length", "whole", "SUM(Stent_lengths)"),
)
"""Label, value, look, formula; from row 3."""
NAMES = {
    **{"Discharge": 3, "Day_Zero": 4, "Creatinine": 5, "Actual_kg": 6, "Birth": 7},
    **{"CrCl": 12, "Renal_months": 13, "Iron_mg": 16, "Last_stent": 17, "Stent_age": 18},
    "Stent_total": 19,
}


def write_book(told: Plan, folder: Path) -> None:
    path = folder / NAME
    folder.mkdir(parents=True, exist_ok=True)
    made = open_workbook(path, "Medication plan", told.world.team.resident.name)
    book = Book(made)
    _basis(told, book)
    _home(told, book)
    _schedule(told, book)
    _monitoring(told, book)
    _interactions(told, book)
    put_workings(told, book)
    made.close()
    pack(path)


def _basis(told: Plan, book: Book) -> None:
    sheet = book.sheet(SHEETS[0], (32, 14, 74))
    patient = told.world.patient
    sheet.sheet.write("A1", f"{patient.formal}, record {told.world.record}", book.title)
    sheet.heads(2, ("Label", "Value", "Source"))
    for row, (label, name, look, formula) in enumerate(BASIS_LABELS, 3):
        value = getattr(told.basis, name) if name else told.world.born
        sheet.cell(f"A{row}", label, "text")
        sheet.cell(f"B{row}", value, look, formula)
        sheet.cell(f"C{row}", source(told, label), "wrap")
    for name, row in NAMES.items():
        book.name(name, f"Basis!$B${row}")


def _home(told: Plan, book: Book) -> None:
    sheet = book.sheet(SHEETS[1], (6, 22, 16, 12, 80))
    sheet.heads(1, ("Line", "Drug", "Daily dose (mg)", "Decision", "Why"))
    lines = [line for line in told.world.home if line.decision]
    for row, line in enumerate(lines, 2):
        sheet.cell(f"A{row}", line.line, "whole")
        sheet.cell(f"B{row}", line.generic, "text")
        sheet.cell(f"C{row}", line.daily, "dose")
        sheet.cell(f"D{row}", str(line.decision), "text")
        sheet.cell(f"E{row}", why(told, line), "wrap")
    sheet.sheet.freeze_panes(1, 0)


def _schedule(told: Plan, book: Book) -> None:
    sheet = book.sheet(SHEETS[2], (22, 6, 11, 10, 12, 12, 12, 62, 13))
    heads = ("Drug", "Step", "Dose (mg)", "Times per day", "First day", "Last day")
    sheet.heads(1, (*heads, "Tablets to dispense", "Remarks", "Strength given (mg)"))
    for row, key in enumerate(DRUGS, 2):
        line = told.line(*key)
        sheet.cell(f"A{row}", line.drug, "text")
        sheet.cell(f"B{row}", line.step, "whole")
        sheet.cell(f"C{row}", line.dose, "dose", DOSE.get(key, ""))
        sheet.cell(f"D{row}", line.times, "whole")
        sheet.cell(f"E{row}", line.first, "date", FIRST.get(key, "First_home"))
        sheet.cell(f"F{row}", line.last or "open", "date", LAST.get(key, ""))
        span = f"MIN(IF(ISNUMBER(F{row}),F{row},Supply_end),Supply_end)-MAX(E{row},First_home)+1"
        sheet.cell(f"G{row}", line.tablets, "whole", f"MAX(0,{span})*D{row}*C{row}/I{row}")
        sheet.cell(f"H{row}", comment(told, line), "wrap")
        given = "Tetracycline_mg" if line.drug == "tetracycline" else ""
        sheet.cell(f"I{row}", line.strength, "dose", given)
    _view(sheet, len(DRUGS) + 1, 8)


def _view(sheet: Sheet, last: int, column: int) -> None:
    sheet.sheet.freeze_panes(1, 0)
    sheet.sheet.autofilter(0, 0, last - 1, column)


def _monitoring(told: Plan, book: Book) -> None:
    sheet = book.sheet(SHEETS[3], (7, 48, 12, 14, 10))
    sheet.heads(1, ("Code", "What is done", "Due", "Appointment", "Moves"))
    for row, check in enumerate(told.checks, 2):
        number = check.code[1:]
        renal = f"EDATE(Discharge,{number}*Renal_months)"
        sheet.cell(f"A{row}", check.code, "text")
        sheet.cell(f"B{row}", CHECKS.get(check.code, CHECKS["R"]), "text")
        sheet.cell(f"C{row}", check.due, "date", DUE.get(check.code, renal))
        back = check.way == "before"
        moved = f"WORKDAY(C{row}{'+1,-1' if back else '-1,1'},Closed)"
        sheet.cell(f"D{row}", check.appointment, "date", moved)
        sheet.cell(f"E{row}", "earlier" if back else "later", "text")
    _view(sheet, len(told.checks) + 1, 4)


def _interactions(told: Plan, book: Book) -> None:
    sheet = book.sheet(SHEETS[4], (6, 36, 14, 14, 10, 62))
    heads = ("No.", "Medicines", "First day together", "Last day together", "Severity")
    sheet.heads(1, (*heads, "Advice"))
    for row, pair in enumerate(told.pairs, 2):
        one, other = TOGETHER[pair.number]
        sheet.cell(f"A{row}", pair.number, "whole")
        sheet.cell(f"B{row}", " and ".join(BETWEEN[pair.number]), "text")
        begin = f"MAX(Schedule!E{one},Schedule!E{other})"
        sheet.cell(f"C{row}", pair.first, "date", begin)
        end = "Schedule!F4" if pair.last else ""
        sheet.cell(f"D{row}", pair.last or "open", "date", end)
        sheet.cell(f"E{row}", DO[pair.number][0], "text")
        sheet.cell(f"F{row}", DO[pair.number][1], "wrap")
    sheet.sheet.freeze_panes(1, 0)
