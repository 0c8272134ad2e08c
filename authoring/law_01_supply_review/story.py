"""The advice of one seed, and what must hold for the prompt's story."""

from datetime import date
from decimal import Decimal

from authoring.law_01_supply_review.calendar import DAY, Calendar, add_months
from authoring.law_01_supply_review.rules import Advice, Rules, advise, promised
from authoring.law_01_supply_review.world import world
from authoring.parts.invariants import alive, invariant, unique

SLIPS: dict[str, Rules] = {
    "the general counsel's mail": Rules(addendum=False),
    "the deleted words in Charges": Rules(services_in_charges=True),
    "lower for greater": Rules(lower=False),
    "the cap measured on its own base": Rules(share_of_charges=True),
    "Business Days as days": Rules(business_days=False),
    "interest by the month": Rules(monthly_times_twelve=False),
    "the base rate": Rules(base_rate_off=False),
    "the unmarked change": Rules(unmarked_seen=False),
    "the overruled case": Rules(goods_statute_for_services=True),
    "the repealed section": Rules(repealed_section=True),
    "the section that is not in force yet": Rules(future_section=True),
    "mandatory law forgotten": Rules(statute_cures=False),
    "the shifted reference": Rules(reference_repaired=True),
    "the withdrawn offer": Rules(withdrawn_offer=True),
    "the conditional offer": Rules(conditional_offer=True),
    "the agreed price": Rules(agreed_price=False),
    "the price for a hundred": Rules(per_hundred=False),
    "lines exported twice": Rules(again=True),
    "withdrawn lines": Rules(withdrawn_lines=True),
    "lines of the second year": Rules(first_year_only=False),
    "after four o'clock": Rules(after_four=False),
    "public holidays": Rules(holidays=False),
    "substitute holidays": Rules(substitutes=False),
    "moving back": Rules(backwards=False),
    "clear days": Rules(clear_days=False),
    "duties do not move": Rules(duties_moved=True),
    "the moved first delivery": Rules(moved_delivery=False),
}


def story(seed: int) -> Advice:
    told = advise(world(seed), Rules())
    _check(told)
    for name, rules in SLIPS.items():
        alive(promised(told), promised(advise(told.world, rules)), f"{name}: the trap is alive")
    return told


def _check(told: Advice) -> None:
    drawn, cap = told.world, told.cap
    days, calendar = drawn.days, Calendar()
    names = (drawn.parties.buyer.split()[0], drawn.parties.supplier.split()[0])
    unique(names, "the parties have different names")
    invariant(calendar.open(days.sent), "draft 4 was sent on a Business Day")
    invariant(days.sent < date(2026, 3, 16), "Founders' Day falls into the time to answer")
    invariant(calendar.open(days.list_day), "the last day for the list is a Business Day")
    invariant(calendar.open(days.delivery) and calendar.open(days.delivery_old), "open deliveries")
    invariant(add_months(days.nda, 36) > date(2026, 8, 1), "the old agreement still runs")
    for nominal in (
        add_months(drawn.expiry, -days.renewal),
        days.list_day + days.objection * DAY,
        add_months(days.delivery, 18),
    ):
        invariant(not calendar.open(nominal), "the day moves")
    invariant(cap.share < 1, "the cap as drafted is below the walk-away line")
    fixed = Decimal(drawn.terms.fixed_cap)
    invariant(cap.all < fixed < cap.draft_3, "the fixed sum lies in between")
    invariant(cap.all * Decimal("1.01") < fixed, "clearly above the walk-away line")
    invariant(cap.drafted < fixed, "the lower of the two is the percentage")
    grades = {one.position.code: one.grade for one in told.entries}
    invariant(told.graded("critical") == ("P09", "P13", "P14"), "three positions are critical")
    invariant(grades["P05"] == "medium" and grades["P10"] == "high", "two are cured by statute")
    invariant(grades["P11"] == "high" and grades["P16"] == "high", "services; confidentiality")
    invariant(grades["P07"] == "medium", "late interest beyond the line")
    invariant(grades["P06"] == "low", "payment is within the new Fallback")
