"""Payouts: drafted, released, scheduled, recalled, announced; singly and in batches."""

from typing import Any

import pytest

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.batches import batch_totals, drop_batch, open_batch, run_batch
from bythebook.alder.desks.limits import DailyLimit
from bythebook.alder.desks.payouts import (
    Payee,
    Payout,
    cancel_payout,
    close_payee,
    draft_payout,
    preview_payout,
    recall_payout,
    register_payee,
    release_payout,
    schedule_payout,
    send_preadvice,
    withdraw_preadvice,
)
from bythebook.alder.desks.settlements import ExpectedCredit
from bythebook.alder.desks.treasury import CollateralAccount
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.till import till


@pytest.fixture
def world() -> World:
    return till()


def draft(world: World, amount: int = 2_000, route: Any = "same_day", pays: str = "COA-1") -> str:
    return draft_payout(world, "CASE-1", "PYE-1", amount, pays, route).id


def abroad(world: World, amount: int = 3_400) -> str:
    world[Account].change("ACC-2", balance=amount)
    return draft_payout(world, "CASE-1", "PYE-2", amount, "ACC-2", "corridor").id


def test_a_draft_takes_nothing_and_shows_the_fee(world: World) -> None:
    row = world[Payout][draft(world)]

    assert (row.status, row.fee, row.currency) == ("draft", 150, "USD")
    assert world[CollateralAccount]["COA-1"].balance == 6_000


