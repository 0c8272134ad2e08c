"""Remittances: which invoice a buyer's money pays, from the buyer's instruction to the booking."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.accounts import Balance
from bythebook.alder.desks.parties import Party
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=1, description="integer minor units (cents), above zero")]


class Line(msgspec.Struct, frozen=True):
    """One use of money: `amount` cents of a receipt or credit memo, for one invoice."""

    source: str
    invoice: str
    amount: Amount


class ReceiptFile(Row, frozen=True):
    """One buyer's receipts of one month in one currency."""

    table: ClassVar[str] = "receipt_files"
    prefix: ClassVar[str] = "RF"

    owner: str
    buyer: str
    month: str
    currency: str
    status: Literal["open", "closed"]
    difference: int | None
    """What the last reconciliation reported, in cents; it is not kept up to date."""
    reconciled: int | None
    closed: int | None


class Receipt(Row, frozen=True):
    """Money that came in from a buyer."""

    table: ClassVar[str] = "receipts"
    prefix: ClassVar[str] = "RC"

    file: str
    value_date: Day
    amount: Balance
    reference: str
    status: Literal["booked", "returned"]


class Invoice(Row, frozen=True):
    """What the buyer owes; `open` is what is left of `amount`."""

    table: ClassVar[str] = "invoices"
    prefix: ClassVar[str] = "INV"

    file: str
    issued: Day
    due: Day
    amount: Balance
    open: Balance


class CreditMemo(Row, frozen=True):
    """What the customer granted the buyer; `open` is what is left of `amount`."""

    table: ClassVar[str] = "credit_memos"
    prefix: ClassVar[str] = "CM"

    file: str
    issued: Day
    amount: Balance
    open: Balance
    reason: str
    status: Literal["issued", "void"]


class BuyerInstruction(Row, frozen=True):
    """What a buyer told us to do with its payments."""

    table: ClassVar[str] = "buyer_instructions"
    prefix: ClassVar[str] = "BI"

    buyer: str
    received: Day
    channel: Literal["letter", "portal", "e-mail", "telephone"]
    status: Literal["unconfirmed", "confirmed"]
    text: str


class Advice(Row, frozen=True):
    """The lines that we propose to book; a customer approves file and lines."""

    table: ClassVar[str] = "advices"
    prefix: ClassVar[str] = "ADV"
    terms: ClassVar[tuple[str, ...]] = ("file", "lines")

    file: str
    lines: tuple[Line, ...]
    status: Literal["proposed", "withdrawn"]
    t: int


class Allocation(Row, frozen=True):
    """One booked line."""

    table: ClassVar[str] = "allocations"
    prefix: ClassVar[str] = "AL"

    file: str
    source: str
    invoice: str
    amount: Balance
    status: Literal["booked", "cleared"]


class WriteOff(Row, frozen=True):
    """A remainder that is no longer asked for."""

    table: ClassVar[str] = "write_offs"
    prefix: ClassVar[str] = "WO"

    invoice: str
    amount: Balance
    t: int


remittances = Desk(
    "remittances",
    "What buyers' payments pay: instructions, advices, allocations, credit memos, invoices.",
    rows=(Invoice, CreditMemo, BuyerInstruction, Advice, Allocation, WriteOff),
)


def open_file(world: World, file: str) -> ReceiptFile:
    """The file, or `Refused` once it is closed."""
    row = world[ReceiptFile][file]
    if row.status != "open":
        raise Refused(f"{file} is closed; nothing in it can be changed")
    return row


def booked(world: World, source: str) -> list[Allocation]:
    """The allocations that stand against a receipt or credit memo."""
    return world[Allocation].where(source=source, status="booked")


def free_amount(world: World, file: str, source: str) -> int:
    """Cents of a receipt or credit memo of the file that no line uses yet."""
    memo = world[CreditMemo].get(source)
    if memo is not None and memo.file == file and memo.status == "issued":
        return memo.open
    receipt = world[Receipt].get(source)
    if receipt is None or receipt.file != file or receipt.status != "booked":
        raise Refused(f"{source} is no receipt or credit memo of {file}")
    return receipt.amount - sum(line.amount for line in booked(world, source))


