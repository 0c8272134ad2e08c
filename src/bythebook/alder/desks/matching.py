"""Matching: slips that put a line's money on purchase orders, and what suppliers are told."""

from itertools import combinations
from typing import ClassVar, Literal

import msgspec

from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.gates import (
    Above,
    Funded,
    GateWindow,
    PurchaseOrder,
    check_lot,
    is_open,
    minute_on,
    open_order,
    spend_unit,
)
from bythebook.conduct.world import Row, World, add_days
from bythebook.tool import Day, Desk, Refused

MOST_FITS = 10
MOST_ORDERS = 12


class StatementLine(Row, frozen=True):
    """One payment as the bank's statement of a collecting account shows it."""

    table: ClassVar[str] = "statement_lines"
    prefix: ClassVar[str] = "SLN"

    owner: str
    bank: str
    remitter: str
    day: Day
    at: str
    """When the bank announced it, HH:MM."""
    reference: str
    amount: Funded
    state: Literal["advised", "under_query", "final"]
    advised_amount: Funded
    """What the bank announced first."""


class Lane(msgspec.Struct, frozen=True):
    """How a slip is posted: in the order's window on a unit of `lot`, or in the evening run."""

    kind: Literal["in_window", "evening"]
    lot: str | None = None


class Slip(Row, frozen=True):
    """Money of one line for one order. Nothing stands on the order before it is posted."""

    table: ClassVar[str] = "slips"
    prefix: ClassVar[str] = "SLP"
    terms: ClassVar[tuple[str, ...]] = ("line", "order", "amount", "lane")

    case: str
    line: str
    order: str
    amount: Above
    lane: Lane
    status: Literal["draft", "queued", "posted", "reversed", "withdrawn", "dropped"]
    posted: int | None = None


class FundsNotice(Row, frozen=True):
    """What a supplier was told of an order's money."""

    table: ClassVar[str] = "funds_notices"
    prefix: ClassVar[str] = "FNO"

    order: str
    slip: str
    kind: Literal["funds_stand", "withdrawn"]
    amount: Above
    t: int


class Fit(msgspec.Struct, frozen=True):
    """Open orders whose missing amounts add up to what is free on a line."""

    orders: tuple[str, ...]
    total: int


matching = Desk(
    "matching",
    "Matching statement lines to purchase orders, and funds notices to suppliers.",
    rows=(Slip, FundsNotice),
)


def used_of_line(world: World, line: str) -> int:
    """Cents of a line that posted and queued slips use."""
    live = (s for s in world[Slip].where(line=line) if s.status in ("queued", "posted"))
    return sum(slip.amount for slip in live)


def room_of_order(world: World, order: PurchaseOrder) -> int:
    """Cents that an order can still take, queued slips counted as taken."""
    queued = sum(slip.amount for slip in world[Slip].where(order=order.id, status="queued"))
    return order.amount - order.funded - queued


def _check_amount(world: World, line: str, order: PurchaseOrder, amount: int) -> None:
    free = world[StatementLine][line].amount - used_of_line(world, line)
    if amount > free:
        raise Refused(f"{line} has {free} cents free, not {amount}")
    room = room_of_order(world, order)
    if amount > room:
        raise Refused(f"{order.id} can take {room} cents, not {amount}")


def _check_lane(world: World, order: PurchaseOrder, lane: Lane) -> None:
    if lane.kind == "evening":
        if lane.lot is not None:
            raise Refused("lane: the evening run takes no unit; leave lot empty")
        return
    if lane.lot is None:
        raise Refused("lane: in_window needs the lot that the unit comes from")
    check_lot(world, lane.lot, order, "in_window")


def _put(world: World, slip: Slip) -> Slip:
    """Let the money stand on the order and tell the supplier."""
    order = world[PurchaseOrder][slip.order]
    world[PurchaseOrder].change(order.id, funded=order.funded + slip.amount)
    world[FundsNotice].add(
        order=order.id, slip=slip.id, kind="funds_stand", amount=slip.amount, t=world.t
    )
    return world[Slip].change(slip.id, status="posted", posted=world.t)


def _take_off(world: World, slip: Slip) -> Slip:
    """Take posted money off its order again and tell the supplier."""
    order = world[PurchaseOrder][slip.order]
    world[PurchaseOrder].change(order.id, funded=order.funded - slip.amount)
    world[FundsNotice].add(
        order=order.id, slip=slip.id, kind="withdrawn", amount=slip.amount, t=world.t
    )
    return world[Slip].change(slip.id, status="reversed")


def shrink_to_line(world: World, line: str) -> None:
    """Take slips back, newest first, until the line covers the rest."""
    for slip in reversed(world[Slip].where(line=line)):
        if used_of_line(world, line) <= world[StatementLine][line].amount:
            return
        if slip.status == "posted":
            _take_off(world, slip)
        elif slip.status == "queued":
            world[Slip].change(slip.id, status="dropped")


