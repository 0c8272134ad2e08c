"""Disputes: a cardholder contests a sale; papers, a second look at them, settlement terms."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.accounts import take_fee
from bythebook.alder.desks.cards import Scheme
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.merchants import Merchant
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Lane = Literal["standard", "priority"]
PaperKind = Literal["delivery_proof", "payment_receipt", "correspondence", "invoice", "photo"]
Amount = Annotated[int, Meta(ge=0, description="integer minor units")]


class Dispute(Row, frozen=True):
    table: ClassVar[str] = "disputes"
    prefix: ClassVar[str] = "DSP"

    merchant: str
    cardholder: str
    sale: str
    scheme: Scheme
    reason: Literal["not_received", "not_as_described", "cancelled", "not_authorised", "duplicate"]
    amount: Annotated[int, Meta(gt=0)]
    opened: Day
    respond_by: Day
    """Last day for an answer to the scheme; the hour is the scheme's."""
    status: Literal["open", "accepted", "contested", "lapsed"]
    settled: Amount | None = None
    """What the merchant ended up liable for."""


class Paper(Row, frozen=True):
    """A paper that may be evidence; it counts for a dispute once attached to it."""

    table: ClassVar[str] = "dispute_papers"
    prefix: ClassVar[str] = "PAP"

    merchant: str
    kind: PaperKind
    dated: Day
    says: str
    amount: Amount = 0
    """payment_receipt: what it shows as paid to the cardholder."""
    dispute: str | None = None


class Review(Row, frozen=True):
    """The evidence desk's look at a dispute; `papers` are those it was handed."""

    table: ClassVar[str] = "evidence_reviews"
    prefix: ClassVar[str] = "RVW"

    dispute: str
    lane: Lane
    papers: tuple[str, ...]
    requested: int
    due: int
    status: Literal["running", "done", "cancelled"]
    finding: Literal["accept", "contest"] | None = None
    amount: Amount | None = None
    """What the desk finds the merchant liable for."""


class Settlement(Row, frozen=True):
    """Terms on which a merchant would accept liability."""

    table: ClassVar[str] = "settlements"
    prefix: ClassVar[str] = "STL"
    terms: ClassVar[tuple[str, ...]] = ("dispute", "amount", "deducted")

    dispute: str
    merchant: str
    cardholder: str
    amount: Annotated[int, Meta(gt=0)]
    deducted: Amount
    status: Literal["proposed", "filed", "withdrawn"]


class DisputeFile(msgspec.Struct, frozen=True):
    dispute: Dispute
    papers: tuple[Paper, ...]
    reviews: tuple[Review, ...]
    settlements: tuple[Settlement, ...]


disputes = Desk(
    "disputes",
    "Disputed sales: papers, evidence reviews, settlement terms.",
    rows=(Dispute, Paper, Review, Settlement),
)


def open_dispute(world: World, dispute: str) -> Dispute:
    row = world[Dispute][dispute]
    if row.status != "open":
        raise Refused(f"{dispute} is {row.status}, not open")
    return row


def write_terms(world: World, dispute: Dispute, amount: int, deducted: int) -> Settlement:
    """Put settlement terms on record; refused when they do not add up to the disputed amount."""
    if amount <= 0 or deducted < 0:
        raise Refused("amount must be above zero, deducted not below it")
    if amount + deducted != dispute.amount:
        raise Refused(f"amount and deducted must add up to {dispute.amount} cents")
    return world[Settlement].add(
        dispute=dispute.id,
        merchant=dispute.merchant,
        cardholder=dispute.cardholder,
        amount=amount,
        deducted=deducted,
        status="proposed",
    )


@disputes.tool()
def open_dispute_file(world: World, dispute: str) -> DisputeFile:
    """Read a dispute with its papers, evidence reviews and settlement terms."""
    return DisputeFile(
        dispute=world[Dispute][dispute],
        papers=tuple(world[Paper].where(dispute=dispute)),
        reviews=tuple(world[Review].where(dispute=dispute)),
        settlements=tuple(world[Settlement].where(dispute=dispute)),
    )


@disputes.tool(writes=True)
def attach_paper(world: World, dispute: str, paper: str) -> Paper:
    """Attach a paper to an open dispute.

    Refused for a paper of another merchant, and for one that is attached already.
    """
    row, sheet = open_dispute(world, dispute), world[Paper][paper]
    if sheet.merchant != row.merchant:
        raise Refused(f"{paper} is not a paper of {row.merchant}")
    if sheet.dispute is not None:
        raise Refused(f"{paper} is attached to {sheet.dispute}")
    return world[Paper].change(paper, dispute=dispute)


