"""Proof that a milestone has been reached: what makers hand in, and who goes to look."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bythebook.alder.desks.escrow import EscrowOrder
from bythebook.alder.desks.milestones import MilestoneLetter
from bythebook.conduct.world import Row, World, days_between
from bythebook.tool import Day, Desk, Refused

Finding = Literal["complete", "incomplete", "not_found"]
Minutes = Annotated[int, Meta(gt=0)]


class MilestoneProof(Row, frozen=True):
    """What a maker has handed in to show that a milestone is reached."""

    table: ClassVar[str] = "milestone_proofs"
    prefix: ClassVar[str] = "PRF"

    letter: str
    order: str
    what: str
    handed_in: Day
    status: Literal["handed_in", "confirmed", "rejected"] = "handed_in"
    report: str | None = None
    """The report it was confirmed on."""


class Inspector(Row, frozen=True):
    table: ClassVar[str] = "inspectors"
    prefix: ClassVar[str] = "INS"

    name: str
    admitted_until: Day
    """Last day of the admission to the panel."""
    paid_work: tuple[str, ...] = ()
    """Parties that have paid the inspector for other work in the last twelve months."""


class InspectionSlot(Row, frozen=True):
    """A stretch of an inspector's day, in one town."""

    table: ClassVar[str] = "inspection_slots"
    prefix: ClassVar[str] = "SLT"

    inspector: str
    town: str
    day: Day
    start: str
    minutes: Minutes
    status: Literal["free", "booked", "done"] = "free"
    proof: str | None = None
    mark: str | None = None


class InspectionReport(Row, frozen=True):
    table: ClassVar[str] = "inspection_reports"
    prefix: ClassVar[str] = "IRP"

    proof: str
    inspector: str
    kind: Literal["photo", "on_site"]
    mark: str
    finding: Finding
    day: Day


class WorkPiece(Row, frozen=True):
    """What truly stands in a workshop. Nobody at Alder can see it from a desk."""

    table: ClassVar[str] = "work_pieces"
    prefix: ClassVar[str] = "WPC"
    private: ClassVar[bool] = True

    order: str
    mark: str
    complete: bool


proofs = Desk(
    "proofs",
    "Proof of milestones and deliveries, inspections, the panel of inspectors.",
    rows=(MilestoneProof, Inspector, InspectionSlot, InspectionReport, WorkPiece),
)


def _start(world: World, slot: InspectionSlot) -> int:
    """The minute at which a slot begins."""
    return days_between(world.day_at(0), slot.day) * 24 * 60 + world.minute(slot.start)


def _open(world: World, key: str) -> MilestoneProof:
    proof = world[MilestoneProof][key]
    if proof.status != "handed_in":
        raise Refused(f"{key} is {proof.status}")
    return proof


@proofs.tool()
def free_inspection_slots(world: World, town: str, day: Day) -> tuple[InspectionSlot, ...]:
    """List the free slots of inspectors in one town on one day, by starting time.

    Slots that have begun are left out.
    """
    found = world[InspectionSlot].where(town=town, day=day, status="free")
    return tuple(
        sorted((s for s in found if _start(world, s) > world.t), key=lambda s: (s.start, s.id))
    )


@proofs.tool(writes=True)
def hand_in_proof(world: World, letter: str, what: str) -> MilestoneProof:
    """Enter what a maker has handed in as proof of the milestone of a letter.

    Refused when the letter is no longer in force, when a proof of it is waiting or confirmed, and
    when `what` is empty.
    """
    row = world[MilestoneLetter][letter]
    if row.status != "in_force":
        raise Refused(f"{letter} is {row.status}")
    if any(p.status != "rejected" for p in world[MilestoneProof].where(letter=letter)):
        raise Refused(f"{letter} has a proof already")
    if not what.strip():
        raise Refused("what: say what was handed in")
    return world[MilestoneProof].add(letter=letter, order=row.order, what=what, handed_in=world.day)


@proofs.tool(writes=True)
def book_inspection(world: World, slot: str, proof: str, mark: str) -> InspectionSlot:
    """Send an inspector to look at the piece that a proof is about.

    `mark` is what the inspector looks for, exactly as it stands on the piece. The report is on file
    at the end of the slot. Refused when the slot is taken, has begun or is in another town than the
    workshop, and when the proof is not waiting.
    """
    row, paper = world[InspectionSlot][slot], _open(world, proof)
    if row.status != "free":
        raise Refused(f"{slot} is {row.status}")
    start = _start(world, row)
    if start <= world.t:
        raise Refused(f"{slot} has begun")
    town = world[EscrowOrder][paper.order].town
    if town != row.town:
        raise Refused(f"{slot} is in {row.town}, the workshop in {town}")
    mark = mark.strip().upper()
    if not mark:
        raise Refused("mark: what shall the inspector look for?")
    world.schedule("inspection_done", due=start + row.minutes, slot=slot, proof=proof, mark=mark)
    return world[InspectionSlot].change(slot, status="booked", proof=proof, mark=mark)


@proofs.tool(writes=True)
def cancel_inspection(world: World, slot: str) -> InspectionSlot:
    """Call off a booked inspection before it begins; the slot is free again.

    Refused when nothing is booked in the slot, or when it has begun.
    """
    row = world[InspectionSlot][slot]
    if row.status != "booked":
        raise Refused(f"{slot} is {row.status}")
    if _start(world, row) <= world.t:
        raise Refused(f"{slot} has begun")
    return world[InspectionSlot].change(slot, status="free", proof=None, mark=None)


@proofs.event
def inspection_done(world: World, slot: str, proof: str, mark: str) -> None:
    """The inspector has looked for the piece with the mark, and reports."""
    row = world[InspectionSlot][slot]
    if (row.status, row.proof, row.mark) != ("booked", proof, mark):
        return
    order = world[MilestoneProof][proof].order
    pieces = world[WorkPiece].where(order=order, mark=mark)
    finding: Finding = "not_found"
    if pieces:
        finding = "complete" if pieces[0].complete else "incomplete"
    world[InspectionSlot].change(slot, status="done")
    world[InspectionReport].add(
        proof=proof,
        inspector=row.inspector,
        kind="on_site",
        mark=mark,
        finding=finding,
        day=world.day,
    )


@proofs.tool(writes=True)
def confirm_proof(world: World, proof: str, report: str) -> MilestoneProof:
    """Confirm a milestone's proof on an inspector's report.

    Refused when the proof is not waiting, and when the report is about another proof or does not
    find the work complete.
    """
    _open(world, proof)
    paper = world[InspectionReport][report]
    if paper.proof != proof:
        raise Refused(f"{report} is about {paper.proof}, not {proof}")
    if paper.finding != "complete":
        raise Refused(f"{report} says {paper.finding}, not complete")
    return world[MilestoneProof].change(proof, status="confirmed", report=report)
