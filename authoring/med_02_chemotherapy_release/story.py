"""All that is computed for one seed, and what must hold of it for the story to be the prompt's."""

from collections.abc import Hashable
from datetime import date
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from authoring.med_02_chemotherapy_release import doses as d
from authoring.med_02_chemotherapy_release import rules as r
from authoring.med_02_chemotherapy_release.doses import Found
from authoring.med_02_chemotherapy_release.rules import RIGHT, Dose, Rules
from authoring.med_02_chemotherapy_release.world import World, world
from authoring.parts.invariants import alive, invariant
from authoring.parts.numbers import rounded

D = Decimal
ORDER_ERRORS: dict[str, Rules] = {
    "D01": replace(RIGHT, change=D("0.11")),
    "D02": replace(RIGHT, product=True),
    "D03": replace(RIGHT, adjusted=False, off=D(0)),
    "D04": replace(RIGHT, lowered=False),
    "D07": replace(RIGHT, reload=False),
    "D09": replace(RIGHT, letters=False, floor=D(1), most=D(999)),
    "D14": replace(RIGHT, reload=False, estimated=True),
    "D16": replace(RIGHT, radiated=D(450)),
    "D18": replace(RIGHT, surface_cap=D(2), listed_height=True),
    "D19": replace(RIGHT, cap_last=True),
}
"""What was wrong when the order was written; other orders are right."""


class Story(msgspec.Struct, frozen=True, kw_only=True):
    world: World
    found: Found
    ordered: dict[str, Decimal]
    """Line to mg."""

    def dose(self, key: str, drug: str) -> Dose:
        return next(
            one for one in self.found.doses if (one.line.patient, one.line.drug) == (key, drug)
        )

    def released(self, key: str) -> bool:
        return self.found.readings[key].decision == d.RELEASE

    def difference(self, one: Dose) -> Decimal:
        return one.dose - self.ordered[one.line.no]

    @property
    def changed(self) -> tuple[Dose, ...]:
        """Released lines whose dose is not the ordered one."""
        return tuple(
            one
            for one in self.found.doses
            if self.released(one.line.patient) and self.difference(one) != 0
        )

    def batches(self, day: date) -> tuple[d.Batch, ...]:
        return tuple(one for one in self.found.batches if one.day == day and one.amount)

    @property
    def totals(self) -> dict[str, Decimal]:
        """The labels of Summary."""
        decided = [one.decision for one in self.found.readings.values()]
        return {
            "Treatments released": D(decided.count(d.RELEASE)),
            "Treatments deferred": D(decided.count(d.DEFER)),
            "Treatments referred": D(decided.count(d.REFER)),
            "Lines changed": D(len(self.changed)),
            "Cost of vials": sum((one.cost for one in self.found.batches), D(0)),
        }


def tell(drawn: World, rules: Rules = RIGHT, ordered: dict[str, Decimal] | None = None) -> Story:
    return Story(world=drawn, found=d.find(drawn, rules), ordered=ordered or orders(drawn))


def orders(drawn: World) -> dict[str, Decimal]:
    """What the prescribers' system had for each line, before blood was known."""
    found: dict[str, Decimal] = {}
    for line in drawn.lines:
        rules = ORDER_ERRORS.get(line.patient, RIGHT)
        patient = drawn.patients[line.patient]
        if patient.ordered is not None:
            lines = tuple(
                replace(one, per=patient.ordered) if one == line else one for one in drawn.lines
            )
            made = d.find(replace(drawn, lines=lines), replace(rules, reload=False))
        else:
            made = d.find(drawn, rules)
        one = next(one for one in made.doses if one.line.no == line.no)
        told = made.readings[line.patient]
        found[line.no] = one.dose if told.decision == d.RELEASE else _unchecked(one, drawn)
    return found


def _unchecked(one: Dose, drawn: World) -> Decimal:
    """The full dose of a line that is not released."""
    step = drawn.drugs[one.line.drug].step
    return rounded(one.full / step, 0) * step


def story(seed: int) -> Story:
    told = tell(world(seed))
    _check(told)
    _check_traps(told)
    return told


def promised(told: Story) -> dict[Hashable, object]:
    """The values that the prompt asks for."""
    found: dict[Hashable, object] = {name: value for name, value in told.totals.items()}
    for key, one in told.found.readings.items():
        found[key] = (
            *(one.age, one.weight, one.dosing, one.surface, one.creatinine, one.clearance),
            *(one.neutrophils, one.platelets, one.bilirubin, one.interval, one.code),
        )
    for dose in told.found.doses:
        found[dose.line.no] = (dose.factor, dose.why, dose.dose)
    found |= {("sum", key): one for key, one in told.found.sums.items()}
    found |= {(one.day, one.drug): one for one in told.found.batches}
    return found


