"""Changes of bank details, call-backs, and takings on their way to the evening run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.takings import (
    BankChange,
    TakingsPayout,
    confirm_bank_change,
    hold_takings,
    lift_takings_hold,
    place_call_back,
    repoint_takings,
    takings_awaiting_run,
    turn_down_bank_change,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.tea_rooms import tea_rooms

MONDAY = "2025-11-03"


@pytest.fixture
def world() -> World:
    return tea_rooms()


def test_a_number_is_answered_in_its_hours(world: World) -> None:
    assert place_call_back(world, "BCH-1", "555 1").outcome == "no_answer"
    later(world, 15)
    call = place_call_back(world, "BCH-1", "555 1")

    assert (call.outcome, call.answered_by, call.t) == ("confirmed", "treasurer", 15)
    assert place_call_back(world, "BCH-1", "555 2").outcome == "denied"
    assert place_call_back(world, "BCH-1", "555 3").answered_by is None
    with pytest.raises(Refused, match="give a number"):
        place_call_back(world, "BCH-1", "the treasurer")


def test_a_change_is_confirmed_on_a_yes_about_it(world: World) -> None:
    no_answer = place_call_back(world, "BCH-1", "555 1").id
    later(world, 15)
    denied = place_call_back(world, "BCH-1", "555 2").id
    other = place_call_back(world, "BCH-2", "555 1").id
    call = place_call_back(world, "BCH-1", "555 1").id
    for wrong in (no_answer, denied, other):
        with pytest.raises(Refused, match="is about"):
            confirm_bank_change(world, "BCH-1", wrong, MONDAY)
    with pytest.raises(Refused, match="2025-10-29 has passed"):
        confirm_bank_change(world, "BCH-1", call, "2025-10-29")
    account = confirm_bank_change(world, "BCH-1", call, MONDAY)

    assert (account.party, account.ending, account.status) == ("PTY-1", "7", "resting")
    change = world[BankChange]["BCH-1"]
    assert (change.status, change.call_back, change.first_run) == ("confirmed", call, MONDAY)
    with pytest.raises(Refused, match="BCH-1 is confirmed"):
        confirm_bank_change(world, "BCH-1", call, MONDAY)
    with pytest.raises(Refused, match="BCH-1 is confirmed"):
        place_call_back(world, "BCH-1", "555 1")


def test_a_change_is_turned_down_with_a_reason(world: World) -> None:
    with pytest.raises(Refused, match="say why"):
        turn_down_bank_change(world, "BCH-1", " ")
    assert turn_down_bank_change(world, "BCH-1", "false").status == "turned_down"
    with pytest.raises(Refused, match="BCH-1 is turned_down"):
        turn_down_bank_change(world, "BCH-1", "false")


def test_what_waits_is_listed_by_day_held_or_not(world: World) -> None:
    hold_takings(world, "TKP-1", MONDAY)
    assert [p.id for p in takings_awaiting_run(world, "PTY-1")] == ["TKP-1", "TKP-3", "TKP-2"]


def test_a_hold_keeps_a_payout_out_of_the_run(world: World) -> None:
    with pytest.raises(Refused, match="does not lie ahead"):
        hold_takings(world, "TKP-1", "2025-10-30")
    assert hold_takings(world, "TKP-1", MONDAY).held_until == MONDAY
    with pytest.raises(Refused, match="TKP-1 is held, not pending"):
        hold_takings(world, "TKP-1", MONDAY)
    later(world, 165)
    assert world[TakingsPayout]["TKP-1"].status == "held"
    assert lift_takings_hold(world, "TKP-1").held_until is None
    with pytest.raises(Refused, match="TKP-1 is pending, not held"):
        lift_takings_hold(world, "TKP-1")


def test_takings_are_repointed_within_one_party(world: World) -> None:
    with pytest.raises(Refused, match="PAC-9 belongs to somebody else"):
        repoint_takings(world, "TKP-1", "PAC-9")
    for account in ("PAC-3", "PAC-1"):
        with pytest.raises(Refused, match="was left, or TKP-1 goes there already"):
            repoint_takings(world, "TKP-1", account)
    with pytest.raises(Refused, match="TKP-4 is paid, not pending"):
        repoint_takings(world, "TKP-4", "PAC-2")
    assert repoint_takings(world, "TKP-1", "PAC-2").account == "PAC-2"
    later(world, 165)
    assert world[TakingsPayout]["TKP-1"].status == "paid"


def test_the_run_sends_what_is_pending_for_the_day_and_a_shut_account_returns_it(
    world: World,
) -> None:
    later(world, 165)
    became = {p.id: p.status for p in world[TakingsPayout]}

    assert became == {"TKP-1": "returned", "TKP-2": "pending", "TKP-3": "paid", "TKP-4": "paid"}


@given(
    st.lists(
        st.tuples(st.sampled_from(["hold", "lift", "point"]), st.sampled_from(["TKP-1", "TKP-3"])),
        max_size=10,
    )
)
def test_takings_change_their_way_and_never_their_amount(acts: list[tuple[str, str]]) -> None:
    world = tea_rooms()
    for act, payout in acts:
        try:
            if act == "hold":
                hold_takings(world, payout, MONDAY)
            elif act == "lift":
                lift_takings_hold(world, payout)
            else:
                repoint_takings(world, payout, "PAC-2")
        except Refused:
            continue
    later(world, 165)

    assert sum(p.amount for p in world[TakingsPayout]) == 1_370
    left = [p for p in world[TakingsPayout] if p.run_day == "2025-10-30"]
    assert all(p.status != "pending" for p in left)
