"""Where a harness works: a sandbox whose doors lead to its model and to its tools, for one attempt.

async with workplace(terms, places, heard) as place:
    turn = await place.turn("Do it.")        # one program, to its end
    turn = await place.turn("And this.")     # the same conversation
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from bythebook.gateway.exchange import STEPS, Exchange
from bythebook.gateway.exchange import Terms as Served
from bythebook.gateway.gateway import Gateway
from bythebook.gateway.served import served
from bythebook.harness.adapter import BOUNDS, KEEPING, Harness, Setup
from bythebook.harness.outcome import outcome
from bythebook.models.client import Client
from bythebook.models.types import Settings
from bythebook.sandbox.doors import door_folder
from bythebook.sandbox.furniture import BARE, Furniture
from bythebook.sandbox.layout import Kind, Layout
from bythebook.sandbox.sandbox import Sandbox, sandbox
from bythebook.trace import Outcome

MODEL, TOOLS = 8900, 8901
"""Ports inside."""
MCP = "/mcp"
"""Path of the tools' server."""
WINDOW = 200_000
"""Tokens of a model's window, where nobody says how many they are."""
WEEK = 7 * 24 * 3600.0
"""Seconds: the limits of an attempt are not for a program to keep."""

Heard = Callable[[Exchange], None]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """Who works, and on what terms."""

    harness: Harness
    model: Client
    kind: Kind
    settings: Settings = Settings()
    steps: int = STEPS
    """Most model calls, in all turns together."""
    context_tokens: int = WINDOW
    furniture: Furniture = BARE
    """Beside the harness's own."""
    secrets: tuple[Path, ...] = ()


class Places(msgspec.Struct, frozen=True):
    """Folders of one attempt."""

    workspace: Path
    scratch: Path
    """Home and `/tmp` of the harness; made and taken away here."""


class Turn(msgspec.Struct, frozen=True):
    """What came of one turn."""

    text: str
    """Its closing words; empty where it did not finish, or had none."""
    outcome: Outcome
    """Of the attempt, if this turn is the last; `completed`: another may follow."""


class Workplace:
    """A harness in its sandbox; use `workplace`."""

    def __init__(self, harness: Harness, setup: Setup, box: Sandbox, gateway: Gateway) -> None:
        self.box, self.gateway = box, gateway
        self._harness, self._setup = harness, setup
        self._session = ""

    async def turn(self, words: str) -> Turn:
        """Give it words, and wait until it has done with them. Raises `AgentError` where it could
        not be started."""
        self.gateway.begin()
        command = self._harness.turn(self._setup, words, self._session)
        ran = await self.box.run(
            command.argv, WEEK, env=command.env, stdin=command.stdin, keeping=KEEPING
        )
        said = self._harness.read(self._setup, ran)
        self._session = said.session or self._session
        return Turn(said.text, outcome(said, ran, self.gateway))


@asynccontextmanager
async def workplace(
    terms: Terms, places: Places, heard: Heard, tools: Any = None
) -> AsyncIterator[Workplace]:
    """The workplace of one attempt. `heard` is told of every model call; `tools`, an ASGI
    application, serves them over MCP at `MCP`."""
    model = Served(steps=terms.steps, settings=terms.settings, context_tokens=terms.context_tokens)
    gateway = Gateway(terms.model, model, heard)
    async with AsyncExitStack() as stack:
        sockets = stack.enter_context(door_folder())
        doors = {MODEL: sockets / "model"}
        await stack.enter_async_context(served(gateway.app, doors[MODEL]))
        if tools is not None:
            doors[TOOLS] = sockets / "tools"
            await stack.enter_async_context(served(tools, doors[TOOLS]))
        layout = Layout(
            furniture=terms.furniture + terms.harness.furniture(),
            secrets=terms.secrets,
            bounds=BOUNDS,
            doors=doors,
        )
        box = stack.enter_context(sandbox(terms.kind, places.workspace, places.scratch, layout))
        setup = _setup(terms, box, tools_url=f"{box.url(TOOLS)}{MCP}" if tools is not None else "")
        terms.harness.prepare(setup)
        yield Workplace(terms.harness, setup, box, gateway)


def _setup(terms: Terms, box: Sandbox, tools_url: str) -> Setup:
    return Setup(
        home=box.home_outside,
        home_inside=box.home,
        workspace_inside=box.root,
        model=terms.model.id,
        model_url=box.url(MODEL),
        tools_url=tools_url,
        steps=terms.steps,
        context_tokens=terms.context_tokens,
        max_tokens=terms.settings.max_tokens,
        temperature=terms.settings.temperature,
    )
