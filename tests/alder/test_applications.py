"""Applications of institutions and the evidence in their files."""

import pytest

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.applications import (
    Application,
    application_checklist,
    attach_evidence,
    name_funding_source,
    open_application,
    pay_review_fee,
    refund_review_fee,
    submit_application,
    withdraw_application,
)
from bythebook.alder.desks.evidence import (
    Evidence,
    evidence_validity,
    register_evidence,
    reject_evidence,
    verify_evidence,
)
from bythebook.alder.desks.releases import draft_release, execute_release
from bythebook.alder.desks.reserves import Reserve, retire_reserve
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.harbour import harbour
from tests.alder.hours import later

DRAWN = 57
"""Minutes from three o'clock until the batch is drawn; it decides two minutes later."""


@pytest.fixture
def world() -> World:
    return harbour()


def fund(world: World, amount: int = 6_000, source: str = "RSV-1") -> None:
    request = draft_release(world, source, "assisted", amount, 9_000, "APP-1")
    execute_release(world, request.id)


def status(world: World) -> tuple[str, str]:
    row = world[Application]["APP-1"]
    return row.status, row.why


def test_an_affiliate_has_one_living_application_for_a_product(world: World) -> None:
    row = open_application(world, "CASE-1", "PTY-3", "PTY-1", "collection_account")

    assert (row.status, row.funds_needed) == ("draft", 6_000)
    with pytest.raises(Refused, match="APP-1 for a custody_account already"):
        open_application(world, "CASE-1", "PTY-3", "PTY-1", "custody_account")
    with pytest.raises(Refused, match="no affiliate of PTY-9"):
        open_application(world, "CASE-1", "PTY-3", "PTY-9", "collection_account")


def test_papers_are_attached_by_kind_and_must_count_now(world: World) -> None:
    with pytest.raises(Refused, match="EV-3 is not verified"):
        attach_evidence(world, "APP-1", "EV-3")
    verify_evidence(world, "EV-3")

    assert attach_evidence(world, "APP-1", "EV-3").address_evidence == "EV-3"
    assert attach_evidence(world, "APP-1", "EV-2").register_extract == "EV-2"
    with pytest.raises(Refused, match="belongs to PTY-1"):
        attach_evidence(world, "APP-1", "EV-9")
    with pytest.raises(Refused, match="kept with the party"):
        attach_evidence(world, "APP-1", "EV-4")
    later(world, 10)
    with pytest.raises(Refused, match="no longer counts"):
        attach_evidence(world, "APP-1", "EV-2")


def test_a_funding_source_may_be_locked_but_not_foreign_or_retired(world: World) -> None:
    assert name_funding_source(world, "APP-1", "RSV-2").funding_source == "RSV-2"
    with pytest.raises(Refused, match="does not belong to PTY-1"):
        name_funding_source(world, "APP-1", "RSV-9")
    retire_reserve(world, "RSV-3")
    with pytest.raises(Refused, match="retired"):
        name_funding_source(world, "APP-1", "RSV-3")


def test_a_complete_paid_funded_application_is_approved(world: World) -> None:
    pay_review_fee(world, "APP-1", "ACC-2")
    submit_application(world, "APP-1")
    fund(world)
    later(world, DRAWN)
    assert status(world) == ("in_review", "")
    later(world, 2)

    assert status(world) == ("approved", "")
    assert world[Application]["APP-1"].decided == "2025-09-25 15:59"


def test_the_batch_looks_at_no_dates(world: World) -> None:
    assert not evidence_validity(harbour(15 * 60 + 30), "EV-2").counts_now
    pay_review_fee(world, "APP-1", "ACC-2")
    submit_application(world, "APP-1")
    fund(world)
    later(world, DRAWN + 2)

    assert status(world) == ("approved", "")


def test_money_that_settles_in_the_minute_of_the_decision_is_there(world: World) -> None:
    pay_review_fee(world, "APP-1", "ACC-2")
    submit_application(world, "APP-1")
    later(world, DRAWN + 2 - 3)
    fund(world)
    later(world, 3)

    assert status(world) == ("approved", "")


@pytest.mark.parametrize(
    ("paid", "amount", "source", "why"),
    [
        (False, 6_000, "RSV-1", "review fee not paid"),
        (True, 5_999, "RSV-1", "opening funds not settled"),
        (True, 6_000, "RSV-3", "opening funds not settled"),
    ],
)
def test_an_application_that_lacks_something_is_returned(
    world: World, paid: bool, amount: int, source: str, why: str
) -> None:
    world[Reserve].change("RSV-3", balance=6_000)
    if paid:
        pay_review_fee(world, "APP-1", "ACC-2")
    fund(world, amount, source)
    submit_application(world, "APP-1")
    later(world, DRAWN + 2)

    assert status(world) == ("returned", why)
    assert submit_application(world, "APP-1").status == "queued"


def test_an_application_is_handed_in_whole_and_once(world: World) -> None:
    world[Application].change("APP-1", register_extract=None, funding_source=None)
    with pytest.raises(Refused, match="lacks register_extract, funding_source"):
        submit_application(world, "APP-1")
    attach_evidence(world, "APP-1", "EV-2")
    name_funding_source(world, "APP-1", "RSV-2")

    assert submit_application(world, "APP-1").submitted == "2025-09-25 15:00"
    with pytest.raises(Refused, match="APP-1 is submitted"):
        submit_application(world, "APP-1")


