"""Partners' floats for wage payments: prices, quotes, bookings, waves, the spot price."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.accounts import Account, debit, take_fee
from bythebook.alder.desks.wages import WageBatch, WageLine, lines_of
from bythebook.alder.desks.wallets import Wallet, WalletScheme
from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused

Stock = Annotated[int, Meta(ge=0, description="integer US cents")]


class WageFloat(Row, frozen=True):
    """What a partner can pay out in one scheme today, and at which price a payment."""

    table: ClassVar[str] = "wage_floats"
    prefix: ClassVar[str] = "FLT"

    partner: str
    scheme: str
    price: Stock
    """For each payment, in US cents."""
    minutes: int
    """From sending to the credit in the wallet."""
    available: Stock
    booked: Stock
    used: Stock


class FloatNotice(Row, frozen=True):
    """Word of a partner about one of its floats."""

    table: ClassVar[str] = "float_notices"
    prefix: ClassVar[str] = "FNT"

    wage_float: str
    text: str
    t: int


class Leg(msgspec.Struct, frozen=True):
    """Lines of a batch that go over one float."""

    wage_float: str
    lines: tuple[str, ...]


class WageQuote(Row, frozen=True):
    """What paying a sealed batch costs, leg by leg; nothing is kept free before it is booked."""

    table: ClassVar[str] = "wage_quotes"
    prefix: ClassVar[str] = "PQT"
    terms: ClassVar[tuple[str, ...]] = ("batch", "account", "legs", "total", "fee")

    batch: str
    case: str
    account: str
    legs: tuple[Leg, ...]
    total: Stock
    """Wages of all legs."""
    fee: Stock
    """Prices of all payments, as they were when it was quoted."""
    status: Literal["quoted", "booked", "void", "given_up"]
    booked_at: int | None = None
    remark: str = ""


floats = Desk(
    "floats",
    "Partners' floats for wages: quotes for a batch, bookings and sending.",
    rows=(WageFloat, FloatNotice, WageQuote),
)


# --- rules of the system --------------------------------------------------------------------------


def fee_account(world: World, account: str) -> Account:
    """The fee account of the owner of `account`."""
    owner = world[Account][account].owner
    found = world[Account].where(owner=owner, kind="fee", currency="USD")
    if not found:
        raise Refused(f"{owner} has no fee account in USD")
    return found[0]


def leg_total(world: World, leg: Leg) -> int:
    return sum(world[WageLine][line].amount for line in leg.lines)


def unsent(world: World, leg: Leg) -> int:
    """What of a leg has not been sent yet, in cents."""
    lines = [world[WageLine][line] for line in leg.lines]
    return sum(line.amount for line in lines if line.status == "sealed")


def unbook(world: World, quote: WageQuote) -> None:
    """Give back to the floats what a booked quote has not used."""
    for leg in quote.legs:
        row, left = world[WageFloat][leg.wage_float], unsent(world, leg)
        world[WageFloat].change(row.id, booked=row.booked - left, available=row.available + left)


def _fits(world: World, batch: str, legs: tuple[Leg, ...]) -> None:
    """Every unsent line of the batch in one leg, on a float of its wallet's scheme."""
    named = [line for leg in legs for line in leg.lines]
    wanted = sorted(line.id for line in lines_of(world, batch) if line.status == "sealed")
    if not wanted:
        raise Refused(f"{batch} has nothing left to send")
    if sorted(named) != wanted:
        raise Refused(f"legs: every line of {batch} once, and no other: {', '.join(wanted)}")
    if len({leg.wage_float for leg in legs}) < len(legs) or not all(leg.lines for leg in legs):
        raise Refused("legs: one leg a float, and none empty")
    for leg in legs:
        row = world[WageFloat][leg.wage_float]
        for line in leg.lines:
            scheme = world[Wallet][world[WageLine][line].wallet].scheme
            if scheme != row.scheme:
                raise Refused(f"{line} goes to {scheme}, {leg.wage_float} pays into {row.scheme}")


def _in_dollars(world: World, account: str) -> None:
    currency = world[Account][account].currency
    if currency != "USD":
        raise Refused(f"{account} is in {currency}; wages are paid from USD")


def _in_window(world: World) -> None:
    opens = world.policy.clock("wages.window.opens", world.day)
    closes = world.policy.clock("wages.window.closes", world.day)
    if not world.minute(opens) <= world.t < world.minute(closes):
        raise Refused(f"partners take wages from {opens} to {closes}")


