"""All that is computed for one seed, and what must hold of it for the story to be the prompt's."""

from collections.abc import Hashable
from datetime import date
from decimal import Decimal

import msgspec

from authoring.fin_02_interest_review import notices as n
from authoring.fin_02_interest_review import rules as r
from authoring.fin_02_interest_review.notices import Claimed, Notice, Result
from authoring.fin_02_interest_review.rules import RIGHT, Margins, Read, Rules
from authoring.fin_02_interest_review.world import World, world
from authoring.parts.invariants import alive, invariant

D = Decimal


class Line(msgspec.Struct, frozen=True):
    """A notice, what it should have been, what was paid, what becomes of the difference."""

    notice: Notice
    right: Result
    paid: Decimal
    claim: Claimed

    @property
    def difference(self) -> Decimal:
        return self.paid - self.right.amount


class Story(msgspec.Struct, frozen=True, kw_only=True):
    world: World
    reads: tuple[Read, ...]
    margins: tuple[Margins, ...]
    lines: tuple[Line, ...]
    accruals: dict[str, tuple[Decimal, Decimal]]

    def of(self, key: str) -> Line:
        return next(line for line in self.lines if line.notice.key == key)

    def treated(self, treatment: str) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.claim.treatment == treatment)

    @property
    def totals(self) -> dict[str, Decimal]:
        """The labels of Summary, EUR."""
        sums = {
            name: sum((line.claim.refund_eur for line in self.treated(name)), D(0))
            for name in ("refund", "deduct", "barred")
        }
        interest = sum((line.claim.interest_eur for line in self.lines), D(0))
        return {
            "Refunds": sums["refund"],
            "Interest on refunds": interest,
            "Deductions": sums["deduct"],
            "Claim total": sums["refund"] + interest - sums["deduct"],
            "Overpaid but barred": sums["barred"],
            "Accrued at 31 October 2025": sum((eur for _, eur in self.accruals.values()), D(0)),
        }


def tell(
    drawn: World,
    rules: Rules = RIGHT,
    paid: dict[str, Decimal] | None = None,
    settled: date = n.SETTLED,
) -> Story:
    """`paid`: what was paid for each notice; without it, what the bank charged in this world."""
    lines = []
    for notice in n.notices(drawn):
        given = paid[notice.key] if paid else sum(n.transferred(drawn, notice), D(0))
        if notice.kind == n.DEFAULT and rules.credited and not paid:
            given = D(0)
        right = n.result(drawn, notice, rules)
        claim = n.claimed(drawn, notice, given - right.amount, rules, settled)
        lines.append(Line(notice, right, given, claim))
    return Story(
        world=drawn,
        reads=r.certificates(drawn, rules),
        margins=r.margins(drawn, rules),
        lines=tuple(lines),
        accruals=n.accruals(drawn, rules),
    )


def paid_of(told: Story) -> dict[str, Decimal]:
    return {line.notice.key: line.paid for line in told.lines}


def story(seed: int) -> Story:
    told = tell(world(seed))
    _check(told)
    _check_traps(told)
    return told


def promised(told: Story) -> dict[Hashable, object]:
    """The values that the prompt asks for."""
    found: dict[Hashable, object] = {}
    found |= {name: value for name, value in told.totals.items()}
    for one in told.reads:
        name = (one.certificate.quarter, one.certificate.version)
        found[name] = (one.leverage, one.step, one.adjusts)
    found |= {line.first: (line.a, line.b, line.rcf) for line in told.margins}
    for line in told.lines:
        found[line.notice.no] = (line.right, line.paid, line.claim)
    found |= {name: value for name, value in told.accruals.items()}
    return found


STEPS = (4, 2, 2, 4, 3, 3, 2, 1)
"""Of the certificates, by the day of receipt."""
OVER: tuple[str, ...] = ("A1", "A3", "A4", "A5", "A6", "A7", "B2", "B3", "B5", "B6", "B7")
OVER += ("C2", "C3", "C6", "U6", "RCF 1", "RCF 3")
UNDER = ("A2", "B4", "C4", "C5", "C7", "U4", "RCF 4", "RCF 5")
RIGHT_ONES = ("A4P", "RCF 2", "C1", "U5", "U7", "D1")
BARRED = ("A1", "A3", "B2", "C2", "C3", "RCF 1")


