"""What a scripted model says so that a harness plays a task right."""

from bythebook.agents.protocol import Briefing, Move
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask
from tests.model_server import Asked, Say, Spoken, Use

MESSAGE = "message_customer"


class Golden:
    """A task's golden. It goes by the turns in a conversation alone, so that any number may go on
    at once; the first message to the customer is said in words, which end the harness's turn."""

    def __init__(self, task: ConductTask) -> None:
        agent = Scripts(task).agent("golden")
        Scripts(task).agent("golden")
        self.moves = [at_once(agent.move(Briefing("", "", ())))]
        while self.moves[-1].calls:
            self.moves.append(at_once(agent.move(())))
        self.spoken = next(n for n, move in enumerate(self.moves) if _name(move) == MESSAGE)

    def __call__(self, asked: Asked) -> Spoken:
        if asked.turns >= len(self.moves) - 1:
            return Say("That is all.")
        (call,) = self.moves[asked.turns].calls
        if asked.turns == self.spoken:
            return Say(call.args["text"])
        return Say(calls=(Use(tool(asked, call.name), call.args),))


def _name(move: Move) -> str:
    return move.calls[0].name if move.calls else ""


def tool(asked: Asked, name: str) -> str:
    """A tool of the scene, as the harness calls it."""
    return next(
        one for one in asked.tools if one.endswith(f"desk_{name}") or one.endswith(f"desk__{name}")
    )
