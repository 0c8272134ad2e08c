"""The files an agent gets."""

from pathlib import Path

from PIL import Image

from authoring.edu_01_credit_plan.curriculum import COMPETENCES, Module
from authoring.edu_01_credit_plan.moving import OLD as OLD_MODULES
from authoring.edu_01_credit_plan.rules import SHARE, Rules
from authoring.edu_01_credit_plan.story import Plan
from authoring.edu_01_credit_plan.transfer import EQUIVALENT, Result
from authoring.edu_01_credit_plan.world import PATHWAYS, TERMS, Limits, World
from authoring.parts.dice import Dice
from authoring.parts.dirt import Dirt
from authoring.parts.pdf import Sheetwork, write_pdf
from authoring.parts.scan import scan_page
from authoring.parts.tables import Table, Value, write_csv, write_workbook
from authoring.parts.word import Letter, write_docx

PLAN = "module-plan.xlsx"
TEXTS = Path(__file__).with_name("texts")
COUNCIL = "Council for Higher Education of Norrland"


def text(name: str, **values: object) -> str:
    """One of the recipe's texts, its places in braces filled."""
    return (TEXTS / name).read_text("utf-8").format(**values)


def names(told: Plan) -> dict[str, str]:
    first, second, third = (person.name for _, person, _ in told.world.students)
    return {"first": first, "second": second, "third": third}


def prompt(told: Plan) -> str:
    drawn = told.world
    return text("prompt.md", college=drawn.college, director=drawn.director.name, **names(told))


def write_inputs(told: Plan, folder: Path) -> None:
    drawn = told.world
    title = f"Export of 14 November 2025, {drawn.college} University College"
    tables = (_modules(drawn, title), _matrix(drawn), _choices(drawn))
    write_workbook(folder / PLAN, tables, "Module plan", "Programme office")
    _regulations(drawn, folder)
    _documents(drawn, folder)
    _lists(drawn, folder)
    (folder / "mail-from-the-dean.md").write_text(_mail(told), "utf-8", newline="\n")


# --- the draft ----------------------------------------------------------------------------------


def _listed(drawn: World) -> list[tuple[Module, str]]:
    """Modules as the plan lists them: under each pathway, so that a shared one stands twice."""
    found: list[tuple[Module, str]] = []
    for semester in range(1, 7):
        for where in ("both", *PATHWAYS, "elective"):
            for one in drawn.modules:
                both = one.shared and where in PATHWAYS
                if one.semester == semester and (both or (one.where == where and not one.shared)):
                    label = {"both": "all", "elective": "Elective"}.get(where, where)
                    found.append((one, label))
    return found


def _modules(drawn: World, title: str) -> Table:
    dirt = Dirt("plan", drawn.seed)
    header = (
        *("Code", "Title", "Semester", "Pathway", "ECTS", "of which practice", "Lecture"),
        *("Seminar", "Lab", "Half", "Room", "Teacher", "Deputy", "Prerequisites", "Status"),
    )
    rows: list[tuple[Value, ...]] = []
    for one, where in _listed(drawn):
        status = "withdrawn" if one.withdrawn else "approved"
        units = (one.lecture, one.seminar, one.lab)
        rows.append(
            (
                *(_code(dirt, one.code), dirt.text(one.title, 85), one.semester, where),
                *(dirt.number(one.credits, 90), one.practice),
                *(unit or None for unit in units),
                *(one.block or None, one.room or None),
                *(dirt.text(one.lead, 85).title(), one.deputy, _typed(dirt, one.needs), status),
            )
        )
    widths = {"Title": 32.0, "Prerequisites": 16.0, "Teacher": 15.0, "Deputy": 15.0}
    return Table("Modules", header, tuple(rows), widths=widths, title=(title, "Units are per week"))


def _code(dirt: Dirt, code: str) -> str:
    if dirt.dice.chance(75):
        return code
    return dirt.dice.pick((f"{code} ", f" {code}", code.lower(), f"{code[0]} {code[1:]}"))


def _typed(dirt: Dirt, codes: tuple[str, ...]) -> str | None:
    mark = dirt.dice.pick((", ", "; ", " + "))
    return mark.join(_code(dirt, code) for code in codes) or None


def _matrix(drawn: World) -> Table:
    dirt = Dirt("matrix", drawn.seed)
    header = ("Module", *(name for name, _, _ in COMPETENCES))
    meaning: tuple[Value, ...] = ("", *(what for _, what, _ in COMPETENCES))
    rows = [
        (_code(dirt, one.code), *(drawn.matrix.get((one.code, k)) for k in header[1:]))
        for one, _ in _listed(drawn)
    ]
    title = ("I introduced, P practised, A assessed",)
    return Table("Competences", header, (meaning, *rows), title=title)


def _choices(drawn: World) -> Table:
    rows = [
        (one.code, one.title, one.semester, drawn.registered[one.code])
        for one in drawn.modules
        if one.where == "elective"
    ]
    header = ("Code", "Title", "Semester", "First choices")
    return Table("Electives", header, tuple(rows), widths={"Title": 26.0})


# --- rules --------------------------------------------------------------------------------------


def _numbers(limits: Limits) -> dict[str, object]:
    return {
        "share": int(SHARE * 100),
        **{name: getattr(limits, name) for name in Limits.__struct_fields__},
    }


