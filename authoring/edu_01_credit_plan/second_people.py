"""Staffing, Recognition, Students and Overview of the second reference."""

from openpyxl.chart import BarChart, Reference
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from authoring.edu_01_credit_plan.book_people import rows
from authoring.edu_01_credit_plan.second_sheet import LAST, TOP, TWO, draft, heads
from authoring.edu_01_credit_plan.story import Plan
from authoring.edu_01_credit_plan.transfer import EQUIVALENT, FREE, OLD_MODULES
from authoring.edu_01_credit_plan.world import SEMESTERS

TERMS = ("winter", "summer")


def people(told: Plan, sheet: Worksheet) -> None:
    """Duties in teaching units, as sums; a sabbatical is a 0 in its term."""
    heads(sheet, "Duties", ("Name", "in winter", "in summer"))
    for row, one in enumerate(told.world.teachers, TOP):
        sheet[f"A{row}"] = one.name
        units = f"{one.duty}*60/Parameters!$B$4" if one.clock else f"{one.duty}"
        for letter, term in zip("BC", TERMS, strict=True):
            due = f"={units}*{one.post}%-{one.less}"
            sheet[f"{letter}{row}"] = 0 if one.away == term else due


def staffing(told: Plan, sheet: Worksheet) -> None:
    names = ("Term", "Teacher", "Load", "Duty", "Finding")
    heads(sheet, "Load and duty, units a week", names)
    ordered = sorted(told.staffing, key=lambda one: (one.term, one.teacher))
    most = told.world.limits.over
    for row, one in enumerate(ordered, TOP):
        sheet[f"A{row}"], sheet[f"B{row}"] = one.term, one.teacher
        here = f"(Groups!$E${TOP}:$E${LAST}=B{row})*(Groups!$G${TOP}:$G${LAST}=A{row})"
        sheet[f"C{row}"] = f"=SUMPRODUCT({here}*Groups!$F${TOP}:$F${LAST})"
        season = f'IF(A{row}="winter",2,3)'
        sheet[f"D{row}"] = f"=VLOOKUP(B{row},People!$A${TOP}:$C$14,{season},FALSE)"
        sheet[f"E{row}"] = f'=IF(C{row}-D{row}-{most}>0.000001,"over","within")'
        sheet[f"C{row}"].number_format = sheet[f"D{row}"].number_format = TWO


def old_modules(told: Plan, sheet: Worksheet) -> None:
    heads(sheet, "Handbook 2019", ("Old", "Title", "ECTS"))
    for one in OLD_MODULES:
        sheet.append((one.code, one.title, one.credits))


def recognition(told: Plan, sheet: Worksheet) -> None:
    names = ("Module", "Student", "Instead of", "Before", "Now", "Credits recognised", "Sem.")
    heads(sheet, "What is recognised", names)
    ordered = sorted(rows(told), key=lambda one: (one.module, one.student))
    for row, one in enumerate(ordered, TOP):
        sheet[f"A{row}"], sheet[f"B{row}"] = one.module, one.student
        sheet[f"C{row}"] = ", ".join(one.basis)
        old = (f'VLOOKUP("{code}",Handbook!$A$4:$C$40,3,FALSE)' for code in one.basis)
        sheet[f"D{row}"] = f"={'+'.join(old)}"
        if one.module == FREE:
            sheet[f"F{row}"] = f"=IF(D{row}>5,5,D{row})"
            sheet[f"G{row}"] = one.semester
            continue
        new = next(new for old_, new in EQUIVALENT if old_ == one.basis)
        codes = ",".join(f'"{code}"' for code in new)
        line = f"SUMPRODUCT(SUMIF({draft('A')},{{{codes}}},{draft('E')}))"
        sheet[f"E{row}"] = f"={line}"
        own = f"SUMIF({draft('A')},A{row},{draft('E')})"
        sheet[f"F{row}"] = f"=IF(5*D{row}<4*E{row},D{row},{own})"
        sheet[f"G{row}"] = f"=VLOOKUP(A{row},Draft!$A${TOP}:$C${LAST},3,FALSE)"


