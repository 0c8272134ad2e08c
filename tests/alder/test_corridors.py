"""Corridors: quotes become binding when the partner answers, and not before."""

import pytest

from bythebook.alder.desks.corridors import (
    ChainRecord,
    Corridor,
    CorridorNotice,
    DeductionInquiry,
    Quote,
    corridor_word_posted,
    notices_on_corridor,
    open_deduction_inquiry,
    owner_suspended,
    post_corridor_notice,
    publish_deduction,
    quotes_for_promise,
    reopen_corridor,
    request_quote,
    suspend_corridor,
    withdraw_quote,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.wharf import wharf


@pytest.fixture
def world() -> World:
    return wharf()


def test_the_partner_answers_after_twelve_minutes_with_its_own_figures(world: World) -> None:
    quote = request_quote(world, "PRM-2")
    assert (quote.status, quote.basis, quote.deduction) == ("indicative", "firm", 2200)

    later(world, 11)
    assert world[Quote][quote.id].status == "indicative"
    later(world, 1)
    (answer,) = quotes_for_promise(world, "PRM-2")
    assert (answer.status, answer.basis, answer.deduction) == ("confirmed", "variable", 2500)


def test_most_partners_confirm_what_our_sheet_says(world: World) -> None:
    quote = request_quote(world, "PRM-1")
    later(world, 12)
    assert world[Quote][quote.id].remark == "confirmed as published"


def test_a_promise_has_one_live_quote(world: World) -> None:
    quote = request_quote(world, "PRM-1")
    with pytest.raises(Refused, match="live quote"):
        request_quote(world, "PRM-1")
    withdraw_quote(world, quote.id)
    with pytest.raises(Refused, match="withdrawn already"):
        withdraw_quote(world, quote.id)
    later(world, 12)

    assert world[Quote][quote.id].status == "withdrawn", "the answer came too late to matter"
    assert request_quote(world, "PRM-1").status == "indicative"


def test_what_is_closed_is_not_quoted(world: World) -> None:
    with pytest.raises(Refused, match="suspended"):
        request_quote(world, "PRM-3")
    with pytest.raises(Refused, match="met, not open"):
        request_quote(world, "PRM-6")


def test_the_sheet_changes_without_touching_quotes(world: World) -> None:
    quote = request_quote(world, "PRM-1")
    publish_deduction(world, "US-PT", "variable", 1100)

    assert world[Quote][quote.id].deduction == 900
    with pytest.raises(Refused, match="says so already"):
        publish_deduction(world, "US-PT", "variable", 1100)
    with pytest.raises(Refused, match="suspended"):
        publish_deduction(world, "US-GH", "firm", 1)


def test_a_notice_says_something_and_looks_forward(world: World) -> None:
    notice = post_corridor_notice(world, "US-PT", "2025-10-03", "one bank more")

    assert [n.id for n in notices_on_corridor(world, "US-PT")] == ["NTC-2", notice.id]
    with pytest.raises(Refused, match="say something"):
        post_corridor_notice(world, "US-PT", "2025-10-03", " ")
    with pytest.raises(Refused, match="has passed"):
        post_corridor_notice(world, "US-PT", "2025-10-01", "x")


def test_a_corridor_is_suspended_and_reopened_with_a_notice(world: World) -> None:
    suspend_corridor(world, "US-PT", "funding")
    assert world[CorridorNotice].where(corridor="US-PT")[-1].text == "Suspended: funding"
    with pytest.raises(Refused, match="suspended already"):
        suspend_corridor(world, "US-PT", "funding")
    with pytest.raises(Refused, match="not about US-PT"):
        reopen_corridor(world, "US-PT", "NTC-1")

    assert reopen_corridor(world, "US-PT", "NTC-2").status == "open"
    with pytest.raises(Refused, match="is open"):
        reopen_corridor(world, "US-PT", "NTC-2")
    assert world[Corridor]["US-GH"].status == "suspended"


def test_an_inquiry_about_a_short_payment_is_answered_in_time(world: World) -> None:
    with pytest.raises(Refused, match="not short"):
        open_deduction_inquiry(world, "PRM-1")
    inquiry = open_deduction_inquiry(world, "PRM-5")
    with pytest.raises(Refused, match="open inquiry"):
        open_deduction_inquiry(world, "PRM-5")
    later(world, 240)

    assert world[DeductionInquiry][inquiry.id].answer.startswith("900 cents")


def test_a_partner_leaves_word_that_was_not_there_before(world: World) -> None:
    corridor_word_posted(world, "NTC-8", "US-PE", "payments are taken again")

    (notice,) = notices_on_corridor(world, "US-PE")
    assert (notice.id, notice.day, notice.text) == ("NTC-8", world.day, "payments are taken again")


def test_an_owner_suspends_while_others_are_at_work_and_what_is_quoted_stands(world: World) -> None:
    quote = request_quote(world, "PRM-1")
    later(world, 12)
    owner_suspended(world, "US-PT", "partner_outage")

    assert world[Corridor]["US-PT"].status == "suspended"
    assert [n.text for n in notices_on_corridor(world, "US-PT")][-1] == "Suspended: partner_outage"
    assert world[Quote][quote.id].status == "confirmed"


def test_what_is_suspended_already_is_left_alone(world: World) -> None:
    before = notices_on_corridor(world, "US-GH")
    owner_suspended(world, "US-GH", "funding")

    assert notices_on_corridor(world, "US-GH") == before


def test_the_banks_may_say_that_nothing_was_lost_on_the_way(world: World) -> None:
    world[ChainRecord].put(ChainRecord("CHN-1", "PRM-5", "the payee's own bank kept it"))
    inquiry = open_deduction_inquiry(world, "PRM-5")
    later(world, 240)

    assert world[DeductionInquiry][inquiry.id].answer == "the payee's own bank kept it"
