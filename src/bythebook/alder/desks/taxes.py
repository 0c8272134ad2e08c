"""Tax on payouts to platforms' sellers: postings, liabilities, and the float that covers them."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.accounts import Account, debit
from bythebook.alder.desks.payouts import Payout
from bythebook.alder.desks.sellers import Amount, Category, SellerOrder, Territory, awaiting
from bythebook.conduct.world import Row, World
from bythebook.tool import BasisPoints, Cents, Day, Desk, Refused

Above = Annotated[int, Meta(gt=0, description="integer minor units, above zero")]
Month = Annotated[str, Meta(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])\Z", description="YYYY-MM")]
Rate = Annotated[int, Meta(ge=0, le=10_000, description="basis points")]
ReversalReason = Literal["wrong_territory", "wrong_rate", "wrong_base", "order_cancelled"]


class SellerForm(Row, frozen=True):
    """A tax form of a seller, as taken in by the forms intake."""

    table: ClassVar[str] = "seller_forms"
    prefix: ClassVar[str] = "SFM"

    seller: str
    kind: Literal["relief", "exemption"]
    territory: Territory
    covers: Category
    valid_from: Day
    valid_until: str
    """Day and clock at which it ends."""


class TaxFloat(Row, frozen=True):
    """Money of a platform that stands behind what is owed to territories."""

    table: ClassVar[str] = "tax_floats"
    prefix: ClassVar[str] = "TFL"

    owner: str
    currency: str
    balance: Amount


class FloatMove(Row, frozen=True):
    table: ClassVar[str] = "float_moves"
    prefix: ClassVar[str] = "FMV"

    tax_float: str
    kind: Literal["collection", "funding", "remittance"]
    amount: Amount
    """Into the float; out of it for a remittance."""
    ref: str
    t: int


class FloatFunding(Row, frozen=True):
    """An order to move money of the platform into its float."""

    table: ClassVar[str] = "float_fundings"
    prefix: ClassVar[str] = "FFN"
    terms: ClassVar[tuple[str, ...]] = ("tax_float", "account", "amount")

    tax_float: str
    account: str
    amount: Above
    status: Literal["draft", "done"]


class TaxPeriod(Row, frozen=True):
    """One month of one territory, and the minute from which nothing of it can be changed."""

    table: ClassVar[str] = "tax_periods"
    prefix: ClassVar[str] = "TXP"

    territory: Territory
    month: Month
    closes: str
    """Day and clock."""


class TaxLiability(Row, frozen=True):
    """What is owed to a territory, from the minute in which it arises."""

    table: ClassVar[str] = "tax_liabilities"
    prefix: ClassVar[str] = "TLB"

    tax_float: str
    territory: Territory
    order: str
    what: Literal["withholding", "levy"]
    amount: Amount
    month: Month
    status: Literal["open", "released", "remitted"]


class Withholding(Row, frozen=True):
    """Tax posted on an order, to be kept back from its seller."""

    table: ClassVar[str] = "withholdings"
    prefix: ClassVar[str] = "WTX"

    order: str
    territory: Territory
    base: Amount
    rate: Rate
    form: str | None
    tax: Amount
    liability: str
    posted: Day
    t: int
    """Minutes since the task opened; negative before."""
    by: str
    status: Literal["posted", "reversed"]
    reason: ReversalReason | None = None
    collected: bool = False


class FloatPosition(msgspec.Struct, frozen=True):
    """What a float holds, what is owed out of it, and the difference."""

    balance: Cents
    owed: Cents
    room: Cents
    liabilities: tuple[TaxLiability, ...]


class TaxRates(msgspec.Struct, frozen=True):
    """One line of the withholding table."""

    standard: BasisPoints
    relieved: BasisPoints
    levy: BasisPoints


taxes = Desk(
    "taxes",
    "Withholding on payouts to platforms' sellers, and the tax floats behind it.",
    rows=(
        SellerForm, TaxFloat, FloatMove, FloatFunding, TaxPeriod, TaxLiability, Withholding,
    ),
)  # fmt: skip


def share(amount: int, rate: int) -> int:
    """`rate` basis points of an amount, rounded up to the full cent."""
    return -(-amount * rate // 10_000)


def float_of(world: World, platform: str) -> TaxFloat:
    """The one float of a platform."""
    found = world[TaxFloat].where(owner=platform)
    if not found:
        raise Refused(f"{platform} has no tax float")
    return found[0]


def open_month(world: World, territory: Territory, month: str) -> str:
    """The month, if the territory's period has not closed at this minute."""
    now = f"{world.day} {world.clock_at(world.t)}"
    found = world[TaxPeriod].where(territory=territory, month=month)
    if not found:
        raise Refused(f"{territory} has no period {month} on the calendar")
    if now >= found[0].closes:
        raise Refused(f"{territory} {month} closed at {found[0].closes}; nothing of it can change")
    return month


