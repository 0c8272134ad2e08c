"""Delivery orders: how a promised amount is sent, what it costs, and when it arrives."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.accounts import Account, Fee, Mandate, credit, debit, take_fee
from bythebook.alder.desks.corridors import Quote, taken
from bythebook.alder.desks.guarantees import Clock, Promise, due_minute, open_promise
from bythebook.alder.desks.rights import Reservation, ServiceRight, use_unit
from bythebook.conduct.world import MINUTES_A_DAY, Row, World, days_between
from bythebook.tool import Cents, Day, Desk, Refused

Basis = Literal["shared", "gross_up", "full_charge"]
Window = Literal["standard", "priority"]
Gross = Annotated[int, Meta(gt=0, description="integer minor units put on the way")]


class Service(msgspec.Struct, frozen=True):
    """How an amount travels: who bears the charges, in which window, on which held rights."""

    basis: Basis
    window: Window
    reservations: tuple[str, ...] = ()


class Price(msgspec.Struct, frozen=True):
    """What a delivery costs the customer beside the net amount, in cents."""

    window: int
    charges: int
    cover: int
    """What is sent on top of the net amount."""
    total: int


class Delivery(Row, frozen=True):
    """One order to send money to one payee. Nothing moves before it is dispatched."""

    table: ClassVar[str] = "deliveries"
    prefix: ClassVar[str] = "DLV"
    terms: ClassVar[tuple[str, ...]] = (
        "promise", "quote", "service", "gross", "account", "fee",
    )  # fmt: skip

    party: str
    case: str
    promise: str
    quote: str
    service: Service
    gross: Gross
    account: str
    fee: Cents
    status: Literal[
        "draft", "scheduled", "dispatched", "settled", "cancelled", "recalled", "stopped"
    ]
    release: int | None = None
    """Minute at which a scheduled delivery goes out by itself."""
    dispatched: int | None = None
    settled: int | None = None
    received: int | None = None


delivery = Desk("delivery", "Delivery orders, dispatch windows and settlement.", rows=(Delivery,))

LIVE = ("draft", "scheduled", "dispatched", "settled")


def price(world: World, promise: Promise, service: Service, gross: int) -> Price:
    """The price of a delivery today; rights change it."""
    kinds = {
        world[ServiceRight][world[Reservation][key].right].kind for key in service.reservations
    }
    number, day = world.policy.number, world.day
    fast = service.window == "priority" and "priority" not in kinds
    window = number("delivery.window.priority" if fast else "delivery.window.standard", day)
    charges = 0
    if service.basis == "full_charge" and "full_charge" not in kinds:
        charges = number(f"delivery.full-charge.{promise.corridor.lower()}", day)
    if service.basis == "gross_up":
        charges = number("delivery.gross-up-handling", day)
    if "fee_waiver" in kinds:
        window = 0
    cover = max(gross - promise.net, 0)
    return Price(window, charges, cover, window + charges + cover)


def fee_account(world: World, party: str) -> Account:
    """The account that a customer's delivery fees are taken from."""
    found = world[Account].where(owner=party, kind="fee", currency="USD")
    if not found:
        raise Refused(f"{party} has no fee account in USD")
    return found[0]


def _check_rights(world: World, promise: Promise, service: Service) -> None:
    if len(set(service.reservations)) < len(service.reservations):
        raise Refused("reservations: the same one stands here twice")
    for key in service.reservations:
        row = world[Reservation][key]
        if row.status != "held" or row.promise != promise.id:
            raise Refused(f"{key} is not held for {promise.id}")
        kind = world[ServiceRight][row.right].kind
        if kind == "priority" and service.window != "priority":
            raise Refused(f"{key} is a priority right; the window is {service.window}")
        if kind == "full_charge" and service.basis != "full_charge":
            raise Refused(f"{key} is a full-charge right; the basis is {service.basis}")


