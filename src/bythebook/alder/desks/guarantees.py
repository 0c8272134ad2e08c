"""The net-delivery guarantee: what a customer promised to whom, and what became of it."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.accounts import Account, credit, debit
from bythebook.alder.desks.cases import Case
from bythebook.conduct.world import Row, World, days_between
from bythebook.tool import Day, Desk, Refused

Positive = Annotated[int, Meta(gt=0, description="integer minor units, above zero")]
Clock = Annotated[
    str, Meta(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]\Z", description="wall clock, HH:MM")
]


class PromiseLetter(Row, frozen=True):
    """A customer's signed word that a payee will receive an exact amount by an exact time."""

    table: ClassVar[str] = "promise_letters"
    prefix: ClassVar[str] = "LTR"

    party: str
    beneficiary: str
    corridor: str
    net: Positive
    due_day: Day
    due_clock: Clock
    signed: Day


class Promise(Row, frozen=True):
    """A letter that Alder took under the guarantee; the register's view of it."""

    table: ClassVar[str] = "promises"
    prefix: ClassVar[str] = "PRM"

    party: str
    case: str
    letter: str
    beneficiary: str
    corridor: str
    net: Positive
    due_day: Day
    due_clock: Clock
    status: Literal["open", "met", "short", "late", "withdrawn"] = "open"
    received: int | None = None
    """What the payee's bank credited, once it has."""


class ShortfallClaim(Row, frozen=True):
    table: ClassVar[str] = "shortfall_claims"
    prefix: ClassVar[str] = "CLM"

    promise: str
    amount: Positive
    status: Literal["open", "paid", "rejected"] = "open"
    clause: str = ""
    """The clause a rejection rests on."""


class NetCertificate(Row, frozen=True):
    """Alder's confirmation to a payee that the full amount arrived."""

    table: ClassVar[str] = "net_certificates"
    prefix: ClassVar[str] = "NDC"

    promise: str
    received: int
    t: int


guarantees = Desk(
    "guarantees",
    "Promises of exact net amounts, shortfall claims and certificates.",
    rows=(PromiseLetter, Promise, ShortfallClaim, NetCertificate),
)


def due_minute(world: World, promise: Promise) -> int:
    """The last minute, in t, at which the payee's credit is still in time."""
    days = days_between(world.day_at(0), promise.due_day)
    return days * 24 * 60 + world.minute(promise.due_clock)


def open_promise(world: World, key: str) -> Promise:
    """The promise, if it still waits for its money."""
    promise = world[Promise][key]
    if promise.status != "open":
        raise Refused(f"{key} is {promise.status}, not open")
    return promise


def _future(world: World, letter: PromiseLetter) -> None:
    moment = (world.day, world.clock_at(world.t))
    if (letter.due_day, letter.due_clock) <= moment:
        raise Refused(f"{letter.id} names a time that has passed")


@guarantees.tool()
def promises_due(world: World, party: str, day: Day) -> tuple[Promise, ...]:
    """List a customer's registered promises that fall due on one day.

    Withdrawn promises are left out; promises already met are shown.
    """
    due = world[Promise].where(party=party, due_day=day)
    return tuple(promise for promise in due if promise.status != "withdrawn")


@guarantees.tool()
def minutes_to_promise(world: World, promise: str) -> int:
    """Count the minutes left until a promised amount has to be in the payee's account.

    Negative when the time has passed.
    """
    return due_minute(world, world[Promise][promise]) - world.t


@guarantees.tool(writes=True)
def register_promise(world: World, letter: str, case: str) -> Promise:
    """Take a customer's promise letter into the guarantee register, under one of its cases.

    Payee, corridor, net amount and time are copied from the letter. Refused when the letter stands
    in the register already, names a time that has passed, or belongs to another customer than the
    case, and when the case is closed.
    """
    paper, file = world[PromiseLetter][letter], world[Case][case]
    if world[Promise].where(letter=letter):
        raise Refused(f"{letter} is registered already")
    if paper.party != file.party:
        raise Refused(f"{letter} and {case} belong to different customers")
    if file.status == "closed":
        raise Refused(f"{case} is closed")
    _future(world, paper)
    return world[Promise].add(
        party=paper.party,
        case=case,
        letter=letter,
        beneficiary=paper.beneficiary,
        corridor=paper.corridor,
        net=paper.net,
        due_day=paper.due_day,
        due_clock=paper.due_clock,
    )


