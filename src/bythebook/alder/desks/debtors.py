"""Debtors: notices of assignment, their acknowledgement, and shares of a ledger."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.clock import next_morning
from bythebook.alder.desks.financing import Advance, FinanceLine, drafted
from bythebook.alder.desks.ledger import Debtor, LedgerInvoice
from bythebook.conduct.world import Row, World, add_days
from bythebook.tool import Day, Desk, Refused


class Assignment(Row, frozen=True):
    """A debtor's being told to pay to Alder."""

    table: ClassVar[str] = "assignments"
    prefix: ClassVar[str] = "ASG"

    client: str
    debtor: str
    advance: str
    t: int
    status: Literal["noticed", "acknowledged", "withdrawn", "released"]
    until: Day
    """Last day on which an acknowledged assignment binds at least."""


class ShareRequest(Row, frozen=True):
    """A question to Credit: may this debtor take a larger share of its client's ledger?"""

    table: ClassVar[str] = "share_requests"
    prefix: ClassVar[str] = "DSR"

    debtor: str
    share: int
    reason: str
    status: Literal["asked", "granted", "declined"]
    t: int


debtors = Desk(
    "debtors",
    "Notices of assignment to debtors, acknowledgements, larger shares for a debtor.",
    rows=(Assignment, ShareRequest),
)


def month_end(day: Day) -> Day:
    """The last day of the month in which `day` lies."""
    after = day
    while add_days(after, 1)[:7] == day[:7]:
        after = add_days(after, 1)
    return after


@debtors.tool()
def assignments_on(world: World, debtor: str) -> tuple[Assignment, ...]:
    """List what a debtor has been told about assignments, withdrawn and released ones too."""
    world[Debtor][debtor]
    return tuple(world[Assignment].where(debtor=debtor))


@debtors.tool(writes=True)
def send_assignment_notice(world: World, advance: str) -> Assignment:
    """Tell the debtor of a drafted notified advance that the claim is assigned to Alder.

    The debtor acknowledges by the way and in the minutes on its record. One debtor an advance;
    refused for other lines, and while a notice for the advance stands.
    """
    row = drafted(world, advance)
    if world[FinanceLine][row.line].product != "notified":
        raise Refused(f"{row.line} is not a notified line; nobody is told")
    found = {world[LedgerInvoice][piece.invoice].debtor for piece in row.lines}
    if len(found) > 1:
        raise Refused(f"{advance} rests on {len(found)} debtors; draft one advance for each")
    if any(a.status in ("noticed", "acknowledged") for a in _for(world, advance)):
        raise Refused(f"a notice for {advance} stands")
    debtor = world[Debtor][found.pop()]
    notice = world[Assignment].add(
        client=row.client,
        debtor=debtor.id,
        advance=advance,
        t=world.t,
        status="noticed",
        until=month_end(world.day),
    )
    due = world.t + debtor.answers_in
    world.schedule("notice_acknowledged", due=due, priority=1, assignment=notice.id)
    return notice


def _for(world: World, advance: str) -> list[Assignment]:
    return world[Assignment].where(advance=advance)


@debtors.tool(writes=True)
def withdraw_assignment_notice(world: World, assignment: str) -> Assignment:
    """Take a notice back that the debtor has not acknowledged.

    Refused once the advance has been drawn.
    """
    row = world[Assignment][assignment]
    if row.status != "noticed":
        raise Refused(f"{assignment} is {row.status}")
    if world[Advance][row.advance].status not in ("draft", "cancelled"):
        raise Refused(f"{row.advance} is {world[Advance][row.advance].status}")
    return world[Assignment].change(assignment, status="withdrawn")


@debtors.tool(writes=True)
def release_assignment(world: World, assignment: str) -> Assignment:
    """Tell a debtor that it may pay to the client again.

    Refused before the day after `until`, and while the advance is neither repaid nor cancelled.
    """
    row = world[Assignment][assignment]
    if row.status != "acknowledged":
        raise Refused(f"{assignment} is {row.status}, not acknowledged")
    if world.day <= row.until:
        raise Refused(f"{assignment} binds to the end of {row.until}")
    if world[Advance][row.advance].status not in ("repaid", "cancelled"):
        raise Refused(f"{row.advance} is {world[Advance][row.advance].status}")
    return world[Assignment].change(assignment, status="released")


@debtors.tool(writes=True)
def request_debtor_share(
    world: World,
    debtor: str,
    share: Annotated[int, Meta(gt=0, le=10_000, description="basis points of the ledger")],
    reason: Literal["season", "one_large_order", "group_guarantee"],
) -> ShareRequest:
    """Ask Credit to let one debtor take a larger share of its client's ledger.

    Credit answers on the next banking morning. One open request a debtor.
    """
    row = world[Debtor][debtor]
    if world[ShareRequest].where(debtor=debtor, status="asked"):
        raise Refused(f"{debtor} has an open request")
    if share <= max(row.share or 0, world.policy.number("finance.debtor.share", world.day)):
        raise Refused(f"share: {debtor} has that much already")
    asked = world[ShareRequest].add(
        debtor=debtor, share=share, reason=reason, status="asked", t=world.t
    )
    due = next_morning(world, world.policy.clock("finance.credit.morning", world.day))
    world.schedule("share_answered", due=due, request=asked.id)
    return asked


# --- events ---------------------------------------------------------------------------------------


@debtors.event
def notice_acknowledged(world: World, assignment: str) -> None:
    """The debtor confirms that it will pay to Alder."""
    if world[Assignment][assignment].status == "noticed":
        world[Assignment].change(assignment, status="acknowledged")


@debtors.event
def share_answered(world: World, request: str) -> None:
    """Credit grants up to its ceiling for debtors of grade A, and declines the rest."""
    row = world[ShareRequest][request]
    most = world.policy.number("finance.debtor.share.most", world.day)
    if world[Debtor][row.debtor].grade != "A" or row.share > most:
        world[ShareRequest].change(request, status="declined")
        return
    world[ShareRequest].change(request, status="granted")
    world[Debtor].change(row.debtor, share=row.share)
