"""Payouts to suppliers and others: drafts, release, recall, schedules, pre-advice to partners."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.alder.clock import ahead, next_morning
from bythebook.alder.desks import limits
from bythebook.alder.desks.accounts import Account, take_fee
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.parties import Party
from bythebook.alder.desks.treasury import give, source, take, within_reach
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
Route = Literal["next_day", "same_day", "instant", "corridor"]
Currency = Literal["USD", "EUR", "GBP"]
Purpose = Literal["goods", "services", "freight", "royalties"]


class Payee(Row, frozen=True):
    """A bank account that a customer pays to."""

    table: ClassVar[str] = "payees"
    prefix: ClassVar[str] = "PYE"

    owner: str
    name: str
    bank: str
    ending: str
    currency: str
    partner: str | None
    """The corridor partner that carries payouts to it; None inside the United States."""
    added: Day
    status: Literal["live", "closed"]


class Payout(Row, frozen=True):
    table: ClassVar[str] = "payouts"
    prefix: ClassVar[str] = "PAY"
    terms: ClassVar[tuple[str, ...]] = ("payee", "currency", "amount", "funding", "route", "fee")

    party: str
    case: str
    payee: str
    currency: str
    amount: Amount
    funding: str
    route: Route
    fee: Amount
    """In US cents, taken from the customer's operating account at release."""
    status: Literal[
        "draft", "scheduled", "released", "recalling", "settled", "returned", "failed", "cancelled"
    ]
    settled_on: Day | None = None
    released_on: Day | None = None


class TradeDocument(Row, frozen=True):
    """An invoice or the like that shows what a payment abroad is for."""

    table: ClassVar[str] = "trade_documents"
    prefix: ClassVar[str] = "TDC"

    owner: str
    payee_name: str
    reference: str
    covers: str
    currency: str
    amount: Amount
    dated: Day


class Preadvice(Row, frozen=True):
    """Word to a corridor partner that a payout is coming."""

    table: ClassVar[str] = "preadvices"
    prefix: ClassVar[str] = "PRE"

    case: str
    payout: str
    partner: str
    document: str
    purpose: Purpose
    t: int
    status: Literal["sent", "withdrawn"]


class Preview(Struct, frozen=True):
    fee: Cents
    takes: Cents
    """What the funding would lose, in the payout's currency."""
    counts: Cents
    """What it would use of the daily limit, in US cents."""
    arrives: Day
    arrives_at: str


payouts = Desk(
    "payouts",
    "Payouts: drafting, release, recall, scheduling, pre-advice to corridor partners.",
    rows=(Payee, Payout, TradeDocument, Preadvice),
)


def fee_account(world: World, party: str) -> Account:
    """The customer's operating account in US dollars, which bears payout fees."""
    found = world[Account].where(owner=party, kind="operating", currency="USD")
    if not found:
        raise Refused(f"{party} has no operating account in USD to take the fee from")
    return found[0]


def arrival(world: World, route: Route) -> int:
    """The minute at which a payout released now settles."""
    if route == "instant":
        return world.t + 1
    morning = next_morning(world, world.policy.clock("payout.morning", world.day))
    if route == "next_day":
        return morning
    cutoff = world.minute(world.policy.clock(f"payout.cutoff.{route}", world.day))
    minutes = world.policy.number(f"payout.minutes.{route}", world.day)
    return world.t + minutes if world.t < cutoff else morning


def worth(world: World, payout: Payout) -> int:
    """US cents that a payout counts for against the limit of the day of its release."""
    day = payout.released_on or world.day
    return limits.in_usd(world, payout.amount, payout.currency, day)


def objection(world: World, payout: Payout) -> str:
    """Why a payout cannot be released now; empty when it can."""
    over = limits.objection(world, payout.party, worth(world, payout))
    if over:
        return over
    reach = within_reach(world, payout.funding)
    if payout.amount > reach:
        return f"{payout.funding} can give {reach} cents, not {payout.amount}"
    payer = fee_account(world, payout.party)
    rest = payer.balance - (payout.amount if payer.id == payout.funding else 0)
    if payout.fee > rest:
        return f"{payer.id} cannot bear the fee of {payout.fee} cents"
    return ""


