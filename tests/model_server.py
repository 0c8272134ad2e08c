"""A model server on loopback that says what a script tells it to.

    with ModelServer([Say(calls=(Use("now"),)), Say("Done.")]) as server:
        ...                                  # POST to server.url + "/v1/chat/completions",
        assert server.count == 2             # "/v1/messages" or "/v1/responses"

It speaks chat completions, Anthropic messages and Responses, whole or as a stream. A script is a
list of replies, or a function of what was asked, called from many threads.
"""

import json
import re
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby
from types import TracebackType
from typing import Self

from tests.model_replies import (
    JSON,
    Say,
    Use,
    anthropic_body,
    anthropic_events,
    chat_body,
    chat_events,
    responses_body,
    responses_events,
)

__all__ = ["Asked", "Cut", "Hang", "ModelServer", "Reset", "Say", "Spoken", "Use", "Wire"]
__all__ += ["busy", "fault", "full"]


@dataclass(frozen=True)
class Asked:
    """One request, as it came."""

    number: int
    """0 for the first request of the server."""
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: JSON

    @property
    def dialect(self) -> str:
        """chat, anthropic or responses."""
        last = self.path.partition("?")[0].rpartition("/")[2]
        if last == "responses":
            return last
        return "anthropic" if last == "messages" or re.search("invoke|awPredict", last) else "chat"

    @property
    def anthropic(self) -> bool:
        return self.dialect == "anthropic"

    @property
    def messages(self) -> list[JSON]:
        """The conversation: messages, or in Responses items."""
        found: list[JSON] | str = self.body["input" if "input" in self.body else "messages"]
        return [{"role": "user", "content": found}] if isinstance(found, str) else found

    @property
    def turns(self) -> int:
        """How many turns of the assistant it holds."""
        return sum(theirs for theirs, _ in groupby(self.messages, _of_the_assistant))

    @property
    def tools(self) -> list[str]:
        found = self.body.get("tools", ())
        inner = [one for tool in found for one in tool.get("tools", (tool,))]
        return [tool.get("function", tool)["name"] for tool in inner]

    @property
    def answers(self) -> list[str]:
        """The texts of the tool results since the assistant's last turn."""
        texts: list[str] = []
        for message in reversed(self.messages):
            if _of_the_assistant(message):
                break
            texts[:0] = _results(message)
        return texts

    @property
    def said(self) -> str:
        """The words of the last message, if it is the user's."""
        last = self.messages[-1]
        if last.get("role") != "user":
            return ""
        if isinstance(last["content"], str):
            return last["content"]
        return "".join(block.get("text", "") for block in last["content"])


def _of_the_assistant(message: JSON) -> bool:
    calling = message.get("type") in ("function_call", "custom_tool_call", "reasoning")
    return calling or message.get("role") == "assistant"


def _results(message: JSON) -> list[str]:
    if "call_id" in message:
        return [message["output"]]
    if message["role"] == "tool":
        return [message["content"]]
    if isinstance(message["content"], str):
        return []
    return [b.get("content", "") for b in message["content"] if b["type"] == "tool_result"]


@dataclass(frozen=True)
class Wire:
    """A body sent as it is, with a status and headers."""

    body: JSON | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reset:
    """The connection breaks before anything was said."""


@dataclass(frozen=True)
class Cut:
    """The connection breaks in the middle of a reply."""

    say: Say = field(default_factory=lambda: Say("This is not all, "))


@dataclass(frozen=True)
class Hang:
    """Nothing is ever said; a server that drips at least sends a blank now and then."""

    drip: bool = False


SPOKEN = {
    "chat": (chat_body, chat_events),
    "anthropic": (anthropic_body, anthropic_events),
    "responses": (responses_body, responses_events),
}
Spoken = Say | Wire | Reset | Cut | Hang
Speaker = Callable[[Asked], Spoken]
Script = Speaker | Sequence[Spoken | Speaker]


def fault(status: int, says: str = "no", headers: Mapping[str, str] | None = None) -> Wire:
    """An error in a shape that both dialects share."""
    kind = "invalid_request_error" if status == 400 else f"error_{status}"
    body = {"type": "error", "error": {"type": kind, "message": says}}
    return Wire(body, status, headers or {})


def busy(after: float) -> Wire:
    return fault(429, "too many requests", {"retry-after": f"{after:g}"})


def full(asked: Asked) -> Wire:
    """The context is full, in the real wording of either dialect."""
    if asked.anthropic:
        says = "prompt is too long: 208310 tokens > 200000 maximum"
        return fault(400, says)
    says = (
        "This model's maximum context length is 128000 tokens. However, your messages resulted in "
        "131277 tokens (129277 in the messages, 2000 in the functions). Please reduce the length "
        "of the messages or functions."
    )
    error = {"message": says, "type": "invalid_request_error", "param": "messages"}
    return Wire({"error": error | {"code": "context_length_exceeded"}}, 400)


class ModelServer:
    """Serves while it is entered. `asked` holds every request; a reply takes `delay` seconds."""

    def __init__(self, script: Script, *, delay: float = 0.0) -> None:
        self.asked: list[Asked] = []
        self.delay = delay
        self.over = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Talk)
        self._http.speaker = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def count(self) -> int:
        return len(self.asked)

    def answer(self, path: str, headers: Mapping[str, str], body: JSON) -> tuple[Asked, Spoken]:
        with self._lock:
            asked = Asked(len(self.asked), path, headers, body)
            self.asked.append(asked)
        self.over.wait(self.delay)
        if callable(self._script):
            return asked, self._script(asked)
        if asked.number >= len(self._script):
            return asked, fault(400, f"the script is over after {len(self._script)} replies")
        reply = self._script[asked.number]
        return asked, reply(asked) if callable(reply) else reply

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Http(ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True
    block_on_close = False
    speaker: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is no news; a script that broke is."""
        if not isinstance(sys.exception(), ConnectionError):
            traceback.print_exc()


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Http

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked, reply = self.server.speaker.answer(self.path, headers, body)
        match reply:
            case Hang(drip):
                self._hang(drip)
            case Reset():
                self.close_connection = True
            case Wire(sent, status, extra):
                self._send(sent, status, extra)
            case Cut(say):
                self._say(asked, say, cut=True)
            case Say():
                self._say(asked, reply)

    def _hang(self, drip: bool) -> None:
        self.close_connection = True
        if drip:
            self.send_response_only(200)
            self.end_headers()
        while not self.server.speaker.over.wait(0.02):
            if drip:
                self.wfile.write(b" ")
                self.wfile.flush()

    def _say(self, asked: Asked, say: Say, *, cut: bool = False) -> None:
        whole, events = SPOKEN[asked.dialect]
        body = whole(say, asked.number)
        if asked.body.get("stream"):
            told = events(body)
            self._stream(told[: len(told) // 3] if cut else told)
        else:
            self._send(body, cut=cut)

    def _send(
        self,
        body: JSON | str,
        status: int = 200,
        extra: Mapping[str, str] = {},
        *,
        cut: bool = False,
    ) -> None:
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response_only(status)
        for name, value in {"Content-Type": "application/json", **extra}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.wfile.flush()
        self.close_connection = cut

    def _stream(self, events: Sequence[tuple[str, JSON | str]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"{head}data: {text}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True
