"""Prices of card sales, shop by shop: plans, promotions, change sheets, invitations to sign."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.parties import Party
from bythebook.conduct.world import Row, World
from bythebook.tool import BasisPoints, Day, Desk, Refused

Amount = Annotated[int, Meta(ge=0, description="integer minor units")]


class CardPlan(Row, frozen=True):
    """What a shop pays for a card sale."""

    table: ClassVar[str] = "card_plans"
    prefix: ClassVar[str] = "CPL"

    name: str
    rate: BasisPoints
    per_sale: Amount
    offered: bool


class Shop(Row, frozen=True):
    table: ClassVar[str] = "shops"
    prefix: ClassVar[str] = "SHP"

    chain: str
    holder: str
    """Who runs the shop, as far as the register knows."""
    name: str
    plan: str
    closes: str


class ShopPromotion(Row, frozen=True):
    """Better terms that a shop was given for a while; `until` is the last day."""

    table: ClassVar[str] = "shop_promotions"
    prefix: ClassVar[str] = "SPM"

    shop: str
    name: str
    since: Day
    until: Day


class PromotionLetter(Row, frozen=True):
    """A letter of ours by which a promotion runs to a later last day."""

    table: ClassVar[str] = "promotion_letters"
    prefix: ClassVar[str] = "PXL"

    promotion: str
    until: Day
    signed: Day
    signed_by: str


class PlanLine(Struct, frozen=True):
    shop: str
    plan: str
    start: Day


class TakingsLine(Struct, frozen=True):
    payout: str
    account: str


class ChangeSheet(Row, frozen=True):
    """What a chain changes: plans shop by shop with a first day, and takings that go elsewhere."""

    table: ClassVar[str] = "change_sheets"
    prefix: ClassVar[str] = "CHS"
    terms: ClassVar[tuple[str, ...]] = ("lines", "takings")

    case: str
    chain: str
    lines: tuple[PlanLine, ...]
    """By shop."""
    takings: tuple[TakingsLine, ...]
    """By payout."""
    status: Literal["draft", "started", "withdrawn"] = "draft"


class PlanChange(Row, frozen=True):
    """A shop's move to another plan, as entered."""

    table: ClassVar[str] = "plan_changes"
    prefix: ClassVar[str] = "PCH"

    sheet: str
    shop: str
    plan: str
    start: Day
    t: int


class HolderInvitation(Row, frozen=True):
    """An invitation to whoever runs a shop to sign for a plan."""

    table: ClassVar[str] = "holder_invitations"
    prefix: ClassVar[str] = "HIV"

    shop: str
    holder: str
    plan: str
    day: Day
    status: Literal["open", "signed", "declined"] = "open"


pricing = Desk(
    "pricing",
    "What shops pay for card sales: plans, promotions, change sheets.",
    rows=(
        CardPlan,
        Shop,
        ShopPromotion,
        PromotionLetter,
        ChangeSheet,
        PlanChange,
        HolderInvitation,
    ),
)


def fee_of(world: World, plan: str, sales: int, amount: int) -> int:
    """What a plan takes from some sales, in cents, fractions left to the shop."""
    row = world[CardPlan][plan]
    return amount * row.rate // 10_000 + sales * row.per_sale


def _offered(world: World, plan: str) -> CardPlan:
    row = world[CardPlan][plan]
    if not row.offered:
        raise Refused(f"{plan} is not offered any more")
    return row


def _draft(world: World, key: str) -> ChangeSheet:
    sheet = world[ChangeSheet][key]
    if sheet.status != "draft":
        raise Refused(f"{key} is {sheet.status}, not a draft")
    return sheet


@pricing.tool()
def promotions_of_shop(world: World, shop: str) -> tuple[ShopPromotion, ...]:
    """List the promotions that the register holds for one shop, those that are over included.

    `until` is the last day. Letters that extend a promotion are kept apart.
    """
    world[Shop][shop]
    return tuple(world[ShopPromotion].where(shop=shop))


