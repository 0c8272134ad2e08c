"""The curriculum, its people and figures, drawn from a seed.

What stands in which semester, and what builds on what, is the same for every seed; names, teaching
units, cohorts, duties, the numbers of the regulation and the students' results differ.
"""

from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.edu_01_credit_plan.curriculum import COMPETENCES, MODULES, Module
from authoring.edu_01_credit_plan.transfer import HISTORIES, RESIT, Result
from authoring.parts.dice import Dice
from authoring.parts.people import Person, people

Term = Literal["winter", "summer"]
TERMS: tuple[Term, Term] = ("winter", "summer")
PATHWAYS = ("Treatment", "Monitoring")
SEMESTERS = range(1, 7)
TRANSFER = date(2026, 10, 1)
COLLEGES = ("Hallmere", "Oakenshaw", "Brindlow", "Tarnwick", "Wexcombe", "Ellerby")


class Teacher(msgspec.Struct, frozen=True):
    name: str
    """Surname."""
    duty: int
    """A week, for a full post."""
    clock: bool
    """Whether the contract counts hours of 60 minutes and not teaching units."""
    post: int
    """Per cent."""
    less: int
    """Teaching units a week taken off for an office."""
    office: str
    away: Term | None = None
    """Sabbatical, as it will be."""
    away_on_file: Term | None = None
    """Sabbatical, as the contracts say."""


class Room(msgspec.Struct, frozen=True):
    name: str
    places: int
    """As it will be."""
    places_on_file: int


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of an edition of the regulation."""

    hours: int
    """Of work, for one credit."""
    minutes: int
    """Of contact, for one teaching unit."""
    low: int
    high: int
    """Credits of a semester."""
    seminar: int
    lab: int
    """Most students in a group."""
    factor: Decimal
    """What a unit in the laboratory counts."""
    over: int
    """Units by which a teacher may be above the duty."""
    assessed: int
    """Modules that must assess a competence in each pathway."""
    least: int
    """Registrations without which an elective does not run."""


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    college: str
    director: Person
    dean: Person
    modules: tuple[Module, ...]
    teachers: tuple[Teacher, ...]
    rooms: tuple[Room, ...]
    matrix: dict[tuple[str, str], str]
    """(module, competence) to I, P or A."""
    limits: Limits
    old_limits: Limits
    intake: int
    intake_on_file: int
    stays: tuple[int, ...]
    """Per cent of the new students who are there in semester 1, 2 .. 6."""
    treatment: int
    """Per cent of a semester's students who take the pathway Treatment."""
    registered: dict[str, int]
    """First choices for each elective."""
    students: tuple[tuple[str, Person, str], ...]
    """Number, name, pathway."""
    results: tuple[Result, ...]
    resit: Result
    """Known from the dean only."""

    def module(self, code: str) -> Module:
        return next(one for one in self.modules if one.code == code)

    def room(self, name: str) -> Room:
        return next(one for one in self.rooms if one.name == name)


def term_of(semester: int) -> Term:
    return TERMS[(semester - 1) % 2]


def world(seed: int) -> World:
    dice = Dice("credit-plan", seed)
    staff = people(dice, 16, plain=True)
    stays = (100, *(dice.whole(low, high) for low, high in STAYS))
    intake = dice.whole(53, 58)
    return World(
        seed=seed,
        college=dice.pick(COLLEGES),
        director=staff[11],
        dean=staff[12],
        modules=_modules(Dice("modules", seed), [one.surname for one in staff]),
        teachers=_teachers(dice, [one.surname for one in staff]),
        rooms=_rooms(dice),
        matrix=_matrix(Dice("matrix", seed)),
        limits=_limits(dice),
        old_limits=OLD,
        intake=intake,
        intake_on_file=intake - dice.whole(6, 8),
        stays=stays,
        treatment=dice.pick((53, 54, 56, 57)),
        registered=_registered(dice),
        students=_students(dice, staff[13:16]),
        results=_results(Dice("results", seed)),
        resit=Result(1, RESIT, 2, date(2025, 7, dice.whole(6, 17)), Decimal("2.7")),
    )


STAYS = ((90, 94), (83, 87), (78, 81), (74, 77), (70, 73))
OLD = Limits(
    hours=30,
    minutes=60,
    low=25,
    high=35,
    seminar=30,
    lab=20,
    factor=Decimal("0.5"),
    over=4,
    assessed=1,
    least=10,
)


