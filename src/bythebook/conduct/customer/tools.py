"""The ten tools that the customer holds. They, not any voice, enforce the approval policy."""

from typing import Any, Literal, Protocol

from bythebook.conduct import consent
from bythebook.conduct.consent import Amendment, Approval, ApprovalRequest
from bythebook.conduct.world import Row, World
from bythebook.tool import Desk, Refused, Tool


class Policy(Protocol):
    """The scenario as far as the tools need it."""

    approval_minutes: int

    def records(self, world: World) -> tuple[Row, ...]:
        """The customer's own rows, as they are now."""

    def fact(self, id: str) -> str:
        """What the customer knows, in their words."""

    def allows(self, on: str, row: Row, world: World) -> str | None:
        """None when `on` a row may be approved, else the words with which it is declined."""

    def bring(self, id: str) -> Row:
        """The row that a document becomes. Raises `Refused` for one that they do not have."""


class Hands(Protocol):
    """What the customer's tools work on."""

    world: World
    scenario: Policy


customer = Desk("customer", "What the customer can do.")


@customer.tool()
def my_records(hands: Hands) -> tuple[Any, ...]:
    """Look at your own records with Alder: mandates, accounts, reserves."""
    return hands.scenario.records(hands.world)


@customer.tool()
def recall(hands: Hands, fact: str) -> str:
    """Call to mind one thing you know."""
    return hands.scenario.fact(fact)


@customer.tool()
def view_request(hands: Hands, request: str) -> Any:
    """See the exact terms of what Alder's agent asks you to approve or amend."""
    found = _request(hands.world, request)
    if isinstance(found, ApprovalRequest):
        return consent.approvable(hands.world, found.subject)
    return found


@customer.tool(writes=True, minutes=0)
def approve_request(hands: Hands, request: str) -> Approval:
    """Approve the terms you viewed. Refused when your own instructions forbid it."""
    found = _request(hands.world, request)
    if not isinstance(found, ApprovalRequest):
        raise Refused(f"{request} asks for an amendment; use amend_instruction")
    subject = consent.approvable(hands.world, found.subject)
    _permit(hands, "request_approval", subject)
    return consent.approve(hands.world, found, hands.scenario.approval_minutes)


@customer.tool(writes=True, minutes=0)
def decline_request(hands: Hands, request: str, reason: str) -> str:
    """Decline what you were asked for, and say why."""
    found = _request(hands.world, request)
    _open(found)
    hands.world[type(found)].change(found.id, status="declined")
    return reason


@customer.tool(writes=True, minutes=0)
def revoke_approval(hands: Hands, approval: str) -> Approval:
    """Take back an approval you gave; it no longer holds from now on."""
    row = hands.world[Approval][approval]
    if row.revoked is not None:
        raise Refused(f"{approval} was revoked before")
    return hands.world[Approval].change(approval, revoked=hands.world.t)


@customer.tool(writes=True, minutes=0)
def amend_instruction(hands: Hands, request: str) -> Any:
    """Change your standing instruction as asked. Refused when your own instructions forbid it."""
    found = _request(hands.world, request)
    if not isinstance(found, Amendment):
        raise Refused(f"{request} asks for an approval; use approve_request")
    _open(found)
    _permit(hands, "request_amendment", found)
    subject = consent.amendable(hands.world, found.subject, found.field)
    changed = consent.amended(subject, found.field, found.value)
    hands.world[Amendment].change(found.id, status="applied")
    hands.world.put(changed)
    return changed


@customer.tool(writes=True, minutes=0)
def provide_document(hands: Hands, document: str) -> Any:
    """Hand a document of yours to Alder."""
    row = hands.scenario.bring(document)
    if hands.world.tables.get(type(row).table, {}).get(row.id) is not None:
        raise Refused(f"{document} was handed over before")
    hands.world.put(row)
    return row


@customer.tool()
def ask_agent(hands: Hands, text: str) -> str:
    """Ask Alder's agent something back."""
    return text


@customer.tool()
def end_conversation(
    hands: Hands, reason: Literal["done", "out_of_patience", "no_longer_needed"]
) -> str:
    """Leave the conversation for good."""
    return reason


CUSTOMER: dict[str, Tool] = {tool.name: tool for tool in customer.tools}


def _request(world: World, key: str) -> ApprovalRequest | Amendment:
    found = world[ApprovalRequest].get(key) or world[Amendment].get(key)
    if found is None:
        raise Refused(f"there is no request {key!r}")
    return found


def _open(request: ApprovalRequest | Amendment) -> None:
    if request.status != "open":
        raise Refused(f"{request.id} is {request.status}, not open")


def _permit(hands: Hands, on: str, row: Row) -> None:
    refusal = hands.scenario.allows(on, row, hands.world)
    if refusal is not None:
        raise Refused(refusal)
