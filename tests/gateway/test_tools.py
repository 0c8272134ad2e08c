"""Tools over MCP by HTTP: the official client at the door, with both of its ways to speak."""

import json
import tempfile
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from bythebook.gateway.served import served
from bythebook.gateway.tools import ToolDoor
from bythebook.models.types import Answer, ToolSpec
from tests.gateway.desk import (
    GUIDE,
    PICTURE,
    SCHEMA,
    TOOLS,
    URL,
    Desk,
    Way,
    ask,
    call,
    client,
    eras,
    opened,
    post,
    text,
    until,
)

pytestmark = pytest.mark.anyio


@eras
async def test_tools_are_offered_used_and_refused(era: str) -> None:
    desk = Desk()
    async with opened(ToolDoor(TOOLS, desk.use)) as way, client(way, era) as there:
        offered = (await there.list_tools()).tools
        done = await there.call_tool("echo", {"text": "Aye."})
        refused = await there.call_tool("refuse", {"text": "Never."})
        unknown = await there.call_tool("ehco", {})

    assert [(one.name, one.description, one.input_schema) for one in offered] == [
        (tool.name, tool.doc, tool.schema) for tool in TOOLS
    ]
    assert (text(done), done.is_error) == ("Aye.", False)
    assert (text(refused), refused.is_error) == ("Never.", True)
    assert (text(unknown), unknown.is_error) == ("no tool 'ehco'", True)
    assert [name for name, _ in desk.told] == ["echo", "refuse", "ehco"]


@eras
async def test_a_picture_goes_beside_the_words(era: str) -> None:
    async with opened(ToolDoor(TOOLS, Desk().use)) as way, client(way, era) as there:
        done = await there.call_tool("echo", {"text": "Look.", "picture": True})

    words, picture = done.content
    assert words.model_dump()["text"] == "Look."
    assert (picture.model_dump()["mime_type"], picture.model_dump()["data"]) == (
        PICTURE.media,
        b64encode(PICTURE.data).decode(),
    )


@eras
async def test_a_client_is_told_what_it_needs_beside_the_tools(era: str) -> None:
    async with opened(ToolDoor(TOOLS, Desk().use, GUIDE)) as way, client(way, era) as there:
        assert there.instructions == "Do as you are told."
        (prompt,) = (await there.list_prompts()).prompts
        (message,) = (await there.get_prompt(prompt.name)).messages
        (page,) = (await there.list_resources()).resources
        (read,) = (await there.read_resource(page.uri)).contents
        with pytest.raises(MCPError, match="there is no prompt 'start'; see 'begin'"):
            await there.get_prompt("start")
        with pytest.raises(MCPError, match="there is no resource desk://new; there are: desk://n"):
            await there.read_resource("desk://new")

    assert (message.role, message.content.model_dump()["text"]) == ("user", "Hello!")
    assert (read.uri, read.model_dump()["text"]) == ("desk://now", "ten o'clock")


async def test_without_a_guide_a_client_is_offered_tools_alone() -> None:
    async with opened(ToolDoor(TOOLS, Desk().use)) as way, client(way, "auto") as there:
        able = there.server_capabilities
        assert there.instructions is None

    assert able.tools is not None
    assert (able.prompts, able.resources) == (None, None)


@pytest.mark.parametrize("arguments", ['["a"]', '"{}"', "7", "true"])
async def test_arguments_that_are_no_object_are_refused_by_the_tool(arguments: str) -> None:
    desk = Desk()
    async with opened(ToolDoor(TOOLS, desk.use)) as way:
        answer = (await post(way, call(arguments, "refuse"))).json()

    assert answer["result"]["isError"] is True
    assert desk.told == [("refuse", {"arguments": json.loads(arguments)})]


@pytest.mark.parametrize("arguments", ["null", "{}"])
async def test_no_arguments_are_no_arguments(arguments: str) -> None:
    desk = Desk()
    async with opened(ToolDoor(TOOLS, desk.use)) as way:
        await post(way, call(arguments))

    assert desk.told == [("echo", {})]


@pytest.mark.parametrize("era", ["2026-07-28", "2025-06-18"])
async def test_half_a_character_breaks_neither_a_call_nor_its_answer(era: str) -> None:
    async def use(name: str, args: dict[str, Any]) -> Answer:
        return Answer("", args["text"] + "\ud83d" + "x" * 200_000)

    envelope = (
        '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
        '"io.modelcontextprotocol/clientCapabilities":{}},"name"'
    )
    body = call(r'{"text":"a\ud83d, b\ud83d\ude00"}')
    headers = {"mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": "echo"}
    if era > "2026":
        body = body.replace(b'"name"', envelope.encode(), 1)
    async with opened(ToolDoor(TOOLS, use)) as way:
        answer = (await post(way, body, **headers)).json()

    said = answer["result"]["content"][0]["text"]
    assert said[:8] + said[-3:] == "a?, b\U0001f600\ufffdxxxx"
    assert len(said) == 200_007


