"""Collateral: what may leave it, what is held on it, and what is collected beside it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account
from bythebook.alder.desks.treasury import (
    CollateralAccount,
    CollateralEntry,
    Hold,
    StandingCollection,
    Sweep,
    cancel_sweep,
    collateral_ledger,
    collateral_position,
    collections_due,
    draw_collateral,
    place_hold,
    post,
    postpone_collection,
    reduce_hold,
    release_hold,
    set_sweep,
    top_up_collateral,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.till import till


@pytest.fixture
def world() -> World:
    return till()


def test_the_position_is_a_ledger_view(world: World) -> None:
    position = collateral_position(world, "COA-1")

    assert (position.balance, position.held, position.unheld) == (6_000, 1_500, 4_500)
    with pytest.raises(Refused, match="no 'COA-2'"):
        collateral_position(world, "COA-2")


def test_a_draw_moves_money_to_the_owners_account(world: World) -> None:
    draw_collateral(world, "COA-1", "ACC-1", 1_000)

    assert world[CollateralAccount]["COA-1"].balance == 5_000
    assert world[Account]["ACC-1"].balance == 3_000
    assert [(e.kind, e.amount, e.after) for e in collateral_ledger(world, "COA-1")] == [
        ("draw", -1_000, 5_000)
    ]


def test_a_draw_stops_at_holds_and_at_nothing_else(world: World) -> None:
    with pytest.raises(Refused, match="1500 of them under hold"):
        draw_collateral(world, "COA-1", "ACC-1", 4_501)

    assert draw_collateral(world, "COA-1", "ACC-1", 4_500).balance == 1_500


def test_money_moves_between_pockets_of_one_owner_in_one_currency(world: World) -> None:
    with pytest.raises(Refused, match="different owners"):
        draw_collateral(world, "COA-1", "ACC-9", 1)
    with pytest.raises(Refused, match="COA-1 is in USD, ACC-2 in EUR"):
        top_up_collateral(world, "COA-1", "ACC-2", 1)
    with pytest.raises(Refused, match="above zero"):
        top_up_collateral(world, "COA-1", "ACC-1", 0)


def test_nothing_leaves_a_frozen_deposit(world: World) -> None:
    with pytest.raises(Refused, match="frozen"):
        draw_collateral(world, "COA-9", "ACC-9", 1)

    assert top_up_collateral(world, "COA-9", "ACC-9", 100).balance == 3_100


def test_a_top_up_needs_the_money(world: World) -> None:
    with pytest.raises(Refused, match="ACC-1 holds 2000 cents"):
        top_up_collateral(world, "COA-1", "ACC-1", 2_001)

    assert top_up_collateral(world, "COA-1", "ACC-1", 2_000).balance == 8_000


def test_a_hold_is_lifted_on_a_notice_of_its_own_dispute_won_by_the_merchant(world: World) -> None:
    with pytest.raises(Refused, match="CLN-2 is about D2"):
        release_hold(world, "HLD-1", "CLN-2")
    with pytest.raises(Refused, match="for the cardholder"):
        release_hold(world, "HLD-1", "CLN-3")

    assert release_hold(world, "HLD-1", "CLN-1").notice == "CLN-1"
    assert world[CollateralAccount]["COA-1"].held == 0
    with pytest.raises(Refused, match="HLD-1 is released"):
        release_hold(world, "HLD-1", "CLN-1")


def test_a_hold_can_shrink_but_not_to_nothing(world: World) -> None:
    with pytest.raises(Refused, match="above zero and below"):
        reduce_hold(world, "HLD-1", 0)
    with pytest.raises(Refused, match="above zero and below"):
        reduce_hold(world, "HLD-1", 1_500)

    assert reduce_hold(world, "HLD-1", 400).amount == 400
    assert world[CollateralAccount]["COA-1"].held == 400


def test_a_dispute_has_one_active_hold(world: World) -> None:
    with pytest.raises(Refused, match="D1 has an active hold"):
        place_hold(world, "COA-1", "D1", 10)
    with pytest.raises(Refused, match="4500 cents that are unheld"):
        place_hold(world, "COA-1", "D5", 4_501)

    assert place_hold(world, "COA-1", "D5", 500).status == "active"
    assert world[CollateralAccount]["COA-1"].held == 2_000


def test_a_sweep_moves_what_stands_above_the_amount_to_keep(world: World) -> None:
    sweep = set_sweep(world, "COA-1", "ACC-1", 2_500, "13:20")
    with pytest.raises(Refused, match="a sweep set already"):
        set_sweep(world, "COA-1", "ACC-1", 2_500, "13:30")
    later(world, 10)

    assert world[Sweep][sweep.id].moved == 3_500
    assert world[CollateralAccount]["COA-1"].balance == 2_500


def test_a_sweep_leaves_holds_alone_and_may_find_nothing(world: World) -> None:
    set_sweep(world, "COA-1", "ACC-1", 0, "13:20")
    later(world, 10)
    second = set_sweep(world, "COA-1", "ACC-1", 3_000, "13:30")
    later(world, 10)

    assert world[CollateralAccount]["COA-1"].balance == 1_500
    assert world[Sweep][second.id].status == "skipped"


def test_a_sweep_lies_ahead_and_can_be_cancelled_until_it_runs(world: World) -> None:
    with pytest.raises(Refused, match="13:10 has passed"):
        set_sweep(world, "COA-1", "ACC-1", 0, "13:10")
    with pytest.raises(Refused, match="HH:MM"):
        set_sweep(world, "COA-1", "ACC-1", 0, "2 pm")
    with pytest.raises(Refused, match="below zero"):
        set_sweep(world, "COA-1", "ACC-1", -1, "13:20")
    sweep = set_sweep(world, "COA-1", "ACC-1", 0, "13:20")
    assert cancel_sweep(world, sweep.id).status == "cancelled"
    later(world, 15)

    assert world[CollateralAccount]["COA-1"].balance == 6_000
    with pytest.raises(Refused, match="is cancelled"):
        cancel_sweep(world, sweep.id)


def test_an_instalment_is_collected_whole(world: World) -> None:
    assert [c.id for c in collections_due(world, "PTY-1")] == ["SCO-1"]
    later(world, 170)

    assert world[StandingCollection]["SCO-1"].status == "collected"
    assert world[Account]["ACC-1"].balance == 1_100


def test_an_instalment_that_is_a_cent_short_is_missed(world: World) -> None:
    top_up_collateral(world, "COA-1", "ACC-1", 1_101)
    later(world, 170)

    assert world[StandingCollection]["SCO-1"].status == "missed"
    assert world[Account]["ACC-1"].balance == 899


def test_an_instalment_can_be_postponed_once_by_a_few_days(world: World) -> None:
    for day in ("2025-10-08", "2025-10-14"):
        with pytest.raises(Refused, match="after 2025-10-08 and not after 2025-10-13"):
            postpone_collection(world, "SCO-1", day)
    assert postpone_collection(world, "SCO-1", "2025-10-13").status == "postponed"
    with pytest.raises(Refused, match="SCO-1 is postponed"):
        postpone_collection(world, "SCO-1", "2025-10-12")
    later(world, 170)

    assert world[Account]["ACC-1"].balance == 2_000


Move = Callable[[World, str, str, int], CollateralAccount]
some_moves = st.lists(
    st.tuples(st.sampled_from([top_up_collateral, draw_collateral]), st.integers(-50, 7_000)),
    max_size=12,
)


@given(some_moves)
def test_no_money_is_made_or_lost_between_deposit_and_account(
    moves: list[tuple[Move, int]],
) -> None:
    world = till()
    for move, amount in moves:
        try:
            move(world, "COA-1", "ACC-1", amount)
        except Refused:
            continue
    deposit = world[CollateralAccount]["COA-1"]

    assert deposit.balance + world[Account]["ACC-1"].balance == 8_000
    assert deposit.balance >= deposit.held
    assert 6_000 + sum(e.amount for e in world[CollateralEntry]) == deposit.balance


def test_every_entry_shows_the_balance_it_left(world: World) -> None:
    post(world, "COA-1", -4_000, "payout", "x")
    post(world, "COA-1", 300, "credit", "y")

    assert [e.after for e in collateral_ledger(world, "COA-1")] == [2_000, 2_300]
    assert world[Hold]["HLD-1"].status == "active"
