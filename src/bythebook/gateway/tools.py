"""Tools that a harness is given over MCP: it calls them, and `use` answers.

    door = ToolDoor(tools, use)
    async with served(door.app, folder / "tools"):
        ...                          # http://HOST/mcp, until the block is left
    await door.stdio()               # or on standard input and output, until that is closed

What a client gets wrong in a call is an answer to it: `use` is told of every call, known or not,
with whatever arguments came.
"""

from collections.abc import Awaitable, Callable, Sequence
from types import ModuleType
from typing import Any

import anyio
import msgspec
from msgspec.structs import replace

from bythebook.gateway.door import App
from bythebook.gateway.extra import demand_extra
from bythebook.models.types import Answer, ToolSpec
from bythebook.tool import fold

Use = Callable[[str, dict[str, Any]], Awaitable[Answer]]
"""A tool's name and its arguments to the answer; its id says nothing here."""

Read = Callable[[], str]
"""A text as it stands now."""


class Page(msgspec.Struct, frozen=True):
    """A text beside the tools, to be read at any time (a resource of MCP)."""

    uri: str
    name: str
    doc: str
    read: Read


class Guide(msgspec.Struct, frozen=True):
    """What a client is told beside the tools. Clients differ in how much of it they show."""

    instructions: str = ""
    """Sent when a client connects. Some show it to their model, some in part, some not at all."""
    opening: str = ""
    """The first message to a model, for a person to choose (the prompt `begin` of MCP)."""
    pages: tuple[Page, ...] = ()


NOTHING = Guide()


class ToolDoor:
    """Serves tools over MCP, to as many clients as come; one call at a time, in order of arrival.

    A call whose client hangs up before its turn has come is not made. Where one has begun, `use` is
    cancelled, and so it is when serving ends.
    """

    def __init__(self, tools: Sequence[ToolSpec], use: Use, guide: Guide = NOTHING) -> None:
        """`use` answers what its caller got wrong. What it raises is our failure: the client is
        told that there was one and no more, and `failure` keeps it."""
        self.tools, self.guide = tuple(tools), guide
        self.failure: Exception | None = None
        self._use = use
        self._turn = anyio.Lock()

    @property
    def app(self) -> App:
        """What `served` serves: MCP over streamable HTTP, at `/mcp`; for one serving each.

        Raises `UsageError` where the package that speaks MCP is missing.
        """
        app: App = _speech().over_http(self)
        return app

    async def stdio(self) -> None:
        """Serve one client on this program's standard input and output, which are its alone.

        Raises `UsageError` where the package that speaks MCP is missing.
        """
        await _speech().over_stdio(self)

    @property
    def waiting(self) -> int:
        """Calls whose turn has not come."""
        return self._turn.statistics().tasks_waiting

    async def call(self, name: str, args: dict[str, Any]) -> Answer:
        """The answer to a call, once its turn has come. Raises what `use` raises."""
        async with self._turn:
            try:
                answer = await self._use(name, args)
            except Exception as error:
                self.failure = error
                raise
        return replace(answer, text=fold(answer.text))


def _speech() -> ModuleType:
    """Imported when it is needed: its packages may be missing, and take half a second."""
    demand_extra()
    from bythebook.gateway import mcp_server

    return mcp_server