def send_out(world: World, payout: Payout) -> Payout:
    """Take the money and the fee and send the payout on its way."""
    refusal = objection(world, payout)
    if refusal:
        raise Refused(refusal)
    take(world, payout.funding, payout.amount, "payout", payout.id)
    payer = fee_account(world, payout.party)
    take_fee(
        world, payer.id, payout.fee, what=f"payout {payout.route}", ref=payout.id, case=payout.case
    )
    limits.use(world, payout.party, worth(world, payout))
    world.schedule("payout_settled", due=arrival(world, payout.route), payout=payout.id)
    return world[Payout].change(payout.id, status="released", released_on=world.day)


def draft(world: World, payout: str) -> Payout:
    """The payout, if it is still a draft."""
    row = world[Payout][payout]
    if row.status != "draft":
        raise Refused(f"{payout} is {row.status}, no draft")
    return row


def _route_fee(world: World, payee: Payee, route: Route) -> int:
    if (route == "corridor") != (payee.partner is not None):
        raise Refused(
            f"{payee.id} is paid through {payee.partner}; the route is corridor"
            if payee.partner
            else f"{payee.id} is a domestic account; the corridor does not reach it"
        )
    return world.policy.number(f"payout.fee.{route}", world.day)


# --- tools ----------------------------------------------------------------------------------------


@payouts.tool()
def preview_payout(world: World, payee: str, amount: Cents, route: Route) -> Preview:
    """Work out fee, arrival and use of the daily limit if a payout were released this minute.

    `counts` is in US cents, whatever the currency. Says nothing about funds or consent.
    """
    goal = world[Payee][payee]
    fee, at = _route_fee(world, goal, route), arrival(world, route)
    counts = limits.in_usd(world, amount, goal.currency, world.day)
    return Preview(fee, amount, counts, world.day_at(at), world.clock_at(at))


@payouts.tool(writes=True, repeatable=True)
def draft_payout(
    world: World, case: str, payee: str, amount: Cents, funding: str, route: Route
) -> Payout:
    """Draft a payout; the fee follows the route, nothing moves until release.

    `funding` is the account or collateral account that pays the amount; the fee comes from the
    customer's operating account. The draft can be put before the customer for approval. It binds
    no money: whether there is enough shows at release.
    """
    world[Case][case]
    goal = world[Payee][payee]
    if goal.status != "live":
        raise Refused(f"{payee} is closed")
    pays = source(world, funding)
    if pays.owner != goal.owner:
        raise Refused(f"{funding} and {payee} do not belong to one customer")
    if pays.currency != goal.currency:
        raise Refused(f"{funding} is in {pays.currency}, {payee} is paid in {goal.currency}")
    if amount <= 0:
        raise Refused("amount must be above zero")
    return world[Payout].add(
        party=goal.owner,
        case=case,
        payee=payee,
        currency=goal.currency,
        amount=amount,
        funding=funding,
        route=route,
        fee=_route_fee(world, goal, route),
        status="draft",
    )


@payouts.tool(writes=True)
def release_payout(world: World, payout: str) -> Payout:
    """Release a drafted payout: amount and fee are taken now, and it goes out by its route.

    Refused when the funding, the fee's account or today's limit does not allow it. A payout
    released after its route's cut-off goes with the next banking day.
    """
    return send_out(world, draft(world, payout))


@payouts.tool(writes=True)
def schedule_payout(world: World, payout: str, at: str) -> Payout:
    """Have a drafted payout released by itself at a clock time today, HH:MM.

    Funds and limits are looked at then; if it cannot go it fails and stays unpaid.
    """
    row = draft(world, payout)
    world.schedule("scheduled_release", due=ahead(world, at), payout=row.id)
    return world[Payout].change(payout, status="scheduled")


@payouts.tool(writes=True)
def cancel_payout(world: World, payout: str) -> Payout:
    """Drop a drafted or scheduled payout.

    One that has been released can only be recalled.
    """
    row = world[Payout][payout]
    if row.status not in ("draft", "scheduled"):
        raise Refused(f"{payout} is {row.status}")
    return world[Payout].change(payout, status="cancelled")


@payouts.tool(writes=True)
def recall_payout(world: World, payout: str) -> Payout:
    """Ask for a released payout back before it settles.

    The answer takes a while and the fee stays taken. An instant payout cannot be recalled.
    """
    row = world[Payout][payout]
    if row.status != "released" or row.route == "instant":
        raise Refused(f"{payout} is {row.status} by route {row.route}; it cannot be recalled")
    minutes = world.policy.number("payout.recall.minutes", world.day)
    world.schedule("recall_answered", due=world.t + minutes, payout=payout)
    return world[Payout].change(payout, status="recalling")


