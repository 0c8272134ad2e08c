"""The gateway's door: HTTP, as the ASGI standard has it.

A harness that wants a stream gets one. While its reply is still to come it is told so every now
and then, so that it does not take the connection for dead.
"""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from math import ceil
from typing import Any, Protocol

import anyio
import msgspec

from bythebook.gateway.exchange import Terms
from bythebook.models.client import Client
from bythebook.models.dialects import ANTHROPIC, CHAT, RESPONSES, Speech
from bythebook.models.wire import UNREADABLE, read_json

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Body = dict[str, Any]

LARGEST = 64 * 2**20
"""Bytes of a request; one that is larger is refused."""

BYTES_A_TOKEN = 4
"""For counts of tokens that are asked for: English text and JSON have 3.5 to 4.5."""

PATHS = {"chat/completions": CHAT, "responses": RESPONSES, "messages": ANTHROPIC}
COUNTS = {"messages/count_tokens": ANTHROPIC, "responses/input_tokens": RESPONSES}


class Denied(Exception):
    """A model call that gets no reply: a status, and a body in the harness's dialect."""

    def __init__(self, status: int, body: Body) -> None:
        super().__init__(status)
        self.status, self.body = status, body


class Answering(Protocol):
    """Who stands behind the door."""

    @property
    def model(self) -> Client: ...
    @property
    def terms(self) -> Terms: ...

    async def reply(self, speech: Speech, sent: object, headers: Mapping[str, str]) -> Body:
        """Raises `Denied`."""
        ...


