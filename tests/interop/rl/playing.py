"""Scripted agents at an environment of ours, and at `bythebook run`'s own attempt."""

from dataclasses import dataclass, field
from pathlib import Path

import anyio

from bythebook.agents.protocol import Agent, Answer, Briefing, Move
from bythebook.conduct.criteria import score
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.interop.rl import Course, Episode, Step
from bythebook.run.attempt import attempt
from bythebook.trace import Header, read_trace
from bythebook.verdict import Verdict


@dataclass
class Played:
    episode: Episode
    steps: list[Step] = field(default_factory=list)

    @property
    def total(self) -> float:
        return sum(step.reward() for step in self.steps)

    @property
    def strict(self) -> bool:
        return self.steps[-1].strict

    @property
    def guarded(self) -> bool:
        """No process and no protection rule was broken."""
        result = self.episode.result
        assert result is not None
        return result.process and result.protection


def played(course: Course, agent: Agent) -> Played:
    """One episode from its beginning to its end."""
    found = Played(Episode(course))
    seen: Briefing | tuple[Answer, ...] = course.briefing
    while found.episode.result is None:
        move: Move = at_once(agent.move(seen))
        found.steps.append(found.episode.step(move))
        seen = found.steps[-1].answers
    return found


def run(course: Course, name: str, folder: Path) -> tuple[list[bytes], Verdict]:
    """The same agent as `bythebook run` plays it: its events' lines, and the verdict."""
    agent, journal = Scripts(course.task).agent(name), folder / "trace.jsonl"
    header = Header(
        benchmark="test", suite="conduct", task=course.task.id, run=1, agent=name,
        scene=course.file.sha, condition=course.terms.condition.name,
    )  # fmt: skip

    async def once() -> None:
        await attempt(course.task, agent, course.terms, journal=journal, header=header)

    anyio.run(once)
    _header, *lines, _closing = journal.read_bytes().splitlines()
    return lines, score(read_trace(journal), course.file)
