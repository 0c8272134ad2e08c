"""Scripts for Inspect's mock model: the moves of an agent of ours, said by a model."""

from collections.abc import Callable
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall

from bythebook.agents.protocol import Answer, Briefing, Move
from bythebook.conduct.golden.cast import scripted_agent
from bythebook.conduct.play import rehearse
from bythebook.conduct.task import ConductTask
from bythebook.interop.inspect_ai_tasks.conduct import tasks_of

MODEL = "mockllm/model"


class Heard:
    """An agent whose moves are written down."""

    def __init__(self, name: str, task: ConductTask) -> None:
        self.name, self.moves = name, list[Move]()
        self._agent = scripted_agent(name, task)

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        self.moves.append(await self._agent.move(seen))
        return self.moves[-1]


def conduct_task(name: str) -> ConductTask:
    """The very task that Inspect plays, so that the company is loaded once."""
    return tasks_of((), (name,))[0]


def moves_of(agent: str, task: ConductTask) -> list[Move]:
    heard = Heard(agent, task)
    rehearse(task, heard)
    return heard.moves


def output(move: Move, number: int) -> ModelOutput:
    """A move as a reply of a model. Tokens are told, or the mock model counts them with a table
    that it has to download."""
    calls = [
        ToolCall(id=f"call-{number}-{place}", function=call.name, arguments=dict(call.args))
        for place, call in enumerate(move.calls)
    ]
    message = ChatMessageAssistant(content=move.text, tool_calls=calls or None)
    stop: Any = "tool_calls" if calls else "stop"
    return ModelOutput(
        model="model",
        choices=[ChatCompletionChoice(message=message, stop_reason=stop)],
        usage=ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110),
    )


Says = Callable[..., Any]


def script(moves: list[Move]) -> Says:
    """Says the next move by the turns that a conversation holds: fit for many samples at once."""

    def says(messages: list[Any], *_: Any) -> ModelOutput:
        turn = sum(message.role == "assistant" for message in messages)
        return output(moves[turn], turn)

    return says


def mock(says: Says) -> Any:
    return get_model(MODEL, custom_outputs=says, memoize=False)
