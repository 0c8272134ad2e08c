"""Countersigns: a second person's signature under money that leaves for a cardholder."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.disputes import Settlement
from bythebook.alder.desks.refunds import Refund
from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused


class Countersign(Row, frozen=True):
    """`amount` is what the second person saw; a signature under other terms signs nothing."""

    table: ClassVar[str] = "countersigns"
    prefix: ClassVar[str] = "CSG"

    subject: str
    """A refund or a settlement."""
    cardholder: str
    amount: Annotated[int, Meta(gt=0)]
    requested: int
    status: Literal["waiting", "signed", "stale", "withdrawn"]


countersigns = Desk("countersigns", "A second signature under payments.", rows=(Countersign,))


def _subject(world: World, key: str) -> Refund | Settlement:
    refund = world[Refund].get(key)
    if refund is not None:
        if refund.status != "draft":
            raise Refused(f"{key} is {refund.status}; sign before release")
        return refund
    terms = world[Settlement].get(key)
    if terms is None:
        raise Refused(f"{key!r} is neither a refund nor a settlement")
    if terms.status != "proposed":
        raise Refused(f"{key} is {terms.status}; sign before filing")
    return terms


@countersigns.tool(writes=True)
def request_countersign(world: World, subject: str) -> Countersign:
    """Ask the duty controller to sign a drafted refund or proposed settlement.

    The controller signs the amount as it stands now, some minutes later. Refused while a request
    for the same item is waiting.
    """
    row = _subject(world, subject)
    if world[Countersign].where(subject=subject, status="waiting"):
        raise Refused(f"{subject} is waiting for its signature already")
    sheet = world[Countersign].add(
        subject=subject,
        cardholder=row.cardholder,
        amount=row.amount,
        requested=world.t,
        status="waiting",
    )
    due = world.t + world.policy.number("countersign.minutes", world.day)
    world.schedule("countersign_given", due=due, priority=4, countersign=sheet.id)
    return sheet


@countersigns.event
def countersign_given(world: World, countersign: str) -> None:
    """The duty controller signs, unless the item has changed or gone meanwhile."""
    sheet = world[Countersign][countersign]
    if sheet.status != "waiting":
        return
    row = world[Refund].get(sheet.subject) or world[Settlement].get(sheet.subject)
    same = row is not None and row.amount == sheet.amount and row.status in ("draft", "proposed")
    world[Countersign].change(countersign, status="signed" if same else "stale")


@countersigns.tool()
def countersigns_on(world: World, subject: str) -> tuple[Countersign, ...]:
    """List the countersigns asked for on one refund or settlement."""
    return tuple(world[Countersign].where(subject=subject))


@countersigns.tool(writes=True)
def withdraw_countersign(world: World, countersign: str) -> Countersign:
    """Take back a countersign request that is still waiting.

    Refused once the controller has answered.
    """
    sheet = world[Countersign][countersign]
    if sheet.status != "waiting":
        raise Refused(f"{countersign} is {sheet.status}, not waiting")
    return world[Countersign].change(countersign, status="withdrawn")
