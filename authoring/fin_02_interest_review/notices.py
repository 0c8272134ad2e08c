"""The 31 notices: what each should have been, and what the bank made of it."""

from datetime import date, timedelta
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.days import (
    BUSINESS,
    LONDON,
    TARGET,
    after_months,
    moved,
    rolled,
    span,
)
from authoring.fin_02_interest_review.rules import RIGHT, Rules
from authoring.fin_02_interest_review.world import END, ENDS, START, Loan, World
from authoring.parts.numbers import cents, rounded

D = Decimal
YEAR = date(2025, 1, 1)
DRAWN_B, PREPAID, REVERSED = date(2024, 2, 29), date(2024, 10, 17), date(2024, 9, 30)
REPAID = (date(2024, 8, 30), date(2025, 2, 28), date(2025, 8, 29))
INTEREST, PREPAYMENT = "Interest", "Interest on prepayment"
DEFAULT, COMMITMENT, UTILISATION = "Default interest", "Commitment fee", "Utilisation fee"


class Notice(msgspec.Struct, frozen=True):
    key: str
    facility: str
    kind: str
    currency: str
    principal: Decimal
    """Nothing for fees."""
    first: date
    last: date
    paid: date
    no: str = ""


class Result(msgspec.Struct, frozen=True):
    """A notice as some rules have it."""

    days: int
    rate: Decimal | None
    """Base rate, per cent, of interest on a loan."""
    amount: Decimal
    on: Decimal = D(0)
    """Principal, or the average amount that a fee is charged on."""
    margin: Decimal = D(0)
    """On average; of a fee its average rate. Per cent."""


def outstanding(drawn: World, day: date) -> Decimal:
    """Facility A after what is repaid on the day."""
    back = sum(drawn.repayment for one in REPAID if one <= day)
    return drawn.a0 - back - (drawn.prepaid if day >= PREPAID else 0)


def notices(drawn: World) -> tuple[Notice, ...]:
    """By day of payment."""
    made = [*_term(drawn), *_fees(drawn)]
    for loan in drawn.loans[:-1]:
        about = (loan.currency, loan.amount, loan.first, loan.last, loan.last)
        made.append(Notice(loan.name, "RCF", INTEREST, *about))
    order = sorted(made, key=lambda one: (one.paid, one.key))
    return tuple(replace(one, no=f"N{n:02d}") for n, one in enumerate(order, 1))


def _term(drawn: World) -> list[Notice]:
    made = []
    for n, (first, last) in enumerate(zip((START, *ENDS), ENDS, strict=False), 1):
        owed = outstanding(drawn, first)
        if first < PREPAID < last:
            owed -= drawn.prepaid
            about = ("EUR", drawn.prepaid, first, PREPAID, PREPAID)
            made.append(Notice(f"A{n}P", "Facility A", PREPAYMENT, *about))
        made.append(Notice(f"A{n}", "Facility A", INTEREST, "EUR", owed, first, last, last))
        if first >= DRAWN_B:
            about = ("GBP", drawn.b0, first, last, last)
            made.append(Notice(f"B{n}", "Facility B", INTEREST, *about))
    late = date(2024, 9, 3)
    about = ("EUR", D(0), date(2024, 8, 30), late, late + timedelta(days=3))
    return [*made, Notice("D1", "Facility A", DEFAULT, *about)]


def _fees(drawn: World) -> list[Notice]:
    made = []
    for n, (first, last) in enumerate(zip((START, *ENDS), ENDS, strict=False), 1):
        made.append(Notice(f"C{n}", "RCF", COMMITMENT, "EUR", D(0), first, last, last))
        if last > r.AMENDED_1:
            begun = max(first, r.AMENDED_1)
            made.append(Notice(f"U{n}", "RCF", UTILISATION, "EUR", D(0), begun, last, last))
    return made


# --- rates --------------------------------------------------------------------------------------


def quoted(first: date, rules: Rules) -> date:
    return moved(first, -2, TARGET if rules.target_days else BUSINESS)


