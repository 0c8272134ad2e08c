"""Screening: what a run finds, who decides a hit, which notices go out, who is verified."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.notices import (
    RefusalNotice,
    issue_refusal_notice,
    send_payment_notice,
)
from bythebook.alder.desks.payouts import Payee, Payout, release_payout
from bythebook.alder.desks.screening import (
    CounterpartyPaper,
    Difference,
    Disposition,
    Hit,
    ListEntry,
    discount_hit,
    find_list_entry,
    hit_sheet,
    hits_of,
    refer_hit,
    reopen_hit,
    run_screening,
    verify_payee,
)
from bythebook.alder.likeness import likeness
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.pier import pier

COUNTRY = Difference("country", "CPP-2")
NUMBER = Difference("register_number", "CPP-1")


@pytest.fixture
def world() -> World:
    return pier()


def hit(world: World, subject: str = "PAY-1") -> str:
    run_screening(world, subject)
    return hits_of(world, subject)[-1].id


def status(world: World, id: str) -> str:
    return world[Hit][id].status


# --- likeness -------------------------------------------------------------------------------------


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_the_same_from_both_sides_and_stays_within_bounds(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 100


@given(
    st.text(alphabet="abcdefgh ", min_size=2, max_size=30).filter(
        lambda s: len(s.replace(" ", "")) > 1
    )
)
def test_a_name_is_wholly_like_itself_whatever_its_case_and_signs(name: str) -> None:
    assert likeness(name, name.upper().replace(" ", "-")) == 100


def test_one_letter_has_no_pair_and_is_like_nothing() -> None:
    assert likeness("a", "a") == 0


# --- runs -----------------------------------------------------------------------------------------


def test_a_run_finds_a_name_that_is_near_and_leaves_out_what_was_delisted(world: World) -> None:
    run = run_screening(world, "PAY-1")
    (found,) = hits_of(world, "PAY-1")

    assert run.hits == 1
    assert (found.entry, found.kind, found.status) == ("LST-1", "name", "open")
    assert found.score == likeness("Marram Sails", "Maram Sail") >= 70


def test_a_run_finds_goods_in_the_papers_of_a_payout_but_not_for_a_payee(world: World) -> None:
    run_screening(world, "PAY-2")

    assert [(h.kind, h.matched, h.score) for h in hits_of(world, "PAY-2")] == [
        ("goods", "prepaid card", 100)
    ]
    assert run_screening(world, "PYE-2").hits == 0


def test_a_run_is_written_down_also_when_it_finds_nothing(world: World) -> None:
    run = run_screening(world, "PYE-2")

    assert (run.owner, run.subject, run.day, run.hits) == ("PTY-1", "PYE-2", "2025-11-04", 0)


def test_a_second_run_waits_for_the_first_ones_hits_and_then_finds_them_anew(world: World) -> None:
    first = hit(world)
    with pytest.raises(Refused, match="not decided"):
        run_screening(world, "PAY-1")

    discount_hit(world, first, (NUMBER,))
    run_screening(world, "PAY-1")

    assert [h.status for h in hits_of(world, "PAY-1")] == ["discounted", "open"]


def test_what_has_left_and_what_does_not_exist_is_not_screened(world: World) -> None:
    with pytest.raises(Refused, match="PAY-8 is settled"):
        run_screening(world, "PAY-8")
    with pytest.raises(Refused, match="no 'PYE-77'"):
        run_screening(world, "PYE-77")
    with pytest.raises(Refused, match="no 'PYE-77'"):
        hits_of(world, "PYE-77")


def test_the_release_button_does_not_look(world: World) -> None:
    hit(world)

    assert release_payout(world, "PAY-1").status == "released"


def test_a_sheet_shows_hit_entry_and_papers_oldest_first(world: World) -> None:
    sheet = hit_sheet(world, hit(world))

    assert sheet.entry.id == "LST-1"
    assert [p.id for p in sheet.papers] == ["CPP-3", "CPP-2", "CPP-1"]


def test_an_entry_is_found_by_any_of_its_names(world: World) -> None:
    assert [e.id for e in find_list_entry(world, "other")] == ["LST-1"]
    assert [e.id for e in find_list_entry(world, "sail")] == ["LST-1", "LST-2"]
    with pytest.raises(Refused, match="three letters"):
        find_list_entry(world, " a ")


# --- deciding -------------------------------------------------------------------------------------


def test_a_discount_keeps_what_it_rests_on(world: World) -> None:
    made = discount_hit(world, hit(world), (COUNTRY, NUMBER))

    assert (made.by, made.status, made.differences) == ("analyst", "standing", (COUNTRY, NUMBER))
    assert status(world, made.hit) == "discounted"


@pytest.mark.parametrize(
    ("subject", "differences", "why"),
    [
        ("PAY-1", (), "at least one"),
        ("PAY-1", (Difference("country", "CPP-9"),), "no paper on Marram Sails"),
        ("PAY-1", (Difference("country", "CPP-4"),), "no paper on Marram Sails"),
        ("PAY-1", (Difference("country", "CPP-77"),), "no 'CPP-77'"),
        ("PAY-2", (COUNTRY,), "only a name"),
    ],
)
def test_a_discount_is_refused(world: World, subject: str, differences: Any, why: str) -> None:
    found = hit(world, subject)
    with pytest.raises(Refused, match=why):
        discount_hit(world, found, differences)
    assert status(world, found) == "open"


def test_a_hit_is_decided_once(world: World) -> None:
    found = hit(world)
    discount_hit(world, found, (NUMBER,))

    with pytest.raises(Refused, match="discounted, not open"):
        discount_hit(world, found, (NUMBER,))
    with pytest.raises(Refused, match="discounted, not open"):
        refer_hit(world, found)
    with pytest.raises(Refused, match="discounted, not open"):
        issue_refusal_notice(world, found, "wildlife", "prohibited-products#2.5")


def test_the_second_line_takes_hours_and_discounts_what_nothing_agrees_with(world: World) -> None:
    found = refer_hit(world, hit(world)).id
    later(world, 119)
    assert status(world, found) == "referred"
    later(world, 1)

    assert status(world, found) == "discounted"
    assert [d.by for d in world[Disposition].where(hit=found)] == ["second_line"]


def test_the_second_line_keeps_what_agrees(world: World) -> None:
    world[ListEntry].change("LST-1", register_number="US-1")
    found = refer_hit(world, hit(world)).id
    later(world, 600)

    assert status(world, found) == "referred"


def test_the_second_line_has_no_answer_on_goods_for_today(world: World) -> None:
    found = refer_hit(world, hit(world, "PAY-2")).id
    later(world, 600)

    assert status(world, found) == "referred"


def test_a_discounted_hit_can_be_opened_again_until_the_money_has_left(world: World) -> None:
    found = hit(world)
    with pytest.raises(Refused, match="open, not discounted"):
        reopen_hit(world, found)
    made = discount_hit(world, found, (NUMBER,))

    assert reopen_hit(world, found).status == "open"
    assert world[Disposition][made.id].status == "withdrawn"

    discount_hit(world, found, (NUMBER,))
    release_payout(world, "PAY-1")
    with pytest.raises(Refused, match="PAY-1 is released"):
        reopen_hit(world, found)


def test_a_payees_hit_can_be_opened_again(world: World) -> None:
    found = hit(world, "PYE-1")
    discount_hit(world, found, (NUMBER,))

    assert reopen_hit(world, found).status == "open"


# --- notices --------------------------------------------------------------------------------------


def test_a_refusal_notice_cancels_the_payout_and_closes_the_hit(world: World) -> None:
    found = hit(world, "PAY-2")
    made = issue_refusal_notice(world, found, "anonymous_prepaid", "prohibited-products#2.4")

    assert (made.owner, made.payout, made.ground) == ("PTY-1", "PAY-2", "anonymous_prepaid")
    assert world[Payout]["PAY-2"].status == "cancelled"
    assert status(world, found) == "refused"


def test_a_refusal_notice_names_a_clause_and_a_payout_that_still_waits(world: World) -> None:
    found = hit(world, "PAY-2")
    with pytest.raises(Refused, match=r"family#3\.1"):
        issue_refusal_notice(world, found, "anonymous_prepaid", "the list")
    release_payout(world, "PAY-2")
    with pytest.raises(Refused, match="still waits"):
        issue_refusal_notice(world, found, "anonymous_prepaid", "prohibited-products#2.4")
    with pytest.raises(Refused, match="still waits"):
        issue_refusal_notice(world, hit(world, "PYE-1"), "wildlife", "prohibited-products#2.5")
    assert len(world[RefusalNotice]) == 0


def test_a_standard_line_is_sent_once_a_payment(world: World) -> None:
    made = send_payment_notice(world, "PAY-1", "received")

    assert (made.owner, made.payout, made.wording) == ("PTY-1", "PAY-1", "received")
    with pytest.raises(Refused, match="sent before"):
        send_payment_notice(world, "PAY-1", "received")
    assert send_payment_notice(world, "PAY-1", "in_progress").wording == "in_progress"
    with pytest.raises(Refused, match="no 'PAY-77'"):
        send_payment_notice(world, "PAY-77", "received")


# --- payees ---------------------------------------------------------------------------------------


def test_a_payee_is_verified_by_its_banks_letter_on_the_last_day_that_it_counts(
    world: World,
) -> None:
    made = verify_payee(world, "PYE-1", "CPP-2")

    assert (made.owner, made.payee, made.paper) == ("PTY-1", "PYE-1", "CPP-2")
    with pytest.raises(Refused, match="verified before"):
        verify_payee(world, "PYE-1", "CPP-2")


@pytest.mark.parametrize(
    ("payee", "paper", "why"),
    [
        ("PYE-3", "CPP-2", "PYE-3 is closed"),
        ("PYE-1", "CPP-1", "no bank letter"),
        ("PYE-1", "CPP-9", "no bank letter"),
        ("PYE-2", "CPP-4", "2223"),
        ("PYE-1", "CPP-3", "too long ago"),
        ("PYE-1", "CPP-77", "no 'CPP-77'"),
    ],
)
def test_a_verification_is_refused(world: World, payee: str, paper: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        verify_payee(world, payee, paper)


def test_a_name_has_to_be_the_same_to_the_letter(world: World) -> None:
    world[CounterpartyPaper].change("CPP-2", payee_name="Marram sails")
    assert world[Payee]["PYE-1"].name == "Marram Sails"
    with pytest.raises(Refused, match="speaks of Marram sails"):
        verify_payee(world, "PYE-1", "CPP-2")
