"""Service rights: prepaid lots of full-charge, priority and waiver units, and who holds them."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.guarantees import open_promise
from bythebook.conduct.world import Row, World, add_days, days_between
from bythebook.tool import Day, Desk, Refused

Units = Annotated[int, Meta(ge=0, description="whole units of a right")]
RightKind = Literal["full_charge", "priority", "fee_waiver"]
Group = Literal["G1", "G2", "G3"]


class ServiceRight(Row, frozen=True):
    """A lot of units of one kind. Free units are `units - held - used`."""

    table: ClassVar[str] = "rights"
    prefix: ClassVar[str] = "RGT"

    owner: str
    programme: str
    """The contract or campaign that the lot was issued under."""
    kind: RightKind
    groups: tuple[Group, ...]
    """Corridor groups named in the contract."""
    units: Units
    held: Units
    used: Units
    valid_from: Day
    valid_to: Day
    """Last day of the term."""
    status: Literal["active", "retired"] = "active"
    extended: bool = False

    @property
    def free(self) -> int:
        return self.units - self.held - self.used


class Reservation(Row, frozen=True):
    """One unit of a right, kept for one promise."""

    table: ClassVar[str] = "reservations"
    prefix: ClassVar[str] = "RSN"

    right: str
    promise: str
    party: str
    status: Literal["held", "released", "used"] = "held"


class RightBalance(msgspec.Struct, frozen=True):
    """Where the units of a lot are."""

    right: str
    free: int
    held: int
    used: int
    held_for: tuple[str, ...]
    """Promises that units are held for."""


rights = Desk(
    "rights", "Prepaid service rights and their reservation.", rows=(ServiceRight, Reservation)
)


def held(world: World, key: str) -> Reservation:
    """The reservation, if it still keeps a unit."""
    row = world[Reservation][key]
    if row.status != "held":
        raise Refused(f"{key} is {row.status}, not held")
    return row


def use_unit(world: World, key: str) -> Reservation:
    """Turn a held unit into a used one."""
    row = held(world, key)
    lot = world[ServiceRight][row.right]
    world[ServiceRight].change(lot.id, held=lot.held - 1, used=lot.used + 1)
    return world[Reservation].change(key, status="used")


@rights.tool()
def right_balance(world: World, right: str) -> RightBalance:
    """Show how many units of a lot are free, held and used, and which promises hold them."""
    lot = world[ServiceRight][right]
    keeps = tuple(r.promise for r in world[Reservation].where(right=right, status="held"))
    return RightBalance(lot.id, lot.free, lot.held, lot.used, keeps)


@rights.tool()
def rights_of_customer(world: World, party: str, kind: RightKind) -> tuple[ServiceRight, ...]:
    """List a customer's lots of one kind of right, whatever their term or status."""
    return tuple(world[ServiceRight].where(owner=party, kind=kind))


@rights.tool(writes=True)
def reserve_right(world: World, right: str, promise: str) -> Reservation:
    """Hold one free unit of a right for one open promise.

    The ledger checks owner, free units, and that the lot is not past what the ledger still carries.
    Refused when the same lot already holds a unit for that promise.
    """
    lot, row = world[ServiceRight][right], open_promise(world, promise)
    grace = world.policy.number("rights.ledger-carry", world.day)
    if lot.status != "active" or world.day > add_days(lot.valid_to, grace):
        raise Refused(f"{right} is no longer carried in the ledger")
    if world.day < lot.valid_from:
        raise Refused(f"{right} starts on {lot.valid_from}")
    if lot.owner != row.party:
        raise Refused(f"{right} and {promise} belong to different customers")
    if world[Reservation].where(right=right, promise=promise, status="held"):
        raise Refused(f"{right} holds a unit for {promise} already")
    if lot.free < 1:
        raise Refused(f"{right} has no free unit")
    world[ServiceRight].change(right, held=lot.held + 1)
    return world[Reservation].add(right=right, promise=promise, party=row.party)


@rights.tool(writes=True)
def release_reservation(
    world: World,
    reservation: str,
    reason: Literal["plan_changed", "promise_withdrawn", "entered_in_error"],
) -> Reservation:
    """Give a held unit back to its lot.

    The unit is free at once for any promise of the same customer. Refused when the reservation was
    released or used before.
    """
    row = held(world, reservation)
    lot = world[ServiceRight][row.right]
    world[ServiceRight].change(lot.id, held=lot.held - 1)
    return world[Reservation].change(reservation, status="released")


@rights.tool(writes=True)
def transfer_reservation(world: World, reservation: str, promise: str) -> Reservation:
    """Move a held unit from the promise it was kept for to another open promise of the customer.

    The reservation keeps its number. Refused when it is not held, is for that promise already, or
    the promise belongs to somebody else.
    """
    row, goal = held(world, reservation), open_promise(world, promise)
    if row.promise == promise:
        raise Refused(f"{reservation} is kept for {promise} already")
    if row.party != goal.party:
        raise Refused(f"{reservation} and {promise} belong to different customers")
    return world[Reservation].change(reservation, promise=promise)


@rights.tool(writes=True)
def order_rights_bundle(
    world: World, case: str, kind: Literal["full_charge", "priority"], units: int
) -> ServiceRight:
    """Order a new lot of units for the customer of an open case.

    A bundle runs from the day after the order, covers groups G1 and G2, and is billed with the
    month. Refused outside the bundle sizes on offer.
    """
    file = world[Case][case]
    if file.status == "closed":
        raise Refused(f"{case} is closed")
    most = world.policy.number("rights.bundle-maximum", world.day)
    if not 1 <= units <= most:
        raise Refused(f"units: a bundle has 1 to {most} units")
    start = add_days(world.day, 1)
    return world[ServiceRight].add(
        owner=file.party,
        programme="bundle",
        kind=kind,
        groups=("G1", "G2"),
        units=units,
        held=0,
        used=0,
        valid_from=start,
        valid_to=add_days(start, world.policy.number("rights.bundle-days", world.day)),
    )


@rights.tool(writes=True)
def extend_right_term(world: World, right: str, until: Day) -> ServiceRight:
    """Move the last day of a lot that has not lapsed; a lot can be extended once.

    Refused for a lapsed, retired or extended lot, for a day that is no later than the present last
    day, and for more days than an extension may add.
    """
    lot = world[ServiceRight][right]
    if lot.status != "active" or lot.valid_to < world.day:
        raise Refused(f"{right} has lapsed or is retired")
    if lot.extended:
        raise Refused(f"{right} was extended before")
    most = world.policy.number("rights.extension-days", world.day)
    if not 0 < days_between(lot.valid_to, until) <= most:
        raise Refused(f"until: 1 to {most} days after {lot.valid_to}")
    return world[ServiceRight].change(right, valid_to=until, extended=True)


@rights.tool(writes=True)
def retire_right(
    world: World, right: str, reason: Literal["contract_ended", "exchanged", "issued_in_error"]
) -> ServiceRight:
    """Take a lot out of the ledger; its free units are lost.

    Refused while units of it are held, and when it is retired already.
    """
    lot = world[ServiceRight][right]
    if lot.status == "retired":
        raise Refused(f"{right} is retired already")
    if lot.held:
        raise Refused(f"{right} has {lot.held} units held")
    return world[ServiceRight].change(right, status="retired")