def check_lines(world: World, file: str, lines: Iterable[Line], *, fresh: bool) -> None:
    """Refuse lines that use more than there is. `fresh` measures against amounts as they stood
    before anything was allocated, as an advice does."""
    used: Counter[str] = Counter()
    paid: Counter[str] = Counter()
    for line in lines:
        used[line.source] += line.amount
        paid[line.invoice] += line.amount
    if not used:
        raise Refused("lines: give at least one")
    for source, amount in used.items():
        standing = sum(a.amount for a in booked(world, source)) if fresh else 0
        there = free_amount(world, file, source) + standing
        if amount > there:
            raise Refused(f"{source} has {there} cents free, not {amount}")
    for key, amount in paid.items():
        invoice = world[Invoice][key]
        if invoice.file != file:
            raise Refused(f"{key} is no invoice of {file}")
        there = invoice.amount if fresh else invoice.open
        if amount > there:
            raise Refused(f"{key} has {there} cents open, not {amount}")


@remittances.tool()
def aged_invoices(world: World, file: str) -> tuple[Invoice, ...]:
    """List a file's invoices with what is open on each, earliest due date first."""
    world[ReceiptFile][file]
    return tuple(sorted(world[Invoice].where(file=file), key=lambda i: (i.due, i.id)))


@remittances.tool()
def instructions_of_buyer(world: World, buyer: str) -> tuple[BuyerInstruction, ...]:
    """List everything a buyer has told us about its payments, in the order received."""
    world[Party][buyer]
    found = world[BuyerInstruction].where(buyer=buyer)
    return tuple(sorted(found, key=lambda i: (i.received, i.id)))


@remittances.tool(writes=True)
def record_buyer_instruction(
    world: World,
    buyer: str,
    channel: Literal["letter", "portal", "e-mail", "telephone"],
    text: str,
) -> BuyerInstruction:
    """Put on file what a buyer says about its payments, as received today.

    It stands as unconfirmed until `confirm_buyer_instruction`; the portal confirms by itself.
    Refused when the same words were put on file today.
    """
    if world[Party][buyer].role != "buyer":
        raise Refused(f"{buyer} is no buyer")
    if not text.strip():
        raise Refused("text: write down what the buyer said")
    if world[BuyerInstruction].where(buyer=buyer, received=world.day, text=text):
        raise Refused(f"{buyer}: these words are on file as of today")
    return world[BuyerInstruction].add(
        buyer=buyer,
        received=world.day,
        channel=channel,
        status="confirmed" if channel == "portal" else "unconfirmed",
        text=text,
    )


@remittances.tool(writes=True)
def confirm_buyer_instruction(world: World, instruction: str) -> BuyerInstruction:
    """Mark an instruction as confirmed by the buyer's authorised contact.

    It counts as received on the day it is confirmed. Refused if it is confirmed already.
    """
    if world[BuyerInstruction][instruction].status == "confirmed":
        raise Refused(f"{instruction} is confirmed already")
    return world[BuyerInstruction].change(instruction, status="confirmed", received=world.day)


@remittances.tool(writes=True, repeatable=True)
def propose_remittance_advice(world: World, file: str, lines: tuple[Line, ...]) -> Advice:
    """Draw up the advice: which receipt or credit memo pays how much of which invoice.

    Each line names a source (receipt or credit memo), an invoice and an amount in cents. The advice
    books nothing; it is what the customer is shown for approval. Refused when a line uses more than
    the source or the invoice holds.
    """
    open_file(world, file)
    check_lines(world, file, lines, fresh=True)
    return world[Advice].add(file=file, lines=lines, status="proposed", t=world.t)


@remittances.tool(writes=True)
def withdraw_remittance_advice(world: World, advice: str) -> Advice:
    """Take back an advice that is not to be used.

    What was booked on the strength of it stays booked. Refused when it was withdrawn before.
    """
    if world[Advice][advice].status == "withdrawn":
        raise Refused(f"{advice} was withdrawn before")
    return world[Advice].change(advice, status="withdrawn")


@remittances.tool(writes=True)
def allocate_receipts(world: World, file: str, lines: tuple[Line, ...]) -> tuple[Allocation, ...]:
    """Book lines: use receipts and credit memos of an open file to pay its invoices.

    All lines are booked or none. Refused when a line uses more than is free on its source or open
    on its invoice, and once the file is closed.
    """
    open_file(world, file)
    check_lines(world, file, lines, fresh=False)
    return tuple(_book(world, file, line) for line in lines)


