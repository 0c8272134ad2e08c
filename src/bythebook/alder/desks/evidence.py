"""Evidence: the documents that show who an applicant is, and until when each of them counts."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.parties import Party
from bythebook.conduct.world import Row, World, add_days, days_between
from bythebook.tool import Day, Desk, Refused

Moment = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}\Z",
        description="a minute on the wall clock, YYYY-MM-DD HH:MM",
    ),
]
"""Wall-clock time as text, so that comparing moments is comparing strings."""

EvidenceKind = Literal["proof_of_address", "register_extract", "ownership_chart"]


class Evidence(Row, frozen=True):
    """One document of a party, as we hold it."""

    table: ClassVar[str] = "evidence"
    prefix: ClassVar[str] = "EV"

    party: str
    kind: EvidenceKind
    title: str
    issued: Day
    status: Literal["received", "verified", "rejected"]
    verified: Moment | None = None
    valid_until: Moment | None = None
    """From this minute on it no longer counts."""
    note: str = ""


class Validity(msgspec.Struct, frozen=True):
    """Whether a document counts now."""

    evidence: str
    counts_now: bool
    valid_until: str | None
    now: str


evidence = Desk(
    "evidence", "Documents that show who a party is: keeping and verifying.", (Evidence,)
)


def moment(world: World, t: int) -> Moment:
    """Minute `t` on the story's wall clock, with its day."""
    return f"{world.day_at(t)} {world.clock_at(t)}"


def counts(row: Evidence, at: Moment) -> bool:
    """Whether a document is verified and still valid at a moment."""
    return row.status == "verified" and row.valid_until is not None and at < row.valid_until


@evidence.tool()
def evidence_validity(world: World, evidence: str) -> Validity:
    """Tell whether a document counts at this minute, and when it stops counting."""
    row, now = world[Evidence][evidence], moment(world, world.t)
    return Validity(evidence, counts(row, now), row.valid_until, now)


@evidence.tool(writes=True)
def register_evidence(
    world: World, party: str, kind: EvidenceKind, title: str, issued: Day
) -> Evidence:
    """Put a document of a party on file as received; it counts for nothing until verified.

    For documents that reached us by post or counter; what a customer sends through the portal is on
    file already. Refused when the same document is there.
    """
    world[Party][party]
    if issued > world.day:
        raise Refused(f"issued: {issued} has not come yet; today is {world.day}")
    if not title.strip():
        raise Refused("title: say what the document is")
    if world[Evidence].where(party=party, kind=kind, issued=issued):
        raise Refused(f"{party} has a {kind} of {issued} on file")
    return world[Evidence].add(
        party=party, kind=kind, title=title, issued=issued, status="received"
    )


@evidence.tool(writes=True)
def verify_evidence(world: World, evidence: str) -> Evidence:
    """Check a received document against its issuer and record the result.

    A document counts from this minute for the number of days that the evidence policy gives its
    kind. Refused unless it stands as received, and when it was issued too long ago.
    """
    row = world[Evidence][evidence]
    if row.status != "received":
        raise Refused(f"{evidence} is {row.status}, not received")
    oldest = world.policy.number(f"evidence.age.{row.kind}", world.day)
    age = days_between(row.issued, world.day)
    if age > oldest:
        raise Refused(f"{evidence} was issued {age} days ago; the oldest taken is {oldest} days")
    days = world.policy.number(f"evidence.days.{row.kind}", world.day)
    return world[Evidence].change(
        evidence,
        status="verified",
        verified=moment(world, world.t),
        valid_until=f"{add_days(world.day, days)} {world.clock_at(world.t)}",
    )


@evidence.tool(writes=True)
def reject_evidence(world: World, evidence: str, why: str) -> Evidence:
    """Reject a document that cannot be relied on; the file keeps it with the reason.

    A rejected document cannot be verified or attached any more. Refused without a reason and when
    it was rejected before.
    """
    row = world[Evidence][evidence]
    if row.status == "rejected":
        raise Refused(f"{evidence} was rejected before")
    if not why.strip():
        raise Refused("why: give the reason")
    return world[Evidence].change(evidence, status="rejected", valid_until=None, note=why)