def euribor(drawn: World, first: date, last: date, months: int, rules: Rules) -> Decimal:
    """Months 0: the first period of Facility A."""
    known = dict(zip((1, 3, 6), drawn.euribor[quoted(first, rules)], strict=True))
    if months in known or not rules.interpolated:
        return max(D(0), known.get(months, known[3]))
    short, long = ((rolled(after_months(first, m), BUSINESS) - first).days for m in (1, 3))
    share = D((last - first).days - short) / (long - short)
    return max(D(0), rounded(known[1] + (known[3] - known[1]) * share, 3))


class Fixing(msgspec.Struct, frozen=True):
    """One RFR Banking Day of a period."""

    day: date
    seen: date
    rate: Decimal
    days: int


def fixings(drawn: World, first: date, last: date, rules: Rules) -> tuple[Fixing, ...]:
    days = span(first, last, LONDON)
    made = []
    for number, day in enumerate(days):
        seen = moved(day, -rules.lookback, LONDON)
        following = days[number + 1] if number + 1 < len(days) else last
        begins, ends = (seen, moved(seen, 1, LONDON)) if rules.shifted else (day, following)
        made.append(Fixing(day, seen, max(D(0), drawn.sonia[seen]), (ends - begins).days))
    return tuple(made)


def compounded(drawn: World, first: date, last: date, rules: Rules) -> Decimal:
    """Per cent, four decimals."""
    product, total = D(1), 0
    for one in fixings(drawn, first, last, rules):
        product *= 1 + one.rate / 100 * one.days / 365
        total += one.days
    return rounded((product - 1) * 365 / total * 100, 4)


# --- amounts ------------------------------------------------------------------------------------


def result(drawn: World, notice: Notice, rules: Rules) -> Result:
    table = r.margins(drawn, rules)
    if notice.kind == DEFAULT:
        return Result((notice.last - notice.first).days, None, D(0))
    if notice.kind in (COMMITMENT, UTILISATION):
        first = notice.first
        if notice.kind == UTILISATION and rules.amended_1 < notice.first == r.AMENDED_1:
            first = rules.amended_1
        return _fee(drawn, notice, first, table, rules)
    return _interest(drawn, notice, table, rules)


def _interest(drawn: World, notice: Notice, table: tuple[r.Margins, ...], rules: Rules) -> Result:
    last = notice.last
    if notice.key == "RCF 1" and not rules.modified:
        last -= timedelta(days=1)
    days = (last - notice.first).days + rules.extra_day
    more, basis = D(0), 360
    if notice.currency == "GBP":
        rate, basis = compounded(drawn, notice.first, last, rules), rules.sterling
        more = r.CAS if _with_cas(notice.first, rules) else D(0)
    else:
        rate = euribor(drawn, notice.first, last, _months(drawn, notice), rules)
    spread = r.margin_days(table, notice.facility, notice.first, last)
    if rules.whole_period:
        spread = _step_5_all_the_year(notice, table)
    if rules.extra_day:
        spread += r.on(table, last - timedelta(days=1)).of(notice.facility)
    principal = _charged_on(drawn, notice, rules)
    amount = principal * ((rate + more) * days + spread) / 100 / basis
    return Result(days, rate, cents(amount), principal, spread / days)


def _charged_on(drawn: World, notice: Notice, rules: Rules) -> Decimal:
    within = notice.kind == INTEREST and notice.first < PREPAID < notice.last
    twice = within and notice.facility == "Facility A" and not rules.prepaid
    return notice.principal + (drawn.prepaid if twice else 0)


def _with_cas(first: date, rules: Rules) -> bool:
    return not rules.cas_ends or first < rules.amended_2


def _step_5_all_the_year(notice: Notice, table: tuple[r.Margins, ...]) -> Decimal:
    late = next(line for line in table if line.step == r.WORST)
    first = max(notice.first, YEAR)
    before = r.margin_days(table, notice.facility, notice.first, first)
    return before + late.of(notice.facility) * (notice.last - first).days