@matching.tool()
def fitting_orders(world: World, line: str) -> tuple[Fit, ...]:
    """Find sets of the owner's open orders that add up exactly to what is free on a line.

    A search over numbers, nothing else: it looks at neither remitter nor windows. At most ten sets,
    the smallest first; only the first twelve open orders are tried.
    """
    row = world[StatementLine][line]
    free = row.amount - used_of_line(world, line)
    open_ = world[PurchaseOrder].where(owner=row.owner, status="open")
    rooms = {order.id: room_of_order(world, order) for order in open_[:MOST_ORDERS]}
    room = {order: cents for order, cents in rooms.items() if cents > 0}
    found: list[Fit] = []
    for size in range(1, len(room) + 1):
        sets = (ids for ids in combinations(room, size) if sum(room[i] for i in ids) == free)
        found += [Fit(ids, free) for ids in sets]
    return tuple(found[:MOST_FITS])


@matching.tool()
def told_to_supplier(world: World, order: str) -> tuple[FundsNotice, ...]:
    """List the funds notices that the supplier of an order has had, oldest first."""
    world[PurchaseOrder][order]
    return tuple(world[FundsNotice].where(order=order))


@matching.tool(writes=True)
def draw_slip(world: World, case: str, line: str, order: str, amount: Above, lane: Lane) -> Slip:
    """Draw up a match slip: so much of a statement line for one open order, by one lane.

    Nothing is posted and nobody is told. `in_window` names the lot that the unit comes from; the
    unit is spent when the slip is posted. `evening` leaves `lot` empty. Refused when line or order
    cannot carry the amount, when the lot does not fit, and while another unposted slip for the same
    line and order is alive.
    """
    if world[Case][case].status == "closed":
        raise Refused(f"{case} is closed")
    row = open_order(world, order)
    if row.owner != world[StatementLine][line].owner:
        raise Refused(f"{line} and {order} belong to different customers")
    _check_amount(world, line, row, amount)
    _check_lane(world, row, lane)
    same = world[Slip].where(line=line, order=order)
    if any(slip.status in ("draft", "queued") for slip in same):
        raise Refused(f"there is an unposted slip for {line} and {order}")
    return world[Slip].add(
        case=case, line=line, order=order, amount=amount, lane=lane, status="draft"
    )


@matching.tool(writes=True)
def withdraw_slip(
    world: World, slip: str, reason: Literal["amount_changed", "wrong_order", "lane_changed"]
) -> Slip:
    """Withdraw a slip that has not been posted, also out of the evening run.

    Refused once it was posted, reversed or withdrawn.
    """
    row = world[Slip][slip]
    if row.status not in ("draft", "queued"):
        raise Refused(f"{slip} is {row.status}; only unposted slips can be withdrawn")
    return world[Slip].change(slip, status="withdrawn")


@matching.tool(writes=True)
def post_slip(world: World, slip: str) -> Slip:
    """Post a slip: at once while the order's window is open, or hand it to the evening run.

    Posting puts the money on the order and sends the supplier a funds notice in the same minute.
    An in-window slip spends its unit. Refused outside the window, and when line or order can no
    longer carry the amount.
    """
    row = world[Slip][slip]
    if row.status != "draft":
        raise Refused(f"{slip} is {row.status}, not a draft")
    order = open_order(world, row.order)
    _check_amount(world, row.line, order, row.amount)
    if row.lane.lot is None:
        due = minute_on(world, world.day, world.policy.clock("matching.evening", world.day))
        if due <= world.t:
            day = add_days(world.day, 1)
            due = minute_on(world, day, world.policy.clock("matching.evening", day))
        world.schedule("evening_run", due=due, slip=slip)
        return world[Slip].change(slip, status="queued")
    window = world[GateWindow][order.window]
    if not is_open(world, window):
        raise Refused(f"{window.id} is open on {window.day} from {window.opens}, not now")
    spend_unit(world, row.lane.lot, order, "in_window")
    return _put(world, row)


@matching.tool(writes=True)
def reverse_slip(
    world: World, slip: str, reason: Literal["wrong_order", "wrong_amount", "line_corrected"]
) -> Slip:
    """Reverse a posted slip: its money is free on the line again, the supplier hears of it.

    A unit that was spent stays spent, and what was loaded stays loaded. Refused for a slip that is
    not posted.
    """
    row = world[Slip][slip]
    if row.status != "posted":
        raise Refused(f"{slip} is {row.status}, not posted")
    return _take_off(world, row)


@matching.event
def evening_run(world: World, slip: str) -> None:
    """Post what was handed in, unless it was withdrawn or its order no longer waits for it."""
    row = world[Slip][slip]
    if row.status != "queued":
        return
    order = world[PurchaseOrder][row.order]
    if order.status == "open" and row.amount <= order.amount - order.funded:
        _put(world, row)
    else:
        world[Slip].change(slip, status="dropped")
