"""What a model that speaks for the customer may do wrong, and what it is told about it."""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

Kind = Literal[
    "speaks_as_agent",
    "volunteers",
    "approves_unseen",
    "forbidden",
    "turns_down",
    "speech_and_tool",
    "empty",
    "ends_early",
    "acts_twice",
    "invents_fact",
    "undecided",
    "says_undone",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

NOTE = "violation"
"""Name of the trace note; its args are a `Violation`."""


class Violation(msgspec.Struct, frozen=True):
    """One breach of the protocol in one draft; a draft breaches each kind at most once."""

    kind: Kind
    what: str


HINTS: Mapping[Kind, str] = {
    "speaks_as_agent": (
        "You are the customer and nobody else: write what the customer writes, and use only the "
        "customer's tools. Alder's agent writes for itself."
    ),
    "volunteers": "Nobody has asked for that. Leave it out and answer only what was asked.",
    "approves_unseen": "View the request with view_request first.",
    "forbidden": "Your own instructions forbid it. Decline the request and say why.",
    "turns_down": "Your own instructions allow it. Approve it, and take nothing back.",
    "speech_and_tool": (
        "Either words for Alder's agent or tool calls, never both in one reply, and no tool call "
        "written as words. Nothing of that reply was sent or done."
    ),
    "empty": "Say something to Alder's agent, in a sentence or two.",
    "ends_early": "The work is not over: stay, and answer what Alder's agent last wrote.",
    "acts_twice": "That was done before. Go on without it.",
    "invents_fact": (
        "Give no number and no reference that you have not been given. What you do not know, you "
        "do not know."
    ),
    "undecided": (
        "A filed request is decided with your tools, not with words: view it, then approve, amend "
        "or decline it. Then say in a sentence what you did."
    ),
    "says_undone": "Hand the document over with provide_document first, then say so.",
}
