"""The people, pay events and exports of one company and one year, drawn from a seed.

40 employees, 465 employee-months: two joined in February and March, three left. Their leaving
months differ by seed and always sum to 24, so that sheets keep their size.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.parts.dice import Dice
from authoring.parts.people import company, people, working_days

YEAR = 2024
DEPARTMENTS = ("Engineering", "Production", "Sales", "Logistics", "Finance", "Service")
BUSY = ("Production", "Logistics")
"""Where overtime is usual."""
TRADES = ("Optics", "Ceramics", "Pumps", "Instruments", "Packaging", "Bearings")
LEAVING = ((4, 9, 11), (5, 8, 11), (6, 8, 10), (3, 10, 11), (5, 9, 10))
PAY = {"P1": (4600, 7400), "P2": (8200, 12400), "P3": (13200, 19600), "M1": (20500, 26900)} | {
    "M2": (29500, 36400)
}
"""Grade to lowest and highest base, in steps of 10."""
QUARTERS = (1, 2, 3, 4)
Kind = Literal["plain", "repeat", "wrong", "corrected", "ghost"]


class Employee(msgspec.Struct, frozen=True):
    id: str
    name: str
    department: str
    grade: str
    hired: date
    left: date | None
    base: Decimal
    """Monthly, on 1 January or on joining."""
    personal: Decimal
    """Monthly tax allowance of this person, beside the general one."""
    potential: int

    @property
    def months(self) -> range:
        """Months of the year on the roster, joining and leaving month included."""
        first = self.hired.month if self.hired.year == YEAR else 1
        return range(first, (self.left.month if self.left else 12) + 1)


class Change(msgspec.Struct, frozen=True):
    """A raise (to a new base) or a transfer (to a new department)."""

    employee: str
    kind: Literal["Raise", "Transfer"]
    day: date
    base: Decimal | None = None
    department: str | None = None
    status: Literal["approved", "withdrawn"] = "approved"


class Line(msgspec.Struct, frozen=True):
    """One line of the attendance export, clean."""

    employee: str
    month: int
    absence: Decimal
    overtime: Decimal
    kind: Kind = "plain"
    note: str = ""


class World(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    company: str
    employees: tuple[Employee, ...]
    changes: tuple[Change, ...]
    lines: tuple[Line, ...]
    scores: dict[tuple[str, int], int]
    """(employee, quarter) to score; complete quarters of service only."""
    july: Decimal
    """The employer's health rate from 1 July."""
    factors: tuple[tuple[str, Decimal, Decimal, Decimal], ...]
    """Department, and how its budget lines (pay, overtime, employer) stand to what was spent."""
    fifteenth: str
    sixteenth: str
    mover: str
    late_mover: str
    refund: str
    """Who is due tax back after a long unpaid absence."""
    refund_month: int

    def employee(self, name: str) -> Employee:
        return next(one for one in self.employees if one.id == name)


def world(seed: int) -> World:
    dice = Dice("payroll-talent", seed)
    staff = _staff(dice)
    steady = [one for one in staff[1:] if not one.left and one.hired.year < YEAR]
    refund = next(one for one in Dice("refund", seed).shuffled(steady) if one.grade == "P3")
    month = dice.whole(6, 9)
    chosen = dice.sample([one for one in steady if one is not refund], 8)
    return World(
        seed=seed,
        company=company(dice, TRADES),
        employees=staff,
        changes=_changes(dice, chosen),
        lines=_lines(Dice("attendance", seed), staff, refund.id, month),
        scores=_scores(Dice("scores", seed), staff),
        july=Decimal(dice.pick(("0.091", "0.094", "0.097"))),
        factors=_factors(dice),
        fifteenth=chosen[0].id,
        sixteenth=chosen[1].id,
        mover=chosen[6].id,
        late_mover=chosen[7].id,
        refund=refund.id,
        refund_month=month,
    )


