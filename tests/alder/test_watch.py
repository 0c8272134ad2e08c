"""The watch desk: a report holds its payout and the limit, the team asks, holds end."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.limits import DailyLimit
from bythebook.alder.desks.payouts import Payout, release_payout
from bythebook.alder.desks.screening import Hit, discount_hit, hits_of, run_screening
from bythebook.alder.desks.watch import (
    WatchAnswer,
    WatchHold,
    WatchQuestion,
    WatchReport,
    answer_watch_question,
    attach_to_report,
    holds_on_limit,
    lift_watch_hold,
    report_match,
    watch_questions_of,
    withdraw_report,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.pier import pier

CLAUSE = "hit-disposition#3.1"


@pytest.fixture
def world() -> World:
    return pier()


def report(world: World, subject: str = "PAY-1", agrees: Any = ("country",)) -> WatchReport:
    run_screening(world, subject)
    return report_match(world, hits_of(world, subject)[-1].id, "identity_match", CLAUSE, agrees)


def used(world: World) -> int:
    return world[DailyLimit]["DLM-1"].used


def test_a_report_holds_the_payout_and_keeps_its_place_in_the_limit(world: World) -> None:
    made = report(world)

    assert (made.owner, made.subject, made.status) == ("PTY-1", "PAY-1", "open")
    assert world[Hit][made.hit].status == "reported"
    assert [(h.payout, h.counts, h.status) for h in holds_on_limit(world, "PTY-1")] == [
        ("PAY-1", 3_000, "active")
    ]
    assert used(world) == 3_000
    assert world[Payout]["PAY-1"].status == "draft"


def test_a_report_on_a_payee_or_on_what_has_left_holds_nothing(world: World) -> None:
    report(world, "PYE-1")
    assert used(world) == 0

    run_screening(world, "PAY-1")
    release_payout(world, "PAY-1")
    report_match(world, hits_of(world, "PAY-1")[-1].id, "pattern", CLAUSE, ())
    assert (used(world), len(world[WatchHold])) == (3_000, 0)


def test_a_report_is_refused_without_a_clause_with_a_thing_said_twice_and_on_a_decided_hit(
    world: World,
) -> None:
    run_screening(world, "PAY-1")
    found = hits_of(world, "PAY-1")[0].id
    with pytest.raises(Refused, match=r"family#3\.1"):
        report_match(world, found, "identity_match", "3.1", ("country",))
    with pytest.raises(Refused, match="each identifier once"):
        report_match(world, found, "identity_match", CLAUSE, ("country", "country"))
    report_match(world, found, "identity_match", CLAUSE, ("country",))
    with pytest.raises(Refused, match="reported, not open"):
        report_match(world, found, "identity_match", CLAUSE, ("country",))
    with pytest.raises(Refused, match="reported, not open"):
        discount_hit(world, found, ())


def test_papers_go_with_a_report_once_and_only_the_payees_own(world: World) -> None:
    made = report(world)

    assert attach_to_report(world, made.id, "CPP-1").paper == "CPP-1"
    with pytest.raises(Refused, match="already"):
        attach_to_report(world, made.id, "CPP-1")
    for other in ("CPP-4", "CPP-9"):
        with pytest.raises(Refused, match="no paper on Marram Sails"):
            attach_to_report(world, made.id, other)


def test_a_report_withdrawn_in_time_leaves_everything_as_it_was(world: World) -> None:
    made = report(world)
    later(world, 7)

    assert withdraw_report(world, made.id).status == "withdrawn"
    assert (used(world), world[Hit][made.hit].status) == (0, "open")
    later(world, 60)
    assert watch_questions_of(world, "PTY-1") == ()
    with pytest.raises(Refused, match="withdrawn"):
        withdraw_report(world, made.id)
    with pytest.raises(Refused, match="withdrawn"):
        attach_to_report(world, made.id, "CPP-1")


def test_once_the_team_has_asked_a_report_stays(world: World) -> None:
    made = report(world)
    later(world, 8)

    (question,) = watch_questions_of(world, "PTY-1")
    assert (question.payee_name, question.asked, question.status) == ("Marram Sails", 8, "open")
    with pytest.raises(Refused, match="worked on"):
        withdraw_report(world, made.id)


def test_a_question_is_answered_once_with_the_customers_own_payouts(world: World) -> None:
    report(world)
    later(world, 8)
    question = watch_questions_of(world, "PTY-1")[0].id
    for payouts, why in (
        (("PAY-8", "PAY-8"), "each once"),
        (("PAY-9",), "another customer's"),
        (("PAY-77",), "no 'PAY-77'"),
    ):
        with pytest.raises(Refused, match=why):
            answer_watch_question(world, question, payouts)

    assert answer_watch_question(world, question, ("PAY-8",)).payouts == ("PAY-8",)
    assert world[WatchQuestion][question].status == "answered"
    with pytest.raises(Refused, match="answered"):
        answer_watch_question(world, question, ())
    assert len(world[WatchAnswer]) == 1


def test_a_hold_ends_once_and_gives_its_share_back(world: World) -> None:
    report(world)
    hold = holds_on_limit(world, "PTY-1")[0].id

    assert lift_watch_hold(world, hold).status == "lifted"
    assert used(world) == 0
    with pytest.raises(Refused, match="is lifted"):
        lift_watch_hold(world, hold)


def test_a_hold_lifted_on_the_next_day_leaves_that_days_limit_alone(world: World) -> None:
    report(world)
    world[DailyLimit].add(party="PTY-1", day="2025-11-05", standing=8000, ceiling=8000, used=600)
    later(world, 24 * 60)
    lift_watch_hold(world, holds_on_limit(world, "PTY-1")[0].id)

    assert [limit.used for limit in world[DailyLimit]] == [0, 600]


@given(st.lists(st.sampled_from(["report", "withdraw", "lift", "release", "wait"]), max_size=14))
def test_the_limit_is_used_by_what_left_and_what_is_held_and_by_nothing_else(
    acts: list[str],
) -> None:
    world = pier()
    for act in acts:
        try:
            _do(world, act)
        except Refused:
            world.undo()
        world.take_log()
        held = sum(h.counts for h in world[WatchHold].where(status="active"))
        left = sum(p.amount for p in world[Payout].where(status="released"))
        assert used(world) == held + left


def _do(world: World, act: str) -> None:
    match act:
        case "report":
            report(world)
        case "withdraw":
            for made in world[WatchReport].where(status="open"):
                withdraw_report(world, made.id)
        case "lift":
            for hold in world[WatchHold].where(status="active"):
                lift_watch_hold(world, hold.id)
        case "release":
            release_payout(world, "PAY-1")
        case "wait":
            later(world, 3)
