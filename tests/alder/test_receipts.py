"""Receipts files: booking, refiling, returning, reconciling and closing."""

import pytest

from bythebook.alder.desks.receipts import (
    ReturnedReceipt,
    close_receipts_file,
    open_receipts_file,
    receipt_came_in,
    receipts_file_position,
    reconcile_receipts_file,
    record_receipt,
    refile_receipt,
    return_receipt,
)
from bythebook.alder.desks.remittances import (
    Line,
    Receipt,
    ReceiptFile,
    allocate_receipts,
    clear_allocations,
)
from bythebook.alder.desks.reserves import Reserve
from bythebook.conduct.world import World
from bythebook.tool import Refused
from tests.alder.harbour import harbour


@pytest.fixture
def world() -> World:
    return harbour()


def use_up(world: World) -> None:
    """Book all of RF-1's receipts."""
    lines = (Line("RC-1", "INV-2", 5_000), Line("RC-2", "INV-1", 3_000))
    allocate_receipts(world, "RF-1", lines)


def test_a_buyer_has_one_file_a_month_and_currency(world: World) -> None:
    assert open_receipts_file(world, "PTY-1", "PTY-2", "2025-10", "USD").status == "open"
    with pytest.raises(Refused, match="already"):
        open_receipts_file(world, "PTY-1", "PTY-2", "2025-09", "USD")
    with pytest.raises(Refused, match="no customer"):
        open_receipts_file(world, "PTY-3", "PTY-2", "2025-10", "USD")
    with pytest.raises(Refused, match="no buyer"):
        open_receipts_file(world, "PTY-1", "PTY-3", "2025-10", "USD")


def test_a_receipt_is_booked_once_and_not_before_its_day(world: World) -> None:
    row = record_receipt(world, "RF-1", "2025-09-25", 1_000, "three")

    assert (row.status, row.file) == ("booked", "RF-1")
    with pytest.raises(Refused, match="reference 'three'"):
        record_receipt(world, "RF-1", "2025-09-25", 1_000, "three")
    with pytest.raises(Refused, match="has not come yet"):
        record_receipt(world, "RF-1", "2025-09-26", 1_000, "four")
    with pytest.raises(Refused, match="above zero"):
        record_receipt(world, "RF-1", "2025-09-25", 0, "four")


def test_the_clearing_run_books_into_the_file_that_it_guesses(world: World) -> None:
    receipt_came_in(world, "RC-77", "RF-1", 700, "half")

    row = world[Receipt]["RC-77"]
    assert (row.file, row.value_date, row.amount, row.status) == ("RF-1", world.day, 700, "booked")
    reconcile_receipts_file(world, "RF-2")
    close_receipts_file(world, "RF-2")
    receipt_came_in(world, "RC-78", "RF-2", 700, "other half")
    assert "RC-78" not in world[Receipt]


def test_an_unallocated_receipt_moves_to_an_open_file_of_the_same_kind(world: World) -> None:
    assert refile_receipt(world, "RC-1", "RF-2").file == "RF-2"
    with pytest.raises(Refused, match="in RF-2 already"):
        refile_receipt(world, "RC-1", "RF-2")
    with pytest.raises(Refused, match="another owner or currency"):
        refile_receipt(world, "RC-1", "RF-3")
    allocate_receipts(world, "RF-1", (Line("RC-2", "INV-1", 1),))
    with pytest.raises(Refused, match="is allocated"):
        refile_receipt(world, "RC-2", "RF-2")


def test_a_returned_receipt_drops_out_of_the_sums(world: World) -> None:
    return_receipt(world, "RC-1", "payer_recall")

    assert [row.amount for row in world[ReturnedReceipt]] == [5_000]
    assert receipts_file_position(world, "RF-1").received == 3_000
    with pytest.raises(Refused, match="returned before"):
        return_receipt(world, "RC-1", "payer_recall")
    allocate_receipts(world, "RF-1", (Line("RC-2", "INV-1", 3_000),))
    with pytest.raises(Refused, match="is allocated"):
        return_receipt(world, "RC-2", "overpayment")
    with pytest.raises(Refused, match="no receipt or credit memo"):
        allocate_receipts(world, "RF-1", (Line("RC-1", "INV-1", 1),))


def test_the_difference_is_what_was_received_and_not_used(world: World) -> None:
    assert reconcile_receipts_file(world, "RF-1") == 8_000
    use_up(world)
    allocate_receipts(world, "RF-1", (Line("CM-1", "INV-1", 700),))

    assert reconcile_receipts_file(world, "RF-1") == 0
    assert world[ReceiptFile]["RF-1"].reconciled == world.t
    position = receipts_file_position(world, "RF-1")
    assert (position.allocated, position.unallocated, position.invoices_open) == (8_000, 0, 1_300)


def test_the_difference_on_the_file_is_not_kept_up_to_date(world: World) -> None:
    use_up(world)
    reconcile_receipts_file(world, "RF-1")
    clear_allocations(world, "RC-1")

    assert world[ReceiptFile]["RF-1"].difference == 0
    assert receipts_file_position(world, "RF-1").unallocated == 5_000


def test_closing_frees_the_reserves_held_against_the_file(world: World) -> None:
    use_up(world)
    with pytest.raises(Refused, match="never been reconciled"):
        close_receipts_file(world, "RF-1")
    reconcile_receipts_file(world, "RF-1")

    assert close_receipts_file(world, "RF-1").status == "closed"
    assert world[Reserve]["RSV-2"].status == "free"


def test_nothing_in_a_closed_file_can_be_changed(world: World) -> None:
    use_up(world)
    reconcile_receipts_file(world, "RF-1")
    close_receipts_file(world, "RF-1")

    for late in (
        lambda: close_receipts_file(world, "RF-1"),
        lambda: reconcile_receipts_file(world, "RF-1"),
        lambda: clear_allocations(world, "RC-1"),
        lambda: record_receipt(world, "RF-1", "2025-09-25", 1, "late"),
        lambda: return_receipt(world, "RC-1", "overpayment"),
        lambda: refile_receipt(world, "RC-1", "RF-2"),
        lambda: allocate_receipts(world, "RF-1", (Line("CM-1", "INV-1", 1),)),
    ):
        with pytest.raises(Refused, match="RF-1 is closed"):
            late()
    assert world[Receipt]["RC-1"].file == "RF-1"