@guarantees.tool(writes=True)
def withdraw_promise(
    world: World, promise: str, reason: Literal["customer_letter", "paid_elsewhere", "duplicate"]
) -> Promise:
    """Strike an open promise from the register.

    Alder's guarantee ends with it; quotes and reservations made for it stay until they are given
    up. Refused once the promise is met, short or late.
    """
    open_promise(world, promise)
    return world[Promise].change(promise, status="withdrawn")


@guarantees.tool(writes=True)
def postpone_promise(world: World, promise: str, letter: str) -> Promise:
    """Give an open promise a later time, on the strength of a newer letter.

    The letter must come from the same customer, name the same payee and the same net amount, carry
    a later time, and not be registered as a promise of its own.
    """
    row, paper = open_promise(world, promise), world[PromiseLetter][letter]
    if (paper.party, paper.beneficiary, paper.net) != (row.party, row.beneficiary, row.net):
        raise Refused(f"{letter} is about another payee or amount than {promise}")
    if world[Promise].where(letter=letter):
        raise Refused(f"{letter} is registered already")
    if (paper.due_day, paper.due_clock) <= (row.due_day, row.due_clock):
        raise Refused(f"{letter} names no later time than {promise}")
    return world[Promise].change(
        promise, letter=letter, due_day=paper.due_day, due_clock=paper.due_clock
    )


@guarantees.tool(writes=True)
def open_shortfall_claim(world: World, promise: str) -> ShortfallClaim:
    """Open a claim for the part of a promised amount that did not arrive.

    The amount is what is missing. Refused unless the promise stands as short, and when a claim for
    it was opened before.
    """
    row = world[Promise][promise]
    if row.status != "short" or row.received is None:
        raise Refused(f"{promise} is {row.status}, not short")
    if world[ShortfallClaim].where(promise=promise):
        raise Refused(f"{promise} has a claim already")
    return world[ShortfallClaim].add(promise=promise, amount=row.net - row.received)


@guarantees.tool(writes=True)
def pay_shortfall_claim(world: World, claim: str, source: str, target: str) -> ShortfallClaim:
    """Pay an open claim from one of Alder's suspense accounts to the customer's account.

    A paid claim makes the customer whole; the promise itself stays short. Refused when `source` is
    no suspense account, `target` is not the customer's or in another currency, or the claim is
    above the desk's limit.
    """
    row = world[ShortfallClaim][claim]
    if row.status != "open":
        raise Refused(f"{claim} is {row.status}, not open")
    if world[Account][source].kind != "suspense":
        raise Refused(f"{source} is no suspense account")
    goal = world[Account][target]
    if goal.owner != world[Promise][row.promise].party:
        raise Refused(f"{target} does not belong to the customer who promised")
    if goal.currency != world[Account][source].currency:
        raise Refused(f"{source} and {target} are not in one currency")
    limit = world.policy.number("guarantee.claim-limit", world.day)
    if row.amount > limit:
        raise Refused(f"{claim} is above the desk's limit of {limit} cents")
    debit(world, source, row.amount)
    credit(world, target, row.amount)
    return world[ShortfallClaim].change(claim, status="paid")


@guarantees.tool(writes=True)
def reject_shortfall_claim(world: World, claim: str, clause: str) -> ShortfallClaim:
    """Turn an open claim down, naming the clause that excludes it.

    `clause` is written family#clause. Refused when the claim is not open.
    """
    if world[ShortfallClaim][claim].status != "open":
        raise Refused(f"{claim} is not open")
    if "#" not in clause:
        raise Refused("clause: name the document family and the clause, as in family#3.1")
    return world[ShortfallClaim].change(claim, status="rejected", clause=clause)


@guarantees.tool(writes=True)
def issue_net_certificate(world: World, promise: str) -> NetCertificate:
    """Certify to the payee that the promised amount arrived in full and in time.

    Refused unless the promise is met, and when a certificate was issued before.
    """
    row = world[Promise][promise]
    if row.status != "met" or row.received is None:
        raise Refused(f"{promise} is {row.status}, not met")
    if world[NetCertificate].where(promise=promise):
        raise Refused(f"{promise} is certified already")
    return world[NetCertificate].add(promise=promise, received=row.received, t=world.t)
