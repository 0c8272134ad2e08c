"""Collections: a creditor's monthly file of debits, sealed, announced, signed off, submitted."""

import re
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.debits import Debit, DebitMandate, open_mandate
from bythebook.conduct.consent import Approval
from bythebook.conduct.world import Row, World, terms_hash
from bythebook.tool import Cents, Day, Desk, Refused

Kind = Literal["subscription", "joining_fee", "arrears"]
Month = Annotated[str, Meta(description="a month, YYYY-MM")]
MONTH = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])")
Why = Literal["lapsed", "revoked", "paused", "asked_by_creditor"]


class DebitInstruction(Row, frozen=True):
    """A creditor's standing instruction: what we may collect for it in one month at most."""

    table: ClassVar[str] = "debit_instructions"
    prefix: ClassVar[str] = "DIN"
    amendable: ClassVar[tuple[str, ...]] = ("monthly_cap",)

    creditor: str
    currency: str
    monthly_cap: Annotated[int, Meta(ge=0, description="integer minor units")]


class FileLine(msgspec.Struct, frozen=True):
    """One debit of a sealed file."""

    entry: str
    mandate: str
    amount: Cents


class DebitFile(Row, frozen=True):
    """The debits of one creditor for one collection day."""

    table: ClassVar[str] = "debit_files"
    prefix: ClassVar[str] = "DBF"
    terms: ClassVar[tuple[str, ...]] = ("collection_day", "lines", "total")

    creditor: str
    instruction: str
    month: Month
    collection_day: Day
    status: Literal["draft", "sealed", "submitted", "accepted", "dropped"]
    lines: tuple[FileLine, ...] = ()
    total: int | None = None
    """Of the lines; None while the file is a draft."""


class DebitEntry(Row, frozen=True):
    """One debit that a creditor wants made."""

    table: ClassVar[str] = "debit_entries"
    prefix: ClassVar[str] = "DBE"

    file: str
    payer: str
    mandate: str
    kind: Kind
    amount: Debit
    fell_due: Day
    status: Literal["listed", "withdrawn", "carried", "collected"] = "listed"
    reason: Why | None = None
    """Why it was withdrawn."""
    carried_to: Month | None = None


class Prenotice(Row, frozen=True):
    """A payer is told of a debit ahead of its day."""

    table: ClassVar[str] = "prenotices"
    prefix: ClassVar[str] = "PNO"

    file: str
    entry: str
    amount: Debit
    status: Literal["out", "confirmed", "retracted"]
    sent: int


class Totals(msgspec.Struct, frozen=True):
    """A file's listed entries, added up."""

    status: str
    count: int
    subscription: Cents
    joining_fee: Cents
    arrears: Cents
    total: Cents
    monthly_cap: Cents


collections = Desk(
    "collections",
    "Creditors' monthly files of direct debits: entries, totals, notices, submission.",
    rows=(DebitInstruction, DebitFile, DebitEntry, Prenotice),
)


def listed(world: World, file: str) -> list[DebitEntry]:
    """The entries that sealing would put into the file."""
    return world[DebitEntry].where(file=file, status="listed")


def file_in(world: World, file: str, status: Literal["draft", "sealed", "submitted"]) -> DebitFile:
    """The file, if it stands as it has to."""
    row = world[DebitFile][file]
    if row.status != status:
        raise Refused(f"{file} is {row.status}, not {status}")
    return row


def listed_entry(world: World, entry: str) -> DebitEntry:
    """A listed entry of a file that can still be changed."""
    row = world[DebitEntry][entry]
    file_in(world, row.file, "draft")
    if row.status != "listed":
        raise Refused(f"{entry} is {row.status}, not listed")
    return row


def before_the_gate(world: World) -> None:
    """Refuse from the minute in which the clearing's gate closes."""
    gate = world.policy.clock("debit.gate", world.day)
    if world.t >= world.minute(gate):
        raise Refused(f"the clearing's gate closed at {gate}")


