"""One attempt at a deliverables task as events: what was asked, what the agent did, how it ended.

A scene raises for nothing an agent does: unknown tools, wrong arguments and what a file tool
refuses are answers, and count as tool errors. A command that fails is an answer like any other.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from bythebook.agents.protocol import Answer, Briefing, Call, Move
from bythebook.models.types import Image
from bythebook.tool import fold
from bythebook.trace import Actor, Event, Kind, Outcome, OutcomeKind

EMPTY_TURNS = 2
CUT = "length_stop"
"""The note of a reply that was cut off: its words end nothing."""


class Limits(msgspec.Struct, frozen=True):
    """When an attempt is cut off; each cut is the outcome `limit(kind)`. None means no limit."""

    steps: int | None = 200
    """The agent's turns (StartupBench, Section 4.1)."""
    tool_errors: int | None = 50


LIMITS = Limits()


class Scene:
    """One attempt, open."""

    def __init__(
        self,
        briefing: Briefing,
        *,
        limits: Limits = LIMITS,
        record: Callable[[Event], None] | None = None,
    ) -> None:
        self.briefing, self.limits = briefing, limits
        self.events: list[Event] = []
        self.outcome: Outcome | None = None
        self.calls = self.errors = 0
        self._steps = self._empty = 0
        self._record = record
        self._emit("customer", "message", "task", {"text": briefing.request})

    def accept(self, move: Move) -> Iterator[Call]:
        """The calls of a move, in order, while the attempt goes on. Words without a call are the
        agent's last."""
        words = self.heard(move)
        cut = any(note.name == CUT for note in move.notes)
        self._empty = 0 if move.calls else self._empty + 1
        if words and not move.calls and not cut:
            self._end("completed", "finished")
        elif self._empty >= EMPTY_TURNS:
            self._end("completed", "finished", "the agent had nothing more to say")
        for call in move.calls:
            if self.outcome is None:
                yield call
        if self.limits.steps is not None and self._steps >= self.limits.steps:
            self._end("limit", "steps", f"{self._steps} steps")

    def heard(self, move: Move) -> str:
        """Record a move's notes and words, and nothing of what becomes of its calls; the words."""
        self._steps += 1
        for note in move.notes:
            self._emit("agent", "note", note.name, fold(note.args))
        words: str = fold(move.text).strip()
        if words:
            self._emit("agent", "message", "words", {"text": words})
        return words

    def answered(
        self, call: Call, text: str, *, ok: bool = True, images: tuple[Image, ...] = ()
    ) -> Answer:
        """Record a call and what the agent was answered; of a picture, what its text says."""
        self.calls += 1
        self._emit("agent", "call", fold(call.name), fold(call.args), ok=ok, result=fold(text))
        if not ok:
            self.errors += 1
            most = self.limits.tool_errors
            if most is not None and self.errors >= most:
                self._end("limit", "tool_errors", f"{self.errors} calls were refused")
        return Answer(call.id, text, ok=ok, images=images)

    def note(self, name: str, about: msgspec.Struct | Mapping[str, Any]) -> None:
        """Record something about the workspace that the agent did not say."""
        self._emit("company", "note", name, msgspec.to_builtins(about))

    def stop(self, outcome: Outcome) -> None:
        """End the attempt from outside."""
        self.outcome = self.outcome or outcome

    def _end(self, kind: OutcomeKind, detail: str, says: str = "") -> None:
        self.outcome = self.outcome or Outcome(kind, detail, says)

    def _emit(
        self, actor: Actor, kind: Kind, name: str, args: Mapping[str, Any], **more: Any
    ) -> None:
        """`t` counts the agent's turns: the story has no clock."""
        move = self._steps if actor == "agent" else None
        i, t = len(self.events), self._steps
        event = Event(i, t, actor, kind, name, args, move=move, **more)
        self.events.append(event)
        if self._record is not None:
            self._record(event)
