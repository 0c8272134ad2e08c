"""Money accounts held with Alder, the fees taken from them, and the customers' fee mandates."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Desk, Refused

Balance = Annotated[int, Meta(ge=0, description="integer minor units")]


class Account(Row, frozen=True):
    table: ClassVar[str] = "accounts"
    prefix: ClassVar[str] = "ACC"

    owner: str
    name: str
    kind: Literal["operating", "fee", "settlement", "suspense"]
    currency: str
    balance: Balance


class Mandate(Row, frozen=True):
    """A customer's standing permission to take fees, up to a total."""

    table: ClassVar[str] = "mandates"
    prefix: ClassVar[str] = "MND"
    amendable: ClassVar[tuple[str, ...]] = ("total_cap",)

    owner: str
    case: str
    currency: str
    total_cap: Balance


class Fee(Row, frozen=True):
    table: ClassVar[str] = "fees"
    prefix: ClassVar[str] = "FEE"

    case: str
    account: str
    amount: Balance
    what: str
    ref: str
    """The request or application that the fee was taken for."""
    status: Literal["taken", "reversed"] = "taken"


class FeeCredit(Row, frozen=True):
    """A part of a fee given back; the fee itself stays as it was taken."""

    table: ClassVar[str] = "fee_credits"
    prefix: ClassVar[str] = "FCR"

    fee: str
    amount: Cents
    reason: str


class Transfer(Row, frozen=True):
    """Money moved between two accounts of one owner."""

    table: ClassVar[str] = "transfers"
    prefix: ClassVar[str] = "TRF"

    source: str
    target: str
    amount: Cents
    reference: str


accounts = Desk(
    "accounts",
    "Accounts held with Alder, fees and fee mandates.",
    rows=(Account, Mandate, Fee, FeeCredit, Transfer),
)


def debit(world: World, account: str, amount: int) -> Account:
    """Take money out of an account; refused when it holds less."""
    row = world[Account][account]
    if amount > row.balance:
        raise Refused(f"{account} holds {row.balance} cents, not {amount}")
    return world[Account].change(account, balance=row.balance - amount)


def credit(world: World, account: str, amount: int) -> Account:
    """Put money into an account."""
    row = world[Account][account]
    return world[Account].change(account, balance=row.balance + amount)


def take_fee(world: World, account: str, amount: int, *, what: str, ref: str, case: str) -> Fee:
    """Debit a fee and record it; a fee of zero is recorded too."""
    debit(world, account, amount)
    return world[Fee].add(case=case, account=account, amount=amount, what=what, ref=ref)


def give_back(world: World, fee: Fee) -> Fee:
    """Return a whole fee to its account; refused when all or a part of it went back before."""
    if fee.status == "reversed":
        raise Refused(f"{fee.id} was reversed before")
    if world[FeeCredit].where(fee=fee.id):
        raise Refused(f"{fee.id} was credited in part before; the rest of it stays taken")
    credit(world, fee.account, fee.amount)
    return world[Fee].change(fee.id, status="reversed")


@accounts.tool()
def account_statement(world: World, account: str) -> tuple[Fee, ...]:
    """List the fees that were taken from an account.

    Reversed fees are shown too, with their status.
    """
    world[Account][account]
    return tuple(world[Fee].where(account=account))


@accounts.tool()
def fee_total(world: World, case: str) -> Cents:
    """Add up the fees taken in a case, in cents.

    Reversed fees do not count.
    """
    return sum(fee.amount for fee in world[Fee].where(case=case, status="taken"))


@accounts.tool(writes=True)
def reverse_fee(world: World, fee: str) -> Fee:
    """Give a fee back to the account it was taken from.

    Refused if the fee was reversed, or a part of it credited, before.
    """
    return give_back(world, world[Fee][fee])


@accounts.tool(writes=True)
def transfer_between_accounts(
    world: World, source: str, target: str, amount: Cents, reference: str
) -> Transfer:
    """Move money between two accounts of the same owner.

    Both accounts must be in the same currency. Refused if the source holds less than `amount`.
    """
    origin, goal = world[Account][source], world[Account][target]
    if origin.owner != goal.owner:
        raise Refused(f"{source} and {target} belong to different owners")
    if origin.currency != goal.currency:
        raise Refused(f"{source} is in {origin.currency}, {target} in {goal.currency}")
    if amount <= 0 or source == target:
        raise Refused("amount must be above zero and the accounts must differ")
    debit(world, source, amount)
    credit(world, target, amount)
    return world[Transfer].add(source=source, target=target, amount=amount, reference=reference)