@collections.tool()
def debit_file_totals(world: World, file: str) -> Totals:
    """Add up the entries that a debit file would contain, kind by kind, beside the monthly cap.

    Withdrawn and carried entries are left out.
    """
    row, entries = world[DebitFile][file], listed(world, file)
    kinds = {
        kind: sum(entry.amount for entry in entries if entry.kind == kind)
        for kind in ("subscription", "joining_fee", "arrears")
    }
    return Totals(
        status=row.status,
        count=len(entries),
        total=sum(kinds.values()),
        monthly_cap=world[DebitInstruction][row.instruction].monthly_cap,
        **kinds,
    )


@collections.tool(writes=True)
def withdraw_debit_entry(world: World, entry: str, reason: Why) -> DebitEntry:
    """Take an entry out of a draft file, under the reason that the creditor's statement prints.

    Refused when the file is sealed or gone, or the entry is no longer listed.
    """
    listed_entry(world, entry)
    return world[DebitEntry].change(entry, status="withdrawn", reason=reason)


@collections.tool(writes=True)
def restore_debit_entry(world: World, entry: str) -> DebitEntry:
    """Put a withdrawn or carried entry back among the listed ones of its draft file.

    Refused when it is listed, when it was collected, and when the file is no draft.
    """
    row = world[DebitEntry][entry]
    file_in(world, row.file, "draft")
    if row.status not in ("withdrawn", "carried"):
        raise Refused(f"{entry} is {row.status}")
    return world[DebitEntry].change(entry, status="listed", reason=None, carried_to=None)


@collections.tool(writes=True)
def carry_debit_entry(world: World, entry: str, month: Month) -> DebitEntry:
    """Leave an entry for the file of a later month.

    Whole entries only. Refused when the month is not later than the file's, or the file is
    sealed.
    """
    row = listed_entry(world, entry)
    if not MONTH.fullmatch(month):
        raise Refused(f"month: YYYY-MM, not {month!r}")
    if month <= world[DebitFile][row.file].month:
        raise Refused(f"month: {month} is not later than the file's")
    return world[DebitEntry].change(entry, status="carried", carried_to=month)


@collections.tool(writes=True)
def swap_entry_mandate(world: World, entry: str, mandate: str) -> DebitEntry:
    """Point an entry of a draft file to another open mandate of the same payer and creditor.

    Refused for anybody else's mandate, a closed one, or the one that it has.
    """
    row, target = listed_entry(world, entry), open_mandate(world, mandate)
    creditor = world[DebitFile][row.file].creditor
    if (target.payer, target.creditor) != (row.payer, creditor):
        raise Refused(f"{mandate} is {target.payer}'s, for {target.creditor}")
    if mandate == row.mandate:
        raise Refused(f"{entry} is under {mandate} already")
    return world[DebitEntry].change(entry, mandate=mandate)


@collections.tool(writes=True)
def seal_debit_file(world: World, file: str) -> DebitFile:
    """Close a draft file to changes and fix its lines and total.

    Refused when nothing is listed, or an entry stands under a closed mandate.
    """
    file_in(world, file, "draft")
    entries = listed(world, file)
    if not entries:
        raise Refused(f"{file} lists nothing")
    for entry in entries:
        open_mandate(world, entry.mandate)
    lines = tuple(FileLine(entry.id, entry.mandate, entry.amount) for entry in entries)
    total = sum(line.amount for line in lines)
    return world[DebitFile].change(file, status="sealed", lines=lines, total=total)


@collections.tool(writes=True)
def unseal_debit_file(world: World, file: str) -> DebitFile:
    """Open a sealed file to changes again; its lines and total are no longer fixed.

    Refused unless the file is sealed. A submitted one is recalled first.
    """
    file_in(world, file, "sealed")
    return world[DebitFile].change(file, status="draft", lines=(), total=None)


