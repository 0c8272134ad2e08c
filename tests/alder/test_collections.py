"""Debit files: what is sealed is what is signed, and no entry is lost or collected twice."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.alder.desks.collections import (
    DebitEntry,
    DebitFile,
    Prenotice,
    carry_debit_entry,
    debit_file_totals,
    listed,
    recall_debit_file,
    restore_debit_entry,
    retract_prenotice,
    seal_debit_file,
    send_prenotices,
    submit_debit_file,
    swap_entry_mandate,
    unseal_debit_file,
    withdraw_debit_entry,
)
from bythebook.alder.desks.debits import (
    DebitMandate,
    close_debit_mandate,
    register_debit_mandate,
)
from bythebook.conduct.consent import Approval
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.hours import later
from tests.alder.pool import pool, sign


def status(world: World) -> str:
    return world[DebitFile]["DBF-1"].status


def test_totals_leave_out_what_is_not_listed() -> None:
    world = pool()
    withdraw_debit_entry(world, "DBE-1", "paused")
    found = debit_file_totals(world, "DBF-1")
    assert (found.count, found.subscription, found.joining_fee, found.arrears) == (
        2,
        0,
        15000,
        8000,
    )
    assert (found.total, found.monthly_cap, found.status) == (23000, 30000, "draft")


def test_an_entry_is_withdrawn_under_a_reason_and_put_back() -> None:
    world = pool()
    assert withdraw_debit_entry(world, "DBE-1", "paused").reason == "paused"
    with pytest.raises(Refused, match="withdrawn"):
        withdraw_debit_entry(world, "DBE-1", "lapsed")
    row = restore_debit_entry(world, "DBE-1")
    assert (row.status, row.reason) == ("listed", None)
    with pytest.raises(Refused, match="listed"):
        restore_debit_entry(world, "DBE-1")


def test_an_entry_is_carried_into_a_later_month_only() -> None:
    world = pool()
    for wrong in ("2025-11", "2025-10", "2025-13", "December"):
        with pytest.raises(Refused, match="month"):
            carry_debit_entry(world, "DBE-2", wrong)
    assert carry_debit_entry(world, "DBE-2", "2025-12").carried_to == "2025-12"
    with pytest.raises(Refused, match="carried"):
        carry_debit_entry(world, "DBE-2", "2026-01")
    assert restore_debit_entry(world, "DBE-2").carried_to is None


def test_an_entry_moves_to_another_open_mandate_of_its_payer() -> None:
    world = pool()
    new = register_debit_mandate(world, "MPA-1").id
    for wrong in ("DBM-1", "DBM-4", "DBM-2", "DBM-9"):
        with pytest.raises(Refused):
            swap_entry_mandate(world, "DBE-2", wrong)
    assert swap_entry_mandate(world, "DBE-2", new).mandate == new
    close_debit_mandate(world, "DBM-2", "replaced")
    with pytest.raises(Refused, match="closed"):
        swap_entry_mandate(world, "DBE-2", "DBM-2")


def test_a_sealed_file_has_fixed_lines_and_takes_no_changes() -> None:
    world = pool()
    row = seal_debit_file(world, "DBF-1")
    assert [(line.entry, line.amount) for line in row.lines] == [
        ("DBE-1", 9000),
        ("DBE-2", 8000),
        ("DBE-3", 15000),
    ]
    assert row.total == 32000
    for change in (
        lambda: seal_debit_file(world, "DBF-1"),
        lambda: withdraw_debit_entry(world, "DBE-1", "paused"),
        lambda: carry_debit_entry(world, "DBE-2", "2025-12"),
        lambda: swap_entry_mandate(world, "DBE-2", "DBM-4"),
        lambda: restore_debit_entry(world, "DBE-2"),
    ):
        with pytest.raises(Refused, match="sealed, not draft"):
            change()
    assert unseal_debit_file(world, "DBF-1").lines == ()
    with pytest.raises(Refused, match="not sealed"):
        unseal_debit_file(world, "DBF-1")


def test_a_file_is_not_sealed_empty_or_under_a_closed_mandate() -> None:
    world = pool()
    close_debit_mandate(world, "DBM-2", "lapsed")
    with pytest.raises(Refused, match="DBM-2"):
        seal_debit_file(world, "DBF-1")
    for entry in listed(world, "DBF-1"):
        withdraw_debit_entry(world, entry.id, "asked_by_creditor")
    with pytest.raises(Refused, match="nothing"):
        seal_debit_file(world, "DBF-1")


def test_notices_go_out_from_a_sealed_file_and_are_confirmed_together() -> None:
    world = pool()
    with pytest.raises(Refused, match="not sealed"):
        send_prenotices(world, "DBF-1", ("DBE-1",))
    seal_debit_file(world, "DBF-1")
    for wrong in ((), ("DBE-1", "DBE-1"), ("DBE-9",)):
        with pytest.raises(Refused):
            send_prenotices(world, "DBF-1", wrong)
    send_prenotices(world, "DBF-1", ("DBE-2", "DBE-3"))
    with pytest.raises(Refused, match="announced"):
        send_prenotices(world, "DBF-1", ("DBE-3",))
    with pytest.raises(Refused, match="still out"):
        submit_debit_file(world, "DBF-1")
    later(world, 74)
    assert {notice.status for notice in world[Prenotice]} == {"out"}
    later(world, 1)
    assert {notice.status for notice in world[Prenotice]} == {"confirmed"}


def test_a_notice_is_retracted_when_its_entry_is_out_and_stays_so() -> None:
    world = pool()
    seal_debit_file(world, "DBF-1")
    notice = send_prenotices(world, "DBF-1", ("DBE-2",))[0].id
    with pytest.raises(Refused, match="still to be collected"):
        retract_prenotice(world, notice)
    unseal_debit_file(world, "DBF-1")
    carry_debit_entry(world, "DBE-2", "2025-12")
    assert retract_prenotice(world, notice).status == "retracted"
    later(world, 80)
    assert world[Prenotice][notice].status == "retracted"
    with pytest.raises(Refused, match="retracted before"):
        retract_prenotice(world, notice)


def test_a_signed_file_is_taken_at_the_call() -> None:
    world = pool("14:05")
    seal_debit_file(world, "DBF-1")
    sign(world, "DBF-1")
    submit_debit_file(world, "DBF-1")
    later(world, 54)
    assert status(world) == "submitted"
    later(world, 1)
    assert status(world) == "accepted"
    assert {entry.status for entry in world[DebitEntry]} == {"collected"}
    assert world[DebitMandate]["DBM-2"].last_used == "2025-11-05"
    assert world[DebitMandate]["DBM-4"].last_used == "2025-08-05"


@pytest.mark.parametrize(("clock", "said"), [("14:00", "dropped"), ("14:01", "accepted")])
def test_a_sign_off_that_ends_with_the_call_is_dead(clock: str, said: str) -> None:
    world = pool(clock)
    seal_debit_file(world, "DBF-1")
    sign(world, "DBF-1")
    submit_debit_file(world, "DBF-1")
    later(world, 60)
    assert status(world) == said


def test_a_sign_off_of_other_lines_or_one_taken_back_is_none() -> None:
    world = pool("14:10")
    seal_debit_file(world, "DBF-1")
    sign(world, "DBF-1")
    unseal_debit_file(world, "DBF-1")
    withdraw_debit_entry(world, "DBE-1", "revoked")
    seal_debit_file(world, "DBF-1")
    world[Approval].change(sign(world, "DBF-1").id, revoked=5)
    submit_debit_file(world, "DBF-1")
    later(world, 60)
    assert status(world) == "dropped"
    assert world[DebitEntry]["DBE-2"].status == "listed"


def test_the_gate_closes_for_putting_in_and_for_taking_out() -> None:
    world = pool("14:49")
    seal_debit_file(world, "DBF-1")
    with pytest.raises(Refused, match="not submitted"):
        recall_debit_file(world, "DBF-1")
    submit_debit_file(world, "DBF-1")
    assert recall_debit_file(world, "DBF-1").status == "sealed"
    submit_debit_file(world, "DBF-1")
    later(world, 1)
    with pytest.raises(Refused, match="14:50"):
        recall_debit_file(world, "DBF-1")

    late = pool("14:50")
    seal_debit_file(late, "DBF-1")
    with pytest.raises(Refused, match="14:50"):
        submit_debit_file(late, "DBF-1")


def test_a_recalled_file_is_not_called() -> None:
    world = pool("14:30")
    seal_debit_file(world, "DBF-1")
    sign(world, "DBF-1")
    submit_debit_file(world, "DBF-1")
    recall_debit_file(world, "DBF-1")
    later(world, 40)
    assert status(world) == "sealed"


def test_a_mandate_closed_after_sealing_keeps_the_file_back() -> None:
    world = pool()
    seal_debit_file(world, "DBF-1")
    close_debit_mandate(world, "DBM-1", "revoked")
    with pytest.raises(Refused, match="DBM-1"):
        submit_debit_file(world, "DBF-1")


MOVES = ("withdraw", "carry", "restore", "seal", "unseal")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(MOVES), st.integers(1, 3)), max_size=20))
def test_whatever_is_done_every_cent_is_listed_carried_or_withdrawn(
    moves: list[tuple[str, int]],
) -> None:
    world = pool()
    for move, number in moves:
        entry = f"DBE-{number}"
        try:
            match move:
                case "withdraw":
                    withdraw_debit_entry(world, entry, "paused")
                case "carry":
                    carry_debit_entry(world, entry, "2025-12")
                case "restore":
                    restore_debit_entry(world, entry)
                case "seal":
                    seal_debit_file(world, "DBF-1")
                case _:
                    unseal_debit_file(world, "DBF-1")
        except Refused:
            pass
        assert sum(entry.amount for entry in world[DebitEntry]) == 32000
        row = world[DebitFile]["DBF-1"]
        total = debit_file_totals(world, "DBF-1").total
        assert row.total == (total if row.status == "sealed" else None)
        assert [line.entry for line in row.lines] in ([], [e.id for e in listed(world, "DBF-1")])
