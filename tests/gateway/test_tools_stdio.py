"""Tools over MCP by standard input and output: a program of ours, started by a client."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.gateway import tool_program
from tests.gateway.desk import call, eras, text

HELLO = (
    b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
)
PROGRAM = [sys.executable, tool_program.__file__]


@pytest.mark.anyio
@eras
async def test_a_program_serves_tools_on_its_standard_streams(era: str) -> None:
    command, *rest = PROGRAM
    async with Client(StdioServerParameters(command=command, args=rest), mode=era) as there:
        offered = (await there.list_tools()).tools
        done = await there.call_tool("echo", {"text": "Aye."})
        refused = await there.call_tool("ehco", {"text": "Aye."})
        assert there.instructions == "Do as you are told."

    assert [tool.name for tool in offered] == ["echo", "wait"]
    assert (text(done), done.is_error) == ("echo {'text': 'Aye.'}", False)
    assert refused.is_error


def spoken(*lines: bytes) -> tuple[list[dict[str, Any]], str]:
    """What the program answers to these lines, and what it says beside them, until it ends."""
    ready = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    with subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={}
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"\n".join([HELLO, ready, *lines, b""]))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in (HELLO, *lines)]
        process.stdin.close()
        said = process.stderr.read().decode()
        assert process.wait(timeout=30) == 0
        assert process.stdout.read() == b""
    return answers, said


def test_a_call_with_half_a_character_is_answered_on_standard_output() -> None:
    answers, said = spoken(call(r'{"text":"a\ud83d"}'), call("[1]", "refuse"))

    by_hand = [answer["result"] for answer in answers[1:]]
    assert [result["isError"] for result in by_hand] == [False, True]
    assert by_hand[0]["content"][0]["text"] == "echo {'text': 'a?'}"
    assert said.count("a stray word") == 2
    assert said.endswith("over\n")


def test_a_last_line_needs_no_end(tmp_path: Path) -> None:
    """Out of a file, too, which is never waited for."""
    asked = tmp_path / "asked"
    asked.write_bytes(HELLO)
    with asked.open() as lines:
        done = subprocess.run(PROGRAM, stdin=lines, capture_output=True, timeout=30, check=True)

    assert json.loads(done.stdout)["id"] == 0


@pytest.mark.parametrize("closed", [True, False])
def test_a_client_that_hangs_up_in_the_middle_is_no_news(closed: bool) -> None:
    with subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(call("{}") + b"\n")
        process.stdin.flush()
        if closed:
            process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read().endswith(b"over\n")


def test_serving_ends_with_standard_input_although_a_call_is_in_flight() -> None:
    ended = subprocess.run(
        PROGRAM, input=call("{}", "wait") + b"\n", capture_output=True, timeout=30, check=True
    )

    assert ended.stderr.decode().endswith("over\n")


def test_a_missing_package_is_told_with_its_command() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "from bythebook.gateway.tools import ToolDoor\n"
        "ToolDoor([], None).app\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=30
    )

    assert (
        "UsageError: programs of others are served by packages that are missing: mcp" in done.stderr
    )
    assert "pip install 'bythebook[harness]'" in done.stderr
