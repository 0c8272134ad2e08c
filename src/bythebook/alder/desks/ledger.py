"""A client's receivables ledger: who owes it money, on which invoices, and what is off them."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]


class Debtor(Row, frozen=True):
    """Somebody who buys from a client on invoice."""

    table: ClassVar[str] = "debtors"
    prefix: ClassVar[str] = "DBT"

    client: str
    name: str
    grade: Literal["A", "B"]
    answers_by: Literal["portal", "e-mail", "post"]
    answers_in: Annotated[int, Meta(gt=0)]
    """Minutes from a notice to its acknowledgement."""
    share: int | None = None
    """A share of the ledger, in basis points, that Credit granted to this debtor alone."""


class LedgerInvoice(Row, frozen=True):
    """One invoice of a client, as the ledger has it."""

    table: ClassVar[str] = "ledger_invoices"
    prefix: ClassVar[str] = "LIV"

    client: str
    debtor: str
    number: str
    issued: Day
    amount: Amount
    netted: Amount = 0
    """Credit notes set against it."""
    deduction: Amount = 0
    """What the debtor may keep under an agreement of its own with the client."""
    status: Literal["open", "disputed", "paid"] = "open"
    paper: str | None = None
    """The letter behind the last change of status or deduction."""
    remark: str = ""


class LedgerCredit(Row, frozen=True):
    """A credit note of a client to one of its debtors."""

    table: ClassVar[str] = "ledger_credits"
    prefix: ClassVar[str] = "LCN"

    client: str
    debtor: str
    amount: Amount
    issued: Day
    invoice: str | None = None
    status: Literal["open", "netted"] = "open"


class DebtorLetter(Row, frozen=True):
    """A paper between a client and a debtor that is on file with us."""

    table: ClassVar[str] = "debtor_letters"
    prefix: ClassVar[str] = "DLT"

    client: str
    debtor: str
    invoice: str
    kind: Literal["payment_slip", "side_agreement", "complaint", "other"]
    amount: Amount
    dated: Day
    text: str


class AdvanceEntry(Row, frozen=True):
    """What a drawn advance has standing on one invoice."""

    table: ClassVar[str] = "advance_entries"
    prefix: ClassVar[str] = "RAE"

    advance: str
    client: str
    product: Literal["notified", "quiet", "pool"]
    invoice: str
    debtor: str
    amount: Amount
    t: int
    status: Literal["standing", "repaid"] = "standing"


class DebtorTotals(Struct, frozen=True):
    """One debtor's part of a ledger, in cents."""

    debtor: str
    name: str
    open: Cents
    """Open invoices from the day asked for on, less what is off them."""
    older: Cents
    """Open invoices from before that day."""
    disputed: Cents
    standing: Cents
    """Advances on this debtor's invoices that have not been repaid."""


ledger = Desk(
    "ledger",
    "Clients' receivables ledgers: invoices, payments made directly, deductions, credit notes.",
    rows=(Debtor, LedgerInvoice, LedgerCredit, DebtorLetter, AdvanceEntry),
)


def value(invoice: LedgerInvoice) -> int:
    """What the debtor really has to pay on it, in cents."""
    return invoice.amount - invoice.netted - invoice.deduction


def standing_on(world: World, invoice: str) -> list[AdvanceEntry]:
    """Entries of advances on one invoice that have not been repaid."""
    return world[AdvanceEntry].where(invoice=invoice, status="standing")


def _about(world: World, letter: str, kind: str) -> tuple[DebtorLetter, LedgerInvoice]:
    """A letter of one kind, and the invoice that it is about, nothing standing on it."""
    paper = world[DebtorLetter][letter]
    if paper.kind != kind:
        raise Refused(f"{letter} is a {paper.kind}, no {kind}")
    invoice = world[LedgerInvoice][paper.invoice]
    if standing_on(world, invoice.id):
        raise Refused(f"an advance stands on {invoice.id}; it is repaid first")
    return paper, invoice


@ledger.tool()
def debtor_totals(world: World, client: str, oldest: Day) -> tuple[DebtorTotals, ...]:
    """Add up a client's ledger debtor by debtor, invoices older than a day apart.

    `oldest` is the first day of issue that counts as recent. Paid invoices are left out. Figures
    are those of the ledger as it stands; which of them may be financed is for the policy to say.
    """
    found = world[Debtor].where(client=client)
    if not found:
        raise Refused(f"{client} has no ledger with us")
    return tuple(_totals(world, debtor, oldest) for debtor in found)


