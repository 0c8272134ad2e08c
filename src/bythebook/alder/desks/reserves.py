"""Reserves: customers' money that Alder holds back, against a buyer's file or to operate on."""

from typing import ClassVar, Literal

from bythebook.alder.desks.accounts import Account, Balance, debit
from bythebook.alder.desks.remittances import open_file
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Desk, Refused

Kind = Literal["buyer", "operating"]


class Reserve(Row, frozen=True):
    """Money held back for one customer."""

    table: ClassVar[str] = "reserves"
    prefix: ClassVar[str] = "RSV"

    owner: str
    name: str
    kind: Kind
    currency: str
    balance: Balance
    status: Literal["free", "locked", "retired"]
    against: str | None
    """The receipts file that a buyer reserve is held against."""


class ReserveMove(Row, frozen=True):
    """Money that left a reserve; `request` is None for moves inside the reserve book."""

    table: ClassVar[str] = "reserve_moves"
    prefix: ClassVar[str] = "MV"

    source: str
    to: str
    amount: Balance
    request: str | None
    status: Literal["pending", "settled", "recalled"]
    t: int


reserves = Desk(
    "reserves",
    "Reserves held for customers: opening, locking, topping up, moving between them.",
    rows=(Reserve, ReserveMove),
)


def usable(world: World, key: str, amount: int) -> Reserve:
    """The reserve, if it is free and holds `amount`; else `Refused` saying which it is."""
    row = world[Reserve][key]
    if row.status == "locked":
        raise Refused(f"{key} is locked against {row.against}")
    if row.status == "retired":
        raise Refused(f"{key} is retired")
    if amount <= 0:
        raise Refused("amount must be above zero")
    if amount > row.balance:
        raise Refused(f"{key} holds {row.balance} cents, not {amount}")
    return row


def draw(world: World, key: str, amount: int) -> Reserve:
    """Take money out of a free reserve."""
    row = usable(world, key, amount)
    return world[Reserve].change(key, balance=row.balance - amount)


def pay_in(world: World, key: str, amount: int) -> Reserve:
    """Put money into a reserve, locked or free."""
    return world[Reserve].change(key, balance=world[Reserve][key].balance + amount)


@reserves.tool()
def reserve_statement(world: World, reserve: str) -> tuple[ReserveMove, ...]:
    """List what was moved out of or into a reserve, oldest first, with its state."""
    world[Reserve][reserve]
    return tuple(move for move in world[ReserveMove] if reserve in (move.source, move.to))


@reserves.tool(writes=True)
def open_reserve(
    world: World, owner: str, name: str, kind: Kind, currency: Literal["USD", "EUR", "GBP"]
) -> Reserve:
    """Open an empty reserve for a customer that has an account with us in that currency.

    A customer has one operating reserve a currency at most. Refused without such an account.
    """
    if not world[Account].where(owner=owner, currency=currency):
        raise Refused(f"{owner} has no {currency} account with us")
    held = world[Reserve].where(owner=owner, kind="operating", currency=currency)
    if kind == "operating" and any(reserve.status != "retired" for reserve in held):
        raise Refused(f"{owner} has an operating reserve in {currency} already")
    return world[Reserve].add(
        owner=owner,
        name=name,
        kind=kind,
        currency=currency,
        balance=0,
        status="free",
        against=None,
    )


@reserves.tool(writes=True)
def lock_reserve(world: World, reserve: str, file: str) -> Reserve:
    """Hold a free buyer reserve against a receipts file until that file is closed.

    Operating reserves cannot be locked. Refused when the file is closed or another owner's.
    """
    row, held = world[Reserve][reserve], open_file(world, file)
    if row.kind != "buyer":
        raise Refused(f"{reserve} is an {row.kind} reserve; only buyer reserves are locked")
    if row.status != "free":
        raise Refused(f"{reserve} is {row.status}")
    if (row.owner, row.currency) != (held.owner, held.currency):
        raise Refused(f"{reserve} and {file} differ in owner or currency")
    return world[Reserve].change(reserve, status="locked", against=file)


@reserves.tool(writes=True)
def top_up_reserve(world: World, reserve: str, account: str, amount: Cents) -> ReserveMove:
    """Move money from the owner's account into a reserve, at once and without a fee.

    Works for locked reserves too. Refused when owner or currency differ, or the account is short.
    """
    row, source = world[Reserve][reserve], world[Account][account]
    if row.status == "retired":
        raise Refused(f"{reserve} is retired")
    if (row.owner, row.currency) != (source.owner, source.currency):
        raise Refused(f"{reserve} and {account} differ in owner or currency")
    if amount <= 0:
        raise Refused("amount must be above zero")
    debit(world, account, amount)
    pay_in(world, reserve, amount)
    return world[ReserveMove].add(
        source=account, to=reserve, amount=amount, request=None, status="settled", t=world.t
    )


@reserves.tool(writes=True)
def shift_between_reserves(world: World, source: str, target: str, amount: Cents) -> ReserveMove:
    """Move money between two reserves of one customer, at once, on treasury's instruction.

    The source must be free; the target may be locked but not retired. Same currency only.
    """
    row, goal = usable(world, source, amount), world[Reserve][target]
    if source == target:
        raise Refused("source and target are the same reserve")
    if goal.status == "retired":
        raise Refused(f"{target} is retired")
    if (row.owner, row.currency) != (goal.owner, goal.currency):
        raise Refused(f"{source} and {target} differ in owner or currency")
    draw(world, source, amount)
    pay_in(world, target, amount)
    return world[ReserveMove].add(
        source=source, to=target, amount=amount, request=None, status="settled", t=world.t
    )


@reserves.tool(writes=True)
def retire_reserve(world: World, reserve: str) -> Reserve:
    """Take an empty, free reserve out of use.

    Refused while it holds money, is locked, or has a release on its way.
    """
    row = world[Reserve][reserve]
    if row.status != "free":
        raise Refused(f"{reserve} is {row.status}")
    if row.balance:
        raise Refused(f"{reserve} holds {row.balance} cents")
    if world[ReserveMove].where(source=reserve, status="pending"):
        raise Refused(f"{reserve} has a release on its way")
    return world[Reserve].change(reserve, status="retired")
