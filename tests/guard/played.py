"""An agent of a conduct task, played through a guard."""

from dataclasses import dataclass, field

from bythebook.agents.protocol import Agent, Answer, Briefing, Call
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask
from bythebook.guard import Decision, Guard, TaskRules


@dataclass
class Guarded:
    """What came of it."""

    scene: Scene
    guard: Guard
    decisions: list[Decision] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    """Number of the first event of each call that was made."""

    @property
    def stopped(self) -> list[Decision]:
        return [one for one in self.decisions if one.verdict != "pass"]


def guarded(task: ConductTask, agent: Agent, guard: Guard | None = None) -> Guarded:
    """Play to the end, or to the first call that the guard refuses."""
    scene, voice = Scene(task), ScriptedVoice(task.scenario)
    found = Guarded(scene, guard or Guard(TaskRules(task), mode="log"))
    seen: Briefing | tuple[Answer, ...] = scene.briefing
    while scene.outcome is None:
        answers = []
        for call in scene.accept(at_once(agent.move(seen))):
            answer = _made(found, call, voice)
            if answer is None:
                return found
            answers.append(answer)
        seen = tuple(answers)
    return found


def _made(found: Guarded, call: Call, voice: ScriptedVoice) -> Answer | None:
    decision = found.guard.ask(call.name, call.args)
    found.decisions.append(decision)
    if decision.verdict == "refuse":
        return None
    scene = found.scene
    found.starts.append(len(scene.events))
    answer = scene.take(call)
    if scene.turn is not None:
        answer = scene.hear(at_once(voice.answer(scene.turn, scene.hands)), answer)
    found.guard.did(decision, answer.text, ok=answer.ok)
    return answer
