"""What the forecast says, that it holds for the seed, and that each trap is alive."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from authoring.fin_03_thirteen_weeks import cash
from authoring.fin_03_thirteen_weeks import days as d
from authoring.fin_03_thirteen_weeks import rules as r
from authoring.fin_03_thirteen_weeks.draw import world
from authoring.fin_03_thirteen_weeks.flows import Flow, flows
from authoring.fin_03_thirteen_weeks.rules import RIGHT, Bill, Line, Rules
from authoring.fin_03_thirteen_weeks.world import STATUS, World
from authoring.parts.invariants import alive, invariant

D = Decimal
DOWN = Rules(scenario="Downside")
CONTRACT = ("n09", "n10", "n11", "n12", "n13")


class Told(msgspec.Struct, frozen=True):
    """A world under rules, worked out."""

    world: World
    rules: Rules
    lines: tuple[Line, ...]
    bills: tuple[Bill, ...]
    flows: tuple[Flow, ...]
    weeks: tuple[cash.Week, ...]
    quarter: dict[str, Decimal]
    year_end: dict[str, Decimal]

    def line(self, key: str) -> Line:
        return next(one for one in self.lines if one.item.key == key)

    def bill(self, key: str) -> Bill:
        return next(one for one in self.bills if one.payable.key == key)

    @property
    def low(self) -> cash.Week:
        return min(self.weeks, key=lambda one: one.liquidity)

    @property
    def peak(self) -> cash.Week:
        return max(self.weeks, key=lambda one: one.drawn)


def tell(drawn: World, rules: Rules = RIGHT) -> Told:
    return Told(
        world=drawn,
        rules=rules,
        lines=r.receivables(drawn, rules),
        bills=r.payables(drawn, rules),
        flows=flows(drawn, rules),
        weeks=cash.weeks(drawn, rules),
        quarter=cash.quarter(drawn, rules),
        year_end=cash.year_end(drawn, rules),
    )


def promised(told: Told) -> Mapping[object, object]:
    """Everything that a rubric may ask of the workbook."""
    found: dict[object, object] = {
        one.item.no: (one.code, one.day, one.amount) for one in told.lines
    }
    found |= {one.payable.no: (one.code, one.day, one.amount) for one in told.bills}
    found |= {(one.flow, one.due): (one.day, one.amount) for one in told.flows}
    found |= {one.number: one for one in told.weeks}
    found |= {("September", name): value for name, value in told.quarter.items()}
    found |= {("December", name): value for name, value in told.year_end.items()}
    return found


def late(told: Told) -> tuple[Line, ...]:
    """Of R9, whose day under 2.7 has passed; the largest first."""
    some = []
    for one in told.lines:
        usual = date.fromordinal(one.due.toordinal() + one.delay)
        if one.code == "R9" and d.on_or_after(usual) <= STATUS:
            some.append(one)
    return tuple(sorted(some, key=lambda one: -one.amount))


Facts = Mapping[str, Mapping[str, object]]
SLIPS: dict[str, Facts] = {
    "promises_of_anybody": {
        "p10": {"promise": date(2025, 10, 9), "made": date(2025, 9, 26)},
        "p17": {"promise": date(2025, 10, 14), "made": date(2025, 9, 23)},
        "p09": {"promise": date(2025, 10, 24), "made": date(2025, 9, 18)},
        "p05": {"broken": 1},
    },
    "moved_is_broken": {"p04": {"broken": 1}},
    "broken_promises_forgotten": {
        key: {"broken": 0} for key in ("p02", "p03", "p18", "p19", "p20")
    },
    "first_part_counts": {"p07": {"promise": date(2025, 10, 20)}},
    "objections_that_are_none": {key: {"off": "all"} for key in ("d04", "d05", "d06", "d14")},
    "credits_not_written_forgotten": {"d03": {"off": D(0)}, "d12": {"off": D(0)}},
    "unjustified_does_not_count": {key: {"off": D(0)} for key in ("d08", "d10", "d11", "d13")},
    "parents_and_petitions": {"i04": {"insolvent": True}, "i05": {"insolvent": True}},
    "insolvency_unread": {key: {"insolvent": False} for key in ("i01", "i02", "i06", "i07")},
    "set_off_by_feeling": {"s03": {"setoff": "all"}, "s04": {"setoff": D(0)}},
    "returned_debits_unseen": {
        "q04": {"paid": "all", "returned": False},
        "m06": {"paid": "all"},
    },
    "payments_by_number_alone": {key: {"paid": D(0)} for key in ("m02", "m03", "k01", "m08")},
    "announced_is_booked": {"n15": {"paid": "all"}},
}
"""What is read wrongly, by item; `all`: the whole amount."""


def misread(drawn: World, facts: Facts) -> World:
    items = []
    for item in drawn.items:
        wrong = {
            name: item.amount if value == "all" else value
            for name, value in facts.get(item.key, {}).items()
        }
        items.append(replace(item, **wrong) if wrong else item)
    return replace(drawn, items=tuple(items))


RULE_SLIPS = {
    "supplement_unread": Rules(contract=r.FAR),
    "wednesdays_terms": Rules(contract=date(2025, 8, 1), rebate=D("0.02")),
    "deduction_forgotten": Rules(rebate=D(0)),
    "exceptions_unread": Rules(exceptions=False),
    "runs_on_fridays": Rules(weekday=5),
    "any_discount": Rules(least=D("0.001")),
    "old_promises_count": Rules(good=60),
    "fifteen_per_cent": Rules(cap=D("0.15")),
}


def story(seed: int) -> Told:
    drawn = world(seed)
    told, down = tell(drawn), tell(drawn, DOWN)
    right = promised(told)
    for name, facts in SLIPS.items():
        wrong = promised(tell(misread(drawn, facts)))
        alive(right, wrong, f"{name}: the trap is alive")
    for name, rules in RULE_SLIPS.items():
        alive(right, promised(tell(drawn, rules)), f"{name}: the trap is alive")
    _check(told, down)
    return told


def _check(told: Told, down: Told) -> None:
    floor = told.world.figures["floor"]
    raw = cash.exceptional(told.world, "2024-10", "2025-09")
    invariant(raw > told.quarter["Exceptional Items"], "the limit bites at 30 September")
    raw = cash.exceptional(told.world, "2025-01", "2025-12")
    invariant(raw == told.year_end["Exceptional Items"], "the limit is not met at 31 December")
    invariant(told.low.liquidity > floor > down.low.liquidity, "only Downside breaks 20.3")
    leverage = told.quarter["Leverage"], told.year_end["Leverage"], down.year_end["Leverage"]
    invariant(D("2.40") < leverage[0] <= D("2.50"), "Leverage at 30 September is below a step")
    invariant(leverage[1] <= cash.LIMITS[1] < leverage[2], "only Downside breaks 20.1")
    invariant(told.world.figures["bank S"] > cash.OUTSIDE, "the cash of no Obligor is limited")
    outside = [one.outside > cash.OUTSIDE for one in told.weeks]
    invariant(any(outside) and not all(outside), "the own balance crosses what counts")
    first = [one.item.key for one in late(told)[:3]]
    invariant(sorted(first) == ["d03", "p11", "p13"], "the three largest late ones")
    sums = [one.amount for one in late(told)[:4]]
    invariant(sums[2] - sums[3] > 500, "the third is clearly larger than the fourth")