def _send(world: World, row: Delivery) -> Delivery:
    """Move the money out and schedule its arrival. Checks come before writes."""
    promise = open_promise(world, row.promise)
    _check_rights(world, promise, row.service)
    fees, principal = fee_account(world, row.party), min(row.gross, promise.net)
    wanted = row.fee + (principal if fees.id == row.account else 0)
    if fees.balance < wanted:
        raise Refused(f"{fees.id} holds {fees.balance} cents, not {wanted}")
    if world[Quote][row.quote].status == "withdrawn":
        raise Refused(f"{row.quote} is withdrawn")
    debit(world, row.account, principal)
    for key in row.service.reservations:
        use_unit(world, key)
    take_fee(world, fees.id, row.fee, what="delivery fee", ref=row.id, case=row.case)
    world.schedule("delivery_settled", due=_arrival(world, row.service.window), delivery=row.id)
    return world[Delivery].change(row.id, status="dispatched", dispatched=world.t)


def _arrival(world: World, window: Window) -> int:
    """When money sent now is credited: today, or in the next day's first run after the cut-off."""
    minutes = world.policy.number(f"delivery.minutes.{window}", world.day)
    start = world.t
    if world.clock_at(world.t) >= world.policy.clock("delivery.cut-off", world.day):
        midnight = world.t - _minute_of_day(world.clock_at(world.t))
        first = world.policy.clock("delivery.first-run", world.day)
        start = midnight + MINUTES_A_DAY + _minute_of_day(first)
    return start + minutes


