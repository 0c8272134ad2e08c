"""The transition rules: what is recognised of each student, where the student enters."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

import msgspec

from authoring.edu_01_credit_plan.rules import Rules, semester_credits
from authoring.edu_01_credit_plan.transfer import (
    EQUIVALENT,
    FREE,
    FREE_SEMESTER,
    OLD_MODULES,
    OldModule,
    Result,
)
from authoring.edu_01_credit_plan.world import TRANSFER, World

OLD = {one.code: one for one in OLD_MODULES}
PASSED = Decimal("4.0")
OLDEST = date(TRANSFER.year - 5, TRANSFER.month, TRANSFER.day)
"""The first day of the five years in which a practice module must have been passed."""


class Recognised(msgspec.Struct, frozen=True):
    student: str
    module: str
    credits: int
    semester: int
    basis: tuple[str, ...]
    """Old modules."""


class Student(msgspec.Struct, frozen=True, kw_only=True):
    number: str
    name: str
    pathway: str
    recognised: tuple[Recognised, ...]
    credits: int
    entry: int
    make_up: int
    made_up_at: dict[int, int]
    """Entry semester to what would have to be made up."""

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(row.module for row in self.recognised)


def students(drawn: World, rules: Rules) -> tuple[Student, ...]:
    return tuple(_student(drawn, rules, n) for n in range(len(drawn.students)))


def results(drawn: World, rules: Rules, student: int) -> tuple[Result, ...]:
    known = drawn.results + ((drawn.resit,) if rules.mail_resit else ())
    return tuple(row for row in known if row.student == student)


def passed(drawn: World, rules: Rules, student: int) -> frozenset[str]:
    """Old modules that were passed, and not too long ago for one of practice."""
    return frozenset(
        row.code
        for row in results(drawn, rules, student)
        if row.grade <= PASSED
        and not (rules.expiry and OLD[row.code].practice and row.day < OLDEST)
    )


def _student(drawn: World, rules: Rules, student: int) -> Student:
    number, person, pathway = drawn.students[student]
    rows = tuple(_recognised(drawn, rules, student))
    credits_ = sum(row.credits for row in rows)
    at = {semester: _make_up(drawn, rules, pathway, rows, semester) for semester in range(1, 7)}
    entry = min(6, 1 + credits_ // 30)
    if rules.winter_only:
        entry -= (entry + 1) % 2
    while at[entry] > rules.make_up_most:
        entry -= 2
    return Student(
        number=number,
        name=person.name,
        pathway=pathway,
        recognised=rows,
        credits=credits_,
        entry=entry,
        make_up=at[entry],
        made_up_at=at,
    )


def _recognised(drawn: World, rules: Rules, student: int) -> Iterable[Recognised]:
    """Lines of the table whose old modules are passed; then the rest, up to one elective."""
    number, _, pathway = drawn.students[student]
    done, used = passed(drawn, rules, student), set[str]()
    for old, new in EQUIVALENT:
        have = [code for code in old if code in done]
        enough = have == list(old) if rules.all_parts else have
        there = all(drawn.module(code).stands_in(pathway) for code in new)
        if enough and (there or not rules.own_pathway):
            used |= set(old)
            yield from _line(drawn, rules, number, old, new)
    lines = {code for old, _ in EQUIVALENT if len(old) > 1 for code in old}
    free = [OLD[code] for code in sorted(done - used - lines)]
    if free:
        most = min(rules.free_most, sum(one.credits for one in free))
        yield Recognised(number, FREE, most, FREE_SEMESTER, _codes(free))


def _line(
    drawn: World, rules: Rules, number: str, old: tuple[str, ...], new: tuple[str, ...]
) -> Iterable[Recognised]:
    """Full credits from four fifths on; below, as many as the old module had."""
    before = sum(OLD[code].credits for code in old)
    modules = [drawn.module(code) for code in new]
    full = before >= rules.full_from * sum(one.credits for one in modules)
    for one in modules:
        yield Recognised(number, one.code, one.credits if full else before, one.semester, old)


def _codes(modules: Iterable[OldModule]) -> tuple[str, ...]:
    return tuple(one.code for one in modules)


def _make_up(
    drawn: World, rules: Rules, pathway: str, rows: Iterable[Recognised], entry: int
) -> int:
    """Credits of the semesters below that are not recognised."""
    below = sum(semester_credits(drawn, rules, pathway, s) for s in range(1, entry))
    return below - sum(row.credits for row in rows if row.semester < entry)
