"""A model server on loopback that says what a script tells it to.

    with ModelServer([Say(calls=(Use("now"),)), Say("Done.")]) as server:
        ...                                  # POST to server.url + "/v1/chat/completions"
        assert server.count == 2             # or to server.url + "/v1/messages"

It speaks chat completions and Anthropic messages, whole or as a stream, over real HTTP. A script is
a list of replies, or a function of what was asked, called from many threads. Wire forms are written
out here by hand, so that the code under test does not judge itself.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

JSON = dict[str, Any]


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
    def anthropic(self) -> bool:
        return self.path.endswith("/messages")

    @property
    def messages(self) -> list[JSON]:
        found: list[JSON] = self.body["messages"]
        return found

    @property
    def turns(self) -> int:
        """How many turns of the assistant it holds."""
        return sum(message["role"] == "assistant" for message in self.messages)

    @property
    def tools(self) -> list[str]:
        return [(tool.get("function") or tool)["name"] for tool in self.body.get("tools") or []]

    @property
    def answers(self) -> list[str]:
        """The texts of the tool results since the assistant's last turn."""
        texts: list[str] = []
        for message in reversed(self.messages):
            if message["role"] == "assistant":
                break
            texts[:0] = _results(message)
        return texts

    @property
    def said(self) -> str:
        """The words of the last message, if it is the user's."""
        last = self.messages[-1]
        if last["role"] != "user" or isinstance(last["content"], str):
            return str(last["content"]) if last["role"] == "user" else ""
        return "".join(block.get("text", "") for block in last["content"])


def _results(message: JSON) -> list[str]:
    if message["role"] == "tool":
        return [message["content"]]
    if isinstance(message["content"], str):
        return []
    return [b.get("content", "") for b in message["content"] if b["type"] == "tool_result"]


@dataclass(frozen=True)
class Use:
    """A tool call; arguments that are text go over the wire as they are."""

    name: str
    args: JSON | str = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True)
class Say:
    """A reply. `stop` is the provider's own word for why it ended."""

    text: str = ""
    calls: tuple[Use, ...] = ()
    stop: str = ""
    thinking: str = ""
    signature: str = "sig"
    input: int = 100
    output: int = 10
    cached: int = 0


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
class Hang:
    """Nothing is ever said."""


Spoken = Say | Wire | Reset | Hang
Speaker = Callable[[Asked], Spoken]
Script = Speaker | Sequence[Spoken | Speaker]


def fault(status: int, says: str = "no", headers: Mapping[str, str] | None = None) -> Wire:
    """An error in a shape that both dialects share."""
    body = {"type": "error", "error": {"type": f"error_{status}", "message": says}}
    return Wire(body, status, headers or {})


def busy(after: float) -> Wire:
    return fault(429, "too many requests", {"retry-after": f"{after:g}"})


def full(asked: Asked) -> Wire:
    """The context is full, in the real wording of either dialect."""
    if asked.anthropic:
        says = "prompt is too long: 208310 tokens > 200000 maximum"
        return Wire(
            {"type": "error", "error": {"type": "invalid_request_error", "message": says}}, 400
        )
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
        traceback: TracebackType | None,
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
            case Hang():
                self.server.speaker.over.wait()
                self.close_connection = True
            case Reset():
                self.close_connection = True
            case Wire(sent, status, extra):
                self._send(sent, status, extra)
            case Say():
                self._say(asked, reply)

    def _say(self, asked: Asked, say: Say) -> None:
        body = (_anthropic_body if asked.anthropic else _chat_body)(say, asked.number)
        if not asked.body.get("stream"):
            self._send(body)
        else:
            self._stream((_anthropic_events if asked.anthropic else _chat_events)(body))

    def _send(self, body: JSON | str, status: int = 200, extra: Mapping[str, str] = {}) -> None:
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response_only(status)
        for name, value in {"Content-Type": "application/json", **extra}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

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


# --- chat completions ---------------------------------------------------------------------------


