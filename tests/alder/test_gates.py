"""Gates: when a window is open, what it loads, holds, changed and moved orders."""

import pytest

from bythebook.alder.desks.gates import (
    GateWindow,
    PurchaseOrder,
    WindowLot,
    apply_order_change,
    gate_board,
    hold_window,
    move_order,
)
from bythebook.alder.desks.matching import Lane, Slip, draw_slip, post_slip
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import until
from tests.alder.loading_bay import bay


def slip(world: World, order: str, amount: int) -> Slip:
    return draw_slip(world, "CASE-1", "SLN-1", order, amount, Lane("in_window", "WLO-1"))


@pytest.mark.parametrize(
    ("order", "amount", "end"),
    [
        ("PO-1", 4000, "loaded"),
        ("PO-1", 3999, "missed"),
        ("PO-2", 5000, "loaded"),
        ("PO-2", 2500, "loaded"),
        ("PO-2", 2499, "missed"),
    ],
)
def test_a_gate_loads_what_its_terms_allow(order: str, amount: int, end: str) -> None:
    world = bay()
    until(world, "13:10")
    post_slip(world, slip(world, order, amount).id)
    until(world, "15:00")

    assert world[PurchaseOrder][order].status == end


def test_a_window_is_closed_from_its_last_minute() -> None:
    world = bay()
    drawn = slip(world, "PO-1", 4000)
    until(world, "13:40")

    with pytest.raises(Refused, match="PO-1 is missed"):
        post_slip(world, drawn.id)
    with pytest.raises(Refused, match="PO-1 is missed"):
        hold_window(world, "PO-1", "WLO-2")


def test_a_hold_keeps_the_window_open_once() -> None:
    world = bay()
    hold = hold_window(world, "PO-1", "WLO-2")
    assert (hold.until, world[GateWindow]["GWN-1"].held_to) == ("14:05", "14:05")
    assert gate_board(world, "PTY-1")[1].closes == "14:05"
    with pytest.raises(Refused, match="held to 14:05 already"):
        hold_window(world, "PO-1", "WLO-2")
    until(world, "14:04")
    assert world[PurchaseOrder]["PO-1"].status == "open"
    post_slip(world, slip(world, "PO-1", 4000).id)
    until(world, "14:05")

    assert world[PurchaseOrder]["PO-1"].status == "loaded"


def test_a_hold_is_for_a_window_of_today_and_goods_of_the_lot() -> None:
    world = bay()
    with pytest.raises(Refused, match="not open today"):
        hold_window(world, "PO-3", "WLO-2")
    with pytest.raises(Refused, match="does not cover dry"):
        hold_window(world, "PO-2", "WLO-2")
    hold_window(world, "PO-1", "WLO-2")
    assert world[WindowLot]["WLO-2"].used == 1


def test_a_paper_changes_its_own_order_once() -> None:
    world = bay()
    with pytest.raises(Refused, match="changes PO-1"):
        apply_order_change(world, "PO-2", "OCH-2")
    post_slip(world, slip(world, "PO-2", 4501).id)
    with pytest.raises(Refused, match="holds 4501 cents"):
        apply_order_change(world, "PO-2", "OCH-1")

    assert apply_order_change(world, "PO-1", "OCH-2").amount == 3000
    with pytest.raises(Refused, match="applied before"):
        apply_order_change(world, "PO-1", "OCH-2")


def test_an_unpaid_order_moves_within_its_gate_and_in_time() -> None:
    world = bay()
    with pytest.raises(Refused, match="no other window of GAT-1"):
        move_order(world, "PO-1", "GWN-3")
    with pytest.raises(Refused, match="GWN-2 has begun"):
        move_order(world, "PO-3", "GWN-2")
    assert move_order(world, "PO-1", "GWN-4").window == "GWN-4"
    post_slip(world, slip(world, "PO-2", 1).id)
    with pytest.raises(Refused, match="holds 1 cents"):
        move_order(world, "PO-2", "GWN-3")
