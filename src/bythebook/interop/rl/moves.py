"""An agent's move as text: JSON of calls, or plain words for the customer."""

from typing import Any

import msgspec

from bythebook.agents.protocol import Call, Move, Note
from bythebook.models.wire import MALFORMED, UNREADABLE, read_json

HOW = """\
Your move is JSON: {"calls": [{"name": "now", "args": {}}]}, one call or several, made in order.
Words that are no JSON object are a message to the customer."""
NO_CALL = "(unreadable)"
"""Name of the call that a broken move counts as: refused, as a call of a tool that is not there."""


class SentCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    args: dict[str, Any] = {}
    id: str = ""


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    calls: tuple[SentCall, ...] = ()
    text: str = ""


def read_move(action: Move | str) -> tuple[Move, str]:
    """The move, and what is wrong with it. A broken one is a refused call, never an exception."""
    if isinstance(action, Move):
        return action, ""
    if not action.lstrip().startswith("{"):
        return Move(text=action), ""
    try:
        found = read_json(action)
        alone = "name" in found
        sent = msgspec.convert({"calls": [found]} if alone else found, Sent)
    except UNREADABLE as error:
        broken = Call(NO_CALL, {MALFORMED: action})
        note = Note("malformed", {"calls": [NO_CALL]})
        return Move((broken,), notes=(note,)), f"this move does not read: {error}\n{HOW}"
    calls = tuple(Call(one.name, one.args, one.id) for one in sent.calls)
    return Move(calls, sent.text), ""


def write_move(move: Move) -> str:
    """The text that `read_move` reads as this move; notes are left out."""
    sent = Sent(tuple(SentCall(one.name, one.args, one.id) for one in move.calls), move.text)
    return msgspec.json.encode(sent).decode()
