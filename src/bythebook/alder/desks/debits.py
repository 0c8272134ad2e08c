"""Debit mandates: who may be debited, what the clearing's register and the payers say of it."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Desk, Refused

Debit = Annotated[int, Meta(gt=0, description="integer minor units, above zero")]
Ending = Literal["lapsed", "revoked", "replaced"]


class DebitMandate(Row, frozen=True):
    """A payer's permission to a creditor."""

    table: ClassVar[str] = "debit_mandates"
    prefix: ClassVar[str] = "DBM"

    creditor: str
    payer: str
    reference: str
    """What the payer's bank and the clearing's register know it by."""
    signed: Day
    last_used: Day | None
    """Day of the last debit that was collected under it."""
    told: Debit | None
    """The amount of a regular debit that the payer was last told of."""
    paper: str | None = None
    status: Literal["open", "closed"] = "open"
    closed_as: Ending | None = None


class MandatePaper(Row, frozen=True):
    """A signed form that has reached us."""

    table: ClassVar[str] = "mandate_papers"
    prefix: ClassVar[str] = "MPA"

    creditor: str
    payer: str
    reference: str
    signed: Day
    kind: Literal["original", "electronic", "copy"]
    status: Literal["received", "entered"]


class RegisterEntry(Row, frozen=True):
    """What the clearing's register holds. Only the clearing sees it."""

    table: ClassVar[str] = "register_entries"
    prefix: ClassVar[str] = "RGE"
    private: ClassVar[bool] = True

    reference: str
    state: Literal["active", "revoked"]


class RegisterCheck(Row, frozen=True):
    """A question to the register about one mandate, and its answer."""

    table: ClassVar[str] = "register_checks"
    prefix: ClassVar[str] = "RGC"

    mandate: str
    day: Day
    answer: Literal["pending", "active", "revoked", "unknown"]


class Revocation(Row, frozen=True):
    """A payer's bank has told us that a mandate no longer holds."""

    table: ClassVar[str] = "revocations"
    prefix: ClassVar[str] = "RVC"

    mandate: str
    day: Day
    at: str
    text: str


class PauseLetter(Row, frozen=True):
    """A payer was told in writing that nothing is collected for a while."""

    table: ClassVar[str] = "pause_letters"
    prefix: ClassVar[str] = "PSL"

    creditor: str
    payer: str
    written: Day
    text: str


class Standing(msgspec.Struct, frozen=True):
    """One mandate with everything that was heard of it."""

    mandate: DebitMandate
    checks: tuple[RegisterCheck, ...]
    revocations: tuple[Revocation, ...]


debits = Desk(
    "debits",
    "Debit mandates of payers: papers, register checks, revocations, pause letters.",
    rows=(DebitMandate, MandatePaper, RegisterEntry, RegisterCheck, Revocation, PauseLetter),
)


def open_mandate(world: World, mandate: str) -> DebitMandate:
    """The mandate, while it can be used."""
    row = world[DebitMandate][mandate]
    if row.status != "open":
        raise Refused(f"{mandate} is closed as {row.closed_as}")
    return row


@debits.tool(retired="mandate_standing")
def mandate_card(world: World, reference: str) -> DebitMandate:
    """Show the card kept under a reference, as the night's copy has it.

    Out of use since June 2025.
    """
    raise Refused("mandate_card is retired")


@debits.tool()
def mandate_standing(world: World, mandate: str) -> Standing:
    """Show one debit mandate with its use, the register's answers and any revocation.

    It shows what was heard and when. Whether a debit may be made under it is not said.
    """
    return Standing(
        world[DebitMandate][mandate],
        tuple(world[RegisterCheck].where(mandate=mandate)),
        tuple(world[Revocation].where(mandate=mandate)),
    )


@debits.tool()
def revocations_heard(world: World, creditor: str) -> tuple[Revocation, ...]:
    """List the revocations that payers' banks have sent for a creditor's debit mandates.

    They come at any hour; day and clock time are shown.
    """
    ours = {mandate.id for mandate in world[DebitMandate].where(creditor=creditor)}
    return tuple(row for row in world[Revocation] if row.mandate in ours)


@debits.tool(writes=True)
def register_debit_mandate(world: World, paper: str) -> DebitMandate:
    """Enter a signed mandate form, so that its payer can be debited under the new mandate.

    Entries of a file are not pointed to it by themselves. Refused when the form was entered before
    or a mandate has its reference already.
    """
    form = world[MandatePaper][paper]
    if form.status == "entered":
        raise Refused(f"{paper} was entered before")
    if world[DebitMandate].where(reference=form.reference):
        raise Refused(f"{form.reference} stands in the mandate book already")
    world[MandatePaper].change(paper, status="entered")
    return world[DebitMandate].add(
        creditor=form.creditor,
        payer=form.payer,
        reference=form.reference,
        signed=form.signed,
        last_used=None,
        told=None,
        paper=paper,
    )


@debits.tool(writes=True)
def check_debit_mandates(world: World, mandates: tuple[str, ...]) -> tuple[RegisterCheck, ...]:
    """Ask the clearing's register whether mandates stand; it answers all of them together.

    The answers come in one go after the register's run. Refused for an empty list, a mandate named
    twice or closed, and one that is being asked about.
    """
    if not mandates or len(set(mandates)) != len(mandates):
        raise Refused("mandates: each one once, and at least one")
    for name in mandates:
        open_mandate(world, name)
        if world[RegisterCheck].where(mandate=name, answer="pending"):
            raise Refused(f"{name} is being asked about")
    asked = tuple(
        world[RegisterCheck].add(mandate=name, day=world.day, answer="pending") for name in mandates
    )
    due = world.t + world.policy.number("debit.register.minutes", world.day)
    world.schedule("register_answered", due=due, checks=tuple(check.id for check in asked))
    return asked


@debits.tool(writes=True)
def close_debit_mandate(world: World, mandate: str, reason: Ending) -> DebitMandate:
    """Close a debit mandate for good, under the reason that its payer is told.

    Refused when it is closed already. A file with an entry under a closed mandate cannot be sealed.
    """
    open_mandate(world, mandate)
    return world[DebitMandate].change(mandate, status="closed", closed_as=reason)


@debits.event
def register_answered(world: World, checks: tuple[str, ...]) -> None:
    """The register says what it holds at this minute."""
    held = {entry.reference: entry.state for entry in world[RegisterEntry]}
    for name in checks:
        reference = world[DebitMandate][world[RegisterCheck][name].mandate].reference
        world[RegisterCheck].change(name, answer=held.get(reference, "unknown"))


@debits.event
def revocation_received(world: World, mandate: str, text: str) -> None:
    """A payer has gone to the bank."""
    reference = world[DebitMandate][mandate].reference
    for entry in world[RegisterEntry].where(reference=reference):
        world[RegisterEntry].change(entry.id, state="revoked")
    world[Revocation].add(mandate=mandate, day=world.day, at=world.clock_at(world.t), text=text)
