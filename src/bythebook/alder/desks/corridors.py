"""Corridors: what the banks on the way take, quoted by our partners for one promise at a time."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.guarantees import Promise, open_promise
from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Desk, Refused

Deduction = Annotated[int, Meta(ge=0, description="integer minor units taken on the way")]
Firmness = Literal["firm", "variable"]


class Corridor(Row, frozen=True):
    """A route from the payer's country to the payee's, as our own sheet describes it."""

    table: ClassVar[str] = "corridors"
    prefix: ClassVar[str] = "COR"

    country: str
    basis: Firmness
    """firm: the deduction is the same for every payment. variable: it is known afterwards."""
    deduction: Deduction
    partner: str
    status: Literal["open", "suspended"] = "open"


class PartnerBook(Row, frozen=True):
    """What a partner will confirm today; nobody at Alder sees it before they do."""

    table: ClassVar[str] = "partner_books"
    prefix: ClassVar[str] = "BOOK"
    private: ClassVar[bool] = True

    corridor: str
    basis: Firmness
    deduction: Deduction
    remark: str


class Quote(Row, frozen=True):
    """What reaching one payee will cost on the way; binding only once the partner confirmed it."""

    table: ClassVar[str] = "quotes"
    prefix: ClassVar[str] = "QTE"

    promise: str
    party: str
    corridor: str
    basis: Firmness
    deduction: Deduction
    status: Literal["indicative", "confirmed", "withdrawn"]
    remark: str
    asked: int


class CorridorNotice(Row, frozen=True):
    table: ClassVar[str] = "corridor_notices"
    prefix: ClassVar[str] = "NTC"

    corridor: str
    day: Day
    text: str


class DeductionInquiry(Row, frozen=True):
    """A question to the banks on the way: who took what from a payment."""

    table: ClassVar[str] = "deduction_inquiries"
    prefix: ClassVar[str] = "INQ"

    promise: str
    status: Literal["open", "answered"]
    answer: str = ""


class ChainRecord(Row, frozen=True):
    """What the banks on the way will say of one payment; nobody at Alder sees it before they do."""

    table: ClassVar[str] = "chain_records"
    prefix: ClassVar[str] = "CHN"
    private: ClassVar[bool] = True

    promise: str
    answer: str


corridors = Desk(
    "corridors",
    "Routes to the payee's country, deductions on the way and partner quotes.",
    rows=(Corridor, PartnerBook, Quote, CorridorNotice, DeductionInquiry, ChainRecord),
)


def book(world: World, corridor: str) -> PartnerBook | None:
    """The partner's own page for a corridor, when it differs from our sheet."""
    pages = world[PartnerBook].where(corridor=corridor)
    return pages[0] if pages else None


def taken(world: World, corridor: str) -> int:
    """What the banks on the way take from a payment that lets them."""
    page = book(world, corridor)
    return page.deduction if page else world[Corridor][corridor].deduction


def live_quotes(world: World, promise: str) -> list[Quote]:
    return [q for q in world[Quote].where(promise=promise) if q.status != "withdrawn"]


@corridors.tool()
def quotes_for_promise(world: World, promise: str) -> tuple[Quote, ...]:
    """List every quote asked for a promise, with its standing and the partner's remark."""
    world[Promise][promise]
    return tuple(world[Quote].where(promise=promise))


@corridors.tool()
def notices_on_corridor(world: World, corridor: str) -> tuple[CorridorNotice, ...]:
    """List the notices posted on a corridor, oldest first."""
    world[Corridor][corridor]
    return tuple(sorted(world[CorridorNotice].where(corridor=corridor), key=lambda n: n.day))


@corridors.tool(writes=True)
def request_quote(world: World, promise: str) -> Quote:
    """Ask the corridor partner what a payment for one open promise will meet on its way.

    The quote is indicative at first, taken from our own sheet; the partner's answer comes some
    minutes later and replaces its figures. Refused while a live quote for the promise exists, and
    on a suspended corridor.
    """
    row = open_promise(world, promise)
    route = world[Corridor][row.corridor]
    if route.status == "suspended":
        raise Refused(f"{route.id} is suspended")
    if live_quotes(world, promise):
        raise Refused(f"{promise} has a live quote already")
    quote = world[Quote].add(
        promise=promise,
        party=row.party,
        corridor=route.id,
        basis=route.basis,
        deduction=route.deduction,
        status="indicative",
        remark="from our own sheet",
        asked=world.t,
    )
    lag = world.policy.number("corridors.confirmation", world.day)
    world.schedule("quote_confirmed", due=world.t + lag, priority=1, quote=quote.id)
    return quote