def _chat_calls(say: Say, number: int) -> list[JSON]:
    return [
        {
            "id": f"call_{number}_{place}" if use.id is None else use.id,
            "type": "function",
            "function": {
                "name": use.name,
                "arguments": use.args if isinstance(use.args, str) else json.dumps(use.args),
            },
        }
        for place, use in enumerate(say.calls)
    ]


def _chat_message(say: Say, number: int) -> JSON:
    message: JSON = {"role": "assistant", "content": say.text or None, "refusal": None}
    if say.thinking:
        message["reasoning_content"] = say.thinking
    if say.calls:
        message["tool_calls"] = _chat_calls(say, number)
    return message


def _chat_usage(say: Say) -> JSON:
    return {
        "prompt_tokens": say.input,
        "completion_tokens": say.output,
        "total_tokens": say.input + say.output,
        "prompt_tokens_details": {"cached_tokens": say.cached},
    }


def _chat_body(say: Say, number: int) -> JSON:
    finish = say.stop or ("tool_calls" if say.calls else "stop")
    choice = {"index": 0, "message": _chat_message(say, number), "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [choice],
        "usage": _chat_usage(say),
    }


def _chat_events(body: JSON) -> list[tuple[str, JSON | str]]:
    choice = body["choices"][0]
    message = choice["message"]
    calls = [call | {"index": place} for place, call in enumerate(message.pop("tool_calls", []))]
    deltas: list[tuple[JSON, str | None]] = [(message, None)]
    deltas += [({"tool_calls": [call]}, None) for call in calls]
    deltas.append(({}, choice["finish_reason"]))
    frame = body | {"object": "chat.completion.chunk", "usage": None}
    events: list[tuple[str, JSON | str]] = [
        ("", frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        for delta, finish in deltas
    ]
    return [*events, ("", frame | {"choices": [], "usage": body["usage"]}), ("", "[DONE]")]


# --- Anthropic messages -------------------------------------------------------------------------


def _anthropic_blocks(say: Say, number: int) -> list[JSON]:
    blocks: list[JSON] = []
    if say.thinking:
        blocks.append({"type": "thinking", "thinking": say.thinking, "signature": say.signature})
    if say.text:
        blocks.append({"type": "text", "text": say.text})
    for place, use in enumerate(say.calls):
        name = f"toolu_{number}_{place}" if use.id is None else use.id
        blocks.append({"type": "tool_use", "id": name, "name": use.name, "input": use.args})
    return blocks


def _anthropic_body(say: Say, number: int) -> JSON:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": _anthropic_blocks(say, number),
        "stop_reason": say.stop or ("tool_use" if say.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": say.input - say.cached,
            "output_tokens": say.output,
            "cache_read_input_tokens": say.cached,
            "cache_creation_input_tokens": 0,
        },
    }


def _anthropic_events(body: JSON) -> list[tuple[str, JSON | str]]:
    begun = body | {"content": [], "stop_reason": None}
    events: list[tuple[str, JSON]] = [("message_start", {"message": begun})]
    for index, block in enumerate(body["content"]):
        empty, deltas = _anthropic_deltas(block)
        events.append(("content_block_start", {"index": index, "content_block": empty}))
        events += [("content_block_delta", {"index": index, "delta": d}) for d in deltas]
        events.append(("content_block_stop", {"index": index}))
    end = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    usage = {"output_tokens": body["usage"]["output_tokens"]}
    events.append(("message_delta", {"delta": end, "usage": usage}))
    events.append(("message_stop", {}))
    return [(name, {"type": name} | data) for name, data in events]


def _anthropic_deltas(block: JSON) -> tuple[JSON, list[JSON]]:
    """A block as it starts, and what fills it."""
    match block:
        case {"type": "text", "text": text}:
            return block | {"text": ""}, [{"type": "text_delta", "text": text}]
        case {"type": "thinking", "thinking": thinking, "signature": signature}:
            return block | {"thinking": "", "signature": ""}, [
                {"type": "thinking_delta", "thinking": thinking},
                {"type": "signature_delta", "signature": signature},
            ]
    part = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return block | {"input": {}}, [part]