@collections.tool(writes=True)
def send_prenotices(world: World, file: str, entries: tuple[str, ...]) -> tuple[Prenotice, ...]:
    """Tell the payers of some lines of a sealed file what will be debited and when.

    Confirmed after the dispatch run. Refused for entries that are no line of the file or named
    twice, and for one that was announced at this amount.
    """
    row = file_in(world, file, "sealed")
    amounts = {line.entry: line.amount for line in row.lines}
    if not entries or len(set(entries)) != len(entries):
        raise Refused("entries: each one once, and at least one")
    for name in entries:
        if name not in amounts:
            raise Refused(f"{name} is no line of {file}")
        told = world[Prenotice].where(entry=name, amount=amounts[name])
        if any(notice.status != "retracted" for notice in told):
            raise Refused(f"{name} was announced at this amount")
    sent = tuple(
        world[Prenotice].add(
            file=file, entry=name, amount=amounts[name], status="out", sent=world.t
        )
        for name in entries
    )
    due = world.t + world.policy.number("debit.prenotice.minutes", world.day)
    world.schedule("prenotices_confirmed", due=due, notices=tuple(notice.id for notice in sent))
    return sent


@collections.tool(writes=True)
def retract_prenotice(world: World, prenotice: str) -> Prenotice:
    """Tell a payer that an announced debit will not be made.

    Refused when it was retracted before or the entry is still to be collected.
    """
    row = world[Prenotice][prenotice]
    if row.status == "retracted":
        raise Refused(f"{prenotice} was retracted before")
    if world[DebitEntry][row.entry].status in ("listed", "collected"):
        raise Refused(f"{row.entry} is still to be collected")
    return world[Prenotice].change(prenotice, status="retracted")


@collections.tool(writes=True)
def submit_debit_file(world: World, file: str) -> DebitFile:
    """Put a sealed file into the clearing's queue, where it waits for the call.

    Refused when the gate has closed, and while notices of the file are still out.
    """
    row = file_in(world, file, "sealed")
    before_the_gate(world)
    if world[Prenotice].where(file=file, status="out"):
        raise Refused(f"notices of {file} are still out")
    for line in row.lines:
        open_mandate(world, line.mandate)
    due = world.minute(world.policy.clock("debit.call", world.day))
    world.schedule("clearing_called", due=due, file=file)
    return world[DebitFile].change(file, status="submitted")


@collections.tool(writes=True)
def recall_debit_file(world: World, file: str) -> DebitFile:
    """Take a submitted file out of the clearing's queue; it is sealed as it was before.

    Refused when it is not in the queue or the gate has closed.
    """
    file_in(world, file, "submitted")
    before_the_gate(world)
    return world[DebitFile].change(file, status="sealed")


def signed_off(world: World, file: DebitFile) -> bool:
    """The creditor's sign-off of exactly these lines lives at this minute."""
    return any(
        approval.terms_hash == terms_hash(file)
        and world.t < approval.expires
        and (approval.revoked is None or world.t < approval.revoked)
        for approval in world[Approval].where(subject=file.id)
    )


@collections.event
def prenotices_confirmed(world: World, notices: tuple[str, ...]) -> None:
    """The dispatch run is through; what was retracted meanwhile stays so."""
    for name in notices:
        if world[Prenotice][name].status == "out":
            world[Prenotice].change(name, status="confirmed")


@collections.event
def clearing_called(world: World, file: str) -> None:
    """The clearing takes a queued file if its sign-off lives, and drops it otherwise."""
    row = world[DebitFile][file]
    if row.status != "submitted":
        return
    if not signed_off(world, row):
        world[DebitFile].change(file, status="dropped")
        return
    world[DebitFile].change(file, status="accepted")
    for line in row.lines:
        world[DebitEntry].change(line.entry, status="collected")
        world[DebitMandate].change(line.mandate, last_used=row.collection_day)
