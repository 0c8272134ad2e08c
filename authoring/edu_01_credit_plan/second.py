"""The second reference: other tables, other formulas, another layout; LibreOffice computes it."""

from pathlib import Path

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.edu_01_credit_plan.second_people import (
    old_modules,
    overview,
    people,
    recognition,
    staffing,
    students,
)
from authoring.edu_01_credit_plan.second_sheet import LAST, TOP, TWO, draft, heads, landscape
from authoring.edu_01_credit_plan.sheet import NAME, SHEETS
from authoring.edu_01_credit_plan.story import Plan
from authoring.edu_01_credit_plan.world import SEMESTERS
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN


def write_second(told: Plan, folder: Path) -> None:
    """Needs LibreOffice."""
    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.creator, book.properties.title = "Study office", "Plan"
    book.properties.created = book.properties.modified = WHEN
    writers = (
        *(_parameters, _modules, _semesters, _practice, _prerequisites, _competences),
        *(_groups, staffing, recognition, students, overview),
    )
    for name, write in zip(SHEETS, writers, strict=True):
        write(told, landscape(book.create_sheet(name)))
    for name, write in (("Draft", _draft), ("Marks", _marks), ("People", people)):
        write(told, landscape(book.create_sheet(name)))
    old_modules(told, landscape(book.create_sheet("Handbook")))
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)


def _parameters(told: Plan, sheet: Worksheet) -> None:
    drawn, known = told.world, told.world.limits
    sheet["A1"] = "What may move"
    rows = (
        ("Hours per credit", known.hours),
        ("Minutes per teaching unit", known.minutes),
        ("New students", drawn.intake),
    )
    for row, (label, value) in enumerate(rows, 3):
        sheet[f"A{row}"], sheet[f"B{row}"] = label, value
    sheet.column_dimensions["A"].width = 28
    sheet["A8"] = "Students of a semester, and those in Treatment"
    for semester in SEMESTERS:
        row = 8 + semester
        sheet[f"A{row}"], sheet[f"B{row}"] = semester, drawn.stays[semester - 1] / 100
        sheet[f"C{row}"] = f"=INT(ROUND($B$5*B{row},6)+0.5)"
        sheet[f"D{row}"] = f"=INT(ROUND(C{row}*{drawn.treatment / 100},6)+0.5)"
        sheet[f"B{row}"].number_format = "0%"


DRAFT = (
    *("Code", "Title", "Sem.", "Part of", "ECTS", "Pr.", "Units L", "Units S", "Units P"),
    *("Group limit", "Weeks", "Starts", "Ends", "Led by", "First choices"),
)


def _draft(told: Plan, sheet: Worksheet) -> None:
    """What the plan says of each module; half-semesters as numbers from 2 on."""
    heads(sheet, "The draft, cleaned", DRAFT)
    for row, course in enumerate(told.courses, TOP):
        one = course.module
        limit = told.world.limits.lab
        limit = min(limit, told.world.room(one.room).places) if one.room else limit
        weeks = {"": "=8+7", "H1": "=8", "H2": "=7"}[one.block]
        values: tuple[str | int | None, ...] = (
            *(one.code, one.title, one.semester, one.where, one.credits, one.practice),
            *(one.lecture, one.seminar, one.lab, limit, weeks),
            f"=2*C{row}+{int(one.block == 'H2')}",
            f"=2*C{row}+{int(one.block != 'H1')}",
            *(course.taught_by, told.world.registered.get(one.code)),
        )
        for column, value in enumerate(values, 1):
            sheet.cell(row, column, value)


def _modules(told: Plan, sheet: Worksheet) -> None:
    names = ("Self-study hours", "Module", "Contact hours", "Working time", "Title")
    heads(sheet, "Modules, hours of 60 minutes", names)
    for row, course in enumerate(sorted(told.courses, key=lambda c: c.module.code), TOP):
        sheet[f"B{row}"] = course.module.code
        place = f"MATCH(B{row},{draft('A')},0)"
        units = f"SUM(INDEX(Draft!$G${TOP}:$I${LAST},{place},0))"
        sheet[f"C{row}"] = f"={units}*INDEX({draft('K')},{place})/60*Parameters!$B$4"
        sheet[f"D{row}"] = f"=Parameters!$B$3*SUMIF({draft('A')},B{row},{draft('E')})"
        sheet[f"A{row}"] = f"=D{row}-C{row}"
        sheet[f"E{row}"] = f"=VLOOKUP(B{row},Draft!$A${TOP}:$B${LAST},2,FALSE)"
        sheet[f"A{row}"].number_format = sheet[f"C{row}"].number_format = TWO


def _semesters(told: Plan, sheet: Worksheet) -> None:
    heads(sheet, "Credits by semester", ("Semester", "Pathway", "Finding", "Credits"))
    low, high = told.world.limits.low, told.world.limits.high
    keys = [(semester, way) for semester in SEMESTERS for way in ("Treatment", "Monitoring")]
    for row, (semester, way) in enumerate(keys, TOP):
        sheet[f"A{row}"], sheet[f"B{row}"] = semester, way
        here = f"({draft('C')}=A{row})"
        own = f'(({draft("D")}="both")+({draft("D")}=B{row}))'
        slot = f'SUMPRODUCT(MAX({here}*({draft("D")}="elective")*{draft("E")}))'
        sheet[f"D{row}"] = f"=SUMPRODUCT({here}*{own}*{draft('E')})+{slot}"
        middle, half = (low + high) / 2, (high - low) / 2
        within = f"ABS(D{row}-{middle})<={half}"
        sheet[f"C{row}"] = f'=IF({within},"within",IF(D{row}<{middle},"below","above"))'


