"""Cards that Alder issues: who holds them, blocks, and replacements."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Desk, Refused

Scheme = Literal["corvane", "halden"]
LastFour = Annotated[str, Meta(pattern=r"^[0-9]{4}\Z", description="last four digits")]
BlockReason = Literal["lost", "stolen", "fraud_suspected", "cardholder_request"]


class Cardholder(Row, frozen=True):
    table: ClassVar[str] = "cardholders"
    prefix: ClassVar[str] = "CDH"

    name: str
    since: Day
    jurisdiction: str


class Card(Row, frozen=True):
    table: ClassVar[str] = "cards"
    prefix: ClassVar[str] = "CRD"

    cardholder: str
    scheme: Scheme
    last4: LastFour
    status: Literal["active", "blocked", "closed"]
    opened: Day
    reason: BlockReason | None = None
    """Why it is blocked, or why it was closed if that followed from a block."""
    replaces: str | None = None


cards = Desk("cards", "Cards that Alder issues: blocks, replacements.", rows=(Cardholder, Card))


def open_card(world: World, card: str, cardholder: str) -> Card:
    """The card, if money can reach it: it belongs to the cardholder and is not closed."""
    row = world[Card][card]
    if row.cardholder != cardholder:
        raise Refused(f"{card} does not belong to {cardholder}")
    if row.status == "closed":
        raise Refused(f"{card} is closed; nothing can be paid to it")
    return row


@cards.tool()
def find_cardholder(world: World, name: str) -> tuple[Cardholder, ...]:
    """Find cardholders by a part of their name.

    Upper and lower case do not matter.
    """
    wanted = name.strip().lower()
    if len(wanted) < 3:
        raise Refused("name: give at least three letters")
    return tuple(row for row in world[Cardholder] if wanted in row.name.lower())


@cards.tool()
def cards_of(world: World, cardholder: str) -> tuple[Card, ...]:
    """List all cards of a cardholder, closed ones too, oldest first.

    `replaces` names the card that a replacement took over from.
    """
    world[Cardholder][cardholder]
    return tuple(sorted(world[Card].where(cardholder=cardholder), key=lambda row: row.opened))


@cards.tool(writes=True)
def block_card(world: World, card: str, reason: BlockReason) -> Card:
    """Block a card for purchases; credits still reach it.

    Refused unless the card is active.
    """
    if world[Card][card].status != "active":
        raise Refused(f"{card} is {world[Card][card].status}, not active")
    return world[Card].change(card, status="blocked", reason=reason)


@cards.tool(writes=True, retired="block_card")
def freeze_card(world: World, last4: LastFour) -> Card:
    """Freeze whatever card ends in these four digits.

    Out of use since September 2024.
    """
    raise Refused("freeze_card is retired")


@cards.tool(writes=True)
def lift_card_block(world: World, card: str) -> Card:
    """Make a blocked card usable again.

    Refused for a card that was reported lost or stolen: that one is replaced, never unblocked.
    """
    row = world[Card][card]
    if row.status != "blocked":
        raise Refused(f"{card} is {row.status}, not blocked")
    if row.reason in ("lost", "stolen"):
        raise Refused(f"{card} was reported {row.reason}; replace it")
    return world[Card].change(card, status="active", reason=None)


@cards.tool(writes=True, minutes=2)
def replace_card(world: World, card: str, last4: LastFour) -> Card:
    """Issue a replacement for a blocked card and close the old one.

    `last4` are the last four digits on the new plastic. Takes two minutes. Refused unless the old
    card is blocked, and when the digits are the old ones.
    """
    old = world[Card][card]
    if old.status != "blocked":
        raise Refused(f"{card} is {old.status}; block it before you replace it")
    if old.last4 == last4:
        raise Refused("last4: a replacement carries new digits")
    world[Card].change(card, status="closed")
    return world[Card].add(
        cardholder=old.cardholder,
        scheme=old.scheme,
        last4=last4,
        status="active",
        opened=world.day,
        replaces=card,
    )


@cards.tool(writes=True)
def close_card(world: World, card: str) -> Card:
    """Close a card for good.

    Refused when it is closed already, and when it is the only card left on which its holder can
    be paid.
    """
    row = world[Card][card]
    if row.status == "closed":
        raise Refused(f"{card} is closed already")
    others = [c for c in world[Card].where(cardholder=row.cardholder) if c.status != "closed"]
    if len(others) == 1:
        raise Refused(f"{card} is the last open card of {row.cardholder}")
    return world[Card].change(card, status="closed")