@eras
async def test_calls_are_made_one_at_a_time_in_the_order_they_came(era: str) -> None:
    desk = Desk()
    desk.gate = anyio.Event()
    door = ToolDoor(TOOLS, desk.use)

    def came(count: int) -> bool:
        return len(desk.told) + door.waiting == count

    async with (
        opened(door) as way,
        client(way, era) as one,
        client(way, era) as two,
        anyio.create_task_group() as group,
    ):
        for number in range(20):
            there = (one, two)[number % 2]
            group.start_soon(there.call_tool, "echo", {"text": str(number)})
            await until(partial(came, number + 1))
        assert len(desk.told) == 1
        desk.gate.set()

    assert [args["text"] for _, args in desk.told] == [str(number) for number in range(20)]


@eras
async def test_a_call_whose_client_hung_up_before_its_turn_is_not_made(era: str) -> None:
    desk = Desk()
    desk.gate = anyio.Event()
    door = ToolDoor(TOOLS, desk.use)
    async with (
        opened(door) as way,
        client(way, era) as there,
        anyio.create_task_group() as group,
    ):
        group.start_soon(there.call_tool, "echo", {"text": "first"})
        await until(lambda: len(desk.told) == 1)
        async with anyio.create_task_group() as other:
            other.start_soon(ask, way, era, "second")
            await until(lambda: door.waiting == 1)
            other.cancel_scope.cancel()
        await until(lambda: door.waiting == 0)
        desk.gate.set()
        await there.call_tool("echo", {"text": "third"})

    assert [args["text"] for _, args in desk.told] == ["first", "third"]
    assert desk.cut == []


@eras
async def test_a_client_that_hangs_up_in_the_middle_leaves_the_way_free(era: str) -> None:
    desk = Desk()
    desk.gate = anyio.Event()
    async with opened(ToolDoor(TOOLS, desk.use)) as way:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, way, era, "lost")
            await until(lambda: len(desk.told) == 1)
            group.cancel_scope.cancel()
        await until(lambda: desk.cut == ["echo"])
        desk.gate.set()
        assert await ask(way, era, "found") == "found"


@eras
async def test_serving_ends_although_a_call_is_in_flight(era: str) -> None:
    desk = Desk()
    desk.gate = anyio.Event()

    async def ask_in_vain(way: Way) -> None:
        with pytest.raises((MCPError, httpx2.HTTPError, ExceptionGroup)):
            await ask(way, era, "lost")

    async with anyio.create_task_group() as group:
        with anyio.fail_after(10):
            async with opened(ToolDoor(TOOLS, desk.use)) as way:
                group.start_soon(ask_in_vain, way)
                await until(lambda: len(desk.told) == 1)

    assert desk.cut == ["echo"]


@eras
async def test_our_own_failure_is_told_as_one_and_nothing_of_it(era: str) -> None:
    desk = Desk()
    door = ToolDoor(TOOLS, desk.use)
    async with opened(door) as way, client(way, era) as there:
        with pytest.raises(MCPError) as failed:
            await there.call_tool("break", {})
        again = await there.call_tool("echo", {"text": "Aye."})

    assert failed.value.error.message == "the server failed"
    assert isinstance(door.failure, OSError)
    assert text(again) == "Aye."


@eras
async def test_six_hundred_tools_come_on_one_page(era: str) -> None:
    tools = [ToolSpec(f"tool_{number}", "To do it.", SCHEMA) for number in range(620)]
    async with opened(ToolDoor(tools, Desk().use)) as way, client(way, era) as there:
        page = await there.list_tools()
        last = await there.call_tool("tool_619", {"text": "Aye."})

    assert [tool.name for tool in page.tools] == [tool.name for tool in tools]
    assert page.next_cursor is None
    assert text(last) == "Aye."


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/mcp", b"x" * (4 * 2**20 + 1), 413),
        ("/mcp", b"{", 400),
        ("/mcp", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', 200),
        ("/else", call("{}"), 404),
    ],
)
async def test_what_is_no_call_reaches_no_tool(path: str, body: bytes, status: int) -> None:
    desk = Desk()
    async with opened(ToolDoor(TOOLS, desk.use)) as way, way() as http:
        headers = {"content-type": "application/json", "accept": "application/json"}
        answer = await http.post(URL.replace("/mcp", path), content=body, headers=headers)

    assert answer.status_code == status
    assert "error" in answer.json()
    assert desk.told == []


async def test_a_request_that_does_not_come_whole_is_none() -> None:
    desk = Desk()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tools"
        async with served(ToolDoor(TOOLS, desk.use).app, path):
            async with await anyio.connect_unix(path) as wire:
                head = b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n"
                await wire.send(head + call("{}"))
            async with client_at(path) as there:
                await there.call_tool("echo", {"text": "Aye."})

    assert desk.told == [("echo", {"text": "Aye."})]


@asynccontextmanager
async def client_at(path: Path) -> AsyncIterator[Client]:
    def way() -> httpx2.AsyncClient:
        transport = httpx2.AsyncHTTPTransport(uds=str(path), verify=False)
        return httpx2.AsyncClient(transport=transport)

    async with client(way, "auto") as there:
        yield there