def _months(drawn: World, notice: Notice) -> int:
    if notice.facility == "RCF":
        return next(one.months for one in drawn.loans if one.name == notice.key)
    return 0 if notice.first == START else 3


def base_amount(drawn: World, loan: Loan, rules: Rules) -> Decimal:
    """In EUR, as clause 1 has it."""
    if loan.currency == "EUR":
        return loan.amount
    first = loan.first if rules.drawn_anew else date(2024, 7, 10)
    return cents(loan.amount * drawn.spot[moved(first, -rules.spot_days, BUSINESS)])


class FeeDay(msgspec.Struct, frozen=True):
    day: date
    drawn: Decimal
    commitments: Decimal
    commitment: Decimal
    """Accrued on the day, not rounded."""
    utilisation: Decimal


def fee_day(drawn: World, day: date, table: tuple[r.Margins, ...], rules: Rules) -> FeeDay:
    used = D(0)
    for loan in drawn.loans:
        last = loan.last
        if loan.name == "RCF 1" and not rules.modified:
            last -= timedelta(days=1)
        if loan.first <= day < last:
            used += base_amount(drawn, loan, rules)
    late = day >= rules.amended_2
    total = drawn.rcf[late]
    line = r.on(table, day)
    margin = line.rcf if rules.kpi_on_fee else line.plain
    share = r.SHARES[late and rules.new_share]
    fee = D(0)
    if day >= rules.amended_1:
        fee = r.FEES[1] if used * 3 > total * 2 else r.FEES[0] if used * 3 > total else D(0)
    return FeeDay(day, used, total, (total - used) * share * margin / 100 / 360, used * fee / 360)


def _fee(
    drawn: World, notice: Notice, first: date, table: tuple[r.Margins, ...], rules: Rules
) -> Result:
    days = (notice.last - first).days
    lines = [fee_day(drawn, first + timedelta(days=n), table, rules) for n in range(days)]
    if notice.kind == COMMITMENT:
        amount = sum((one.commitment for one in lines), D(0))
        charged_on = sum((one.commitments - one.drawn for one in lines), D(0))
    else:
        amount = sum((one.utilisation for one in lines), D(0))
        charged_on = sum((one.drawn for one in lines), D(0))
    mean = amount * 36000 / charged_on if charged_on else D(0)
    return Result(days, None, cents(amount), charged_on / days, mean)


AS_CERTIFIED = Rules(restated_up=False, restated_down="never")
"""How the bank's system works: it cannot handle corrections."""


def _bank(**wrong: object) -> Rules:
    return replace(AS_CERTIFIED, **wrong)


ERRORS: dict[str, Rules] = {
    "A1": _bank(interpolated=False),
    "A2": _bank(decimals=1),
    "A3": _bank(extra_day=True),
    "A4": _bank(prepaid=False),
    "A5": _bank(whole_period=True),
    "A6": _bank(indicators=False),
    "A7": _bank(target_days=False),
    "B2": _bank(sterling=360),
    "B3": _bank(sterling=360),
    "B5": _bank(whole_period=True),
    "B6": _bank(shifted=True),
    "B7": _bank(cas_ends=False),
    "RCF 1": _bank(interpolated=False),
    "RCF 3": _bank(new_grid=False, sterling=360),
    "RCF 4": _bank(indicators=False),
    "C2": _bank(modified=False),
    "C3": _bank(decimals=6),
    "C6": _bank(amended_2=r.PLANNED_2, new_share=False),
    "C7": _bank(kpi_on_fee=True),
    "U4": _bank(drawn_anew=False),
    "U6": _bank(amended_2=date(2025, 5, 30)),
}


def believed(drawn: World, notice: Notice) -> Result:
    """A notice as the bank computed it."""
    return result(drawn, notice, ERRORS.get(notice.key, AS_CERTIFIED))