CODES = {"D06": "C5", "D10": "C1", "D11": "C3", "D12": "C2", "D17": "C6", "D21": "C4", "D22": "C2"}
FACTORS: tuple[tuple[str, str, str, int], ...] = (
    ("D02", "paclitaxel", "organ", 75),
    ("D09", "carboplatin", "level", 75),
    ("D13", "cisplatin", "organ", 75),
    ("D04", "doxorubicin", "cumulative", 100),
    ("D16", "doxorubicin", "cumulative", 100),
    ("D04", "vincristine", "cap", 100),
    ("D19", "vincristine", "organ", 50),
    ("D20", "docetaxel", "level", 80),
    ("D05", "cisplatin", "none", 100),
)
CHANGED = ("D01", "D02", "D03", "D04", "D07", "D09", "D14", "D16", "D18", "D19")
EDGES = (D(60), D(50), D(45), D(30), D(20), D(15))


def _check(told: Story) -> None:
    first = told.dose("D01", "doxorubicin")
    invariant(first.room is not None, "D01 has a limit")
    assert first.room is not None
    invariant(first.computed < first.room < first.whole, "only the vial goes beyond the limit")
    for key, one in told.found.readings.items():
        invariant(one.code == CODES.get(key, "C0"), f"the code of {key} ({one.code})")
        if one.clearance is not None:
            near = min(abs(one.clearance - edge) for edge in EDGES)
            invariant(near > D("0.25"), f"the clearance of {key} is clear of every limit")
        if key != "D01":
            share = abs(one.weight - one.patient.dosing) / one.patient.dosing
            invariant(abs(share - D("0.1")) > D("0.001"), f"the weight of {key} is clear")
    for key, drug, why, factor in FACTORS:
        line = told.dose(key, drug)
        says = f"{drug} of {key}: {line.why}, {line.factor}"
        invariant((line.why, line.factor) == (why, D(factor)), says)
    changed = {line.line.patient for line in told.changed}
    invariant(changed == set(CHANGED), f"whose lines change ({sorted(changed)})")
    _check_rounding(told)


def _check_rounding(told: Story) -> None:
    for one in told.found.doses:
        if not one.computed:
            continue
        share = abs(one.whole - one.computed) / one.computed
        edges = min(abs(share - edge) for edge in (D("0.05"), D("0.1"), D("0.03")))
        invariant(edges > D("0.0005"), f"{one.line.no} is clear of the tolerance ({share})")
        rest = (one.computed / told.world.drugs[one.line.drug].step) % 1
        even = rest == D("0.5") and one.line.patient == "D09"
        invariant(abs(rest - D("0.5")) > D("0.005") or even, f"{one.line.no} is no tie")


SLIPS: dict[str, Rules] = {
    "72 hours": Rules(hours=96),
    "exactly 72 hours": Rules(hours=71),
    "120 hours for chemistry": Rules(chemistry=72),
    "the amendment as drafted": Rules(chemistry=168),
    "the corrected result": Rules(corrected=False),
    "the cancelled result": Rules(cancelled=False),
    "the analyser": Rules(off=D(0)),
    "the first mail's amount": Rules(off=D(14)),
    "the first mail's window": Rules(until=r.FIRST_WINDOW),
    "hours of the outside laboratory": Rules(ahead=False),
    "the hour of measuring": Rules(by_sample=True),
    "the least creatinine": Rules(floor=D(1)),
    "the most clearance": Rules(most=D(999)),
    "the adjusted weight": Rules(adjusted=False),
    "weights that count": Rules(estimated=True),
    "ten per cent": Rules(change=D("0.101")),
    "five per cent": Rules(change=D("0.05")),
    "no cap of the surface": Rules(surface_cap=D(2)),
    "the corrected height": Rules(listed_height=True),
    "the filgrastim patients": Rules(gcsf=False),
    "the letter's level": Rules(letters=False),
    "the day really given": Rules(register_days=True),
    "a day early": Rules(early=0),
    "neutrophils not rounded": Rules(decimals=1),
    "the lowest factor": Rules(product=True),
    "the cap before the factor": Rules(cap_last=True),
    "the equivalence": Rules(equal=D("0.67")),
    "the lower limit": Rules(lowered=False),
    "radiotherapy": Rules(radiated=D(450)),
    "the draft's limit": Rules(radiated=D(350)),
    "what was given": Rules(as_given=False),
    "entries made twice": Rules(once=False),
    "the other hospital": Rules(others=False),
    "the surface of that day": Rules(own_surface=False),
    "the loading dose": Rules(reload=False),
    "whole vials": Rules(whole=D(0)),
    "whole vials of antibodies": Rules(whole_antibody=D("0.05")),
    "rounding below the limit": Rules(rounded_down=False),
    "the evening batch": Rules(evening=False),
    "drugs that keep": Rules(stable=False),
    "sharing": Rules(sharing=False),
}


def _check_traps(told: Story) -> None:
    right = promised(told)
    for name, rules in SLIPS.items():
        alive(right, promised(tell(told.world, rules, told.ordered)), f"{name}: trap is alive")
