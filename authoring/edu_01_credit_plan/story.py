"""All that is computed for one seed, and what must hold of it for the story to be the prompt's."""

from collections.abc import Hashable
from decimal import Decimal

import msgspec

from authoring.edu_01_credit_plan.moving import Student, students
from authoring.edu_01_credit_plan.rules import (
    Course,
    Coverage,
    Need,
    Practice,
    Rules,
    Staffed,
    courses,
    coverage,
    limits,
    needs,
    practice,
    semester_credits,
    semester_finding,
    staffing,
)
from authoring.edu_01_credit_plan.world import PATHWAYS, SEMESTERS, World, world
from authoring.parts.invariants import alive, invariant


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    world: World
    courses: tuple[Course, ...]
    semesters: dict[tuple[str, int], int]
    findings: dict[tuple[str, int], str]
    practice: tuple[Practice, ...]
    needs: tuple[Need, ...]
    coverage: tuple[Coverage, ...]
    staffing: tuple[Staffed, ...]
    students: tuple[Student, ...]

    def course(self, code: str) -> Course:
        return next(one for one in self.courses if one.module.code == code)

    @property
    def short(self) -> tuple[Practice, ...]:
        """Years of a pathway with too little practice."""
        return tuple(one for one in self.practice if one.missing)

    @property
    def unmet(self) -> tuple[Need, ...]:
        return tuple(one for one in self.needs if one.finding != "met")

    @property
    def gaps(self) -> tuple[Coverage, ...]:
        return tuple(one for one in self.coverage if not one.covered)

    @property
    def over(self) -> tuple[Staffed, ...]:
        return tuple(one for one in self.staffing if one.finding == "over")

    @property
    def outside(self) -> tuple[tuple[str, int], ...]:
        """Semesters of a pathway with too few or too many credits."""
        return tuple(key for key, finding in self.findings.items() if finding != "within")

    @property
    def cancelled(self) -> str:
        return next(one.module.code for one in self.courses if not one.students)


def tell(drawn: World, rules: Rules) -> Plan:
    taught = courses(drawn, rules)
    keys = [(pathway, semester) for pathway in PATHWAYS for semester in SEMESTERS]
    found = {key: semester_credits(drawn, rules, *key) for key in keys}
    known = limits(drawn, rules)
    return Plan(
        world=drawn,
        courses=taught,
        semesters=found,
        findings={key: semester_finding(known, value) for key, value in found.items()},
        practice=practice(drawn, rules),
        needs=needs(drawn, rules),
        coverage=coverage(drawn, rules),
        staffing=staffing(drawn, rules, taught),
        students=students(drawn, rules),
    )


def plan(seed: int) -> Plan:
    told = tell(world(seed), Rules())
    _check(told)
    for name, rules in SLIPS.items():
        slip = promised(tell(told.world, rules))
        alive(promised(told), slip, f"{name}: the trap is alive")
    return told


def changed(drawn: World, hours: int, minutes: int, intake: int) -> Plan:
    """With other parameters: what the workbook must follow to."""
    limits_ = msgspec.structs.replace(drawn.limits, hours=hours, minutes=minutes)
    return tell(msgspec.structs.replace(drawn, limits=limits_, intake=intake), Rules())


def promised(told: Plan) -> dict[Hashable, object]:
    """The values that the prompt asks for."""
    found: dict[Hashable, object] = {}
    for one in told.courses:
        found[one.module.code] = (one.contact, one.self_study)
        found[one.module.code, "groups"] = (one.students, one.seminars, one.labs)
    for staffed in told.staffing:
        found[staffed.teacher, staffed.term] = (staffed.duty, staffed.load, staffed.finding)
    for student in told.students:
        found[student.number] = (student.credits, student.entry, student.make_up)
        found |= {(student.number, row.module): row.credits for row in student.recognised}
    return found | _promised_of_the_draft(told)