def students(told: Plan, sheet: Worksheet) -> None:
    names = ("Name", "Student", "Entry semester", "Make-up credits", "Credits recognised")
    heads(sheet, "The three students", (*names, "Goes into", "Open below 3", "Open below 5"))
    last = len(rows(told)) + TOP - 1
    for row, one in enumerate(told.students, TOP):
        sheet[f"A{row}"], sheet[f"B{row}"], sheet[f"F{row}"] = one.name, one.number, one.pathway
        who, credits_, when = (f"Recognition!${c}${TOP}:${c}${last}" for c in "BFG")
        sheet[f"E{row}"] = f"=SUMIF({who},B{row},{credits_})"
        for letter, entry in (("G", 3), ("H", 5)):
            due = f"(Semesters!$B$4:$B$15=F{row})*(Semesters!$A$4:$A$15<{entry})"
            done = f"({who}=B{row})*({when}<{entry})*{credits_}"
            total = f"SUMPRODUCT({due}*Semesters!$D$4:$D$15)-SUMPRODUCT({done})"
            sheet[f"{letter}{row}"] = f"={total}"
        third, fifth = f"(E{row}>=60)*(G{row}<=15)", f"(E{row}>=120)*(H{row}<=15)"
        sheet[f"C{row}"] = f"=MAX(1,3*{third},5*{fifth})"
        sheet[f"D{row}"] = f"=CHOOSE((C{row}+1)/2,0,G{row},H{row})"


def overview(told: Plan, sheet: Worksheet) -> None:
    sheet["B1"] = "Overview"
    needs = len(told.needs) + TOP - 1
    figures = (
        ("Overloads", 'COUNTIF(Staffing!E4:E25,"over")'),
        ("Competence gaps", 'SUMPRODUCT(--(Competences!C4:C19="no"))'),
        ("Prerequisites not met", f'SUMPRODUCT(--(Prerequisites!A4:A{needs}<>"met"))'),
        ("Years short of practice", "SUMPRODUCT(--(Practice!D4:D9>0.001))"),
        ("Modules in force", "ROWS(Modules!B4:B45)"),
    )
    for column, (label, formula) in enumerate(figures, 2):
        sheet.cell(3, column, label)
        sheet.cell(4, column, f"={formula}")
        sheet.column_dimensions[get_column_letter(column)].width = 24
    sheet["N3"], sheet["O3"], sheet["P3"] = "Sem.", "Treatm.", "Monit."
    for semester in SEMESTERS:
        row = 3 + semester
        sheet[f"N{row}"] = semester
        sheet[f"O{row}"] = f"=Semesters!D{2 * semester + 2}"
        sheet[f"P{row}"] = f"=Semesters!D{2 * semester + 3}"
    sheet["R3"], sheet["S3"] = "Who", "In winter"
    for row, name in enumerate(sorted(one.name for one in told.world.teachers), 4):
        sheet[f"R{row}"] = name
        sheet[f"S{row}"] = (
            f'=SUMIFS(Staffing!C$4:C$25,Staffing!B$4:B$25,R{row},Staffing!A$4:A$25,"winter")'
        )
    _chart(sheet, "Credits, semester by semester", (14, 15, 16, 9), "B7")
    _chart(sheet, "Load in the winter term", (18, 19, 19, 14), "B24")


def _chart(sheet: Worksheet, title: str, place: tuple[int, int, int, int], at: str) -> None:
    """`place`: column of names, first and last of values, last row."""
    names, first, last, bottom = place
    chart = BarChart()
    chart.title = title
    values = Reference(sheet, min_col=first, max_col=last, min_row=3, max_row=bottom)
    chart.add_data(values, titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=names, min_row=4, max_row=bottom))
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.width, chart.height = 20, 8
    sheet.add_chart(chart, at)