@corridors.event
def quote_confirmed(world: World, quote: str) -> None:
    """The partner answers: its figures replace ours."""
    row = world[Quote].get(quote)
    if row is None or row.status != "indicative":
        return
    page = book(world, row.corridor)
    if page is None:
        world[Quote].change(quote, status="confirmed", remark="confirmed as published")
        return
    world[Quote].change(
        quote, status="confirmed", basis=page.basis, deduction=page.deduction, remark=page.remark
    )


@corridors.tool(writes=True)
def withdraw_quote(world: World, quote: str) -> Quote:
    """Give up a quote so that a new one can be asked for the same promise.

    Refused when it is withdrawn already.
    """
    if world[Quote][quote].status == "withdrawn":
        raise Refused(f"{quote} is withdrawn already")
    return world[Quote].change(quote, status="withdrawn")


@corridors.tool(writes=True)
def publish_deduction(
    world: World, corridor: str, basis: Firmness, deduction: Deduction
) -> Corridor:
    """Change what our own corridor sheet says about deductions on the way.

    Quotes already asked are not touched. Refused on a suspended corridor and when nothing changes.
    """
    row = world[Corridor][corridor]
    if row.status == "suspended":
        raise Refused(f"{corridor} is suspended")
    if (row.basis, row.deduction) == (basis, deduction):
        raise Refused(f"{corridor} says so already")
    return world[Corridor].change(corridor, basis=basis, deduction=deduction)


@corridors.tool(writes=True, repeatable=True)
def post_corridor_notice(world: World, corridor: str, day: Day, text: str) -> CorridorNotice:
    """Post a notice on a corridor for the desks to read, valid from a day.

    Refused for an empty text and for a day that has passed.
    """
    world[Corridor][corridor]
    if not text.strip():
        raise Refused("text: say something")
    if day < world.day:
        raise Refused(f"day: {day} has passed")
    return world[CorridorNotice].add(corridor=corridor, day=day, text=text)


@corridors.tool(writes=True)
def suspend_corridor(
    world: World, corridor: str, reason: Literal["partner_outage", "sanctions_hold", "funding"]
) -> Corridor:
    """Close a corridor to new quotes.

    Payments under way go on. A notice with the reason is posted. Refused when it is suspended.
    """
    if world[Corridor][corridor].status == "suspended":
        raise Refused(f"{corridor} is suspended already")
    world[CorridorNotice].add(corridor=corridor, day=world.day, text=f"Suspended: {reason}")
    return world[Corridor].change(corridor, status="suspended")


@corridors.tool(writes=True)
def reopen_corridor(world: World, corridor: str, notice: str) -> Corridor:
    """Open a suspended corridor again, naming the notice that says why.

    Refused when the corridor is open, or the notice is about another corridor.
    """
    if world[Corridor][corridor].status == "open":
        raise Refused(f"{corridor} is open")
    if world[CorridorNotice][notice].corridor != corridor:
        raise Refused(f"{notice} is not about {corridor}")
    return world[Corridor].change(corridor, status="open")


@corridors.tool(writes=True)
def open_deduction_inquiry(world: World, promise: str) -> DeductionInquiry:
    """Ask the banks on the way who took what from a payment that arrived short.

    The answer comes later. Refused unless the promise is short, and while an inquiry is open.
    """
    if world[Promise][promise].status != "short":
        raise Refused(f"{promise} is not short")
    if world[DeductionInquiry].where(promise=promise, status="open"):
        raise Refused(f"{promise} has an open inquiry")
    row = world[DeductionInquiry].add(promise=promise, status="open")
    lag = world.policy.number("corridors.inquiry", world.day)
    world.schedule("inquiry_answered", due=world.t + lag, inquiry=row.id)
    return row


@corridors.event
def inquiry_answered(world: World, inquiry: str) -> None:
    """The banks on the way say what they took."""
    row = world[DeductionInquiry].get(inquiry)
    promise = world[Promise].get(row.promise) if row else None
    if promise is None:
        return
    missing = promise.net - (promise.received or 0)
    told = [record.answer for record in world[ChainRecord].where(promise=promise.id)]
    answer = told[0] if told else f"{missing} cents were kept by banks on the way"
    world[DeductionInquiry].change(inquiry, status="answered", answer=answer)


@corridors.event
def corridor_word_posted(world: World, notice: str, corridor: str, text: str) -> None:
    """A partner, or the owner of a corridor, leaves word on it."""
    world[CorridorNotice].put(CorridorNotice(notice, corridor, world.day, text))


@corridors.event
def owner_suspended(
    world: World, corridor: str, reason: Literal["partner_outage", "sanctions_hold", "funding"]
) -> None:
    """The owner of a corridor suspends it while others are at work."""
    if world[Corridor][corridor].status == "open":
        suspend_corridor(world, corridor, reason)
