"""Gates: suppliers' loading windows, the purchase orders that wait for them, prepaid units."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.conduct.world import MINUTES_A_DAY, Row, World, add_days, days_between
from bythebook.tool import Day, Desk, Refused

Goods = Literal["chilled", "dry"]
Above = Annotated[int, Meta(gt=0, description="integer minor units, above zero")]
Funded = Annotated[int, Meta(ge=0, description="integer minor units")]
Units = Annotated[int, Meta(ge=0, description="whole units of a lot")]


class Gate(Row, frozen=True):
    """Where a supplier loads."""

    table: ClassVar[str] = "gates"
    prefix: ClassVar[str] = "GAT"

    supplier: str
    goods: Goods
    funding: Literal["to_the_cent", "on_account"]
    """What an order has to hold when its window closes."""


class GateWindow(Row, frozen=True):
    """When a gate hears of money and loads; the minute `opens` counts, the minute `closes` not."""

    table: ClassVar[str] = "gate_windows"
    prefix: ClassVar[str] = "GWN"

    gate: str
    day: Day
    opens: str
    closes: str
    held_to: str | None = None
    """When it closes instead, once it has been held."""


class PurchaseOrder(Row, frozen=True):
    """What a distributor has ordered at a gate, and the money that stands on it."""

    table: ClassVar[str] = "purchase_orders"
    prefix: ClassVar[str] = "PO"

    owner: str
    gate: str
    window: str
    goods: str
    amount: Above
    funded: Funded = 0
    status: Literal["open", "loaded", "missed"] = "open"


class OrderChange(Row, frozen=True):
    """A supplier's paper that changes the amount of an order."""

    table: ClassVar[str] = "order_changes"
    prefix: ClassVar[str] = "OCH"

    order: str
    reference: str
    dated: Day
    amount: Above
    status: Literal["received", "applied"] = "received"


class WindowLot(Row, frozen=True):
    """Prepaid units of one kind. `kept` units are promised to an order of another day."""

    table: ClassVar[str] = "window_lots"
    prefix: ClassVar[str] = "WLO"

    owner: str
    kind: Literal["in_window", "hold"]
    goods: tuple[Goods, ...]
    units: Units
    used: Units
    valid_from: Day
    valid_to: Day
    """Last day of the term."""
    kept: Units = 0
    kept_for: str | None = None


class WindowHold(Row, frozen=True):
    """A unit spent on keeping a gate open longer."""

    table: ClassVar[str] = "window_holds"
    prefix: ClassVar[str] = "HWN"

    order: str
    window: str
    lot: str
    until: str
    t: int


class Place(msgspec.Struct, frozen=True):
    """One line of the gate board."""

    order: str
    status: str
    gate: str
    funding: str
    window: str
    day: Day
    opens: str
    closes: str
    """Held windows show the later time."""
    missing: int
    """Cents that the order does not hold yet."""


gates = Desk(
    "gates",
    "Suppliers' gates: loading windows, purchase orders, holds and prepaid units.",
    rows=(Gate, GateWindow, PurchaseOrder, OrderChange, WindowLot, WindowHold),
)


def minute_on(world: World, day: Day, clock: str) -> int:
    """The t at which `day` reads `clock`."""
    return days_between(world.day_at(0), day) * MINUTES_A_DAY + world.minute(clock)


def closing(world: World, window: GateWindow) -> int:
    """First minute at which the window is closed, a hold counted."""
    return minute_on(world, window.day, window.held_to or window.closes)


def is_open(world: World, window: GateWindow) -> bool:
    return minute_on(world, window.day, window.opens) <= world.t < closing(world, window)


def open_order(world: World, order: str) -> PurchaseOrder:
    """The order, while its supplier still waits for money."""
    row = world[PurchaseOrder][order]
    if row.status != "open":
        raise Refused(f"{order} is {row.status}, not open")
    return row


def check_lot(
    world: World, lot: str, order: PurchaseOrder, kind: Literal["in_window", "hold"]
) -> WindowLot:
    """The lot, if a unit of it can be spent on the order."""
    row, goods = world[WindowLot][lot], world[Gate][order.gate].goods
    if row.owner != order.owner:
        raise Refused(f"{lot} and {order.id} belong to different customers")
    if row.kind != kind:
        raise Refused(f"{lot} holds {row.kind} units, not {kind}")
    if goods not in row.goods:
        raise Refused(f"{lot} does not cover {goods} goods")
    carried = add_days(row.valid_to, world.policy.number("lots.carry.days", world.day))
    if not row.valid_from <= world.day <= carried:
        raise Refused(f"{lot} is not carried in the book today")
    if row.used >= row.units:
        raise Refused(f"{lot} has no unit left")
    return row


