"""The pay and performance rules of 2024, computed; a slip is the same function, otherwise set."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

import msgspec

from authoring.biz_01_payroll_talent.world import (
    DEPARTMENTS,
    QUARTERS,
    YEAR,
    Employee,
    Line,
    World,
)
from authoring.parts.numbers import cents, rounded, roundup

FLOOR, CAP = Decimal(6000), Decimal(28000)
SCHEMES = (
    ("Pension", Decimal("0.078"), Decimal("0.142")),
    ("Health", Decimal("0.021"), Decimal("0.082")),
    ("Unemployment", Decimal("0.006"), Decimal("0.009")),
    ("Accident", Decimal("0"), Decimal("0.011")),
)
"""Name, employee's rate, employer's rate."""
HEALTH = SCHEMES[1][2]
BRACKETS = (
    (Decimal(0), Decimal("0.04"), Decimal(0)),
    (Decimal(30000), Decimal("0.10"), Decimal(1800)),
    (Decimal(120000), Decimal("0.18"), Decimal(11400)),
    (Decimal(260000), Decimal("0.24"), Decimal(27000)),
    (Decimal(420000), Decimal("0.31"), Decimal(56400)),
)
"""Cumulative taxable income above, rate, amount to deduct."""
BOXES = {
    (3, 3): ("Future leader", "Succession plan"),
    (3, 2): ("Driver", "Stretch assignment"),
    (3, 1): ("Expert", "Specialist track"),
    (2, 3): ("Rising talent", "Development programme"),
    (2, 2): ("Core", "Regular review"),
    (2, 1): ("Steady hand", "Keep in role"),
    (1, 3): ("Misplaced", "Change of role"),
    (1, 2): ("Unsteady", "Coaching"),
    (1, 1): ("At risk", "Improvement plan"),
}
"""(Performance band, potential) to box and action."""
BUDGET_LINES = ("Pay", "Overtime", "Employer contributions")


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The settings; each default is the rule in force."""

    month_days: Decimal = Decimal("21.75")
    day_hours: Decimal = Decimal(8)
    overtime: Decimal = Decimal("1.5")
    cutoff: int = 15
    """A change on or before this day holds for the whole month."""
    july: bool = True
    floor: bool = True
    cap: bool = True
    base_follows: bool = True
    """The contribution base follows a raise."""
    withdrawn: bool = False
    """Whether withdrawn changes are carried out."""
    by_entry: bool = False
    """Whether the change entered last wins, and not the latest."""
    transfers: bool = True
    allowance: Decimal = Decimal(4500)
    personal: bool = True
    negative: Literal["carried", "paid", "forgotten"] = "carried"
    """What becomes of tax withheld too much: left standing, paid back, or lost."""
    repeats: bool = False
    """Whether repeated lines count twice."""
    corrections: bool = True
    leavers: bool = False
    """Whether leavers are paid to December."""
    weights: tuple[Decimal, ...] = tuple(map(Decimal, ("0.2", "0.2", "0.25", "0.35")))
    rescaled: bool = True
    """Quarters without a score leave the others their share; else they count as 0."""
    top: Decimal = Decimal("0.2")
    bottom: Decimal = Decimal("0.1")
    upper: Decimal = Decimal("0.6")
    rounds_up: bool = True


class Pay(msgspec.Struct, frozen=True, kw_only=True):
    """One employee-month."""

    employee: str
    month: int
    department: str
    base: Decimal
    absence: Decimal
    overtime: Decimal
    gross: Decimal
    contribution_base: Decimal
    own: Decimal
    """The employee's contributions."""
    employer: Decimal
    taxable: Decimal
    """Of the year to date; may be negative."""
    due: Decimal
    """Tax on it."""
    tax: Decimal
    net: Decimal
    cost: Decimal


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    employee: str
    name: str
    department: str
    marks: tuple[int | None, ...]
    score: Decimal
    rank: int
    peers: int
    rating: str
    band: int
    potential: int

    @property
    def box(self) -> str:
        return BOXES[self.band, self.potential][0]

    @property
    def action(self) -> str:
        return BOXES[self.band, self.potential][1]


