"""How an attempt of a harness ended, from what was seen of it.

The gateway's word goes first: it alone saw the provider, and it counts the same for every harness.
Then what ended the program from here, then what the harness says. Exit codes do not come into it,
but for those of a signal: a harness that was killed after its model had tools in hand was killed by
them, for all that can be known, and no agent may get rid of a run by that.
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


def outcome(said: Said, ran: Ran, gateway: Seen, *, out_of_time: bool = False) -> Outcome:
    """The outcome after a turn that was the last. `out_of_time`: the agent's own time was used up.

    An answer without words is the agent's own, like any other answer.
    """
    if out_of_time:
        return Outcome("limit", "agent_time", ran.ended)
    if gateway.ended is not None:
        return gateway.ended
    if ran.ended:
        return Outcome("limit", "resources", ran.ended)
    match said.ending:
        case "finished":
            return Outcome("completed", FINISHED)
        case "empty":
            return Outcome("completed", FINISHED, "its last answer had no words")
        case "cap":
            return Outcome("limit", "steps", said.says)
    if gateway.called and (name := killed_by(ran)):
        return Outcome("limit", "resources", f"ended by {name}, after its model had used tools")
    return Outcome("infrastructure_failure", "harness", said.says)


def killed_by(ran: Ran) -> str:
    """The signal that ended a program; empty where none did."""
    code = ran.code or 0
    number = -code if code < 0 else code - SIGNALLED
    known = {one.value for one in signal.Signals}
    return signal.Signals(number).name if number in known else ""
