"""Play one task: ask the agent for a move, let the scene answer, until it is over."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from bythebook.agents.protocol import Agent, Answer, Briefing
from bythebook.conduct.customer.hands import Voice
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask
from bythebook.trace import Event, Outcome

T = TypeVar("T")


async def play(scene: Scene, agent: Agent, voice: Voice) -> Outcome:
    """Play `scene` to its end. Every event is in `scene.events` and in its journal."""
    seen: Briefing | tuple[Answer, ...] = scene.briefing
    while scene.outcome is None:
        move = await agent.move(seen)
        answers = []
        for call in scene.accept(move):
            answer = scene.take(call)
            if scene.turn is not None:
                answer = scene.hear(await voice.answer(scene.turn, scene.hands), answer)
            answers.append(answer)
        seen = tuple(answers)
    return scene.close()


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run a play that waits for nothing (scripted agent and voice) without an event loop."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("this play waits for something outside; give it an event loop")


def rehearse(
    task: ConductTask, agent: Agent, record: Callable[[Event], None] | None = None
) -> Scene:
    """The scene of one whole play with the scripted customer, over; `agent` waits for nothing."""
    scene = Scene(task, record=record)
    at_once(play(scene, agent, ScriptedVoice(task.scenario)))
    return scene
