"""The plan of one seed, the clinics' closed days, and what must hold for the prompt's story."""

from datetime import date
from decimal import Decimal

import msgspec

from authoring.med_01_bleed_after_stent.plan import Plan, dues, plan, promised
from authoring.med_01_bleed_after_stent.rules import LONG_STENT, SHORT_STENT, Rules, valid
from authoring.med_01_bleed_after_stent.world import DAY, World, world
from authoring.parts.dice import Dice
from authoring.parts.invariants import alive, invariant

SHUT = ("staff training day", "move of the outpatient clinic", "regional holiday", "stocktaking")
SLIPS: dict[str, Rules] = {
    "actual weight": Rules(weight="actual"),
    "ideal weight": Rules(weight="ideal"),
    "weight and height as told": Rules(reported=True),
    "cancelled creatinine": Rules(cancelled=True),
    "the first endoscopy as Day 0": Rules(day_zero="first"),
    "the control look as Day 0": Rules(day_zero="control"),
    "the printed day": Rules(corrected=False),
    "stigmata of the control look": Rules(high_risk=False),
    "the second procedure": Rules(second_procedure=False),
    "twelve months as usual": Rules(bled=False),
    "complex stenting": Rules(complex=False),
    "the eightieth birthday": Rules(eightieth=False),
    "reduced for whoever bled": Rules(always_reduced=True),
    "the first day at home": Rules(at_home=0),
    "seven days of antibiotics": Rules(eradication=7),
    "pantoprazole to Day 14 only": Rules(ppi_covers_eradication=False),
    "calcium during the antibiotics": Rules(calcium_pauses=False),
    "closed days": Rules(closed_days=False),
    "checks before something": Rules(before_moves_forward=True),
    "thirty days of supply": Rules(supply=30),
    "short capsules": Rules(short_capsules=False),
}


def story(seed: int) -> Plan:
    drawn = world(seed)
    drawn = msgspec.structs.replace(drawn, closed=tuple(_closed(drawn)))
    told = plan(drawn, Rules())
    _check(told)
    for name, rules in SLIPS.items():
        alive(promised(told), promised(plan(drawn, rules)), f"{name}: the trap is alive")
    return told


def _closed(drawn: World) -> list[tuple[date, str]]:
    """On a due date of each kind and the day to which it would move; the rest fall anywhere."""
    dice = Dice("closed", drawn.seed)
    due = {
        code: day for code, day, _ in dues(plan(drawn, Rules()).basis, plan(drawn, Rules()).lines)
    }
    days = {_weekday(due["M07"], 1), _weekday(due["M11"], -1)}
    days.add(_weekday(_weekday(due["M07"], 1) + DAY, 1))
    keep = [due["M01"], due["M02"], *(due["M03"] - n * DAY for n in range(4))]
    while len(days) < 9:
        day = _weekday(drawn.discharge + dice.whole(-60, 330) * DAY, 1)
        if day not in keep and day not in due.values():
            days.add(day)
    return [(day, dice.pick(SHUT)) for day in sorted(days)]


def _weekday(day: date, step: int) -> date:
    while day.weekday() > 4:
        day += step * DAY
    return day


def _check(told: Plan) -> None:
    drawn, found = told.world, told.basis
    invariant(drawn.discharge.weekday() < 5, "discharge on a weekday")
    invariant(told.check("M03").due.weekday() > 4, "the test before the anticoagulant on a weekend")
    invariant(told.check("M03").appointment > drawn.discharge, "that test after discharge")
    invariant(63 <= found.stent_age <= 76, "about ten weeks after the stent")
    invariant(SHORT_STENT < found.stent_age < LONG_STENT, "the stent is one to three months old")
    invariant(found.complex and found.stents == 3 and found.length > 60, "complex stenting")
    invariant(found.age == 79, "79 years old at discharge")
    after = told.line("apixaban").first
    invariant(after + 40 * DAY < drawn.birthday < told.clopidogrel_end, "the birthday in between")
    invariant(found.creatinine >= 136, "creatinine over the apixaban criterion")
    invariant(Decimal(40) < found.clearance < 44, "clearance of 40 to 44 by the right weight")
    invariant(found.fall >= 50, "a major bleed")
    invariant(found.iron == 2000, "2,000 mg of iron")
    invariant(found.months == 4, "three checks of kidney function")
    invariant(drawn.discharge > date(2025, 3, 1), "version 4 in force")
    invariant(valid(drawn, "Haemoglobin")[-1].value >= 85, "haemoglobin fit for discharge")
    moved = [check for check in told.checks if check.due != check.appointment]
    invariant({check.way for check in moved} == {"after", "before"}, "checks move to both sides")
    invariant(len(moved) >= 4, "several checks fall on closed days")
