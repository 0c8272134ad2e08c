"""Collateral that customers leave with Alder: positions, holds, top-ups, draws and sweeps; and the
collections that Alder has promised to make from customers' accounts."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.alder.clock import ahead
from bythebook.alder.desks.accounts import Account, credit, debit
from bythebook.conduct.world import Row, World, add_days
from bythebook.tool import Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
EntryKind = Literal[
    "opening", "top_up", "draw", "sweep", "payout", "conversion", "credit", "provisional", "return",
]  # fmt: skip


class CollateralAccount(Row, frozen=True):
    """A customer's deposit with Alder against chargebacks and advances."""

    table: ClassVar[str] = "collateral_accounts"
    prefix: ClassVar[str] = "COA"

    owner: str
    currency: str
    jurisdiction: str
    balance: Amount
    """Ledger balance, provisional entries included."""
    provisional: Amount
    """The part of the balance that was booked ahead of money not yet cleared."""
    held: Amount
    status: Literal["open", "frozen"]


class CollateralEntry(Row, frozen=True):
    table: ClassVar[str] = "collateral_entries"
    prefix: ClassVar[str] = "CEN"

    collateral: str
    kind: EntryKind
    amount: Cents
    """Positive in, negative out."""
    after: Amount
    ref: str
    t: int


class Hold(Row, frozen=True):
    """Money of a collateral account that is set aside for a dispute."""

    table: ClassVar[str] = "holds"
    prefix: ClassVar[str] = "HLD"

    collateral: str
    dispute: str
    amount: Amount
    placed: Day
    status: Literal["active", "released"]
    notice: str | None = None
    """The network's notice on which it was released."""


class ClosingNotice(Row, frozen=True):
    """What a card network wrote about the end of a dispute."""

    table: ClassVar[str] = "closing_notices"
    prefix: ClassVar[str] = "CLN"

    dispute: str
    stage: Literal["preliminary", "final"]
    outcome: Literal["for_merchant", "for_cardholder"]
    issued: Day


class Sweep(Row, frozen=True):
    """An order to move, at a clock time, whatever stands above `keep`."""

    table: ClassVar[str] = "sweeps"
    prefix: ClassVar[str] = "SWP"

    collateral: str
    account: str
    keep: Amount
    at: str
    status: Literal["set", "run", "cancelled", "skipped"]
    moved: Amount = 0


class StandingCollection(Row, frozen=True):
    """Money that Alder collects from a customer's account at a fixed time."""

    table: ClassVar[str] = "standing_collections"
    prefix: ClassVar[str] = "SCO"

    party: str
    account: str
    what: str
    amount: Amount
    day: Day
    at: str
    status: Literal["due", "collected", "missed", "postponed"]


class Position(Struct, frozen=True):
    balance: Cents
    provisional: Cents
    held: Cents
    unheld: Cents
    """Balance less holds: the most that the ledger would let go."""


treasury = Desk(
    "treasury",
    "Customers' collateral: positions, holds, top-ups, draws, sweeps, standing collections.",
    rows=(CollateralAccount, CollateralEntry, Hold, ClosingNotice, Sweep, StandingCollection),
)


# --- postings, for this and other desks -----------------------------------------------------------


def post(
    world: World, collateral: str, amount: int, kind: EntryKind, ref: str
) -> CollateralAccount:
    """Post one entry; money out is refused when the account is frozen or holds less unheld."""
    row = world[CollateralAccount][collateral]
    if amount < 0:
        if row.status == "frozen":
            raise Refused(f"{collateral} is frozen")
        if -amount > row.balance - row.held:
            raise Refused(
                f"{collateral} holds {row.balance} cents, {row.held} of them under hold; "
                f"{-amount} cannot be taken"
            )
    after = row.balance + amount
    ahead_of_cash = row.provisional + (amount if kind == "provisional" else 0)
    changed = world[CollateralAccount].change(collateral, balance=after, provisional=ahead_of_cash)
    world[CollateralEntry].add(
        collateral=collateral, kind=kind, amount=amount, after=after, ref=ref, t=world.t
    )
    return changed


