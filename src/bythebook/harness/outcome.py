"""How an attempt of a harness ended, from what was seen of it.

The gateway's word goes first: it alone saw the provider, and it counts the same for every harness.
Then what ended the program from here, then what the harness says. Exit codes do not come into it.
"""

from bythebook.harness.adapter import Said
from bythebook.sandbox.process import Ran
from bythebook.trace import Outcome

FINISHED = "finished"


def outcome(said: Said, ran: Ran, gateway: Outcome | None, *, out_of_time: bool = False) -> Outcome:
    """The outcome after a turn that was the last. `out_of_time`: the agent's own time was used up.

    An answer without words is the agent's own, like any other answer.
    """
    if out_of_time:
        return Outcome("limit", "agent_time", ran.ended)
    if gateway is not None:
        return gateway
    if ran.ended:
        return Outcome("limit", "resources", ran.ended)
    match said.ending:
        case "finished":
            return Outcome("completed", FINISHED)
        case "empty":
            return Outcome("completed", FINISHED, "its last answer had no words")
        case "cap":
            return Outcome("limit", "steps", said.says)
    return Outcome("infrastructure_failure", "harness", said.says)
