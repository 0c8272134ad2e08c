"""Refunds and countersigns: what can be given back, on which route, under whose signature."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.cards import Card, close_card, replace_card
from bythebook.alder.desks.countersigns import (
    Countersign,
    countersigns_on,
    request_countersign,
    withdraw_countersign,
)
from bythebook.alder.desks.disputes import propose_settlement, withdraw_settlement
from bythebook.alder.desks.merchants import Merchant, Sale
from bythebook.alder.desks.refunds import (
    Refund,
    SlotBook,
    amend_refund,
    cancel_refund,
    colleague_released,
    draft_refund,
    quote_refund,
    redirect_returned_refund,
    refund_now,
    refunds_of_sale,
    release_refund,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.shop import returned, shop


@pytest.fixture
def world() -> World:
    return shop()


def draft(world: World, amount: int = 3_000, route: str = "netted") -> Refund:
    return draft_refund(world, "CASE-1", "SAL-2", "CRD-2", amount, route)  # type: ignore[arg-type]  # route is one of two


def test_a_draft_moves_nothing(world: World) -> None:
    row = draft(world)

    assert (row.status, row.merchant, row.cardholder, row.day) == ("draft", "MER-1", "CDH-2", None)
    assert world[Account]["ACC-1"].balance == 8_000


def test_what_a_colleague_releases_counts_from_that_minute(world: World) -> None:
    row = draft(world, 3_000, "instant")
    colleague_released(world, row.id)

    sent = refunds_of_sale(world, "SAL-2")[0]
    assert (sent.status, sent.day) == ("released", world.day)
    with pytest.raises(Refused, match="released, not a draft"):
        colleague_released(world, row.id)


def test_a_sale_gives_back_no_more_than_it_took(world: World) -> None:
    draft(world, 3_000)
    with pytest.raises(Refused, match="2000 cents left"):
        draft(world, 2_001)
    with pytest.raises(Refused, match="above zero"):
        draft(world, 0)


def test_a_refund_goes_to_an_open_card_of_the_one_who_paid(world: World) -> None:
    with pytest.raises(Refused, match="does not belong"):
        draft_refund(world, "CASE-1", "SAL-2", "CRD-1", 100, "netted")
    replace_card(world, "CRD-3", "4444")
    with pytest.raises(Refused, match="CRD-3 is closed"):
        draft_refund(world, "CASE-1", "SAL-3", "CRD-3", 100, "netted")


def test_an_instant_refund_takes_a_slot_the_money_and_a_fee(world: World) -> None:
    row = release_refund(world, draft(world, 3_000, "instant").id)

    assert (row.status, row.day, row.value_day) == ("released", "2025-10-09", "2025-10-09")
    assert world[Account]["ACC-1"].balance == 5_000
    assert world[Account]["ACC-2"].balance == 4_800
    assert world[SlotBook]["SLB-1"].used == 1
    second = draft(world, 1_000, "instant")
    with pytest.raises(Refused, match="no instant refund left"):
        release_refund(world, second.id)


def test_a_netted_refund_is_free_and_two_days_later_on_the_card(world: World) -> None:
    row = release_refund(world, draft(world).id)

    assert row.value_day == "2025-10-11"
    assert [fee.amount for fee in world[Fee]] == [0]
    assert world[Account]["ACC-1"].balance == 8_000
    with pytest.raises(Refused, match="released, not a draft"):
        release_refund(world, row.id)


def test_a_suspended_merchant_releases_nothing(world: World) -> None:
    row = draft(world)
    world[Merchant].change("MER-1", status="suspended")
    with pytest.raises(Refused, match="suspended"):
        release_refund(world, row.id)


def test_an_account_that_holds_too_little_pays_no_instant_refund(world: World) -> None:
    row = draft(world, 5_000, "instant")
    world[Account].change("ACC-1", balance=4_999)
    with pytest.raises(Refused, match="holds 4999"):
        release_refund(world, row.id)


def test_a_draft_can_be_amended_and_cancelled_and_then_no_more(world: World) -> None:
    row = amend_refund(world, draft(world, 3_000).id, 5_000, "instant")
    assert (row.amount, row.route) == (5_000, "instant")
    with pytest.raises(Refused, match="cents left"):
        amend_refund(world, row.id, 5_001, "instant")

    cancel_refund(world, row.id)

    with pytest.raises(Refused, match="cancelled, not a draft"):
        amend_refund(world, row.id, 1, "netted")
    with pytest.raises(Refused, match="only drafts"):
        cancel_refund(world, row.id)


def test_one_step_does_what_two_steps_do(world: World) -> None:
    other = shop()
    once = refund_now(world, "CASE-1", "SAL-2", "CRD-2", 3_000, "instant")
    twice = release_refund(other, draft(other, 3_000, "instant").id)

    assert once == twice
    assert world.hash == other.hash
    with pytest.raises(Refused, match="cents left"):
        refund_now(world, "CASE-1", "SAL-2", "CRD-2", 2_001, "netted")


def test_a_quote_says_fee_day_and_what_is_left(world: World) -> None:
    quote = quote_refund(world, "MER-1", "instant")
    assert (quote.fee, quote.value_day, quote.instant_left) == (1_200, "2025-10-09", 1)
    assert quote_refund(world, "MER-2", "netted").instant_left == 0


def test_a_returned_refund_is_sent_to_another_card_of_the_same_person(world: World) -> None:
    row = release_refund(world, draft(world).id)
    with pytest.raises(Refused, match="has not come back"):
        redirect_returned_refund(world, row.id, "CRD-2")
    returned(world, row.id)
    with pytest.raises(Refused, match="came back from CRD-2"):
        redirect_returned_refund(world, row.id, "CRD-2")
    with pytest.raises(Refused, match="does not belong"):
        redirect_returned_refund(world, row.id, "CRD-1")
    spare = world[Card].put(Card("CRD-8", "CDH-2", "corvane", "8888", "active", "2025-01-01"))

    assert redirect_returned_refund(world, row.id, spare.id).value_day == "2025-10-10"
    assert close_card(world, "CRD-2").status == "closed"


def test_a_countersign_comes_minutes_later_for_the_amount_that_was_seen(world: World) -> None:
    row = draft(world)
    sheet = request_countersign(world, row.id)
    with pytest.raises(Refused, match="waiting for its signature"):
        request_countersign(world, row.id)
    later(world, 3)
    assert world[Countersign][sheet.id].status == "waiting"
    later(world, 1)

    assert countersigns_on(world, row.id)[0].status == "signed"
    with pytest.raises(Refused, match="signed, not waiting"):
        withdraw_countersign(world, sheet.id)


def test_a_countersign_on_changed_or_vanished_terms_signs_nothing(world: World) -> None:
    row = draft(world)
    terms = propose_settlement(world, "DSP-1", 9_000, 0)
    for subject in (row.id, terms.id):
        request_countersign(world, subject)
    amend_refund(world, row.id, 2_999, "netted")
    withdraw_settlement(world, terms.id)
    later(world, 4)

    assert [sheet.status for sheet in world[Countersign]] == ["stale", "stale"]


def test_a_withdrawn_countersign_is_never_given(world: World) -> None:
    sheet = request_countersign(world, draft(world).id)
    withdraw_countersign(world, sheet.id)
    later(world, 10)

    assert world[Countersign][sheet.id].status == "withdrawn"


def test_only_what_has_not_gone_out_can_be_countersigned(world: World) -> None:
    row = release_refund(world, draft(world).id)
    with pytest.raises(Refused, match="sign before release"):
        request_countersign(world, row.id)
    with pytest.raises(Refused, match="neither a refund nor a settlement"):
        request_countersign(world, "DSP-1")
    terms = propose_settlement(world, "DSP-1", 9_000, 0)
    withdraw_settlement(world, terms.id)
    with pytest.raises(Refused, match="sign before filing"):
        request_countersign(world, terms.id)


Steps = st.lists(
    st.tuples(
        st.sampled_from(["draft", "release", "cancel", "amend", "now"]),
        st.integers(-10, 6_000),
        st.sampled_from(["instant", "netted"]),
        st.integers(1, 6),
    ),
    max_size=12,
)


@given(Steps)
def test_whatever_is_tried_no_sale_gives_back_more_than_it_took(
    steps: list[tuple[str, int, str, int]],
) -> None:
    world = shop()
    for what, amount, route, number in steps:
        try:
            attempt(world, what, amount, route, f"RFD-{number}")
        except Refused:
            world.undo()
        world.take_log()
    rows = refunds_of_sale(world, "SAL-2")
    assert sum(r.amount for r in rows if r.status != "cancelled") <= world[Sale]["SAL-2"].amount
    instant = [r for r in rows if r.status == "released" and r.route == "instant"]
    assert world[Account]["ACC-1"].balance == 8_000 - sum(r.amount for r in instant)
    assert world[Account]["ACC-2"].balance == 6_000 - sum(fee.amount for fee in world[Fee])
    assert len(instant) == world[SlotBook]["SLB-1"].used <= 1


def attempt(world: World, what: str, amount: int, route: str, refund: str) -> None:
    match what:
        case "draft":
            draft(world, amount, route)
        case "release":
            release_refund(world, refund)
        case "cancel":
            cancel_refund(world, refund)
        case "amend":
            amend_refund(world, refund, amount, route)  # type: ignore[arg-type]  # route is one of two
        case _:
            refund_now(world, "CASE-1", "SAL-2", "CRD-2", amount, route)  # type: ignore[arg-type]  # route is one of two
