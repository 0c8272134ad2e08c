"""Price, cases, returns, covenants: what follows from earnings, net debt and working capital."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import msgspec

from authoring.fin_01_three_levels.rules import (
    CAPEX,
    EXIT_COST,
    FEE,
    INDEXED,
    LATER,
    MANAGERS,
    ROOM,
    STEP,
    TAX,
    WORKING,
    YEARS,
    Rules,
    adjustments,
    closing,
    months,
    net_debt,
    working,
)
from authoring.fin_01_three_levels.world import LTM, Scenario, World

D = Decimal


class Price(msgspec.Struct, frozen=True, kw_only=True):
    revenue: Decimal
    reported: Decimal
    normalised: Decimal
    lease_payments: Decimal
    covenant_ebitda: Decimal
    peg: Decimal
    adjustment: Decimal
    """Working capital at the Reference Date less the peg."""
    debt: Decimal
    leases: Decimal
    value: Decimal
    equity: Decimal
    loan: Decimal

    @property
    def later(self) -> Decimal:
        return LATER * self.equity


class Year(msgspec.Struct, frozen=True, kw_only=True):
    case: str
    year: int
    revenue: Decimal
    normalised: Decimal
    lease: Decimal
    capex: Decimal
    tied: Decimal
    interest: Decimal
    tax: Decimal
    opening: Decimal
    cash: Decimal
    covenant: Decimal

    @property
    def ebitda(self) -> Decimal:
        """By the covenants' definition."""
        return self.normalised - self.lease

    @property
    def flow(self) -> Decimal:
        return self.ebitda - self.capex - self.tied - self.interest - self.tax

    @property
    def loan(self) -> Decimal:
        return self.opening - self.flow

    @property
    def senior(self) -> Decimal:
        return self.loan - self.cash

    @property
    def headroom(self) -> Decimal:
        return 1 - self.senior / (self.covenant * self.ebitda)

    @property
    def tested(self) -> str:
        return f"{2025 + self.year}-03-31"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    case: str
    equity: Decimal
    later: Decimal
    proceeds: Decimal
    counts_later: bool = True

    @property
    def moic(self) -> Decimal:
        return self.proceeds / (self.equity + (self.later if self.counts_later else 0))

    @property
    def irr(self) -> Decimal:
        """Bisection: year 0 equity, year 2 the deferred payment, year 5 the proceeds."""
        low, high = D("-0.9"), D(3)
        for _ in range(90):
            rate = (low + high) / 2
            later = self.later if self.counts_later else D(0)
            value = -self.equity - later / (1 + rate) ** 2 + self.proceeds / (1 + rate) ** 5
            low, high = (rate, high) if value > 0 else (low, rate)
        return (low + high) / 2


def price(drawn: World, rules: Rules) -> Price:
    terms = drawn.terms
    rows = months(drawn, rules)
    revenue, reported, leases = (sum((m.group[n] for m in rows), D(0)) for n in range(3))
    normalised = reported + sum((a.amount for a in adjustments(drawn, rules)), D(0))
    covenant = normalised - (leases if rules.leases_deducted else 0)
    capital = working(drawn, rules)
    peg = sum(capital.values(), D(0)) / 12
    owed = net_debt(drawn, rules)
    debt = sum((one.amount for one in owed), D(0))
    value = (terms.multiple if rules.multiple else terms.old_multiple) * normalised
    return Price(
        revenue=revenue,
        reported=reported,
        normalised=normalised,
        lease_payments=leases,
        covenant_ebitda=covenant,
        peg=peg,
        adjustment=capital[LTM[-1]] - peg,
        debt=debt,
        leases=next(
            one.parent + 1000 * one.pack / closing(drawn, LTM[-1], rules)
            for one in owed
            if one.item == "Lease liabilities"
        ),
        value=value,
        equity=value - debt + capital[LTM[-1]] - peg,
        loan=terms.loan * covenant,
    )


def rate_of(drawn: World, rules: Rules) -> Decimal:
    return drawn.terms.interest if rules.confirmed else drawn.terms.indicative


def fund_equity(drawn: World, paid: Price, loan: Decimal) -> Decimal:
    """What the fund puts in at closing."""
    terms = drawn.terms
    settled = paid.debt - paid.leases
    uses = paid.equity - paid.later + settled + terms.cash + terms.costs + FEE * loan
    return uses - loan


def years(
    drawn: World, paid: Price, case: Scenario, loan: Decimal, rules: Rules
) -> tuple[Year, ...]:
    found: list[Year] = []
    before, opening = paid.revenue, loan
    table = drawn.terms.covenants if rules.covenants else drawn.terms.old_covenants
    margin = paid.normalised / paid.revenue
    for year in YEARS:
        revenue = before * (1 + case.growth)
        normalised = revenue * (margin + case.step * year)
        lease = paid.lease_payments * (1 + INDEXED) ** year if rules.leases_deducted else D(0)
        interest = opening * rate_of(drawn, rules)
        row = Year(
            case=case.name,
            year=year,
            revenue=revenue,
            normalised=normalised,
            lease=lease,
            capex=CAPEX * revenue,
            tied=WORKING * (revenue - before),
            interest=interest,
            tax=TAX * max(D(0), normalised - lease - CAPEX * revenue - interest),
            opening=opening,
            cash=drawn.terms.cash,
            covenant=table[year - 1] if table else D(1),
        )
        found.append(row)
        before, opening = revenue, row.loan
    return tuple(found)


def outcome(
    drawn: World, paid: Price, case: Scenario, rows: tuple[Year, ...], rules: Rules
) -> Outcome:
    last = rows[-1]
    value = case.exit * last.normalised
    left = value * (1 - EXIT_COST) - last.senior - paid.leases
    return Outcome(
        case=case.name,
        equity=fund_equity(drawn, paid, rows[0].opening),
        later=paid.later,
        proceeds=(1 - MANAGERS) * left,
        counts_later=rules.later,
    )


def largest_loan(rows: tuple[Year, ...], rate: Decimal, cash: Decimal) -> tuple[Decimal, int]:
    """The loan at which the headroom is 20 % where it is least, before rounding down; and the year.

    A balance grows by the interest after tax and falls by the flow before it: linear in the loan.
    """
    grows = 1 + rate * (1 - TAX)
    repaid, limits = D(0), []
    for row in rows:
        before = (row.ebitda - row.capex) * (1 - TAX) - row.tied
        repaid = repaid * grows + before
        allowed = (1 - ROOM) * row.covenant * row.ebitda + cash
        limits.append(((allowed + repaid) / grows**row.year, row.year))
    return min(limits)


def rounded_down(loan: Decimal) -> Decimal:
    return (loan / STEP).to_integral_value(ROUND_FLOOR) * STEP


def step_up(value: Decimal, step: Decimal) -> Decimal:
    return (value / step).to_integral_value(ROUND_CEILING) * step
