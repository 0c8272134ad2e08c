"""Statement lines, breakdowns and slips: what a call does, and what is refused."""

from collections.abc import Callable
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.gates import (
    PurchaseOrder,
    WindowLot,
    apply_order_change,
)
from bythebook.alder.desks.matching import (
    Fit,
    FundsNotice,
    Lane,
    Slip,
    StatementLine,
    draw_slip,
    fitting_orders,
    post_slip,
    reverse_slip,
    told_to_supplier,
    used_of_line,
    withdraw_slip,
)
from bythebook.alder.desks.statements import (
    Breakdown,
    LineQuery,
    Part,
    line_position,
    note_spoken_breakdown,
    query_statement_line,
    read_back_breakdown,
    request_breakdown,
    withdraw_line_query,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import EVENTS, until
from tests.alder.loading_bay import bay

UNIT = Lane("in_window", "WLO-1")
EVENING = Lane("evening")


def slip(world: World, order: str, amount: int, lane: Lane = UNIT) -> Slip:
    return draw_slip(world, "CASE-1", "SLN-1", order, amount, lane)


# --- statements ---------------------------------------------------------------------------------


def test_the_bank_answers_in_its_next_file_and_makes_the_line_final() -> None:
    world = bay()
    query = query_statement_line(world, "SLN-1", "amount")
    assert (query.due, world[StatementLine]["SLN-1"].state) == (90, "under_query")

    until(world, "14:30")

    line = world[StatementLine]["SLN-1"]
    assert (line.amount, line.state, line.advised_amount) == (9985, "final", 9000)
    assert world[LineQuery][query.id].answer == "corrected"


@pytest.mark.parametrize(("clock", "file"), [("14:20", 90), ("14:21", 180), ("15:51", 1530)])
def test_a_query_lodged_too_late_goes_with_the_next_file(clock: str, file: int) -> None:
    world = bay()
    until(world, clock)

    assert query_statement_line(world, "SLN-1", "amount").due == file


def test_the_bank_answers_the_point_that_was_asked_and_no_other() -> None:
    world = bay()
    query_statement_line(world, "SLN-1", "reference")
    until(world, "14:30")

    line = world[StatementLine]["SLN-1"]
    assert (line.amount, line.state) == (9000, "advised")


def test_a_line_is_asked_about_once_at_a_time_and_never_when_final() -> None:
    world = bay()
    query = query_statement_line(world, "SLN-1", "amount")
    with pytest.raises(Refused, match="has an open query"):
        query_statement_line(world, "SLN-1", "amount")
    with pytest.raises(Refused, match="is final"):
        query_statement_line(world, "SLN-2", "amount")

    withdraw_line_query(world, query.id)

    assert world[StatementLine]["SLN-1"].state == "advised"
    with pytest.raises(Refused, match="withdrawn, not pending"):
        withdraw_line_query(world, query.id)
    until(world, "14:30")
    assert world[StatementLine]["SLN-1"].amount == 9000


def test_the_evening_statement_makes_any_line_final() -> None:
    world = bay()
    EVENTS["evening_statement"](world, line="SLN-1")
    EVENTS["evening_statement"](world, line="SLN-2")

    assert world[StatementLine]["SLN-1"].amount == 9985
    assert world[StatementLine]["SLN-2"].amount == 500


def test_a_line_that_shrinks_takes_back_its_newest_slips() -> None:
    world = bay()
    kept = slip(world, "PO-2", 5000)
    post_slip(world, kept.id)
    until(world, "13:10")
    gone = slip(world, "PO-1", 4000)
    post_slip(world, gone.id)
    world[StatementLine].change("SLN-1", amount=7000)
    world.schedule("evening_statement", due=world.t, line="SLN-2")
    world.tables["bank_records"] = {}

    EVENTS["evening_statement"](world, line="SLN-1")

    assert [world[Slip][s.id].status for s in (kept, gone)] == ["posted", "reversed"]
    assert [n.kind for n in told_to_supplier(world, "PO-1")] == ["funds_stand", "withdrawn"]


def test_a_list_is_a_breakdown_only_when_it_was_read_back() -> None:
    world = bay()
    asked = request_breakdown(world, "SLN-1", "RMC-1")
    with pytest.raises(Refused, match="only a received list"):
        read_back_breakdown(world, asked.id)
    until(world, "13:10")
    assert world[Breakdown][asked.id].parts == (Part("PO-1", 4000),)
    assert line_position(world, "SLN-1").breakdown is None

    read_back_breakdown(world, asked.id)
    until(world, "13:14")

    position = line_position(world, "SLN-1")
    assert (position.breakdown, position.breakdown_total) == (asked.id, 3900)
    with pytest.raises(Refused, match="is confirmed"):
        read_back_breakdown(world, asked.id)


def test_who_is_not_with_the_remitter_or_was_asked_cannot_be_asked() -> None:
    world = bay()
    with pytest.raises(Refused, match="not with PTY-2"):
        request_breakdown(world, "SLN-1", "RMC-9")
    asked = request_breakdown(world, "SLN-1", "RMC-2")
    with pytest.raises(Refused, match="asked about SLN-1 before"):
        request_breakdown(world, "SLN-1", "RMC-2")
    until(world, "13:10")
    assert world[Breakdown][asked.id].status == "no_answer"


def test_what_was_said_is_a_note_with_a_name() -> None:
    world = bay()
    note = note_spoken_breakdown(world, "SLN-1", (Part("PO-1", 4000),), "Bo")

    assert (note.status, note.contact) == ("spoken", None)
    assert line_position(world, "SLN-1").breakdown_total is None
    with pytest.raises(Refused, match="who said what"):
        note_spoken_breakdown(world, "SLN-1", (Part("PO-1", 4000),), " ")
    with pytest.raises(Refused, match="no order of PTY-1"):
        note_spoken_breakdown(world, "SLN-1", (Part("PO-9", 1000),), "Bo")


# --- matching -----------------------------------------------------------------------------------


def test_the_fit_is_a_search_over_numbers() -> None:
    assert fitting_orders(bay(), "SLN-1") == (Fit(("PO-1", "PO-2"), 9000),)


def test_a_slip_moves_nothing_until_it_is_posted_in_the_window() -> None:
    world = bay()
    drawn = slip(world, "PO-1", 4000)
    assert world[PurchaseOrder]["PO-1"].funded == 0
    with pytest.raises(Refused, match="GWN-1 is open"):
        post_slip(world, drawn.id)
    until(world, "13:10")

    post_slip(world, drawn.id)

    assert world[PurchaseOrder]["PO-1"].funded == 4000
    assert world[WindowLot]["WLO-1"].used == 2
    assert [(n.order, n.amount) for n in world[FundsNotice]] == [("PO-1", 4000)]
    with pytest.raises(Refused, match="posted, not a draft"):
        post_slip(world, drawn.id)


@pytest.mark.parametrize(
    ("order", "amount", "lane", "why"),
    [
        ("PO-9", 1000, UNIT, "different customers"),
        ("PO-2", 5001, UNIT, "can take 5000"),
        ("PO-2", 9001, UNIT, "9000 cents free"),
        ("PO-2", 100, Lane("in_window"), "needs the lot"),
        ("PO-2", 100, Lane("evening", "WLO-1"), "takes no unit"),
        ("PO-2", 100, Lane("in_window", "WLO-2"), "holds hold units"),
        ("PO-1", 100, Lane("in_window", "WLO-3"), "does not cover chilled"),
        ("PO-2", 100, Lane("in_window", "WLO-3"), "not carried"),
        ("PO-2", 100, Lane("in_window", "WLO-9"), "different customers"),
    ],
)
def test_a_slip_that_does_not_fit_is_not_drawn(
    order: str, amount: int, lane: Lane, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        slip(bay(), order, amount, lane)


def test_one_unposted_slip_for_a_line_and_an_order() -> None:
    world = bay()
    first = slip(world, "PO-2", 100)
    with pytest.raises(Refused, match="unposted slip"):
        slip(world, "PO-2", 200)
    with pytest.raises(Refused, match="CASE-2 is closed"):
        draw_slip(world, "CASE-2", "SLN-1", "PO-2", 100, UNIT)

    withdraw_slip(world, first.id, "amount_changed")

    assert slip(world, "PO-2", 200).status == "draft"
    with pytest.raises(Refused, match="only unposted"):
        withdraw_slip(world, first.id, "amount_changed")


def test_the_evening_run_posts_what_was_handed_in() -> None:
    world = bay()
    drawn = slip(world, "PO-3", 1000, EVENING)
    assert post_slip(world, drawn.id).status == "queued"
    assert used_of_line(world, "SLN-1") == 1000
    until(world, "17:30")

    assert world[Slip][drawn.id].status == "posted"
    assert told_to_supplier(world, "PO-3")[0].t == 270


def test_the_evening_run_drops_what_was_withdrawn_or_missed() -> None:
    world = bay()
    withdrawn, missed = slip(world, "PO-3", 1000, EVENING), slip(world, "PO-2", 4000, EVENING)
    post_slip(world, withdrawn.id)
    post_slip(world, missed.id)
    withdraw_slip(world, withdrawn.id, "lane_changed")
    until(world, "17:30")

    assert [world[Slip][s.id].status for s in (withdrawn, missed)] == ["withdrawn", "dropped"]
    assert used_of_line(world, "SLN-1") == 0


def test_reversing_frees_the_money_and_not_the_unit() -> None:
    world = bay()
    drawn = slip(world, "PO-2", 5000)
    with pytest.raises(Refused, match="draft, not posted"):
        reverse_slip(world, drawn.id, "wrong_order")
    post_slip(world, drawn.id)

    reverse_slip(world, drawn.id, "wrong_order")

    assert world[PurchaseOrder]["PO-2"].funded == 0
    assert line_position(world, "SLN-1").free == 9000
    assert world[WindowLot]["WLO-1"].used == 2
    assert [n.kind for n in told_to_supplier(world, "PO-2")] == ["funds_stand", "withdrawn"]


# --- what is conserved --------------------------------------------------------------------------

Act = Callable[[World, str, int], object]
REASON: Literal["wrong_order"] = "wrong_order"


def _any_slip(world: World, number: int) -> str:
    ids = [row.id for row in world[Slip]]
    return ids[number % len(ids)] if ids else "SLP-0"


ACTS: tuple[Act, ...] = (
    lambda w, o, n: slip(w, o, n),
    lambda w, o, n: slip(w, o, n, EVENING),
    lambda w, o, n: post_slip(w, _any_slip(w, n)),
    lambda w, o, n: reverse_slip(w, _any_slip(w, n), REASON),
    lambda w, o, n: withdraw_slip(w, _any_slip(w, n), REASON),
    lambda w, o, n: query_statement_line(w, "SLN-1", "amount"),
    lambda w, o, n: apply_order_change(w, o, "OCH-1"),
    lambda w, o, n: until(w, w.clock_at(w.t + n % 40)),
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(ACTS),
            st.sampled_from(("PO-1", "PO-2", "PO-3")),
            st.integers(1, 6000),
        ),
        max_size=25,
    )
)
def test_what_stands_on_orders_is_what_was_posted_from_lines(
    acts: list[tuple[Act, str, int]],
) -> None:
    world = bay()
    for act, order, number in acts:
        try:
            act(world, order, number)
        except Refused:
            world.undo()
        world.take_log()

    for row in world[PurchaseOrder]:
        posted = world[Slip].where(order=row.id, status="posted")
        told = world[FundsNotice].where(order=row.id)
        heard = sum(n.amount if n.kind == "funds_stand" else -n.amount for n in told)
        assert row.funded == sum(s.amount for s in posted) == heard <= row.amount
    assert used_of_line(world, "SLN-1") <= world[StatementLine]["SLN-1"].amount
    assert all(lot.used <= lot.units for lot in world[WindowLot])
