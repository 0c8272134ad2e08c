"""Notices on payments that customers see in the portal: refusals, and standard lines."""

from typing import ClassVar, Literal

from bythebook.alder.desks.payouts import Payout
from bythebook.alder.desks.screening import Hit, open_hit
from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused

Ground = Literal[
    "unlicensed_lottery", "bearer_paper", "anonymous_prepaid", "counterfeit_parts", "wildlife",
]  # fmt: skip
Wording = Literal["received", "in_progress", "information_needed", "held_for_screening", "returned"]


class RefusalNotice(Row, frozen=True):
    """Word to the customer that a payment is refused, and under which clause."""

    table: ClassVar[str] = "refusal_notices"
    prefix: ClassVar[str] = "RFN"

    owner: str
    payout: str
    hit: str
    ground: Ground
    clause: str
    t: int


class PaymentNotice(Row, frozen=True):
    """One of the standard lines on where a payment stands, as the customer sees it."""

    table: ClassVar[str] = "payment_notices"
    prefix: ClassVar[str] = "PNT"

    owner: str
    payout: str
    wording: Wording
    t: int


notices = Desk(
    "notices", "Notices on payments in the customer's portal.", rows=(RefusalNotice, PaymentNotice)
)


@notices.tool(writes=True)
def issue_refusal_notice(world: World, hit: str, ground: Ground, clause: str) -> RefusalNotice:
    """Refuse a payment on a hit: the customer gets a notice with ground and clause.

    `clause` is written family#clause. The notice cancels the payout and closes the hit. For payouts
    that are drafted or scheduled.
    """
    row = open_hit(world, hit)
    if "#" not in clause:
        raise Refused("clause: name the document family and the clause, as in family#3.1")
    payout = world[Payout].get(row.subject)
    if payout is None or payout.status not in ("draft", "scheduled"):
        raise Refused(f"{row.subject} is no payout that still waits to go")
    world[Payout].change(payout.id, status="cancelled")
    world[Hit].change(hit, status="refused")
    return world[RefusalNotice].add(
        owner=row.owner, payout=payout.id, hit=hit, ground=ground, clause=clause, t=world.t
    )


@notices.tool(writes=True, minutes=0)
def send_payment_notice(world: World, payout: str, wording: Wording) -> PaymentNotice:
    """Send the customer a standard line on where a payment stands.

    Appears in the portal beside the payment. The same line is not sent twice.
    """
    row = world[Payout][payout]
    if world[PaymentNotice].where(payout=payout, wording=wording):
        raise Refused(f"{payout}: {wording} was sent before")
    return world[PaymentNotice].add(owner=row.party, payout=payout, wording=wording, t=world.t)