def _bookable(world: World, quote: WageQuote) -> None:
    """Bookings end at a cut-off; a later one holds for batches whose booking a partner voided."""
    void = world[WageQuote].where(batch=quote.batch, status="void")
    fell = any(row.booked_at is not None for row in void)
    name = "wages.rebooking.cut-off" if fell else "wages.booking.cut-off"
    cutoff = world.policy.clock(name, world.day)
    if world.t >= world.minute(cutoff):
        raise Refused(f"bookings for this batch ended at {cutoff}")


def _send(world: World, lines: list[WageLine], row: WageFloat, quote: str | None) -> None:
    """Put lines on their way over one float; money and float are taken care of before."""
    for line in lines:
        world[WageLine].change(line.id, status="sent", quote=quote, sent_at=world.t)
    keys = [line.id for line in lines]
    world.schedule("wages_credited", due=world.t + row.minutes, priority=1, lines=keys)


# --- tools ----------------------------------------------------------------------------------------


@floats.tool()
def floats_for_scheme(world: World, scheme: str) -> tuple[WageFloat, ...]:
    """List the partners' floats that pay into a wallet scheme today, the lowest price first."""
    world[WalletScheme][scheme]
    return tuple(sorted(world[WageFloat].where(scheme=scheme), key=lambda row: row.price))


@floats.tool(writes=True)
def quote_wage_batch(world: World, batch: str, account: str, legs: tuple[Leg, ...]) -> WageQuote:
    """Quote a sealed batch: which of its lines go over which float, and what that costs.

    Every line that has not been sent stands in exactly one leg; there is one leg a float. The fee
    is the price of each float times its payments. Nothing is kept free by a quote. Refused while
    the batch has another quote that is open or booked.
    """
    row = world[WageBatch][batch]
    if row.status != "sealed":
        raise Refused(f"{batch} is {row.status}, not sealed")
    if world[Account][account].owner != row.employer:
        raise Refused(f"{account} does not belong to {row.employer}")
    _in_dollars(world, account)
    standing = [q for q in world[WageQuote].where(batch=batch) if q.status in ("quoted", "booked")]
    if standing:
        raise Refused(f"{batch} has {standing[0].id}, which is {standing[0].status}")
    _fits(world, batch, legs)
    return world[WageQuote].add(
        batch=batch,
        case=row.case,
        account=account,
        legs=legs,
        total=sum(leg_total(world, leg) for leg in legs),
        fee=sum(world[WageFloat][leg.wage_float].price * len(leg.lines) for leg in legs),
        status="quoted",
    )


@floats.tool(writes=True)
def book_wage_quote(world: World, quote: str) -> WageQuote:
    """Book a quote: each leg's float is kept free for it.

    Refused when a float is too small, or bookings have ended for the day.
    """
    row = world[WageQuote][quote]
    if row.status != "quoted":
        raise Refused(f"{quote} is {row.status}")
    _bookable(world, row)
    for leg in row.legs:
        have, need = world[WageFloat][leg.wage_float].available, leg_total(world, leg)
        if need > have:
            raise Refused(f"{leg.wage_float} has {have} cents free, the leg needs {need}")
    for leg in row.legs:
        pot, need = world[WageFloat][leg.wage_float], leg_total(world, leg)
        world[WageFloat].change(pot.id, available=pot.available - need, booked=pot.booked + need)
    return world[WageQuote].change(quote, status="booked", booked_at=world.t)


@floats.tool(writes=True)
def give_up_wage_quote(world: World, quote: str) -> WageQuote:
    """Give up a quote; if it is booked, its float becomes free for everybody.

    Refused when it is void or given up, or when wages have been sent under it.
    """
    row = world[WageQuote][quote]
    if row.status not in ("quoted", "booked"):
        raise Refused(f"{quote} is {row.status}")
    if world[WageLine].where(quote=quote):
        raise Refused(f"wages have been sent under {quote}")
    if row.status == "booked":
        unbook(world, row)
    return world[WageQuote].change(quote, status="given_up")


@floats.tool(writes=True)
def reopen_wage_batch(world: World, batch: str) -> WageBatch:
    """Open a sealed batch for changes again.

    Refused while it has a quote that is open or booked, and once a line of it was sent.
    """
    if world[WageBatch][batch].status != "sealed":
        raise Refused(f"{batch} is not sealed")
    for quote in world[WageQuote].where(batch=batch):
        if quote.status in ("quoted", "booked"):
            raise Refused(f"{quote.id} is {quote.status}")
    lines = lines_of(world, batch)
    if any(line.status != "sealed" for line in lines):
        raise Refused(f"wages of {batch} have been sent")
    for line in lines:
        world[WageLine].change(line.id, status="draft")
    return world[WageBatch].change(batch, status="draft")


