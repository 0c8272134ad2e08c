"""Statements: what a bank announced, what it answers, and how a remitter divides a bulk payment."""

from typing import ClassVar, Literal

import msgspec

from bythebook.alder.desks.gates import Above, Funded, PurchaseOrder, minute_on
from bythebook.alder.desks.matching import StatementLine, shrink_to_line, used_of_line
from bythebook.conduct.world import Row, World, add_days
from bythebook.tool import Day, Desk, Refused

FILES = ("statement.file.first", "statement.file.second")


class Part(msgspec.Struct, frozen=True):
    """What a remitter pays of one order."""

    order: str
    amount: Above


class LineQuery(Row, frozen=True):
    """A question to the bank about one point of a line."""

    table: ClassVar[str] = "line_queries"
    prefix: ClassVar[str] = "LQY"

    line: str
    point: Literal["amount", "remitter", "reference"]
    asked: int
    due: int
    """Minute of the bank's file that will answer it."""
    status: Literal["pending", "answered", "withdrawn"] = "pending"
    answer: str | None = None


class BankRecord(Row, frozen=True):
    """What the bank's own books say of a line."""

    table: ClassVar[str] = "bank_records"
    prefix: ClassVar[str] = "BNK"
    private: ClassVar[bool] = True

    line: str
    amount: Funded
    remark: str


class RemitterContact(Row, frozen=True):
    """Somebody at a remitter, from the card that the remitter signed."""

    table: ClassVar[str] = "remitter_contacts"
    prefix: ClassVar[str] = "RMC"

    remitter: str
    name: str
    office: Literal["accounts_payable", "buying", "warehouse"]
    since: Day
    until: Day | None = None
    """First day on which the entry no longer holds."""


class Breakdown(Row, frozen=True):
    """How a bulk payment is to be divided, as far as anybody has told us."""

    table: ClassVar[str] = "breakdowns"
    prefix: ClassVar[str] = "BKD"

    line: str
    contact: str | None
    told_by: str
    parts: tuple[Part, ...]
    status: Literal["asked", "no_answer", "received", "read_back", "confirmed", "spoken"]
    asked: int


class RemitterRecord(Row, frozen=True):
    """What one contact of a remitter will send for a line, and say when it is read back."""

    table: ClassVar[str] = "remitter_records"
    prefix: ClassVar[str] = "RMR"
    private: ClassVar[bool] = True

    line: str
    contact: str
    sends: tuple[Part, ...]
    confirms: tuple[Part, ...]


class LinePosition(msgspec.Struct, frozen=True):
    """A line and what hangs on it, in cents."""

    line: str
    state: str
    amount: int
    used: int
    free: int
    open_query: str | None
    breakdown: str | None
    """The latest confirmed breakdown."""
    breakdown_total: int | None


statements = Desk(
    "statements",
    "Bank statement lines, queries to the bank, remitters' breakdowns of bulk payments.",
    rows=(StatementLine, LineQuery, BankRecord, RemitterContact, Breakdown, RemitterRecord),
)


def next_file(world: World) -> int:
    """Minute of the bank's first file that a query lodged now still reaches."""
    lead = world.policy.number("statement.query.lead", world.day)
    for day in (world.day, add_days(world.day, 1)):
        for name in FILES:
            minute = minute_on(world, day, world.policy.clock(name, day))
            if world.t + lead <= minute:
                return minute
    raise AssertionError("tomorrow's first file takes every query of today")


def _as_the_bank_has_it(world: World, line: str) -> str:
    """Bring the line in line with the bank's books, for good; returns the bank's remark."""
    row = world[StatementLine][line]
    found = world[BankRecord].where(line=line)
    amount = found[0].amount if found else row.amount
    world[StatementLine].change(line, amount=amount, state="final")
    shrink_to_line(world, line)
    return found[0].remark if found else "amount as advised"


@statements.tool()
def line_position(world: World, line: str) -> LinePosition:
    """Show a statement line with what is used and free, its open query and confirmed breakdown."""
    row, used = world[StatementLine][line], used_of_line(world, line)
    queries = world[LineQuery].where(line=line, status="pending")
    confirmed = world[Breakdown].where(line=line, status="confirmed")
    last = confirmed[-1] if confirmed else None
    return LinePosition(
        line=line,
        state=row.state,
        amount=row.amount,
        used=used,
        free=row.amount - used,
        open_query=queries[0].id if queries else None,
        breakdown=last.id if last else None,
        breakdown_total=sum(part.amount for part in last.parts) if last else None,
    )


@statements.tool(writes=True, retired="query_statement_line")
def ask_the_bank(world: World, line: str, text: str) -> LineQuery:
    """Send the bank a free text about an entry.

    Out of use since May 2025.
    """
    raise Refused("ask_the_bank is retired")


