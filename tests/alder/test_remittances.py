"""Remittances: instructions, advices, allocations, credit memos and remainders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.receipts import close_receipts_file, reconcile_receipts_file
from bythebook.alder.desks.remittances import (
    Allocation,
    CreditMemo,
    Invoice,
    Line,
    Receipt,
    WriteOff,
    advice_as_booked,
    aged_invoices,
    allocate_receipts,
    booked,
    clear_allocations,
    confirm_buyer_instruction,
    instruction_came_in,
    instructions_of_buyer,
    issue_credit_memo,
    propose_remittance_advice,
    record_buyer_instruction,
    void_credit_memo,
    withdraw_remittance_advice,
    write_off_remainder,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.harbour import harbour


@pytest.fixture
def world() -> World:
    return harbour()


def close(world: World) -> None:
    reconcile_receipts_file(world, "RF-1")
    close_receipts_file(world, "RF-1")


def test_instructions_come_in_the_order_received(world: World) -> None:
    assert [i.id for i in instructions_of_buyer(world, "PTY-2")] == ["BI-2", "BI-1"]


def test_what_a_buyer_says_stands_unconfirmed_unless_it_comes_through_the_portal(
    world: World,
) -> None:
    call = record_buyer_instruction(world, "PTY-2", "telephone", "pay the second")
    assert (call.status, call.received) == ("unconfirmed", "2025-09-25")
    assert record_buyer_instruction(world, "PTY-2", "portal", "x").status == "confirmed"
    with pytest.raises(Refused, match="no buyer"):
        record_buyer_instruction(world, "PTY-1", "letter", "x")
    with pytest.raises(Refused, match="text"):
        record_buyer_instruction(world, "PTY-2", "letter", "  ")
    with pytest.raises(Refused, match="on file as of today"):
        record_buyer_instruction(world, "PTY-2", "letter", "pay the second")


def test_a_confirmed_instruction_counts_from_the_day_of_confirmation(world: World) -> None:
    row = confirm_buyer_instruction(world, "BI-2")

    assert (row.status, row.received) == ("confirmed", "2025-09-25")
    with pytest.raises(Refused, match="already"):
        confirm_buyer_instruction(world, "BI-2")


def test_what_comes_with_a_run_of_the_portal_is_confirmed_and_of_today(world: World) -> None:
    instruction_came_in(world, "BI-9", "PTY-2", "for 310 read 301")

    row = instructions_of_buyer(world, "PTY-2")[-1]
    assert (row.id, row.channel, row.status) == ("BI-9", "portal", "confirmed")
    assert (row.received, row.text) == ("2025-09-25", "for 310 read 301")


def test_invoices_are_shown_by_due_date(world: World) -> None:
    assert [i.id for i in aged_invoices(world, "RF-1")] == ["INV-2", "INV-1"]


def test_an_advice_books_nothing(world: World) -> None:
    row = propose_remittance_advice(world, "RF-1", (Line("RC-1", "INV-1", 4_000),))

    assert (row.status, len(world[Allocation])) == ("proposed", 0)
    assert advice_as_booked(world, row.id) == 4_000


def test_an_advice_uses_no_more_than_there_was_before_anything_was_booked(world: World) -> None:
    lines = (Line("RC-1", "INV-1", 4_000), Line("RC-1", "INV-2", 1_000))
    allocate_receipts(world, "RF-1", lines)
    assert propose_remittance_advice(world, "RF-1", lines).lines == lines
    with pytest.raises(Refused, match="5000 cents free"):
        propose_remittance_advice(world, "RF-1", (*lines, Line("RC-1", "INV-2", 1)))
    with pytest.raises(Refused, match="4000 cents open"):
        propose_remittance_advice(world, "RF-1", (*lines, Line("RC-2", "INV-1", 1)))
    with pytest.raises(Refused, match="at least one"):
        propose_remittance_advice(world, "RF-1", ())
    with pytest.raises(Refused, match="no invoice of RF-1"):
        propose_remittance_advice(world, "RF-1", (Line("RC-1", "INV-8", 1),))
    with pytest.raises(Refused, match="no receipt or credit memo of RF-2"):
        propose_remittance_advice(world, "RF-2", (Line("RC-1", "INV-8", 1),))


def test_an_advice_is_withdrawn_once_and_unbooks_nothing(world: World) -> None:
    lines = (Line("RC-1", "INV-1", 4_000),)
    row = propose_remittance_advice(world, "RF-1", lines)
    allocate_receipts(world, "RF-1", lines)
    assert advice_as_booked(world, row.id) == 0

    withdraw_remittance_advice(world, row.id)

    assert len(booked(world, "RC-1")) == 1
    with pytest.raises(Refused, match="withdrawn before"):
        withdraw_remittance_advice(world, row.id)


def test_lines_are_booked_all_or_none(world: World) -> None:
    with pytest.raises(Refused, match="RC-2 has 3000 cents free"):
        allocate_receipts(world, "RF-1", (Line("RC-1", "INV-1", 100), Line("RC-2", "INV-2", 3_001)))
    assert world.log == []

    allocate_receipts(world, "RF-1", (Line("RC-1", "INV-1", 100), Line("CM-1", "INV-1", 700)))

    assert world[Invoice]["INV-1"].open == 3_200
    assert world[CreditMemo]["CM-1"].open == 0


def test_an_invoice_is_not_paid_twice(world: World) -> None:
    allocate_receipts(world, "RF-1", (Line("RC-1", "INV-1", 4_000),))
    with pytest.raises(Refused, match="INV-1 has 0 cents open"):
        allocate_receipts(world, "RF-1", (Line("RC-2", "INV-1", 1),))


def test_clearing_opens_invoices_and_memos_again(world: World) -> None:
    allocate_receipts(world, "RF-1", (Line("CM-1", "INV-1", 700), Line("RC-1", "INV-1", 50)))

    clear_allocations(world, "CM-1")

    assert world[Invoice]["INV-1"].open == 3_950
    assert world[CreditMemo]["CM-1"].open == 700
    with pytest.raises(Refused, match="nothing is allocated from CM-1"):
        clear_allocations(world, "CM-1")


def test_a_credit_memo_is_no_larger_than_what_is_owed(world: World) -> None:
    assert issue_credit_memo(world, "RF-1", 10_000, "flood").open == 10_000
    with pytest.raises(Refused, match="10000 cents of open invoices"):
        issue_credit_memo(world, "RF-1", 10_001, "flood")
    with pytest.raises(Refused, match="reason"):
        issue_credit_memo(world, "RF-1", 1, " ")


def test_only_an_unused_memo_can_be_void(world: World) -> None:
    allocate_receipts(world, "RF-1", (Line("CM-1", "INV-1", 1),))
    with pytest.raises(Refused, match="1 cents of it are used"):
        void_credit_memo(world, "CM-1")
    clear_allocations(world, "CM-1")

    assert void_credit_memo(world, "CM-1").open == 0
    with pytest.raises(Refused, match="void already"):
        void_credit_memo(world, "CM-1")
    with pytest.raises(Refused, match="no receipt or credit memo"):
        allocate_receipts(world, "RF-1", (Line("CM-1", "INV-1", 1),))


def test_only_a_small_remainder_is_written_off(world: World) -> None:
    limit = world.policy.number("writeoff.remainder.limit", world.day)
    with pytest.raises(Refused, match="not been paid in part"):
        write_off_remainder(world, "INV-1")
    allocate_receipts(world, "RF-1", (Line("RC-1", "INV-1", 4_000 - limit - 1),))
    with pytest.raises(Refused, match=f"the limit is {limit}"):
        write_off_remainder(world, "INV-1")
    allocate_receipts(world, "RF-1", (Line("RC-1", "INV-1", 1),))

    assert write_off_remainder(world, "INV-1").amount == limit
    assert world[Invoice]["INV-1"].open == 0
    with pytest.raises(Refused, match="nothing open"):
        write_off_remainder(world, "INV-1")


def test_papers_of_a_closed_file_stay_as_they_are(world: World) -> None:
    close(world)
    for late in (
        lambda: propose_remittance_advice(world, "RF-1", (Line("RC-1", "INV-1", 1),)),
        lambda: issue_credit_memo(world, "RF-1", 1, "late"),
        lambda: void_credit_memo(world, "CM-1"),
        lambda: write_off_remainder(world, "INV-1"),
    ):
        with pytest.raises(Refused, match="RF-1 is closed"):
            late()


Moves = st.lists(
    st.tuples(
        st.sampled_from(["allocate", "clear", "write off", "void"]),
        st.sampled_from(["RC-1", "RC-2", "CM-1"]),
        st.sampled_from(["INV-1", "INV-2"]),
        st.integers(1, 6_500),
    ),
    max_size=14,
)


@given(Moves)
def test_whatever_is_booked_money_is_neither_made_nor_lost(
    moves: list[tuple[str, str, str, int]],
) -> None:
    world = harbour()
    for what, source, invoice, amount in moves:
        try:
            attempt(world, what, source, invoice, amount)
        except Refused:
            world.undo()
        world.take_log()
    for row in world[Invoice].where(file="RF-1"):
        paid = sum(a.amount for a in world[Allocation].where(invoice=row.id, status="booked"))
        gone = sum(w.amount for w in world[WriteOff].where(invoice=row.id))
        assert row.open + paid + gone == row.amount
    for receipt in world[Receipt].where(file="RF-1"):
        assert sum(line.amount for line in booked(world, receipt.id)) <= receipt.amount
    memo = world[CreditMemo]["CM-1"]
    used = sum(line.amount for line in booked(world, "CM-1"))
    assert memo.status == "void" or memo.open + used == memo.amount


def attempt(world: World, what: str, source: str, invoice: str, amount: int) -> None:
    match what:
        case "allocate":
            allocate_receipts(world, "RF-1", (Line(source, invoice, amount),))
        case "clear":
            clear_allocations(world, source)
        case "write off":
            write_off_remainder(world, invoice)
        case _:
            void_credit_memo(world, "CM-1")
