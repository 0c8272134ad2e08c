"""Asking the customer: approval of exact terms, and changes to standing instructions."""

from typing import Literal

from bythebook.conduct.consent import (
    ROWS,
    Amendment,
    Approval,
    ApprovalRequest,
    amendable,
    amended,
    approvable,
)
from bythebook.conduct.world import World, terms_hash
from bythebook.tool import Desk, Refused

Reason = Literal[
    "review_fee", "release_fee", "delivery_fee", "service_fee", "deadline", "allocation",
    "evidence", "liability", "refund", "payout", "conversion", "limit", "correction",
    "joining_fees", "arrears", "higher_rates",
]  # fmt: skip

approvals = Desk("approvals", "Asking the customer for consent and for changed instructions.", ROWS)


@approvals.tool(writes=True, minutes=0, repeatable=True)
def request_approval(
    world: World, subject: str, reasons: tuple[Reason, ...] = ()
) -> ApprovalRequest:
    """Ask the customer to approve a drafted request, advice or order exactly as it stands.

    `subject` is the id of the drafted item. The customer sees its terms and answers at once. An
    approval covers the terms seen, once, for a limited time; if the item changes, ask again.
    """
    row = approvable(world, subject)
    return world[ApprovalRequest].add(
        subject_table=type(row).table,
        subject=subject,
        terms_hash=terms_hash(row),
        reasons=reasons,
        status="open",
        t=world.t,
    )


@approvals.tool(writes=True, minutes=0, repeatable=True)
def request_amendment(
    world: World, subject: str, field: str, value: int, reasons: tuple[Reason, ...]
) -> Amendment:
    """Ask the customer to change one number of a standing instruction or mandate.

    `value` is the new value itself, not the difference; amounts are in cents. Name in `reasons`
    everything that the change is to pay for or make possible. The customer answers at once.
    """
    row = amendable(world, subject, field)
    amended(row, field, value)
    if not reasons:
        raise Refused("reasons: give at least one")
    return world[Amendment].add(
        subject_table=type(row).table,
        subject=subject,
        field=field,
        value=value,
        reasons=reasons,
        status="open",
        t=world.t,
    )


@approvals.tool(writes=True, minutes=0)
def withdraw_approval_request(world: World, request: str) -> ApprovalRequest:
    """Take back an approval request that the customer has not answered.

    Refused once it has been answered.
    """
    row = world[ApprovalRequest][request]
    if row.status != "open":
        raise Refused(f"{request} is {row.status}, not open")
    return world[ApprovalRequest].change(request, status="withdrawn")


@approvals.tool()
def approvals_of(world: World, subject: str) -> tuple[Approval, ...]:
    """List the customer's approvals of one item, with expiry and revocation.

    Times are minutes of the task's clock; an approval no longer holds from its `expires` minute on.
    """
    return tuple(world[Approval].where(subject=subject))
