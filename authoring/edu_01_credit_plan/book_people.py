"""Recognition, Students and Overview of the reference, and the credits of the old modules."""

from authoring.edu_01_credit_plan.moving import OLD, Recognised, Student
from authoring.edu_01_credit_plan.sheet import Sheet, Value
from authoring.edu_01_credit_plan.story import Plan
from authoring.edu_01_credit_plan.transfer import EQUIVALENT, FREE, OLD_MODULES
from authoring.edu_01_credit_plan.world import SEMESTERS

CODES, ECTS = "Modules!$A$2:$A$43", "Modules!$E$2:$E$43"


def equivalence(told: Plan, sheet: Sheet) -> None:
    """Old modules and their credits."""
    sheet.header(("Old code", "Old title", "ECTS"), (10, 36, 8))
    for row, one in enumerate(OLD_MODULES, 2):
        sheet.values(f"A{row}", (one.code, one.title, one.credits))


def rows(told: Plan) -> list[Recognised]:
    return [row for student in told.students for row in student.recognised]


def recognition(told: Plan, sheet: Sheet) -> None:
    heads = ("Student", "Module", "Credits recognised", "For", "Old ECTS", "New ECTS", "Sem.")
    sheet.header(heads, (11, 10, 12, 26, 10, 10, 7))
    for row, one in enumerate(rows(told), 2):
        sheet.values(f"A{row}", (one.student, one.module))
        sheet.values(f"D{row}", (" + ".join(one.basis),))
        before = "+".join(f'SUMIF(Old!$A:$A,"{code}",Old!$C:$C)' for code in one.basis)
        sheet.formula(f"E{row}", before, sum(OLD[code].credits for code in one.basis))
        if one.module == FREE:
            sheet.formula(f"C{row}", f"MIN(FreeMost,E{row})", one.credits)
            sheet.values(f"G{row}", (one.semester,))
            continue
        new = next(new for old, new in EQUIVALENT if old == one.basis)
        line = "+".join(f'SUMIF({CODES},"{code}",{ECTS})' for code in new)
        sheet.formula(f"F{row}", line, sum(told.world.module(code).credits for code in new))
        own = f"INDEX({ECTS},MATCH(B{row},{CODES},0))"
        sheet.formula(f"C{row}", f"IF(E{row}>=FullFrom*F{row},{own},E{row})", one.credits)
        semester = f"INDEX(Modules!$C$2:$C$43,MATCH(B{row},{CODES},0))"
        sheet.formula(f"G{row}", semester, one.semester)


STUDENTS = (
    *("Student", "Credits recognised", "Entry semester", "Make-up credits", "Person", "Way"),
    *("By number", "In October", "Behind for 3", "Behind for 5"),
)


def students(told: Plan, sheet: Sheet) -> None:
    sheet.header(STUDENTS, (11, 12, 10, 10, 24, 13, 9, 9, 9, 9))
    last = len(rows(told)) + 1
    for row, one in enumerate(told.students, 2):
        sheet.values(f"A{row}", (one.number,))
        sheet.values(f"E{row}", (one.name, one.pathway))
        mine = f"Recognition!$C$2:$C${last},Recognition!$A$2:$A${last},A{row}"
        sheet.formula(f"B{row}", f"SUMIFS({mine})", one.credits)
        by_number, october = entry_steps(one)
        sheet.formula(f"G{row}", f"MIN(6,1+INT(B{row}/30))", by_number)
        sheet.formula(f"H{row}", f"G{row}-MOD(G{row}+1,2)", october)
        for letter, entry in (("I", 3), ("J", 5)):
            due = f"SUMIFS(Semesters!$C$2:$C$13,Semesters!$A$2:$A$13,F{row}"
            due += f',Semesters!$B$2:$B$13,"<{entry}")'
            done = f'SUMIFS({mine},Recognition!$G$2:$G${last},"<{entry}")'
            sheet.formula(f"{letter}{row}", f"{due}-{done}", one.made_up_at[entry])
        third = f"IF(AND(H{row}>=3,I{row}<=MakeUpMost),3,1)"
        entry_ = f"IF(AND(H{row}>=5,J{row}<=MakeUpMost),5,{third})"
        sheet.formula(f"C{row}", entry_, one.entry)
        sheet.formula(f"D{row}", f"IF(C{row}=5,J{row},IF(C{row}=3,I{row},0))", one.make_up)


