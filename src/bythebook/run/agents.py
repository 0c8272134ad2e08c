"""Who plays: an agent for each attempt, made anew by its name.

Scripted agents are asked of the suite, by task; `loop` is a model with tools.
"""

from random import Random
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

import anyio

from bythebook.agents.loop import Loop
from bythebook.agents.protocol import Agent
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.task import ConductTask
from bythebook.models.client import Client
from bythebook.models.names import Address, open_model
from bythebook.models.types import Settings

LOOP = "loop"


class Cast(Protocol):
    """The agents of one evaluation."""

    @property
    def name(self) -> str:
        """As in plan.json and in every trace."""
        ...

    @property
    def model(self) -> str: ...

    @property
    def base_url(self) -> str:
        """Set where the model is not at its provider's own address; holds no key."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """The sampling fields of every request, as sent."""
        ...

    def agent(self, task: ConductTask) -> Agent:
        """A fresh agent for one attempt at one task."""
        ...

    async def close(self) -> None: ...


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
        self, address: Address, key: str, settings: Settings, *, at_once: int, seed: int = 0
    ) -> None:
        """`at_once`: most requests in flight."""
        self.model = address.name
        moved = address.base_url != address.provider.base_url
        self.base_url = _public(address.base_url) if moved else ""
        self._address, self._key, self._settings = address, key, settings
        self._at_once, self._dice = at_once, Random(seed)
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        """Opened when first needed, inside the event loop that uses it."""
        if self._client is None:
            slots = anyio.CapacityLimiter(self._at_once)
            self._client = open_model(self._address, self._key, dice=self._dice, slots=slots)
        return self._client

    @property
    def settings(self) -> dict[str, Any]:
        return self.client.sent(self._settings)

    def agent(self, task: ConductTask) -> Agent:
        return Loop(self.client, self._settings)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()


def _public(url: str) -> str:
    """The URL without what may be a secret: user, password, query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
