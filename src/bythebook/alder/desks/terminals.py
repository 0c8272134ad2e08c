"""Card terminals in shops: their batches of sales, and engineers who swap old ones for new."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.pricing import Amount, Shop, fee_of
from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Desk, Refused

Model = Literal["counter", "portable"]


class CardTerminal(Row, frozen=True):
    table: ClassVar[str] = "card_terminals"
    prefix: ClassVar[str] = "TRM"

    shop: str
    model: Model
    certificate_until: Day
    """The last day on which the networks take sales from it."""
    status: Literal["live", "dark", "swapped"] = "live"
    """Dark: it takes no cards. Swapped: a new one stands in its place."""


class TerminalBatch(Row, frozen=True):
    """Sales that a terminal has taken and that are priced and settled together."""

    table: ClassVar[str] = "terminal_batches"
    prefix: ClassVar[str] = "TBT"

    terminal: str
    shop: str
    opened: Day
    sales: Annotated[int, Meta(ge=0)]
    amount: Amount
    status: Literal["open", "closed", "settling", "settled", "carried"] = "open"
    """Carried: it went over to the new terminal unsettled."""
    plan: str | None = None
    """The plan by which it was priced."""
    fee: Amount | None = None


class SwapSlot(Row, frozen=True):
    """Time of an engineer with a new terminal of one model in the van."""

    table: ClassVar[str] = "swap_slots"
    prefix: ClassVar[str] = "SWS"

    engineer: str
    day: Day
    start: str
    minutes: Annotated[int, Meta(ge=1)]
    model: Model
    terminal: str | None = None
    status: Literal["free", "booked", "done", "missed"] = "free"


terminals = Desk(
    "terminals",
    "Card terminals in shops: batches of sales, swaps by an engineer.",
    rows=(CardTerminal, TerminalBatch, SwapSlot),
)


def _begun(world: World, slot: SwapSlot) -> bool:
    if slot.day != world.day:
        return slot.day < world.day
    return world.minute(slot.start) <= world.t


@terminals.tool()
def free_swap_slots(world: World, day: Day) -> tuple[SwapSlot, ...]:
    """List the engineers' free slots on one day, by starting time, with the model in the van.

    Slots that have begun are left out.
    """
    found = [s for s in world[SwapSlot].where(day=day, status="free") if not _begun(world, s)]
    return tuple(sorted(found, key=lambda s: (s.start, s.id)))


@terminals.tool(writes=True)
def book_terminal_swap(world: World, slot: str, terminal: str) -> SwapSlot:
    """Send an engineer to swap a terminal in a free slot.

    Refused when the slot is taken or has begun, when the van holds another model, and when the
    terminal is swapped or booked already.
    """
    row, till = world[SwapSlot][slot], world[CardTerminal][terminal]
    if row.status != "free":
        raise Refused(f"{slot} is {row.status}")
    if _begun(world, row):
        raise Refused(f"{slot} has begun")
    if row.model != till.model:
        raise Refused(f"{slot} brings the {row.model} model, {terminal} is {till.model}")
    if till.status == "swapped" or world[SwapSlot].where(terminal=terminal, status="booked"):
        raise Refused(f"{terminal} is swapped or booked already")
    if row.day == world.day:
        due = world.minute(row.start)
        world.schedule("engineer_at_shop", due=due, priority=7, slot=slot, terminal=terminal)
    return world[SwapSlot].change(slot, status="booked", terminal=terminal)


@terminals.tool(writes=True)
def cancel_terminal_swap(world: World, slot: str) -> SwapSlot:
    """Call an engineer off before the slot begins; the slot is free again.

    Refused when nothing is booked in it, or when it has begun.
    """
    row = world[SwapSlot][slot]
    if row.status != "booked":
        raise Refused(f"{slot} is {row.status}")
    if _begun(world, row):
        raise Refused(f"{slot} has begun")
    return world[SwapSlot].change(slot, status="free", terminal=None)


@terminals.event
def engineer_at_shop(world: World, slot: str, terminal: str) -> None:
    """The engineer finds the shop open and swaps, or finds that it shuts before the work is done.

    What is not settled by then goes over to the new terminal and is priced by the shop's plan.
    """
    row = world[SwapSlot][slot]
    if (row.status, row.terminal) != ("booked", terminal):
        return
    shop = world[Shop][world[CardTerminal][terminal].shop]
    if world.minute(row.start) + row.minutes > world.minute(shop.closes):
        world[SwapSlot].change(slot, status="missed")
        return
    for batch in world[TerminalBatch].where(terminal=terminal):
        if batch.status in ("open", "closed", "settling"):
            _price(world, batch, "carried")
    world[CardTerminal].change(terminal, status="swapped")
    world[SwapSlot].change(slot, status="done")


def _price(world: World, batch: TerminalBatch, status: Literal["settled", "carried"]) -> None:
    plan = world[Shop][batch.shop].plan
    fee = fee_of(world, plan, batch.sales, batch.amount)
    world[TerminalBatch].change(batch.id, status=status, plan=plan, fee=fee)


@terminals.tool(writes=True, minutes=5, retired="close_terminal_batch")
def cash_up_shop(world: World, shop: str) -> tuple[TerminalBatch, ...]:
    """Cash up every till of a shop at once and send the day to settlement.

    Out of use since August 2025.
    """
    raise Refused("cash_up_shop is retired")


@terminals.tool(writes=True)
def close_terminal_batch(world: World, terminal: str) -> TerminalBatch:
    """Close the open batch of a terminal; the terminal goes dark and takes no cards.

    Refused when the terminal has no open batch.
    """
    world[CardTerminal][terminal]
    found = world[TerminalBatch].where(terminal=terminal, status="open")
    if not found:
        raise Refused(f"{terminal} has no open batch")
    world[CardTerminal].change(terminal, status="dark")
    return world[TerminalBatch].change(found[-1].id, status="closed")


@terminals.tool(writes=True)
def settle_terminal_batch(world: World, batch: str) -> TerminalBatch:
    """Send a closed batch to settlement; it is priced by the shop's plan when it is through.

    It is through some minutes later, see the desk's manual. Refused unless the batch is closed.
    """
    row = world[TerminalBatch][batch]
    if row.status != "closed":
        raise Refused(f"{batch} is {row.status}, not closed")
    due = world.t + world.policy.number("terminal.batch.minutes", world.day)
    world.schedule("batch_through", due=due, priority=3, batch=batch)
    return world[TerminalBatch].change(batch, status="settling")


@terminals.event
def batch_through(world: World, batch: str) -> None:
    """The networks have taken the batch, unless it left with the new terminal meanwhile."""
    row = world[TerminalBatch][batch]
    if row.status == "settling":
        _price(world, row, "settled")


@terminals.tool(writes=True)
def reopen_terminal(world: World, terminal: str) -> TerminalBatch:
    """Let a dark terminal take cards again, with a new batch.

    Refused unless the terminal is dark.
    """
    row = world[CardTerminal][terminal]
    if row.status != "dark":
        raise Refused(f"{terminal} is {row.status}, not dark")
    world[CardTerminal].change(terminal, status="live")
    return world[TerminalBatch].add(
        terminal=terminal, shop=row.shop, opened=world.day, sales=0, amount=0
    )