def charged(drawn: World, notice: Notice) -> Decimal:
    """What the bank asked, and was paid."""
    if notice.kind == DEFAULT:
        rate = euribor(drawn, notice.first, notice.last, 3, RIGHT) + 1
        rate += r.on(r.margins(drawn, RIGHT), notice.first).a
        return cents(outstanding(drawn, START) * D("0.0152") * rate * 4 / 36000)
    return believed(drawn, notice).amount


def transferred(drawn: World, notice: Notice) -> tuple[Decimal, ...]:
    """What was paid for it: one notice in two parts, one with two digits that changed places."""
    asked = charged(drawn, notice)
    if notice.key == "A4":
        return (D(250_000), asked - 250_000)
    if notice.key == "C5":
        digits = list(str(int(asked)))
        at = -3 if digits[-3] != digits[-2] else -2
        digits[at], digits[at + 1] = digits[at + 1], digits[at]
        return (asked - int(asked) + int("".join(digits)),)
    return (asked,)


# --- claim and accrual --------------------------------------------------------------------------

HELD, SENT, SETTLED = date(2025, 2, 27), date(2025, 11, 14), date(2025, 11, 28)
HELD_FOR = ("B2", "B3")
ACCRUED = date(2025, 10, 31)


def lapsed(notice: Notice, rules: Rules) -> bool:
    limit = after_months(notice.paid, 6)
    held = after_months(notice.paid, 12) if rules.revived else limit
    if rules.holding and notice.key in HELD_FOR and held >= HELD:
        return False
    longer = rules.twelve and (limit >= rules.amended_2 or rules.revived)
    return (after_months(notice.paid, 12) if longer else limit) < SENT


class Claimed(msgspec.Struct, frozen=True):
    treatment: str
    interest: Decimal
    refund_eur: Decimal
    interest_eur: Decimal
    """Of refunds; what is barred or deducted stands in refund_eur too, deductions positive."""

    @property
    def total(self) -> Decimal:
        if self.treatment == "refund":
            return self.refund_eur + self.interest_eur
        return -self.refund_eur if self.treatment == "deduct" else D(0)


def claimed(
    drawn: World, notice: Notice, difference: Decimal, rules: Rules, settled: date = SETTLED
) -> Claimed:
    spot = D(1)
    if notice.currency == "GBP":
        spot = drawn.spot[moved(SENT, -rules.claim_days, BUSINESS)]
    size = cents(abs(difference) * spot)
    if difference == 0:
        return Claimed("none", D(0), D(0), D(0))
    if difference < 0:
        old = not rules.old_deductions and lapsed(notice, rules)
        return Claimed("none" if old else "deduct", D(0), size, D(0))
    if lapsed(notice, rules):
        return Claimed("barred", D(0), size, D(0))
    basis = rules.sterling if notice.currency == "GBP" else 360
    days = (settled - notice.paid).days
    interest = cents(difference * drawn.refund / 100 * days / basis)
    return Claimed("refund", interest, size, cents(interest * spot))


def accruals(drawn: World, rules: Rules) -> dict[str, tuple[Decimal, Decimal]]:
    """Item to the amount in its currency and in EUR."""
    last = END if rules.last_day else ACCRUED
    loan = drawn.loans[-1]
    owed = outstanding(drawn, ENDS[-1])
    open_ = {
        "Facility A": Notice("A8", "Facility A", INTEREST, "EUR", owed, ENDS[-1], last, last),
        "Facility B": Notice("B8", "Facility B", INTEREST, "GBP", drawn.b0, ENDS[-1], last, last),
        "RCF loan": Notice(loan.name, "RCF", INTEREST, "EUR", loan.amount, loan.first, last, last),
        COMMITMENT: Notice("C8", "RCF", COMMITMENT, "EUR", D(0), ENDS[-1], last, last),
        UTILISATION: Notice("U8", "RCF", UTILISATION, "EUR", D(0), ENDS[-1], last, last),
    }
    rate = drawn.closing if rules.group_rate else drawn.spot[ACCRUED]
    found = {}
    for name, notice in open_.items():
        amount = result(drawn, notice, rules).amount
        found[name] = (amount, cents(amount * rate) if notice.currency == "GBP" else amount)
    return found
