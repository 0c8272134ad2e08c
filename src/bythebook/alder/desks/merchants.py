"""Merchants: profile, what was arranged with them, what they promised others in writing."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.cards import Cardholder, Scheme
from bythebook.conduct.world import Row, World, days_between
from bythebook.tool import Day, Desk, Refused

Route = Literal["instant", "netted"]
ArrangementKind = Literal["restocking_charge", "instant_refunds", "settlement_cycle"]
UNITS = {"restocking_charge": "bp", "instant_refunds": "count", "settlement_cycle": "days"}


class Merchant(Row, frozen=True):
    table: ClassVar[str] = "merchants"
    prefix: ClassVar[str] = "MER"

    party: str
    name: str
    settlement_account: str
    fee_account: str
    default_route: Route
    status: Literal["active", "suspended"] = "active"


class Arrangement(Row, frozen=True):
    """One number agreed with a merchant for a stretch of days, `until` not included."""

    table: ClassVar[str] = "arrangements"
    prefix: ClassVar[str] = "ARR"

    merchant: str
    kind: ArrangementKind
    value: Annotated[int, Meta(ge=0)]
    unit: Literal["bp", "count", "days"]
    since: Day
    until: Day | None


class Commitment(Row, frozen=True):
    """What a merchant promised a cardholder in writing, with a copy to us."""

    table: ClassVar[str] = "commitments"
    prefix: ClassVar[str] = "CMT"

    merchant: str
    cardholder: str
    sale: str | None
    given: Day
    text: str
    status: Literal["open", "kept", "withdrawn"] = "open"


class Sale(Row, frozen=True):
    """A card payment taken by a merchant."""

    table: ClassVar[str] = "sales"
    prefix: ClassVar[str] = "SAL"

    merchant: str
    order: str
    cardholder: str
    card: str
    scheme: Scheme
    amount: Annotated[int, Meta(gt=0)]
    day: Day


merchants = Desk(
    "merchants",
    "Merchant profiles, arrangements and written promises.",
    rows=(Merchant, Arrangement, Commitment, Sale),
)


@merchants.tool()
def arrangements_with(world: World, merchant: str) -> tuple[Arrangement, ...]:
    """List what was arranged with a merchant, past arrangements too.

    `until` is the first day on which an arrangement no longer holds.
    """
    world[Merchant][merchant]
    return tuple(world[Arrangement].where(merchant=merchant))


@merchants.tool()
def letters_on_file(world: World, merchant: str) -> tuple[Commitment, ...]:
    """List letters in which a merchant promised something to a cardholder.

    Each comes with its wording and status.
    """
    world[Merchant][merchant]
    return tuple(world[Commitment].where(merchant=merchant))


@merchants.tool(writes=True)
def file_letter(
    world: World, merchant: str, cardholder: str, sale: str | None, given: Day, text: str
) -> Commitment:
    """Put a merchant's written promise to a cardholder on file.

    Give the wording in full. Refused for a letter dated in the future, for an empty text, and for a
    sale that another merchant made or another cardholder paid.
    """
    world[Merchant][merchant]
    world[Cardholder][cardholder]
    if sale is not None:
        bought = world[Sale][sale]
        if (bought.merchant, bought.cardholder) != (merchant, cardholder):
            raise Refused(f"sale: {sale} is not one of {merchant} to {cardholder}")
    if given > world.day:
        raise Refused(f"given: {given} has not come yet")
    if not text.strip():
        raise Refused("text: give the wording")
    return world[Commitment].add(
        merchant=merchant, cardholder=cardholder, sale=sale, given=given, text=text
    )


@merchants.tool(writes=True)
def mark_letter_kept(world: World, letter: str) -> Commitment:
    """Note that what a merchant promised has been done.

    Refused unless the letter is open.
    """
    row = world[Commitment][letter]
    if row.status != "open":
        raise Refused(f"{letter} is {row.status}, not open")
    return world[Commitment].change(letter, status="kept")


@merchants.tool(writes=True)
def agree_arrangement(
    world: World, merchant: str, kind: ArrangementKind, value: int, since: Day
) -> Arrangement:
    """Record a new arrangement with a merchant from a day on.

    `value` is in basis points, a count or days, as the kind demands. An arrangement of the same
    kind that has no end must be ended first. Refused for a day that has passed.
    """
    world[Merchant][merchant]
    if since < world.day:
        raise Refused(f"since: {since} has passed; nothing is arranged backwards")
    for row in world[Arrangement].where(merchant=merchant, kind=kind):
        if row.until is None or row.until > since:
            raise Refused(f"{row.id} still holds on {since}; end it first")
    if value < 0:
        raise Refused("value: cannot be below zero")
    unit = UNITS[kind]
    return world[Arrangement].add(
        merchant=merchant, kind=kind, value=value, unit=unit, since=since, until=None
    )


@merchants.tool(writes=True)
def end_arrangement(world: World, arrangement: str, until: Day) -> Arrangement:
    """Let an arrangement end; `until` is the first day without it.

    Refused for less notice than merchants are due, and when it has an end already.
    """
    row = world[Arrangement][arrangement]
    if row.until is not None:
        raise Refused(f"{arrangement} ends on {row.until} already")
    notice = world.policy.number("merchant.notice.days", world.day)
    if days_between(world.day, until) < notice:
        raise Refused(f"until: {until} is less than {notice} days away")
    return world[Arrangement].change(arrangement, until=until)


@merchants.tool(writes=True)
def set_default_route(world: World, merchant: str, route: Route) -> Merchant:
    """Choose the route that a merchant's refunds take when nothing else is said.

    Refused for a suspended merchant, and when the route is the default already.
    """
    row = world[Merchant][merchant]
    if row.status == "suspended":
        raise Refused(f"{merchant} is suspended")
    if row.default_route == route:
        raise Refused(f"{route} is the default already")
    return world[Merchant].change(merchant, default_route=route)
