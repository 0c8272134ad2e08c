"""A harness in the sandbox, with a scripted model behind the gateway and a desk of tools.

async with stage("nanobot", server, folder) as there:
    said = await there.turn("Hello")
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bythebook.gateway.door import App
from bythebook.gateway.exchange import Exchange, Terms
from bythebook.gateway.gateway import Gateway
from bythebook.gateway.served import served
from bythebook.gateway.tools import ToolDoor
from bythebook.harness.adapter import BOUNDS, KEEPING, Harness, Said, Setup
from bythebook.models.patience import Patience
from bythebook.models.types import Answer, ToolSpec
from bythebook.sandbox.layout import Layout
from bythebook.sandbox.process import Ran
from bythebook.sandbox.sandbox import Sandbox, sandbox
from tests.gateway.standing import standing
from tests.harness.brought import brought, kind
from tests.model_server import ModelServer
from tests.models.wiring import QUICK

MODEL, TOOLS = 8900, 8901
"""Ports inside."""
TOOL = "message_customer"


SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@dataclass
class Desk:
    """A server of one tool."""

    used: list[dict[str, Any]] = field(default_factory=list)

    @property
    def app(self) -> App:
        return ToolDoor([ToolSpec(TOOL, "Write to the customer.", SCHEMA)], self._use).app

    async def _use(self, name: str, args: dict[str, Any]) -> Answer:
        self.used.append(args)
        return Answer("", f"answer {len(self.used)}: by all means, do")


@dataclass
class Stage:
    harness: Harness
    setup: Setup
    box: Sandbox
    gateway: Gateway
    heard: list[Exchange]
    desk: Desk
    session: str = ""
    ran: Ran = field(default_factory=Ran)

    async def turn(self, words: str, timeout: float = 90) -> Said:
        """One turn, run to its end; the next goes on with the conversation."""
        command = self.harness.turn(self.setup, words, self.session)
        self.ran = await self.box.run(
            command.argv, timeout, env=command.env, stdin=command.stdin, keeping=KEEPING
        )
        said = self.harness.read(self.setup, self.ran)
        self.session = said.session
        return said

    @property
    def left(self) -> set[str]:
        """Names in the workspace's root."""
        return {path.name for path in self.box.workspace.iterdir()}


@asynccontextmanager
async def stage(
    name: str,
    server: ModelServer,
    folder: Path,
    provider: str,
    terms: Terms | None = None,
    patience: Patience = QUICK,
    *,
    tools: App | None = None,
) -> AsyncIterator[Stage]:
    """`tools`: what it is given in place of the desk."""
    harness, desk, terms = brought(name), Desk(), terms or Terms()
    workspace, sockets = folder / "workspace", folder / "sockets"
    for place in (workspace, sockets):
        place.mkdir(parents=True)
    async with AsyncExitStack() as stack:
        gate = await stack.enter_async_context(standing(server, provider, terms, patience))
        doors = {MODEL: gate.path, TOOLS: sockets / "tools"}
        await stack.enter_async_context(served(tools or desk.app, doors[TOOLS]))
        layout = Layout(furniture=harness.furniture(), bounds=BOUNDS, doors=doors)
        box = stack.enter_context(sandbox(kind(), workspace, folder / "scratch", layout))
        setup = Setup(
            home=box.home_outside,
            home_inside=box.home,
            workspace_inside=box.root,
            model="scripted",
            model_url=box.url(MODEL),
            tools_url=f"{box.url(TOOLS)}/mcp" if harness.takes_tools else "",
            steps=terms.steps,
        )
        harness.prepare(setup)
        yield Stage(harness, setup, box, gate.gateway, gate.heard, desk)
