"""One run played in memory: the scene, the scripted customer and the rules, move by move."""

from typing import Any

import msgspec

from bythebook.agents.protocol import Answer, Briefing, Move
from bythebook.conduct import scene as conduct
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.source import CompanySource
from bythebook.errors import BythebookError, JudgeError, UsageError
from bythebook.interop.rl.course import Course
from bythebook.interop.rl.shaping import STRICT
from bythebook.trace import Event, Outcome
from bythebook.verdict import Finding, all_pass


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a finished episode came to; as the verdict of `bythebook run` with the same moves."""

    outcome: Outcome
    goal: bool
    process: bool
    protection: bool
    strict: bool
    calls: int
    findings: tuple[Finding, ...]

    @property
    def words(self) -> dict[str, Any]:
        """As plain data: the marks, and the mark of every criterion."""
        marks = {found.id: found.verdict for found in self.findings}
        own = ("goal", "process", "protection", "strict", "calls")
        told = {name: getattr(self, name) for name in own}
        return {"outcome": str(self.outcome)} | told | {"criteria": marks}


class Step(msgspec.Struct, frozen=True):
    """What came of a move."""

    answers: tuple[Answer, ...]
    before: float
    """The potential before it."""
    after: float
    result: Result | None
    """Set when the episode is over."""

    def reward(self, discount: float = 1.0) -> float:
        """Shaped: discount * after - before, and 1/2 for strict success."""
        return discount * self.after - self.before + STRICT * self.strict

    @property
    def strict(self) -> bool:
        """The episode is over, and every rule held."""
        return self.result is not None and self.result.strict


class Episode:
    """One run of one task, open. Wall-clock limits of `bythebook run` do not apply."""

    def __init__(self, course: Course) -> None:
        self.course, terms = course, course.terms
        limits = conduct.Limits(terms.limits.tool_errors, terms.cap, terms.limits.steps)
        self.scene = conduct.Scene(
            course.task,
            limits=limits,
            source=CompanySource(course.task.company, terms.condition.without),
            briefing=course.briefing,
        )
        self._voice = ScriptedVoice(course.task.scenario)
        if terms.condition.facts:
            self._voice.tell_all(self.scene.hands)
        self._watch, self._heard, self._potential = course.watch.fork(), 0, 0.0
        self.result: Result | None = None
        self._broken = ""
        self._hear()

    @property
    def briefing(self) -> Briefing:
        return self.course.briefing

    @property
    def events(self) -> list[Event]:
        """The trace so far."""
        return self.scene.events

    def step(self, move: Move) -> Step:
        """Make a move. Raises `UsageError` when the episode is over, and `CompanyError` or
        `JudgeError` when our own code broke: then nothing of the episode counts."""
        if self.result is not None or self._broken:
            over = self._broken or str(self.result and self.result.outcome)
            raise UsageError(f"the episode is over: {over}", hint="reset the environment")
        try:
            answers, before = self._play(move), self._potential
            if self.scene.outcome is not None:
                self.result = self._closed()
        except BythebookError as error:
            self._broken = str(error)
            raise
        shaping = self.course.shaping
        if self.result is None:
            self._potential = shaping.now(self._watch)
        else:
            self._potential = shaping.end(self.result.findings)
        return Step(answers, before, self._potential, self.result)

    def _play(self, move: Move) -> tuple[Answer, ...]:
        scene, answers = self.scene, []
        for call in scene.accept(move):
            answer = scene.take(call)
            if scene.turn is not None:
                answer = scene.hear(at_once(self._voice.answer(scene.turn, scene.hands)), answer)
            answers.append(answer)
        self._hear()
        return tuple(answers)

    def _closed(self) -> Result:
        outcome = self.scene.close()
        self._hear()
        findings = self._watch.finish()
        void = [found for found in findings if found.verdict == "void"]
        if void:
            raise JudgeError(f"{void[0].id} reached no verdict: {void[0].why}")
        goal, process, protection = (
            bool(all_pass(findings, kind)) for kind in ("goal", "process", "protection")
        )
        return Result(
            outcome=outcome,
            goal=goal,
            process=process,
            protection=protection,
            strict=goal and process and protection,
            calls=self.scene.calls,
            findings=findings,
        )

    def _hear(self) -> None:
        """Let the rules hear what has happened since."""
        events = self.scene.events
        for event in events[self._heard :]:
            self._watch.feed(event)
        self._heard = len(events)
