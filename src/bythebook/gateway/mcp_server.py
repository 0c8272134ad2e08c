"""A `ToolDoor` in the words of MCP. Imported only where its packages are needed."""

import os
import sys
from base64 import b64encode
from collections import deque
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Self, cast

import anyio
from mcp import types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from bythebook import __version__
from bythebook.gateway.door import App, Receive, Scope, Send, tell
from bythebook.gateway.tools import Page, ToolDoor
from bythebook.gateway.visit import attended, sound

NAME = "desk"
"""What a client is told the server is: nothing of what it is for."""
BEGIN = "begin"
LARGEST = 4 * 2**20
"""Bytes of a request; one that is larger is refused."""
PIECE = 2**16

Context = ServerRequestContext[Any]


def over_http(door: ToolDoor) -> App:
    """Streamable HTTP at any path that ends in `/mcp`, without sessions: whoever knew a server
    that was killed goes on with the one that took its place."""
    manager = StreamableHTTPSessionManager(
        _server(door), json_response=True, stateless=True, max_request_body_size=LARGEST
    )
    visited = attended(manager.handle_request, LARGEST)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _life(manager, receive, send)
        elif scope["type"] != "http":
            return
        elif scope["path"].rstrip("/").endswith("/mcp"):
            await visited(scope, receive, send)
        else:
            await tell(send, 404, {"error": "tools are at /mcp"})

    return app


async def _life(manager: StreamableHTTPSessionManager, receive: Receive, send: Send) -> None:
    await receive()
    async with manager.run():
        await send({"type": "lifespan.startup.complete"})
        await receive()
    await send({"type": "lifespan.shutdown.complete"})


async def over_stdio(door: ToolDoor) -> None:
    """Serve one client on standard input and output, until it hangs up."""
    server, lines = _server(door), cast("anyio.AsyncFile[str]", _Lines())
    try:
        async with stdio_server(lines) as (read, write):
            # What is printed meanwhile must not come out between the answers, nor after them.
            with redirect_stdout(sys.stderr):
                await server.run(read, write, server.create_initialization_options())
    except* ConnectionError:
        pass  # a client that waits for no more answers


class _Lines:
    """The lines of standard input, each without what would make it unreadable.

    Waited for without a thread, which could not be called back and would keep the program alive.
    """

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._begun: list[bytes] = []
        self._whole: deque[bytes] = deque()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        while not self._whole:
            with suppress(PermissionError):  # a file, which is never waited for
                await anyio.wait_readable(self._input)
            data = os.read(self._input, PIECE)
            if not data and not any(self._begun):
                raise StopAsyncIteration
            first, *more = (data or b"\n").split(b"\n")
            self._begun.append(first)
            for begun in more:
                self._whole.append(b"".join(self._begun))
                self._begun = [begun]
        return sound(self._whole.popleft()).decode("utf-8", "replace")


def _server(door: ToolDoor) -> Server[Any]:
    guide, schemas = door.guide, {tool.name: tool.schema for tool in door.tools}
    server: Server[Any] = Server(
        NAME,
        version=__version__,
        instructions=guide.instructions or None,
        get_tool_input_schema=schemas.get,
        on_list_tools=partial(_listed, _tools(door)),
        on_call_tool=partial(_called, door),
        on_list_prompts=_prompts if guide.opening else None,
        on_get_prompt=partial(_begun, guide.opening) if guide.opening else None,
        on_list_resources=partial(_pages, guide.pages) if guide.pages else None,
        on_read_resource=partial(_read, guide.pages) if guide.pages else None,
    )
    server.middleware.append(_any_arguments)
    return server


async def _any_arguments(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Arguments that are no object are one argument, which the tool will refuse by name."""
    sent = (ctx.params or {}).get("arguments")
    if ctx.method == "tools/call" and sent is not None and not isinstance(sent, dict):
        ctx = replace(ctx, params=dict(ctx.params or {}) | {"arguments": {"arguments": sent}})
    return await call_next(ctx)


# --- tools --------------------------------------------------------------------------------------


def _tools(door: ToolDoor) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(name=tool.name, description=tool.doc, input_schema=tool.schema)
            for tool in door.tools
        ]
    )


async def _listed(
    tools: types.ListToolsResult, context: Context, asked: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    """All on one page: not every client turns to the next."""
    return tools


async def _called(
    door: ToolDoor, context: Context, asked: types.CallToolRequestParams
) -> types.CallToolResult:
    try:
        answer = await door.call(asked.name, asked.arguments or {})
    except Exception:  # noqa: BLE001 - a client is answered, whatever breaks here
        # The words of a failure may name files, which are nobody's business outside.
        raise MCPError(types.INTERNAL_ERROR, "the server failed") from None
    pictures = [
        types.ImageContent(type="image", mime_type=image.media, data=b64encode(image.data).decode())
        for image in answer.images
    ]
    words = types.TextContent(type="text", text=answer.text)
    return types.CallToolResult(content=[words, *pictures], is_error=not answer.ok)


# --- texts beside them --------------------------------------------------------------------------


async def _prompts(
    context: Context, asked: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    begin = types.Prompt(name=BEGIN, title="Begin", description="The task, from its beginning.")
    return types.ListPromptsResult(prompts=[begin])


async def _begun(
    opening: str, context: Context, asked: types.GetPromptRequestParams
) -> types.GetPromptResult:
    if asked.name != BEGIN:
        raise MCPError(types.INVALID_PARAMS, f"there is no prompt {asked.name!r}; see {BEGIN!r}")
    said = types.TextContent(type="text", text=opening)
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=said)])


async def _pages(
    pages: tuple[Page, ...], context: Context, asked: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=page.uri, name=page.name, description=page.doc, mime_type="text/plain"
            )
            for page in pages
        ]
    )


async def _read(
    pages: tuple[Page, ...], context: Context, asked: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    for page in pages:
        if page.uri == asked.uri:
            text = types.TextResourceContents(
                uri=page.uri, mime_type="text/plain", text=page.read()
            )
            return types.ReadResourceResult(contents=[text])
    known = ", ".join(page.uri for page in pages)
    raise MCPError(types.INVALID_PARAMS, f"there is no resource {asked.uri}; there are: {known}")
