"""How much a customer may pay out in a day, and asking for more."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
RaiseReason = Literal["supplier_payments", "payroll", "taxes", "customer_refunds", "own_transfer"]


class DailyLimit(Row, frozen=True):
    """The ceiling on one day's payouts of one customer, in US cents."""

    table: ClassVar[str] = "daily_limits"
    prefix: ClassVar[str] = "DLM"

    party: str
    day: Day
    standing: Amount
    """The ceiling of an ordinary day."""
    ceiling: Amount
    """The ceiling of this day."""
    used: Amount


class LimitRaise(Row, frozen=True):
    table: ClassVar[str] = "limit_raises"
    prefix: ClassVar[str] = "LRZ"

    limit: str
    ceiling: Amount
    reason: RaiseReason
    status: Literal["asked", "granted", "declined", "withdrawn"]
    t: int


class Headroom(Struct, frozen=True):
    ceiling: Cents
    used: Cents
    left: Cents


limits = Desk("limits", "Daily payout limits and raises.", rows=(DailyLimit, LimitRaise))


def in_usd(world: World, amount: int, currency: str, day: Day) -> int:
    """US cents at the book rate of a day."""
    if currency == "USD":
        return amount
    rate = f"fx.book.{currency.lower()}"
    if rate not in world.policy:
        raise Refused(f"no book rate is kept for {currency}")
    return amount * world.policy.number(rate, day) // 10_000


def of_day(world: World, party: str, day: Day) -> DailyLimit | None:
    """A customer's limit for a day; None when no limit is kept for them."""
    found = world[DailyLimit].where(party=party, day=day)
    return found[0] if found else None


def objection(world: World, party: str, usd: int) -> str:
    """Why a payout worth `usd` cents does not fit today's limit; empty when it does."""
    limit = of_day(world, party, world.day)
    if limit is None or limit.used + usd <= limit.ceiling:
        return ""
    return f"{limit.id}: {limit.used} of {limit.ceiling} cents used today; {usd} more is too much"


def use(world: World, party: str, usd: int) -> None:
    """Count a payout against today's limit."""
    limit = of_day(world, party, world.day)
    if limit is not None:
        world[DailyLimit].change(limit.id, used=limit.used + usd)


def give_back(world: World, party: str, usd: int, day: Day) -> None:
    """Take a payout out of the limit of the day on which it was counted, and of no other."""
    limit = of_day(world, party, day)
    if limit is not None:
        world[DailyLimit].change(limit.id, used=max(0, limit.used - usd))


@limits.tool()
def limit_headroom(world: World, limit: str) -> Headroom:
    """Show a day's ceiling, what has been used and what is left, in US cents."""
    row = world[DailyLimit][limit]
    return Headroom(row.ceiling, row.used, row.ceiling - row.used)


@limits.tool(writes=True)
def request_raise(world: World, limit: str, ceiling: Cents, reason: RaiseReason) -> LimitRaise:
    """Ask the limits desk to raise a daily limit for today.

    `ceiling` is the new ceiling itself. The desk answers a few minutes later; until then the old
    one holds. One open request a limit; refused for another day than today.
    """
    row = world[DailyLimit][limit]
    if row.day != world.day:
        raise Refused(f"{limit} is for {row.day}")
    if ceiling <= row.ceiling:
        raise Refused(f"ceiling: it stands at {row.ceiling} cents already")
    if world[LimitRaise].where(limit=limit, status="asked"):
        raise Refused(f"{limit} has an open request")
    asked = world[LimitRaise].add(
        limit=limit, ceiling=ceiling, reason=reason, status="asked", t=world.t
    )
    minutes = world.policy.number("limits.raise.minutes", world.day)
    world.schedule("raise_decided", due=world.t + minutes, request=asked.id)
    return asked


@limits.tool(writes=True)
def withdraw_raise(world: World, request: str) -> LimitRaise:
    """Take back a request for a raise that has not been answered."""
    row = world[LimitRaise][request]
    if row.status != "asked":
        raise Refused(f"{request} is {row.status}")
    return world[LimitRaise].change(request, status="withdrawn")


@limits.tool(writes=True)
def lower_limit(world: World, limit: str, ceiling: Cents) -> DailyLimit:
    """Bring a daily ceiling down, for instance after a raise that is no longer needed.

    Takes effect at once. Refused below what has been used today.
    """
    row = world[DailyLimit][limit]
    if not row.used <= ceiling < row.ceiling:
        raise Refused(f"ceiling: from {row.used} up to, not including, {row.ceiling} cents")
    return world[DailyLimit].change(limit, ceiling=ceiling)


@limits.event
def raise_decided(world: World, request: str) -> None:
    """The desk grants up to a multiple of the standing ceiling, except for own transfers."""
    row = world[LimitRaise][request]
    if row.status != "asked":
        return
    limit = world[DailyLimit][row.limit]
    most = limit.standing * world.policy.number("limits.raise.multiple", world.day)
    if row.ceiling > most or row.reason == "own_transfer":
        world[LimitRaise].change(request, status="declined")
        return
    world[LimitRaise].change(request, status="granted")
    world[DailyLimit].change(limit.id, ceiling=max(limit.ceiling, row.ceiling))
