"""Ledgers, advances on invoices, notices to debtors, and larger shares."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.alder.desks.accounts import Account, Fee
from bythebook.alder.desks.debtors import (
    Assignment,
    ShareRequest,
    assignments_on,
    month_end,
    release_assignment,
    request_debtor_share,
    send_assignment_notice,
    withdraw_assignment_notice,
)
from bythebook.alder.desks.financing import (
    Advance,
    Piece,
    cancel_advance,
    draft_advance,
    draw_advance,
    price_advance,
    repay_advance,
)
from bythebook.alder.desks.ledger import (
    AdvanceEntry,
    Debtor,
    DebtorTotals,
    LedgerInvoice,
    book_side_deduction,
    debtor_totals,
    flag_invoice_dispute,
    lift_invoice_dispute,
    net_credit_note,
    record_direct_payment,
    value,
)
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.counting_house import counting_house
from tests.alder.hours import later


@pytest.fixture
def world() -> World:
    return counting_house()


def drafted(world: World, line: str, *pieces: tuple[str, int]) -> str:
    lines = tuple(Piece(invoice, amount) for invoice, amount in pieces)
    return draft_advance(world, "CASE-1", line, lines, "ACC-1").id


def drawn(world: World, line: str, *pieces: tuple[str, int]) -> str:
    return draw_advance(world, drafted(world, line, *pieces)).id


def balance(world: World, account: str) -> int:
    return world[Account][account].balance


# --- the ledger -----------------------------------------------------------------------------------


def test_a_ledger_is_added_up_by_debtor_with_old_and_disputed_apart(world: World) -> None:
    drawn(world, "FNL-3", ("LIV-1", 700))

    assert debtor_totals(world, "PTY-1", "2025-08-23") == (
        DebtorTotals("DBT-1", "Quick", 50_000, 20_000, 0, 700),
        DebtorTotals("DBT-2", "Slow", 40_000, 0, 10_000, 0),
    )


def test_somebody_without_a_ledger_has_no_totals(world: World) -> None:
    with pytest.raises(Refused, match="no ledger"):
        debtor_totals(world, "PTY-7", "2025-08-23")


def test_a_paid_invoice_goes_off_the_ledger_once(world: World) -> None:
    assert record_direct_payment(world, "DLT-1").status == "paid"
    with pytest.raises(Refused, match="paid already"):
        record_direct_payment(world, "DLT-1")


@pytest.mark.parametrize(("letter", "why"), [("DLT-2", "are owed"), ("DLT-3", "no payment_slip")])
def test_a_slip_must_be_one_and_cover_the_invoice(world: World, letter: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        record_direct_payment(world, letter)


def test_a_deduction_is_the_letters_and_is_entered_once(world: World) -> None:
    assert value(book_side_deduction(world, "DLT-3")) == 36_000
    with pytest.raises(Refused, match="are off it"):
        book_side_deduction(world, "DLT-3")


def test_nobody_may_keep_a_whole_invoice(world: World) -> None:
    with pytest.raises(Refused, match="over 50000 cents"):
        book_side_deduction(world, "DLT-5")


def test_an_invoice_that_carries_an_advance_is_left_alone(world: World) -> None:
    drawn(world, "FNL-3", ("LIV-3", 700))

    with pytest.raises(Refused, match="repaid first"):
        book_side_deduction(world, "DLT-3")


def test_a_credit_note_goes_in_whole_and_stays(world: World) -> None:
    assert net_credit_note(world, "LCN-1", "LIV-1").invoice == "LIV-1"
    assert value(world[LedgerInvoice]["LIV-1"]) == 45_000
    with pytest.raises(Refused, match="is netted against LIV-1"):
        net_credit_note(world, "LCN-1", "LIV-2")


@pytest.mark.parametrize(
    ("note", "invoice", "why"),
    [
        ("LCN-1", "LIV-3", "different debtors"),
        ("LCN-2", "LIV-4", "disputed"),
        ("LCN-2", "LIV-3", "40000 cents are owed"),
    ],
)
def test_a_credit_note_fits_its_invoice(world: World, note: str, invoice: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        net_credit_note(world, note, invoice)


def test_a_dispute_is_flagged_with_a_word_about_it(world: World) -> None:
    assert flag_invoice_dispute(world, "LIV-1", "wrong colour").status == "disputed"
    with pytest.raises(Refused, match="LIV-1 is disputed"):
        flag_invoice_dispute(world, "LIV-1", "again")
    with pytest.raises(Refused, match="say what"):
        flag_invoice_dispute(world, "LIV-2", " ")


def test_a_dispute_is_lifted_on_a_letter_about_that_invoice(world: World) -> None:
    with pytest.raises(Refused, match="about LIV-2"):
        lift_invoice_dispute(world, "LIV-4", "DLT-1")

    assert lift_invoice_dispute(world, "LIV-4", "DLT-4").status == "open"
    with pytest.raises(Refused, match="not disputed"):
        lift_invoice_dispute(world, "LIV-4", "DLT-4")


# --- advances -------------------------------------------------------------------------------------


def test_the_price_follows_line_and_grade_and_counts_begun_cents(world: World) -> None:
    both = (Piece("LIV-1", 20_000), Piece("LIV-3", 10_001))

    assert price_advance(world, "FNL-1", both).fee == 311  # 160 + 150.015
    assert price_advance(world, "FNL-2", both).fee == 181
    assert price_advance(world, "FNL-3", both).fee == 901
    assert price_advance(world, "FNL-2", both).minutes == 15


def test_a_draft_moves_nothing_and_can_be_dropped(world: World) -> None:
    row = world[Advance][drafted(world, "FNL-1", ("LIV-1", 20_000))]

    assert (row.amount, row.fee, row.status) == (20_000, 160, "draft")
    assert balance(world, "ACC-8") == 500_000
    assert cancel_advance(world, row.id).status == "cancelled"
    with pytest.raises(Refused, match="no draft"):
        cancel_advance(world, row.id)


@pytest.mark.parametrize(
    ("case", "pieces", "account", "why"),
    [
        ("CASE-3", [("LIV-1", 10)], "ACC-1", "closed"),
        ("CASE-2", [("LIV-1", 10)], "ACC-1", "one client"),
        ("CASE-1", [("LIV-1", 10)], "ACC-3", "one client"),
        ("CASE-1", [("LIV-1", 10)], "ACC-2", "fee account"),
        ("CASE-1", [("LIV-5", 10)], "ACC-1", "different clients"),
        ("CASE-1", [], "ACC-1", "at least one"),
        ("CASE-1", [("LIV-1", 10), ("LIV-1", 10)], "ACC-1", "every invoice once"),
    ],
)
def test_a_draft_belongs_to_one_client(
    world: World, case: str, pieces: list[tuple[str, int]], account: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        draft_advance(world, case, "FNL-1", tuple(Piece(i, a) for i, a in pieces), account)


def test_a_draw_pays_in_full_and_takes_its_fee_from_the_fee_account(world: World) -> None:
    advance = drawn(world, "FNL-1", ("LIV-1", 20_000))

    assert world[Advance][advance].status == "funded"
    assert (balance(world, "ACC-1"), balance(world, "ACC-2")) == (21_000, 1_840)
    assert balance(world, "ACC-8") == 480_000
    assert [e.debtor for e in world[AdvanceEntry].where(advance=advance)] == ["DBT-1"]
    assert [f.amount for f in world[Fee].where(case="CASE-1")] == [160]


def test_the_pool_pays_a_quarter_of_an_hour_later(world: World) -> None:
    advance = drawn(world, "FNL-2", ("LIV-1", 30_000))

    later(world, 14)
    assert (world[Advance][advance].status, balance(world, "ACC-1")) == ("called", 1_000)
    later(world, 1)
    assert (world[Advance][advance].status, balance(world, "ACC-1")) == ("funded", 31_000)


def test_a_called_draw_falls_when_the_pool_has_run_dry(world: World) -> None:
    advance = drawn(world, "FNL-2", ("LIV-1", 30_000))
    world[Account].change("ACC-9", balance=10)

    later(world, 15)

    assert world[Advance][advance].status == "cancelled"
    assert world[AdvanceEntry].where(status="standing") == []


@pytest.mark.parametrize("clock", ["13:24", "13:45"])
def test_the_pool_is_closed_but_for_twenty_minutes(clock: str) -> None:
    world = counting_house(clock)
    with pytest.raises(Refused, match="from 13:25 to 13:45"):
        drawn(world, "FNL-2", ("LIV-1", 30_000))


def test_a_line_has_only_so_much_room(world: World) -> None:
    drawn(world, "FNL-1", ("LIV-1", 20_000))
    with pytest.raises(Refused, match="room for 10000"):
        drawn(world, "FNL-1", ("LIV-3", 10_001))


def test_an_invoice_carries_one_advance_and_a_paid_one_none(world: World) -> None:
    record_direct_payment(world, "DLT-1")
    with pytest.raises(Refused, match="LIV-2 is paid"):
        drawn(world, "FNL-3", ("LIV-2", 100))
    with pytest.raises(Refused, match="over 50000"):
        drawn(world, "FNL-3", ("LIV-1", 50_001))
    drawn(world, "FNL-3", ("LIV-1", 100))
    with pytest.raises(Refused, match="stands on LIV-1"):
        drawn(world, "FNL-2", ("LIV-1", 100))


def test_a_fee_that_cannot_be_borne_stops_the_draw(world: World) -> None:
    world[Account].change("ACC-2", balance=2)
    with pytest.raises(Refused, match="cannot bear"):
        drawn(world, "FNL-3", ("LIV-1", 100))


def test_repaying_frees_the_invoice_and_keeps_the_fee(world: World) -> None:
    advance = drawn(world, "FNL-3", ("LIV-1", 10_000))
    with pytest.raises(Refused, match="does not belong"):
        repay_advance(world, advance, "ACC-3")

    assert repay_advance(world, advance, "ACC-1").status == "repaid"
    assert (balance(world, "ACC-1"), balance(world, "ACC-2")) == (1_000, 1_700)
    with pytest.raises(Refused, match="not funded"):
        repay_advance(world, advance, "ACC-1")


# --- notices --------------------------------------------------------------------------------------


def test_a_notice_is_acknowledged_after_the_debtors_minutes(world: World) -> None:
    notice = send_assignment_notice(world, drafted(world, "FNL-1", ("LIV-3", 10_000)))

    later(world, 8)
    assert [a.status for a in assignments_on(world, "DBT-2")] == ["noticed"]
    later(world, 1)
    assert world[Assignment][notice.id].status == "acknowledged"
    assert notice.until == "2025-10-31"
    with pytest.raises(Refused, match="is acknowledged"):
        withdraw_assignment_notice(world, notice.id)


def test_a_notice_is_for_one_debtor_of_the_notified_line_and_sent_once(world: World) -> None:
    with pytest.raises(Refused, match="nobody is told"):
        send_assignment_notice(world, drafted(world, "FNL-3", ("LIV-1", 10)))
    with pytest.raises(Refused, match="2 debtors"):
        send_assignment_notice(world, drafted(world, "FNL-1", ("LIV-1", 10), ("LIV-3", 10)))
    advance = drafted(world, "FNL-1", ("LIV-1", 10))
    send_assignment_notice(world, advance)
    with pytest.raises(Refused, match="stands"):
        send_assignment_notice(world, advance)


def test_a_notice_taken_back_in_time_is_never_acknowledged(world: World) -> None:
    advance = drafted(world, "FNL-1", ("LIV-1", 10))
    notice = send_assignment_notice(world, advance)

    withdraw_assignment_notice(world, notice.id)
    later(world, 60)

    assert world[Assignment][notice.id].status == "withdrawn"


def test_a_notice_stays_once_its_advance_is_drawn(world: World) -> None:
    advance = drafted(world, "FNL-1", ("LIV-1", 10))
    notice = send_assignment_notice(world, advance)
    draw_advance(world, advance)
    with pytest.raises(Refused, match="funded"):
        withdraw_assignment_notice(world, notice.id)


def test_an_assignment_is_released_after_its_month_when_nothing_stands() -> None:
    world = counting_house(day="2025-10-31")
    advance = drafted(world, "FNL-1", ("LIV-1", 10_000))
    notice = send_assignment_notice(world, advance)
    with pytest.raises(Refused, match="not acknowledged"):
        release_assignment(world, notice.id)
    draw_advance(world, advance)
    later(world, 2)
    with pytest.raises(Refused, match="to the end of 2025-10-31"):
        release_assignment(world, notice.id)
    later(world, 24 * 60)
    with pytest.raises(Refused, match="funded"):
        release_assignment(world, notice.id)

    repay_advance(world, advance, "ACC-1")

    assert release_assignment(world, notice.id).status == "released"


@pytest.mark.parametrize(
    ("day", "end"),
    [("2025-10-22", "2025-10-31"), ("2025-10-31", "2025-10-31"), ("2025-12-01", "2025-12-31")],
)
def test_a_month_ends_on_its_last_day(day: str, end: str) -> None:
    assert month_end(day) == end


# --- shares ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("debtor", "share", "status"),
    [("DBT-1", 4_500, "granted"), ("DBT-1", 4_501, "declined"), ("DBT-2", 3_500, "declined")],
)
def test_credit_answers_on_the_next_morning(
    world: World, debtor: str, share: int, status: str
) -> None:
    asked = request_debtor_share(world, debtor, share, "season")

    later(world, 12 * 60)
    assert world[ShareRequest][asked.id].status == "asked"
    later(world, 12 * 60)
    assert world[ShareRequest][asked.id].status == status
    assert world[Debtor][debtor].share == (share if status == "granted" else None)


def test_a_share_is_asked_for_once_and_must_be_more(world: World) -> None:
    with pytest.raises(Refused, match="that much already"):
        request_debtor_share(world, "DBT-1", 3_000, "season")
    request_debtor_share(world, "DBT-1", 3_001, "season")
    with pytest.raises(Refused, match="open request"):
        request_debtor_share(world, "DBT-1", 3_002, "season")


# --- money ----------------------------------------------------------------------------------------

MOVE = st.tuples(
    st.sampled_from(["draw", "repay", "wait"]),
    st.sampled_from(["FNL-1", "FNL-2", "FNL-3"]),
    st.sampled_from(["LIV-1", "LIV-2", "LIV-3"]),
    st.integers(1, 60_000),
)


@given(st.lists(MOVE, max_size=12))
def test_no_cent_is_made_or_lost_but_for_the_fees(moves: list[tuple[str, str, str, int]]) -> None:
    world = counting_house()
    before = sum(account.balance for account in world[Account])

    for what, line, invoice, amount in moves:
        with suppress(Refused):
            if what == "draw":
                drawn(world, line, (invoice, amount))
            elif what == "repay":
                repay_advance(world, f"RAD-{amount % 5 + 1}", "ACC-1")
        later(world, 1)
    later(world, 20)

    fees = sum(fee.amount for fee in world[Fee])
    lent = sum(row.amount for row in world[Advance].where(status="funded"))
    assert sum(account.balance for account in world[Account]) == before - fees
    assert lent == sum(e.amount for e in world[AdvanceEntry].where(status="standing"))
