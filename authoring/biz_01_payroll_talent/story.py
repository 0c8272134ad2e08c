"""All that is computed for one seed, and what must hold of it for the story to be the prompt's."""

from collections import Counter
from collections.abc import Hashable
from datetime import date
from decimal import Decimal

import msgspec

from authoring.biz_01_payroll_talent.rules import (
    CAP,
    FLOOR,
    HEALTH,
    Cost,
    Pay,
    Rated,
    Rules,
    costs,
    counted,
    month_name,
    pay,
    rate_people,
)
from authoring.biz_01_payroll_talent.world import YEAR, Line, World, world
from authoring.parts.invariants import alive, invariant, unique
from authoring.parts.numbers import cents


class Story(msgspec.Struct, frozen=True, kw_only=True):
    world: World
    lines: tuple[Line, ...]
    """The attendance lines that count."""
    pay: tuple[Pay, ...]
    rated: tuple[Rated, ...]
    costs: tuple[Cost, ...]

    @property
    def over(self) -> tuple[Cost, ...]:
        """Departments over their budget, the largest overrun first."""
        found = [cost for cost in self.costs if cost.variance > 0]
        return tuple(sorted(found, key=lambda cost: -cost.variance))

    @property
    def gross(self) -> Decimal:
        return sum((row.gross for row in self.pay), Decimal(0))

    @property
    def cost(self) -> Decimal:
        return sum((row.cost for row in self.pay), Decimal(0))

    @property
    def budget(self) -> Decimal:
        return sum((cost.planned for cost in self.costs), Decimal(0))

    @property
    def variance(self) -> Decimal:
        return self.cost - self.budget

    @property
    def july(self) -> Decimal:
        """What the corrected rate cost from July to December."""
        more = self.world.july - HEALTH
        rows = (row.contribution_base for row in self.pay if row.month >= 7)
        return cents(sum(rows, Decimal(0)) * more)

    @property
    def by_month(self) -> tuple[tuple[str, Decimal], ...]:
        return tuple(
            (month_name(m), sum((r.gross for r in self.pay if r.month == m), Decimal(0)))
            for m in range(1, 13)
        )

    def people(self, box: str) -> tuple[str, ...]:
        return tuple(row.name for row in self.rated if row.box == box)

    @property
    def ratings(self) -> Counter[str]:
        return Counter(row.rating for row in self.rated)

    @property
    def boxes(self) -> Counter[str]:
        return Counter(row.box for row in self.rated)


def story(seed: int) -> Story:
    made = tell(world(seed), Rules())
    _check(made)
    _check_traps(made)
    return made


def tell(drawn: World, rules: Rules) -> Story:
    right = pay(drawn, Rules())
    rows = right if rules == Rules() else pay(drawn, rules)
    return Story(
        world=drawn,
        lines=counted(drawn, rules),
        pay=rows,
        rated=rate_people(drawn, rules),
        costs=costs(drawn, rows, right),
    )


def promised(told: Story) -> dict[Hashable, object]:
    """The values that the prompt asks for."""
    found: dict[Hashable, object] = {}
    for row in told.pay:
        for name in ("department", "base", "gross", "employer", "taxable", "tax", "net"):
            found[row.employee, row.month, name] = getattr(row, name)
    for one in told.rated:
        for name in ("score", "rank", "rating", "box"):
            found[one.employee, name] = getattr(one, name)
    for cost in told.costs:
        found[cost.department] = cost.variance
    return found


def _check(told: Story) -> None:
    drawn = told.world
    invariant(len(told.pay) == len(told.lines) == 465, "465 employee-months")
    invariant(len(drawn.lines) == 475, "475 lines of attendance")
    invariant(len(told.rated) == 37, "37 people are rated")
    invariant(len(told.over) == 3, "three departments over budget")
    invariant(told.variance > 10_000, "the company over budget")
    invariant(
        {cost.driver for cost in told.over} == {"Pay", "Overtime", "Employer contributions"},
        "another budget line behind each overrun",
    )
    for cost in told.over:
        rest = sorted(cost.lines)[:-1]
        invariant(cost.variance > 4000, f"{cost.department} clearly over budget")
        invariant(max(cost.lines) > 2 * max(rest[-1], Decimal(0)), f"{cost.department}: one cause")
    sizes = Counter(row.department for row in told.rated)
    invariant(min(sizes.values()) >= 4, "at least four rated people in each department")
    unique(
        [(row.department, row.score) for row in told.rated], "no two equal scores in a department"
    )
    invariant(told.people("Future leader"), "somebody in the best box")
    bases = [row.base for row in told.pay]
    invariant(min(bases) < FLOOR and max(bases) > CAP, "bases below the floor and above the cap")


def _check_traps(told: Story) -> None:
    """Each hidden rule is alive: who breaks it gets promised values wrong."""
    drawn, right = told.world, promised(told)
    invariant(date(YEAR, 9, 1) in {c.day for c in drawn.changes}, "a move in September")
    slips: dict[str, Rules] = {
        "the July rate": Rules(july=False),
        "overtime of 2024": Rules(overtime=Decimal("1.25")),
        "the 15th": Rules(cutoff=14),
        "the 16th": Rules(cutoff=16),
        "withdrawn changes": Rules(withdrawn=True),
        "changes out of order": Rules(by_entry=True),
        "the floor": Rules(floor=False),
        "the cap": Rules(cap=False),
        "the base of a raise": Rules(base_follows=False),
        "transfers": Rules(transfers=False),
        "tax paid back": Rules(negative="paid"),
        "tax left standing": Rules(negative="forgotten"),
        "personal allowances": Rules(personal=False),
        "repeated lines": Rules(repeats=True),
        "corrected lines": Rules(corrections=False),
        "leavers": Rules(leavers=True),
        "weights": Rules(weights=(Decimal("0.25"),) * 4),
        "missing quarters": Rules(rescaled=False),
        "rounding up": Rules(rounds_up=False),
    }
    for name, rules in slips.items():
        alive(right, promised(tell(drawn, rules)), f"{name}: the trap is alive")
    _check_refund(told)


def _check_refund(told: Story) -> None:
    """Somebody's tax on the year to date falls below what was withheld, and stays so a while."""
    world_ = told.world
    rows = {row.month: row for row in told.pay if row.employee == world_.refund}
    month = world_.refund_month
    invariant(rows[month].due < rows[month - 1].due, "the tax due falls in the month of absence")
    invariant(rows[month].tax == 0, "no tax in that month")
    invariant(0 < rows[month + 1].tax < rows[month + 1].due - rows[month].due, "a refund made good")
