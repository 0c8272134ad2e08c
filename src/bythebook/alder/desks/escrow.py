"""Buyers' money held order by order for marketplaces, and the operator's buffer that stands behind
what has been paid out early."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.alder.desks.accounts import Account, debit
from bythebook.conduct.world import Row, World
from bythebook.tool import BasisPoints, Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
Positive = Annotated[int, Meta(gt=0, description="integer minor units, above zero")]


class EscrowOrder(Row, frozen=True):
    """One buyer's order with one maker, paid for in advance."""

    table: ClassVar[str] = "escrow_orders"
    prefix: ClassVar[str] = "ESO"

    marketplace: str
    maker: str
    buyer: str
    work: str
    mark: str | None
    """The mark of the piece as the order confirmation gave it."""
    town: str
    """Where the maker works."""
    currency: str
    price: Positive
    """The price of the work alone."""
    delivery: Amount
    held: Amount
    """What is still in escrow for this order."""
    released: Amount
    """What has been paid to the maker."""
    claim: Amount
    """What the buyer could still ask back."""
    window_ends: str | None
    """When the buyer's time to object ends, if the work has been delivered."""
    status: Literal["in_work", "delivered", "accepted", "disputed"]


class EscrowBuffer(Row, frozen=True):
    """An operator's own money behind early releases."""

    table: ClassVar[str] = "escrow_buffers"
    prefix: ClassVar[str] = "BUF"

    owner: str
    currency: str
    balance: Amount


class EscrowCover(Row, frozen=True):
    """A part of a buffer that is pledged to one order."""

    table: ClassVar[str] = "escrow_covers"
    prefix: ClassVar[str] = "CVR"

    buffer: str
    order: str
    amount: Amount
    pledged: Day
    status: Literal["active", "returned"] = "active"


class EscrowDispute(Row, frozen=True):
    """A buyer's objection to an order, or to a part of it."""

    table: ClassVar[str] = "escrow_disputes"
    prefix: ClassVar[str] = "EDS"

    order: str
    amount: Positive
    opened: Day
    what: str
    status: Literal["open", "settled"] = "open"
    outcome: Literal["for_buyer", "for_maker"] | None = None


class BufferReturn(Row, frozen=True):
    """Money that the buffer had laid out and that is on its way back to it."""

    table: ClassVar[str] = "buffer_returns"
    prefix: ClassVar[str] = "BRT"

    buffer: str
    amount: Positive
    what: str
    due_day: Day | None
    due_at: str | None
    status: Literal["expected", "received"] = "expected"


class BufferPosition(Struct, frozen=True):
    balance: Cents
    pledged: Cents
    unpledged: Cents
    """Balance less pledges: the most that the system would pledge."""


class OrderCover(Struct, frozen=True):
    claim: Cents
    held: Cents
    cover: Cents
    share: BasisPoints
    """Held and cover together, as a share of the claim; 0 when nothing can be claimed."""


escrow = Desk(
    "escrow",
    "Marketplaces' buyers' money held per order, and the buffers behind early releases.",
    rows=(EscrowOrder, EscrowBuffer, EscrowCover, EscrowDispute, BufferReturn),
)


def pledged_of(world: World, buffer: str) -> int:
    """All active cover that a buffer stands behind."""
    return sum(c.amount for c in world[EscrowCover].where(buffer=buffer, status="active"))


def cover_of(world: World, order: str) -> int:
    """All active cover that stands behind an order."""
    return sum(c.amount for c in world[EscrowCover].where(order=order, status="active"))


def disputed(world: World, order: str) -> int:
    """The part of an order that disputes keep in question: open ones, and those the buyer won."""
    found = world[EscrowDispute].where(order=order)
    return sum(d.amount for d in found if d.outcome != "for_maker")


@escrow.tool()
def buffer_position(world: World, buffer: str) -> BufferPosition:
    """Show a marketplace's escrow buffer: balance, what is pledged, what is not.

    System figures. How much of the unpledged part may be pledged is for the policy to say.
    """
    row, pledged = world[EscrowBuffer][buffer], pledged_of(world, buffer)
    return BufferPosition(row.balance, pledged, row.balance - pledged)


