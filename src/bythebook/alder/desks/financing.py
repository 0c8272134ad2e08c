"""Receivables finance: advances on a client's invoices over its lines, drawn and repaid."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.alder.desks.accounts import Account, credit, debit, take_fee
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.ledger import AdvanceEntry, Debtor, LedgerInvoice, standing_on
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
Product = Literal["notified", "quiet", "pool"]


class Piece(Struct, frozen=True):
    """A part of an advance: how much of it rests on which invoice."""

    invoice: str
    amount: Annotated[int, Meta(gt=0, description="integer minor units, above zero")]


class FinanceLine(Row, frozen=True):
    """What a client may draw in one way, and whose money it is."""

    table: ClassVar[str] = "finance_lines"
    prefix: ClassVar[str] = "FNL"

    client: str
    product: Product
    most: Amount
    """The most that may stand under it at one time."""
    source: str
    """The account that the money comes from."""


class Advance(Row, frozen=True):
    """Money lent on invoices; `lines` says how much on which."""

    table: ClassVar[str] = "advances"
    prefix: ClassVar[str] = "RAD"
    terms: ClassVar[tuple[str, ...]] = ("line", "lines", "amount", "fee", "account")

    client: str
    case: str
    line: str
    lines: tuple[Piece, ...]
    amount: Amount
    fee: Amount
    """Taken from the client's fee account when the money is paid out."""
    account: str
    status: Literal["draft", "called", "funded", "repaid", "cancelled"]


class AdvancePrice(Struct, frozen=True):
    amount: Cents
    fee: Cents
    minutes: int
    """From the draw to the money on the account."""


financing = Desk(
    "financing",
    "Receivables finance: pricing, drafting, drawing and repaying advances on invoices.",
    rows=(FinanceLine, Advance),
)


# --- rules of the system --------------------------------------------------------------------------


def drafted(world: World, advance: str) -> Advance:
    """The advance, if it is still a draft."""
    row = world[Advance][advance]
    if row.status != "draft":
        raise Refused(f"{advance} is {row.status}, no draft")
    return row


