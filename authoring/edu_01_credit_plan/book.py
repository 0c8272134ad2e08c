"""The reference workbook: parameters, modules, semesters, practice, prerequisites, competences.

The numbers of the regulation stand in named cells, so that a slip is one cell.
"""

from decimal import Decimal
from pathlib import Path

from authoring.edu_01_credit_plan.book_people import (
    equivalence,
    overview,
    recognition,
    students,
)
from authoring.edu_01_credit_plan.book_teaching import contracts, groups, staffing
from authoring.edu_01_credit_plan.curriculum import COMPETENCES
from authoring.edu_01_credit_plan.rules import SHARE, WEEKS, headcount, limits
from authoring.edu_01_credit_plan.rules import Rules as Settings
from authoring.edu_01_credit_plan.sheet import NAME, SHEETS, Sheet, Value
from authoring.edu_01_credit_plan.story import Plan
from authoring.edu_01_credit_plan.world import SEMESTERS
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook

LAST = 43
"""Last row of the modules; they begin in row 2."""


def write_reference(told: Plan, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Curriculum plan", "Programme office")
    writers = (
        *(parameters, modules, semesters, practice, prerequisites, competences),
        *(groups, staffing, recognition, students, overview),
    )
    for name, write in zip(SHEETS, writers, strict=True):
        write(told, Sheet(book, name))
    for name, write in (("Matrix", matrix), ("Contracts", contracts), ("Old", equivalence)):
        write(told, Sheet(book, name))
    book.close()
    pack(path)


def parameters(told: Plan, sheet: Sheet) -> None:
    """B3 to B5 are the cells that the director names; the rest of the regulation follows."""
    known, rules = limits(told.world, Settings()), Settings()
    numbers: dict[int, tuple[str, str, int | Decimal, str]] = {
        3: ("Hours per credit", "HoursPerCredit", known.hours, "regulation 2024, section 2"),
        4: ("Minutes per teaching unit", "UnitMinutes", known.minutes, "section 3"),
        5: ("New students", "NewStudents", told.world.intake, "mail from the dean"),
        7: ("Weeks of a semester", "Weeks", WEEKS[""], "section 3"),
        8: ("Weeks of H1", "WeeksH1", WEEKS["H1"], "section 3"),
        9: ("Weeks of H2", "WeeksH2", WEEKS["H2"], "section 3"),
        10: ("Least in a semester", "LowCredits", known.low, "section 2"),
        11: ("Most in a semester", "HighCredits", known.high, "section 2"),
        12: ("Share of practice in a year", "PracticeShare", SHARE, "section 5"),
        13: ("Assessing at least", "AssessedBy", known.assessed, "section 7"),
        14: ("Seminar holds", "SeminarSize", known.seminar, "annex a"),
        15: ("Laboratory holds", "LabSize", known.lab, "annex b"),
        16: ("Weight of the laboratory", "LabFactor", known.factor, "annex c"),
        17: ("First choices needed", "ElectiveLeast", known.least, "annex d"),
        18: ("Excess allowed", "OverLimit", known.over, "annex e"),
        19: ("Full recognition from", "FullFrom", rules.full_from, "transition rule 4"),
        20: ("Without counterpart, most", "FreeMost", rules.free_most, "transition rule 5"),
        21: ("To make up, most", "MakeUpMost", rules.make_up_most, "transition rule 7"),
    }
    sheet.sheet.write_string("A1", "Parameters, planning year 2026/27", sheet.title)
    for row, (label, name, value, source) in numbers.items():
        sheet.values(f"A{row}", (label,))
        sheet.sheet.write_number(f"B{row}", float(value), sheet.input)
        sheet.values(f"C{row}", (source,))
        sheet.book.define_name(name, f"=Parameters!$B${row}")
    sheet.sheet.set_column("A:A", 30)
    sheet.sheet.set_column("C:C", 28)
    sheet.sheet.set_column("E:I", 11)
    sheet.sheet.set_column("K:K", 15)
    _cohorts(told, sheet)


def _cohorts(told: Plan, sheet: Sheet) -> None:
    """Students by semester: all in G, Treatment in H, Monitoring in I; rooms in K and L."""
    drawn = told.world
    sheet.values("E2", ("Semester", "Per cent", "Students", "Treatment", "Monitoring"))
    sheet.values("E10", ("Treatment", drawn.treatment))
    for semester in SEMESTERS:
        row, there = semester + 2, headcount(drawn, Settings(), semester)
        sheet.values(f"E{row}", (semester, drawn.stays[semester - 1]))
        sheet.formula(f"G{row}", f"ROUND(NewStudents*F{row}/100,0)", there["both"])
        sheet.formula(f"H{row}", f"ROUND(G{row}*$F$10/100,0)", there["Treatment"])
        sheet.formula(f"I{row}", f"G{row}-H{row}", there["Monitoring"])
    sheet.values("K2", ("Room", "Places"))
    for row, room in enumerate(drawn.rooms, 3):
        sheet.values(f"K{row}", (room.name, room.places))


COLUMNS = (
    *("Module", "Name", "Sem.", "In", "ECTS", "Pr.", "L", "S", "P", "Half", "Where", "Led by"),
    *("Stand-in", "Runs for", "Contact hours", "Work", "Self-study hours"),
)


def modules(told: Plan, sheet: Sheet) -> None:
    sheet.header(COLUMNS, (9, 30, 6, 12, 6, 5, 4, 4, 4, 6, 15, 14, 14, 6, 10, 8, 11))
    for row, course in enumerate(told.courses, 2):
        one = course.module
        typed: tuple[Value, ...] = (
            *(one.code, one.title, one.semester, one.where, one.credits, one.practice),
            *(one.lecture, one.seminar, one.lab, one.block, one.room, one.lead, one.deputy),
        )
        sheet.values(f"A{row}", typed)
        weeks = f'IF(J{row}="H1",WeeksH1,IF(J{row}="H2",WeeksH2,Weeks))'
        sheet.formula(f"N{row}", weeks, WEEKS[one.block])
        contact = f"(G{row}+H{row}+I{row})*N{row}*UnitMinutes/60"
        sheet.formula(f"O{row}", contact, course.contact, two=True)
        sheet.formula(f"P{row}", f"E{row}*HoursPerCredit", course.workload)
        sheet.formula(f"Q{row}", f"P{row}-O{row}", course.self_study, two=True)


def column(letter: str) -> str:
    return f"Modules!${letter}$2:${letter}${LAST}"


def semesters(told: Plan, sheet: Sheet) -> None:
    sheet.header(("Pathway", "Semester", "Credits", "Finding"), (14, 10, 10, 10))
    for row, ((pathway, semester), value) in enumerate(told.semesters.items(), 2):
        sheet.values(f"A{row}", (pathway, semester))
        own, where = f"{column('E')},{column('C')},B{row}", f"{column('D')}"
        total = f'SUMIFS({own},{where},"both")+SUMIFS({own},{where},A{row})'
        slot = f'IFERROR(AVERAGEIFS({own},{where},"elective"),0)'
        sheet.formula(f"C{row}", f"{total}+{slot}", value)
        finding = f'IF(C{row}<LowCredits,"below",IF(C{row}>HighCredits,"above","within"))'
        sheet.formula(f"D{row}", finding, told.findings[pathway, semester])


def practice(told: Plan, sheet: Sheet) -> None:
    heads = ("Pathway", "Year", "Of the year", "Practice credits", "Due", "Credits short")
    sheet.header(heads, (14, 8, 11, 11, 8, 10))
    for row, one in enumerate(told.practice, 2):
        sheet.values(f"A{row}", (one.pathway, one.year))
        halves = (
            f"SUMIFS(Semesters!$C$2:$C$13,Semesters!$A$2:$A$13,A{row},"
            f"Semesters!$B$2:$B$13,2*B{row}-{less})"
            for less in (1, 0)
        )
        sheet.formula(f"C{row}", "+".join(halves), one.credits)
        there = f'(({column("D")}="both")+({column("D")}=A{row}))'
        year = f"(ROUNDUP({column('C')}/2,0)=B{row})"
        sheet.formula(f"D{row}", f"SUMPRODUCT({there}*{year}*{column('F')})", one.practice)
        sheet.formula(f"E{row}", f"PracticeShare*C{row}", one.credits * SHARE, two=True)
        sheet.formula(f"F{row}", f"MAX(0,ROUND(E{row}-D{row},4))", one.missing, two=True)


def prerequisites(told: Plan, sheet: Sheet) -> None:
    heads = ("Module", "Prerequisite", "Finding", "Sem.", "before", "Half", "half", "In", "in")
    sheet.header(heads, (10, 13, 16, 6, 8, 6, 6, 12, 12))
    for row, need in enumerate(told.needs, 2):
        sheet.values(f"A{row}", (need.module, need.needs))
        pair = (told.world.module(need.module), told.world.module(need.needs))
        places = (("C", "DE", "semester"), ("J", "FG", "block"), ("D", "HI", "where"))
        for source, letters, name in places:
            for letter, key, one in zip(letters, "AB", pair, strict=True):
                found = f"INDEX({column(source)},MATCH({key}{row},{column('A')},0))"
                found = f'IF({found}="","-",{found})' if name == "block" else found
                sheet.formula(f"{letter}{row}", found, getattr(one, name) or "-")
        apart = f'AND(I{row}<>"both",I{row}<>H{row})'
        halves = f'AND(E{row}=D{row},G{row}="H1",F{row}="H2")'
        late = f'IF(OR(E{row}<D{row},{halves}),"met","too late")'
        sheet.formula(f"C{row}", f'IF({apart},"other pathway",{late})', need.finding)


def competences(told: Plan, sheet: Sheet) -> None:
    heads = ("Competence", "Pathway", "Modules assessing", "Covered", "Meaning")
    sheet.header(heads, (12, 14, 11, 10, 26))
    meaning = {name: what for name, what, _ in COMPETENCES}
    for row, one in enumerate(told.coverage, 2):
        sheet.values(f"A{row}", (one.competence, one.pathway))
        marks = f"INDEX(Matrix!$C$2:$J${LAST},0,MATCH(A{row},Matrix!$C$1:$J$1,0))"
        where = f"Matrix!$B$2:$B${LAST}"
        there = f'(({where}="both")+({where}=B{row}))'
        sheet.formula(f"C{row}", f'SUMPRODUCT(({marks}="A")*{there})', one.assessed)
        covered = "yes" if one.covered else "no"
        sheet.formula(f"D{row}", f'IF(C{row}>=AssessedBy,"yes","no")', covered)
        sheet.values(f"E{row}", (meaning[one.competence],))


def matrix(told: Plan, sheet: Sheet) -> None:
    known = [name for name, _, _ in COMPETENCES]
    sheet.header(("Code", "In", *known), (8, 12, *(5 for _ in known)))
    for row, course in enumerate(told.courses, 2):
        code = course.module.code
        sheet.values(f"A{row}", (code,))
        where = f"INDEX({column('D')},MATCH(A{row},{column('A')},0))"
        sheet.formula(f"B{row}", where, course.module.where)
        sheet.values(f"C{row}", [told.world.matrix.get((code, name)) for name in known])
