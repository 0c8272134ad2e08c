"""Escrow orders, the buffer behind them, and disputes that keep a part of an order open."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account
from bythebook.alder.desks.escrow import (
    BufferReturn,
    EscrowBuffer,
    EscrowCover,
    EscrowOrder,
    acceptance_window_ended,
    buffer_position,
    buffer_return_received,
    order_cover,
    pledge_cover,
    return_cover,
    settle_escrow_dispute,
    top_up_buffer,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hall import hall
from tests.alder.hours import later


@pytest.fixture
def world() -> World:
    return hall()


def test_a_position_is_what_the_system_would_pledge(world: World) -> None:
    position = buffer_position(world, "BUF-1")

    assert (position.balance, position.pledged, position.unpledged) == (20_000, 8_000, 12_000)
    with pytest.raises(Refused, match="no 'BUF-3'"):
        buffer_position(world, "BUF-3")


def test_cover_is_compared_with_what_a_buyer_could_ask_back(world: World) -> None:
    assert order_cover(world, "ESO-2").share == 10_000
    assert (order_cover(world, "ESO-1").held, order_cover(world, "ESO-1").cover) == (31_000, 0)
    settle_escrow_dispute(world, "EDS-1", "for_maker")
    settle_escrow_dispute(world, "EDS-2", "for_maker")
    later(world, 30)
    assert order_cover(world, "ESO-2").share == 0


def test_a_pledge_is_a_cover_of_its_own(world: World) -> None:
    first = pledge_cover(world, "BUF-1", "ESO-1", 10_000)
    pledge_cover(world, "BUF-1", "ESO-1", 2_000)

    assert (first.amount, first.status) == (10_000, "active")
    assert order_cover(world, "ESO-1").cover == 12_000
    with pytest.raises(Refused, match="the 0 cents that are unpledged"):
        pledge_cover(world, "BUF-1", "ESO-1", 1)


def test_a_buffer_stands_behind_its_own_marketplace_and_currency(world: World) -> None:
    with pytest.raises(Refused, match="sold on another marketplace"):
        pledge_cover(world, "BUF-9", "ESO-1", 1)
    with pytest.raises(Refused, match="ESO-3 is in EUR, BUF-1 in USD"):
        pledge_cover(world, "BUF-1", "ESO-3", 1)
    with pytest.raises(Refused, match="between 1 and the 12000"):
        pledge_cover(world, "BUF-1", "ESO-1", 0)


def test_cover_goes_back_in_part_or_whole_and_nobody_looks_at_the_buyer(world: World) -> None:
    assert return_cover(world, "CVR-1", 3_000).amount == 5_000
    assert return_cover(world, "CVR-1", 5_000).status == "returned"
    with pytest.raises(Refused, match="CVR-1 is returned"):
        return_cover(world, "CVR-1", 1)
    assert buffer_position(world, "BUF-1").unpledged == 20_000


@pytest.mark.parametrize("amount", [0, -1, 8_001])
def test_no_more_goes_back_than_was_pledged(world: World, amount: int) -> None:
    with pytest.raises(Refused, match="between 1 and the 8000 cents"):
        return_cover(world, "CVR-1", amount)


def test_a_top_up_moves_the_operators_own_money(world: World) -> None:
    assert top_up_buffer(world, "BUF-1", "ACC-1", 4_000).balance == 24_000
    assert world[Account]["ACC-1"].balance == 46_000
    with pytest.raises(Refused, match="different owners"):
        top_up_buffer(world, "BUF-1", "ACC-9", 1)
    with pytest.raises(Refused, match="BUF-1 is in USD, ACC-2 in EUR"):
        top_up_buffer(world, "BUF-1", "ACC-2", 1)
    with pytest.raises(Refused, match="above zero"):
        top_up_buffer(world, "BUF-1", "ACC-1", 0)
    with pytest.raises(Refused, match="ACC-1 holds 46000"):
        top_up_buffer(world, "BUF-1", "ACC-1", 46_001)


def test_when_the_time_to_object_is_over_what_is_disputed_stays_open(world: World) -> None:
    later(world, 29)
    assert world[EscrowOrder]["ESO-2"].claim == 8_000
    later(world, 1)
    assert world[EscrowOrder]["ESO-2"].claim == 6_000
    assert world[EscrowOrder]["ESO-2"].status == "disputed"
    acceptance_window_ended(world, "ESO-2")
    assert world[EscrowOrder]["ESO-2"].claim == 6_000


def test_a_dispute_is_settled_once(world: World) -> None:
    later(world, 30)
    settle_escrow_dispute(world, "EDS-1", "for_maker")
    assert world[EscrowOrder]["ESO-2"].claim == 1_000
    settle_escrow_dispute(world, "EDS-2", "for_maker")
    assert world[EscrowOrder]["ESO-2"].status == "accepted"
    with pytest.raises(Refused, match="EDS-2 is settled"):
        settle_escrow_dispute(world, "EDS-2", "for_buyer")


def test_what_the_buyer_has_won_stays_theirs_when_the_time_is_over(world: World) -> None:
    settle_escrow_dispute(world, "EDS-1", "for_buyer")
    settle_escrow_dispute(world, "EDS-2", "for_maker")
    assert world[EscrowOrder]["ESO-2"].claim == 8_000
    later(world, 30)

    assert world[EscrowOrder]["ESO-2"].claim == 5_000


def test_money_on_its_way_counts_at_its_minute_and_once(world: World) -> None:
    later(world, 69)
    assert world[EscrowBuffer]["BUF-1"].balance == 20_000
    later(world, 1)
    buffer_return_received(world, "BRT-1")

    assert world[EscrowBuffer]["BUF-1"].balance == 22_500
    assert world[BufferReturn]["BRT-1"].status == "received"


Move = Callable[[World, int], object]
moves = st.lists(
    st.tuples(
        st.sampled_from(
            [
                lambda world, n: pledge_cover(world, "BUF-1", "ESO-1", n),
                lambda world, n: return_cover(world, "CVR-1", n),
                lambda world, n: top_up_buffer(world, "BUF-1", "ACC-1", n),
            ]
        ),
        st.integers(-10, 20_000),
    ),
    max_size=10,
)


@given(moves)
def test_a_buffer_never_pledges_what_it_does_not_have(done: list[tuple[Move, int]]) -> None:
    world = hall()
    for move, amount in done:
        try:
            move(world, amount)
        except Refused:
            continue

    assert buffer_position(world, "BUF-1").unpledged >= 0
    assert world[EscrowBuffer]["BUF-1"].balance + world[Account]["ACC-1"].balance == 70_000
    assert all(c.amount >= 0 for c in world[EscrowCover])
