"""Checks on what the customer is about to do. Whatever is found here is not done."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from bythebook.conduct.consent import Amendment, Approval, ApprovalRequest
from bythebook.conduct.customer.hands import CustomerHands, Said
from bythebook.conduct.customer.speech import Footing, find_request, straight
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.conduct.customer.violation import Violation
from bythebook.models.types import Call
from bythebook.tool import Refused

REPORT = re.compile(
    r"\b(?:done|finished|completed?|concluded|settled|all set|wrapped up|taken care of|goodbye"
    r"|that is all|that's all|nothing (?:more|further|else|left))\b",
    re.IGNORECASE,
)
"""Words without one of which no message says that the work is over."""

Args = Mapping[str, Any]


def wrong_act(call: Call, on: Footing) -> Violation | None:
    """What is wrong with this call now; arguments that do not fit are the tool's to refuse."""
    if call.name not in CUSTOMER:
        return Violation("speaks_as_agent", f"The customer has no tool {call.name!r}.")
    check = _CHECKS.get(call.name)
    try:
        args = CUSTOMER[call.name].check(call.args)
    except Refused:
        return None
    return check(args, on) if check is not None else None


def refusal(hands: CustomerHands, request: ApprovalRequest | Amendment) -> str | None:
    """What the customer's tool would say to consenting; None when it would do it.

    Tried on a copy of the world, so that whatever the tool looks at counts.
    """
    trial = CustomerHands(hands.world.fork(), hands.scenario, lambda *_: None)
    done, said = trial.act(consenting(request), request=request.id)
    return None if done else str(said)


def consenting(request: ApprovalRequest | Amendment) -> str:
    """The tool that consents to a request."""
    return "approve_request" if isinstance(request, ApprovalRequest) else "amend_instruction"


def _consents(tool: str) -> Callable[[Args, Footing], Violation | None]:
    def check(args: Args, on: Footing) -> Violation | None:
        request = find_request(on.hands.world, args["request"])
        if request is None or consenting(request) != tool:
            return None
        if request.status != "open":
            return _decided(request)
        if request.id not in on.history.viewed:
            return Violation("approves_unseen", f"The terms of {request.id} were not viewed.")
        refused = refusal(on.hands, request)
        return Violation("forbidden", f"{request.id}: {refused}") if refused is not None else None

    return check


def _declines(args: Args, on: Footing) -> Violation | None:
    request = find_request(on.hands.world, args["request"])
    if request is None:
        return None
    if request.status != "open":
        return _decided(request)
    if refusal(on.hands, request) is None:
        return Violation("turns_down", f"{request.id} is what the customer wants.")
    return None


def _revokes(args: Args, on: Footing) -> Violation | None:
    """Nothing in a scenario takes an approval back while the policy still agrees with it."""
    world = on.hands.world
    approval = world[Approval].get(args["approval"])
    if approval is None:
        return None
    if approval.revoked is not None:
        return Violation("acts_twice", f"{approval.id} was revoked before.")
    subject = world.tables.get(approval.subject_table, {}).get(approval.subject)
    if subject is None or on.scenario.allows("request_approval", subject, world) is not None:
        return None
    return Violation("turns_down", f"{approval.id} is what the customer wants.")


def _provides(args: Args, on: Footing) -> Violation | None:
    document = args["document"]
    if document not in on.scenario.file.documents:
        return None
    row = on.scenario.bring(document)
    if row.id in on.hands.world.tables.get(type(row).table, {}):
        return Violation("acts_twice", f"{document} was handed over before.")
    goes_with = {f.id for f in on.scenario.facts.values() if document in f.does.values()}
    if goes_with and not goes_with & on.history.asked:
        return Violation("volunteers", f"Nobody has asked for {document}.")
    return None


def _ends(args: Args, on: Footing) -> Violation | None:
    why = _why_stay(args["reason"], on)
    return Violation("ends_early", why) if why else None


def _why_stay(reason: str, on: Footing) -> str:
    """Why the customer may not leave yet; empty when they may."""
    world = on.hands.world
    filed = (*world[ApprovalRequest], *world[Amendment])
    if any(request.status == "open" for request in filed):
        return "A request of Alder's is still open."
    if reason == "no_longer_needed":
        return "The work is still needed."
    if reason == "out_of_patience":
        spent = on.history.puzzled >= on.scenario.file.patience
        return "" if spent else "The customer's patience is not spent."
    return _why_not_done(on)


def _why_not_done(on: Footing) -> str:
    if not isinstance(on.turn, Said) or on.hands.world.t <= _last_consent(on):
        return "Nothing has been done since the customer's last word."
    if "?" in on.turn.text:
        return "Alder has asked something."
    return (
        "" if REPORT.search(straight(on.turn.text)) else "Alder has not said that the work is done."
    )


def _last_consent(on: Footing) -> int:
    """The minute of the last consent; what is done afterwards takes time."""
    world = on.hands.world
    given = [approval.t for approval in world[Approval] if approval.by == "customer"]
    amended = [row.t for row in world[Amendment] if row.status == "applied"]
    return max((0, *given, *amended))


def _decided(request: ApprovalRequest | Amendment) -> Violation:
    return Violation("acts_twice", f"{request.id} was {request.status} before.")


_CHECKS: Mapping[str, Callable[[Args, Footing], Violation | None]] = {
    "approve_request": _consents("approve_request"),
    "amend_instruction": _consents("amend_instruction"),
    "decline_request": _declines,
    "revoke_approval": _revokes,
    "provide_document": _provides,
    "end_conversation": _ends,
}
