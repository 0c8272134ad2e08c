"""What is noted of a model's reply beside its words and calls."""

import msgspec

from bythebook.agents.protocol import Note
from bythebook.models.types import Reply, Usage
from bythebook.models.wire import MALFORMED


def notes_of(reply: Reply) -> list[Note]:
    """What the trace keeps of a reply: its usage, and whatever was odd about it."""
    notes = [usage_note(reply.usage)]
    if reply.tries > 1:
        notes.append(Note("asked_again", {"times": reply.tries - 1}))
    if reply.stop == "length":
        notes.append(Note("length_stop", {"half": reply.half.name} if reply.half else {}))
    if reply.stop == "refusal":
        notes.append(Note("refusal"))
    malformed = [call.name for call in reply.message.calls if MALFORMED in call.args]
    if malformed or reply.stop == "malformed":
        notes.append(Note("malformed", {"calls": malformed}))
    return notes


def usage_note(usage: Usage) -> Note:
    """The tokens of one reply."""
    return Note("usage", msgspec.to_builtins(usage))
