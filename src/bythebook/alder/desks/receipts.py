"""Receipts: money that a buyer has paid in, kept in one file a buyer, month and currency."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.accounts import Balance
from bythebook.alder.desks.parties import Party
from bythebook.alder.desks.remittances import (
    Allocation,
    Invoice,
    Receipt,
    ReceiptFile,
    booked,
    open_file,
)
from bythebook.alder.desks.reserves import Reserve
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Month = Annotated[
    str, Meta(pattern=r"^[0-9]{4}-(?:0[1-9]|1[0-2])\Z", description="a month, YYYY-MM")
]
ReturnReason = Literal["payer_recall", "wrong_beneficiary", "overpayment", "sanctions_instruction"]


class ReturnedReceipt(Row, frozen=True):
    """A receipt sent back to whoever paid it."""

    table: ClassVar[str] = "returned_receipts"
    prefix: ClassVar[str] = "RTN"

    receipt: str
    amount: Balance
    reason: ReturnReason
    t: int


class FilePosition(msgspec.Struct, frozen=True):
    """What a file holds at this moment; amounts in cents of the file's currency."""

    file: str
    status: str
    receipts: int
    received: int
    allocated: int
    unallocated: int
    invoices_open: int
    last_difference: int | None


receipts = Desk(
    "receipts",
    "Buyers' receipts: files, booking, reconciliation, closing.",
    rows=(ReceiptFile, Receipt, ReturnedReceipt),
)


def live_receipts(world: World, file: str) -> list[Receipt]:
    """The receipts of a file that have not been sent back."""
    return world[Receipt].where(file=file, status="booked")


def difference(world: World, file: str) -> int:
    """Cents received and not allocated: what reconciliation reports."""
    received = sum(receipt.amount for receipt in live_receipts(world, file))
    used = sum(
        line.amount
        for line in world[Allocation].where(file=file, status="booked")
        if line.source in world[Receipt]
    )
    return received - used


@receipts.tool()
def receipts_file_position(world: World, file: str) -> FilePosition:
    """Show what a receipts file holds right now: received, allocated, unallocated, still open.

    `last_difference` is the figure of the latest reconciliation and may be older than the rest.
    """
    row = world[ReceiptFile][file]
    live = live_receipts(world, file)
    received, rest = sum(receipt.amount for receipt in live), difference(world, file)
    return FilePosition(
        file=file,
        status=row.status,
        receipts=len(live),
        received=received,
        allocated=received - rest,
        unallocated=rest,
        invoices_open=sum(invoice.open for invoice in world[Invoice].where(file=file)),
        last_difference=row.difference,
    )


@receipts.tool(writes=True)
def open_receipts_file(
    world: World, owner: str, buyer: str, month: Month, currency: Literal["USD", "EUR", "GBP"]
) -> ReceiptFile:
    """Open a receipts file for one buyer of a customer, one month, one currency.

    Refused if the customer already has a file for the same buyer, month and currency.
    """
    if world[Party][owner].role != "customer":
        raise Refused(f"{owner} is no customer; files belong to customers")
    if world[Party][buyer].role != "buyer":
        raise Refused(f"{buyer} is no buyer")
    key = {"owner": owner, "buyer": buyer, "month": month, "currency": currency}
    if world[ReceiptFile].where(**key):
        raise Refused(f"{owner} has a {currency} file for {buyer} and {month} already")
    return world[ReceiptFile].add(
        **key, status="open", difference=None, reconciled=None, closed=None
    )


@receipts.tool(writes=True)
def record_receipt(
    world: World, file: str, value_date: Day, amount: Cents, reference: str
) -> Receipt:
    """Book an incoming payment into an open receipts file.

    The value date is the bank's, not the day of booking, and cannot lie in the future. Refused when
    the same reference stands in the file already.
    """
    open_file(world, file)
    if amount <= 0:
        raise Refused("amount must be above zero")
    if value_date > world.day:
        raise Refused(f"value_date: {value_date} has not come yet; today is {world.day}")
    if world[Receipt].where(file=file, reference=reference):
        raise Refused(f"{file} holds a receipt with reference {reference!r}")
    return world[Receipt].add(
        file=file, value_date=value_date, amount=amount, reference=reference, status="booked"
    )


@receipts.tool(writes=True)
def refile_receipt(world: World, receipt: str, file: str) -> Receipt:
    """Move a receipt that was booked into the wrong file to another open file of the same customer.

    Nothing of it may be allocated. Both files must be open and in one currency.
    """
    row = world[Receipt][receipt]
    origin, goal = open_file(world, row.file), open_file(world, file)
    if origin.id == goal.id:
        raise Refused(f"{receipt} is in {file} already")
    if (origin.owner, origin.currency) != (goal.owner, goal.currency):
        raise Refused(f"{file} has another owner or currency than {origin.id}")
    if booked(world, receipt):
        raise Refused(f"{receipt} is allocated; clear its allocations first")
    return world[Receipt].change(receipt, file=file)


@receipts.tool(writes=True)
def return_receipt(world: World, receipt: str, reason: ReturnReason) -> ReturnedReceipt:
    """Send a receipt back to the account it came from.

    The whole amount goes back; it cannot be recalled. Refused while any of it is allocated and once
    its file is closed.
    """
    row = world[Receipt][receipt]
    open_file(world, row.file)
    if row.status == "returned":
        raise Refused(f"{receipt} was returned before")
    if booked(world, receipt):
        raise Refused(f"{receipt} is allocated; clear its allocations first")
    world[Receipt].change(receipt, status="returned")
    return world[ReturnedReceipt].add(receipt=receipt, amount=row.amount, reason=reason, t=world.t)


@receipts.tool(writes=True, repeatable=True)
def reconcile_receipts_file(world: World, file: str) -> Cents:
    """Compare a file's receipts with what was allocated from them; returns the difference in cents.

    Zero means that every receipt is used up. The figure is kept on the file with its time.
    """
    open_file(world, file)
    rest = difference(world, file)
    world[ReceiptFile].change(file, difference=rest, reconciled=world.t)
    return rest


@receipts.tool(writes=True)
def close_receipts_file(world: World, file: str) -> ReceiptFile:
    """Close a reconciled receipts file for good.

    From then on its receipts and allocations stand as they are. Reserves held against the file
    become free. Refused when the file was never reconciled or is closed.
    """
    row = open_file(world, file)
    if row.difference is None:
        raise Refused(f"{file} has never been reconciled")
    for reserve in world[Reserve].where(against=file, status="locked"):
        world[Reserve].change(reserve.id, status="free")
    return world[ReceiptFile].change(file, status="closed", closed=world.t)


@receipts.event
def receipt_came_in(world: World, receipt: str, file: str, amount: Balance, reference: str) -> None:
    """The clearing run books a payment of today into the file that it takes the reference for.

    A file that was closed in the meantime takes nothing any more.
    """
    if world[ReceiptFile][file].status == "open":
        row = Receipt(receipt, file, world.day, amount, reference, status="booked")
        world[Receipt].put(row)
