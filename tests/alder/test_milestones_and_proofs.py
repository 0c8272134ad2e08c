"""Letters, schedules and early releases; and what proves that a milestone has been reached."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account
from bythebook.alder.desks.escrow import EscrowOrder
from bythebook.alder.desks.milestones import (
    EarlyRelease,
    ReleaseSchedule,
    ScheduleLine,
    draft_release_schedule,
    letters_falling_due,
    release_milestone,
    start_release_schedule,
    withdraw_release_schedule,
)
from bythebook.alder.desks.proofs import (
    InspectionReport,
    InspectionSlot,
    MilestoneProof,
    book_inspection,
    cancel_inspection,
    confirm_proof,
    free_inspection_slots,
    hand_in_proof,
)
from bythebook.conduct.world import World, terms_hash
from bythebook.tool import Refused
from tests.alder.hall import DAY, hall
from tests.alder.hours import later


@pytest.fixture
def world() -> World:
    return hall()


def draft(world: World, *amounts: int, letter: str = "MLT-1") -> ReleaseSchedule:
    lines = tuple(ScheduleLine(n, letter, amount) for n, amount in enumerate(amounts, start=1))
    return draft_release_schedule(world, "CASE-1", "BUF-1", lines)


def started(world: World, *amounts: int, letter: str = "MLT-1") -> str:
    return start_release_schedule(world, draft(world, *amounts, letter=letter).id).id


def test_letters_of_a_day_are_those_in_force(world: World) -> None:
    assert [x.id for x in letters_falling_due(world, "PTY-1", DAY)] == ["MLT-1", "MLT-3"]
    assert [x.id for x in letters_falling_due(world, "PTY-1", "2025-11-06")] == ["MLT-4"]


def test_a_schedule_is_the_same_however_its_lines_are_listed(world: World) -> None:
    lines = (ScheduleLine(2, "MLT-4", 200), ScheduleLine(1, "MLT-1", 100))
    schedule = draft_release_schedule(world, "CASE-1", "BUF-1", lines)

    assert [line.letter for line in schedule.lines] == ["MLT-1", "MLT-4"]
    withdraw_release_schedule(world, schedule.id)
    again = draft_release_schedule(world, "CASE-1", "BUF-1", lines[::-1])
    assert terms_hash(again) == terms_hash(schedule)


def test_places_have_no_gap(world: World) -> None:
    for places in ((), (2,), (1, 1), (1, 3)):
        lines = tuple(ScheduleLine(place, "MLT-1", 100) for place in places)
        with pytest.raises(Refused, match="from 1 without a gap"):
            draft_release_schedule(world, "CASE-1", "BUF-1", lines)


def test_a_draft_keeps_to_one_operator_and_its_open_case(world: World) -> None:
    line = (ScheduleLine(1, "MLT-1", 100),)
    with pytest.raises(Refused, match="CASE-2 is closed"):
        draft_release_schedule(world, "CASE-2", "BUF-1", line)
    with pytest.raises(Refused, match="belong to different parties"):
        draft_release_schedule(world, "CASE-1", "BUF-9", line)
    with pytest.raises(Refused, match="signed by another marketplace"):
        draft(world, 100, letter="MLT-9")
    with pytest.raises(Refused, match="MLT-2 is replaced"):
        draft(world, 100, letter="MLT-2")


def test_a_case_has_one_draft_at_a_time(world: World) -> None:
    first = draft(world, 100)
    with pytest.raises(Refused, match="a draft schedule already"):
        draft(world, 200)
    assert withdraw_release_schedule(world, first.id).status == "withdrawn"
    assert start_release_schedule(world, draft(world, 200).id).status == "started"


def test_a_started_schedule_stays(world: World) -> None:
    schedule = started(world, 100)
    for tool in (withdraw_release_schedule, start_release_schedule):
        with pytest.raises(Refused, match="is started, not a draft"):
            tool(world, schedule)


def test_a_release_pays_the_maker_out_of_the_order(world: World) -> None:
    release = release_milestone(world, started(world, 15_000), 1)

    order = world[EscrowOrder]["ESO-1"]
    assert (order.held, order.released, order.claim) == (16_000, 15_000, 31_000)
    assert world[Account]["ACC-5"].balance == 15_100
    assert (release.letter, release.amount, release.account) == ("MLT-1", 15_000, "ACC-5")


def test_a_line_is_released_once_and_only_when_started(world: World) -> None:
    plan = draft(world, 20_000, 12_000)
    with pytest.raises(Refused, match="is draft, not started"):
        release_milestone(world, plan.id, 1)
    start_release_schedule(world, plan.id)
    release_milestone(world, plan.id, 1)
    with pytest.raises(Refused, match="was released before"):
        release_milestone(world, plan.id, 1)
    with pytest.raises(Refused, match="places 1 to 2"):
        release_milestone(world, plan.id, 3)
    with pytest.raises(Refused, match="holds 11000 cents, not 12000"):
        release_milestone(world, plan.id, 2)


def test_a_maker_without_an_account_cannot_be_paid(world: World) -> None:
    schedule = started(world, 100, letter="MLT-3")
    with pytest.raises(Refused, match="PTY-6 has no settlement account in EUR"):
        release_milestone(world, schedule, 1)


@given(st.lists(st.integers(1, 20_000), min_size=1, max_size=5))
def test_releases_move_money_and_make_none(amounts: list[int]) -> None:
    world = hall()
    schedule = started(world, *amounts)
    for place in range(1, len(amounts) + 1):
        try:
            release_milestone(world, schedule, place)
        except Refused:
            continue
    paid = sum(e.amount for e in world[EarlyRelease])

    assert world[EscrowOrder]["ESO-1"].held + paid == 31_000
    assert world[Account]["ACC-5"].balance == 100 + paid


# --- proofs ---------------------------------------------------------------------------------------


def test_free_slots_lie_ahead_in_their_town(world: World) -> None:
    assert [s.id for s in free_inspection_slots(world, "Elling", DAY)] == ["SLT-4", "SLT-1"]
    later(world, 10)
    assert [s.id for s in free_inspection_slots(world, "Elling", DAY)] == ["SLT-1"]
    assert [s.id for s in free_inspection_slots(world, "Elling", "2025-11-06")] == ["SLT-5"]


def test_an_inspector_reports_at_the_end_of_the_slot(world: World) -> None:
    book_inspection(world, "SLT-1", "PRF-1", " c7 ")
    later(world, 29)
    assert not len(world[InspectionReport])
    later(world, 1)

    (report,) = world[InspectionReport]
    assert (report.kind, report.mark, report.finding) == ("on_site", "C7", "complete")
    assert confirm_proof(world, "PRF-1", report.id).report == report.id
    with pytest.raises(Refused, match="PRF-1 is confirmed"):
        confirm_proof(world, "PRF-1", report.id)
    with pytest.raises(Refused, match="PRF-1 is confirmed"):
        book_inspection(world, "SLT-5", "PRF-1", "C7")


@pytest.mark.parametrize(("mark", "finding"), [("C1", "not_found"), ("C8", "incomplete")])
def test_a_proof_is_not_confirmed_on_work_that_was_not_found_complete(
    world: World, mark: str, finding: str
) -> None:
    book_inspection(world, "SLT-1", "PRF-1", mark)
    later(world, 30)
    (report,) = world[InspectionReport]

    with pytest.raises(Refused, match=f"says {finding}, not complete"):
        confirm_proof(world, "PRF-1", report.id)


def test_a_slot_is_free_ahead_and_in_the_right_town(world: World) -> None:
    with pytest.raises(Refused, match="SLT-2 has begun"):
        book_inspection(world, "SLT-2", "PRF-1", "C7")
    with pytest.raises(Refused, match="is in Dunmere, the workshop in Elling"):
        book_inspection(world, "SLT-3", "PRF-1", "C7")
    with pytest.raises(Refused, match="what shall the inspector look for"):
        book_inspection(world, "SLT-1", "PRF-1", " ")
    book_inspection(world, "SLT-1", "PRF-1", "C7")
    with pytest.raises(Refused, match="SLT-1 is booked"):
        book_inspection(world, "SLT-1", "PRF-1", "C7")


def test_a_visit_can_be_called_off_until_it_begins(world: World) -> None:
    with pytest.raises(Refused, match="SLT-1 is free"):
        cancel_inspection(world, "SLT-1")
    book_inspection(world, "SLT-1", "PRF-1", "C1")
    assert cancel_inspection(world, "SLT-1").status == "free"
    book_inspection(world, "SLT-1", "PRF-1", "C7")
    later(world, 20)
    with pytest.raises(Refused, match="SLT-1 has begun"):
        cancel_inspection(world, "SLT-1")
    later(world, 10)

    assert world[InspectionSlot]["SLT-1"].status == "done"
    assert [r.mark for r in world[InspectionReport]] == ["C7"]


def test_a_report_is_about_one_proof(world: World) -> None:
    proof = hand_in_proof(world, "MLT-3", "a photograph")
    book_inspection(world, "SLT-1", "PRF-1", "C7")
    later(world, 30)
    (report,) = world[InspectionReport]

    with pytest.raises(Refused, match=f"about PRF-1, not {proof.id}"):
        confirm_proof(world, proof.id, report.id)


def test_a_letter_has_one_proof_that_is_not_rejected(world: World) -> None:
    with pytest.raises(Refused, match="MLT-1 has a proof already"):
        hand_in_proof(world, "MLT-1", "more photographs")
    with pytest.raises(Refused, match="MLT-2 is replaced"):
        hand_in_proof(world, "MLT-2", "photographs")
    with pytest.raises(Refused, match="say what was handed in"):
        hand_in_proof(world, "MLT-3", " ")
    proof = hand_in_proof(world, "MLT-3", "photographs")

    assert world[MilestoneProof][proof.id].status == "handed_in"
    assert proof.order == "ESO-3"