def _staff(dice: Dice) -> tuple[Employee, ...]:
    grades = dice.shuffled(("P1",) * 8 + ("P2",) * 13 + ("P3",) * 11 + ("M1",) * 5 + ("M2",) * 2)
    homes = ("Engineering", *dice.shuffled(DEPARTMENTS * 6 + DEPARTMENTS[1:4]))
    leavers = dict(zip(dice.sample(range(3, 40), 3), dice.pick(LEAVING), strict=True))
    rest = [number for number in range(3, 40) if number not in leavers]
    joiners = dict(zip(dice.sample(rest, 2), (2, 3), strict=True))
    staff = []
    for number, person in enumerate(people(dice, 40)):
        grade = "M1" if number == 0 else grades[number - 1]
        low, high = PAY[grade]
        hired = date(dice.whole(2013, 2023), dice.whole(1, 12), dice.whole(1, 28))
        employee = Employee(
            id=f"EMP{number + 1:03d}",
            name=person.name,
            department=homes[number],
            grade=grade,
            hired=_workday(joiners[number], dice.whole(6, 16)) if number in joiners else hired,
            left=_workday(leavers[number], dice.whole(9, 24)) if number in leavers else None,
            base=Decimal(dice.whole(low, high, 10)),
            personal=Decimal(dice.pick((0, 0, 0, 400, 800, 1200))),
            potential=dice.pick((1, 2, 2, 3)),
        )
        staff.append(employee)
    return tuple(staff)


def _workday(month: int, day: int) -> date:
    """That day of the month, or the Monday after it."""
    found = date(YEAR, month, day)
    while found.weekday() > 4:
        found += timedelta(days=1)
    return found


def _changes(dice: Dice, chosen: Sequence[Employee]) -> tuple[Change, ...]:
    """Nine, in the order in which they were entered: the later raise of one person comes first."""

    def more(one: Employee, percent: int) -> Decimal:
        return one.base * (100 + percent) // 1000 * 10

    one, two, twice, plain, other, withdrawn, mover, late = chosen
    start = dice.whole(2, 5)
    away = {who.id: _elsewhere(dice, who.department) for who in (mover, late)}
    return (
        Change(twice.id, "Raise", date(YEAR, 9, 1), more(twice, 13)),
        Change(one.id, "Raise", date(YEAR, dice.whole(3, 10), 15), more(one, dice.whole(6, 12))),
        Change(mover.id, "Transfer", date(YEAR, 9, 1), department=away[mover.id]),
        Change(plain.id, "Raise", date(YEAR, start, 1), more(plain, dice.whole(5, 9))),
        Change(twice.id, "Raise", date(YEAR, 3, 1), more(twice, 5)),
        Change(withdrawn.id, "Raise", date(YEAR, 6, 1), more(withdrawn, 15), status="withdrawn"),
        Change(two.id, "Raise", date(YEAR, dice.whole(3, 10), 16), more(two, dice.whole(6, 12))),
        Change(late.id, "Transfer", date(YEAR, 11, 20), department=away[late.id]),
        Change(other.id, "Raise", date(YEAR, dice.whole(5, 11), 1), more(other, dice.whole(5, 9))),
    )


def _elsewhere(dice: Dice, department: str) -> str:
    return dice.pick([one for one in DEPARTMENTS if one != department])


def _lines(dice: Dice, staff: Sequence[Employee], refund: str, month: int) -> tuple[Line, ...]:
    """The 465 lines that count, with four repeated, two corrected and four of open badges."""
    plain = [
        _line(dice, employee, number, refund == employee.id and month == number)
        for number in range(1, 13)
        for employee in staff
        if number in employee.months
    ]
    worked = [line for line in plain[60:380] if line.overtime >= 3]
    drawn = dice.sample(worked, 6)
    lines = list(plain)
    for line in drawn[:4]:
        again = msgspec.structs.replace(line, kind="repeat", note="re-export")
        lines.insert(lines.index(line) + dice.whole(9, 60), again)
    for line in drawn[4:]:
        wrong = msgspec.structs.replace(line, overtime=line.overtime * 10, kind="wrong")
        place = lines.index(line)
        right = msgspec.structs.replace(line, kind="corrected", note="corrected")
        lines[place] = wrong
        lines.insert(place + dice.whole(9, 60), right)
    for employee in staff:
        if employee.left:
            lines += _ghosts(employee, 2 if employee.left.month < 7 else 1)
    return tuple(lines)