@escrow.tool()
def order_cover(world: World, order: str) -> OrderCover:
    """Compare what a buyer could ask back with what is held and pledged for the order."""
    row, cover = world[EscrowOrder][order], cover_of(world, order)
    share = (row.held + cover) * 10_000 // row.claim if row.claim else 0
    return OrderCover(row.claim, row.held, cover, share)


@escrow.tool(writes=True)
def pledge_cover(world: World, buffer: str, order: str, amount: Cents) -> EscrowCover:
    """Pledge a part of a marketplace's buffer to one of its orders.

    Each pledge is a cover of its own. Refused when the buffer has less than `amount` unpledged, or
    belongs to another marketplace or another currency than the order.
    """
    row, goal = world[EscrowBuffer][buffer], world[EscrowOrder][order]
    if goal.marketplace != row.owner:
        raise Refused(f"{order} is sold on another marketplace than {buffer} belongs to")
    if goal.currency != row.currency:
        raise Refused(f"{order} is in {goal.currency}, {buffer} in {row.currency}")
    unpledged = row.balance - pledged_of(world, buffer)
    if not 0 < amount <= unpledged:
        raise Refused(f"amount: between 1 and the {unpledged} cents that are unpledged")
    return world[EscrowCover].add(buffer=buffer, order=order, amount=amount, pledged=world.day)


@escrow.tool(writes=True)
def return_cover(world: World, cover: str, amount: Cents) -> EscrowCover:
    """Give all or a part of a cover back to the buffer it came from.

    `amount` is what goes back; the rest stays pledged to the order. Refused when the cover has been
    returned or is smaller than `amount`.
    """
    row = world[EscrowCover][cover]
    if row.status != "active":
        raise Refused(f"{cover} is {row.status}")
    if not 0 < amount <= row.amount:
        raise Refused(f"amount: between 1 and the {row.amount} cents of {cover}")
    rest = row.amount - amount
    return world[EscrowCover].change(cover, amount=rest, status="active" if rest else "returned")


@escrow.tool(writes=True)
def top_up_buffer(world: World, buffer: str, account: str, amount: Cents) -> EscrowBuffer:
    """Move money from the operator's account into its escrow buffer.

    Same owner, same currency. Refused if the account holds less than `amount`.
    """
    row, other = world[EscrowBuffer][buffer], world[Account][account]
    if row.owner != other.owner:
        raise Refused(f"{buffer} and {account} belong to different owners")
    if row.currency != other.currency:
        raise Refused(f"{buffer} is in {row.currency}, {account} in {other.currency}")
    if amount <= 0:
        raise Refused("amount must be above zero")
    debit(world, account, amount)
    return world[EscrowBuffer].change(buffer, balance=row.balance + amount)


@escrow.tool(writes=True)
def settle_escrow_dispute(
    world: World, dispute: str, outcome: Literal["for_buyer", "for_maker"]
) -> EscrowDispute:
    """Record how a buyer's dispute of an order has ended.

    Decided for the maker, its amount leaves what the buyer could ask back once the time to object
    is over; decided for the buyer, it stays until the buyer has been repaid. Refused when the
    dispute is settled.
    """
    row = world[EscrowDispute][dispute]
    if row.status != "open":
        raise Refused(f"{dispute} is {row.status}")
    order = world[EscrowOrder][row.order]
    if outcome == "for_maker" and order.status == "disputed":
        rest = max(0, order.claim - row.amount)
        world[EscrowOrder].change(order.id, claim=rest, status="disputed" if rest else "accepted")
    return world[EscrowDispute].change(dispute, status="settled", outcome=outcome)


@escrow.event
def acceptance_window_ended(world: World, order: str) -> None:
    """The buyer's time to object is over: what is not in dispute is accepted."""
    row = world[EscrowOrder][order]
    if row.status != "delivered":
        return
    rest = min(row.claim, disputed(world, order))
    world[EscrowOrder].change(order, claim=rest, status="disputed" if rest else "accepted")


@escrow.event
def buffer_return_received(world: World, back: str) -> None:
    """Money that was on its way to a buffer has come."""
    row = world[BufferReturn][back]
    if row.status != "expected":
        return
    balance = world[EscrowBuffer][row.buffer].balance
    world[EscrowBuffer].change(row.buffer, balance=balance + row.amount)
    world[BufferReturn].change(back, status="received")
