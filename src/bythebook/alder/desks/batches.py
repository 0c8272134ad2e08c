"""Batches: several payouts and incoming credits worked off in one go."""

from typing import ClassVar, Literal

from bythebook.alder.desks import limits
from bythebook.alder.desks.cases import Case
from bythebook.alder.desks.payouts import Payout, draft, fee_account, send_out, worth
from bythebook.alder.desks.settlements import ExpectedCredit, fits, post_received
from bythebook.alder.desks.treasury import within_reach
from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused


class Batch(Row, frozen=True):
    table: ClassVar[str] = "batches"
    prefix: ClassVar[str] = "BAT"

    party: str
    case: str
    payouts: tuple[str, ...]
    credits: tuple[str, ...]
    credit_to: str | None
    """Where the credits of the batch are posted."""
    status: Literal["open", "done", "dropped"]


batches = Desk("batches", "Working off several payouts and credits in one go.", rows=(Batch,))


def _known(world: World, party: str, payouts: tuple[str, ...], credits: tuple[str, ...]) -> None:
    if not payouts or len(set(payouts)) < len(payouts) or len(set(credits)) < len(credits):
        raise Refused("payouts: at least one, and nothing twice")
    owners = {draft(world, payout).party for payout in payouts}
    owners |= {world[ExpectedCredit][credit].owner for credit in credits}
    if owners != {party}:
        raise Refused(f"not everything belongs to {party}: {', '.join(sorted(owners))}")


@batches.tool(writes=True, repeatable=True)
def open_batch(
    world: World,
    case: str,
    payouts: tuple[str, ...],
    credits: tuple[str, ...] = (),
    credit_to: str | None = None,
) -> Batch:
    """Put drafted payouts, and received credits if wanted, together in a batch.

    All of one customer. `credit_to` is the account or collateral account for the credits. Opening a
    batch moves nothing.
    """
    world[Case][case]
    party = draft(world, payouts[0]).party if payouts else ""
    _known(world, party, payouts, credits)
    if bool(credits) != (credit_to is not None):
        raise Refused("credits and credit_to go together")
    for credit in credits:
        fits(world, world[ExpectedCredit][credit], credit_to or "")
    return world[Batch].add(
        party=party,
        case=case,
        payouts=payouts,
        credits=credits,
        credit_to=credit_to,
        status="open",
    )


@batches.tool(writes=True)
def run_batch(world: World, batch: str) -> Batch:
    """Run an open batch: everything in it is released and posted, or nothing.

    Refused as a whole when one payout is no draft, one credit has not been received, or funds or
    today's limit do not carry all payouts.
    """
    row = _open(world, batch)
    _known(world, row.party, row.payouts, row.credits)
    _carries(world, [draft(world, payout) for payout in row.payouts])
    for credit in row.credits:
        if world[ExpectedCredit][credit].status != "received":
            raise Refused(f"{credit} has not been received, or was posted before")
    for payout in row.payouts:
        send_out(world, draft(world, payout))
    for credit in row.credits:
        post_received(world, credit, row.credit_to or "")
    return world[Batch].change(batch, status="done")


@batches.tool(writes=True)
def drop_batch(world: World, batch: str) -> Batch:
    """Give up an open batch; its payouts stay drafts and can be released singly."""
    _open(world, batch)
    return world[Batch].change(batch, status="dropped")


@batches.tool()
def batch_totals(world: World, batch: str) -> tuple[str, ...]:
    """Say what each payment source of a batch would lose in all, without running it."""
    row = world[Batch][batch]
    totals = _totals([world[Payout][payout] for payout in row.payouts])
    return tuple(f"{funding}: {total} cents" for funding, total in sorted(totals.items()))


def _open(world: World, batch: str) -> Batch:
    row = world[Batch][batch]
    if row.status != "open":
        raise Refused(f"{batch} is {row.status}")
    return row


def _totals(rows: list[Payout]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for row in rows:
        totals[row.funding] = totals.get(row.funding, 0) + row.amount
    return totals


def _carries(world: World, rows: list[Payout]) -> None:
    """Check funds, fees and limit for all payouts together."""
    over = limits.objection(world, rows[0].party, sum(worth(world, row) for row in rows))
    if over:
        raise Refused(over)
    payer = fee_account(world, rows[0].party)
    totals = _totals(rows)
    totals[payer.id] = totals.get(payer.id, 0) + sum(row.fee for row in rows)
    for funding, total in totals.items():
        reach = within_reach(world, funding)
        if total > reach:
            raise Refused(f"{funding} can give {reach} cents, not {total}")