def _minute_of_day(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


@delivery.tool()
def price_delivery(world: World, quote: str, service: Service, gross: Gross) -> Price:
    """Work out what a delivery would cost under a quote, without drafting it.

    `reservations` may name held rights of any promise of the customer.
    """
    promise = world[Promise][world[Quote][quote].promise]
    return price(world, promise, service, gross)


@delivery.tool()
def arrival_if_sent_now(world: World, window: Window) -> str:
    """Tell when a payment dispatched this minute would be credited, as day and clock."""
    t = _arrival(world, window)
    return f"{world.day_at(t)} {world.clock_at(t)}"


@delivery.tool(writes=True)
def draft_delivery(
    world: World, quote: str, service: Service, gross: Gross, account: str
) -> Delivery:
    """Draft the order that sends a promised amount, under a live quote, and price it.

    `gross` is what is put on the way, `account` where the money comes from; `reservations` lists
    the held rights that the order uses, and may be empty. Refused when a right is held for another
    promise or does not fit window or basis, when the account is not the customer's or not in US
    dollars, and while another order for the promise is alive.
    """
    promise = open_promise(world, world[Quote][quote].promise)
    if world[Quote][quote].status == "withdrawn":
        raise Refused(f"{quote} is withdrawn")
    source = world[Account][account]
    if source.owner != promise.party:
        raise Refused(f"{account} does not belong to {promise.party}")
    if source.currency != "USD":
        raise Refused(f"{account} is in {source.currency}; promises are paid in USD")
    if any(d.status in LIVE for d in world[Delivery].where(promise=promise.id)):
        raise Refused(f"{promise.id} has a live delivery order")
    _check_rights(world, promise, service)
    return world[Delivery].add(
        party=promise.party,
        case=promise.case,
        promise=promise.id,
        quote=quote,
        service=service,
        gross=gross,
        account=account,
        fee=price(world, promise, service, gross).total,
        status="draft",
    )


@delivery.tool(writes=True)
def cancel_delivery(
    world: World, delivery: str, reason: Literal["terms_changed", "customer_declined", "duplicate"]
) -> Delivery:
    """Cancel an order that has not gone out; its rights stay held and its quote stays live.

    Refused once it was dispatched, cancelled or stopped.
    """
    row = world[Delivery][delivery]
    if row.status not in ("draft", "scheduled"):
        raise Refused(f"{delivery} is {row.status}")
    return world[Delivery].change(delivery, status="cancelled", release=None)


@delivery.tool(writes=True)
def dispatch_delivery(world: World, delivery: str) -> Delivery:
    """Send a drafted delivery: money leaves the account, the fee is taken, held rights are used.

    A dispatch after the day's cut-off travels with the next day's first run. Refused for anything
    but a draft, when an account holds too little, or when a right or quote of it is gone.
    """
    row = world[Delivery][delivery]
    if row.status != "draft":
        raise Refused(f"{delivery} is {row.status}, not a draft")
    return _send(world, row)


@delivery.event
def delivery_settled(world: World, delivery: str) -> None:
    """The payee's bank credits what is left of the payment."""
    row = world[Delivery].get(delivery)
    promise = world[Promise].get(row.promise) if row else None
    if row is None or promise is None or row.status != "dispatched":
        return
    kept = 0 if row.service.basis == "full_charge" else taken(world, promise.corridor)
    received = max(row.gross - kept, 0)
    world[Delivery].change(delivery, status="settled", settled=world.t, received=received)
    if promise.status == "open":
        late = world.t > due_minute(world, promise)
        status = "short" if received < promise.net else "late" if late else "met"
        world[Promise].change(promise.id, status=status, received=received)


@delivery.tool(writes=True)
def schedule_delivery(world: World, delivery: str, day: Day, clock: Clock) -> Delivery:
    """Set a drafted delivery to go out by itself on a later day.

    The scheduler sends it at that time if the fee still fits into the customer's mandate and its
    rights are still held; otherwise it stops the order. Refused for anything but a draft, for today
    and for a time after the promise is due.
    """
    row = world[Delivery][delivery]
    if row.status != "draft":
        raise Refused(f"{delivery} is {row.status}, not a draft")
    days = days_between(world.day_at(0), day)
    release = days * MINUTES_A_DAY + world.minute(clock)
    if day <= world.day:
        raise Refused(f"day: {day} is not after today")
    if release > due_minute(world, world[Promise][row.promise]):
        raise Refused(f"{row.promise} is due before that")
    world.schedule("scheduled_delivery_due", due=release, delivery=delivery)
    return world[Delivery].change(delivery, status="scheduled", release=release)


@delivery.tool(writes=True)
def unschedule_delivery(world: World, delivery: str) -> Delivery:
    """Make a scheduled delivery a draft again; it goes nowhere by itself any more.

    Refused when it is not scheduled.
    """
    if world[Delivery][delivery].status != "scheduled":
        raise Refused(f"{delivery} is not scheduled")
    return world[Delivery].change(delivery, status="draft", release=None)


@delivery.event
def scheduled_delivery_due(world: World, delivery: str) -> None:
    """A scheduled delivery's time has come: it goes out, or stops and leaves its promise late."""
    row = world[Delivery].get(delivery)
    if row is None or row.status != "scheduled":
        return
    try:
        if row.fee > _room(world, row.case):
            raise Refused(f"{delivery} does not fit into the mandate")
        _send(world, row)
    except Refused:
        world[Delivery].change(delivery, status="stopped")
        if world[Promise][row.promise].status == "open":
            world[Promise].change(row.promise, status="late")


def _room(world: World, case: str) -> int:
    """What the case's mandates still allow in fees."""
    cap = sum(mandate.total_cap for mandate in world[Mandate].where(case=case))
    return cap - sum(fee.amount for fee in world[Fee].where(case=case, status="taken"))


@delivery.tool(writes=True)
def recall_delivery(world: World, delivery: str) -> Delivery:
    """Call a dispatched payment back before the payee's bank has it.

    The money returns to the account; the fee does not, and rights stay used. Refused once the
    payment is credited or the recall window is over.
    """
    row = world[Delivery][delivery]
    window = world.policy.number("delivery.recall", world.day)
    if row.status != "dispatched" or row.dispatched is None:
        raise Refused(f"{delivery} is {row.status}, not on its way")
    if world.t > row.dispatched + window:
        raise Refused(f"{delivery} went out more than {window} minutes ago")
    credit(world, row.account, min(row.gross, world[Promise][row.promise].net))
    return world[Delivery].change(delivery, status="recalled")
