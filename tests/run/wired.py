"""A model that plays a task's golden: what a server on loopback says, turn by turn."""

from collections.abc import Iterable, Iterator
from typing import Any

from bythebook.agents.protocol import Answer, Briefing, Move
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask
from tests.model_server import Asked, Say, Spoken, Use


class Wired:
    """Works the next step out of the conversation alone, so that any number may go on at once."""

    def __init__(self, task: ConductTask, agent: str = "golden") -> None:
        self._scripts, self._agent = Scripts(task), agent
        self._scripts.agent(agent)

    def __call__(self, asked: Asked) -> Spoken:
        return self.after(results(asked.messages))

    def after(self, texts: Iterable[str]) -> Say:
        """The step that follows when the steps so far were answered so."""
        agent = self._scripts.agent(self._agent)
        move: Move = at_once(agent.move(Briefing("", "", ())))
        for text in texts:
            seen = tuple(Answer(call.id, text) for call in move.calls)
            move = at_once(agent.move(seen))
        calls = tuple(Use(call.name, call.args) for call in move.calls)
        return Say(text=move.text or ("" if calls else "That is all."), calls=calls)


def results(messages: list[dict[str, Any]]) -> Iterator[str]:
    """What every call so far was answered, in either dialect."""
    for message in messages:
        if message["role"] == "tool":
            yield message["content"]
        elif message["role"] == "user" and not isinstance(message["content"], str):
            for block in message["content"]:
                if block["type"] == "tool_result":
                    content = block["content"]
                    yield content if isinstance(content, str) else content[0]["text"]
