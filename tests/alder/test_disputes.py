"""Disputes and chargebacks: papers, reviews, terms, and what a card scheme may be told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.chargebacks import (
    ProvisionalCredit,
    answer_retrieval,
    credits_of,
    file_acceptance,
    file_representment,
    give_provisional_credit,
    make_credit_final,
    responses_closed,
    scheme_log,
    settle_now,
    withdraw_provisional_credit,
)
from bythebook.alder.desks.disputes import (
    Dispute,
    Paper,
    Review,
    attach_paper,
    cancel_review,
    detach_paper,
    open_dispute_file,
    paper_received,
    propose_settlement,
    request_evidence_review,
    withdraw_settlement,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.shop import shop


@pytest.fixture
def world() -> World:
    return shop()


def test_a_paper_is_attached_once_and_only_to_its_merchants_dispute(world: World) -> None:
    attach_paper(world, "DSP-1", "PAP-1")

    assert open_dispute_file(world, "DSP-1").papers[0].id == "PAP-1"
    with pytest.raises(Refused, match="attached to DSP-1"):
        attach_paper(world, "DSP-3", "PAP-1")
    with pytest.raises(Refused, match="not a paper of MER-1"):
        attach_paper(world, "DSP-1", "PAP-9")


def test_a_paper_under_review_stays_where_it_is(world: World) -> None:
    with pytest.raises(Refused, match="attached to nothing"):
        detach_paper(world, "PAP-1")
    attach_paper(world, "DSP-1", "PAP-1")
    review = request_evidence_review(world, "CASE-1", "DSP-1", "standard")
    with pytest.raises(Refused, match=f"{review.id} is reading"):
        detach_paper(world, "PAP-1")

    later(world, 50)

    assert detach_paper(world, "PAP-1").dispute is None


def test_a_review_finds_the_amount_less_what_was_paid_and_costs_its_lane(world: World) -> None:
    attach_paper(world, "DSP-1", "PAP-1")
    review = request_evidence_review(world, "CASE-1", "DSP-1", "priority")
    with pytest.raises(Refused, match="with the evidence desk already"):
        request_evidence_review(world, "CASE-1", "DSP-1", "standard")

    later(world, 14)
    assert world[Review][review.id].status == "running"
    later(world, 1)

    done = world[Review][review.id]
    assert (done.status, done.finding, done.amount) == ("done", "accept", 7_000)
    assert [fee.amount for fee in world[Fee]] == [2_500]
    assert world[Account]["ACC-2"].balance == 3_500


def test_a_review_does_not_see_what_is_attached_later(world: World) -> None:
    review = request_evidence_review(world, "CASE-1", "DSP-1", "standard")
    attach_paper(world, "DSP-1", "PAP-1")

    later(world, 50)

    assert world[Review][review.id].amount == 9_000
    assert world[Review][review.id].papers == ()


def test_a_paper_that_comes_in_lies_in_the_pile_until_it_is_attached(world: World) -> None:
    paper_received(world, "PAP-88", "MER-1", "payment_receipt", "A slip.", 500)

    slip = Paper("PAP-88", "MER-1", "payment_receipt", world.day, "A slip.", 500)
    assert world[Paper]["PAP-88"] == slip
    assert open_dispute_file(world, "DSP-1").papers == ()
    assert attach_paper(world, "DSP-1", "PAP-88").dispute == "DSP-1"


def test_proof_of_delivery_makes_the_desk_advise_to_contest(world: World) -> None:
    attach_paper(world, "DSP-1", "PAP-2")
    review = request_evidence_review(world, "CASE-1", "DSP-1", "standard")
    later(world, 50)

    assert world[Review][review.id].finding == "contest"
    assert world[Review][review.id].amount == 0


def test_a_cancelled_review_reports_nothing_and_keeps_its_fee(world: World) -> None:
    review = request_evidence_review(world, "CASE-1", "DSP-1", "priority")
    cancel_review(world, review.id)
    later(world, 60)

    assert world[Review][review.id].status == "cancelled"
    assert world[Account]["ACC-2"].balance == 3_500
    with pytest.raises(Refused, match="cancelled, not running"):
        cancel_review(world, review.id)


def test_terms_add_up_to_the_dispute_and_stand_alone(world: World) -> None:
    with pytest.raises(Refused, match="add up to 9000"):
        propose_settlement(world, "DSP-1", 7_000, 1_999)
    with pytest.raises(Refused, match="above zero"):
        propose_settlement(world, "DSP-1", 0, 9_000)
    terms = propose_settlement(world, "DSP-1", 7_000, 2_000)
    with pytest.raises(Refused, match="withdraw them first"):
        propose_settlement(world, "DSP-1", 9_000, 0)

    assert withdraw_settlement(world, terms.id).status == "withdrawn"
    with pytest.raises(Refused, match="withdrawn, not proposed"):
        withdraw_settlement(world, terms.id)


def test_an_acceptance_ends_the_dispute_and_gives_the_deducted_part_back(world: World) -> None:
    terms = propose_settlement(world, "DSP-1", 7_000, 2_000)
    file_acceptance(world, terms.id)

    assert world[Dispute]["DSP-1"].status == "accepted"
    assert world[Dispute]["DSP-1"].settled == 7_000
    assert world[Account]["ACC-1"].balance == 10_000
    assert world[ProvisionalCredit]["PCR-1"].status == "final"
    assert world[ProvisionalCredit]["PCR-1"].amount == 7_000
    assert [m.kind for m in scheme_log(world, "DSP-1")] == ["acceptance"]
    with pytest.raises(Refused, match="filed, not proposed"):
        file_acceptance(world, terms.id)


def test_halden_takes_the_full_amount_only(world: World) -> None:
    with pytest.raises(Refused, match="full disputed amount"):
        settle_now(world, "DSP-3", 3_000)
    assert settle_now(shop(), "DSP-3", 4_000).amount == 4_000


def test_settling_at_once_does_not_pass_over_proposed_terms(world: World) -> None:
    propose_settlement(world, "DSP-1", 9_000, 0)
    with pytest.raises(Refused, match="file those"):
        settle_now(world, "DSP-1", 9_000)


def test_after_the_cut_off_the_scheme_hears_nothing_and_the_dispute_lapses(world: World) -> None:
    terms = propose_settlement(world, "DSP-1", 9_000, 0)
    later(world, 90)
    with pytest.raises(Refused, match="no more answers"):
        file_acceptance(world, terms.id)
    responses_closed(world, "corvane")

    assert world[Dispute]["DSP-1"].status == "lapsed"
    assert world[Dispute]["DSP-3"].status == "open"


def test_a_representment_sends_attached_papers_only(world: World) -> None:
    with pytest.raises(Refused, match="at least one"):
        file_representment(world, "DSP-1", ())
    with pytest.raises(Refused, match="not attached"):
        file_representment(world, "DSP-1", ("PAP-2",))
    attach_paper(world, "DSP-1", "PAP-2")

    assert file_representment(world, "DSP-1", ("PAP-2",)).papers == ("PAP-2",)
    assert world[Dispute]["DSP-1"].status == "contested"
    with pytest.raises(Refused, match="contested, not open"):
        settle_now(world, "DSP-1", 9_000)


def test_one_provisional_credit_stands_on_a_sale(world: World) -> None:
    with pytest.raises(Refused, match="has a provisional credit"):
        give_provisional_credit(world, "SAL-2", "CRD-2", 1_000)
    with pytest.raises(Refused, match="at most 4000"):
        give_provisional_credit(world, "SAL-3", "CRD-3", 4_001)

    assert give_provisional_credit(world, "SAL-3", "CRD-3", 4_000).status == "standing"
    assert len(credits_of(world, "CDH-3")) == 1


def test_a_withdrawal_is_booked_minutes_after_it_was_asked_for(world: World) -> None:
    withdraw_provisional_credit(world, "PCR-2")
    later(world, 4)
    assert world[ProvisionalCredit]["PCR-2"].status == "withdrawing"
    later(world, 1)

    assert world[ProvisionalCredit]["PCR-2"].status == "withdrawn"
    with pytest.raises(Refused, match="not standing"):
        withdraw_provisional_credit(world, "PCR-2")
    with pytest.raises(Refused, match="not standing"):
        make_credit_final(world, "PCR-2")


def test_a_credit_under_an_open_dispute_waits_for_its_outcome(world: World) -> None:
    with pytest.raises(Refused, match="open dispute"):
        withdraw_provisional_credit(world, "PCR-1")
    with pytest.raises(Refused, match="open dispute"):
        make_credit_final(world, "PCR-1")

    assert make_credit_final(world, "PCR-2").status == "final"


def test_a_retrieval_is_answered_once_with_the_merchants_own_paper(world: World) -> None:
    with pytest.raises(Refused, match="not a paper of MER-1"):
        answer_retrieval(world, "RTV-1", "PAP-9")

    assert answer_retrieval(world, "RTV-1", "PAP-2").paper == "PAP-2"
    with pytest.raises(Refused, match="no answer any more"):
        answer_retrieval(world, "RTV-1", "PAP-1")


@given(st.integers(-100, 9_100))
def test_what_the_merchant_bears_and_gets_back_is_what_was_disputed(amount: int) -> None:
    world = shop()
    before = world[Account]["ACC-1"].balance
    try:
        settle_now(world, "DSP-1", amount)
    except Refused:
        assert not 0 < amount <= 9_000
        return
    back = world[Account]["ACC-1"].balance - before
    assert back + world[ProvisionalCredit]["PCR-1"].amount == 9_000
    assert all(paper.dispute is None for paper in world[Paper])