def sent_out(world: World, payout: str, payee: str, since: Day) -> Payout:
    """The payout, if it has left, went to that payee, and did not settle before a day."""
    row = world[Payout][payout]
    if row.payee != payee:
        raise Refused(f"{payout} goes to {row.payee}, not to {payee}")
    if row.status not in ("released", "settled"):
        raise Refused(f"{payout} is {row.status}; it has not gone out")
    if row.settled_on is not None and row.settled_on < since:
        raise Refused(f"{payout} settled on {row.settled_on}, before {since}")
    return row


def standing(world: World, withholding: str) -> Withholding:
    """The posting, if it has not been reversed."""
    row = world[Withholding][withholding]
    if row.status != "posted":
        raise Refused(f"{withholding} was reversed")
    return row


@taxes.tool()
def float_position(world: World, tax_float: str) -> FloatPosition:
    """Show what a tax float holds, which liabilities are open on it, and the room between.

    Tax that was kept back and not collected yet is not in the balance.
    """
    row = world[TaxFloat][tax_float]
    owed = tuple(world[TaxLiability].where(tax_float=tax_float, status="open"))
    total = sum(one.amount for one in owed)
    return FloatPosition(row.balance, total, row.balance - total, owed)


@taxes.tool()
def tax_rates_on(world: World, territory: Territory, day: Day) -> TaxRates:
    """Read the line of a territory in the withholding table as it stood on a given day.

    Basis points: the standard rate, the rate with a relief form, and the platform's levy. Which
    day counts is a matter of the territory.
    """
    names = ("tax.rate", "tax.relieved", "tax.levy")
    found = (f"{name}.{territory.lower()}" for name in names)
    number, known = world.policy.number, world.policy
    return TaxRates(*(number(name, day) if name in known else 0 for name in found))


@taxes.tool(writes=True)
def post_withholding(
    world: World, order: str, base: Above, rate: Rate, form: str | None = None
) -> Withholding:
    """Post tax on a seller's order, under the territory that the order is recorded under.

    The tax is `rate` basis points of `base`, rounded up; it is owed out of the platform's float
    from this minute. `form` is the seller's relief form, if the rate rests on one. Refused while a
    posting stands on the order, and when the period of the order's last day has closed.
    """
    row = awaiting(world, order)
    month = open_month(world, row.territory, row.last_day[:7])
    if world[Withholding].where(order=order, status="posted"):
        raise Refused(f"{order} has a posting that stands")
    if form is not None:
        paper = world[SellerForm][form]
        if (paper.seller, paper.kind) != (row.seller, "relief"):
            raise Refused(f"{form} is no relief form of {row.seller}")
    tax = share(base, rate)
    owed = world[TaxLiability].add(
        tax_float=float_of(world, row.platform).id,
        territory=row.territory,
        order=order,
        what="withholding",
        amount=tax,
        month=month,
        status="open",
    )
    return world[Withholding].add(
        order=order,
        territory=row.territory,
        base=base,
        rate=rate,
        form=form,
        tax=tax,
        liability=owed.id,
        posted=world.day,
        t=world.t,
        by="you",
        status="posted",
    )


