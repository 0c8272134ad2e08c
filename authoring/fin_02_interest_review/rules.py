"""What agreement and amendments make of the world; `Rules` are the settings, so that a slip, or an
error of the bank's, is the same computation with one of them wrong."""

from datetime import date, timedelta
from decimal import Decimal

import msgspec

from authoring.fin_02_interest_review.days import BUSINESS, is_open, moved
from authoring.fin_02_interest_review.world import START, Certificate, World
from authoring.parts.numbers import rounded

D = Decimal
STEPS = (D("2.00"), D("2.50"), D("3.00"), D("3.50"))
FIRST_STEP, WORST = 3, 5
AMENDED_1, AIMED_1 = date(2024, 10, 8), date(2024, 10, 1)
AMENDED_2, PLANNED_2 = date(2025, 4, 3), date(2025, 4, 1)
REPORT, ASSURANCE = date(2025, 3, 14), date(2025, 3, 20)
KPI = {3: D("-0.050"), 2: D("-0.025"), 1: D(0), 0: D("0.050")}
CAS = D("0.1193")
SHARES = (D("0.35"), D("0.325"))
FEES = (D("0.0015"), D("0.0030"))


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """Right as it stands."""

    interpolated: bool = True
    target_days: bool = True
    """Quotation days by TARGET, not by Business Days."""
    modified: bool = True
    """The first RCF Loan ends where the calendar of three centres has it."""
    extra_day: bool = False
    sterling: int = 365
    lookback: int = 5
    shifted: bool = False
    cas_ends: bool = True
    prepaid: bool = True
    """The prepaid part bears interest once."""
    cutoff: bool = True
    late: bool = True
    whole_period: bool = False
    """Step 5 from the Quarter Date to the end of the Interest Period."""
    centres: bool = True
    """The fifth day is counted with all three centres' holidays."""
    decimals: int = 2
    """Of Leverage; more: not rounded."""
    restated_up: bool = True
    restated_down: str = "own"
    """Or `back`: from the day of the certificate replaced; or `never`."""
    amended_1: date = AMENDED_1
    new_grid: bool = True
    assured: bool = True
    indicators: bool = True
    kpi_on_b: bool = False
    kpi_on_fee: bool = False
    spot_days: int = 2
    drawn_anew: bool = True
    amended_2: date = AMENDED_2
    new_share: bool = True
    holding: bool = True
    twelve: bool = True
    revived: bool = False
    """Twelve months also for what had lapsed."""
    credited: bool = True
    claim_days: int = 2
    old_deductions: bool = True
    last_day: bool = True
    """31 October is in the accrual."""
    group_rate: bool = True


RIGHT = Rules()


class Read(msgspec.Struct, frozen=True):
    """A certificate as clause 9 reads it."""

    certificate: Certificate
    leverage: Decimal
    step: int
    due: date
    received: date
    adjusts: date


class Margins(msgspec.Struct, frozen=True):
    """From a day on, per cent; `plain` is the RCF's without clause 9.7."""

    first: date
    step: int
    a: Decimal
    b: Decimal
    rcf: Decimal
    plain: Decimal

    def of(self, facility: str) -> Decimal:
        return {"Facility A": self.a, "Facility B": self.b, "RCF": self.rcf}[facility]


def step_of(leverage: Decimal) -> int:
    return 1 + sum(leverage > limit for limit in STEPS)


def fifth(day: date, rules: Rules) -> date:
    closed = BUSINESS if rules.centres else frozenset[date]()
    return moved(day, 5, closed)


def read(one: Certificate, rules: Rules) -> Read:
    leverage = rounded(one.debt / one.ebitda, rules.decimals)
    late = rules.cutoff and one.hour > "17:00"
    came = moved(one.received, 1, BUSINESS) if late else one.received
    if not is_open(came, BUSINESS):
        came = moved(came, 1, BUSINESS)
    due = one.quarter + timedelta(days=45)
    return Read(one, leverage, step_of(leverage), due, came, fifth(came, rules))


def certificates(drawn: World, rules: Rules) -> tuple[Read, ...]:
    return tuple(read(one, rules) for one in drawn.certificates)


def steps(drawn: World, rules: Rules) -> tuple[tuple[date, int], ...]:
    """From which day which Step is in force."""
    reads = certificates(drawn, rules)
    firsts = [one for one in reads if not one.certificate.restated]
    again = {one.certificate.quarter: one for one in reads if one.certificate.restated}
    events = {START: FIRST_STEP}
    for number, one in enumerate(firsts):
        if rules.late and one.received > one.due:
            events[one.due + timedelta(days=1)] = WORST
        later = firsts[number + 1].adjusts if number + 1 < len(firsts) else date.max
        restated = again.get(one.certificate.quarter, one)
        events |= _corrected(one, restated, later, rules)
    return tuple(sorted(events.items()))


def _corrected(one: Read, again: Read, later: date, rules: Rules) -> dict[date, int]:
    """An original's Step from its Adjustment Date, corrected as clause 9.6 orders."""
    up = again.step > one.step and rules.restated_up
    down = again.step < one.step
    before = rules.restated_down == "own" and again.received < rules.amended_2
    if up or (down and (before or rules.restated_down == "back")):
        return {one.adjusts: again.step}
    if down and rules.restated_down == "own" and again.adjusts < later:
        return {one.adjusts: one.step, again.adjusts: again.step}
    return {one.adjusts: one.step}


def margins(drawn: World, rules: Rules) -> tuple[Margins, ...]:
    """A line for each day on which one of them changes."""
    events = steps(drawn, rules)
    sustained = fifth(ASSURANCE if rules.assured else REPORT, rules)
    days = sorted({day for day, _ in events} | {rules.amended_1, sustained})
    met = sum(one.met(rules.assured) for one in drawn.indicators)
    found: list[Margins] = []
    for day in days:
        step = [value for first, value in events if first <= day][-1]
        new = rules.new_grid and day >= rules.amended_1
        kpi = KPI[met] if rules.indicators and day >= sustained else D(0)
        grid = [drawn.grid["A new" if new else "Facility A"], drawn.grid["Facility B"]]
        grid.append(drawn.grid["RCF new" if new else "RCF"])
        a, b, plain = (column[step - 1] for column in grid)
        line = Margins(day, step, a + kpi, b + (kpi if rules.kpi_on_b else 0), plain + kpi, plain)
        if not found or (line.a, line.b, line.rcf) != (found[-1].a, found[-1].b, found[-1].rcf):
            found.append(line)
    return tuple(found)


def margin_days(table: tuple[Margins, ...], facility: str, first: date, last: date) -> Decimal:
    """The sum of the Margins of all days from first to the day before last, per cent."""
    total = D(0)
    for number, line in enumerate(table):
        until = table[number + 1].first if number + 1 < len(table) else date.max
        days = (min(last, until) - max(first, line.first)).days
        total += max(0, days) * line.of(facility)
    return total


def on(table: tuple[Margins, ...], day: date) -> Margins:
    return [line for line in table if line.first <= day][-1]