def _line(dice: Dice, employee: Employee, month: int, long_absence: bool) -> Line:
    """Days outside employment are booked as unpaid absence, as the rules have it."""
    busy = employee.department in BUSY
    absence = Decimal(dice.pick(("0",) * 9 + ("0.5", "1", "2")))
    hours = ("0",) * (3 if busy else 8) + ("2", "3.5", "4", "6", "6.5", "9", "11")
    overtime = Decimal(dice.pick(hours))
    if employee.grade.startswith("M"):
        overtime = Decimal(0)
    outside = _outside(employee, month)
    if outside or long_absence:
        absence, overtime = Decimal(19 if long_absence else outside), Decimal(0)
    return Line(employee.id, month, absence, overtime)


def _outside(employee: Employee, month: int) -> int:
    """Working days of the month before joining or after leaving."""
    first, day = date(YEAR, month, 1), timedelta(days=1)
    last = (first + timedelta(days=32)).replace(day=1) - day
    days = 0
    if (employee.hired.year, employee.hired.month) == (YEAR, month):
        days += len(working_days(first, employee.hired - day))
    if employee.left and employee.left.month == month:
        days += len(working_days(employee.left + day, last))
    return days


def _ghosts(employee: Employee, months: int) -> list[Line]:
    """Lines of a badge that was still open after its owner had left."""
    assert employee.left is not None
    first = employee.left.month + 1
    note = "badge not returned"
    return [
        Line(employee.id, month, Decimal(0), Decimal(0), "ghost", note)
        for month in range(first, first + months)
        if month <= 12
    ]


def _scores(dice: Dice, staff: Sequence[Employee]) -> dict[tuple[str, int], int]:
    """Drawn anew until no two people of the company have the same weighted score."""
    found: dict[tuple[str, int], int] = {}
    taken: set[Decimal] = set()
    for employee in staff:
        while True:
            marks = {quarter: dice.whole(52, 99) for quarter in QUARTERS}
            sums = {_weighted(marks, weights) for weights in ((20, 20, 25, 35), (25, 25, 25, 25))}
            if not sums & taken:
                break
        taken |= sums
        found |= {(employee.id, q): m for q, m in marks.items() if _whole_quarter(employee, q)}
    return found


def _weighted(marks: dict[int, int], weights: tuple[int, ...]) -> Decimal:
    return Decimal(sum(w * marks[q] for q, w in zip(QUARTERS, weights, strict=True)))


def _whole_quarter(employee: Employee, quarter: int) -> bool:
    first, last = 3 * quarter - 2, 3 * quarter
    joined = employee.hired.month if employee.hired.year == YEAR else 0
    return joined < first and (employee.left is None or employee.left.month > last)


def _factors(dice: Dice) -> tuple[tuple[str, Decimal, Decimal, Decimal], ...]:
    """Budgets as parts of what was spent: below 1 means that the line ran over.

    One busy department over by its overtime, two others over by their pay and by the employer's
    contributions; the rest stay under.
    """
    busy = dice.pick(BUSY)
    pay, employer = dice.sample([one for one in DEPARTMENTS if one not in BUSY], 2)
    over = {
        busy: ("1.002", "0.36", "1.004"),
        pay: ("0.945", "1.10", "0.990"),
        employer: ("1.001", "1.05", "0.905"),
    }
    under = (("1.022", "1.08", "1.010"), ("1.011", "0.97", "1.016"), ("1.016", "1.12", "0.995"))
    rest = iter(under)
    parts = {name: over.get(name) or next(rest) for name in DEPARTMENTS}
    return tuple((name, Decimal(a), Decimal(b), Decimal(c)) for name, (a, b, c) in parts.items())