def _practice(told: Plan, sheet: Worksheet) -> None:
    names = ("Year", "Pathway", "Practice credits", "Credits short", "A fifth of the year")
    heads(sheet, "Practice, year by year", names)
    ordered = sorted(told.practice, key=lambda one: (one.year, one.pathway))
    for row, one in enumerate(ordered, TOP):
        sheet[f"A{row}"], sheet[f"B{row}"] = one.year, one.pathway
        first = f'{draft("F")},{draft("C")},">"&2*A{row}-2,{draft("C")},"<="&2*A{row},{draft("D")}'
        sheet[f"C{row}"] = f'=SUMIFS({first},"both")+SUMIFS({first},B{row})'
        there = f"(ROUNDUP(Semesters!$A${TOP}:$A$15/2,0)=A{row})*(Semesters!$B${TOP}:$B$15=B{row})"
        sheet[f"E{row}"] = f"=SUMPRODUCT({there}*Semesters!$D${TOP}:$D$15)/5"
        sheet[f"D{row}"] = f"=IF(C{row}<E{row},E{row}-C{row},0)"
        sheet[f"D{row}"].number_format = sheet[f"E{row}"].number_format = TWO


def _prerequisites(told: Plan, sheet: Worksheet) -> None:
    names = ("Finding", "Prerequisite", "Module", "Part of", "needs", "begins", "done")
    heads(sheet, "Prerequisites; begins and done in half-semesters", names)
    for row, need in enumerate(sorted(told.needs, key=lambda n: (n.needs, n.module)), TOP):
        sheet[f"B{row}"], sheet[f"C{row}"] = need.needs, need.module
        for letter, key, source in (("D", "C", "D"), ("E", "B", "D"), ("F", "C", "L")):
            place = f"MATCH({key}{row},{draft('A')},0)"
            sheet[f"{letter}{row}"] = f"=INDEX({draft(source)},{place})"
        sheet[f"G{row}"] = f"=SUMIF({draft('A')},B{row},{draft('M')})"
        late = f'IF(G{row}<F{row},"met","too late")'
        sheet[f"A{row}"] = f'=IF(OR(E{row}="both",E{row}=D{row}),{late},"other pathway")'


def _marks(told: Plan, sheet: Worksheet) -> None:
    """The competence matrix as a list, with the part that a module belongs to."""
    heads(sheet, "Marks", ("Code", "Comp.", "Mark", "Part of"))
    taught = {course.module.code for course in told.courses}
    known = [(key, mark) for key, mark in sorted(told.world.matrix.items()) if key[0] in taught]
    for row, ((code, name), mark) in enumerate(known, TOP):
        for column, value in enumerate((code, name, mark), 1):
            sheet.cell(row, column, value)
        sheet.cell(row, 4, f"=VLOOKUP(A{row},Draft!$A${TOP}:$D${LAST},4,FALSE)")


def _competences(told: Plan, sheet: Worksheet) -> None:
    names = ("Pathway", "Competence", "Covered", "Modules assessing")
    heads(sheet, "Competences that are assessed", names)
    for row, one in enumerate(sorted(told.coverage, key=lambda c: c.pathway), TOP):
        sheet[f"A{row}"], sheet[f"B{row}"] = one.pathway, one.competence
        found = f'Marks!$B$4:$B$400,B{row},Marks!$C$4:$C$400,"A",Marks!$D$4:$D$400'
        sheet[f"D{row}"] = f'=COUNTIFS({found},"both")+COUNTIFS({found},A{row})'
        least = told.world.limits.assessed
        sheet[f"C{row}"] = f'=IF(D{row}<{least},"no","yes")'


GROUPS = (
    *("Module", "Lab groups", "Seminar groups", "Participants", "Taught by", "Units counted"),
    "Season",
)


def _groups(told: Plan, sheet: Worksheet) -> None:
    """In the order of the sheet Draft."""
    heads(sheet, "Participants and groups", GROUPS)
    known = told.world.limits
    for row, course in enumerate(told.courses, TOP):
        one = course.module
        sheet[f"A{row}"] = f"=Draft!A{row}"
        sheet[f"D{row}"] = _participants(told, row, course.module.where)
        sheet[f"C{row}"] = f"=(Draft!H{row}>0)*-INT(-D{row}/{known.seminar})"
        sheet[f"B{row}"] = f"=(Draft!I{row}>0)*-INT(-D{row}/Draft!J{row})"
        sheet[f"E{row}"] = f"=Draft!N{row}"
        sheet[f"G{row}"] = f'=IF(MOD(Draft!C{row},2)=1,"winter","summer")'
        parts = f"Draft!G{row}*SIGN(D{row})+Draft!H{row}*C{row}+{known.factor}*Draft!I{row}*B{row}"
        sheet[f"F{row}"] = f"=({parts})/15*Draft!K{row}"
        sheet[f"F{row}"].number_format = TWO
        assert one.code


def _participants(told: Plan, row: int, where: str) -> str:
    least = told.world.limits.least
    if where == "elective":
        own, slot = f"Draft!O{row}", f'{draft("C")},Draft!C{row},{draft("D")},"elective"'
        lost = f'SUMIFS({draft("O")},{slot},{draft("O")},"<{least}")'
        fewer = f'COUNTIFS({slot},{draft("O")},">={least}",{draft("O")},"<"&{own})'
        return f"=({own}>={least})*({own}+({fewer}=0)*{lost})"
    all_, treatment = (f"INDEX(Parameters!${c}$9:${c}$14,Draft!C{row})" for c in "CD")
    return {"both": f"={all_}", "Treatment": f"={treatment}"}.get(where, f"={all_}-{treatment}")
