"""An agent that plays steps, filling in references from the answers as it goes."""

from collections.abc import Mapping
from typing import Any

import msgspec

from bythebook.agents.protocol import Answer, Briefing, Call, Move
from bythebook.conduct.counter import BASE
from bythebook.conduct.golden.plan import Step
from bythebook.conduct.golden.reference import Astray, Ref, follow, replaced

DONE = Move()


class StepAgent:
    """Plays its steps in order, one call a move, whatever is answered.

    `recorded` holds what the golden's steps were answered in the golden itself: it is used for a
    reference to a step that was left out, comes later, or was refused.
    """

    def __init__(
        self, name: str, steps: tuple[Step, ...], recorded: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        self.steps = steps
        self._recorded = recorded or {}
        self._done = 0
        self._texts: dict[str, str] = {}

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """The next step; nothing when all are done."""
        if not isinstance(seen, Briefing) and self._done:
            for answer in seen:
                if answer.ok:
                    self._texts.setdefault(answer.id, answer.text)
        if self._done == len(self.steps):
            return DONE
        step = self.steps[self._done]
        self._done += 1
        args = replaced(step.args, self._meaning)
        if step.call in BASE:
            return Move((Call(step.call, args, step.id),))
        return Move((Call("call_tool", {"name": step.call, "arguments": args}, step.id),))

    @property
    def results(self) -> dict[str, Any]:
        """What each step was answered, as plain data; refused steps are missing."""
        return {name: result_in(text) for name, text in self._texts.items()}

    def _meaning(self, ref: Ref) -> Any:
        found = self._recorded.get(ref.name)
        if ref.name in self._texts:
            found = result_in(self._texts[ref.name])
        try:
            return follow(found, ref.path)
        except Astray:
            return str(ref)


def result_in(text: str) -> Any:
    """The result in an answer: its first line is JSON, or the whole is a text.

    The customer's words, where the call had them say something, stand on the lines after it.
    """
    try:
        return msgspec.json.decode(text.partition("\n")[0])
    except msgspec.DecodeError:
        return text
