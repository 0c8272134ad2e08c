"""Refunds: a merchant gives money back to the cardholder who paid."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.accounts import debit, take_fee
from bythebook.alder.desks.cards import open_card
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.merchants import Merchant, Route, Sale
from bythebook.conduct.world import Row, World, add_days
from bythebook.tool import Cents, Day, Desk, Refused

Count = Annotated[int, Meta(ge=0)]


class Refund(Row, frozen=True):
    table: ClassVar[str] = "refunds"
    prefix: ClassVar[str] = "RFD"
    terms: ClassVar[tuple[str, ...]] = ("sale", "card", "amount", "route")

    case: str
    sale: str
    merchant: str
    cardholder: str
    card: str
    amount: Annotated[int, Meta(gt=0)]
    route: Route
    status: Literal["draft", "released", "cancelled", "returned"]
    day: Day | None = None
    """Day of release."""
    value_day: Day | None = None
    """Day on which the money is on the card."""


class SlotBook(Row, frozen=True):
    """How many instant refunds a merchant may send on one day, and how many it has sent."""

    table: ClassVar[str] = "slot_books"
    prefix: ClassVar[str] = "SLB"

    merchant: str
    day: Day
    granted: Count
    used: Count


class RefundQuote(msgspec.Struct, frozen=True):
    fee: int
    value_day: Day
    instant_left: int


refunds = Desk("refunds", "Giving cardholders their money back.", rows=(Refund, SlotBook))


def slots(world: World, merchant: str) -> SlotBook | None:
    """Today's book of instant refunds of a merchant."""
    found = world[SlotBook].where(merchant=merchant, day=world.day)
    return found[0] if found else None


def _value_day(world: World, route: Route) -> Day:
    days = world.policy.number(f"refund.days.{route}", world.day)
    return add_days(world.day, days)


def _refundable(world: World, sale: Sale, amount: int, besides: str = "") -> None:
    if amount <= 0:
        raise Refused("amount: must be above zero")
    rows = world[Refund].where(sale=sale.id)
    spoken_for = sum(r.amount for r in rows if r.status != "cancelled" and r.id != besides)
    if amount > sale.amount - spoken_for:
        raise Refused(f"{sale.id} has {sale.amount - spoken_for} cents left to give back")


@refunds.tool()
def refunds_of_sale(world: World, sale: str) -> tuple[Refund, ...]:
    """List the refunds of one sale, cancelled ones too."""
    world[Sale][sale]
    return tuple(world[Refund].where(sale=sale))


@refunds.tool()
def quote_refund(world: World, merchant: str, route: Route) -> RefundQuote:
    """Say what a refund would cost a merchant now, and on which day it would be on the card.

    Also counts the instant refunds that the merchant may still send today. Fees are in cents.
    """
    world[Merchant][merchant]
    book = slots(world, merchant)
    return RefundQuote(
        fee=world.policy.number(f"refund.fee.{route}", world.day),
        value_day=_value_day(world, route),
        instant_left=book.granted - book.used if book else 0,
    )


@refunds.tool(writes=True)
def draft_refund(
    world: World, case: str, sale: str, card: str, amount: Cents, route: Route
) -> Refund:
    """Draft a refund of part or all of a sale to a card of the cardholder who paid.

    `instant` is on the card the same day for a fee and takes one of the merchant's instant refunds
    of the day; `netted` is free and comes out of the merchant's next settlement. Nothing moves
    until the refund is released. Refused for a closed card, and above what the sale has left.
    """
    world[Case][case]
    paid = world[Sale][sale]
    open_card(world, card, paid.cardholder)
    _refundable(world, paid, amount)
    return world[Refund].add(
        case=case,
        sale=sale,
        merchant=paid.merchant,
        cardholder=paid.cardholder,
        card=card,
        amount=amount,
        route=route,
        status="draft",
    )


@refunds.tool(writes=True)
def amend_refund(world: World, refund: str, amount: Cents, route: Route) -> Refund:
    """Change amount or route of a refund that is still a draft.

    Consents given to the earlier terms do not carry over. Refused after release.
    """
    row = world[Refund][refund]
    if row.status != "draft":
        raise Refused(f"{refund} is {row.status}, not a draft")
    _refundable(world, world[Sale][row.sale], amount, besides=refund)
    return world[Refund].change(refund, amount=amount, route=route)


@refunds.tool(writes=True)
def cancel_refund(world: World, refund: str) -> Refund:
    """Drop a draft refund.

    Refused once it has been released: money that is on its way is not called back.
    """
    row = world[Refund][refund]
    if row.status != "draft":
        raise Refused(f"{refund} is {row.status}; only drafts can be cancelled")
    return world[Refund].change(refund, status="cancelled")


@refunds.tool(writes=True)
def release_refund(world: World, refund: str) -> Refund:
    """Send a drafted refund on its way.

    An instant refund is paid from the merchant's settlement account at once and its fee from the
    fee account; a netted one lowers the next settlement. Refused when the merchant is suspended,
    has no instant refund left today, or the account holds too little.
    """
    row = world[Refund][refund]
    if row.status != "draft":
        raise Refused(f"{refund} is {row.status}, not a draft")
    merchant = world[Merchant][row.merchant]
    if merchant.status == "suspended":
        raise Refused(f"{merchant.id} is suspended")
    open_card(world, row.card, row.cardholder)
    if row.route == "instant":
        _take_slot(world, merchant)
        debit(world, merchant.settlement_account, row.amount)
    fee = world.policy.number(f"refund.fee.{row.route}", world.day)
    take_fee(world, merchant.fee_account, fee, what="refund", ref=refund, case=row.case)
    return world[Refund].change(
        refund, status="released", day=world.day, value_day=_value_day(world, row.route)
    )


def _take_slot(world: World, merchant: Merchant) -> None:
    book = slots(world, merchant.id)
    if book is None or book.used >= book.granted:
        raise Refused(f"{merchant.id} has no instant refund left for {world.day}")
    world[SlotBook].change(book.id, used=book.used + 1)


@refunds.event
def colleague_released(world: World, refund: str) -> None:
    """A colleague sends a refund that they had drafted."""
    release_refund(world, refund)


@refunds.tool(writes=True)
def refund_now(
    world: World, case: str, sale: str, card: str, amount: Cents, route: Route
) -> Refund:
    """Draft and release a refund in one step.

    Routes, fees and refusals are those of `draft_refund` and `release_refund`.
    """
    draft = draft_refund(world, case, sale, card, amount, route)
    return release_refund(world, draft.id)


@refunds.tool(writes=True)
def redirect_returned_refund(world: World, refund: str, card: str) -> Refund:
    """Send a refund that came back to another open card of the same cardholder.

    Refused unless the refund was returned, and for the card that it came back from.
    """
    row = world[Refund][refund]
    if row.status != "returned":
        raise Refused(f"{refund} is {row.status}; it has not come back")
    if row.card == card:
        raise Refused(f"{refund} came back from {card}")
    open_card(world, card, row.cardholder)
    value_day = add_days(world.day, 1)
    return world[Refund].change(refund, card=card, status="released", value_day=value_day)
