"""The scheme side of a dispute: answers to the card schemes, provisional credits, retrievals."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.accounts import credit
from bythebook.alder.desks.cards import Scheme, open_card
from bythebook.alder.desks.disputes import (
    Amount,
    Dispute,
    Paper,
    Settlement,
    open_dispute,
    write_terms,
)
from bythebook.alder.desks.merchants import Merchant, Sale
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused


class ProvisionalCredit(Row, frozen=True):
    """Money lent to a cardholder while a sale is looked into."""

    table: ClassVar[str] = "provisional_credits"
    prefix: ClassVar[str] = "PCR"

    cardholder: str
    card: str
    sale: str
    amount: Annotated[int, Meta(gt=0)]
    given: Day
    status: Literal["standing", "withdrawing", "withdrawn", "final"]


class SchemeMessage(Row, frozen=True):
    """What Alder told a card scheme; it cannot be taken back."""

    table: ClassVar[str] = "scheme_messages"
    prefix: ClassVar[str] = "SCM"

    dispute: str
    cardholder: str
    scheme: Scheme
    kind: Literal["acceptance", "representment"]
    amount: Amount
    day: Day
    settlement: str = ""
    """acceptance: the terms that were filed."""
    papers: tuple[str, ...] = ()
    """representment: the papers that were sent."""


class Retrieval(Row, frozen=True):
    """A card scheme asks for a copy of a sale's papers; not a dispute yet."""

    table: ClassVar[str] = "retrievals"
    prefix: ClassVar[str] = "RTV"

    sale: str
    merchant: str
    scheme: Scheme
    asked: Day
    answer_by: Day
    status: Literal["open", "answered", "missed"]
    paper: str | None = None


chargebacks = Desk(
    "chargebacks",
    "Answers to the card schemes, provisional credits, retrieval requests.",
    rows=(ProvisionalCredit, SchemeMessage, Retrieval),
)


def _answerable(world: World, dispute: str) -> Dispute:
    """The dispute, if its scheme still takes an answer."""
    row = open_dispute(world, dispute)
    closes = world.policy.clock(f"response.close.{row.scheme}", world.day)
    over = row.respond_by == world.day and world.t >= world.minute(closes)
    if row.respond_by < world.day or over:
        raise Refused(f"{row.scheme} takes no more answers on {dispute}")
    return row


def _accept(world: World, dispute: Dispute, terms: Settlement) -> SchemeMessage:
    if dispute.scheme == "halden" and terms.deducted:
        raise Refused("halden takes an acceptance of the full disputed amount only")
    world[Settlement].change(terms.id, status="filed")
    world[Dispute].change(dispute.id, status="accepted", settled=terms.amount)
    for lent in world[ProvisionalCredit].where(sale=dispute.sale, status="standing"):
        world[ProvisionalCredit].change(lent.id, status="final", amount=terms.amount)
    if terms.deducted:
        credit(world, world[Merchant][dispute.merchant].settlement_account, terms.deducted)
    return world[SchemeMessage].add(
        dispute=dispute.id,
        cardholder=dispute.cardholder,
        scheme=dispute.scheme,
        kind="acceptance",
        amount=terms.amount,
        day=world.day,
        settlement=terms.id,
    )


@chargebacks.tool()
def scheme_log(world: World, dispute: str) -> tuple[SchemeMessage, ...]:
    """List what the card scheme was told about a dispute, oldest first."""
    world[Dispute][dispute]
    return tuple(world[SchemeMessage].where(dispute=dispute))


@chargebacks.tool()
def credits_of(world: World, cardholder: str) -> tuple[ProvisionalCredit, ...]:
    """List the provisional credits of a cardholder, settled ones too."""
    return tuple(world[ProvisionalCredit].where(cardholder=cardholder))


@chargebacks.tool(writes=True)
def file_acceptance(world: World, settlement: str) -> SchemeMessage:
    """Tell the card scheme that the merchant accepts liability on the proposed terms.

    This ends the dispute and cannot be taken back: the cardholder keeps the accepted amount, the
    merchant gets the deducted part back. Refused once the scheme takes no more answers.
    """
    terms = world[Settlement][settlement]
    if terms.status != "proposed":
        raise Refused(f"{settlement} is {terms.status}, not proposed")
    return _accept(world, _answerable(world, terms.dispute), terms)