def _limits(dice: Dice) -> Limits:
    return Limits(
        hours=dice.pick((26, 27, 28)),
        minutes=45,
        low=27,
        high=33,
        seminar=dice.pick((22, 24, 25)),
        lab=dice.pick((15, 16)),
        factor=dice.pick((Decimal("0.75"), Decimal("0.8"))),
        over=2,
        assessed=2,
        least=12,
    )


def _modules(dice: Dice, names: list[str]) -> tuple[Module, ...]:
    """Teachers by their names; four modules have a unit of lecture more than on paper, four less a
    unit of seminar."""
    plain = [one for one in MODULES if not one.block and one.lecture >= 2]
    more = {one.code for one in dice.sample(plain, 6)}
    return tuple(
        msgspec.structs.replace(
            one,
            lead=names[int(one.lead)],
            deputy=names[int(one.deputy)],
            lecture=one.lecture + (one.code in more),
        )
        for one in MODULES
    )


DUTIES = (
    (18, False, 100, 2, "head of laboratory"),
    (24, False, 75, 0, ""),
    (18, False, 100, 0, ""),
    (18, False, 100, 0, ""),
    (24, False, 100, 4, "safety officer"),
    (18, False, 100, 3, "programme director"),
    (24, False, 75, 0, ""),
    (9, True, 100, 0, ""),
    (24, False, 50, 0, ""),
    (24, False, 75, 0, ""),
    (12, True, 75, 2, "examinations board"),
)
"""Duty, in clock hours, post, units less, office: of each teacher."""


def _teachers(dice: Dice, names: list[str]) -> tuple[Teacher, ...]:
    found = [Teacher(name, *duty) for name, duty in zip(names, DUTIES, strict=False)]
    found[3] = msgspec.structs.replace(found[3], away="winter", away_on_file="winter")
    found[0] = msgspec.structs.replace(found[0], away="summer", away_on_file="winter")
    return tuple(found)


def _rooms(dice: Dice) -> tuple[Room, ...]:
    return (
        Room("Lab A", 20, 20),
        Room("Lab B", 14, 14),
        Room("Lab C", dice.pick((11, 12)), 18),
        Room("Computer room", 24, 24),
        Room("Field", 12, 12),
    )


def _matrix(dice: Dice) -> dict[tuple[str, str], str]:
    """Where a competence is assessed stands in COMPETENCES; elsewhere it may be introduced or
    practised."""
    found: dict[tuple[str, str], str] = {}
    for name, _, assessed in COMPETENCES:
        for one in MODULES:
            mark = "A" if one.code in assessed else dice.pick(("", "", "", "I", "P"))
            if mark:
                found[one.code, name] = mark
    return found


def _registered(dice: Dice) -> dict[str, int]:
    """One elective of the summer has too few, another has just enough."""
    return {
        "E41": dice.whole(17, 20),
        "E42": 12,
        "E43": dice.pick((10, 11)),
        "E51": dice.whole(14, 15),
        "E52": dice.whole(16, 17),
        "E53": 13,
    }


def _students(dice: Dice, names: tuple[Person, ...]) -> tuple[tuple[str, Person, str], ...]:
    numbers = dice.sample(range(20110, 20890), 3)
    ways = ("Treatment", "Monitoring", "Treatment")
    return tuple(
        (f"S-{number}", name, way) for number, name, way in zip(numbers, names, ways, strict=True)
    )


SITTINGS = tuple(date(year, month, 1) for year in range(2019, 2027) for month in (2, 7))


def _results(dice: Dice) -> tuple[Result, ...]:
    """All attempts, in the order of a student's file. `HISTORIES` says what was passed and in
    which sitting; what failed before was failed one sitting earlier."""
    found = []
    for student, history in enumerate(HISTORIES):
        rows = []
        for code, sitting, failed in history:
            day = SITTINGS[sitting] + timedelta(days=dice.whole(1, 26))
            if failed:
                before = SITTINGS[max(0, sitting - 1)] + timedelta(days=dice.whole(1, 26))
                rows.append(Result(student, code, 1, before, Decimal("5.0")))
            if failed != "only":
                grade = Decimal(dice.pick(GRADES))
                rows.append(Result(student, code, 2 if failed else 1, day, grade))
        found += sorted(rows, key=lambda row: (row.day, row.code))
    return tuple(found)


GRADES = ("1.0", "1.3", "1.7", "2.0", "2.3", "2.7", "3.0", "3.3", "3.7", "4.0")
