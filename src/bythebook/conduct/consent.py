"""What the customer is asked, and what the customer decides: rows, never words.

An approval is a row that only the customer's own tool writes. It is bound to a hash of the terms of
the row it approves, has an expiry and can be revoked; a "yes" in prose approves nothing.
"""

from typing import ClassVar, Literal

import msgspec

from bythebook.conduct.world import Row, World, terms_hash, valid
from bythebook.errors import ContentError
from bythebook.tool import Refused

RequestStatus = Literal["open", "approved", "declined", "withdrawn", "applied"]


class Approval(Row, frozen=True):
    """One consent, to exactly the terms that were seen."""

    table: ClassVar[str] = "approvals"
    prefix: ClassVar[str] = "APR"

    subject_table: str
    subject: str
    terms_hash: str
    by: Literal["customer", "agent"]
    t: int
    expires: int
    """First minute at which the approval no longer holds."""
    revoked: int | None = None
    """Minute from which the approval no longer holds."""


class ApprovalRequest(Row, frozen=True):
    """The agent asks the customer to approve one row as it stands."""

    table: ClassVar[str] = "approval_requests"
    prefix: ClassVar[str] = "ASK"

    subject_table: str
    subject: str
    terms_hash: str
    reasons: tuple[str, ...]
    status: RequestStatus
    t: int


class Amendment(Row, frozen=True):
    """The agent asks the customer to change one number of a standing instruction."""

    table: ClassVar[str] = "amendments"
    prefix: ClassVar[str] = "AMD"

    subject_table: str
    subject: str
    field: str
    value: int
    reasons: tuple[str, ...]
    status: RequestStatus
    t: int


class Message(Row, frozen=True):
    """Words said in the conversation."""

    table: ClassVar[str] = "messages"
    prefix: ClassVar[str] = "MSG"

    who: Literal["agent", "customer"]
    text: str
    t: int


ROWS: tuple[type[Row], ...] = (Approval, ApprovalRequest, Amendment, Message)


def approvable(world: World, key: str) -> Row:
    """The row called `key` in whichever table can be approved. Refused when there is none."""
    for rows in world.tables.values():
        row = rows.get(key)
        if row is not None and type(row).terms:
            return row
    raise Refused(f"{key!r} is nothing a customer can approve")


def amendable(world: World, key: str, field: str) -> Row:
    """The row called `key`, if `field` of it is for the customer to amend."""
    for rows in world.tables.values():
        row = rows.get(key)
        names = type(row).amendable if row is not None else ()
        if field in names:
            return rows[key]
        if names:
            raise Refused(f"{key}: {field!r} cannot be amended; fields are: {', '.join(names)}")
    raise Refused(f"{key!r} is nothing a customer can amend")


def amended(row: Row, field: str, value: int) -> Row:
    """The row with the new value. Refused when the row cannot hold it."""
    changed = msgspec.structs.replace(row, **{field: value})
    try:
        valid(changed)
    except ContentError as misfit:
        raise Refused(f"{row.id}: {field} cannot be {value}: {misfit.what}") from None
    return changed


def approve(world: World, request: ApprovalRequest, minutes: int) -> Approval:
    """Write the approval of the request's subject as it stands now; it lives for `minutes`."""
    subject = approvable(world, request.subject)
    if request.status != "open":
        raise Refused(f"{request.id} is {request.status}, not open")
    if terms_hash(subject) != request.terms_hash:
        raise Refused(f"the terms of {subject.id} changed after {request.id} was filed")
    world[ApprovalRequest].change(request.id, status="approved")
    return world[Approval].add(
        subject_table=request.subject_table,
        subject=request.subject,
        terms_hash=request.terms_hash,
        by="customer",
        t=world.t,
        expires=world.t + minutes,
    )