def fee_of(world: World, line: FinanceLine, pieces: tuple[Piece, ...]) -> int:
    """The fee at today's prices, in cents, begun cents counted as whole."""
    total = 0
    for piece in pieces:
        grade = world[Debtor][world[LedgerInvoice][piece.invoice].debtor].grade.lower()
        name = f"notified.{grade}" if line.product == "notified" else line.product
        total += piece.amount * world.policy.number(f"finance.fee.{name}", world.day)
    return -(-total // 10_000)


def delay(world: World, line: FinanceLine) -> int:
    """Minutes from the draw to the money."""
    return world.policy.number("finance.pool.minutes", world.day) if line.product == "pool" else 0


def under(world: World, line: str) -> int:
    """What stands under a line now, in cents."""
    rows = world[Advance].where(line=line)
    return sum(row.amount for row in rows if row.status in ("called", "funded"))


def _checked(world: World, line: FinanceLine, pieces: tuple[Piece, ...]) -> None:
    """The pieces are invoices of the line's client, each named once."""
    if not pieces or len({piece.invoice for piece in pieces}) < len(pieces):
        raise Refused("lines: at least one, and every invoice once")
    for piece in pieces:
        if world[LedgerInvoice][piece.invoice].client != line.client:
            raise Refused(f"{piece.invoice} and {line.id} belong to different clients")


def _drawable(world: World, row: Advance, line: FinanceLine) -> None:
    if line.product == "pool":
        opens = world.policy.clock("finance.pool.opens", world.day)
        closes = world.policy.clock("finance.pool.closes", world.day)
        if not world.minute(opens) <= world.t < world.minute(closes):
            raise Refused(f"the pool takes draws from {opens} to {closes}")
    room = line.most - under(world, line.id)
    if row.amount > room:
        raise Refused(f"{line.id} has room for {room} cents, not {row.amount}")
    for piece in row.lines:
        invoice = world[LedgerInvoice][piece.invoice]
        if invoice.status == "paid" or piece.amount > invoice.amount:
            raise Refused(f"{invoice.id} is {invoice.status}, over {invoice.amount} cents")
        if standing_on(world, invoice.id):
            raise Refused(f"an advance stands on {invoice.id}")


def _pay_out(world: World, row: Advance, line: FinanceLine) -> Advance:
    """Move the money and take the fee."""
    debit(world, line.source, row.amount)
    credit(world, row.account, row.amount)
    if row.fee:
        take_fee(
            world,
            fee_account(world, row.client).id,
            row.fee,
            what=f"advance {line.product}",
            ref=row.id,
            case=row.case,
        )
    return world[Advance].change(row.id, status="funded")


def fee_account(world: World, client: str) -> Account:
    """The client's fee account."""
    found = world[Account].where(owner=client, kind="fee", currency="USD")
    if not found:
        raise Refused(f"{client} has no fee account in USD")
    return found[0]


# --- tools ----------------------------------------------------------------------------------------


@financing.tool()
def price_advance(world: World, line: str, lines: tuple[Piece, ...]) -> AdvancePrice:
    """Work out what an advance would cost today, and how long its money takes.

    Says nothing about whether the invoices may be financed.
    """
    row = world[FinanceLine][line]
    _checked(world, row, lines)
    total = sum(piece.amount for piece in lines)
    return AdvancePrice(total, fee_of(world, row, lines), delay(world, row))


@financing.tool(writes=True, repeatable=True)
def draft_advance(
    world: World, case: str, line: str, lines: tuple[Piece, ...], account: str
) -> Advance:
    """Draft an advance over one of a client's lines: how much on which invoice.

    The amount is the sum of the lines, the fee follows the price list. Nothing moves. The draft
    can be put before the customer for approval. `account` receives the money.
    """
    row, file, goal = world[FinanceLine][line], world[Case][case], world[Account][account]
    _checked(world, row, lines)
    if file.status == "closed":
        raise Refused(f"{case} is closed")
    if (file.party, goal.owner) != (row.client, row.client):
        raise Refused(f"{case}, {account} and {line} do not belong to one client")
    if goal.kind == "fee":
        raise Refused(f"{account} is a fee account")
    return world[Advance].add(
        client=row.client,
        case=case,
        line=line,
        lines=lines,
        amount=sum(piece.amount for piece in lines),
        fee=fee_of(world, row, lines),
        account=account,
        status="draft",
    )


@financing.tool(writes=True)
def cancel_advance(world: World, advance: str) -> Advance:
    """Drop a drafted advance.

    One that has been drawn can only be repaid. A notice sent for it is a matter of its own.
    """
    drafted(world, advance)
    return world[Advance].change(advance, status="cancelled")


@financing.tool(writes=True)
def draw_advance(world: World, advance: str) -> Advance:
    """Draw a drafted advance: from now on it stands on its invoices, and the money is paid out.

    The pool pays a while after the draw, the other lines at once; the fee is taken with the money.
    Refused when the line has no room, an invoice is paid or carries an advance already, the
    fee account holds less than the fee, or the pool is not open.
    """
    row = drafted(world, advance)
    line = world[FinanceLine][row.line]
    _drawable(world, row, line)
    payer = fee_account(world, row.client)
    if row.fee > payer.balance:
        raise Refused(f"{payer.id} cannot bear the fee of {row.fee} cents")
    for piece in row.lines:
        world[AdvanceEntry].add(
            advance=advance,
            client=row.client,
            product=line.product,
            invoice=piece.invoice,
            debtor=world[LedgerInvoice][piece.invoice].debtor,
            amount=piece.amount,
            t=world.t,
        )
    minutes = delay(world, line)
    if not minutes:
        return _pay_out(world, row, line)
    world.schedule("advance_funded", due=world.t + minutes, priority=1, advance=advance)
    return world[Advance].change(advance, status="called")


@financing.tool(writes=True)
def repay_advance(world: World, advance: str, account: str) -> Advance:
    """Pay an advance back before its time, in whole, out of one of the client's accounts.

    The fee stays taken. What the debtor has been told stays told.
    """
    row = world[Advance][advance]
    if row.status != "funded":
        raise Refused(f"{advance} is {row.status}, not funded")
    if world[Account][account].owner != row.client:
        raise Refused(f"{account} does not belong to {row.client}")
    debit(world, account, row.amount)
    credit(world, world[FinanceLine][row.line].source, row.amount)
    for entry in world[AdvanceEntry].where(advance=advance, status="standing"):
        world[AdvanceEntry].change(entry.id, status="repaid")
    return world[Advance].change(advance, status="repaid")


# --- events ---------------------------------------------------------------------------------------


@financing.event
def advance_funded(world: World, advance: str) -> None:
    """The pool's money comes, unless funds or fee have gone meanwhile: then the draw falls."""
    row = world[Advance][advance]
    if row.status != "called":
        return
    line = world[FinanceLine][row.line]
    if (
        row.amount <= world[Account][line.source].balance
        and row.fee <= fee_account(world, row.client).balance
    ):
        _pay_out(world, row, line)
        return
    for entry in world[AdvanceEntry].where(advance=advance, status="standing"):
        world[AdvanceEntry].change(entry.id, status="repaid")
    world[Advance].change(advance, status="cancelled")
