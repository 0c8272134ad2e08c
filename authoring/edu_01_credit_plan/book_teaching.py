"""Groups, Staffing and the contracts of the reference."""

from decimal import Decimal

from authoring.edu_01_credit_plan.rules import Course
from authoring.edu_01_credit_plan.sheet import Sheet
from authoring.edu_01_credit_plan.story import Plan
from authoring.edu_01_credit_plan.world import Teacher, term_of

GROUPS = (
    *("Module", "First choices", "Counted", "Participants", "Seminar groups", "Lab groups"),
    *("Holds", "Taught by", "Units", "Half-year"),
)
LAST, TEACHERS = 43, 12
WAYS = '{"both","Treatment","Monitoring"}'


def groups(told: Plan, sheet: Sheet) -> None:
    """Row by row the modules of the sheet Modules; loads stand beside the groups."""
    sheet.header(GROUPS, (9, 9, 9, 12, 10, 10, 8, 14, 8, 10))
    for row, course in enumerate(told.courses, 2):
        one = course.module
        sheet.values(f"A{row}", (one.code,))
        if one.where == "elective":
            _elective(told, sheet, row, course)
        else:
            way = f"MATCH(Modules!D{row},{WAYS},0)"
            there = f"INDEX(Parameters!$G$3:$I$8,Modules!C{row},{way})"
            sheet.formula(f"D{row}", there, course.students)
        seminars = f"IF(Modules!H{row}>0,ROUNDUP(D{row}/SeminarSize,0),0)"
        sheet.formula(f"E{row}", seminars, course.seminars)
        room = f'IF(Modules!K{row}="",0,VLOOKUP(Modules!K{row},Parameters!$K$3:$L$7,2,FALSE))'
        sheet.formula(f"G{row}", room, told.world.room(one.room).places if one.room else 0)
        labs = f"IF(Modules!I{row}>0,ROUNDUP(D{row}/MIN(LabSize,G{row}),0),0)"
        sheet.formula(f"F{row}", labs, course.labs)
        _load(sheet, row, course)


def _elective(told: Plan, sheet: Sheet, row: int, course: Course) -> None:
    """The rows of a slot stand together."""
    slot = [
        number
        for number, other in enumerate(told.courses, 2)
        if other.module.where == "elective" and other.module.semester == course.module.semester
    ]
    first = told.world.registered[course.module.code]
    runs = course.students > 0
    sheet.values(f"B{row}", (first,))
    sheet.formula(f"C{row}", f'IF(B{row}>=ElectiveLeast,B{row},"-")', first if runs else "-")
    counted, chosen = (f"{c}${slot[0]}:{c}${slot[-1]}" for c in "CB")
    lost = f'SUMIF({chosen},"<"&ElectiveLeast)'
    more = f"C{row}+IF(C{row}=MIN({counted}),{lost},0)"
    sheet.formula(f"D{row}", f'IF(C{row}="-",0,{more})', course.students)


def _load(sheet: Sheet, row: int, course: Course) -> None:
    one = course.module
    sheet.formula(f"J{row}", f'IF(ISODD(Modules!C{row}),"winter","summer")', term_of(one.semester))
    away = (
        f"INDEX(Contracts!$G$2:$G${TEACHERS},MATCH(Modules!L{row},Contracts!$A$2:$A${TEACHERS},0))"
    )
    who = f"IF({away}=J{row},Modules!M{row},Modules!L{row})"
    sheet.formula(f"H{row}", who, course.taught_by)
    taught = f"(D{row}>0)*Modules!G{row}+Modules!H{row}*E{row}+Modules!I{row}*F{row}*LabFactor"
    sheet.formula(f"I{row}", f"({taught})*Modules!N{row}/Weeks", course.load, two=True)


def staffing(told: Plan, sheet: Sheet) -> None:
    heads = ("Teacher", "Term", "Duty", "Load", "Finding", "Above it")
    sheet.header(heads, (16, 10, 9, 9, 10, 10))
    for row, one in enumerate(told.staffing, 2):
        sheet.values(f"A{row}", (one.teacher, one.term))
        at = f"MATCH(A{row},Contracts!$A$2:$A${TEACHERS},0)"
        away, full = (f"INDEX(Contracts!${c}$2:${c}${TEACHERS},{at})" for c in "GF")
        sheet.formula(f"C{row}", f"IF({away}=B{row},0,{full})", one.duty, two=True)
        load = f"SUMIFS(Groups!$I$2:$I${LAST},Groups!$H$2:$H${LAST},A{row},"
        sheet.formula(f"D{row}", f"{load}Groups!$J$2:$J${LAST},B{row})", one.load, two=True)
        sheet.formula(f"F{row}", f"D{row}-C{row}", one.balance, two=True)
        finding = f'IF(ROUND(F{row},6)>OverLimit,"over","within")'
        sheet.formula(f"E{row}", finding, one.finding)


def contracts(told: Plan, sheet: Sheet) -> None:
    heads = ("Name", "Full post", "Counted in", "Post", "Less", "Units due", "Away")
    sheet.header(heads, (16, 10, 14, 8, 8, 10, 10))
    for row, one in enumerate(told.world.teachers, 2):
        kind = "clock hours" if one.clock else "units"
        sheet.values(f"A{row}", (one.name, one.duty, kind, Decimal(one.post) / 100, one.less))
        clock = f'IF(C{row}="clock hours",60/UnitMinutes,1)'
        sheet.formula(f"F{row}", f"B{row}*D{row}*{clock}-E{row}", units_due(one), two=True)
        sheet.values(f"G{row}", (one.away or "-",))


def units_due(one: Teacher) -> Decimal:
    units = Decimal(one.duty * one.post) / 100
    return (units * 60 / 45 if one.clock else units) - one.less
