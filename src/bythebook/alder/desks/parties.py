"""Who Alder deals with: customers, their affiliates and counterparties, banks and partners."""

from typing import ClassVar, Literal

from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused

Role = Literal["customer", "affiliate", "buyer", "supplier", "bank", "partner", "merchant"]


class Party(Row, frozen=True):
    table: ClassVar[str] = "parties"
    prefix: ClassVar[str] = "PTY"

    name: str
    role: Role
    jurisdiction: str
    segment: str
    parent: str | None = None
    """The customer that an affiliate belongs to."""
    status: Literal["active", "dormant", "offboarded"] = "active"


parties = Desk("parties", "Who Alder deals with and how they belong together.", rows=(Party,))


@parties.tool()
def find_party(world: World, name: str) -> tuple[Party, ...]:
    """Find parties by a part of their name.

    Upper and lower case do not matter. Returns the party records with their ids.
    """
    wanted = name.strip().lower()
    if len(wanted) < 3:
        raise Refused("name: give at least three letters")
    return tuple(row for row in world[Party] if wanted in row.name.lower())


@parties.tool()
def party_family(world: World, party: str) -> tuple[Party, ...]:
    """List a customer together with all its affiliates.

    Give the id of any member; the parent comes first.
    """
    member = world[Party][party]
    root = member.parent or member.id
    return (world[Party][root], *world[Party].where(parent=root))
