"""q24 has one valid plan: every way of serving the four promises is priced by the desk's own code.

Each rule of the plan is live: with the rule left out there are more plans, and they are tempting.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from bythebook.alder.desks.accounts import Fee, Mandate
from bythebook.alder.desks.corridors import Quote, request_quote
from bythebook.alder.desks.delivery import Basis, Delivery, Service, Window, price
from bythebook.alder.desks.guarantees import Promise, due_minute, promises_due, register_promise
from bythebook.alder.desks.rights import ServiceRight, reserve_right
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask, load_task
from bythebook.conduct.world import World
from bythebook.task import Content
from bythebook.tool import Refused
from tests.alder.hours import later

CUSTOMER, CASE, DAY = "PTY-655", "CASE-2291", "2025-10-02"
NOW = {"US-PT": "G1", "US-PE": "G2", "US-VN": "G2", "US-KE": "G3"}
UNTIL_SEPTEMBER = NOW | {"US-VN": "G3", "US-KE": "G2"}
BASES: tuple[Basis, ...] = ("full_charge", "gross_up")
WINDOWS: tuple[Window, ...] = ("standard", "priority")
RULES = frozenset({"term", "group", "one unit", "firm"})


class Way(NamedTuple):
    """One way to serve one promise."""

    payee: str
    basis: Basis
    window: Window
    units: tuple[str, ...]
    fee: int


@cache
def task() -> ConductTask:
    content = Content()
    return load_task(content, load_company(content), "q24")


def ready() -> World:
    """The world once the fourth promise is registered and every partner has answered."""
    world = World(task().opening)
    world.put(task().scenario.bring("LTR-58"))
    register_promise(world, "LTR-58", CASE)
    for promise in promises_due(world, CUSTOMER, DAY):
        request_quote(world, promise.id)
    later(world, 13)
    return world


def left(world: World) -> int:
    """The fee budget, less fees taken, less the fee of tomorrow's order."""
    cap = world[Mandate].where(case=CASE)[0].total_cap
    taken = sum(fee.amount for fee in world[Fee].where(case=CASE, status="taken"))
    return cap - taken - sum(d.fee for d in world[Delivery].where(case=CASE, status="scheduled"))


def ways(world: World, promise: Promise, rules: frozenset[str], groups: dict[str, str]) -> set[Way]:
    """Everything that keeps one promise under the given rules."""
    lots = [
        lot
        for lot in world[ServiceRight].where(owner=CUSTOMER)
        if lot.free
        and ("group" not in rules or groups[promise.corridor] in lot.groups)
        and ("term" not in rules or (lot.valid_to >= DAY and lot.programme != "autumn-waiver"))
    ]
    singles = [(), *((lot.id,) for lot in lots)]
    pairs = [(a.id, b.id) for a in lots for b in lots if a.id < b.id and a.kind != b.kind]
    choices = singles if "one unit" in rules else [*singles, *pairs]
    return {way for units in choices for way in _served(world, promise, units, "firm" in rules)}


def _served(
    world: World, promise: Promise, units: tuple[str, ...], firm_only: bool
) -> Iterator[Way]:
    quote = world[Quote].where(promise=promise.id)[0]
    trial = world.fork()
    kept = tuple(reserve_right(trial, unit, promise.id).id for unit in units)
    kinds = {trial[ServiceRight][unit].kind for unit in units}
    for basis, window in product(BASES, WINDOWS):
        minutes = world.policy.number(f"delivery.minutes.{window}", DAY)
        fits = not ("priority" in kinds and window == "standard")
        fits = fits and not ("full_charge" in kinds and basis == "gross_up")
        firm = basis == "full_charge" or quote.basis == "firm" or not firm_only
        if fits and firm and world.t + minutes <= due_minute(world, promise):
            gross = promise.net + (quote.deduction if basis == "gross_up" else 0)
            service = Service(basis, window, kept)
            fee = price(trial, promise, service, gross).total
            yield Way(promise.beneficiary.split()[0], basis, window, units, fee)


def plans(
    budget: int, rules: frozenset[str] = RULES, groups: dict[str, str] = NOW
) -> list[tuple[Way, ...]]:
    """Every combination that keeps all four promises inside the budget and the lots."""
    world = ready()
    day = promises_due(world, CUSTOMER, DAY)
    free = {lot.id: lot.free for lot in world[ServiceRight]}
    found = []
    for plan in product(*(sorted(ways(world, promise, rules, groups)) for promise in day)):
        used = [unit for way in plan for unit in way.units]
        held = all(used.count(unit) <= free[unit] for unit in used)
        if held and sum(way.fee for way in plan) <= budget:
            found.append(plan)
    return found


def test_sixty_three_dollars_are_left() -> None:
    assert left(ready()) == 6_300


def test_one_plan_keeps_every_promise_inside_the_budget() -> None:
    (plan,) = plans(left(ready()))

    assert set(plan) == {
        Way("Mbuyu", "full_charge", "standard", ("RGT-17",), 600),
        Way("Quebrada", "full_charge", "priority", ("RGT-19",), 3_400),
        Way("Fonte", "gross_up", "standard", (), 1_700),
        Way("Han", "full_charge", "standard", ("RGT-14",), 600),
    }


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_of_the_plan_shuts_out_another_one(rule: str) -> None:
    assert len(plans(6_300, RULES - {rule})) > 1


def test_with_last_months_groups_another_plan_would_be_the_only_one() -> None:
    (plan,) = plans(6_300, groups=UNTIL_SEPTEMBER)
    assert {way.payee: way.units for way in plan}["Mbuyu"] == ("RGT-14",)


def test_forgetting_tomorrows_fee_makes_room_for_one_more_plan() -> None:
    assert len(plans(6_900)) == 2


def test_the_standard_window_cannot_reach_lima_even_from_the_first_minute() -> None:
    world = World(task().opening)
    lima = world[Promise]["PRM-33"]
    assert world.policy.number("delivery.minutes.standard", DAY) > due_minute(world, lima)


def test_a_second_unit_for_today_would_have_to_be_taken_from_tomorrow() -> None:
    world = ready()
    reserve_right(world, "RGT-14", "PRM-33")
    with pytest.raises(Refused, match="no free unit"):
        reserve_right(world, "RGT-14", "PRM-34")