@pricing.tool()
def price_under_plan(world: World, plan: str, sales: int, amount: Amount) -> Amount:
    """Work out in cents what a plan would take from a number of card sales of a total amount."""
    if sales < 0:
        raise Refused("sales: cannot be below zero")
    return fee_of(world, plan, sales, amount)


@pricing.tool(writes=True)
def draft_change_sheet(
    world: World,
    case: str,
    lines: tuple[PlanLine, ...],
    takings: tuple[TakingsLine, ...] = (),
) -> ChangeSheet:
    """Draft a chain's change sheet: each shop's plan and first day, and takings to be re-pointed.

    A draft changes nothing. Refused on a closed case, for a shop of another chain, a shop named
    twice, a plan that is no longer offered, a first day that has passed, and while the case has
    another draft.
    """
    file = world[Case][case]
    if file.status == "closed":
        raise Refused(f"{case} is closed")
    named = [line.shop for line in lines]
    if not lines or len(set(named)) < len(named):
        raise Refused("lines: name at least one shop, and each only once")
    for line in lines:
        if world[Shop][line.shop].chain != file.party:
            raise Refused(f"{line.shop} is no shop of {file.party}")
        _offered(world, line.plan)
        if line.start < world.day:
            raise Refused(f"start: {line.start} has passed")
    if world[ChangeSheet].where(case=case, status="draft"):
        raise Refused(f"{case} has a draft sheet already; withdraw it or start it")
    return world[ChangeSheet].add(
        case=case,
        chain=file.party,
        lines=tuple(sorted(lines, key=lambda line: line.shop)),
        takings=tuple(sorted(takings, key=lambda line: line.payout)),
    )


@pricing.tool(writes=True)
def withdraw_change_sheet(world: World, sheet: str) -> ChangeSheet:
    """Throw a change sheet away that has not been started.

    Refused when it is no draft.
    """
    _draft(world, sheet)
    return world[ChangeSheet].change(sheet, status="withdrawn")


@pricing.tool(writes=True)
def start_change_sheet(world: World, sheet: str) -> ChangeSheet:
    """Make a drafted change sheet final, so that its lines can be entered.

    Refused when it is no draft.
    """
    _draft(world, sheet)
    return world[ChangeSheet].change(sheet, status="started")


@pricing.tool(writes=True)
def enter_plan_change(world: World, sheet: str, shop: str) -> PlanChange:
    """Enter the move of one shop to its new plan, as its line on a started change sheet says.

    With today as first day the plan holds from this minute; otherwise from the opening of that day.
    Refused when the sheet is not started, has no such shop, or the line was entered before.
    """
    row = world[ChangeSheet][sheet]
    if row.status != "started":
        raise Refused(f"{sheet} is {row.status}, not started")
    line = next((one for one in row.lines if one.shop == shop), None)
    if line is None:
        raise Refused(f"{sheet} says nothing about {shop}")
    if world[PlanChange].where(sheet=sheet, shop=shop):
        raise Refused(f"{shop} was entered from {sheet} before")
    if line.start <= world.day:
        world[Shop].change(shop, plan=line.plan)
    return world[PlanChange].add(
        sheet=sheet, shop=shop, plan=line.plan, start=line.start, t=world.t
    )


@pricing.tool(writes=True)
def invite_shop_holder(world: World, shop: str, holder: str, plan: str) -> HolderInvitation:
    """Invite somebody who runs a shop of their own under a chain's name to sign for a plan.

    They get the terms and answer within a few days; nothing changes until then. Refused for the
    chain itself, for a party that is not active, and while an invitation for the shop is open.
    """
    row = world[Shop][shop]
    if holder == row.chain:
        raise Refused(f"{holder} is the chain; it signs on a change sheet")
    if world[Party][holder].status != "active":
        raise Refused(f"{holder} is not active")
    _offered(world, plan)
    if world[HolderInvitation].where(shop=shop, status="open"):
        raise Refused(f"{shop} has an open invitation")
    return world[HolderInvitation].add(shop=shop, holder=holder, plan=plan, day=world.day)
