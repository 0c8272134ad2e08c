"""Plans and change sheets of shops; terminals, their batches and the engineers who swap them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.pricing import (
    ChangeSheet,
    PlanLine,
    Shop,
    TakingsLine,
    draft_change_sheet,
    enter_plan_change,
    invite_shop_holder,
    price_under_plan,
    promotions_of_shop,
    start_change_sheet,
    withdraw_change_sheet,
)
from bythebook.alder.desks.terminals import (
    CardTerminal,
    SwapSlot,
    TerminalBatch,
    book_terminal_swap,
    cancel_terminal_swap,
    close_terminal_batch,
    free_swap_slots,
    reopen_terminal,
    settle_terminal_batch,
)
from bythebook.conduct.world import World, terms_hash
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.tea_rooms import DAY, tea_rooms

FRIDAY = "2025-10-31"


@pytest.fixture
def world() -> World:
    return tea_rooms()


def line(shop: str = "SHP-1", plan: str = "CPL-2", start: str = DAY) -> PlanLine:
    return PlanLine(shop, plan, start)


def started(world: World, *lines: PlanLine) -> str:
    return start_change_sheet(world, draft_change_sheet(world, "CASE-1", lines).id).id


def test_promotions_are_listed_shop_by_shop(world: World) -> None:
    assert [p.id for p in promotions_of_shop(world, "SHP-1")] == ["SPM-1"]
    with pytest.raises(Refused, match="there is no 'SHP-7'"):
        promotions_of_shop(world, "SHP-7")


def test_a_price_is_a_share_and_something_for_each_sale(world: World) -> None:
    assert price_under_plan(world, "CPL-1", 10, 20_000) == 430
    assert price_under_plan(world, "CPL-2", 10, 20_050) == 240
    with pytest.raises(Refused, match="below zero"):
        price_under_plan(world, "CPL-2", -1, 100)


def test_a_sheet_is_the_same_however_its_lines_are_listed(world: World) -> None:
    lines = (line("SHP-2", start=FRIDAY), line())
    moves = (TakingsLine("TKP-2", "PAC-2"), TakingsLine("TKP-1", "PAC-2"))
    first = draft_change_sheet(world, "CASE-1", lines, moves)

    assert [x.shop for x in first.lines] == ["SHP-1", "SHP-2"]
    withdraw_change_sheet(world, first.id)
    again = draft_change_sheet(world, "CASE-1", lines[::-1], moves[::-1])
    assert terms_hash(again) == terms_hash(first)


def test_a_sheet_keeps_to_one_chain_one_line_a_shop_and_plans_on_offer(world: World) -> None:
    with pytest.raises(Refused, match="CASE-2 is closed"):
        draft_change_sheet(world, "CASE-2", (line(),))
    for lines in ((), (line(), line(start=FRIDAY))):
        with pytest.raises(Refused, match="each only once"):
            draft_change_sheet(world, "CASE-1", lines)
    with pytest.raises(Refused, match="SHP-9 is no shop of PTY-1"):
        draft_change_sheet(world, "CASE-1", (line("SHP-9"),))
    with pytest.raises(Refused, match="CPL-1 is not offered"):
        draft_change_sheet(world, "CASE-1", (line(plan="CPL-1"),))
    with pytest.raises(Refused, match="2025-10-29 has passed"):
        draft_change_sheet(world, "CASE-1", (line(start="2025-10-29"),))


def test_a_case_has_one_draft_sheet_at_a_time(world: World) -> None:
    first = draft_change_sheet(world, "CASE-1", (line(),))
    with pytest.raises(Refused, match="has a draft sheet already"):
        draft_change_sheet(world, "CASE-1", (line("SHP-2"),))
    assert withdraw_change_sheet(world, first.id).status == "withdrawn"
    sheet = started(world, line())
    for tool in (withdraw_change_sheet, start_change_sheet):
        with pytest.raises(Refused, match="is started, not a draft"):
            tool(world, sheet)


def test_a_move_is_entered_once_from_a_started_sheet_and_holds_from_its_day(world: World) -> None:
    draft = draft_change_sheet(world, "CASE-1", (line(), line("SHP-2", start=FRIDAY)))
    with pytest.raises(Refused, match="is draft, not started"):
        enter_plan_change(world, draft.id, "SHP-1")
    sheet = start_change_sheet(world, draft.id).id
    enter_plan_change(world, sheet, "SHP-1")
    move = enter_plan_change(world, sheet, "SHP-2")

    assert (move.plan, move.start) == ("CPL-2", FRIDAY)
    assert [world[Shop][s].plan for s in ("SHP-1", "SHP-2")] == ["CPL-2", "CPL-1"]
    with pytest.raises(Refused, match="was entered from"):
        enter_plan_change(world, sheet, "SHP-2")
    with pytest.raises(Refused, match="says nothing about SHP-9"):
        enter_plan_change(world, sheet, "SHP-9")
    assert world[ChangeSheet][sheet].status == "started"


def test_an_invitation_goes_to_an_active_party_other_than_the_chain(world: World) -> None:
    with pytest.raises(Refused, match="PTY-1 is the chain"):
        invite_shop_holder(world, "SHP-1", "PTY-1", "CPL-2")
    with pytest.raises(Refused, match="PTY-3 is not active"):
        invite_shop_holder(world, "SHP-1", "PTY-3", "CPL-2")
    with pytest.raises(Refused, match="CPL-1 is not offered"):
        invite_shop_holder(world, "SHP-1", "PTY-2", "CPL-1")
    assert invite_shop_holder(world, "SHP-1", "PTY-2", "CPL-2").status == "open"
    with pytest.raises(Refused, match="SHP-1 has an open invitation"):
        invite_shop_holder(world, "SHP-1", "PTY-2", "CPL-2")


# --- terminals ------------------------------------------------------------------------------------


def test_free_slots_lie_ahead(world: World) -> None:
    assert [s.id for s in free_swap_slots(world, DAY)] == ["SWS-2", "SWS-1", "SWS-3"]
    later(world, 15)
    assert [s.id for s in free_swap_slots(world, DAY)] == ["SWS-1", "SWS-3"]
    assert [s.id for s in free_swap_slots(world, FRIDAY)] == ["SWS-4"]


def test_a_slot_is_free_ahead_and_brings_the_model(world: World) -> None:
    with pytest.raises(Refused, match="SWS-5 has begun"):
        book_terminal_swap(world, "SWS-5", "TRM-1")
    with pytest.raises(Refused, match="brings the counter model"):
        book_terminal_swap(world, "SWS-3", "TRM-1")
    with pytest.raises(Refused, match="TRM-3 is swapped or booked"):
        book_terminal_swap(world, "SWS-3", "TRM-3")
    book_terminal_swap(world, "SWS-1", "TRM-1")
    with pytest.raises(Refused, match="SWS-1 is booked"):
        book_terminal_swap(world, "SWS-1", "TRM-2")
    with pytest.raises(Refused, match="TRM-1 is swapped or booked"):
        book_terminal_swap(world, "SWS-2", "TRM-1")


def test_an_engineer_can_be_called_off_until_the_slot_begins(world: World) -> None:
    with pytest.raises(Refused, match="SWS-1 is free"):
        cancel_terminal_swap(world, "SWS-1")
    book_terminal_swap(world, "SWS-2", "TRM-2")
    assert cancel_terminal_swap(world, "SWS-2").status == "free"
    book_terminal_swap(world, "SWS-2", "TRM-1")
    world.t = 15
    with pytest.raises(Refused, match="SWS-2 has begun"):
        cancel_terminal_swap(world, "SWS-2")
    later(world, 0)
    assert world[CardTerminal]["TRM-1"].status == "swapped"
    assert world[CardTerminal]["TRM-2"].status == "live"


def test_a_batch_is_priced_by_the_plan_of_the_minute_it_is_through(world: World) -> None:
    assert close_terminal_batch(world, "TRM-1").status == "closed"
    assert world[CardTerminal]["TRM-1"].status == "dark"
    assert settle_terminal_batch(world, "TBT-1").status == "settling"
    later(world, 4)
    assert world[TerminalBatch]["TBT-1"].fee is None
    later(world, 1)

    batch = world[TerminalBatch]["TBT-1"]
    assert (batch.status, batch.plan, batch.fee) == ("settled", "CPL-1", 430)
    with pytest.raises(Refused, match="TBT-1 is settled, not closed"):
        settle_terminal_batch(world, "TBT-1")


def test_what_is_not_through_travels_to_the_new_terminal(world: World) -> None:
    book_terminal_swap(world, "SWS-1", "TRM-1")
    enter_plan_change(world, started(world, line()), "SHP-1")
    later(world, 56)
    close_terminal_batch(world, "TRM-1")
    settle_terminal_batch(world, "TBT-1")
    later(world, 30)

    batch = world[TerminalBatch]["TBT-1"]
    assert (batch.status, batch.plan, batch.fee) == ("carried", "CPL-2", 240)
    assert world[SwapSlot]["SWS-1"].status == "done"


def test_an_engineer_does_not_climb_in(world: World) -> None:
    book_terminal_swap(world, "SWS-1", "TRM-2")
    later(world, 60)

    assert world[SwapSlot]["SWS-1"].status == "missed"
    assert world[CardTerminal]["TRM-2"].status == "live"
    assert world[TerminalBatch]["TBT-2"].status == "open"


def test_a_slot_of_tomorrow_does_nothing_today(world: World) -> None:
    book_terminal_swap(world, "SWS-4", "TRM-1")
    later(world, 600)
    assert world[SwapSlot]["SWS-4"].status == "booked"


def test_a_dark_terminal_can_be_opened_again_with_a_new_batch(world: World) -> None:
    with pytest.raises(Refused, match="TRM-1 is live, not dark"):
        reopen_terminal(world, "TRM-1")
    with pytest.raises(Refused, match="TBT-1 is open, not closed"):
        settle_terminal_batch(world, "TBT-1")
    close_terminal_batch(world, "TRM-1")
    with pytest.raises(Refused, match="TRM-1 has no open batch"):
        close_terminal_batch(world, "TRM-1")
    batch = reopen_terminal(world, "TRM-1")

    assert (batch.sales, batch.amount, batch.status) == (0, 0, "open")
    assert world[CardTerminal]["TRM-1"].status == "live"


@given(st.lists(st.sampled_from(["close", "reopen", "settle", "wait", "swap", "off"]), max_size=12))
def test_sales_are_priced_once_and_never_lost(acts: list[str]) -> None:
    world = tea_rooms()
    run: dict[str, Callable[[], object]] = {
        "close": lambda: close_terminal_batch(world, "TRM-1"),
        "reopen": lambda: reopen_terminal(world, "TRM-1"),
        "settle": lambda: settle_terminal_batch(world, "TBT-1"),
        "wait": lambda: later(world, 7),
        "swap": lambda: book_terminal_swap(world, "SWS-2", "TRM-1"),
        "off": lambda: cancel_terminal_swap(world, "SWS-2"),
    }
    for act in acts:
        try:
            run[act]()
        except Refused:
            continue
    later(world, 200)
    batches = world[TerminalBatch].where(terminal="TRM-1")

    assert sum(b.amount for b in batches) == 20_000
    assert all((b.fee is not None) == (b.status in ("settled", "carried")) for b in batches)
