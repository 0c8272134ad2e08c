"""The rubric: what each item says and what it checks come from one value."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from authoring.edu_01_credit_plan.book_people import rows
from authoring.edu_01_credit_plan.letters import LETTER
from authoring.edu_01_credit_plan.rubric_letter import letter_items
from authoring.edu_01_credit_plan.rules import Course, Staffed
from authoring.edu_01_credit_plan.sheet import NAME, SHEETS
from authoring.edu_01_credit_plan.story import Plan, changed
from authoring.parts.items import RubricSheet
from authoring.parts.numbers import money
from bythebook.deliverables.rubric import Dimension, Failure, Level, ReadAs

FIELDS: tuple[tuple[str, ReadAs, str, tuple[str, ...]], ...] = (
    ("module", "text", "", ("Module", "Code", "Module code")),
    ("contact_hours", "number", "h", ("Contact hours", "Contact time")),
    ("self_study", "number", "h", ("Self-study hours", "Self-study")),
    ("pathway", "text", "", ("Pathway", "Track")),
    ("semester", "number", "", ("Semester", "Sem.")),
    ("credits", "number", "ECTS", ("Credits", "Credits in all")),
    ("limits", "text", "", ("Finding", "Result")),
    ("year", "number", "", ("Year", "Study year")),
    ("practice", "number", "ECTS", ("Practice credits", "Practice")),
    ("short", "number", "ECTS", ("Credits short", "Shortfall")),
    ("prerequisite", "text", "", ("Prerequisite", "Requires")),
    ("met", "text", "", ("Finding", "Result")),
    ("competence", "text", "", ("Competence",)),
    ("assessing", "number", "", ("Modules assessing", "Assessed in")),
    ("covered", "text", "", ("Covered",)),
    ("participants", "number", "", ("Participants", "Students in the module")),
    ("seminar_groups", "number", "", ("Seminar groups",)),
    ("lab_groups", "number", "", ("Lab groups", "Laboratory groups")),
    ("teacher", "text", "", ("Teacher", "Lecturer")),
    ("term", "text", "", ("Term",)),
    ("duty", "number", "units", ("Duty", "Teaching duty")),
    ("load", "number", "units", ("Load", "Teaching load")),
    ("overload", "text", "", ("Finding", "Result")),
    ("student", "text", "", ("Student", "Student number")),
    ("recognised", "number", "ECTS", ("Credits recognised", "Recognised credits")),
    ("entry", "number", "", ("Entry semester", "Enters semester")),
    ("make_up", "number", "ECTS", ("Make-up credits", "Credits to make up")),
    ("in_force", "number", "", ("Modules in force",)),
    ("years_short", "number", "", ("Years short of practice",)),
    ("not_met", "number", "", ("Prerequisites not met",)),
    ("gaps", "number", "", ("Competence gaps",)),
    ("overloads", "number", "", ("Overloads",)),
)
KEYS = {
    "modules": ("Modules", ("module",)),
    "semesters": ("Semesters", ("pathway", "semester")),
    "practice": ("Practice", ("pathway", "year")),
    "prerequisites": ("Prerequisites", ("module", "prerequisite")),
    "competences": ("Competences", ("competence", "pathway")),
    "groups": ("Groups", ("module",)),
    "staffing": ("Staffing", ("teacher", "term")),
    "recognition": ("Recognition", ("student", "module")),
    "students": ("Students", ("student",)),
}
HUNDREDTH = Decimal("0.01")
DOMAIN: Failure = "domain expertise"
VERIFY: Failure = "self-verification"
FORMAT: Failure = "output format"
HOURS, MINUTES, INTAKE = 30, 50, 68
"""What the what-if puts into B3 and B5."""


class Items:
    """Adds items on whole columns."""

    def __init__(self) -> None:
        self.rubric = RubricSheet()
        for name, read_as, unit, names in FIELDS:
            self.rubric.field(name, *names, read_as=read_as, unit=unit)

    def column(
        self, kind: tuple[Dimension, Level, Failure], place: str, says: str, **how: Any
    ) -> None:
        """`place`: `semesters#credits`."""
        table, field = place.split("#")
        sheet, key = KEYS[table]
        where = {
            "sheet": sheet,
            "key": key,
            "column": field,
            "table": f"expected/{table}.csv#{field}",
        }
        dimension, level, failure = kind
        self.rubric.item(dimension, level, says, failure=failure, check={"column": where | how})

    def rows(self, kind: tuple[Dimension, Level, Failure], table: str, says: str) -> None:
        sheet, key = KEYS[table]
        where = {"sheet": sheet, "key": key, "are": f"expected/{table}.csv"}
        dimension, level, failure = kind
        self.rubric.item(dimension, level, says, failure=failure, check={"rows": where})


def write_rubric(told: Plan, path: Path) -> None:
    items = Items()
    _files(items)
    _modules(told, items)
    _curriculum(told, items)
    _teaching(told, items)
    _staffing(told, items)
    _students(told, items)
    _workbook(told, items)
    letter_items(told, items.rubric)
    items.rubric.write(path)


def _files(items: Items) -> None:
    add = items.rubric.item
    says = f"{NAME} and {LETTER} are there and can be opened."
    wants = {NAME: "xlsx", LETTER: "docx"}
    add("structure", "core", says, failure=FORMAT, check={"files": {"want": wants}})
    says = f"The workbook begins with the sheets {', '.join(SHEETS)}, visible, filled, in order."
    add("structure", "core", says, check={"sheets": {"order": SHEETS}})


def _modules(told: Plan, items: Items) -> None:
    says = (
        f"Modules has each of the {len(told.courses)} modules in force once: the withdrawn W307 is "
        "left out, and W402, which the plan lists under both pathways, is one row."
    )
    items.rows(("structure", "core", "instruction following"), "modules", says)
    half = told.course("W106")
    says = (
        "Contact hours of every module are clock hours of 60 minutes, over 15 weeks or, for a half "
        f"semester, 8 or 7 (W106: {half.contact:f}), as live formulas."
    )
    kind: tuple[Dimension, Level, Failure] = ("calculation", "core", DOMAIN)
    items.column(kind, "modules#contact_hours", says, tol=HUNDREDTH, formula=True)
    hours = told.world.limits.hours
    says = (
        f"Self-study hours are {hours} hours for each credit less the contact hours "
        f"(W106: {half.self_study:f}), as live formulas."
    )
    kind = ("calculation", "important", "instruction following")
    items.column(kind, "modules#self_study", says, tol=HUNDREDTH, formula=True)


def _curriculum(told: Plan, items: Items) -> None:
    low, high = told.semesters["Monitoring", 4], told.semesters["Monitoring", 5]
    says = (
        "Credits of all six semesters are right in both pathways, an elective counted once "
        f"(Monitoring: {low} in semester 4, {high} in semester 5)."
    )
    items.column(("calculation", "core", VERIFY), "semesters#credits", says, formula=True)
    says = (
        "Semesters finds semester 4 of Monitoring below and semester 5 above the limits of 2024, "
        "and all others within."
    )
    items.column(("domain", "important", DOMAIN), "semesters#limits", says, formula=True)
    says = (
        "Practice credits are those of the modules that every student of the pathway takes; "
        "electives give none; live formulas."
    )
    kind: tuple[Dimension, Level, Failure] = ("calculation", "important", DOMAIN)
    items.column(kind, "practice#practice", says, formula=True)
    short = ", ".join(f"{p.pathway} {p.year}: {p.missing:f}" for p in told.short)
    says = (
        "The share of practice is judged year by year, on the year's own credits: short are "
        f"{short}, nothing elsewhere; live formulas."
    )
    kind = ("domain", "core", DOMAIN)
    items.column(kind, "practice#short", says, tol=HUNDREDTH, formula=True)
    unmet = "; ".join(f"{n.needs} for {n.module}: {n.finding}" for n in told.unmet)
    says = (
        f"Each prerequisite has the right finding, a live formula: {unmet}; "
        f"all {len(told.needs) - 3} others met."
    )
    items.column(kind, "prerequisites#met", says, formula=True)
    says = (
        "The modules that assess a competence are counted rightly for each pathway: no "
        "electives, no W307, W402 once."
    )
    items.column(("integration", "important", VERIFY), "competences#assessing", says, formula=True)
    gaps = ", ".join(f"{one.competence} {one.pathway}" for one in told.gaps)
    says = f"Not covered are {gaps}; all other competences are; live formulas."
    items.column(("domain", "important", DOMAIN), "competences#covered", says, formula=True)


def _teaching(told: Plan, items: Items) -> None:
    drawn = told.world
    first = told.course("W101").students
    receiver = told.course("E42").students
    says = (
        f"Participants follow the new intake of {drawn.intake} ({first} in W101); {told.cancelled} "
        f"does not run, and its students join E42 ({receiver})."
    )
    kind: tuple[Dimension, Level, Failure] = ("integration", "core", DOMAIN)
    items.column(kind, "groups#participants", says, formula=True)
    says = (
        f"Seminar groups hold {drawn.limits.seminar} at most, and there are as few as that allows."
    )
    kind = ("calculation", "important", "instruction following")
    items.column(kind, "groups#seminar_groups", says, formula=True)
    lab = drawn.room("Lab C").places
    says = (
        f"Lab groups hold {drawn.limits.lab} at most and no more than the room, which for Lab C is "
        f"{lab} as the dean says (T41: {told.course('T41').labs} groups)."
    )
    items.column(kind, "groups#lab_groups", says, formula=True)


def _staffing(told: Plan, items: Items) -> None:
    moved = told.world.teachers[0]
    clock = next(one for one in told.staffing if one.teacher == told.world.teachers[7].name)
    says = (
        f"Duties are in teaching units ({clock.teacher}, whose contract has clock hours: "
        f"{clock.duty:f}), reductions taken off, 0 in the term of a sabbatical ({moved.name}: "
        f"{moved.away})."
    )
    kind: tuple[Dimension, Level, Failure] = ("integration", "important", VERIFY)
    items.column(kind, "staffing#duty", says, tol=HUNDREDTH, formula=True)
    top = max(told.staffing, key=lambda one: one.load)
    says = (
        "Loads are right for every teacher and term: units times groups, laboratories weighted, "
        "half semesters by their weeks, deputies for sabbaticals "
        f"({_named(top)}: {money(top.load)})."
    )
    kind = ("calculation", "core", DOMAIN)
    items.column(kind, "staffing#load", says, tol=HUNDREDTH, formula=True)
    says = f"Over are {', '.join(map(_named, told.over))}, and nobody else; live formulas."
    items.column(("domain", "important", DOMAIN), "staffing#overload", says, formula=True)


def _named(one: Staffed) -> str:
    return f"{one.teacher} in {one.term}"


def _students(told: Plan, items: Items) -> None:
    says = (
        f"Recognition has exactly the {len(rows(told))} rows that follow from the records, the "
        "resit in the dean's mail and the senate's table; no W106 for "
        f"{told.students[0].name}, no T41 in Monitoring."
    )
    items.rows(("domain", "core", DOMAIN), "recognition", says)
    says = (
        "Each row of Recognition has the right credits: in full from 80 % on, else those of the "
        "old module, 5 at most for the elective."
    )
    kind: tuple[Dimension, Level, Failure] = ("calculation", "important", DOMAIN)
    items.column(kind, "recognition#recognised", says)
    entries = ", ".join(f"{one.name} {one.entry}" for one in told.students)
    says = f"The entry semesters are right ({entries})."
    items.column(("domain", "core", DOMAIN), "students#entry", says)
    made_up = ", ".join(f"{one.name} {one.credits} and {one.make_up}" for one in told.students)
    says = (
        "Credits recognised and make-up credits of each student are right "
        f"({made_up}), as live formulas."
    )
    wants = [
        {"find": {"student": one.number}, "column": name, "equals": value}
        for one in told.students
        for name, value in (("recognised", one.credits), ("make_up", one.make_up))
    ]
    check = {"cell": {"sheet": "Students", "formula": True, "all": wants}}
    items.rubric.item("calculation", "important", says, failure=VERIFY, check=check)


def _workbook(told: Plan, items: Items) -> None:
    figures = {
        "in_force": len(told.courses),
        "years_short": len(told.short),
        "not_met": len(told.unmet),
        "gaps": len(told.gaps),
        "overloads": len(told.over),
    }
    wants = [{"label": name, "equals": value} for name, value in figures.items()]
    says = (
        "Overview shows the right figures as live formulas: {in_force} modules, "
        "{years_short} years short, {not_met} prerequisites not met, {gaps} gaps, "
        "{overloads} overloads."
    ).format(**figures)
    check: dict[str, Any] = {"label": {"sheet": "Overview", "formula": True, "all": wants}}
    items.rubric.item("presentation", "important", says, failure=VERIFY, check=check)
    says = (
        "Overview has two native charts, on the credits by semester of both pathways and on the "
        "loads in winter."
    )
    shown = [
        {"values": "expected/monitoring.csv#credits", "also": "expected/treatment.csv#credits"},
        {"values": "expected/winter.csv#load", "tol": HUNDREDTH},
    ]
    check = {"charts": {"sheet": "Overview", "all": shown}}
    items.rubric.item("presentation", "auxiliary", says, failure=FORMAT, check=check)
    _live(told, items)


def _live(told: Plan, items: Items) -> None:
    """All three named cells move: hours, participants, groups and loads must follow."""
    again = changed(told.world, HOURS, MINUTES, INTAKE)
    busiest = max((one for one in again.staffing if one.term == "winter"), key=lambda one: one.load)
    module = again.course("W102")
    cells = [
        _cell("Modules", "contact_hours", {"module": "W102"}, module.contact),
        _cell("Modules", "self_study", {"module": "W102"}, module.self_study),
        _cell("Groups", "participants", {"module": "W102"}, module.students),
        _cell("Groups", "lab_groups", {"module": "W102"}, module.labs),
        _cell("Staffing", "load", {"teacher": busiest.teacher, "term": "winter"}, busiest.load),
    ]
    says = (
        f"The workbook is live: with {HOURS} hours per credit in B3, {MINUTES} minutes in B4 and "
        f"{INTAKE} new students in B5, W102 has {module.contact:f} contact hours, "
        f"{module.self_study:f} of self-study and {module.labs} lab groups, and {_named(busiest)} "
        f"a load of {money(busiest.load)} ({_before(told, module, busiest)})."
    )
    set_ = {"Parameters!B3": HOURS, "Parameters!B4": MINUTES, "Parameters!B5": INTAKE}
    check = {"whatif": {"set": set_, "then": cells}}
    items.rubric.item("engineering", "important", says, failure=VERIFY, check=check)


def _cell(sheet: str, column: str, find: dict[str, str], value: Decimal | int) -> dict[str, Any]:
    cell = {"sheet": sheet, "find": find, "column": column}
    if isinstance(value, int):
        return cell | {"equals": value}
    return cell | {"equals": value.quantize(HUNDREDTH), "tol": HUNDREDTH}


def _before(told: Plan, module: Course, busiest: Staffed) -> str:
    old = told.course(module.module.code)
    load = next(
        one.load
        for one in told.staffing
        if (one.teacher, one.term) == (busiest.teacher, busiest.term)
    )
    return f"before: {old.contact:f}, {old.self_study:f}, {old.labs} and {money(load)}"