@taxes.tool(writes=True)
def reverse_withholding(world: World, withholding: str, reason: ReversalReason) -> Withholding:
    """Take back a posting of tax; what was owed for it is owed no more.

    Refused once it was reversed or its tax collected, and when its period has closed.
    """
    row = standing(world, withholding)
    if row.collected:
        raise Refused(f"{withholding} has been collected")
    owed = world[TaxLiability][row.liability]
    open_month(world, row.territory, owed.month)
    world[TaxLiability].change(owed.id, status="released")
    return world[Withholding].change(withholding, status="reversed", reason=reason)


@taxes.tool(writes=True)
def collect_withheld(world: World, withholding: str, payout: str) -> FloatMove:
    """Move the tax that was kept back from a seller out of the pot into the platform's float.

    `payout` is the payment from which it was kept back. Refused before that payment has gone out,
    when it went to another payee or settled before the tax was posted, when the tax was collected
    before, and when the account that paid holds too little.
    """
    row = standing(world, withholding)
    if row.collected:
        raise Refused(f"{withholding} was collected before")
    order = world[SellerOrder][row.order]
    paid = sent_out(world, payout, order.payee, row.posted)
    target = float_of(world, order.platform)
    if world[Account][paid.funding].currency != target.currency:
        raise Refused(f"{paid.funding} and {target.id} are not in one currency")
    debit(world, paid.funding, row.tax)
    world[TaxFloat].change(target.id, balance=target.balance + row.tax)
    world[Withholding].change(withholding, collected=True)
    return world[FloatMove].add(
        tax_float=target.id, kind="collection", amount=row.tax, ref=withholding, t=world.t
    )


@taxes.tool(writes=True, repeatable=True)
def draft_float_funding(world: World, tax_float: str, account: str, amount: Above) -> FloatFunding:
    """Draft an order to move money from a platform's account into its tax float.

    The draft can be put before the customer for approval; nothing moves yet. Refused when account
    and float have different owners or currencies.
    """
    target, pays = world[TaxFloat][tax_float], world[Account][account]
    if (pays.owner, pays.currency) != (target.owner, target.currency):
        raise Refused(f"{account} and {tax_float} differ in owner or currency")
    return world[FloatFunding].add(
        tax_float=tax_float, account=account, amount=amount, status="draft"
    )


@taxes.tool(writes=True)
def execute_float_funding(world: World, funding: str) -> FloatMove:
    """Carry out a drafted funding order: the money is in the float at once.

    Refused when it was carried out before and when the account holds too little.
    """
    row = world[FloatFunding][funding]
    if row.status == "done":
        raise Refused(f"{funding} was carried out before")
    debit(world, row.account, row.amount)
    target = world[TaxFloat][row.tax_float]
    world[TaxFloat].change(target.id, balance=target.balance + row.amount)
    world[FloatFunding].change(funding, status="done")
    return world[FloatMove].add(
        tax_float=target.id, kind="funding", amount=row.amount, ref=funding, t=world.t
    )


@taxes.tool(writes=True)
def remit_month(world: World, tax_float: str, territory: Territory, month: Month) -> FloatMove:
    """Pay a territory all that is open for one month, out of a float.

    Refused while the month can still change, when nothing is open for it, and when the float holds
    too little.
    """
    pays = world[TaxFloat][tax_float]
    period = world[TaxPeriod].where(territory=territory, month=month)
    if not period or f"{world.day} {world.clock_at(world.t)}" < period[0].closes:
        raise Refused(f"{territory} {month} has not closed")
    owed = [
        one
        for one in world[TaxLiability].where(tax_float=tax_float, status="open")
        if (one.territory, one.month) == (territory, month)
    ]
    total = sum(one.amount for one in owed)
    if not owed or total > pays.balance:
        raise Refused(f"{tax_float} owes {territory} {total} cents for {month} and holds less")
    for one in owed:
        world[TaxLiability].change(one.id, status="remitted")
    world[TaxFloat].change(tax_float, balance=pays.balance - total)
    return world[FloatMove].add(
        tax_float=tax_float, kind="remittance", amount=total, ref=f"{territory} {month}", t=world.t
    )
