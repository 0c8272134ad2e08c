"""The work that is measured: a task of two hundred calls, fifty of them writing three rows each,
under twenty criteria."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bythebook.agents.protocol import Call, Move
from bythebook.conduct.company import load_company
from bythebook.conduct.criteria.scenefile import SceneFile
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask, load_task
from bythebook.task import Content
from bythebook.trace import Closing, Event, Header, Journal, Outcome

CALLS = 200
CONTENT = Path(__file__).with_name("content")


def call(number: int) -> Call:
    """The call of one step: a cent goes out, three looks, the cent comes back, three looks."""
    if number % 4:
        name, arguments = "account_statement", {"account": "ACC-B1"}
        return Call("call_tool", {"name": name, "arguments": arguments})
    source, target = ("ACC-B1", "ACC-B2") if number % 8 == 0 else ("ACC-B2", "ACC-B1")
    sent = {"source": source, "target": target, "amount": 1, "reference": f"step {number}"}
    return Call("call_tool", {"name": "transfer_between_accounts", "arguments": sent})


@dataclass(frozen=True)
class Work:
    """The task, read once."""

    task: ConductTask

    @classmethod
    def load(cls) -> "Work":
        content = Content([CONTENT])
        work = cls(load_task(content, load_company(content), "b200"))
        work.play()
        return work

    @cached_property
    def scene(self) -> SceneFile:
        return SceneFile.build(self.task)

    def play(self, journal: Path | None = None) -> list[Event]:
        """Play the task once: every call, its writes, its delta, its hash and its journal line."""
        if journal is None:
            return self._events(Scene(self.task))
        header = Header(
            benchmark="bench", suite="conduct", task="b200", run=1, agent="bench", scene=self.sha
        )
        with Journal(journal, header) as lines:
            events = self._events(Scene(self.task, record=lines.append))
            lines.close(Closing(Outcome("completed", "finished"), len(events), events[-1].h))
        return events

    @cached_property
    def sha(self) -> str:
        return self.scene.sha

    @staticmethod
    def _events(scene: Scene) -> list[Event]:
        for number in range(CALLS):
            for taken in scene.accept(Move((call(number),))):
                answer = scene.take(taken)
                assert answer.ok, answer.text
        scene.close()
        return scene.events