def take(world: World, funding: str, amount: int, kind: EntryKind, ref: str) -> None:
    """Take money from an account or a collateral account, whichever `funding` names."""
    if funding in world[CollateralAccount]:
        post(world, funding, -amount, kind, ref)
    else:
        debit(world, funding, amount)


def give(world: World, target: str, amount: int, kind: EntryKind, ref: str) -> None:
    """Put money into an account or a collateral account, whichever `target` names."""
    if target in world[CollateralAccount]:
        post(world, target, amount, kind, ref)
    else:
        credit(world, target, amount)


def source(world: World, funding: str) -> CollateralAccount | Account:
    """The account or collateral account that `funding` names."""
    return world[CollateralAccount].get(funding) or world[Account][funding]


def within_reach(world: World, funding: str) -> int:
    """The most that can be taken from `funding` now."""
    row = source(world, funding)
    if isinstance(row, CollateralAccount):
        return 0 if row.status == "frozen" else row.balance - row.held
    return row.balance


def _pair(world: World, collateral: str, account: str, amount: int) -> None:
    """Check that money may move between a collateral account and an account."""
    deposit, other = world[CollateralAccount][collateral], world[Account][account]
    if deposit.owner != other.owner:
        raise Refused(f"{collateral} and {account} belong to different owners")
    if deposit.currency != other.currency:
        raise Refused(f"{collateral} is in {deposit.currency}, {account} in {other.currency}")
    if amount <= 0:
        raise Refused("amount must be above zero")


# --- tools ----------------------------------------------------------------------------------------


@treasury.tool()
def collateral_position(world: World, collateral: str) -> Position:
    """Show what stands on a collateral account: balance, provisional part, holds.

    These are ledger figures. How much of them may be used is for the policy to say.
    """
    row = world[CollateralAccount][collateral]
    return Position(row.balance, row.provisional, row.held, row.balance - row.held)


@treasury.tool()
def collateral_ledger(world: World, collateral: str) -> tuple[CollateralEntry, ...]:
    """List the entries of a collateral account in the order they were posted.

    `after` is the balance that each entry left behind.
    """
    world[CollateralAccount][collateral]
    return tuple(world[CollateralEntry].where(collateral=collateral))


@treasury.tool(writes=True)
def place_hold(world: World, collateral: str, dispute: str, amount: Cents) -> Hold:
    """Set collateral aside for a dispute.

    A dispute can have one active hold. Refused if the account has less than `amount` unheld.
    """
    row = world[CollateralAccount][collateral]
    if amount <= 0 or amount > row.balance - row.held:
        raise Refused(f"amount: between 1 and the {row.balance - row.held} cents that are unheld")
    if world[Hold].where(dispute=dispute, status="active"):
        raise Refused(f"{dispute} has an active hold already")
    world[CollateralAccount].change(collateral, held=row.held + amount)
    return world[Hold].add(
        collateral=collateral, dispute=dispute, amount=amount, placed=world.day, status="active"
    )


@treasury.tool(writes=True)
def release_hold(world: World, hold: str, notice: str) -> Hold:
    """Lift a dispute hold on the strength of a network's closing notice.

    The whole hold goes; the money stays on the collateral account. Refused when the hold is not
    active, when the notice is about another dispute, or when the cardholder won.
    """
    row, ground = world[Hold][hold], world[ClosingNotice][notice]
    if row.status != "active":
        raise Refused(f"{hold} is {row.status}")
    if ground.dispute != row.dispute:
        raise Refused(f"{notice} is about {ground.dispute}, {hold} about {row.dispute}")
    if ground.outcome != "for_merchant":
        raise Refused(f"{notice} closes the dispute for the cardholder; capture the hold instead")
    deposit = world[CollateralAccount][row.collateral]
    world[CollateralAccount].change(deposit.id, held=deposit.held - row.amount)
    return world[Hold].change(hold, status="released", notice=notice)


@treasury.tool(writes=True)
def reduce_hold(world: World, hold: str, amount: Cents) -> Hold:
    """Bring an active hold down to a smaller amount.

    `amount` is what shall remain held. Use it when the disputed amount was lowered; to end a hold
    altogether, release it.
    """
    row = world[Hold][hold]
    if row.status != "active":
        raise Refused(f"{hold} is {row.status}")
    if not 0 < amount < row.amount:
        raise Refused(f"amount: above zero and below the {row.amount} cents held now")
    deposit = world[CollateralAccount][row.collateral]
    world[CollateralAccount].change(deposit.id, held=deposit.held - row.amount + amount)
    return world[Hold].change(hold, amount=amount)