@statements.tool(writes=True)
def query_statement_line(
    world: World, line: str, point: Literal["amount", "remitter", "reference"]
) -> LineQuery:
    """Ask the bank to look at one point of a line; the answer comes with one of its files.

    `due` in the result is the minute of that file. The bank answers the point that was asked and
    corrects the line if it has to. Refused for a final line, and while a query on it is open.
    """
    row = world[StatementLine][line]
    if row.state == "final":
        raise Refused(f"{line} is final")
    if row.state == "under_query":
        raise Refused(f"{line} has an open query")
    world[StatementLine].change(line, state="under_query")
    due = next_file(world)
    query = world[LineQuery].add(line=line, point=point, asked=world.t, due=due)
    world.schedule("line_answered", due=due, query=query.id)
    return query


@statements.tool(writes=True)
def withdraw_line_query(world: World, query: str) -> LineQuery:
    """Take a query back from the bank; the line is merely advised again.

    Refused once the bank has answered, or when it was withdrawn before.
    """
    row = world[LineQuery][query]
    if row.status != "pending":
        raise Refused(f"{query} is {row.status}, not pending")
    if world[StatementLine][row.line].state == "under_query":
        world[StatementLine].change(row.line, state="advised")
    return world[LineQuery].change(query, status="withdrawn")


@statements.tool(writes=True)
def request_breakdown(world: World, line: str, contact: str) -> Breakdown:
    """Ask somebody at the remitter for the breakdown of a bulk payment.

    The list comes some minutes later and stands as `received` until it has been read back. Refused
    for a contact of another remitter, and when the same contact was asked about the line before.
    """
    row, person = world[StatementLine][line], world[RemitterContact][contact]
    if person.remitter != row.remitter:
        raise Refused(f"{contact} is not with {row.remitter}, who paid {line}")
    if world[Breakdown].where(line=line, contact=contact):
        raise Refused(f"{contact} was asked about {line} before")
    asked = world[Breakdown].add(
        line=line, contact=contact, told_by=person.name, parts=(), status="asked", asked=world.t
    )
    minutes = world.policy.number("breakdown.answer.minutes", world.day)
    world.schedule("breakdown_received", due=world.t + minutes, breakdown=asked.id)
    return asked


@statements.tool(writes=True)
def read_back_breakdown(world: World, breakdown: str) -> Breakdown:
    """Read a received breakdown back to the contact who sent it, part by part.

    The contact's confirmation comes a few minutes later, with whatever had to be put right.
    Refused before a list has been received, and when it has been read back.
    """
    row = world[Breakdown][breakdown]
    if row.status != "received":
        raise Refused(f"{breakdown} is {row.status}; only a received list can be read back")
    minutes = world.policy.number("breakdown.readback.minutes", world.day)
    world.schedule("breakdown_confirmed", due=world.t + minutes, breakdown=breakdown)
    return world[Breakdown].change(breakdown, status="read_back")


@statements.tool(writes=True)
def note_spoken_breakdown(
    world: World, line: str, parts: tuple[Part, ...], told_by: str
) -> Breakdown:
    """Put on file what somebody has said about the division of a bulk payment.

    It stands as `spoken`. Refused when nobody is named, and for orders of another customer.
    """
    row = world[StatementLine][line]
    if not told_by.strip() or not parts:
        raise Refused("told_by, parts: write down who said what")
    for part in parts:
        if world[PurchaseOrder][part.order].owner != row.owner:
            raise Refused(f"{part.order} is no order of {row.owner}")
    return world[Breakdown].add(
        line=line, contact=None, told_by=told_by, parts=parts, status="spoken", asked=world.t
    )


@statements.event
def line_answered(world: World, query: str) -> None:
    """The bank's file answers the point that was asked, and that one only."""
    row = world[LineQuery][query]
    if row.status != "pending":
        return
    answer = f"{row.point} as stated"
    if row.point == "amount":
        answer = _as_the_bank_has_it(world, row.line)
    elif world[StatementLine][row.line].state == "under_query":
        world[StatementLine].change(row.line, state="advised")
    world[LineQuery].change(query, status="answered", answer=answer)


@statements.event
def evening_statement(world: World, line: str) -> None:
    """The day's statement makes the line final, queried or not."""
    if world[StatementLine][line].state != "final":
        _as_the_bank_has_it(world, line)


@statements.event
def breakdown_received(world: World, breakdown: str) -> None:
    """The contact sends a list, or nobody answers there."""
    row = world[Breakdown][breakdown]
    found = world[RemitterRecord].where(line=row.line, contact=row.contact)
    if found:
        world[Breakdown].change(breakdown, parts=found[0].sends, status="received")
    else:
        world[Breakdown].change(breakdown, status="no_answer")


@statements.event
def breakdown_confirmed(world: World, breakdown: str) -> None:
    """The contact confirms, with the parts as they should have been."""
    row = world[Breakdown][breakdown]
    found = world[RemitterRecord].where(line=row.line, contact=row.contact)
    parts = found[0].confirms if found else row.parts
    world[Breakdown].change(breakdown, parts=parts, status="confirmed")