def _annex(limits: Limits) -> tuple[str, ...]:
    return (
        "# Annex: planning figures (to 8, 9 and 10)",
        "",
        f"a.  A seminar group has at most {limits.seminar} participants.",
        "",
        f"b.  A laboratory group has at most {limits.lab} participants, and never more",
        "    than the room has places.",
        "",
        f"c.  A unit in the laboratory counts {limits.factor} of a unit of load, for each group.",
        "",
        f"d.  An elective needs at least {limits.least} first choices.",
        "",
        f"e.  A load may exceed the duty by {limits.over} units at most, in any one term.",
        "",
        "f.  These figures replace those of section 6 of the edition of 2018.",
        "",
        "Adopted by the Council on 12 December 2024",
    )


def _regulations(drawn: World, folder: Path) -> None:
    new, old = drawn.limits, drawn.old_limits
    page = scan_page(_annex(new), Dice("annex", drawn.seed), stamp="COUNCIL - 12 DEC 2024")
    around = Sheetwork(title="Accreditation regulation 2024", author=COUNCIL, header=COUNCIL)
    pages: list[str | Image.Image] = [text("regulation-2024.md", **_numbers(new)), page]
    write_pdf(folder / "regulation-2024.pdf", pages, around)
    around = Sheetwork(title="Accreditation regulation 2018", author=COUNCIL, header=COUNCIL)
    write_pdf(folder / "regulation-2018.pdf", [text("regulation-2018.md", **_numbers(old))], around)


def _documents(drawn: World, folder: Path) -> None:
    lines = [f"| {' and '.join(old)} | {' and '.join(new)} |" for old, new in EQUIVALENT]
    rules = Rules()
    decision = text(
        "transition-rules.md",
        college=drawn.college,
        full=int(rules.full_from * 100),
        free=rules.free_most,
        most=rules.make_up_most,
        rows="\n".join(lines),
    )
    letter = Letter(title="Transition rules", author="Senate office", header=drawn.college)
    write_docx(folder / "transition-rules.docx", decision, letter)
    lines = [
        f"| {one.code} | {one.title} | {one.credits} | {'P' if one.practice else ''} |"
        for one in OLD_MODULES.values()
    ]
    book = text("handbook-2019.md", college=drawn.college, rows="\n".join(lines))
    letter = Letter(title="Module handbook 2019", author="Programme office", header=drawn.college)
    write_docx(folder / "handbook-2019.docx", book, letter)


# --- lists --------------------------------------------------------------------------------------


def _lists(drawn: World, folder: Path) -> None:
    write_csv(folder / "staff-contracts.csv", _contracts(drawn))
    remarks = {"Lab B": "clean bench", "Field": "per group, two boats", "Lab C": "pilot plant"}
    rows = tuple((room.name, room.places_on_file, remarks.get(room.name)) for room in drawn.rooms)
    write_csv(folder / "rooms-and-labs.csv", Table("Rooms", ("Room", "Places", "Remark"), rows))
    write_csv(folder / "cohort-numbers.csv", _cohorts(drawn))
    write_csv(folder / "student-records.csv", _records(drawn), delimiter=";")


def _contracts(drawn: World) -> Table:
    terms = dict(zip(TERMS, ("winter 2026/27", "summer 2027"), strict=True))
    header = (
        *("Teacher", "Duty per week (full post)", "Measured in", "Post (%)"),
        *("Reduction", "Office", "Sabbatical"),
    )
    rows = tuple(
        (
            *(one.name, one.duty, "clock hours" if one.clock else "teaching units", one.post),
            *(one.less or None, one.office or None),
            terms[one.away_on_file] if one.away_on_file else None,
        )
        for one in drawn.teachers
    )
    return Table("Contracts", header, rows)


def _cohorts(drawn: World) -> Table:
    rows: list[tuple[Value, ...]] = [
        ("New students", drawn.intake_on_file, "persons", "target agreement of June 2024")
    ]
    for semester, share in enumerate(drawn.stays, 1):
        note = "rounded to whole persons, halves up" if semester == 1 else None
        rows.append((f"Semester {semester}", share, "% of new students", note))
    note = "rounded likewise; the others take Monitoring"
    rows.append(("Pathway Treatment", drawn.treatment, "% of the semester's students", note))
    return Table("Cohorts", ("Figure", "Value", "Unit", "Note"), tuple(rows))


def _records(drawn: World) -> Table:
    dice = Dice("records", drawn.seed)
    rows = tuple(_record(drawn, dice, row) for row in drawn.results)
    header = ("Student", "Name", "Module", "Attempt", "Date", "Grade")
    return Table("Records", header, rows)


def _record(drawn: World, dice: Dice, row: Result) -> tuple[Value, ...]:
    number, person, _ = drawn.students[row.student]
    code = (
        row.code if dice.chance(75) else dice.pick((row.code.replace("-", " "), row.code.lower()))
    )
    return (number, person.formal, code, row.attempt, row.day, f"{row.grade}".replace(".", ","))


# --- mail ---------------------------------------------------------------------------------------


def _mail(told: Plan) -> str:
    drawn = told.world
    moved, other = (one for one in drawn.teachers if one.away)
    lab = drawn.room("Lab C")
    done = {
        way.lower(): sum(year.practice for year in told.practice if year.pathway == way)
        for way in PATHWAYS
    }
    resit = drawn.resit
    return text(
        "mail-from-the-dean.md",
        dean=drawn.dean.name,
        dean_given=drawn.dean.given,
        director=drawn.director.name,
        given=drawn.director.given,
        intake=drawn.intake,
        old_intake=drawn.intake_on_file,
        away=moved.name,
        other=other.name,
        places=lab.places,
        old_places=lab.places_on_file,
        second=names(told)["second"],
        resit=f"July {resit.day.year}",
        module=resit.code,
        grade=resit.grade,
        **done,
    )
