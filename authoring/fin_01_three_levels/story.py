"""All that is computed for one seed, and what must hold of it for the story to be the prompt's."""

from collections.abc import Hashable
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from authoring.fin_01_three_levels import deal as d
from authoring.fin_01_three_levels import rules as r
from authoring.fin_01_three_levels.draw import world
from authoring.fin_01_three_levels.rules import Rules
from authoring.fin_01_three_levels.world import LTM, World
from authoring.parts.invariants import alive, invariant

D = Decimal


class Story(msgspec.Struct, frozen=True, kw_only=True):
    world: World
    months: tuple[r.Month, ...]
    adjustments: tuple[r.Adjustment, ...]
    working: dict[str, Decimal]
    owed: tuple[r.Owed, ...]
    price: d.Price
    median: Decimal
    years: dict[str, tuple[d.Year, ...]]
    outcomes: dict[str, d.Outcome]
    exact: Decimal
    """The largest loan before it is rounded down."""
    binding: int
    reduced: tuple[d.Year, ...]
    """The base case with the largest loan."""
    reduced_outcome: d.Outcome

    @property
    def largest(self) -> Decimal:
        return d.rounded_down(self.exact)

    @property
    def premium(self) -> Decimal:
        return self.price.value / (self.median * self.price.normalised) - 1

    @property
    def least(self) -> d.Year:
        """The base case's test date with the least headroom."""
        return min(self.years["Base"], key=lambda row: row.headroom)

    @property
    def breach(self) -> d.Year | None:
        """The first test date of the low case at which the covenant is broken."""
        return next((row for row in self.years["Low"] if row.headroom < 0), None)

    @property
    def tests(self) -> tuple[tuple[str, Decimal, Decimal, bool], ...]:
        """Name, value, limit, met."""
        irr, moic = self.outcomes["Base"].irr, self.outcomes["Low"].moic
        room = self.least.headroom
        return (
            ("T1", irr, r.HURDLE, irr >= r.HURDLE),
            ("T2", moic, r.LEAST, moic >= r.LEAST),
            ("T3", room, r.ROOM, room >= r.ROOM),
            ("T4", self.premium, r.PREMIUM, self.premium <= r.PREMIUM),
        )

    @property
    def decision(self) -> str:
        met = [ok for *_, ok in self.tests]
        if all(met):
            return "Proceed"
        return "Renegotiate" if met[0] and met[1] else "Decline"

    def amount(self, no: str) -> Decimal:
        return next(one.amount for one in self.adjustments if one.no == no)


def tell(drawn: World, rules: Rules) -> Story:
    paid = d.price(drawn, rules)
    years = {c.name: d.years(drawn, paid, c, paid.loan, rules) for c in drawn.cases}
    base = next(case for case in drawn.cases if case.name == "Base")
    exact, binding = d.largest_loan(years["Base"], d.rate_of(drawn, rules), drawn.terms.cash)
    reduced = d.years(drawn, paid, base, d.rounded_down(exact), rules)
    return Story(
        world=drawn,
        months=r.months(drawn, rules),
        adjustments=r.adjustments(drawn, rules),
        working=r.working(drawn, rules),
        owed=r.net_debt(drawn, rules),
        price=paid,
        median=r.median_multiple(drawn, rules),
        years=years,
        outcomes={c.name: d.outcome(drawn, paid, c, years[c.name], rules) for c in drawn.cases},
        exact=exact,
        binding=binding,
        reduced=reduced,
        reduced_outcome=d.outcome(drawn, paid, base, reduced, rules),
    )


def with_covenants(drawn: World) -> World:
    """Covenants that the base case keeps with room, but for the second test date."""
    paid = d.price(drawn, Rules())
    base = next(case for case in drawn.cases if case.name == "Base")
    rows = d.years(drawn, paid, base, paid.loan, Rules())
    lever = [row.senior / row.ebitda for row in rows]
    step = D("0.05")
    first = d.step_up(lever[0] / D("0.76"), step)
    second = (lever[1] / D("0.845") / step).to_integral_value(ROUND_FLOOR) * step
    third = max(second - D("0.25"), d.step_up(lever[2] / D("0.76"), step))
    fourth = third - D("0.10")
    now = (first, second, third, fourth, fourth)
    then = tuple(
        value + more
        for value, more in zip(now, map(D, ("0.25", "0.45", "0.5", "0.5", "0.5")), strict=True)
    )
    return replace(drawn, terms=replace(drawn.terms, covenants=now, old_covenants=then))


def story(seed: int) -> Story:
    made = tell(with_covenants(world(seed)), Rules())
    _check(made)
    _check_traps(made)
    return made