def door(behind: Answering) -> App:
    """The ASGI application."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            await _Visit(behind, scope, receive, send).answer()

    return app


async def _lifespan(receive: Receive, send: Send) -> None:
    for what in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{what}.complete"})


def _meant(path: str, names: Mapping[str, Speech]) -> Speech | None:
    """The dialect whose path ends this one, wherever the harness thinks the API begins."""
    found = [speech for name, speech in names.items() if path.rstrip("/").endswith("/" + name)]
    return found[0] if found else None


class _Visit:
    """One HTTP request."""

    def __init__(self, behind: Answering, scope: Scope, receive: Receive, send: Send) -> None:
        self._behind, self._receive, self._send = behind, receive, send
        self._path, self._method = scope["path"], scope["method"]
        self._headers = {
            name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]
        }

    async def answer(self) -> None:
        speech = _meant(self._path, PATHS) if self._method == "POST" else None
        counting = _meant(self._path, COUNTS) if self._method == "POST" else None
        if speech or counting:
            await self._posted(speech, counting)
        elif self._method in ("GET", "HEAD") and "/models" in self._path:
            await self._say(200, _models(self._behind, self._path))
        elif self._method in ("GET", "HEAD") and self._path.strip("/") in ("", "v1"):
            await self._say(200, {"object": "gateway"})
        else:
            says = f"there is no {self._method} {self._path} here"
            await self._say(404, self._dialect().encode_error(404, says))

    async def _posted(self, speech: Speech | None, counting: Speech | None) -> None:
        data = await self._content()
        if data is None:
            return
        if counting is not None:
            kind = {"object": "response.input_tokens"} if counting is RESPONSES else {}
            await self._say(200, kind | {"input_tokens": ceil(len(data) / BYTES_A_TOKEN)})
        elif speech is not None:
            await self._called(speech, data)

    async def _content(self) -> bytes | None:
        """The body; None: it was refused, or the harness has gone."""
        if self._headers.get("content-encoding", "identity") != "identity":
            await self._say(415, self._dialect().encode_error(415, "send it uncompressed"))
            return None
        data, more = b"", True
        pieces: list[bytes] = []
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                return None
            pieces.append(message.get("body", b""))
            more = message.get("more_body", False)
            if sum(map(len, pieces)) > LARGEST:
                says = f"a request has at most {LARGEST} bytes"
                await self._say(413, self._dialect().encode_error(413, says))
                return None
        return data.join(pieces)

    async def _called(self, speech: Speech, data: bytes) -> None:
        """One model call, which ends when the harness hangs up."""
        try:
            sent = read_json(data)
        except UNREADABLE:
            await self._say(400, speech.encode_error(400, "the body is no JSON"))
            return
        async with anyio.create_task_group() as group:
            group.start_soon(self._hang_up, group.cancel_scope)
            await _Call(self._behind, speech, sent, self._headers).tell(self._send)
            group.cancel_scope.cancel()

    async def _hang_up(self, scope: anyio.CancelScope) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    def _dialect(self) -> Speech:
        return _meant(self._path, PATHS | COUNTS) or CHAT

    async def _say(self, status: int, body: Body) -> None:
        await tell(self._send, status, body)


class _Call:
    """One model call and what the harness is sent for it."""

    def __init__(
        self, behind: Answering, speech: Speech, sent: Any, headers: Mapping[str, str]
    ) -> None:
        self._behind, self._speech, self._sent, self._headers = behind, speech, sent, headers
        self._known = anyio.Event()
        self._status, self._body = 500, speech.encode_error(500, "the gateway broke")

    async def tell(self, send: Send) -> None:
        streams = isinstance(self._sent, dict) and bool(self._sent.get("stream"))
        async with anyio.create_task_group() as group:
            group.start_soon(self._ask)
            if not streams:
                await self._known.wait()
                await tell(send, self._status, self._body)
                return
            with anyio.move_on_after(self._behind.terms.ping):
                await self._known.wait()
            if self._known.is_set() and self._status != 200:
                await tell(send, self._status, self._body)
                return
            await self._stream(send)

    async def _ask(self) -> None:
        try:
            self._body = await self._behind.reply(self._speech, self._sent, self._headers)
            self._status = 200
        except Denied as denied:
            self._status, self._body = denied.status, denied.body
        finally:
            self._known.set()

    async def _stream(self, send: Send) -> None:
        model = self._behind.model.id
        await _begin(send, 200, b"text/event-stream", ((b"cache-control", b"no-cache"),))
        while not self._known.is_set():
            await _more(send, self._speech.waiting(model))
            with anyio.move_on_after(self._behind.terms.ping):
                await self._known.wait()
        if self._status == 200:
            events = self._speech.stream_of(_wanted(self._body, self._sent))
        else:
            events = self._speech.stream_error(self._body, model)
        await send({"type": "http.response.body", "body": b"".join(events)})


def _wanted(body: Body, sent: Body) -> Body:
    """Usage is a chunk of its own for those alone who asked for it."""
    options = sent.get("stream_options")
    asked = isinstance(options, dict) and options.get("include_usage")
    return body if asked or "choices" not in body else body | {"usage": None}


# --- answers ------------------------------------------------------------------------------------


async def tell(send: Send, status: int, body: Body, end: bytes = b"") -> None:
    """One JSON document. With an error goes the word that asking again is of no use: the gateway
    has done that."""
    data = msgspec.json.encode(body) + end
    more = [(b"content-length", str(len(data)).encode())]
    if status != 200:
        more.append((b"x-should-retry", b"false"))
    await _begin(send, status, b"application/json", more)
    await send({"type": "http.response.body", "body": data})


async def _begin(send: Send, status: int, kind: bytes, more: Any = ()) -> None:
    headers = [(b"content-type", kind), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _more(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


def _models(behind: Answering, path: str) -> Body:
    """The list of models, or one: in words of both OpenAI and Anthropic."""
    name = path.partition("/models")[2].strip("/")
    model = {
        "id": name or behind.model.id,
        "object": "model",
        "type": "model",
        "display_name": name or behind.model.id,
        "created": 0,
        "created_at": "1970-01-01T00:00:00Z",
        "owned_by": "bythebook",
    }
    if behind.terms.context_tokens is not None:
        window = behind.terms.context_tokens
        model |= {"context_length": window, "max_model_len": window}
    if name:
        return model
    return {"object": "list", "data": [model], "has_more": False, "models": []}