@pytest.mark.parametrize(
    ("payee", "amount", "pays", "route", "why"),
    [
        ("PYE-3", 1, "COA-1", "same_day", "PYE-3 is closed"),
        ("PYE-1", 1, "ACC-9", "same_day", "one customer"),
        ("PYE-1", 1, "ACC-2", "same_day", "PYE-1 is paid in USD"),
        ("PYE-1", 0, "ACC-1", "same_day", "above zero"),
        ("PYE-1", 1, "ACC-1", "corridor", "domestic"),
        ("PYE-2", 1, "ACC-2", "instant", "the route is corridor"),
    ],
)
def test_a_draft_is_refused(
    world: World, payee: str, amount: int, pays: str, route: Any, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        draft_payout(world, "CASE-1", payee, amount, pays, route)


def test_a_draft_and_a_batch_are_kept_under_a_case_that_exists(world: World) -> None:
    payout = draft(world)
    with pytest.raises(Refused, match="CASE-7"):
        draft_payout(world, "CASE-7", "PYE-1", 100, "ACC-1", "same_day")
    with pytest.raises(Refused, match="CASE-7"):
        open_batch(world, "CASE-7", (payout,))


def test_a_release_takes_amount_and_fee_and_counts_against_the_limit(world: World) -> None:
    release_payout(world, draft(world))

    assert world[CollateralAccount]["COA-1"].balance == 4_000
    assert world[Account]["ACC-1"].balance == 1_850
    assert [(f.amount, f.ref, f.case) for f in world[Fee]] == [(150, "PAY-1", "CASE-1")]
    assert world[DailyLimit]["DLM-1"].used == 2_000


def test_the_desk_lets_a_deposit_go_to_its_holds(world: World) -> None:
    assert release_payout(world, draft(world, 4_500)).status == "released"
    with pytest.raises(Refused, match="DLM-1"):
        release_payout(world, draft(world, 501))
    with pytest.raises(Refused, match="COA-1 can give 0 cents"):
        release_payout(world, draft(world, 1))


def test_a_release_needs_the_fee_as_well(world: World) -> None:
    with pytest.raises(Refused, match="cannot bear the fee of 150"):
        release_payout(world, draft(world, 1_900, pays="ACC-1"))

    assert release_payout(world, draft(world, 1_850, pays="ACC-1")).status == "released"
    assert world[Account]["ACC-1"].balance == 0


def test_euro_count_at_the_book_rate(world: World) -> None:
    preview = preview_payout(world, "PYE-2", 3_400, "corridor")
    release_payout(world, abroad(world))

    assert (preview.fee, preview.takes, preview.counts) == (75, 3_400, 3_978)
    assert world[DailyLimit]["DLM-1"].used == 3_978


@pytest.mark.parametrize(
    ("clock", "route", "day", "at"),
    [
        ("14:14", "same_day", "2025-10-08", "15:44"),
        ("14:15", "same_day", "2025-10-09", "09:30"),
        ("13:10", "next_day", "2025-10-09", "09:30"),
        ("23:10", "instant", "2025-10-08", "23:11"),
    ],
)
def test_a_route_arrives_when_the_schedule_says(clock: str, route: Any, day: str, at: str) -> None:
    world = till(clock)
    preview = preview_payout(world, "PYE-1", 100, route)
    payout = release_payout(world, draft(world, 100, route)).id
    later(world, 1_500)

    assert (preview.arrives, preview.arrives_at) == (day, at)
    assert world[Payout][payout].settled_on == day


def test_a_scheduled_payout_goes_by_itself_or_fails(world: World) -> None:
    good, bad = draft(world), draft(world, 4_400)
    schedule_payout(world, good, "13:30")
    schedule_payout(world, bad, "13:31")
    with pytest.raises(Refused, match="no draft"):
        release_payout(world, good)
    with pytest.raises(Refused, match="has passed"):
        schedule_payout(world, draft(world), "13:00")
    later(world, 30)

    assert (world[Payout][good].status, world[Payout][bad].status) == ("released", "failed")


def test_a_cancelled_payout_stays_where_it_is(world: World) -> None:
    payout = draft(world)
    schedule_payout(world, payout, "13:30")
    cancel_payout(world, payout)
    later(world, 30)

    assert world[CollateralAccount]["COA-1"].balance == 6_000
    with pytest.raises(Refused, match="is cancelled"):
        cancel_payout(world, payout)


def test_a_recalled_payout_comes_back_without_its_fee(world: World) -> None:
    payout = release_payout(world, draft(world)).id
    assert recall_payout(world, payout).status == "recalling"
    later(world, 20)

    assert world[Payout][payout].status == "returned"
    assert world[CollateralAccount]["COA-1"].balance == 6_000
    assert world[Account]["ACC-1"].balance == 1_850
    assert world[DailyLimit]["DLM-1"].used == 0
    later(world, 200)
    assert world[Payout][payout].settled_on is None


def test_a_recall_can_come_too_late(world: World) -> None:
    payout = release_payout(world, draft(world)).id
    later(world, 80)
    recall_payout(world, payout)
    later(world, 30)

    assert world[Payout][payout].status == "settled"
    with pytest.raises(Refused, match="cannot be recalled"):
        recall_payout(world, payout)


def test_a_recall_gives_back_to_the_limit_of_the_day_of_release_and_to_no_other() -> None:
    world = till("23:30")
    held_back = release_payout(world, draft(world, 2_000, "next_day")).id
    later(world, 60)
    release_payout(world, draft(world, 700, "next_day"))
    recall_payout(world, held_back)
    later(world, 20)

    assert world[Payout][held_back].status == "returned"
    assert (world[DailyLimit]["DLM-1"].used, world[DailyLimit]["DLM-2"].used) == (0, 700)


def test_a_recall_from_before_the_book_gives_back_to_no_limit(world: World) -> None:
    payout = draft(world)
    world[Payout].change(payout, status="released")
    release_payout(world, draft(world, 700))
    recall_payout(world, payout)
    later(world, 20)

    assert world[DailyLimit]["DLM-1"].used == 700


def test_an_instant_payout_cannot_be_recalled(world: World) -> None:
    payout = release_payout(world, draft(world, 100, "instant")).id
    with pytest.raises(Refused, match="by route instant"):
        recall_payout(world, payout)


def test_a_payee_is_put_on_file_once_and_taken_off_when_nothing_is_under_way(world: World) -> None:
    with pytest.raises(Refused, match="four digits"):
        register_payee(world, "PTY-1", "Mill", "B", "11", "USD")
    with pytest.raises(Refused, match="on file already"):
        register_payee(world, "PTY-1", "Mill", "B", "1111", "USD")
    assert register_payee(world, "PTY-1", "Mill", "B", "9999", "USD").status == "live"
    release_payout(world, draft(world))
    with pytest.raises(Refused, match="on its way"):
        close_payee(world, "PYE-1")
    later(world, 100)
    close_payee(world, "PYE-1")

    assert world[Payee]["PYE-1"].status == "closed"
    with pytest.raises(Refused, match="closed already"):
        close_payee(world, "PYE-1")


def test_a_preadvice_names_the_partner_and_a_paper_of_the_payee(world: World) -> None:
    payout = abroad(world)
    with pytest.raises(Refused, match="TDC-2 is Mill's"):
        send_preadvice(world, payout, "TDC-2", "goods")
    with pytest.raises(Refused, match="nothing to pre-advise"):
        send_preadvice(world, draft(world), "TDC-1", "goods")
    row = send_preadvice(world, payout, "TDC-1", "goods")

    assert (row.partner, row.t, row.case) == ("Lumiar", 0, "CASE-1")
    with pytest.raises(Refused, match="pre-advised already"):
        send_preadvice(world, payout, "TDC-1", "goods")


def test_a_preadvice_can_be_withdrawn_until_the_payout_goes(world: World) -> None:
    payout = abroad(world)
    first = send_preadvice(world, payout, "TDC-1", "goods").id
    assert withdraw_preadvice(world, first).status == "withdrawn"
    with pytest.raises(Refused, match="is withdrawn"):
        withdraw_preadvice(world, first)
    second = send_preadvice(world, payout, "TDC-1", "goods").id
    release_payout(world, payout)
    with pytest.raises(Refused, match="on its way"):
        withdraw_preadvice(world, second)


# --- batches --------------------------------------------------------------------------------------


def test_a_batch_pays_first_and_posts_its_credits_afterwards(world: World) -> None:
    batch = open_batch(world, "CASE-1", (draft(world), draft(world, 500)), ("EXC-2",), "COA-1").id
    world.take_log()
    run_batch(world, batch)
    seen = [w.new.balance for w in world.take_log() if w.table == "collateral_accounts"]

    assert batch_totals(world, batch) == ("COA-1: 2500 cents",)
    assert seen == [4_000, 3_500, 4_200]
    assert world[ExpectedCredit]["EXC-2"].posted_to == "COA-1"


def test_a_batch_runs_whole_or_not_at_all(world: World) -> None:
    over = open_batch(world, "CASE-1", (draft(world, 3_000), draft(world, 1_600))).id
    with pytest.raises(Refused, match="COA-1 can give 4500 cents, not 4600"):
        run_batch(world, over)
    many = open_batch(world, "CASE-1", (draft(world, 4_000), draft(world, 1_100, pays="ACC-1"))).id
    with pytest.raises(Refused, match="DLM-1"):
        run_batch(world, many)
    early = open_batch(world, "CASE-1", (draft(world, 100),), ("EXC-1",), "COA-1").id
    with pytest.raises(Refused, match="EXC-1 has not been received"):
        run_batch(world, early)

    assert world[CollateralAccount]["COA-1"].balance == 6_000


def test_a_batch_is_of_one_customer_and_says_where_its_credits_go(world: World) -> None:
    payout = draft(world)
    with pytest.raises(Refused, match="nothing twice"):
        open_batch(world, "CASE-1", (payout, payout))
    with pytest.raises(Refused, match="at least one"):
        open_batch(world, "CASE-1", ())
    with pytest.raises(Refused, match="go together"):
        open_batch(world, "CASE-1", (payout,), ("EXC-2",))
    with pytest.raises(Refused, match="ACC-2 in EUR"):
        open_batch(world, "CASE-1", (payout,), ("EXC-2",), "ACC-2")
    world[ExpectedCredit].change("EXC-2", owner="PTY-9")
    with pytest.raises(Refused, match="not everything belongs to PTY-1"):
        open_batch(world, "CASE-1", (payout,), ("EXC-2",), "COA-1")


def test_a_dropped_batch_leaves_its_payouts_as_drafts(world: World) -> None:
    payout = draft(world)
    batch = open_batch(world, "CASE-1", (payout,)).id
    drop_batch(world, batch)

    assert world[Payout][payout].status == "draft"
    with pytest.raises(Refused, match="is dropped"):
        run_batch(world, batch)
    with pytest.raises(Refused, match="is dropped"):
        drop_batch(world, batch)
