"""Early release: an operator's letters to makers, release schedules, and what was paid on them."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct, structs

from bythebook.alder.desks.accounts import Account, credit
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.escrow import Amount, EscrowBuffer, EscrowOrder, Positive
from bythebook.conduct.world import Row, World
from bythebook.tool import BasisPoints, Day, Desk, Refused

Place = Annotated[int, Meta(ge=1, description="place in the schedule, from 1")]


class MilestoneLetter(Row, frozen=True):
    """An operator's word to a maker: part of an order's price at a milestone, by an hour."""

    table: ClassVar[str] = "milestone_letters"
    prefix: ClassVar[str] = "MLT"

    marketplace: str
    maker: str
    order: str
    milestone: str
    share: BasisPoints
    due_day: Day
    due_at: str
    signed: Day
    replaces: str | None = None
    asked: str | None = None
    """When the maker asked for the money, if they have."""
    status: Literal["in_force", "replaced", "served", "withdrawn"] = "in_force"


class ScheduleLine(Struct, frozen=True):
    place: Place
    letter: str
    amount: Positive


class ReleaseSchedule(Row, frozen=True):
    """What is to be released early for one operator, in which order."""

    table: ClassVar[str] = "release_schedules"
    prefix: ClassVar[str] = "RLS"
    terms: ClassVar[tuple[str, ...]] = ("buffer", "lines")

    case: str
    marketplace: str
    buffer: str
    lines: tuple[ScheduleLine, ...]
    """By place."""
    status: Literal["draft", "started", "withdrawn"] = "draft"


class EarlyRelease(Row, frozen=True):
    """Escrow money paid to a maker before the buyer has accepted the order."""

    table: ClassVar[str] = "early_releases"
    prefix: ClassVar[str] = "ERL"

    schedule: str | None
    place: int | None
    letter: str
    order: str
    account: str
    amount: Amount
    day: Day
    t: int


milestones = Desk(
    "milestones",
    "Early release of escrow money to makers: letters, release schedules, releases.",
    rows=(MilestoneLetter, ReleaseSchedule, EarlyRelease),
)


def _letter(world: World, key: str, marketplace: str) -> MilestoneLetter:
    """The letter, if it is the marketplace's and in force."""
    letter = world[MilestoneLetter][key]
    if letter.marketplace != marketplace:
        raise Refused(f"{key} was signed by another marketplace")
    if letter.status != "in_force":
        raise Refused(f"{key} is {letter.status}")
    return letter


def _draft(world: World, key: str) -> ReleaseSchedule:
    schedule = world[ReleaseSchedule][key]
    if schedule.status != "draft":
        raise Refused(f"{key} is {schedule.status}, not a draft")
    return schedule


@milestones.tool()
def letters_falling_due(world: World, marketplace: str, day: Day) -> tuple[MilestoneLetter, ...]:
    """List an operator's letters in force that promise a maker money on one day.

    Letters that were replaced are not shown; a letter names the one it replaces.
    """
    return tuple(
        world[MilestoneLetter].where(marketplace=marketplace, due_day=day, status="in_force")
    )


@milestones.tool(writes=True)
def draft_release_schedule(
    world: World, case: str, buffer: str, lines: tuple[ScheduleLine, ...]
) -> ReleaseSchedule:
    """Draft the schedule of an operator's early releases: place, letter and amount of each.

    Places run from 1 without a gap. A draft moves nothing. Refused on a closed case, for letters or
    a buffer of another operator, and while the case has another draft.
    """
    file, source = world[Case][case], world[EscrowBuffer][buffer]
    if file.status == "closed":
        raise Refused(f"{case} is closed")
    if source.owner != file.party:
        raise Refused(f"{buffer} and {case} belong to different parties")
    ordered = tuple(sorted(lines, key=lambda line: line.place))
    if not lines or [line.place for line in ordered] != list(range(1, len(lines) + 1)):
        raise Refused("lines: places run from 1 without a gap, and there is at least one")
    for line in ordered:
        _letter(world, line.letter, file.party)
    if world[ReleaseSchedule].where(case=case, status="draft"):
        raise Refused(f"{case} has a draft schedule already; withdraw it or start it")
    return world[ReleaseSchedule].add(
        case=case, marketplace=file.party, buffer=buffer, lines=ordered
    )


@milestones.tool(writes=True)
def withdraw_release_schedule(world: World, schedule: str) -> ReleaseSchedule:
    """Take back a schedule that is still a draft.

    Refused once it has been started.
    """
    _draft(world, schedule)
    return world[ReleaseSchedule].change(schedule, status="withdrawn")


@milestones.tool(writes=True)
def start_release_schedule(world: World, schedule: str) -> ReleaseSchedule:
    """Start a drafted schedule, so that its lines can be released.

    A started schedule is not changed any more. Refused when it is no draft.
    """
    _draft(world, schedule)
    return world[ReleaseSchedule].change(schedule, status="started")


@milestones.tool(writes=True)
def release_milestone(world: World, schedule: str, place: Place) -> EarlyRelease:
    """Pay the maker what one line of a started schedule says, out of what the order holds.

    The money is on the maker's account at once and cannot be called back. Refused when the schedule
    is not started, the line was released before, or the order holds less.
    """
    plan = world[ReleaseSchedule][schedule]
    if plan.status != "started":
        raise Refused(f"{schedule} is {plan.status}, not started")
    line = next((one for one in plan.lines if one.place == place), None)
    if line is None:
        raise Refused(f"place: {schedule} has places 1 to {len(plan.lines)}")
    if world[EarlyRelease].where(schedule=schedule, place=place):
        raise Refused(f"place {place} of {schedule} was released before")
    letter = _letter(world, line.letter, plan.marketplace)
    order = world[EscrowOrder][letter.order]
    if line.amount > order.held:
        raise Refused(f"{order.id} holds {order.held} cents, not {line.amount}")
    account = _account(world, order)
    world[EscrowOrder].put(
        structs.replace(order, held=order.held - line.amount, released=order.released + line.amount)
    )
    credit(world, account, line.amount)
    return world[EarlyRelease].add(
        schedule=schedule,
        place=place,
        letter=letter.id,
        order=order.id,
        account=account,
        amount=line.amount,
        day=world.day,
        t=world.t,
    )


def _account(world: World, order: EscrowOrder) -> str:
    """Where the maker is paid."""
    found = world[Account].where(owner=order.maker, kind="settlement", currency=order.currency)
    if not found:
        raise Refused(f"{order.maker} has no settlement account in {order.currency}")
    return found[0].id
