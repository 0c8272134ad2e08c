"""What is still to be judged: items that checks left open and that have no judgement yet."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.rubric import Item
from bythebook.models.ledger import BUDGET

Mode = Literal["item", "holistic"]


class Question(msgspec.Struct, frozen=True):
    """An item that a judge is to answer, and what its check said, if it was unsure."""

    item: Item
    answer: Answer | None = None
    attempt: int = 1
    """The session to be begun: 1, or the one after those that came to nothing."""


def left_open(items: Iterable[Item], answers: Mapping[str, Answer]) -> list[Question]:
    """The items that their checks do not decide; `answers` by item, of checks and screens.

    A check decides when it passes or fails; void is our own fault, and no judge's business. A
    screen decides only when it fails.
    """
    found: list[Question] = []
    for item in items:
        answer = answers.get(item.id)
        if answer is None:
            found.append(Question(item))
        elif item.check is not None and answer.mark == "unsure":
            found.append(Question(item, answer))
        elif item.check is None and answer.mark != "fail":
            found.append(Question(item))
    return found


def standing(
    judgements: Iterable[Judgement], item: Item, *, judge: str, evidence: str, mode: Mode = "item"
) -> Judgement | None:
    """The last line of a judge on an item as it reads now and on these very files."""
    found = None
    for one in judgements:
        same = (one.item, one.item_hash, one.evidence) == (item.id, item.hash, evidence)
        if same and (one.judge, one.mode) == (judge, mode):
            found = one
    return found


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Whose judgements, and which of them anew."""

    judge: str
    evidence: str
    mode: Mode = "item"
    attempts: int = 2
    again: tuple[str, ...] = ()
    """`void`, `all`, or names of items."""

    def remaining(
        self, questions: Sequence[Question], judgements: Sequence[Judgement]
    ) -> list[Question]:
        """The questions that want a session now, each with its number."""
        found: list[Question] = []
        for question in questions:
            attempt = self._next(question.item, judgements)
            if attempt:
                found.append(msgspec.structs.replace(question, attempt=attempt))
        return found

    def standing(
        self, questions: Sequence[Question], judgements: Sequence[Judgement]
    ) -> dict[str, Judgement | None]:
        """Item to the line that stands on it; None where there is none."""
        return {one.item.id: self._last(one.item, judgements) for one in questions}

    def _last(self, item: Item, judgements: Sequence[Judgement]) -> Judgement | None:
        return standing(judgements, item, judge=self.judge, evidence=self.evidence, mode=self.mode)

    def _next(self, item: Item, judgements: Sequence[Judgement]) -> int:
        """Number of the session to be begun; 0 when there is nothing to do."""
        last = standing(judgements, item, judge=self.judge, evidence=self.evidence, mode=self.mode)
        void = last is not None and last.verdict is None
        if last is None or "all" in self.again or item.id in self.again:
            return 1
        if void and "void" in self.again:
            return 1
        if void and last.cause == BUDGET:
            return last.attempt
        return last.attempt + 1 if void and last.attempt < self.attempts else 0