def _promised_of_the_draft(told: Plan) -> dict[Hashable, object]:
    found: dict[Hashable, object] = {}
    for key, value in told.semesters.items():
        found[key] = (value, told.findings[key])
    for year in told.practice:
        found[year.pathway, year.year, "practice"] = (year.practice, year.missing)
    for need in told.needs:
        found[need.module, need.needs] = need.finding
    for cover in told.coverage:
        found[cover.competence, cover.pathway] = (cover.assessed, cover.covered)
    return found


SLIPS = {
    **{f"{name} of 2018": Rules(old=(name,)) for name in ("hours", "minutes", "low", "high")},
    **{f"{name} of 2018": Rules(old=(name,)) for name in ("seminar", "lab", "factor", "over")},
    **{f"{name} of 2018": Rules(old=(name,)) for name in ("assessed", "least")},
    "half-semester modules": Rules(blocks=False),
    "practice by year": Rules(whole_programme=True),
    "practice in electives": Rules(elective_practice=True),
    "the credits of the year": Rules(year_of_sixty=True),
    "prerequisites in the same semester": Rules(same_semester=True),
    "prerequisites of the other pathway": Rules(any_pathway=True),
    "the module in two pathways": Rules(shared_once=False),
    "the withdrawn module": Rules(withdrawn=True),
    "competences in electives": Rules(electives_assess=True),
    "the intake of the mail": Rules(mail_intake=False),
    "the laboratory of the mail": Rules(mail_room=False),
    "places in rooms": Rules(room_size=False),
    "the sabbatical of the mail": Rules(sabbatical="file"),
    "sabbaticals": Rules(sabbatical="ignored"),
    "duties in clock hours": Rules(clock=False),
    "reductions": Rules(reductions=False),
    "electives that do not run": Rules(cancels=False),
    "students of such electives": Rules(moves=False),
    "four fifths": Rules(full_from=Decimal("0.81")),
    "every equivalent in full": Rules(full_from=Decimal("0.1")),
    "old practice modules": Rules(expiry=False),
    "the resit of the mail": Rules(mail_resit=False),
    "one elective at most": Rules(free_most=100),
    "modules of the other pathway": Rules(own_pathway=False),
    "lines of several modules": Rules(all_parts=False),
    "winter entry": Rules(winter_only=False),
    "the most to make up": Rules(make_up_most=100),
}
"""Each hidden rule, broken."""


def _check(told: Plan) -> None:
    drawn = told.world
    invariant(len(told.courses) == 42, "42 modules are in force")
    totals = [sum(told.semesters[way, s] for s in SEMESTERS) for way in PATHWAYS]
    invariant(totals == [180, 180], "180 credits in each pathway")
    short = [(one.pathway, one.year) for one in told.short]
    wanted = [("Treatment", 1), ("Monitoring", 1), ("Monitoring", 2)]
    invariant(short == wanted, "practice is short in year 1, and in year 2 of Monitoring")
    for way in PATHWAYS:
        done = sum(one.practice for one in told.practice if one.pathway == way)
        invariant(done > 36, "practice is more than a fifth of the programme")
    invariant(told.outside == (("Monitoring", 4), ("Monitoring", 5)), "two semesters outside")
    invariant(len(told.unmet) == 3, "three prerequisites are not met")
    invariant(len(told.gaps) == 4, "four gaps of competences")
    invariant(3 <= len(told.over) <= 9, f"three to nine overloads, not {len(told.over)}")
    away = {one.name for one in drawn.teachers if one.away}
    invariant(
        not any(one.taught_by in away for one in told.courses if _substitute(one)), "deputies"
    )
    for one in told.courses:
        invariant(one.self_study > 0, f"{one.module.code}: more work than contact")
    for staffed in told.staffing:
        invariant(abs(staffed.balance - 2) > Decimal("0.02"), "no balance on the very limit")
    entries = tuple(student.entry for student in told.students)
    invariant(entries == (1, 3, 5), f"the students enter semesters 1, 3 and 5, not {entries}")


def _substitute(one: Course) -> bool:
    return one.taught_by != one.module.lead