@treasury.tool(writes=True)
def top_up_collateral(
    world: World, collateral: str, account: str, amount: Cents
) -> CollateralAccount:
    """Move money from the owner's account onto the collateral account.

    Same owner and currency. Refused if the account holds less than `amount`.
    """
    _pair(world, collateral, account, amount)
    debit(world, account, amount)
    return post(world, collateral, amount, "top_up", account)


@treasury.tool(writes=True)
def draw_collateral(
    world: World, collateral: str, account: str, amount: Cents
) -> CollateralAccount:
    """Move money from a collateral account to the owner's account.

    Same owner and currency. Refused if less than `amount` is unheld, or if the account is frozen.
    """
    _pair(world, collateral, account, amount)
    changed = post(world, collateral, -amount, "draw", account)
    credit(world, account, amount)
    return changed


@treasury.tool(writes=True)
def set_sweep(world: World, collateral: str, account: str, keep: Cents, at: str) -> Sweep:
    """Have everything above `keep` moved to the owner's account at a clock time today.

    `at` is written HH:MM and must lie ahead. A collateral account can have one sweep set at a time.
    """
    _pair(world, collateral, account, 1)
    if keep < 0:
        raise Refused("keep cannot be below zero")
    if world[Sweep].where(collateral=collateral, status="set"):
        raise Refused(f"{collateral} has a sweep set already")
    due = ahead(world, at)
    sweep = world[Sweep].add(collateral=collateral, account=account, keep=keep, at=at, status="set")
    world.schedule("sweep_due", due=due, sweep=sweep.id)
    return sweep


@treasury.tool(writes=True)
def cancel_sweep(world: World, sweep: str) -> Sweep:
    """Cancel a sweep before it runs.

    Refused when it has run or was cancelled.
    """
    row = world[Sweep][sweep]
    if row.status != "set":
        raise Refused(f"{sweep} is {row.status}")
    return world[Sweep].change(sweep, status="cancelled")


@treasury.event
def sweep_due(world: World, sweep: str) -> None:
    """Move what stands above the amount to keep; holds stay where they are."""
    row = world[Sweep][sweep]
    if row.status != "set":
        return
    deposit = world[CollateralAccount][row.collateral]
    spare = min(deposit.balance - row.keep, within_reach(world, deposit.id))
    if spare <= 0:
        world[Sweep].change(sweep, status="skipped")
        return
    post(world, deposit.id, -spare, "sweep", sweep)
    credit(world, row.account, spare)
    world[Sweep].change(sweep, status="run", moved=spare)


@treasury.tool()
def collections_due(world: World, party: str) -> tuple[StandingCollection, ...]:
    """List what Alder is going to collect from a customer's accounts, with time and account."""
    return tuple(world[StandingCollection].where(party=party, status="due"))


@treasury.tool(writes=True)
def postpone_collection(world: World, collection: str, day: Day) -> StandingCollection:
    """Move a standing collection to a later day.

    Once only, by at most the days that the advances terms allow. The collection then counts as
    postponed in the customer's record.
    """
    row = world[StandingCollection][collection]
    if row.status != "due":
        raise Refused(f"{collection} is {row.status}")
    last = add_days(row.day, world.policy.number("collection.postpone.days", world.day))
    if not row.day < day <= last:
        raise Refused(f"day: after {row.day} and not after {last}")
    return world[StandingCollection].change(collection, day=day, status="postponed")


@treasury.event
def collection_due(world: World, collection: str) -> None:
    """Collect if the account holds the whole amount; otherwise it counts as missed."""
    row = world[StandingCollection][collection]
    if row.status != "due":
        return
    if world[Account][row.account].balance < row.amount:
        world[StandingCollection].change(collection, status="missed")
        return
    debit(world, row.account, row.amount)
    world[StandingCollection].change(collection, status="collected")