def counted(world: World, rules: Rules) -> tuple[Line, ...]:
    """The attendance lines that count, in the order of the export."""
    skipped = {"ghost"}
    skipped |= {"wrong"} if rules.corrections else {"corrected"}
    skipped |= set() if rules.repeats else {"repeat"}
    return tuple(line for line in world.lines if line.kind not in skipped)


def pay(world: World, rules: Rules) -> tuple[Pay, ...]:
    """All employee-months, by employee and month."""
    hours: dict[tuple[str, int], tuple[Decimal, Decimal]] = {}
    for line in counted(world, rules):
        absent, extra = hours.get((line.employee, line.month), (Decimal(0), Decimal(0)))
        hours[line.employee, line.month] = (absent + line.absence, extra + line.overtime)
    rows: list[Pay] = []
    for employee in world.employees:
        months = range(employee.months.start, 13) if rules.leavers else employee.months
        taxable = withheld = due = Decimal(0)
        for month in months:
            absence, overtime = hours.get((employee.id, month), (Decimal(0), Decimal(0)))
            row = _month(world, rules, employee, month, (absence, overtime))
            taxable += row.gross - row.own - rules.allowance
            taxable -= employee.personal if rules.personal else 0
            before, due = due, tax_due(taxable)
            tax = due - (before if rules.negative == "forgotten" else withheld)
            tax = tax if rules.negative == "paid" else max(Decimal(0), tax)
            withheld += tax
            net = row.gross - row.own - tax
            rows.append(msgspec.structs.replace(row, taxable=taxable, due=due, tax=tax, net=net))
    return tuple(rows)


def _month(
    world: World, rules: Rules, employee: Employee, month: int, hours: tuple[Decimal, Decimal]
) -> Pay:
    """A month without its tax, which hangs on the months before."""
    base = base_in(world, rules, employee, month)
    absence = cents(base / rules.month_days * hours[0])
    overtime = cents(base / rules.month_days / rules.day_hours * rules.overtime * hours[1])
    gross = base - absence + overtime
    insured = base if rules.base_follows else employee.base
    insured = max(insured, FLOOR) if rules.floor else insured
    insured = min(insured, CAP) if rules.cap else insured
    rate = sum((scheme[2] for scheme in SCHEMES), Decimal(0))
    rate += world.july - HEALTH if rules.july and month >= 7 else 0
    employer = cents(insured * rate)
    return Pay(
        employee=employee.id,
        month=month,
        department=department_in(world, rules, employee, month),
        base=base,
        absence=absence,
        overtime=overtime,
        gross=gross,
        contribution_base=insured,
        own=cents(insured * sum((scheme[1] for scheme in SCHEMES), Decimal(0))),
        employer=employer,
        taxable=Decimal(0),
        due=Decimal(0),
        tax=Decimal(0),
        net=Decimal(0),
        cost=gross + employer,
    )


def base_in(world: World, rules: Rules, employee: Employee, month: int) -> Decimal:
    found = [
        change
        for change in world.changes
        if change.employee == employee.id
        and change.base is not None
        and (change.status == "approved" or rules.withdrawn)
        and _holds(change.day.month, change.day.day, month, rules)
    ]
    if not rules.by_entry:
        found.sort(key=lambda change: change.day)
    return found[-1].base or employee.base if found else employee.base


def department_in(world: World, rules: Rules, employee: Employee, month: int) -> str:
    for change in world.changes:
        mine = change.employee == employee.id and change.department and rules.transfers
        if mine and _holds(change.day.month, change.day.day, month, rules):
            return str(change.department)
    return employee.department


def _holds(changed: int, day: int, month: int, rules: Rules) -> bool:
    return changed < month or (changed == month and day <= rules.cutoff)


def tax_due(taxable: Decimal) -> Decimal:
    """On the year's income to date; nothing on a loss."""
    income = max(Decimal(0), taxable)
    _, rate, less = [bracket for bracket in BRACKETS if bracket[0] <= income][-1]
    return cents(income * rate - less)


