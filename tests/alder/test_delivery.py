"""Delivery orders: what they cost, when they arrive, and what a dispatch does not check."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.corridors import request_quote, withdraw_quote
from bythebook.alder.desks.delivery import (
    Delivery,
    Service,
    arrival_if_sent_now,
    cancel_delivery,
    dispatch_delivery,
    draft_delivery,
    price_delivery,
    recall_delivery,
    schedule_delivery,
    unschedule_delivery,
)
from bythebook.alder.desks.guarantees import Promise
from bythebook.alder.desks.rights import (
    Reservation,
    ServiceRight,
    release_reservation,
    reserve_right,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.wharf import wharf

PLAIN = Service("full_charge", "standard")


@pytest.fixture
def world() -> World:
    return wharf()


def order(world: World, promise: str, service: Service = PLAIN, gross: int = 0) -> Delivery:
    quote = request_quote(world, promise)
    return draft_delivery(world, quote.id, service, gross or world[Promise][promise].net, "ACC-1")


@pytest.mark.parametrize(
    ("basis", "window", "gross", "total"),
    [
        ("full_charge", "standard", 100_000, 600 + 1500),
        ("full_charge", "priority", 100_000, 2400 + 1500),
        ("gross_up", "standard", 100_900, 600 + 200 + 900),
        ("shared", "standard", 100_000, 600),
    ],
)
def test_the_price_follows_basis_and_window(
    world: World, basis: Any, window: Any, gross: int, total: int
) -> None:
    quote = request_quote(world, "PRM-1")
    service = Service(basis, window)

    assert price_delivery(world, quote.id, service, gross).total == total
    assert draft_delivery(world, quote.id, service, gross, "ACC-1").fee == total


@pytest.mark.parametrize(
    ("right", "basis", "window", "total"),
    [
        ("RGT-1", "full_charge", "standard", 600),
        ("RGT-2", "full_charge", "priority", 600 + 1500),
        ("RGT-6", "full_charge", "priority", 1500),
    ],
)
def test_a_right_takes_its_own_part_of_the_price_away(
    world: World, right: str, basis: Any, window: Any, total: int
) -> None:
    kept = reserve_right(world, right, "PRM-1")
    assert order(world, "PRM-1", Service(basis, window, (kept.id,))).fee == total


def test_rights_have_to_fit_the_order_they_are_named_in(world: World) -> None:
    quote = request_quote(world, "PRM-1").id
    fast = reserve_right(world, "RGT-2", "PRM-1").id
    full = reserve_right(world, "RGT-1", "PRM-1").id
    other = reserve_right(world, "RGT-2", "PRM-2").id
    for service, why in [
        (Service("full_charge", "standard", (fast,)), "the window is standard"),
        (Service("gross_up", "standard", (full,)), "the basis is gross_up"),
        (Service("full_charge", "priority", (other,)), "not held for PRM-1"),
        (Service("full_charge", "priority", (fast, fast)), "twice"),
    ]:
        with pytest.raises(Refused, match=why):
            draft_delivery(world, quote, service, 100_000, "ACC-1")


def test_a_promise_has_one_live_order_from_the_customers_own_account(world: World) -> None:
    quote = request_quote(world, "PRM-1").id
    with pytest.raises(Refused, match="does not belong to PTY-1"):
        draft_delivery(world, quote, PLAIN, 100_000, "ACC-3")
    first = draft_delivery(world, quote, PLAIN, 100_000, "ACC-1")
    with pytest.raises(Refused, match="live delivery order"):
        draft_delivery(world, quote, PLAIN, 100_000, "ACC-1")
    cancel_delivery(world, first.id, "terms_changed")
    with pytest.raises(Refused, match="is cancelled"):
        cancel_delivery(world, first.id, "terms_changed")
    assert draft_delivery(world, quote, PLAIN, 100_000, "ACC-1").status == "draft"
    withdraw_quote(world, quote)
    with pytest.raises(Refused, match="is withdrawn"):
        draft_delivery(world, quote, PLAIN, 100_000, "ACC-1")


def test_a_dispatch_moves_the_money_takes_the_fee_and_uses_the_right(world: World) -> None:
    kept = reserve_right(world, "RGT-1", "PRM-1")
    sent = dispatch_delivery(
        world, order(world, "PRM-1", Service("full_charge", "standard", (kept.id,))).id
    )

    assert world[Account]["ACC-1"].balance == 400_000
    assert [fee.amount for fee in world[Fee].where(ref=sent.id)] == [600]
    assert world[Reservation][kept.id].status == "used"
    assert world[ServiceRight]["RGT-1"].used == 1
    with pytest.raises(Refused, match="dispatched, not a draft"):
        dispatch_delivery(world, sent.id)


def test_a_dispatch_is_refused_when_what_it_rests_on_is_gone(world: World) -> None:
    kept = reserve_right(world, "RGT-1", "PRM-1")
    row = order(world, "PRM-1", Service("full_charge", "standard", (kept.id,)))
    release_reservation(world, kept.id, "plan_changed")
    with pytest.raises(Refused, match="not held"):
        dispatch_delivery(world, row.id)

    plain = order(world, "PRM-2")
    world[Account].change("ACC-2", balance=0)
    with pytest.raises(Refused, match="ACC-2 holds 0"):
        dispatch_delivery(world, plain.id)
    world[Account].change("ACC-2", balance=9_000)
    world[Account].change("ACC-1", balance=100)
    with pytest.raises(Refused, match="ACC-1 holds 100"):
        dispatch_delivery(world, plain.id)
    world[Account].change("ACC-1", balance=70_000)
    withdraw_quote(world, plain.quote)
    with pytest.raises(Refused, match="is withdrawn"):
        dispatch_delivery(world, plain.id)


@pytest.mark.parametrize(
    ("basis", "gross", "status", "received"),
    [
        ("full_charge", 100_000, "met", 100_000),
        ("gross_up", 100_900, "met", 100_000),
        ("shared", 100_000, "short", 99_100),
    ],
)
def test_banks_on_the_way_take_what_they_may(
    world: World, basis: Any, gross: int, status: str, received: int
) -> None:
    dispatch_delivery(world, order(world, "PRM-1", Service(basis, "standard"), gross).id)
    later(world, 75)

    assert (world[Promise]["PRM-1"].status, world[Promise]["PRM-1"].received) == (status, received)


def test_the_partners_figure_counts_and_not_our_sheet(world: World) -> None:
    dispatch_delivery(world, order(world, "PRM-2", Service("gross_up", "priority"), 72_200).id)
    later(world, 20)
    assert world[Promise]["PRM-2"].received == 69_700


def test_the_window_decides_whether_a_promise_is_late(world: World) -> None:
    dispatch_delivery(world, order(world, "PRM-2").id)
    later(world, 75)
    assert world[Promise]["PRM-2"].status == "late"


def test_what_leaves_at_the_cut_off_travels_with_the_next_first_run(world: World) -> None:
    later(world, 39)
    assert arrival_if_sent_now(world, "standard") == "2025-10-02 14:54"
    later(world, 1)
    assert arrival_if_sent_now(world, "priority") == "2025-10-03 09:20"
    dispatch_delivery(world, order(world, "PRM-1").id)
    later(world, 24 * 60)
    assert world[Promise]["PRM-1"].status == "late"


def test_a_scheduled_delivery_goes_out_by_itself(world: World) -> None:
    world[Promise].change("PRM-1", due_day="2025-10-03", due_clock="12:00")
    row = order(world, "PRM-1")
    for day, clock, why in [
        ("2025-10-02", "15:00", "not after today"),
        ("2025-10-03", "12:01", "due before that"),
    ]:
        with pytest.raises(Refused, match=why):
            schedule_delivery(world, row.id, day, clock)
    schedule_delivery(world, row.id, "2025-10-03", "08:30")
    with pytest.raises(Refused, match="scheduled, not a draft"):
        schedule_delivery(world, row.id, "2025-10-03", "08:30")
    later(world, 24 * 60)

    assert world[Promise]["PRM-1"].status == "met"


@pytest.mark.parametrize("obstacle", ["fees", "right", "money"])
def test_the_scheduler_stops_what_it_cannot_send_and_writes_nothing_else(
    world: World, obstacle: str
) -> None:
    world[Promise].change("PRM-1", due_day="2025-10-03", due_clock="12:00")
    kept = reserve_right(world, "RGT-1", "PRM-1")
    row = order(world, "PRM-1", Service("full_charge", "standard", (kept.id,)))
    schedule_delivery(world, row.id, "2025-10-03", "08:30")
    if obstacle == "fees":
        world[Fee].add(case="CASE-1", account="ACC-2", amount=5_401, what="x", ref="x")
    elif obstacle == "right":
        release_reservation(world, kept.id, "plan_changed")
    else:
        world[Account].change("ACC-1", balance=10)
    before = world[Account]["ACC-1"].balance
    later(world, 24 * 60)

    assert world[Delivery][row.id].status == "stopped"
    assert world[Promise]["PRM-1"].status == "late"
    assert world[Account]["ACC-1"].balance == before
    assert not world[Fee].where(ref=row.id)


def test_an_unscheduled_delivery_stays_where_it_is(world: World) -> None:
    world[Promise].change("PRM-1", due_day="2025-10-03", due_clock="12:00")
    row = order(world, "PRM-1")
    with pytest.raises(Refused, match="not scheduled"):
        unschedule_delivery(world, row.id)
    schedule_delivery(world, row.id, "2025-10-03", "08:30")
    unschedule_delivery(world, row.id)
    later(world, 24 * 60)

    assert world[Delivery][row.id].status == "draft"


def test_a_recall_brings_back_the_money_but_not_the_fee(world: World) -> None:
    row = order(world, "PRM-1")
    with pytest.raises(Refused, match="not on its way"):
        recall_delivery(world, row.id)
    dispatch_delivery(world, row.id)
    later(world, 10)
    recall_delivery(world, row.id)
    later(world, 200)

    assert world[Account]["ACC-1"].balance == 500_000
    assert world[Account]["ACC-2"].balance == 9_000 - 2_100
    assert world[Promise]["PRM-1"].status == "open"
    assert order_again_is_possible(world)


def order_again_is_possible(world: World) -> bool:
    quote = world[Delivery].where(promise="PRM-1")[0].quote
    return draft_delivery(world, quote, PLAIN, 100_000, "ACC-1").status == "draft"


def test_after_ten_minutes_nothing_is_called_back(world: World) -> None:
    row = dispatch_delivery(world, order(world, "PRM-1").id)
    later(world, 11)
    with pytest.raises(Refused, match="more than 10 minutes"):
        recall_delivery(world, row.id)


@given(
    gross=st.integers(1, 120_000),
    basis=st.sampled_from(["shared", "gross_up", "full_charge"]),
    window=st.sampled_from(["standard", "priority"]),
)
def test_what_leaves_the_accounts_is_what_was_sent_and_charged(
    gross: int, basis: Any, window: Any
) -> None:
    world = wharf()
    world[Account].change("ACC-2", balance=100_000)
    before = sum(row.balance for row in world[Account])
    row = dispatch_delivery(world, order(world, "PRM-1", Service(basis, window), gross).id)
    gone = before - sum(account.balance for account in world[Account])

    assert gone == min(gross, 100_000) + row.fee
    assert row.fee >= max(gross - 100_000, 0)
