"""Plays one evaluation in children that are killed.

python -m tests.run.killed CONTENT RUNS     for each folder on standard input, a child: its id when
                                            it begins, and its status when it is gone
"""

import os
import sys
from pathlib import Path

import anyio

from bythebook.agents.protocol import Agent, Answer, Briefing, Move
from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from tests.own import own_task
from tests.run.playing import play

AT_ONCE = 3
"""Runs of one child that are in flight together."""


class Slow(Scripted):
    """Plays with a pause before every move: a kill then finds runs in flight."""

    def agent(self, task: ConductTask) -> Agent:
        return Pausing(super().agent(task))


class Pausing:
    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self._agent = agent

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        await anyio.sleep(0.005)
        return await self._agent.move(seen)


def tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    task = own_task(Path(sys.argv[1]))
    for line in sys.stdin:
        # Forked before any thread begins: a child costs milliseconds, not the imports.
        child = os.fork()
        if not child:
            play(task, Slow("golden"), Path(line.strip()), runs=int(sys.argv[2]), at_once=AT_ONCE)
            os._exit(0)
        tell(child)
        tell(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