def _check(told: Story) -> None:
    got = tuple(one.step for one in told.reads)
    invariant(got == STEPS, f"the steps of the certificates ({got})")
    invariant(len(told.lines) == 31 and len(told.margins) == 11, "31 notices, eleven Margins")
    for key in OVER:
        line = told.of(key)
        invariant(line.difference > 50, f"{key} overcharged ({line.difference})")
        wanted = "barred" if key in BARRED else "refund"
        invariant(line.claim.treatment == wanted, f"{key} is {wanted}")
    for key in UNDER:
        invariant(told.of(key).difference < -5, f"{key} undercharged")
    for key in RIGHT_ONES:
        invariant(told.of(key).difference == 0, f"{key} is right")
    for line in told.lines:
        far = line.difference == 0 or abs(line.difference) > 5
        invariant(far, f"{line.notice.key} clearly wrong or right ({line.difference})")
    commitments = told.world.rcf[0]
    july, october = (
        n.base_amount(told.world, told.world.loans[i], RIGHT) / commitments for i in (1, 2)
    )
    invariant(july < D("0.3325") and october > D("0.3342"), "a third lies between the two rates")
    wrong = sum(n.transferred(told.world, told.of("C5").notice))
    invariant(wrong != n.charged(told.world, told.of("C5").notice), "one notice paid wrongly")
    met = [sum(one.met(seen) for one in told.world.indicators) for seen in (True, False)]
    invariant(met == [2, 3], "two indicators are met, three as reported")
    fixed = told.world.euribor[date(2025, 5, 27)][1] - told.world.euribor[date(2025, 5, 28)][1]
    invariant(fixed > D("0.005"), "the wrong quotation day costs money")


SLIPS: dict[str, Rules] = {
    "the interpolated rate": Rules(interpolated=False),
    "TARGET Days": Rules(target_days=False),
    "the end of the first RCF Loan": Rules(modified=False),
    "365 days": Rules(sterling=360),
    "the lookback": Rules(lookback=2),
    "no observation shift": Rules(shifted=True),
    "the spread that ends": Rules(cas_ends=False),
    "the prepaid part": Rules(prepaid=False),
    "the hour of receipt": Rules(cutoff=False),
    "the late certificate": Rules(late=False),
    "holidays of three centres": Rules(centres=False),
    "rounded Leverage": Rules(decimals=6),
    "the higher restated Step": Rules(restated_up=False),
    "the lower restated Step": Rules(restated_down="back"),
    "the lower restated Step, at all": Rules(restated_down="never"),
    "the confirmed day of Amendment 1": Rules(amended_1=r.AIMED_1),
    "the amended table": Rules(new_grid=False),
    "the assured indicator": Rules(assured=False),
    "the indicators": Rules(indicators=False),
    "Facility B without indicators": Rules(kpi_on_b=True),
    "the fee without indicators": Rules(kpi_on_fee=True),
    "the rate two days before": Rules(spot_days=0),
    "the loan drawn anew": Rules(drawn_anew=False),
    "the day of the amendment fee": Rules(amended_2=r.PLANNED_2),
    "the new share": Rules(new_share=False),
    "the holding letter": Rules(holding=False),
    "twelve Months": Rules(twelve=False),
    "what had lapsed": Rules(revived=True),
    "the rate of the claim": Rules(claim_days=0),
    "old deductions": Rules(old_deductions=False),
    "31 October": Rules(last_day=False),
    "the group's rate": Rules(group_rate=False),
}


def _check_traps(told: Story) -> None:
    right, paid = promised(told), paid_of(told)
    for name, rules in SLIPS.items():
        slip = tell(told.world, rules, paid)
        alive(right, promised(slip), f"{name}: the trap is alive")