@floats.tool(writes=True)
def send_wage_wave(world: World, quote: str, lines: tuple[str, ...]) -> WageQuote:
    """Send some or all lines of a booked quote as one wave, wages and fee taken now.

    The fee is the quoted price of each line. Only within the partners' window. Refused as a whole
    when a line is not of the quote or was sent, or an account does not carry it.
    """
    row = world[WageQuote][quote]
    if row.status != "booked":
        raise Refused(f"{quote} is {row.status}{': ' if row.remark else ''}{row.remark}")
    _in_window(world)
    if not lines or len(set(lines)) < len(lines):
        raise Refused("lines: at least one, and none twice")
    for line in lines:
        if not any(line in leg.lines for leg in row.legs):
            raise Refused(f"{line} is not in {quote}")
        if world[WageLine][line].status != "sealed":
            raise Refused(f"{line} is {world[WageLine][line].status}")
    debit(world, row.account, sum(world[WageLine][line].amount for line in lines))
    fee = 0
    for leg in row.legs:
        going = [world[WageLine][line] for line in leg.lines if line in lines]
        if not going:
            continue
        pot, amount = world[WageFloat][leg.wage_float], sum(line.amount for line in going)
        fee += pot.price * len(going)
        world[WageFloat].change(pot.id, booked=pot.booked - amount, used=pot.used + amount)
        _send(world, going, pot, quote)
    payer = fee_account(world, row.account)
    take_fee(world, payer.id, fee, what="wage payments", ref=quote, case=row.case)
    return world[WageQuote][quote]


@floats.tool(writes=True)
def send_wages_at_spot(
    world: World, account: str, wage_float: str, lines: tuple[str, ...]
) -> tuple[WageLine, ...]:
    """Send sealed lines over one float at its spot price, without quote or booking.

    The spot price is the float's price and a surcharge. Only within the partners' window. Refused
    when a line is not sealed or booked, or the float or an account does not carry it.
    """
    pot = world[WageFloat][wage_float]
    _in_window(world)
    if not lines or len(set(lines)) < len(lines):
        raise Refused("lines: at least one, and none twice")
    going = [world[WageLine][line] for line in lines]
    for line in going:
        _may_go_at_spot(world, line, pot)
    employers = {world[WageBatch][line.batch].employer for line in going}
    if employers != {world[Account][account].owner}:
        raise Refused(f"{account} does not belong to {', '.join(sorted(employers))}")
    _in_dollars(world, account)
    amount = sum(line.amount for line in going)
    if amount > pot.available:
        raise Refused(f"{wage_float} has {pot.available} cents free, not {amount}")
    debit(world, account, amount)
    extra = world.policy.number("wages.spot.surcharge", world.day)
    fee = len(going) * (pot.price + pot.price * extra // 10_000)
    take_fee(
        world,
        fee_account(world, account).id,
        fee,
        what="wage payments at spot",
        ref=wage_float,
        case=going[0].case,
    )
    world[WageFloat].change(wage_float, available=pot.available - amount, used=pot.used + amount)
    _send(world, going, pot, None)
    return tuple(world[WageLine][line] for line in lines)


def _may_go_at_spot(world: World, line: WageLine, pot: WageFloat) -> None:
    if line.status != "sealed":
        raise Refused(f"{line.id} is {line.status}, not sealed")
    if world[Wallet][line.wallet].scheme != pot.scheme:
        raise Refused(f"{line.id} does not go to {pot.scheme}")
    for quote in world[WageQuote].where(batch=line.batch, status="booked"):
        raise Refused(f"{line.id} is booked under {quote.id}")


# --- events ---------------------------------------------------------------------------------------


@floats.event
def wages_credited(world: World, lines: list[str]) -> None:
    """The scheme has credited the wallets."""
    for line in lines:
        world[WageLine].change(line, status="paid", paid_at=world.t)


@floats.event
def float_repriced(world: World, wage_float: str, price: int, available: int, text: str) -> None:
    """A partner changes a float: what was quoted or booked over it and has not left is void."""
    for quote in list(world[WageQuote]):
        if quote.status not in ("quoted", "booked") or all(
            g.wage_float != wage_float for g in quote.legs
        ):
            continue
        if quote.status == "booked":
            unbook(world, quote)
        world[WageQuote].change(quote.id, status="void", remark=text)
    world[WageFloat].change(wage_float, price=price, available=available)
    world[FloatNotice].add(wage_float=wage_float, text=text, t=world.t)
