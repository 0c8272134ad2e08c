"""Where shops' takings are paid: accounts, changes of bank details, call-backs, the evening run."""

from typing import ClassVar, Literal

from bythebook.alder.desks.pricing import Amount
from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Desk, Refused


class TakingsAccount(Row, frozen=True):
    """A bank account outside Alder to which takings can be paid."""

    table: ClassVar[str] = "takings_accounts"
    prefix: ClassVar[str] = "PAC"

    party: str
    bank: str
    ending: str
    what: str
    proven: Day
    """When it was proven to be the party's."""
    first_run: Day | None = None
    """The first evening run that may pay to it, where it had to rest."""
    status: Literal["in_use", "resting", "left"] = "in_use"


class BankChange(Row, frozen=True):
    """A form that asks for takings to be paid to another account."""

    table: ClassVar[str] = "bank_changes"
    prefix: ClassVar[str] = "BCH"

    party: str
    leaves: str
    bank: str
    ending: str
    sent_by: str
    came: Day
    phone: str
    """The number that the form gives for questions."""
    status: Literal["received", "confirmed", "turned_down"] = "received"
    call_back: str | None = None
    first_run: Day | None = None


class CallContact(Row, frozen=True):
    """Somebody whom we may ring about a party's accounts."""

    table: ClassVar[str] = "call_contacts"
    prefix: ClassVar[str] = "CTC"

    party: str
    name: str
    role: str
    phone: str
    since: Day
    entered_from: str
    reached: str


class PhoneAnswer(Row, frozen=True):
    """Who answers a number, from when today, and whether they say yes. Nobody here can know."""

    table: ClassVar[str] = "phone_answers"
    prefix: ClassVar[str] = "PHA"
    private: ClassVar[bool] = True

    phone: str
    who: str
    since: str
    says_yes: bool


class CallBack(Row, frozen=True):
    table: ClassVar[str] = "call_backs"
    prefix: ClassVar[str] = "CBK"

    change: str
    phone: str
    t: int
    answered_by: str | None
    outcome: Literal["no_answer", "confirmed", "denied"]


class TakingsPayout(Row, frozen=True):
    """One shop's takings on their way to a bank account, by an evening run."""

    table: ClassVar[str] = "takings_payouts"
    prefix: ClassVar[str] = "TKP"

    shop: str
    party: str
    account: str
    amount: Amount
    run_day: Day
    status: Literal["pending", "held", "paid", "returned"] = "pending"
    held_until: Day | None = None


class ShutAccount(Row, frozen=True):
    """An account that its bank has shut; the bank alone knows."""

    table: ClassVar[str] = "shut_accounts"
    prefix: ClassVar[str] = "SHU"
    private: ClassVar[bool] = True

    account: str
    since: Day


takings = Desk(
    "takings",
    "Where shops' takings are paid: bank details, call-backs, the evening run.",
    rows=(
        TakingsAccount,
        BankChange,
        CallContact,
        PhoneAnswer,
        CallBack,
        TakingsPayout,
        ShutAccount,
    ),
)


def _received(world: World, change: str) -> BankChange:
    row = world[BankChange][change]
    if row.status != "received":
        raise Refused(f"{change} is {row.status}")
    return row


def _pending(world: World, payout: str) -> TakingsPayout:
    row = world[TakingsPayout][payout]
    if row.status != "pending":
        raise Refused(f"{payout} is {row.status}, not pending")
    return row


@takings.tool()
def takings_awaiting_run(world: World, party: str) -> tuple[TakingsPayout, ...]:
    """List a party's takings that have not been paid yet, held ones included, by day of run."""
    found = world[TakingsPayout].where(party=party)
    waiting = [p for p in found if p.status in ("pending", "held")]
    return tuple(sorted(waiting, key=lambda p: (p.run_day, p.id)))


@takings.tool(writes=True, repeatable=True)
def place_call_back(world: World, change: str, phone: str) -> CallBack:
    """Ring a number about a change of bank details and record who answered and what was said.

    Give the number as it is written down. Refused when the change has been decided.
    """
    _received(world, change)
    if not any(c.isdigit() for c in phone):
        raise Refused("phone: give a number")
    found = [a for a in world[PhoneAnswer].where(phone=phone) if world.minute(a.since) <= world.t]
    if not found:
        return world[CallBack].add(
            change=change, phone=phone, t=world.t, answered_by=None, outcome="no_answer"
        )
    said = "confirmed" if found[0].says_yes else "denied"
    return world[CallBack].add(
        change=change, phone=phone, t=world.t, answered_by=found[0].who, outcome=said
    )


@takings.tool(writes=True)
def confirm_bank_change(
    world: World, change: str, call_back: str, first_run: Day
) -> TakingsAccount:
    """Confirm a change of bank details on a call-back and set the first evening run that uses it.

    The new account is entered and rests until that day. Refused when the change has been decided,
    when the call was about another change or was not answered with a yes, and for a day that has
    passed.
    """
    row, call = _received(world, change), world[CallBack][call_back]
    if call.change != change or call.outcome != "confirmed":
        raise Refused(f"{call_back} is about {call.change} and ended: {call.outcome}")
    if first_run < world.day:
        raise Refused(f"first_run: {first_run} has passed")
    world[BankChange].change(change, status="confirmed", call_back=call_back, first_run=first_run)
    return world[TakingsAccount].add(
        party=row.party,
        bank=row.bank,
        ending=row.ending,
        what="takings",
        proven=world.day,
        first_run=first_run,
        status="resting",
    )


@takings.tool(writes=True)
def turn_down_bank_change(world: World, change: str, reason: str) -> BankChange:
    """Turn a change of bank details down; a new form is needed after that.

    Refused when it has been decided, and without a reason.
    """
    _received(world, change)
    if not reason.strip():
        raise Refused("reason: say why")
    return world[BankChange].change(change, status="turned_down")


@takings.tool(writes=True)
def hold_takings(world: World, payout: str, until: Day) -> TakingsPayout:
    """Keep a pending payout of takings out of the evening runs until the run of a later day.

    Refused when it is not pending, and unless the day lies ahead.
    """
    _pending(world, payout)
    if until <= world.day:
        raise Refused(f"until: {until} does not lie ahead")
    return world[TakingsPayout].change(payout, status="held", held_until=until)


@takings.tool(writes=True)
def lift_takings_hold(world: World, payout: str) -> TakingsPayout:
    """Let a held payout of takings go with the next evening run.

    Refused when it is not held.
    """
    row = world[TakingsPayout][payout]
    if row.status != "held":
        raise Refused(f"{payout} is {row.status}, not held")
    return world[TakingsPayout].change(payout, status="pending", held_until=None)


@takings.tool(writes=True)
def repoint_takings(world: World, payout: str, account: str) -> TakingsPayout:
    """Send a pending payout of takings to another account of the same party.

    Refused when it is not pending, for an account of somebody else or one that was left, and when
    it goes there already.
    """
    row, target = _pending(world, payout), world[TakingsAccount][account]
    if target.party != row.party:
        raise Refused(f"{account} belongs to somebody else")
    if target.status == "left" or account == row.account:
        raise Refused(f"{account} was left, or {payout} goes there already")
    return world[TakingsPayout].change(payout, account=account)


@takings.event
def takings_run(world: World, day: Day) -> None:
    """Everything pending for the day is sent; what goes to a shut account comes back."""
    shut = {row.account for row in world[ShutAccount]}
    for payout in world[TakingsPayout].where(run_day=day, status="pending"):
        became: Literal["paid", "returned"] = "returned" if payout.account in shut else "paid"
        world[TakingsPayout].change(payout.id, status=became)
