"""A model server that costs next to nothing, in a process of its own: chat completions, one tool
call a reply, `finish` as the last.

python -m bench.instant LATENCY CALLS     prints its URL and serves until its standard input closes
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial


def reply(name: str, arguments: str) -> bytes:
    """The whole HTTP answer."""
    call = {"name": name, "arguments": arguments}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": call}],
    }
    body = {
        "id": "x",
        "object": "chat.completion",
        "model": "instant",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020},
    }
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(data)}"
    return head.encode() + b"\r\n\r\n" + data


class Instant(asyncio.Protocol):
    """One connection. Requests are counted by the assistant's turns in them, never parsed."""

    def __init__(self, latency: float, calls: int) -> None:
        self._latency, self._calls = latency, calls
        self._data, self._needs = bytearray(), 0
        self._next, self._last = reply("now", "{}"), reply("finish", '{"summary": "done"}')

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._needs:
            head = self._data.find(b"\r\n\r\n")
            if head < 0:
                return
            length = self._data[:head].lower().split(b"content-length:")[1].split(b"\r\n")[0]
            self._needs = head + 4 + int(length)
        if len(self._data) >= self._needs:
            turns = self._data.count(b'"role":"assistant"')
            answer = self._next if turns + 1 < self._calls else self._last
            self._data.clear()
            self._needs = 0
            loop = asyncio.get_running_loop()
            loop.call_later(self._latency, self._transport.write, answer)


async def serve(latency: float, calls: int) -> None:
    loop = asyncio.get_running_loop()
    make = partial(Instant, latency, calls)
    server = await loop.create_server(make, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


@contextmanager
def instant(latency: float, calls: int) -> Iterator[str]:
    """The base URL of such a server; it ends with the block."""
    command = [sys.executable, "-m", "bench.instant", str(latency), str(calls)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), int(sys.argv[2])))
