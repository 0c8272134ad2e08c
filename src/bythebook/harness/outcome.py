"""How an attempt of a harness ended, from what was seen of it.

The gateway's word goes before the harness's: it alone saw the provider, and it counts the same for
every harness. Exit codes do not come into it, but for those of a signal.

A harness runs commands of its model's beside itself, and they can reach all that it can. So what
they can bring about is never ours to answer for, or an agent could get rid of a run that goes
badly: a signal after the model had a tool in hand, and calls of the model that fail beside a
conversation that came to its end.
"""

import signal
from typing import Protocol

from bythebook.harness.adapter import Said
from bythebook.sandbox.process import Ran
from bythebook.trace import Outcome

FINISHED = "finished"
SIGNALLED = 128
"""Added to a signal's number where a shell or a sandbox tells of it."""


class Seen(Protocol):
    """What a gateway knows of an attempt."""

    @property
    def ended(self) -> Outcome | None: ...
    @property
    def called(self) -> bool: ...
    def said(self, words: str) -> bool: ...


def outcome(said: Said, ran: Ran, gateway: Seen, *, out_of_time: bool = False) -> Outcome:
    """The outcome after a turn that was the last. `out_of_time`: the agent's own time was used up.

    An answer without words is the agent's own, like any other answer.
    """
    if out_of_time:
        return Outcome("limit", "agent_time", ran.ended)
    known, own = gateway.ended, _its_own_end(said)
    if known is not None and known.counts:
        return known
    if why := ran.ended or _killed(said, ran, gateway):
        return Outcome("limit", "resources", why)
    if own is not None and gateway.said(said.text):
        return own
    return known or own or _by_its_word(said)


def _its_own_end(said: Said) -> Outcome | None:
    match said.ending:
        case "finished":
            return Outcome("completed", FINISHED)
        case "empty":
            return Outcome("completed", FINISHED, "its last answer had no words")
    return None


def _by_its_word(said: Said) -> Outcome:
    if said.ending == "cap":
        return Outcome("limit", "steps", said.says)
    return Outcome("infrastructure_failure", "harness", said.says)


def _killed(said: Said, ran: Ran, gateway: Seen) -> str:
    """By a command of its model's, for all that can be known; empty: it was not."""
    name = killed_by(ran) if gateway.called and _its_own_end(said) is None else ""
    return f"ended by {name}, after its model had used tools" if name else ""


def killed_by(ran: Ran) -> str:
    """The signal that ended a program; empty where none did."""
    code = ran.code or 0
    number = -code if code < 0 else code - SIGNALLED
    known = {one.value for one in signal.Signals}
    return signal.Signals(number).name if number in known else ""
