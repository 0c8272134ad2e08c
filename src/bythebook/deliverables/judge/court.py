"""Many questions on many runs, a bounded number at once; every line, and the conversation that it
came of, is kept as soon as it is said.

The same call finishes what an earlier one left: what stands in a journal is not asked again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import anyio

from bythebook.deliverables.judge.conversation import keeping
from bythebook.deliverables.judge.docket import Mode, Question
from bythebook.deliverables.judge.holistic import judge_all
from bythebook.deliverables.judge.journal import append
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.session import Judge, judge_item
from bythebook.deliverables.judge.submission import Submission
from bythebook.models.ledger import BUDGET, Ledger

GIVE_UP = 10
"""Sessions in a row that provider or harness failed, over all runs, before no more are begun."""
OUTAGE = ("provider", "timeout", "harness")


@dataclass(frozen=True)
class Hearing:
    """One submission, what is to be judged on it, and where that is written down."""

    submission: Submission
    journal: Path
    questions: tuple[Question, ...]


class Watch(Protocol):
    """Somebody who looks on."""

    def begins(self, items: int) -> None: ...
    def judged(self, hearing: Hearing, line: Judgement, *, final: bool) -> None:
        """One session is over; it is not `final` when another is begun for its item."""
        ...


@dataclass
class Tally:
    """How it went."""

    heard: list[tuple[Hearing, Judgement]] = field(default_factory=list)
    """Every line that was written down, in order."""
    void: list[tuple[Hearing, Judgement]] = field(default_factory=list)
    """Items that came to no verdict."""
    given_up: bool = False
    spent: bool = False
    """The budget ended it; sessions that it cut off are begun again by the next command."""


class Court:
    """A judge at work on some hearings."""

    def __init__(
        self, judge: Judge, watch: Watch, mode: Mode = "item", ledger: Ledger | None = None
    ) -> None:
        """`ledger`: what the judge's model writes into; no session is begun once it is spent."""
        self.judge, self.watch, self.mode = judge, watch, mode
        self._ledger = ledger or Ledger()
        self.tally = Tally()
        self._failed_in_a_row = 0
        self._broken: Exception | None = None

    async def hear(self, hearings: Sequence[Hearing], *, concurrency: int) -> Tally:
        self.watch.begins(sum(len(hearing.questions) for hearing in hearings))
        queue = iter(list(self._sessions(hearings)))
        async with anyio.create_task_group() as workers:
            for _ in range(concurrency):
                workers.start_soon(self._work, queue, workers.cancel_scope)
        if self._broken is not None:
            raise self._broken
        return self.tally

    def _sessions(
        self, hearings: Sequence[Hearing]
    ) -> Iterator[tuple[Hearing, tuple[Question, ...]]]:
        """What one session each is to be begun for."""
        for hearing in hearings:
            if self.mode == "holistic" and hearing.questions:
                yield hearing, hearing.questions
            elif self.mode == "item":
                yield from ((hearing, (question,)) for question in hearing.questions)

    async def _work(
        self,
        queue: Iterator[tuple[Hearing, tuple[Question, ...]]],
        scope: anyio.CancelScope,
    ) -> None:
        try:
            for hearing, questions in queue:
                await anyio.lowlevel.checkpoint()
                if self._failed_in_a_row >= GIVE_UP:
                    self.tally.given_up = True
                    return
                if self._ledger.spent:
                    self.tally.spent = True
                    return
                await self._hear(hearing, questions)
        except Exception as error:  # noqa: BLE001 - raised again, alone, when the others have stopped
            self._broken = self._broken or error
            scope.cancel()

    async def _hear(self, hearing: Hearing, questions: tuple[Question, ...]) -> None:
        """Sessions until there is a verdict on each, or none is to be had."""
        begun = max(question.attempt for question in questions)
        for attempt in range(begun, max(begun, self.judge.limits.attempts) + 1):
            lines = await self._session(hearing, questions, attempt)
            append(hearing.journal, lines)
            self.tally.heard += [(hearing, line) for line in lines]
            outage = any(line.cause in OUTAGE for line in lines)
            self._failed_in_a_row = self._failed_in_a_row + 1 if outage else 0
            void = [line for line in lines if line.verdict is None]
            unheard = any(line.cause in ("provider", BUDGET) for line in lines)
            last = not void or unheard or attempt >= self.judge.limits.attempts
            for line in lines:
                self.watch.judged(hearing, line, final=last or line.verdict is not None)
            if last:
                self.tally.void += [(hearing, line) for line in void]
                return
            questions = tuple(q for q in questions if q.item.id in {line.item for line in void})

    async def _session(
        self, hearing: Hearing, questions: tuple[Question, ...], attempt: int
    ) -> tuple[Judgement, ...]:
        judge, submission, keep = self.judge, hearing.submission, keeping(hearing.journal)
        if self.mode == "holistic":
            items = tuple(question.item for question in questions)
            return await judge_all(judge, submission, items, attempt=attempt, keep=keep)
        (question,) = questions
        item, answer = question.item, question.answer
        return (await judge_item(judge, submission, item, answer, attempt=attempt, keep=keep),)