def rate_people(world: World, rules: Rules) -> tuple[Rated, ...]:
    """Everybody in service at the end of the year, by employee."""
    found = [_scored(world, rules, one) for one in world.employees if one.left is None]
    return tuple(_ranked(row, found, rules) for row in found)


def _scored(world: World, rules: Rules, employee: Employee) -> Rated:
    marks = tuple(world.scores.get((employee.id, quarter)) for quarter in QUARTERS)
    pairs = [(m, w) for m, w in zip(marks, rules.weights, strict=True) if m is not None]
    whole = sum((w for _, w in pairs), Decimal(0)) if rules.rescaled else Decimal(1)
    score = rounded(sum((m * w for m, w in pairs), Decimal(0)) / whole, 2)
    home = department_in(world, rules, employee, 12)
    return Rated(
        employee=employee.id,
        name=employee.name,
        department=home,
        marks=marks,
        score=score,
        rank=0,
        peers=0,
        rating="",
        band=0,
        potential=employee.potential,
    )


def _ranked(row: Rated, everybody: Iterable[Rated], rules: Rules) -> Rated:
    scores = [other.score for other in everybody if other.department == row.department]
    n, rank = len(scores), 1 + sum(score > row.score for score in scores)
    top, bottom, upper = (
        _share(part * n, rules) for part in (rules.top, rules.bottom, rules.upper)
    )
    rating = "A" if rank <= top else "D" if rank > n - bottom else "B" if rank <= upper else "C"
    band = {"A": 3, "B": 2, "C": 2, "D": 1}[rating]
    return msgspec.structs.replace(row, rank=rank, peers=n, rating=rating, band=band)


def _share(people: Decimal, rules: Rules) -> int:
    return roundup(people) if rules.rounds_up else int(rounded(people, 0))


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """One department's year; the triples are pay, overtime and employer's contributions."""

    department: str
    spent: tuple[Decimal, Decimal, Decimal]
    budget: tuple[Decimal, Decimal, Decimal]

    @property
    def cost(self) -> Decimal:
        return sum(self.spent, Decimal(0))

    @property
    def planned(self) -> Decimal:
        return sum(self.budget, Decimal(0))

    @property
    def gross(self) -> Decimal:
        return self.spent[0] + self.spent[1]

    @property
    def variance(self) -> Decimal:
        return self.cost - self.planned

    @property
    def lines(self) -> tuple[Decimal, ...]:
        """Variance of each budget line."""
        return tuple(s - b for s, b in zip(self.spent, self.budget, strict=True))

    @property
    def driver(self) -> str:
        """The budget line that ran over most."""
        return BUDGET_LINES[max(range(3), key=lambda line: self.lines[line])]


def costs(world: World, rows: Iterable[Pay], budgeted: Iterable[Pay]) -> tuple[Cost, ...]:
    """Per department, in the order of the sheet Budgets. `budgeted`: the rows by the rules in
    force, from which the budgets were made; a slip does not change the budgets."""
    spent, plan = _spent(rows), _spent(budgeted)
    return tuple(
        Cost(
            department=name,
            spent=spent[name],
            budget=(
                _hundreds(plan[name][0] * pay_part),
                _hundreds(plan[name][1] * overtime),
                _hundreds(plan[name][2] * employer),
            ),
        )
        for name, pay_part, overtime, employer in world.factors
    )


def _spent(rows: Iterable[Pay]) -> dict[str, tuple[Decimal, Decimal, Decimal]]:
    found = dict.fromkeys(DEPARTMENTS, (Decimal(0), Decimal(0), Decimal(0)))
    for row in rows:
        pay_, overtime, employer = found[row.department]
        base = row.base - row.absence
        found[row.department] = (pay_ + base, overtime + row.overtime, employer + row.employer)
    return found


def _hundreds(value: Decimal) -> Decimal:
    return Decimal(int(value) // 100 * 100)


def month_name(month: int) -> str:
    return f"{YEAR}-{month:02d}"