def spend_unit(
    world: World, lot: str, order: PurchaseOrder, kind: Literal["in_window", "hold"]
) -> WindowLot:
    """Use one unit; it does not come back."""
    row = check_lot(world, lot, order, kind)
    return world[WindowLot].change(lot, used=row.used + 1)


@gates.tool()
def gate_board(world: World, party: str) -> tuple[Place, ...]:
    """Show a customer's purchase orders with gate, window, funding and the money still missing.

    Orders of earlier and later days are shown too. A window opens at `opens` and is closed from
    `closes` on.
    """
    found = []
    for order in world[PurchaseOrder].where(owner=party):
        window, gate = world[GateWindow][order.window], world[Gate][order.gate]
        found.append(
            Place(
                order=order.id,
                status=order.status,
                gate=gate.id,
                funding=gate.funding,
                window=window.id,
                day=window.day,
                opens=window.opens,
                closes=window.held_to or window.closes,
                missing=max(order.amount - order.funded, 0),
            )
        )
    return tuple(sorted(found, key=lambda place: (place.day, place.opens, place.order)))


@gates.tool(writes=True)
def hold_window(world: World, order: str, lot: str) -> WindowHold:
    """Spend a hold unit so that the window of an order stays open longer, once.

    Refused when the window has closed or was held before, when it is not today's, and when the lot
    holds no unit for such a gate.
    """
    row = open_order(world, order)
    window = world[GateWindow][row.window]
    if window.day != world.day or world.t >= closing(world, window):
        raise Refused(f"{window.id} is not open today any more, or not yet the day")
    if window.held_to is not None:
        raise Refused(f"{window.id} is held to {window.held_to} already")
    spend_unit(world, lot, row, "hold")
    until = closing(world, window) + world.policy.number("gate.hold.minutes", world.day)
    until = min(until, minute_on(world, window.day, "23:59"))
    clock = world.clock_at(until)
    world[GateWindow].change(window.id, held_to=clock)
    world.schedule("window_closed", due=until, window=window.id)
    return world[WindowHold].add(order=order, window=window.id, lot=lot, until=clock, t=world.t)


@gates.tool(writes=True)
def apply_order_change(world: World, order: str, change: str) -> PurchaseOrder:
    """Bring the amount of an open order in line with a supplier's paper that has come in.

    Refused for a paper of another order or one that was applied before, and when more money stands
    on the order than the new amount.
    """
    row, paper = open_order(world, order), world[OrderChange][change]
    if paper.order != order:
        raise Refused(f"{change} changes {paper.order}, not {order}")
    if paper.status == "applied":
        raise Refused(f"{change} was applied before")
    if row.funded > paper.amount:
        raise Refused(f"{order} holds {row.funded} cents, more than the new {paper.amount}")
    world[OrderChange].change(change, status="applied")
    return world[PurchaseOrder].change(order, amount=paper.amount)


@gates.tool(writes=True)
def move_order(world: World, order: str, window: str) -> PurchaseOrder:
    """Move an open order to another window of the same gate; the gate is told.

    Refused when the present window has closed, when the other one has begun or belongs to another
    gate, and while money stands on the order.
    """
    row, goal = open_order(world, order), world[GateWindow][window]
    if goal.gate != row.gate or goal.id == row.window:
        raise Refused(f"{window} is no other window of {row.gate}")
    if world.t >= closing(world, world[GateWindow][row.window]):
        raise Refused(f"{row.window} has closed")
    if minute_on(world, goal.day, goal.opens) <= world.t:
        raise Refused(f"{window} has begun")
    if row.funded:
        raise Refused(f"{order} holds {row.funded} cents; it is waited for in {row.window}")
    return world[PurchaseOrder].change(order, window=window)


@gates.event
def window_closed(world: World, window: str) -> None:
    """The gate loads what is paid; what is not paid has missed its window."""
    row = world[GateWindow][window]
    if world.t < closing(world, row):
        return
    for order in world[PurchaseOrder].where(window=window, status="open"):
        spare = 0
        if world[Gate][order.gate].funding == "on_account":
            spare = world.policy.number("gate.shortage", world.day)
        loaded = order.amount - order.funded <= spare
        world[PurchaseOrder].change(order.id, status="loaded" if loaded else "missed")
