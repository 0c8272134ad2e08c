"""Foreign exchange: rates, firm quotes, and conversions done under a quote."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.accounts import Account, credit
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.parties import Party
from bythebook.alder.desks.treasury import source, take
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]
Rate = Annotated[int, Meta(gt=0, description="price of one unit bought, in 1/10000 of a unit sold")]


class MarketRate(Row, frozen=True):
    """What one unit of `buy` costs in `sell` at this moment."""

    table: ClassVar[str] = "market_rates"
    prefix: ClassVar[str] = "RTE"

    buy: str
    sell: str
    rate: Rate


class Quote(Row, frozen=True):
    """A price held for a customer until a minute of the clock."""

    table: ClassVar[str] = "fx_quotes"
    prefix: ClassVar[str] = "FXQ"

    party: str
    buy: str
    sell: str
    most: Amount
    """The most that may be bought under it."""
    rate: Rate
    given: int
    """Minute of the clock at which it was given; below zero when before the opening."""
    expires: int
    """First minute of the clock at which it no longer holds."""
    status: Literal["open", "used", "lapsed"]


class Conversion(Row, frozen=True):
    table: ClassVar[str] = "conversions"
    prefix: ClassVar[str] = "CNV"
    terms: ClassVar[tuple[str, ...]] = (
        "quote", "buy_amount", "sell_amount", "fee", "funding", "target",
    )  # fmt: skip

    party: str
    case: str
    quote: str
    buy_amount: Amount
    sell_amount: Amount
    fee: Amount
    """In the currency sold, taken from the funding together with `sell_amount`."""
    funding: str
    target: str
    status: Literal["draft", "done", "cancelled"]


fx = Desk(
    "fx",
    "Foreign exchange: rates, quotes, conversions.",
    rows=(MarketRate, Quote, Conversion),
)


def price(world: World, quote: Quote, buy_amount: int) -> tuple[int, int]:
    """What `buy_amount` costs under a quote, and the fee on it; a part of a cent counts whole."""
    sell_amount = -(-buy_amount * quote.rate // 10_000)
    return sell_amount, -(-sell_amount * world.policy.number("fx.fee", world.day) // 10_000)


def market(world: World, buy: str, sell: str) -> MarketRate:
    found = world[MarketRate].where(buy=buy, sell=sell)
    if not found:
        raise Refused(f"no rate is kept for buying {buy} with {sell}")
    return found[0]


@fx.tool()
def show_rate(world: World, buy: str, sell: str) -> MarketRate:
    """Show the present market rate of a currency pair.

    A rate is an indication. A price that holds for a while is a quote.
    """
    return market(world, buy, sell)


@fx.tool()
def quotes_of(world: World, party: str) -> tuple[Quote, ...]:
    """List a customer's quotes with rate, largest amount and expiry.

    `given` and `expires` are minutes as `now` counts them; a quote holds up to, not including, its
    `expires` minute.
    """
    return tuple(world[Quote].where(party=party))


@fx.tool(writes=True, retired="request_fx_quote")
def fix_rate(world: World, party: str, pair: str) -> Quote:
    """Fix a pair until the dealers go home.

    Out of use since March 2024.
    """
    raise Refused("fix_rate is retired")


@fx.tool(writes=True, repeatable=True)
def request_fx_quote(world: World, party: str, buy: str, sell: str, most: Cents) -> Quote:
    """Have the dealer hold the present market rate for a customer.

    It holds for a half an hour and for buying up to `most`. Takes the market as it is now.
    """
    world[Party][party]
    rate = market(world, buy, sell).rate
    if most <= 0:
        raise Refused("most must be above zero")
    minutes = world.policy.number("fx.quote.minutes", world.day)
    return world[Quote].add(
        party=party,
        buy=buy,
        sell=sell,
        most=most,
        rate=rate,
        given=world.t,
        expires=world.t + minutes,
        status="open",
    )


@fx.tool(writes=True, repeatable=True)
def draft_conversion(
    world: World, case: str, quote: str, buy_amount: Cents, funding: str, target: str
) -> Conversion:
    """Draft a conversion under a quote; price and fee are worked out, nothing moves yet.

    `funding` is the account or collateral account that pays, `target` the account that receives.
    The draft can be put before the customer for approval.
    """
    world[Case][case]
    row = _open_quote(world, quote)
    _amount_fits(row, buy_amount)
    pays, gets = source(world, funding), world[Account][target]
    if {pays.owner, gets.owner} != {row.party}:
        raise Refused(f"{funding}, {target} and {quote} do not belong to one customer")
    if (pays.currency, gets.currency) != (row.sell, row.buy):
        raise Refused(f"{quote} sells {row.sell} and buys {row.buy}")
    sell_amount, fee = price(world, row, buy_amount)
    return world[Conversion].add(
        party=row.party,
        case=case,
        quote=quote,
        buy_amount=buy_amount,
        sell_amount=sell_amount,
        fee=fee,
        funding=funding,
        target=target,
        status="draft",
    )


@fx.tool(writes=True)
def amend_conversion(world: World, conversion: str, buy_amount: Cents) -> Conversion:
    """Change the amount of a drafted conversion; price and fee are worked out anew.

    An approval given for the old terms does not cover the new ones.
    """
    row = _draft(world, conversion)
    quote = _open_quote(world, row.quote)
    _amount_fits(quote, buy_amount)
    sell_amount, fee = price(world, quote, buy_amount)
    return world[Conversion].change(
        conversion, buy_amount=buy_amount, sell_amount=sell_amount, fee=fee
    )


@fx.tool(writes=True)
def execute_conversion(world: World, conversion: str) -> Conversion:
    """Carry out a drafted conversion: take price and fee, credit what was bought.

    A quote is used up by one conversion. Refused for a lapsed quote, and when the funding holds
    less than price and fee together.
    """
    row = _draft(world, conversion)
    _open_quote(world, row.quote)
    take(world, row.funding, row.sell_amount + row.fee, "conversion", conversion)
    credit(world, row.target, row.buy_amount)
    world[Quote].change(row.quote, status="used")
    return world[Conversion].change(conversion, status="done")


@fx.tool(writes=True)
def cancel_conversion(world: World, conversion: str) -> Conversion:
    """Drop a drafted conversion; the quote stays open for another one."""
    _draft(world, conversion)
    return world[Conversion].change(conversion, status="cancelled")


def _draft(world: World, conversion: str) -> Conversion:
    row = world[Conversion][conversion]
    if row.status != "draft":
        raise Refused(f"{conversion} is {row.status}, no draft")
    return row


def _amount_fits(quote: Quote, buy_amount: int) -> None:
    if not 0 < buy_amount <= quote.most:
        raise Refused(f"buy_amount: above zero and up to the {quote.most} of {quote.id}")


def _open_quote(world: World, quote: str) -> Quote:
    """The quote, unless the dealing screen has dropped it: some minutes after its expiry."""
    row = world[Quote][quote]
    late = world.policy.number("fx.screen.minutes", world.day)
    if row.status != "open" or world.t >= row.expires + late:
        raise Refused(f"{quote} can no longer be dealt on")
    return row


@fx.event
def rate_moved(world: World, pair: str, rate: int) -> None:
    """The market moves."""
    world[MarketRate].change(pair, rate=rate)
