"""Reserves and releases: what is locked, what moves, what it costs, what comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.releases import (
    Release,
    cancel_release,
    draft_release,
    execute_release,
    quote_release_routes,
    recall_release,
    revise_release,
)
from bythebook.alder.desks.reserves import (
    Reserve,
    ReserveMove,
    lock_reserve,
    open_reserve,
    reserve_statement,
    retire_reserve,
    shift_between_reserves,
    top_up_reserve,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.harbour import harbour
from tests.alder.hours import later


@pytest.fixture
def world() -> World:
    return harbour()


def release(world: World, amount: int = 6_000, route: str = "assisted") -> Release:
    return draft_release(world, "RSV-1", route, amount, 6_000, "APP-1")  # type: ignore[arg-type]  # route is one of three


def test_a_customer_has_one_operating_reserve_a_currency(world: World) -> None:
    assert open_reserve(world, "PTY-9", "op", "operating", "USD").balance == 0
    with pytest.raises(Refused, match="operating reserve in USD already"):
        open_reserve(world, "PTY-1", "second", "operating", "USD")
    with pytest.raises(Refused, match="no EUR account"):
        open_reserve(world, "PTY-1", "euro", "buyer", "EUR")


def test_a_buyer_reserve_is_locked_against_an_open_file_of_its_owner(world: World) -> None:
    assert lock_reserve(world, "RSV-3", "RF-2").against == "RF-2"
    with pytest.raises(Refused, match="is locked"):
        lock_reserve(world, "RSV-3", "RF-2")
    with pytest.raises(Refused, match="operating reserve"):
        lock_reserve(world, "RSV-1", "RF-2")
    with pytest.raises(Refused, match="differ in owner or currency"):
        lock_reserve(world, "RSV-9", "RF-2")
    with pytest.raises(Refused, match="differ in owner or currency"):
        lock_reserve(world, "RSV-4", "RF-2")


def test_a_top_up_comes_from_the_owners_account_also_into_a_locked_reserve(world: World) -> None:
    top_up_reserve(world, "RSV-2", "ACC-1", 500)

    assert world[Reserve]["RSV-2"].balance == 6_500
    assert world[Account]["ACC-1"].balance == 89_500
    with pytest.raises(Refused, match="differ in owner"):
        top_up_reserve(world, "RSV-2", "ACC-9", 500)
    with pytest.raises(Refused, match="above zero"):
        top_up_reserve(world, "RSV-2", "ACC-1", 0)
    with pytest.raises(Refused, match="holds 89500"):
        top_up_reserve(world, "RSV-2", "ACC-1", 89_501)
    retire_reserve(world, "RSV-3")
    with pytest.raises(Refused, match="retired"):
        top_up_reserve(world, "RSV-3", "ACC-1", 1)


def test_a_shift_takes_from_a_free_reserve_only(world: World) -> None:
    shift_between_reserves(world, "RSV-1", "RSV-2", 1_000)
    assert (world[Reserve]["RSV-1"].balance, world[Reserve]["RSV-2"].balance) == (7_000, 7_000)
    assert [move.amount for move in reserve_statement(world, "RSV-2")] == [1_000]
    for source, target, why in (
        ("RSV-2", "RSV-1", "locked against RF-1"),
        ("RSV-1", "RSV-1", "same reserve"),
        ("RSV-1", "RSV-9", "differ in owner"),
        ("RSV-1", "RSV-4", "differ in owner or currency"),
        ("RSV-3", "RSV-1", "holds 0"),
    ):
        with pytest.raises(Refused, match=why):
            shift_between_reserves(world, source, target, 1)
    retire_reserve(world, "RSV-3")
    with pytest.raises(Refused, match="retired"):
        shift_between_reserves(world, "RSV-1", "RSV-3", 1)
    with pytest.raises(Refused, match="retired"):
        shift_between_reserves(world, "RSV-3", "RSV-1", 1)


def test_only_an_empty_reserve_without_business_is_retired(world: World) -> None:
    with pytest.raises(Refused, match="is locked"):
        retire_reserve(world, "RSV-2")
    with pytest.raises(Refused, match="holds 8000"):
        retire_reserve(world, "RSV-1")
    execute_release(world, release(world, 8_000).id)
    with pytest.raises(Refused, match="on its way"):
        retire_reserve(world, "RSV-1")
    later(world, 3)

    assert retire_reserve(world, "RSV-1").status == "retired"


def test_the_three_routes_cost_and_last_what_the_policy_says(world: World) -> None:
    found = [(q.route, q.fee, q.minutes) for q in quote_release_routes(world)]

    assert found == [("standard", 0, 20), ("assisted", 1_000, 3), ("express", 2_500, 1)]


def test_a_draft_fills_in_fee_and_case_and_moves_nothing(world: World) -> None:
    row = release(world)

    assert (row.fee, row.case, row.status) == (1_000, "CASE-1", "draft")
    assert world[Reserve]["RSV-1"].balance == 8_000


def test_a_locked_short_or_foreign_reserve_is_not_drafted_on(world: World) -> None:
    with pytest.raises(Refused, match="locked against RF-1"):
        draft_release(world, "RSV-2", "assisted", 6_000, 6_000, "APP-1")
    with pytest.raises(Refused, match="holds 8000"):
        release(world, 8_001)
    with pytest.raises(Refused, match="above zero"):
        release(world, 0)
    with pytest.raises(Refused, match="not sponsored by PTY-9"):
        draft_release(world, "RSV-9", "assisted", 6_000, 6_000, "APP-1")
    with pytest.raises(Refused, match="total_cap"):
        draft_release(world, "RSV-1", "assisted", 6_000, -1, "APP-1")


def test_a_draft_can_be_revised_and_cancelled_and_then_no_more(world: World) -> None:
    row = revise_release(world, release(world).id, "express", 5_000, 7_500)
    assert (row.route, row.amount, row.fee, row.total_cap) == ("express", 5_000, 2_500, 7_500)
    with pytest.raises(Refused, match="holds 8000"):
        revise_release(world, row.id, "express", 8_001, 7_500)
    with pytest.raises(Refused, match="total_cap"):
        revise_release(world, row.id, "express", 5_000, -1)

    cancel_release(world, row.id)

    for late in (
        lambda: revise_release(world, row.id, "express", 1, 1),
        lambda: cancel_release(world, row.id),
        lambda: execute_release(world, row.id),
    ):
        with pytest.raises(Refused, match="cancelled, not a draft"):
            late()


def test_an_executed_release_settles_after_the_minutes_of_its_route(world: World) -> None:
    move = execute_release(world, release(world).id)

    assert world[Reserve]["RSV-1"].balance == 2_000
    assert world[Account]["ACC-2"].balance == 8_000
    later(world, 2)
    assert world[ReserveMove][move.id].status == "pending"
    later(world, 1)
    assert world[ReserveMove][move.id].status == "settled"
    with pytest.raises(Refused, match="executed, not a draft"):
        execute_release(world, "REL-1")


def test_a_release_needs_reserve_and_fee_account_to_hold_enough(world: World) -> None:
    first, second = release(world).id, release(world).id
    execute_release(world, first)
    with pytest.raises(Refused, match="RSV-1 holds 2000"):
        execute_release(world, second)
    small = release(world, 100).id
    world[Account].change("ACC-2", balance=999)
    with pytest.raises(Refused, match="ACC-2 holds 999"):
        execute_release(world, small)
    world[Account].change("ACC-2", owner="PTY-9")
    with pytest.raises(Refused, match="no fee account"):
        execute_release(world, small)


def test_a_recalled_release_makes_the_reserve_whole_and_keeps_the_fee(world: World) -> None:
    move = execute_release(world, release(world).id)

    recall_release(world, move.id)
    later(world, 5)

    assert world[Reserve]["RSV-1"].balance == 8_000
    assert [(fee.amount, fee.status) for fee in world[Fee]] == [(1_000, "taken")]
    assert world[ReserveMove][move.id].status == "recalled"
    with pytest.raises(Refused, match="recalled, not pending"):
        recall_release(world, move.id)
    with pytest.raises(Refused, match="recalled, not a draft"):
        execute_release(world, "REL-1")


def test_a_settled_release_and_a_shift_are_not_recalled(world: World) -> None:
    move = execute_release(world, release(world).id)
    later(world, 3)
    with pytest.raises(Refused, match="settled, not pending"):
        recall_release(world, move.id)
    shift = shift_between_reserves(world, "RSV-1", "RSV-3", 100)
    with pytest.raises(Refused, match="inside the reserve book"):
        recall_release(world, shift.id)


Steps = st.lists(
    st.tuples(
        st.sampled_from(["draft", "execute", "recall", "shift", "top up", "wait"]),
        st.integers(-5, 9_000),
        st.integers(1, 5),
    ),
    max_size=15,
)


@given(Steps)
def test_whatever_is_tried_no_cent_is_made_or_lost(steps: list[tuple[str, int, int]]) -> None:
    world = harbour()
    before = total(world)
    for what, amount, number in steps:
        try:
            attempt(world, what, amount, number)
        except Refused:
            world.undo()
        world.take_log()
    assert total(world) == before
    assert all(reserve.balance >= 0 for reserve in world[Reserve])


def total(world: World) -> int:
    """Everything of PTY-1, the fees taken and what is out at applications."""
    held = sum(reserve.balance for reserve in world[Reserve].where(owner="PTY-1"))
    held += sum(account.balance for account in world[Account].where(owner="PTY-1"))
    out = [m for m in world[ReserveMove] if m.to == "APP-1" and m.status != "recalled"]
    return held + sum(fee.amount for fee in world[Fee]) + sum(move.amount for move in out)


def attempt(world: World, what: str, amount: int, number: int) -> None:
    match what:
        case "draft":
            release(world, amount)
        case "execute":
            execute_release(world, f"REL-{number}")
        case "recall":
            recall_release(world, f"MV-{number}")
        case "shift":
            shift_between_reserves(world, "RSV-1", f"RSV-{number}", amount)
        case "top up":
            top_up_reserve(world, f"RSV-{number}", "ACC-1", amount)
        case _:
            later(world, number)
