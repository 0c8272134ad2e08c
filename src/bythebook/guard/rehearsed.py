"""The rules of a conduct task, over a company of the guard's own that follows the agent's calls.

A call is rehearsed there first: what it would write, what falls due meanwhile and what the scripted
customer would do are all judged by the task's criteria before anything happens. It is made there
for good when it was made outside; an answer that differs means that the two have parted.
"""

from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from bythebook.agents.protocol import Answer, Call, Move
from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.criteria.evaluate import Watch
from bythebook.conduct.criteria.patterns import After, Always, Finally
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask
from bythebook.errors import CompanyError
from bythebook.guard.decision import Broken, Called

LASTING = (Always, After, Finally)
UNANSWERED = Answer("", "", ok=False)


class TaskRules:
    """One run of `task`, followed. It must be played from its beginning."""

    def __init__(self, task: ConductTask) -> None:
        file = SceneFile.build(task)
        self.name, self.sha, self.astray = task.id, file.criteria.sha, ""
        scene = Scene(task)
        self._now = Moment(scene, ScriptedVoice(task.scenario), Watch(file.criteria, file))
        self._now.hear(0)
        self._rehearsed = -1, self._now
        """Number of the last call that was rehearsed, and the moment after it."""

    @property
    def scene(self) -> Scene:
        """The guard's own company, as it stands now."""
        return self._now.scene

    def would_break(self, call: Called) -> tuple[Broken, ...]:
        now = self._now
        trial = now.fork()
        try:
            trial.play(call)
        except CompanyError:
            return ()  # what is broken there breaks outside as well, and is no agent's fault
        self._rehearsed = call.number, trial
        return _new(now, trial)

    def begun(self, call: Called) -> None:
        """A company makes one call at a time."""

    def passed(self, at: float) -> tuple[Broken, ...]:
        """Its time passes by calls alone."""
        return ()

    def did(self, call: Called, result: Any, *, ok: bool) -> tuple[Broken, ...]:
        if self.astray:
            return ()
        before = self._now
        try:
            now = self._made(call)
        except CompanyError as error:
            self.astray = f"a tool of the company broke: {error}"
            return ()
        self._now = now
        if now.answer.ok != ok or not _text(result).startswith(now.answer.text):
            self.astray = f"call {call.number}, {call.name}, was answered otherwise than foreseen"
        broken = _new(before, now)
        now.renew()
        return broken

    def _made(self, call: Called) -> "Moment":
        """The moment after a call: the one that was rehearsed, if nothing came between."""
        number, trial = self._rehearsed
        self._rehearsed = -1, self._now
        if number == call.number:
            return trial
        trial = self._now.fork()
        trial.play(call)
        return trial

    def lost(self, call: Called) -> tuple[Broken, ...]:
        self.astray = self.astray or f"nobody knows how call {call.number}, {call.name}, ended"
        return ()

    def heard(self, by: Literal["agent", "customer"], text: str, at: float) -> tuple[Broken, ...]:
        """Its customer is heard through calls alone."""
        return ()


@dataclass
class Moment:
    """Company, customer and rules at one moment of a run."""

    scene: Scene
    voice: ScriptedVoice
    watch: Watch
    answer: Answer = UNANSWERED

    def fork(self) -> "Moment":
        return Moment(self.scene.fork(), self.voice.fork(), self.watch.fork())

    def play(self, call: Called) -> None:
        """Let the agent make a call; the rules hear of all that comes of it."""
        scene, first = self.scene, len(self.scene.events)
        for made in scene.accept(Move((Call(call.name, dict(call.args)),))):
            answer = scene.take(made)
            if scene.turn is not None:
                answer = scene.hear(at_once(self.voice.answer(scene.turn, scene.hands)), answer)
            self.answer = answer
        self.hear(first)

    def hear(self, first: int) -> None:
        """Let the rules hear the events from this number on."""
        for event in self.scene.events[first:]:
            self.watch.feed(event)

    def renew(self) -> None:
        """A rule that was broken can be broken again, and is guarded on."""
        findings = self.watch.findings
        for number, found in enumerate(findings):
            pattern = self.watch.criteria.rules[number].pattern
            if found is not None and found.verdict == "fail" and not isinstance(pattern, LASTING):
                findings[number] = None


def _new(before: Moment, after: Moment) -> tuple[Broken, ...]:
    """The rules that were broken between two moments."""
    pairs = zip(before.watch.findings, after.watch.findings, strict=True)
    new = (now for old, now in pairs if old is None and now is not None)
    return tuple(Broken.of(one) for one in new if one.verdict == "fail")


def _text(result: Any) -> str:
    return result if isinstance(result, str) else msgspec.json.encode(result).decode()