def _book(world: World, file: str, line: Line) -> Allocation:
    invoice = world[Invoice][line.invoice]
    world[Invoice].change(line.invoice, open=invoice.open - line.amount)
    memo = world[CreditMemo].get(line.source)
    if memo is not None:
        world[CreditMemo].change(memo.id, open=memo.open - line.amount)
    return world[Allocation].add(
        file=file, source=line.source, invoice=line.invoice, amount=line.amount, status="booked"
    )


@remittances.tool(writes=True)
def clear_allocations(world: World, source: str) -> tuple[Allocation, ...]:
    """Take back everything that was allocated from one receipt or credit memo.

    The invoices are open again by that much. Refused when nothing is allocated from it and once its
    file is closed.
    """
    standing = booked(world, source)
    if not standing:
        raise Refused(f"nothing is allocated from {source}")
    for line in standing:
        open_file(world, line.file)
        invoice = world[Invoice][line.invoice]
        world[Invoice].change(line.invoice, open=invoice.open + line.amount)
    memo = world[CreditMemo].get(source)
    if memo is not None:
        given_back = sum(line.amount for line in standing)
        world[CreditMemo].change(source, open=memo.open + given_back)
    return tuple(world[Allocation].change(line.id, status="cleared") for line in standing)


@remittances.tool(writes=True)
def issue_credit_memo(world: World, file: str, amount: Amount, reason: str) -> CreditMemo:
    """Grant a buyer a credit that can be set against invoices of one open file.

    Refused when the file's open invoices come to less than `amount`.
    """
    open_file(world, file)
    owed = sum(invoice.open for invoice in world[Invoice].where(file=file))
    if amount > owed:
        raise Refused(f"{file} has {owed} cents of open invoices, not {amount}")
    if not reason.strip():
        raise Refused("reason: say what the credit is for")
    return world[CreditMemo].add(
        file=file, issued=world.day, amount=amount, open=amount, reason=reason, status="issued"
    )


@remittances.tool(writes=True)
def void_credit_memo(world: World, memo: str) -> CreditMemo:
    """Declare a credit memo void.

    Refused when any of it was used, when its file is closed, or when it is void already.
    """
    row = world[CreditMemo][memo]
    open_file(world, row.file)
    if row.status == "void":
        raise Refused(f"{memo} is void already")
    if row.open != row.amount:
        raise Refused(f"{memo}: {row.amount - row.open} cents of it are used")
    return world[CreditMemo].change(memo, status="void", open=0)


@remittances.tool(writes=True)
def write_off_remainder(world: World, invoice: str) -> WriteOff:
    """Write off what is left open on an invoice that was paid a little short.

    Only small remainders of invoices that were paid in part; the limit is in the write-off
    procedure. Refused above it, when nothing is open, and once the file is closed.
    """
    row = world[Invoice][invoice]
    open_file(world, row.file)
    limit = world.policy.number("writeoff.remainder.limit", world.day)
    if row.open == 0:
        raise Refused(f"{invoice} has nothing open")
    if row.open == row.amount:
        raise Refused(f"{invoice} has not been paid in part")
    if row.open > limit:
        raise Refused(f"{invoice} has {row.open} cents open; the limit is {limit}")
    world[Invoice].change(invoice, open=0)
    return world[WriteOff].add(invoice=invoice, amount=row.open, t=world.t)


@remittances.tool()
def advice_as_booked(world: World, advice: str) -> Cents:
    """Compare an advice with what is booked in its file; returns the cents not yet booked.

    Lines are matched by source and invoice; what is booked beyond the advice is not counted.
    """
    row = world[Advice][advice]
    standing: Counter[tuple[str, str]] = Counter()
    for line in world[Allocation].where(file=row.file, status="booked"):
        standing[line.source, line.invoice] += line.amount
    wanted: Counter[tuple[str, str]] = Counter()
    for proposed in row.lines:
        wanted[proposed.source, proposed.invoice] += proposed.amount
    return sum((wanted - standing).values())


# --- events ---------------------------------------------------------------------------------------


@remittances.event
def instruction_came_in(world: World, instruction: str, buyer: str, text: str) -> None:
    """A run of the portal brings a message of a buyer, confirmed as all of them are."""
    row = BuyerInstruction(
        instruction, buyer, received=world.day, channel="portal", status="confirmed", text=text
    )
    world[BuyerInstruction].put(row)