def _totals(world: World, debtor: Debtor, oldest: Day) -> DebtorTotals:
    rows = world[LedgerInvoice].where(debtor=debtor.id)
    free = [row for row in rows if row.status == "open"]
    entries = world[AdvanceEntry].where(debtor=debtor.id, status="standing")
    return DebtorTotals(
        debtor.id,
        debtor.name,
        sum(value(row) for row in free if row.issued >= oldest),
        sum(value(row) for row in free if row.issued < oldest),
        sum(value(row) for row in rows if row.status == "disputed"),
        sum(entry.amount for entry in entries),
    )


@ledger.tool(writes=True)
def record_direct_payment(world: World, letter: str) -> LedgerInvoice:
    """Take an invoice off the ledger that the debtor has paid to the client directly.

    `letter` is the payment slip on file. Refused when the slip covers less than what is owed, when
    the invoice is paid already, and while an advance stands on it.
    """
    paper, invoice = _about(world, letter, "payment_slip")
    if invoice.status == "paid":
        raise Refused(f"{invoice.id} is paid already")
    if paper.amount < value(invoice):
        raise Refused(f"{letter} shows {paper.amount} cents, {value(invoice)} are owed")
    return world[LedgerInvoice].change(invoice.id, status="paid", paper=letter)


@ledger.tool(writes=True)
def book_side_deduction(world: World, letter: str) -> LedgerInvoice:
    """Enter what a debtor may keep from an invoice under an agreement with the client.

    The amount is the letter's. Refused when a deduction has been entered before, when the invoice
    is paid or worth less, and while an advance stands on it.
    """
    paper, invoice = _about(world, letter, "side_agreement")
    if invoice.status == "paid" or invoice.deduction:
        raise Refused(f"{invoice.id} is {invoice.status}, {invoice.deduction} cents are off it")
    if not 0 < paper.amount < value(invoice):
        raise Refused(f"{letter} is over {paper.amount} cents, {invoice.id} over {value(invoice)}")
    return world[LedgerInvoice].change(invoice.id, deduction=paper.amount, paper=letter)


@ledger.tool(writes=True)
def net_credit_note(world: World, note: str, invoice: str) -> LedgerCredit:
    """Set a credit note against an open invoice of the same debtor.

    It goes in whole and cannot be taken out again. Refused when it is larger than the invoice.
    """
    credit, bill = world[LedgerCredit][note], world[LedgerInvoice][invoice]
    if credit.status == "netted":
        raise Refused(f"{note} is netted against {credit.invoice}")
    if credit.debtor != bill.debtor:
        raise Refused(f"{note} and {invoice} are of different debtors")
    if bill.status != "open" or credit.amount >= value(bill):
        raise Refused(f"{invoice} is {bill.status}, {value(bill)} cents are owed on it")
    world[LedgerInvoice].change(invoice, netted=bill.netted + credit.amount)
    return world[LedgerCredit].change(note, status="netted", invoice=invoice)


@ledger.tool(writes=True)
def flag_invoice_dispute(world: World, invoice: str, remark: str) -> LedgerInvoice:
    """Mark an open invoice as disputed by its debtor.

    Say in a few words what about. Advances that stand on it stay where they are.
    """
    row = world[LedgerInvoice][invoice]
    if row.status != "open":
        raise Refused(f"{invoice} is {row.status}")
    if not remark.strip():
        raise Refused("remark: say what the quarrel is about")
    return world[LedgerInvoice].change(invoice, status="disputed", remark=remark)


@ledger.tool(writes=True)
def lift_invoice_dispute(world: World, invoice: str, letter: str) -> LedgerInvoice:
    """Open a disputed invoice again, on a letter of its debtor about it.

    The ledger looks that the letter is about this invoice, not at what it says.
    """
    row, paper = world[LedgerInvoice][invoice], world[DebtorLetter][letter]
    if row.status != "disputed":
        raise Refused(f"{invoice} is {row.status}, not disputed")
    if paper.invoice != invoice:
        raise Refused(f"{letter} is about {paper.invoice}")
    return world[LedgerInvoice].change(invoice, status="open", paper=letter)
