"""What a scripted model says so that a harness plays a task right.

Each goes by the turns in a conversation alone, so that any number may go on at once.
"""

import base64
from collections.abc import Sequence
from pathlib import Path

from bythebook.agents.protocol import Briefing, Call
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask
from tests.harness.test_turns import SHELLS
from tests.model_server import Asked, Say, Spoken, Use

MESSAGE = "message_customer"


class Golden:
    """A task's golden. The first message to the customer is said in words: they end the harness's
    turn, and the answer begins the next."""

    def __init__(self, task: ConductTask) -> None:
        self.calls = tuple(_calls(task))
        self.spoken = [call.name for call in self.calls].index(MESSAGE)

    def __call__(self, asked: Asked) -> Spoken:
        if asked.turns >= len(self.calls):
            return Say("That is all.")
        call = self.calls[asked.turns]
        if asked.turns == self.spoken:
            return Say(call.args["text"])
        return Say(calls=(Use(tool(asked, call.name), call.args),))


def _calls(task: ConductTask) -> list[Call]:
    agent, found = Scripts(task).agent("golden"), list[Call]()
    move = at_once(agent.move(Briefing("", "", ())))
    while move.calls:
        found += move.calls
        move = at_once(agent.move(()))
    return found


def tool(asked: Asked, name: str) -> str:
    """A tool that the harness was given, as it calls it: `mcp__desk__now`, `mcp_desk_now`."""
    ends = (f"desk_{name}", f"desk__{name}")
    return next(one for one in asked.tools if one.endswith(ends))


class Commands:
    """Lines of shell, one a turn, then words."""

    def __init__(self, harness: str, lines: Sequence[str], last: str = "All is done.") -> None:
        self.harness, self.lines, self.last = harness, tuple(lines), last

    def __call__(self, asked: Asked) -> Spoken:
        if asked.turns >= len(self.lines):
            return Say(self.last)
        shell, argument = SHELLS[self.harness]
        says = "I look first." if asked.turns == 0 else ""
        return Say(says, calls=(Use(shell, {argument: self.lines[asked.turns]}),))


def handing_over(files: Sequence[Path]) -> list[str]:
    """Lines that write these very files into `results/`."""
    told = [(file.name, base64.b64encode(file.read_bytes()).decode()) for file in files]
    return [f"echo {data} | base64 -d >results/{name}" for name, data in told]