def entry_steps(one: Student) -> tuple[int, int]:
    """The semester by the credits, and that in winter."""
    by_number = min(6, 1 + one.credits // 30)
    return by_number, by_number - (by_number + 1) % 2


def overview(told: Plan, sheet: Sheet) -> None:
    """Figures in A and B; what the charts show stands below."""
    short = 'COUNTIF(Practice!$F$2:$F$7,">0")'
    unmet = f"COUNTA(Prerequisites!$A$2:$A${len(told.needs) + 1})"
    unmet += f'-COUNTIF(Prerequisites!$C$2:$C${len(told.needs) + 1},"met")'
    figures: tuple[tuple[str, str, Value], ...] = (
        ("Modules in force", f"COUNTA({CODES})", len(told.courses)),
        ("Years short of practice", short, len(told.short)),
        ("Prerequisites not met", unmet, len(told.unmet)),
        ("Competence gaps", 'COUNTIF(Competences!$D$2:$D$17,"no")', len(told.gaps)),
        ("Overloads", 'COUNTIF(Staffing!$E$2:$E$23,"over")', len(told.over)),
    )
    sheet.sheet.fit_to_pages(1, 1)
    sheet.sheet.set_column("A:A", 28)
    sheet.sheet.write_string("A1", "Re-accreditation 2026: the draft at a glance", sheet.title)
    for row, (label, formula, value) in enumerate(figures, 3):
        sheet.values(f"A{row}", (label,))
        sheet.formula(f"B{row}", formula, value)
    _semesters(told, sheet)
    _winter(told, sheet)


def _semesters(told: Plan, sheet: Sheet) -> None:
    sheet.values("A40", ("Sem.", "T", "M"))
    for semester in SEMESTERS:
        row = 40 + semester
        sheet.values(f"A{row}", (semester,))
        for letter, way, top in (("B", "Treatment", 1), ("C", "Monitoring", 7)):
            value = told.semesters[way, semester]
            sheet.formula(f"{letter}{row}", f"Semesters!C{top + semester}", value)
    chart = sheet.book.add_chart({"type": "column"})
    for letter, name in (("B", "Treatment"), ("C", "Monitoring")):
        series = {"name": name, "categories": "=Overview!$A$41:$A$46"}
        chart.add_series(series | {"values": f"=Overview!${letter}$41:${letter}$46"})
    chart.set_title({"name": "Credits by semester", "name_font": {"size": 12}})
    sheet.sheet.insert_chart("D2", chart, {"x_scale": 1.2})


def _winter(told: Plan, sheet: Sheet) -> None:
    sheet.values("E40", ("Name", "In winter"))
    for row, one in enumerate((one for one in told.staffing if one.term == "winter"), 41):
        there = 2 * (row - 41) + 2
        sheet.formula(f"E{row}", f"Staffing!A{there}", one.teacher)
        sheet.formula(f"F{row}", f"Staffing!D{there}", one.load, two=True)
    chart = sheet.book.add_chart({"type": "bar"})
    series = {"name": "Load in winter", "categories": "=Overview!$E$41:$E$51"}
    chart.add_series(series | {"values": "=Overview!$F$41:$F$51"})
    chart.set_title({"name": "Winter load of each teacher", "name_font": {"size": 12}})
    chart.set_legend({"none": True})
    sheet.sheet.insert_chart("D20", chart, {"x_scale": 1.2, "y_scale": 1.2})
