"""The regulation of 2024 and the transition rules, computed; a slip is the same, otherwise set."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.edu_01_credit_plan.curriculum import COMPETENCES, Module
from authoring.edu_01_credit_plan.world import (
    PATHWAYS,
    SEMESTERS,
    TERMS,
    Limits,
    Teacher,
    Term,
    World,
    term_of,
)
from authoring.parts.numbers import rounded

WEEKS = {"": 15, "H1": 8, "H2": 7}
SHARE = Decimal("0.2")
"""Of a year's credits that must be practice."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The settings; each default is the rule in force."""

    old: tuple[str, ...] = ()
    """Numbers that are taken from the edition of 2018, by their names in `Limits`."""
    blocks: bool = True
    """Half-semester modules run in half of the weeks, and one can build on the other."""
    whole_programme: bool = False
    """Practice is looked at over three years."""
    elective_practice: bool = False
    year_of_sixty: bool = False
    same_semester: bool = False
    """A prerequisite may run in the same semester."""
    any_pathway: bool = False
    shared_once: bool = True
    withdrawn: bool = False
    """Whether the withdrawn module is kept."""
    electives_assess: bool = False
    mail_intake: bool = True
    mail_room: bool = True
    room_size: bool = True
    sabbatical: Literal["mail", "file", "ignored"] = "mail"
    clock: bool = True
    """Duties in clock hours are turned into teaching units."""
    reductions: bool = True
    cancels: bool = True
    """Electives without enough registrations do not run."""
    moves: bool = True
    """Their students go into another one."""
    # Transition
    full_from: Decimal = Decimal("0.8")
    expiry: bool = True
    mail_resit: bool = True
    free_most: int = 5
    all_parts: bool = True
    """All old modules of a line are needed."""
    own_pathway: bool = True
    winter_only: bool = True
    make_up_most: int = 15


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """A module as it is taught."""

    module: Module
    contact: Decimal
    """Clock hours of one student."""
    workload: int
    students: int
    seminars: int
    labs: int
    """Groups."""
    taught_by: str
    load: Decimal
    """Units a week, over the whole semester."""

    @property
    def self_study(self) -> Decimal:
        return self.workload - self.contact


class Practice(msgspec.Struct, frozen=True):
    pathway: str
    year: int
    credits: int
    practice: int
    missing: Decimal


class Need(msgspec.Struct, frozen=True):
    module: str
    needs: str
    finding: str


class Coverage(msgspec.Struct, frozen=True):
    competence: str
    pathway: str
    assessed: int
    covered: bool


class Staffed(msgspec.Struct, frozen=True):
    teacher: str
    term: Term
    duty: Decimal
    load: Decimal
    finding: str

    @property
    def balance(self) -> Decimal:
        return self.load - self.duty


def limits(drawn: World, rules: Rules) -> Limits:
    old = {name: getattr(drawn.old_limits, name) for name in rules.old}
    return msgspec.structs.replace(drawn.limits, **old)


def in_force(drawn: World, rules: Rules) -> tuple[Module, ...]:
    return tuple(one for one in drawn.modules if not one.withdrawn or rules.withdrawn)


# --- students and teaching ----------------------------------------------------------------------


def headcount(drawn: World, rules: Rules, semester: int) -> dict[str, int]:
    """Students of a semester: both, and of each pathway."""
    new = drawn.intake if rules.mail_intake else drawn.intake_on_file
    both = int(rounded(Decimal(new * drawn.stays[semester - 1]) / 100, 0))
    treatment = int(rounded(Decimal(both * drawn.treatment) / 100, 0))
    return {"both": both, "Treatment": treatment, "Monitoring": both - treatment}


def elective_students(drawn: World, rules: Rules, slot: Iterable[str]) -> dict[str, int]:
    """Electives of one slot to the students that they have in the end."""
    first = {code: drawn.registered[code] for code in slot}
    least = limits(drawn, rules).least if rules.cancels else 0
    running = {code: n for code, n in first.items() if n >= least}
    lost = sum(first.values()) - sum(running.values())
    receiver = min(running, key=lambda code: running[code])
    if rules.moves:
        running[receiver] += lost
    return {code: running.get(code, 0) for code in first}


def courses(drawn: World, rules: Rules) -> tuple[Course, ...]:
    modules = in_force(drawn, rules)
    chosen: dict[str, int] = {}
    for semester in SEMESTERS:
        slot = [m.code for m in modules if m.where == "elective" and m.semester == semester]
        chosen |= elective_students(drawn, rules, slot) if slot else {}
    return tuple(_course(drawn, rules, one, chosen) for one in modules)


def _course(drawn: World, rules: Rules, one: Module, chosen: dict[str, int]) -> Course:
    known = limits(drawn, rules)
    weeks = WEEKS[one.block if rules.blocks else ""]
    students = chosen.get(one.code, 0)
    if one.where != "elective":
        students = headcount(drawn, rules, one.semester)[one.where]
    seminars = _groups(students, known.seminar) if one.seminar else 0
    labs = _groups(students, _places(drawn, rules, one, known)) if one.lab else 0
    lectures = one.lecture if students else 0
    units = lectures + one.seminar * seminars + one.lab * labs * known.factor
    return Course(
        module=one,
        contact=Decimal(one.units * weeks * known.minutes) / 60,
        workload=one.credits * known.hours,
        students=students,
        seminars=seminars,
        labs=labs,
        taught_by=taught_by(drawn, rules, one),
        load=units * weeks / 15,
    )


