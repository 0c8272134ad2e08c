"""Statistics of a deliverables run: what its agent did, how much of it, and what it left.

A pure function of the trace. No verdict hangs on it.
"""

from collections import Counter
from typing import TypeVar

import msgspec

from bythebook.deliverables.workspace import Collection, InputChange
from bythebook.errors import TraceError
from bythebook.run.statistics import Tokens, tokens
from bythebook.trace import Trace

LAID_OUT, INPUTS, COLLECTED = "workspace", "inputs", "collected"
"""Names of the notes that tell what the workspace was, what became of the inputs, and what was
handed over."""


class Touched(msgspec.Struct, frozen=True):
    """The note `inputs`."""

    touched: tuple[InputChange, ...] = ()


N = TypeVar("N", Collection, Touched)


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """Of one run."""

    turns: int
    """The agent's moves."""
    calls: int
    by_tool: dict[str, int]
    """Refused calls too; names that are no tool's count as themselves."""
    errors: int
    """Calls that were refused."""
    tokens: Tokens
    length_stops: int
    """Turns cut off by the longest reply."""
    files: int
    """Handed over."""
    bytes: int
    refused: int
    """Links, devices and what was too much, left in `results/` and taken out."""
    inputs_touched: int
    """Inputs changed or deleted."""


def effort(trace: Trace) -> Effort:
    """Counted from the trace of a deliverables run."""
    calls = [event for event in trace.events if event.kind == "call"]
    notes = [event for event in trace.events if event.kind == "note"]
    handed = collected(trace)
    return Effort(
        turns=max((event.move or 0 for event in trace.events), default=0),
        calls=len(calls),
        by_tool=dict(sorted(Counter(call.name for call in calls).items())),
        errors=sum(not call.ok for call in calls),
        tokens=tokens(notes),
        length_stops=sum(note.name == "length_stop" for note in notes),
        files=len(handed.files),
        bytes=sum(file.size for file in handed.files),
        refused=len(handed.refused),
        inputs_touched=len(touched(trace)),
    )


def collected(trace: Trace) -> Collection:
    """What the trace says was handed over; nothing where it does not say."""
    return _last(trace, COLLECTED, Collection)


def touched(trace: Trace) -> tuple[InputChange, ...]:
    """Inputs that were changed or deleted."""
    return _last(trace, INPUTS, Touched).touched


def _last(trace: Trace, name: str, kind: type[N]) -> N:
    for event in reversed(trace.events):
        if event.kind == "note" and event.actor == "company" and event.name == name:
            try:
                return msgspec.json.decode(event.args, type=kind)
            except msgspec.MsgspecError as error:
                what = f"event {event.i} does not read: {error}"
                raise TraceError(what, where=trace.header.task) from None
    return kind()