@payouts.tool(writes=True)
def register_payee(
    world: World, owner: str, name: str, bank: str, ending: str, currency: Currency
) -> Payee:
    """Put a new domestic bank account of a payee on file for a customer.

    `ending` is the last four digits. Refused if the customer has a live payee of that bank and
    ending already. Accounts abroad are set up by the partners desk.
    """
    world[Party][owner]
    if not (len(ending) == 4 and ending.isascii() and ending.isdigit()):
        raise Refused("ending: four digits")
    if world[Payee].where(owner=owner, bank=bank, ending=ending, status="live"):
        raise Refused(f"{bank} account ending {ending} is on file already")
    return world[Payee].add(
        owner=owner,
        name=name,
        bank=bank,
        ending=ending,
        currency=currency,
        partner=None,
        added=world.day,
        status="live",
    )


@payouts.tool(writes=True)
def close_payee(world: World, payee: str) -> Payee:
    """Take a payee's bank account out of use; nothing can be drafted to it any more.

    Refused while a payout to it is on its way.
    """
    row = world[Payee][payee]
    if row.status == "closed":
        raise Refused(f"{payee} is closed already")
    going = ("scheduled", "released", "recalling")
    if any(p.status in going for p in world[Payout].where(payee=payee)):
        raise Refused(f"{payee} has a payout on its way")
    return world[Payee].change(payee, status="closed")


@payouts.tool(writes=True)
def send_preadvice(world: World, payout: str, document: str, purpose: Purpose) -> Preadvice:
    """Tell the corridor partner that a payout is coming, what it is for and on which document.

    For drafted or scheduled payouts by the corridor. The document must be the customer's, and be
    made out by the payee. One standing pre-advice a payout.
    """
    row, paper = world[Payout][payout], world[TradeDocument][document]
    goal = world[Payee][row.payee]
    if goal.partner is None or row.status not in ("draft", "scheduled"):
        raise Refused(f"{payout} is {row.status} by route {row.route}: nothing to pre-advise")
    if (paper.owner, paper.payee_name) != (row.party, goal.name):
        raise Refused(f"{document} is {paper.payee_name}'s, made out to {paper.owner}")
    if world[Preadvice].where(payout=payout, status="sent"):
        raise Refused(f"{payout} is pre-advised already")
    return world[Preadvice].add(
        case=row.case,
        payout=payout,
        partner=goal.partner,
        document=document,
        purpose=purpose,
        t=world.t,
        status="sent",
    )


@payouts.tool(writes=True)
def withdraw_preadvice(world: World, preadvice: str) -> Preadvice:
    """Take a pre-advice back, for instance because the payout will not go today."""
    row = world[Preadvice][preadvice]
    if row.status != "sent":
        raise Refused(f"{preadvice} is {row.status}")
    if world[Payout][row.payout].status not in ("draft", "scheduled", "cancelled"):
        raise Refused(f"{row.payout} is on its way")
    return world[Preadvice].change(preadvice, status="withdrawn")


# --- events ---------------------------------------------------------------------------------------


@payouts.event
def payout_settled(world: World, payout: str) -> None:
    """The payee's bank has the money, unless the payout came back before."""
    row = world[Payout][payout]
    if row.status in ("released", "recalling"):
        world[Payout].change(payout, status="settled", settled_on=world.day)


@payouts.event
def scheduled_release(world: World, payout: str) -> None:
    """Release if funds and limit allow it at this minute."""
    row = world[Payout][payout]
    if row.status != "scheduled":
        return
    try:
        refusal = objection(world, row)
    except Refused as lacking:
        refusal = str(lacking)
    if refusal:
        world[Payout].change(payout, status="failed")
        return
    send_out(world, row)


@payouts.event
def recall_answered(world: World, payout: str) -> None:
    """The bank gives the money back if it has not paid out yet."""
    row = world[Payout][payout]
    if row.status != "recalling":
        return
    world[Payout].change(payout, status="returned")
    give(world, row.funding, row.amount, "return", payout)
    if row.released_on is not None:
        limits.give_back(world, row.party, worth(world, row), row.released_on)
