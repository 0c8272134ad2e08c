"""Wage batches: an employer's file drawn up as payments to wallets, divided, redirected, sealed."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.wallets import Wallet, Worker, current_wallet, latest_answer
from bythebook.conduct.world import Row, World
from bythebook.tool import Cents, Day, Desk, Refused

Wage = Annotated[int, Meta(gt=0, description="integer US cents")]


class Due(msgspec.Struct, frozen=True):
    """What one worker has earned."""

    worker: str
    wage: Cents


class WageFile(Row, frozen=True):
    """An employer's list of wages for one week; all in US dollars."""

    table: ClassVar[str] = "wage_files"
    prefix: ClassVar[str] = "WGF"

    employer: str
    week: str
    payday: Day
    dues: tuple[Due, ...]
    status: Literal["received", "withdrawn"]


class WageBatch(Row, frozen=True):
    table: ClassVar[str] = "wage_batches"
    prefix: ClassVar[str] = "PBT"

    employer: str
    case: str
    file: str
    status: Literal["draft", "sealed"]


class WageLine(Row, frozen=True):
    """One payment to one wallet: a worker's wage or a part of it."""

    table: ClassVar[str] = "wage_lines"
    prefix: ClassVar[str] = "PLN"

    batch: str
    case: str
    worker: str
    wallet: str
    amount: Wage
    status: Literal["draft", "divided", "sealed", "sent", "paid"]
    quote: str | None = None
    """The booked quote under which it was sent; None for the spot price."""
    sent_at: int | None = None
    paid_at: int | None = None


class ShiftPledge(Row, frozen=True):
    """What we have promised an employer for one shift."""

    table: ClassVar[str] = "shift_pledges"
    prefix: ClassVar[str] = "PLG"

    employer: str
    shift: Literal["day", "night"]
    promise: str
    by: str | None
    """Clock time by which the wages are credited."""
    paydays_from: Day
    paydays_to: Day
    given_by: str
    status: Literal["standing", "withdrawn"]


wages = Desk(
    "wages",
    "Wage files of employers, drawn up as batches of payments to wallets.",
    rows=(WageFile, WageBatch, WageLine, ShiftPledge),
)


def open_draft(world: World, batch: str) -> WageBatch:
    """The batch, if its lines can still be changed."""
    row = world[WageBatch][batch]
    if row.status != "draft":
        raise Refused(f"{batch} is {row.status}; its lines cannot be changed")
    return row


def lines_of(world: World, batch: str) -> list[WageLine]:
    """The payments of a batch; a line that was divided is none."""
    return [line for line in world[WageLine].where(batch=batch) if line.status != "divided"]


@wages.tool(writes=True)
def draft_wage_batch(world: World, case: str, file: str) -> WageBatch:
    """Draw up an employer's wage file as a batch, one line a worker, to the wallet in use now.

    Refused when the case is another party's, the file was withdrawn or has a batch, or a worker
    has no wallet in use.
    """
    row = world[WageFile][file]
    if world[Case][case].party != row.employer:
        raise Refused(f"{case} is not a case of {row.employer}")
    if row.status == "withdrawn":
        raise Refused(f"{file} was withdrawn")
    if world[WageBatch].where(file=file):
        raise Refused(f"{file} has a batch already")
    targets = [current_wallet(world, due.worker) for due in row.dues]
    batch = world[WageBatch].add(employer=row.employer, case=case, file=file, status="draft")
    for due, target in zip(row.dues, targets, strict=True):
        world[WageLine].add(
            batch=batch.id,
            case=case,
            worker=due.worker,
            wallet=target.id,
            amount=due.wage,
            status="draft",
        )
    return batch


@wages.tool(writes=True)
def divide_wage_line(world: World, line: str, amounts: tuple[Wage, ...]) -> tuple[WageLine, ...]:
    """Divide a line of a drafted batch into several payments to the same wallet.

    The amounts add up to the line's; there are two at least and not more than the system takes.
    Returns the new lines; the old one is set aside.
    """
    row = world[WageLine][line]
    open_draft(world, row.batch)
    if row.status != "draft":
        raise Refused(f"{line} is {row.status}")
    most = world.policy.number("wages.parts.most", world.day)
    if not 2 <= len(amounts) <= most:
        raise Refused(f"amounts: two to {most} parts")
    if sum(amounts) != row.amount:
        raise Refused(f"amounts: they make {sum(amounts)} cents, the line has {row.amount}")
    world[WageLine].change(line, status="divided")
    return tuple(
        world[WageLine].add(
            batch=row.batch,
            case=row.case,
            worker=row.worker,
            wallet=row.wallet,
            amount=amount,
            status="draft",
        )
        for amount in amounts
    )


@wages.tool(writes=True)
def redirect_wage_line(world: World, line: str, wallet: str) -> WageLine:
    """Point a line of a drafted batch to another wallet of the same worker.

    Refused when the wallet is somebody else's or no longer in use, or the line goes there already.
    """
    row, target = world[WageLine][line], world[Wallet][wallet]
    open_draft(world, row.batch)
    if target.worker != row.worker:
        raise Refused(f"{wallet} belongs to {target.worker}")
    if target.status == "left" or target.id == row.wallet:
        raise Refused(f"{wallet} is {target.status}, and {line} goes to {row.wallet}")
    return world[WageLine].change(line, wallet=wallet)


@wages.tool(writes=True)
def seal_wage_batch(world: World, batch: str) -> WageBatch:
    """Close a drafted batch to changes, so that it can be quoted.

    Refused when a wallet in it was never answered for by its scheme, or the last answer for it is
    no_match.
    """
    open_draft(world, batch)
    for line in lines_of(world, batch):
        answer = latest_answer(world, line.wallet)
        if answer is None or answer.result == "no_match":
            said = "has no answer" if answer is None else f"was answered with {answer.result}"
            name = world[Worker][line.worker].name
            raise Refused(f"{line.wallet} of {name} {said}")
        if world[Wallet][line.wallet].status == "left":
            raise Refused(f"{line.wallet} is no longer in use")
    for line in lines_of(world, batch):
        world[WageLine].change(line.id, status="sealed")
    return world[WageBatch].change(batch, status="sealed")
