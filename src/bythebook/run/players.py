"""Who plays at deliverables tasks: an agent for each attempt, made anew in its workspace."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from bythebook.agents.protocol import Agent
from bythebook.deliverables.evidence.office import Engine
from bythebook.deliverables.handover import HandoverAgent
from bythebook.deliverables.placed import PlacedAgent, check
from bythebook.deliverables.task import DeliverableTask
from bythebook.run.agents import Modelled
from bythebook.run.engaged import Working


class Player(Protocol):
    """The agents of one evaluation; the first four as in `agents.Cast`."""

    @property
    def name(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def settings(self) -> dict[str, Any]: ...

    @property
    def acts(self) -> bool:
        """Whether its agents use tools, and so need a sandbox."""
        ...

    def check(self, task: DeliverableTask) -> None:
        """Raises `UsageError` when it cannot play at this task."""
        ...

    def agent(self, task: DeliverableTask, workspace: Path) -> Agent:
        """A fresh agent for one attempt."""
        ...

    async def close(self) -> None: ...


Plays = Player | Working
"""A harness works in the workspace by itself; all others make moves."""


class Placing:
    """Agents without a model: reference, untouched, fault:NAME ..."""

    model = base_url = ""
    acts = False

    def __init__(self, name: str, engine: Engine | None = None) -> None:
        """`engine`: recalculates what some faults change."""
        self.name = name
        self._engine = engine

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def check(self, task: DeliverableTask) -> None:
        check(self.name, task, self._engine)

    def agent(self, task: DeliverableTask, workspace: Path) -> Agent:
        return PlacedAgent(self.name, task, workspace, self._engine)

    async def close(self) -> None:
        """There is nothing to close."""


class Acting:
    """The `loop` agent with a model, file tools and a shell."""

    acts = True

    def __init__(self, modelled: Modelled) -> None:
        self._modelled = modelled
        self.name, self.model, self.base_url = modelled.name, modelled.model, modelled.base_url

    @property
    def settings(self) -> dict[str, Any]:
        return self._modelled.settings

    def check(self, task: DeliverableTask) -> None:
        """It can play at every task."""

    def agent(self, task: DeliverableTask, workspace: Path) -> Agent:
        return self._modelled.agent(task)

    async def close(self) -> None:
        await self._modelled.close()


class Submitting:
    """Somebody, or some program, whose files were made elsewhere."""

    model = base_url = ""
    acts = False

    def __init__(self, name: str, files: Sequence[Path]) -> None:
        self.name = name
        self._files = tuple(files)

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def check(self, task: DeliverableTask) -> None:
        """Whatever they handed over is judged."""

    def agent(self, task: DeliverableTask, workspace: Path) -> Agent:
        return HandoverAgent(self.name, self._files, workspace)

    async def close(self) -> None:
        """There is nothing to close."""