def _groups(students: int, size: int) -> int:
    return -(-students // size)


def _places(drawn: World, rules: Rules, one: Module, known: Limits) -> int:
    if not rules.room_size:
        return known.lab
    room = drawn.room(one.room)
    return min(known.lab, room.places if rules.mail_room else room.places_on_file)


def away(one: Teacher, rules: Rules) -> Term | None:
    return {"mail": one.away, "file": one.away_on_file, "ignored": None}[rules.sabbatical]


def taught_by(drawn: World, rules: Rules, one: Module) -> str:
    lead = next(teacher for teacher in drawn.teachers if teacher.name == one.lead)
    return one.deputy if away(lead, rules) == term_of(one.semester) else one.lead


def staffing(drawn: World, rules: Rules, taught: Iterable[Course]) -> tuple[Staffed, ...]:
    known = list(taught)
    return tuple(
        _staffed(drawn, rules, teacher, term, known) for teacher in drawn.teachers for term in TERMS
    )


def _staffed(
    drawn: World, rules: Rules, teacher: Teacher, term: Term, taught: list[Course]
) -> Staffed:
    known = limits(drawn, rules)
    duty = duty_of(teacher, rules, known) if away(teacher, rules) != term else Decimal(0)
    load = sum(
        (
            one.load * (2 if one.module.shared and not rules.shared_once else 1)
            for one in taught
            if one.taught_by == teacher.name and term_of(one.module.semester) == term
        ),
        Decimal(0),
    )
    over = load - duty > known.over
    return Staffed(teacher.name, term, duty, load, "over" if over else "within")


def duty_of(teacher: Teacher, rules: Rules, known: Limits) -> Decimal:
    """Teaching units a week in a term without sabbatical."""
    units = Decimal(teacher.duty * teacher.post) / 100
    units = units * 60 / known.minutes if teacher.clock and rules.clock else units
    return units - (teacher.less if rules.reductions else 0)


# --- the curriculum -----------------------------------------------------------------------------


def elective_credits(drawn: World, semester: int) -> int:
    """A slot counts once, whatever is offered in it."""
    found = [m.credits for m in drawn.modules if m.where == "elective" and m.semester == semester]
    return found[0] if found else 0


def semester_credits(drawn: World, rules: Rules, pathway: str, semester: int) -> int:
    own = [
        one.credits
        for one in in_force(drawn, rules)
        if one.semester == semester and one.stands_in(pathway)
    ]
    return sum(own) + elective_credits(drawn, semester)


def semester_finding(known: Limits, credits_: int) -> str:
    if credits_ < known.low:
        return "below"
    return "above" if credits_ > known.high else "within"


def practice(drawn: World, rules: Rules) -> tuple[Practice, ...]:
    return tuple(
        _practice(drawn, rules, pathway, year) for pathway in PATHWAYS for year in (1, 2, 3)
    )


def _practice(drawn: World, rules: Rules, pathway: str, year: int) -> Practice:
    modules = [one for one in in_force(drawn, rules) if one.year == year]
    done = sum(one.practice for one in modules if one.stands_in(pathway))
    if rules.elective_practice:
        for semester in (2 * year - 1, 2 * year):
            slot = [m for m in modules if m.where == "elective" and m.semester == semester]
            done += max((one.practice for one in slot), default=0)
    whole = sum(semester_credits(drawn, rules, pathway, s) for s in (2 * year - 1, 2 * year))
    base = 60 if rules.year_of_sixty else whole
    missing = max(Decimal(0), base * SHARE - done)
    return Practice(pathway, year, whole, done, Decimal(0) if rules.whole_programme else missing)


def needs(drawn: World, rules: Rules) -> tuple[Need, ...]:
    return tuple(
        Need(one.code, other, _finding(drawn, rules, one, drawn.module(other)))
        for one in in_force(drawn, rules)
        for other in one.needs
    )


def _finding(drawn: World, rules: Rules, one: Module, other: Module) -> str:
    if other.where not in ("both", one.where) and not rules.any_pathway:
        return "other pathway"
    before = other.semester < one.semester
    halves = rules.blocks and (other.block, one.block) == ("H1", "H2")
    together = other.semester == one.semester and (halves or rules.same_semester)
    return "met" if before or together else "too late"


def coverage(drawn: World, rules: Rules) -> tuple[Coverage, ...]:
    return tuple(
        _coverage(drawn, rules, name, pathway) for name, _, _ in COMPETENCES for pathway in PATHWAYS
    )


def _coverage(drawn: World, rules: Rules, name: str, pathway: str) -> Coverage:
    count = sum(
        2 if one.shared and not rules.shared_once else 1
        for one in in_force(drawn, rules)
        if drawn.matrix.get((one.code, name)) == "A"
        and (one.stands_in(pathway) or (rules.electives_assess and one.where == "elective"))
    )
    return Coverage(name, pathway, count, count >= limits(drawn, rules).assessed)