@chargebacks.tool(writes=True)
def settle_now(world: World, dispute: str, amount: Cents) -> SchemeMessage:
    """Accept liability for an open dispute and tell the card scheme, in one step.

    Writes the terms and files them. `amount` is what the merchant bears; the rest of the disputed
    amount is deducted. Refusals are those of `propose_settlement` and `file_acceptance`.
    """
    row = _answerable(world, dispute)
    if world[Settlement].where(dispute=dispute, status="proposed"):
        raise Refused(f"{dispute} has proposed terms; file those")
    return _accept(world, row, write_terms(world, row, amount, row.amount - amount))


@chargebacks.tool(writes=True)
def file_representment(world: World, dispute: str, papers: tuple[str, ...]) -> SchemeMessage:
    """Contest a dispute: send papers that are attached to it to the card scheme.

    Ends our part; it cannot be turned into an acceptance afterwards. Refused without papers, with
    a paper that is not attached, and once the scheme takes no more answers.
    """
    row = _answerable(world, dispute)
    if not papers:
        raise Refused("papers: a representment needs at least one")
    for key in papers:
        if world[Paper][key].dispute != dispute:
            raise Refused(f"{key} is not attached to {dispute}")
    world[Dispute].change(dispute, status="contested")
    return world[SchemeMessage].add(
        dispute=dispute,
        cardholder=row.cardholder,
        scheme=row.scheme,
        kind="representment",
        amount=row.amount,
        day=world.day,
        papers=papers,
    )


@chargebacks.tool(writes=True)
def give_provisional_credit(world: World, sale: str, card: str, amount: Cents) -> ProvisionalCredit:
    """Lend a cardholder money while a sale is looked into.

    Refused above the amount of the sale, to a closed card, and when the sale has such a credit.
    """
    paid = world[Sale][sale]
    open_card(world, card, paid.cardholder)
    if not 0 < amount <= paid.amount:
        raise Refused(f"amount: must be above zero and at most {paid.amount} cents")
    rows = world[ProvisionalCredit].where(sale=sale)
    if any(row.status in ("standing", "withdrawing") for row in rows):
        raise Refused(f"{sale} has a provisional credit already")
    return world[ProvisionalCredit].add(
        cardholder=paid.cardholder,
        card=card,
        sale=sale,
        amount=amount,
        given=world.day,
        status="standing",
    )


@chargebacks.tool(writes=True)
def withdraw_provisional_credit(world: World, credit: str) -> ProvisionalCredit:
    """Ask for a standing provisional credit to be taken back from the card.

    The card ledger books the withdrawal some minutes later; until then the credit reads
    `withdrawing`. Refused for a credit under an open dispute, and for one that is not standing.
    """
    row = world[ProvisionalCredit][credit]
    if row.status != "standing":
        raise Refused(f"{credit} is {row.status}, not standing")
    if world[Dispute].where(sale=row.sale, status="open"):
        raise Refused(f"{credit} stands under an open dispute")
    due = world.t + world.policy.number("credit.withdrawal.minutes", world.day)
    world.schedule("credit_withdrawn", due=due, priority=2, credit=credit)
    return world[ProvisionalCredit].change(credit, status="withdrawing")


@chargebacks.event
def credit_withdrawn(world: World, credit: str) -> None:
    """The card ledger has booked the withdrawal."""
    world[ProvisionalCredit].change(credit, status="withdrawn")


@chargebacks.tool(writes=True)
def make_credit_final(world: World, credit: str) -> ProvisionalCredit:
    """Let the cardholder keep a standing provisional credit for good.

    Refused for a credit under an open dispute: the outcome of the dispute decides that one.
    """
    row = world[ProvisionalCredit][credit]
    if row.status != "standing":
        raise Refused(f"{credit} is {row.status}, not standing")
    if world[Dispute].where(sale=row.sale, status="open"):
        raise Refused(f"{credit} stands under an open dispute")
    return world[ProvisionalCredit].change(credit, status="final")


@chargebacks.tool(writes=True)
def answer_retrieval(world: World, retrieval: str, paper: str) -> Retrieval:
    """Answer a card scheme's request for a copy with one of the merchant's papers.

    Refused when it was answered, when its last day has passed, and for another merchant's paper.
    """
    row, sheet = world[Retrieval][retrieval], world[Paper][paper]
    if row.status != "open" or row.answer_by < world.day:
        raise Refused(f"{retrieval} takes no answer any more")
    if sheet.merchant != row.merchant:
        raise Refused(f"{paper} is not a paper of {row.merchant}")
    return world[Retrieval].change(retrieval, status="answered", paper=paper)


@chargebacks.event
def responses_closed(world: World, scheme: Scheme) -> None:
    """The scheme takes no more answers today: what is still open and due today lapses."""
    for row in world[Dispute].where(scheme=scheme, status="open", respond_by=world.day):
        world[Dispute].change(row.id, status="lapsed", settled=row.amount)
