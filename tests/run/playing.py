"""Agents and onlookers for evaluations in tests: real ones, made to fail on purpose."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from bythebook.agents.protocol import Agent, Answer, Briefing, Call, Move
from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from bythebook.run.conduct import ConductStage
from bythebook.run.evaluate import Evaluation, Order, Tally, evaluate
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import PLAIN, Under, plan_of
from bythebook.trace import Outcome
from bythebook.verdict import Verdict


@dataclass
class Notes:
    """A `Watch` that remembers."""

    begun: tuple[int, int] = (0, 0)
    failures: list[Outcome] = field(default_factory=list)
    ended: list[tuple[int, bool | None]] = field(default_factory=list)

    def begins(self, runs: int, finished: int) -> None:
        self.begun = (runs, finished)

    def takes_up(self, place: RunFolder) -> None:
        pass

    def looks(self) -> None:
        pass

    def failed(self, place: RunFolder, outcome: Outcome) -> None:
        self.failures.append(outcome)

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None:
        self.ended.append((place.number, verdict.strict if verdict else None))


class Breaking:
    """A cast whose first agents break; afterwards it plays the golden."""

    name = "golden"
    model = base_url = ""

    def __init__(self, error: Exception, times: int) -> None:
        self._error, self.left, self.made = error, times, 0
        self._golden = Scripted("golden")

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def agent(self, task: ConductTask) -> Agent:
        self.made += 1
        if self.left:
            self.left -= 1
            return Moves("golden", [now, self._break])
        return self._golden.agent(task)

    async def close(self) -> None:
        """There is nothing to close."""

    def _break(self) -> Move:
        raise self._error


def now() -> Move:
    return Move(calls=(Call("now", {}, "1"),))


class Moves:
    """An agent that makes the given moves, then says nothing."""

    def __init__(self, name: str, moves: list[Callable[[], Move]]) -> None:
        self.name = name
        self._moves = moves

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        return self._moves.pop(0)() if self._moves else Move()


def play(
    task: ConductTask,
    cast: Any,
    folder: Path,
    *,
    runs: int = 1,
    under: Under = PLAIN,
    notes: Notes | None = None,
    at_once: int = 10,
) -> Tally:
    """One evaluation, start to end."""
    plan = plan_of([task], cast, runs=runs, under=under)
    place = EvaluationFolder(folder)
    evaluation = Evaluation(plan, ConductStage(place, [task], cast, plan), place, notes or Notes())
    return anyio.run(evaluate, evaluation, Order(at_once))