def promised(told: Story) -> dict[Hashable, object]:
    """The values that the prompt asks for."""
    found: dict[Hashable, object] = {}
    for row in told.months:
        found |= {(row.month, n): round(value, 2) for n, value in enumerate(row.group)}
    for one in told.adjustments:
        found[one.no] = round(one.amount, 2)
    found |= {(month, "capital"): round(value, 2) for month, value in told.working.items()}
    for owed in told.owed:
        found[owed.item] = (owed.treatment, round(owed.amount, 2))
    for name, rows in told.years.items():
        found |= {(name, y.year): (round(y.ebitda), round(y.headroom, 5)) for y in rows}
        found[name] = (round(told.outcomes[name].irr, 5), round(told.outcomes[name].moic, 4))
    found["price"] = (round(told.price.equity), round(told.price.debt), round(told.price.value))
    found["check"] = (round(told.median, 4), round(told.premium, 5))
    found["largest"] = told.largest
    found["decision"] = told.decision
    return found


def _check(told: Story) -> None:
    drawn, tests = told.world, told.tests
    invariant([ok for *_, ok in tests] == [True, True, False, True], "only the headroom is short")
    invariant(told.decision == "Renegotiate", "the decision is to renegotiate")
    irr, moic, room, premium = (value for _, value, _, _ in tests)
    invariant(D("0.185") < irr < D("0.26"), f"the base IRR above the hurdle ({irr:.4f})")
    invariant(D("1.03") < moic < D("1.60"), f"the low case keeps the money ({moic:.3f})")
    invariant(D("0.10") < room < D("0.19"), f"the headroom clearly short ({room:.4f})")
    invariant(D("0.01") < premium < D("0.09"), f"a small premium ({premium:.4f})")
    invariant(told.least.year == told.binding == 2, "the second test date binds")
    bank = (told.price.loan - drawn.terms.cash) / told.price.covenant_ebitda
    owed = told.price.loan - drawn.terms.cash + told.price.leases
    invariant(owed / told.price.normalised - bank > D("0.2"), "leverage with leases is higher")
    rest = [row.headroom for row in told.years["Base"] if row.year != 2]
    invariant(min(rest) > D("0.21"), "room at the other test dates")
    invariant(told.breach is not None, "the low case breaks a covenant")
    invariant(told.reduced_outcome.irr > D("0.182"), "the hurdle is kept with the smaller loan")
    over = told.exact - told.largest
    invariant(400 < over < 9600, "the largest loan not at the edge of rounding")
    invariant(told.price.loan - told.largest > 150000, "a loan that is clearly smaller")
    rows = [row for case in told.years.values() for row in case] + [*told.reduced]
    invariant(min(row.loan for row in rows) > 50000, "the loan outlives the five years")
    invariant(min(row.tax for row in rows) > 0, "tax in every year")
    table = drawn.terms.covenants
    invariant(all(a >= b for a, b in pairwise(table)), "covenants step down")
    invariant(told.price.adjustment != 0 and told.price.debt > 1_500_000, "net debt that matters")
    claims = {one.no: one.claimed for one in drawn.matters}
    for one in told.adjustments:
        if one.decision == "part":
            invariant(claims[one.no] - one.amount > 900, f"{one.no}: more is claimed than is right")
    invariant(drawn.documents["V7"] and len(drawn.documents["V7"]) == 9, "nine months of the depot")


SLIPS: dict[str, Rules] = {
    "lines exported twice": Rules(repeats=True),
    "the average rate": Rules(profit_rate="closing"),
    "the LTM of the subsidiary": Rules(year=tuple(f"2023-{m:02d}" for m in range(1, 13))),
    "the released accrual": Rules(released=False),
    "the insurer's refund": Rules(refund=False),
    "costs before the LTM": Rules(window=False),
    "the yearly fair": Rules(recurring=True),
    "savings of a whole year": Rules(annual=True),
    "income of one time": Rules(own=False),
    "the director's pay": Rules(market=True),
    "the superseded multiple": Rules(multiple=False),
    "leases in the price": Rules(leases_priced=False),
    "income tax as debt": Rules(tax_is_debt=False),
    "leases under the covenants": Rules(leases_deducted=False),
    "the bench": Rules(bench=False),
    "the corrected rate": Rules(corrected_rate=False),
    "social charges": Rules(social=False),
    "the pledged deposit": Rules(pledged=True),
    "the confirmed interest": Rules(confirmed=False),
    "the covenants in force": Rules(covenants=False),
    "the deferred payment": Rules(later=False),
    "deals before IFRS 16": Rules(before_ifrs=True),
    "a deal listed twice": Rules(doubled_deal=True),
}
TURNS = ("the covenants in force",)
"""Slips that alone turn the decision."""


def _check_traps(told: Story) -> None:
    right = promised(told)
    for name, rules in SLIPS.items():
        slip = tell(told.world, rules)
        alive(right, promised(slip), f"{name}: the trap is alive")
        if name in TURNS:
            invariant(slip.decision != told.decision, f"{name}: it turns the decision")
    invariant(len(LTM) == 12, "twelve months")
