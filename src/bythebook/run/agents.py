"""Who plays: an agent for each attempt, made anew by its name.

Scripted agents are asked of the suite, by task; `loop` is a model with tools.
"""

from typing import Any, Protocol, TypeVar

from bythebook.agents.loop import Loop
from bythebook.agents.protocol import Agent
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.task import ConductTask
from bythebook.run.reach import Reach
from bythebook.task import Task

LOOP = "loop"
T = TypeVar("T", bound=Task, contravariant=True)


class Cast(Protocol[T]):
    """The agents of one evaluation, for tasks of one suite."""

    @property
    def name(self) -> str:
        """As in plan.json and in every trace."""
        ...

    @property
    def model(self) -> str:
        """`provider:name`; empty for agents without a model."""

    @property
    def base_url(self) -> str:
        """Set where the model is not at its provider's own address; holds no key."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """The sampling fields of every request, as sent."""
        ...

    def agent(self, task: T) -> Agent:
        """A fresh agent for one attempt at one task."""
        ...

    async def close(self) -> None:
        """Let go of what the agents share; no agent moves after that."""


class Scripted:
    """An agent that follows a script: golden, counterexample:NAME, shortcut, idle ..."""

    model = base_url = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self._scripts: dict[str, Scripts] = {}

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def agent(self, task: ConductTask) -> Agent:
        if task.id not in self._scripts:
            self._scripts[task.id] = Scripts(task)
        return self._scripts[task.id].agent(self.name)

    async def close(self) -> None:
        """There is nothing to close."""


class Modelled:
    """The `loop` agent over one model; all its attempts share the model's connections."""

    name = LOOP

    def __init__(
        self, reach: Reach, context_tokens: int | None = None, pictures: int | None = None
    ) -> None:
        """`context_tokens`, `pictures`: as in `Loop`."""
        self._reach, self._context_tokens, self._pictures = reach, context_tokens, pictures
        self.model, self.base_url = self._reach.name, self._reach.base_url

    @property
    def settings(self) -> dict[str, Any]:
        return self._reach.sent

    def agent(self, task: Task) -> Agent:
        reach, most, pictures = self._reach, self._context_tokens, self._pictures
        return Loop(reach.client, reach.settings, context_tokens=most, pictures=pictures)

    async def close(self) -> None:
        await self._reach.close()
