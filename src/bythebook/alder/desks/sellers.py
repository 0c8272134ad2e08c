"""Orders of platforms' sellers: what was agreed, where it was done, what is left to be paid."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
Territory = Literal["RAV", "MRW", "QSD"]
"""Ravelin, Merrow, Quillsound: the territories of Alder's withholding table."""
Category = Literal["site_work", "remote_work", "equipment_hire"]
Basis = Literal["seat", "booking", "sheet"]


class SellerOrder(Row, frozen=True):
    """One job that a seller did for a customer of a platform, to be paid out of the seller pot."""

    table: ClassVar[str] = "seller_orders"
    prefix: ClassVar[str] = "SOR"

    platform: str
    seller: str
    payee: str
    category: Category
    venue: str
    """The place that was booked."""
    venue_territory: Territory
    seat: Territory
    """Where the seller is registered."""
    first_day: Day
    last_day: Day
    """Last day of work, which is the supply date."""
    territory: Territory
    """The territory that the order is recorded under."""
    basis: Basis
    sheet: str | None
    advance: Amount
    """Paid ahead of the work."""
    advance_paid: Day | None
    pot: str
    """The account that the rest is kept on."""
    status: Literal["awaiting", "held", "settled"]
    remark: str = ""


class OrderLine(Row, frozen=True):
    table: ClassVar[str] = "order_lines"
    prefix: ClassVar[str] = "SOL"

    order: str
    kind: Literal["fee", "allowance", "expense"]
    what: str
    amount: Amount
    receipt: bool
    """A receipt for exactly this amount is on record."""


class PerformanceSheet(Row, frozen=True):
    """A platform's signed word on where an order was carried out; it comes from the platform."""

    table: ClassVar[str] = "performance_sheets"
    prefix: ClassVar[str] = "PFS"

    order: str
    territory: Territory
    place: str
    first_day: Day
    last_day: Day
    signed_by: str
    signed: Day


class OrderSheet(msgspec.Struct, frozen=True):
    """An order with its lines and what is left to pay before any tax."""

    order: SellerOrder
    lines: tuple[OrderLine, ...]
    total: Cents
    advance: Cents
    remaining: Cents


sellers = Desk(
    "sellers",
    "Orders of platforms' sellers: lines, advances, where the work was done.",
    rows=(SellerOrder, OrderLine, PerformanceSheet),
)


def awaiting(world: World, order: str) -> SellerOrder:
    """The order, if it may still be worked on."""
    row = world[SellerOrder][order]
    if row.status != "awaiting":
        raise Refused(f"{order} is {row.status}")
    return row


@sellers.tool()
def order_sheet(world: World, order: str) -> OrderSheet:
    """Show a seller's order with its lines, the advance and what is left to be paid.

    `remaining` is the total less the advance; no tax is worked into it.
    """
    row = world[SellerOrder][order]
    lines = tuple(world[OrderLine].where(order=order))
    total = sum(line.amount for line in lines)
    return OrderSheet(row, lines, total, row.advance, total - row.advance)


@sellers.tool(writes=True)
def set_order_territory(
    world: World, order: str, territory: Territory, basis: Basis, sheet: str | None = None
) -> SellerOrder:
    """Record the territory that a seller's order falls under, and what that rests on.

    `basis` is the seller's seat, the booked venue, or the platform's signed performance sheet,
    which is then named in `sheet`. Refused when what it rests on says another territory, when the
    sheet is of another order, and when the order stands recorded so already.
    """
    row = awaiting(world, order)
    if (basis == "sheet") != (sheet is not None):
        raise Refused("sheet: name one if, and only if, the basis is a sheet")
    said = {"seat": row.seat, "booking": row.venue_territory}.get(basis, "")
    if sheet is not None:
        paper = world[PerformanceSheet][sheet]
        if paper.order != order:
            raise Refused(f"{sheet} is about {paper.order}")
        said = paper.territory
    if said != territory:
        raise Refused(f"the {basis} says {said}, not {territory}")
    if (row.territory, row.basis, row.sheet) == (territory, basis, sheet):
        raise Refused(f"{order} stands recorded so already")
    return world[SellerOrder].change(order, territory=territory, basis=basis, sheet=sheet)


@sellers.tool(writes=True)
def set_order_standing(
    world: World, order: str, standing: Literal["awaiting", "held"], why: str
) -> SellerOrder:
    """Hold a seller's order back from being worked on, or set it free again.

    A held order takes no posting, no certificate and no statement. Say in `why` what it waits for.
    Refused for a settled order and when the order stands so already.
    """
    row = world[SellerOrder][order]
    if row.status in ("settled", standing):
        raise Refused(f"{order} is {row.status}")
    if not why.strip():
        raise Refused("why: say what for")
    return world[SellerOrder].change(order, status=standing, remark=f"{row.remark} / {why}")
