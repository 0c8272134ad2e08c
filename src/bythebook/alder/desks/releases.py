"""Releases: moving reserve money to an application, by one of three routes."""

from typing import ClassVar, Literal

import msgspec

from bythebook.alder.desks.accounts import Account, Balance, take_fee
from bythebook.alder.desks.applications import Application
from bythebook.alder.desks.reserves import ReserveMove, draw, pay_in, usable
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Desk, Refused

Route = Literal["standard", "assisted", "express"]


class Release(Row, frozen=True):
    """A request to move reserve money; a customer approves all its terms together."""

    table: ClassVar[str] = "releases"
    prefix: ClassVar[str] = "REL"
    terms: ClassVar[tuple[str, ...]] = (
        "source", "route", "amount", "fee", "total_cap", "beneficiary",
    )  # fmt: skip

    case: str
    source: str
    route: Route
    amount: Balance
    fee: Balance
    total_cap: Balance
    """What all fees of the case together may come to, as promised to the customer."""
    beneficiary: str
    status: Literal["draft", "executed", "cancelled", "recalled"]


class Quote(msgspec.Struct, frozen=True):
    """What a route costs and how long it takes, today."""

    route: str
    fee: int
    minutes: int


releases = Desk(
    "releases", "Moving money out of reserves: quote, draft, execute, recall.", rows=(Release,)
)


def quote(world: World, route: str) -> Quote:
    """Fee and minutes of a route on the world's day."""
    fee = world.policy.number(f"release.fee.{route}", world.day)
    return Quote(route, fee, world.policy.number(f"release.minutes.{route}", world.day))


def draft(world: World, request: str) -> Release:
    """The request, if nothing has been done with it yet."""
    row = world[Release][request]
    if row.status != "draft":
        raise Refused(f"{request} is {row.status}, not a draft")
    return row


@releases.tool()
def quote_release_routes(world: World) -> tuple[Quote, ...]:
    """List the release routes with today's fee in cents and the minutes until money settles."""
    return tuple(quote(world, route) for route in ("standard", "assisted", "express"))


@releases.tool(writes=True, repeatable=True)
def draft_release(
    world: World, source: str, route: Route, amount: Cents, total_cap: Cents, beneficiary: str
) -> Release:
    """Draft a request to move reserve money to an application of the reserve's owner.

    The release fee follows the route. `total_cap` is the promise to the customer what all fees of
    the case come to at most, in cents. Nothing moves until the request is executed. Refused if the
    reserve is locked, in another currency than US dollars, or holds less than `amount`.
    """
    reserve, goal = usable(world, source, amount), world[Application][beneficiary]
    if reserve.currency != "USD":
        raise Refused(f"{source} is in {reserve.currency}; opening funds and fees are in USD")
    if goal.sponsor != reserve.owner:
        raise Refused(f"{beneficiary} is not sponsored by {reserve.owner}")
    if total_cap < 0:
        raise Refused("total_cap: an amount in cents, zero or more")
    return world[Release].add(
        case=goal.case,
        source=source,
        route=route,
        amount=amount,
        fee=quote(world, route).fee,
        total_cap=total_cap,
        beneficiary=beneficiary,
        status="draft",
    )


@releases.tool(writes=True, repeatable=True)
def revise_release(
    world: World, request: str, route: Route, amount: Cents, total_cap: Cents
) -> Release:
    """Change route, amount and promised total of a drafted release; the fee follows the route.

    Give all three, changed or not. Refused once the request is executed or cancelled.
    """
    row = draft(world, request)
    usable(world, row.source, amount)
    if total_cap < 0:
        raise Refused("total_cap: an amount in cents, zero or more")
    return world[Release].change(
        request,
        route=route,
        amount=amount,
        total_cap=total_cap,
        fee=quote(world, route).fee,
    )


@releases.tool(writes=True)
def cancel_release(world: World, request: str) -> Release:
    """Drop a drafted release that will not be executed."""
    draft(world, request)
    return world[Release].change(request, status="cancelled")


@releases.tool(writes=True)
def execute_release(world: World, request: str) -> ReserveMove:
    """Execute a drafted release: the money leaves the reserve, the fee leaves the fee account.

    The money settles at the application after the route's minutes. Refused when reserve or fee
    account is short, or the request is no draft.
    """
    row = draft(world, request)
    owner = usable(world, row.source, row.amount).owner
    payers = world[Account].where(owner=owner, kind="fee", currency="USD")
    if not payers:
        raise Refused(f"{owner} has no fee account in USD")
    draw(world, row.source, row.amount)
    take_fee(world, payers[0].id, row.fee, what="release_fee", ref=request, case=row.case)
    world[Release].change(request, status="executed")
    move = world[ReserveMove].add(
        source=row.source,
        to=row.beneficiary,
        amount=row.amount,
        request=request,
        status="pending",
        t=world.t,
    )
    due = world.t + quote(world, row.route).minutes
    world.schedule("release_settled", due=due, priority=1, move=move.id)
    return move


@releases.tool(writes=True)
def recall_release(world: World, move: str) -> ReserveMove:
    """Call back a release that has not settled; the money returns to its reserve.

    The release fee is not given back, and the request cannot be executed again.
    """
    row = world[ReserveMove][move]
    if row.request is None:
        raise Refused(f"{move} is a move inside the reserve book")
    if row.status != "pending":
        raise Refused(f"{move} is {row.status}, not pending")
    pay_in(world, row.source, row.amount)
    world[Release].change(row.request, status="recalled")
    return world[ReserveMove].change(move, status="recalled")


@releases.event
def release_settled(world: World, move: str) -> None:
    """The money arrives, unless it was called back on the way."""
    if world[ReserveMove][move].status == "pending":
        world[ReserveMove].change(move, status="settled")
