"""Money on its way in from card networks and partners: expected, received, posted."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.treasury import CollateralAccount, give, post, source
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]


class ExpectedCredit(Row, frozen=True):
    """One amount that a settlement file announces for a customer."""

    table: ClassVar[str] = "expected_credits"
    prefix: ClassVar[str] = "EXC"

    owner: str
    file: str
    network: str
    currency: str
    amount: Amount
    due_day: Day
    due_at: str
    """When the network says the money will be there, HH:MM."""
    status: Literal["expected", "received", "posted", "sent_back", "split"]
    directed: str | None = None
    """Where it is to be posted as soon as it is received."""
    booked: str | None = None
    """Collateral account on which it was booked ahead."""
    posted_to: str | None = None
    part_of: str | None = None
    """The credit that was split; its parts arrive when it does."""


class CreditEnquiry(Row, frozen=True):
    table: ClassVar[str] = "credit_enquiries"
    prefix: ClassVar[str] = "ENQ"

    credit: str
    asked: int
    answer: Literal["pending", "in_transit", "received"]


settlements = Desk(
    "settlements",
    "Incoming settlement files and the credits they bring.",
    rows=(ExpectedCredit, CreditEnquiry),
)


def post_received(world: World, credit: str, to: str) -> ExpectedCredit:
    """Post a received credit to an account or collateral account."""
    row = world[ExpectedCredit][credit]
    if row.status != "received":
        raise Refused(f"{credit} is {row.status}; only received credits can be posted")
    fits(world, row, to)
    give(world, to, row.amount, "credit", credit)
    return world[ExpectedCredit].change(credit, status="posted", posted_to=to)


def fits(world: World, row: ExpectedCredit, to: str) -> None:
    """Check that a credit may go to an account: same owner, same currency."""
    target = source(world, to)
    if target.owner != row.owner:
        raise Refused(f"{row.id} and {to} belong to different owners")
    if target.currency != row.currency:
        raise Refused(f"{row.id} is in {row.currency}, {to} in {target.currency}")


def _expected(world: World, credit: str) -> ExpectedCredit:
    row = world[ExpectedCredit][credit]
    if row.status != "expected":
        raise Refused(f"{credit} is {row.status}, no longer expected")
    return row


@settlements.tool()
def credits_for(world: World, owner: str) -> tuple[ExpectedCredit, ...]:
    """List a customer's incoming credits with the time they are due and what became of them."""
    return tuple(world[ExpectedCredit].where(owner=owner))


@settlements.tool(writes=True)
def post_credit(world: World, credit: str, to: str) -> ExpectedCredit:
    """Post a received credit to one of the owner's accounts or collateral accounts.

    Refused before the money has been received, and for an account of another owner or currency.
    """
    return post_received(world, credit, to)


@settlements.tool(writes=True, repeatable=True)
def direct_credit(world: World, credit: str, to: str) -> ExpectedCredit:
    """Say ahead of time where an expected credit shall be posted when it is received.

    Replaces an earlier direction. Refused once the credit is no longer expected, or when it was
    booked ahead.
    """
    row = _expected(world, credit)
    if row.booked is not None:
        raise Refused(f"{credit} was booked ahead on {row.booked}")
    fits(world, row, to)
    return world[ExpectedCredit].change(credit, directed=to)


@settlements.tool(writes=True)
def book_provisional(world: World, credit: str, collateral: str) -> ExpectedCredit:
    """Book an expected credit on the owner's collateral account ahead of its arrival.

    The ledger balance rises at once; the amount shows as provisional until the money has been
    received. Refused for a credit that was booked before or is no longer expected.
    """
    row = _expected(world, credit)
    if row.booked is not None:
        raise Refused(f"{credit} was booked ahead on {row.booked}")
    world[CollateralAccount][collateral]
    fits(world, row, collateral)
    post(world, collateral, row.amount, "provisional", credit)
    return world[ExpectedCredit].change(credit, booked=collateral, directed=None)


@settlements.tool(writes=True)
def split_credit(world: World, credit: str, amount: Cents) -> ExpectedCredit:
    """Split an expected credit in two, so that the parts can go to different accounts.

    `amount` is the first part; the second gets the rest. Both keep file, due time and owner, and
    come in together. Returns the first part.
    """
    row = _expected(world, credit)
    if row.booked is not None:
        raise Refused(f"{credit} was booked ahead on {row.booked}")
    if not 0 < amount < row.amount:
        raise Refused(f"amount: above zero and below {row.amount} cents")
    world[ExpectedCredit].change(credit, status="split")
    parts = [
        world[ExpectedCredit].add(
            owner=row.owner,
            file=row.file,
            network=row.network,
            currency=row.currency,
            amount=part,
            due_day=row.due_day,
            due_at=row.due_at,
            status="expected",
            part_of=credit,
        )
        for part in (amount, row.amount - amount)
    ]
    return parts[0]


@settlements.tool(writes=True)
def send_back_credit(
    world: World, credit: str, reason: Literal["wrong_owner", "wrong_amount", "duplicate"]
) -> ExpectedCredit:
    """Return a received credit to the network that sent it.

    Only while it has not been posted. The network corrects and sends again on a later day.
    """
    row = world[ExpectedCredit][credit]
    if row.status != "received":
        raise Refused(f"{credit} is {row.status}; only received credits can go back")
    return world[ExpectedCredit].change(credit, status="sent_back")


@settlements.tool(writes=True)
def chase_credit(world: World, credit: str) -> CreditEnquiry:
    """Ask the network where an expected credit is.

    The answer comes a quarter of an hour later. One open enquiry a credit.
    """
    _expected(world, credit)
    if world[CreditEnquiry].where(credit=credit, answer="pending"):
        raise Refused(f"{credit} has an open enquiry")
    row = world[CreditEnquiry].add(credit=credit, asked=world.t, answer="pending")
    minutes = world.policy.number("settlements.enquiry.minutes", world.day)
    world.schedule("enquiry_answered", due=world.t + minutes, enquiry=row.id)
    return row


@settlements.event
def settlement_received(world: World, credit: str) -> None:
    """The money is there: clear what was booked ahead, or post where it was directed. Money for a
    credit that was split is money for its parts."""
    row = world[ExpectedCredit][credit]
    if row.status == "split":
        for part in world[ExpectedCredit].where(part_of=credit):
            settlement_received(world, part.id)
    if row.status != "expected":
        return
    if row.booked is not None:
        deposit = world[CollateralAccount][row.booked]
        world[CollateralAccount].change(deposit.id, provisional=deposit.provisional - row.amount)
        world[ExpectedCredit].change(credit, status="posted", posted_to=deposit.id)
        return
    world[ExpectedCredit].change(credit, status="received")
    if row.directed is not None:
        post_received(world, credit, row.directed)


@settlements.event
def enquiry_answered(world: World, enquiry: str) -> None:
    """Say whether the credit has come."""
    credit = world[ExpectedCredit][world[CreditEnquiry][enquiry].credit]
    answer = "in_transit" if credit.status in ("expected", "split") else "received"
    world[CreditEnquiry].change(enquiry, answer=answer)