@disputes.tool(writes=True)
def detach_paper(world: World, paper: str) -> Paper:
    """Take a paper off an open dispute.

    Refused while an evidence review that was handed the paper is running.
    """
    sheet = world[Paper][paper]
    if sheet.dispute is None:
        raise Refused(f"{paper} is attached to nothing")
    open_dispute(world, sheet.dispute)
    for review in world[Review].where(dispute=sheet.dispute, status="running"):
        if paper in review.papers:
            raise Refused(f"{review.id} is reading {paper}")
    return world[Paper].change(paper, dispute=None)


@disputes.tool(writes=True)
def request_evidence_review(world: World, case: str, dispute: str, lane: Lane) -> Review:
    """Hand an open dispute to the evidence desk, with the papers attached to it now.

    The desk reports a finding and an amount after a while that depends on the lane. The priority
    lane's fee is taken from the merchant's fee account at once and kept if the review is
    cancelled. Papers attached later are not seen. Refused while another review is running.
    """
    world[Case][case]
    row = open_dispute(world, dispute)
    if world[Review].where(dispute=dispute, status="running"):
        raise Refused(f"{dispute} is with the evidence desk already")
    due = world.t + world.policy.number(f"review.minutes.{lane}", world.day)
    review = world[Review].add(
        dispute=dispute,
        lane=lane,
        papers=tuple(sorted(p.id for p in world[Paper].where(dispute=dispute))),
        requested=world.t,
        due=due,
        status="running",
    )
    fee = world.policy.number(f"review.fee.{lane}", world.day)
    account = world[Merchant][row.merchant].fee_account
    take_fee(world, account, fee, what="evidence review", ref=review.id, case=case)
    world.schedule("review_reported", due=due, priority=3, review=review.id)
    return review


@disputes.event
def review_reported(world: World, review: str) -> None:
    """The evidence desk reports: contest if delivery is proved, else accept less what was paid."""
    row = world[Review][review]
    if row.status != "running":
        return
    papers = [world[Paper][key] for key in row.papers]
    paid = sum(p.amount for p in papers if p.kind == "payment_receipt")
    proved = any(p.kind == "delivery_proof" for p in papers)
    liable = 0 if proved else max(0, world[Dispute][row.dispute].amount - paid)
    finding = "accept" if liable else "contest"
    world[Review].change(review, status="done", finding=finding, amount=liable)


@disputes.event
def paper_received(
    world: World, paper: str, merchant: str, kind: PaperKind, says: str, amount: Amount
) -> None:
    """A paper of today reaches a merchant's pile, sent by somebody else than the merchant."""
    sheet = Paper(paper, merchant, kind, dated=world.day, says=says, amount=amount)
    world[Paper].put(sheet)


@disputes.tool(writes=True)
def cancel_review(world: World, review: str) -> Review:
    """Call a running evidence review back; its fee is not returned.

    Refused once the desk has reported.
    """
    row = world[Review][review]
    if row.status != "running":
        raise Refused(f"{review} is {row.status}, not running")
    return world[Review].change(review, status="cancelled")


@disputes.tool(writes=True)
def propose_settlement(world: World, dispute: str, amount: Cents, deducted: Cents) -> Settlement:
    """Put terms on record on which the merchant would accept liability for an open dispute.

    `amount` is what the merchant bears, `deducted` what is taken off the disputed amount; together
    they are the disputed amount. The merchant can be asked to approve the terms. Nothing is said
    to the scheme. Refused while other terms for the dispute are proposed.
    """
    row = open_dispute(world, dispute)
    if world[Settlement].where(dispute=dispute, status="proposed"):
        raise Refused(f"{dispute} has proposed terms; withdraw them first")
    return write_terms(world, row, amount, deducted)


@disputes.tool(writes=True)
def withdraw_settlement(world: World, settlement: str) -> Settlement:
    """Take proposed terms off the table.

    Refused when the scheme has been told of them.
    """
    row = world[Settlement][settlement]
    if row.status != "proposed":
        raise Refused(f"{settlement} is {row.status}, not proposed")
    return world[Settlement].change(settlement, status="withdrawn")