def test_what_comes_after_the_draw_is_queued(world: World) -> None:
    later(world, DRAWN)
    assert submit_application(world, "APP-1").status == "queued"
    later(world, 24 * 60)
    assert status(world) == ("queued", "")


def test_papers_can_be_exchanged_until_the_draw(world: World) -> None:
    submit_application(world, "APP-1")
    verify_evidence(world, "EV-3")
    assert attach_evidence(world, "APP-1", "EV-3").status == "submitted"
    later(world, DRAWN)
    for late in (
        lambda: attach_evidence(world, "APP-1", "EV-1"),
        lambda: name_funding_source(world, "APP-1", "RSV-2"),
        lambda: withdraw_application(world, "APP-1"),
        lambda: pay_review_fee(world, "APP-1", "ACC-2"),
    ):
        with pytest.raises(Refused, match="is in_review"):
            late()


def test_a_withdrawn_application_is_not_reviewed(world: World) -> None:
    submit_application(world, "APP-1")
    withdraw_application(world, "APP-1")
    later(world, DRAWN + 2)

    assert status(world) == ("withdrawn", "")


def test_the_review_fee_is_paid_once_from_fee_account_or_free_reserve(world: World) -> None:
    fee = pay_review_fee(world, "APP-1", "RSV-1")

    assert (fee.amount, fee.account, fee.case) == (5_000, "RSV-1", "CASE-1")
    assert world[Reserve]["RSV-1"].balance == 3_000
    with pytest.raises(Refused, match="paid already"):
        pay_review_fee(world, "APP-1", "ACC-2")


def test_the_review_fee_comes_from_no_other_purse(world: World) -> None:
    for source, why in (
        ("ACC-1", "operating account"),
        ("ACC-9", "does not belong"),
        ("RSV-9", "does not belong"),
        ("RSV-2", "locked"),
        ("RSV-3", "holds 0"),
        ("ACC-7", "there is no 'ACC-7'"),
    ):
        with pytest.raises(Refused, match=why):
            pay_review_fee(world, "APP-1", source)
    world[Account].change("ACC-2", balance=4_999)
    with pytest.raises(Refused, match="holds 4999"):
        pay_review_fee(world, "APP-1", "ACC-2")


def test_a_withdrawn_applications_fee_goes_back_where_it_came_from(world: World) -> None:
    pay_review_fee(world, "APP-1", "ACC-2")
    with pytest.raises(Refused, match="only withdrawn"):
        refund_review_fee(world, "APP-1")
    withdraw_application(world, "APP-1")

    assert refund_review_fee(world, "APP-1").status == "reversed"
    assert world[Account]["ACC-2"].balance == 9_000
    assert [fee.status for fee in world[Fee]] == ["reversed"]
    with pytest.raises(Refused, match="no review fee stands"):
        refund_review_fee(world, "APP-1")


def test_the_checklist_shows_what_is_there(world: World) -> None:
    pay_review_fee(world, "APP-1", "ACC-2")
    fund(world)
    later(world, 3)
    found = application_checklist(world, "APP-1")

    assert (found.funds_settled, found.funds_needed, found.review_fee_paid) == (6_000, 6_000, True)


def test_a_verified_paper_counts_to_the_minute(world: World) -> None:
    row = verify_evidence(world, "EV-3")

    assert (row.verified, row.valid_until) == ("2025-09-25 15:00", "2025-12-24 15:00")
    with pytest.raises(Refused, match="verified, not received"):
        verify_evidence(world, "EV-3")
    later(world, 9)
    assert evidence_validity(world, "EV-2").counts_now
    later(world, 1)
    assert not evidence_validity(world, "EV-2").counts_now


def test_an_old_paper_is_not_verified(world: World) -> None:
    with pytest.raises(Refused, match="147 days ago"):
        verify_evidence(world, "EV-9")


def test_a_paper_is_registered_once_and_not_before_its_date(world: World) -> None:
    row = register_evidence(world, "PTY-1", "register_extract", "extract", "2025-09-20")

    assert (row.status, row.valid_until) == ("received", None)
    with pytest.raises(Refused, match="on file"):
        register_evidence(world, "PTY-1", "register_extract", "extract", "2025-09-20")
    with pytest.raises(Refused, match="has not come yet"):
        register_evidence(world, "PTY-1", "register_extract", "extract", "2025-09-26")
    with pytest.raises(Refused, match="title"):
        register_evidence(world, "PTY-1", "register_extract", " ", "2025-09-19")


def test_a_rejected_paper_counts_for_nothing(world: World) -> None:
    with pytest.raises(Refused, match="why"):
        reject_evidence(world, "EV-1", "")
    assert reject_evidence(world, "EV-1", "altered").valid_until is None
    with pytest.raises(Refused, match="rejected before"):
        reject_evidence(world, "EV-1", "altered")
    with pytest.raises(Refused, match="not verified"):
        attach_evidence(world, "APP-1", "EV-1")
    assert world[Evidence]["EV-1"].note == "altered"
