"""Cases: the thread that ties the work for one customer together, and escalation out of it."""

from typing import ClassVar, Literal

from bythebook.conduct.world import Row, World
from bythebook.tool import Day, Desk, Refused

EscalationReason = Literal[
    "policy_conflict", "over_authority", "suspected_fraud", "legal_hold", "customer_dispute",
    "deadline_at_risk", "prohibited_request",
]  # fmt: skip


class Case(Row, frozen=True):
    table: ClassVar[str] = "cases"
    prefix: ClassVar[str] = "CASE"

    party: str
    title: str
    opened: Day
    status: Literal["open", "on_hold", "closed"]
    handler: str


class CaseNote(Row, frozen=True):
    table: ClassVar[str] = "case_notes"
    prefix: ClassVar[str] = "NOTE"

    case: str
    text: str
    t: int


class Escalation(Row, frozen=True):
    table: ClassVar[str] = "escalations"
    prefix: ClassVar[str] = "ESC"

    case: str
    reason: EscalationReason
    clause: str
    """The document clause that calls for it: family#clause."""
    summary: str
    status: Literal["open", "answered"] = "open"


cases = Desk("cases", "Case files, notes and escalation.", rows=(Case, CaseNote, Escalation))


@cases.tool()
def case_file(world: World, case: str) -> tuple[CaseNote, ...]:
    """Read the notes on a case, oldest first."""
    world[Case][case]
    return tuple(world[CaseNote].where(case=case))


@cases.tool(writes=True, minutes=0, repeatable=True)
def add_case_note(world: World, case: str, text: str) -> CaseNote:
    """Put a note on an open case for the colleagues who come after.

    Refused on a closed case and when the text is empty.
    """
    if world[Case][case].status == "closed":
        raise Refused(f"{case} is closed")
    if not text.strip():
        raise Refused("text: say something")
    return world[CaseNote].add(case=case, text=text, t=world.t)


@cases.tool(writes=True)
def escalate_case(
    world: World, case: str, reason: EscalationReason, clause: str, summary: str
) -> Escalation:
    """Hand a decision to the duty manager, with the clause that takes it out of your hands.

    `clause` is written family#clause, as in `escalation-policy#1.1`. Work that needs no decision
    can go on. Refused on a closed case, or when the same reason is already open.
    """
    if world[Case][case].status == "closed":
        raise Refused(f"{case} is closed")
    if "#" not in clause:
        raise Refused("clause: name the document family and the clause, as in family#3.1")
    if world[Escalation].where(case=case, reason=reason, status="open"):
        raise Refused(f"{case} has an open escalation for {reason}")
    return world[Escalation].add(case=case, reason=reason, clause=clause, summary=summary)


@cases.tool(writes=True)
def set_case_status(world: World, case: str, status: Literal["open", "on_hold", "closed"]) -> Case:
    """Put a case on hold, reopen it or close it.

    Refused when the case already has that status, and when it is closed with an open escalation.
    """
    row = world[Case][case]
    if row.status == status:
        raise Refused(f"{case} is {status} already")
    if status == "closed" and world[Escalation].where(case=case, status="open"):
        raise Refused(f"{case} has an open escalation")
    return world[Case].change(case, status=status)
