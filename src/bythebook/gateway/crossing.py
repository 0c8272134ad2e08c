"""Requests and replies on their way from a harness's dialect to a provider's, and back."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from bythebook.gateway.choice import carried
from bythebook.models import responses
from bythebook.models.client import longest
from bythebook.models.dialects import Speech
from bythebook.models.types import Call, Dialect, Message, Reply, Request, Settings
from bythebook.models.wire import as_json, plain, sound_name

Body = dict[str, Any]


class Crossing:
    """The way of one attempt's conversations between two dialects.

    It remembers what the provider said. A turn that comes back from the harness with the same
    calls goes to the provider as it came from there: with its reasoning, signatures and ids, for
    which the harness's dialect has no place.
    """

    def __init__(self, provider: Dialect, model: str) -> None:
        self._provider, self._model = provider, model
        self._said: dict[bytes, Message] = {}
        self._ids: set[str] = set()

    def request(self, body: Body, read: Request, theirs: Dialect, settings: Settings) -> Request:
        """What the provider is asked. `read` is the body, read."""
        messages = (self._remembered(message) for message in read.messages)
        return replace(
            read,
            model=self._model,
            messages=_in_order(message for message in messages if not message.empty),
            settings=_settled(body, read.settings, settings, carried(body, theirs, self._provider)),
            stream=False,
        )

    def reply(self, reply: Reply, theirs: Speech, asked: Body) -> Body:
        """What the harness is told, in its dialect."""
        if reply.message.calls:
            self._said[_key(reply.message.calls)] = reply.message
        told = replace(reply, model=reply.model or self._model, id=self._distinct(reply.id))
        body = theirs.encode_reply(told)
        return _spread(body, asked) if theirs.dialect == "responses" else body

    def _distinct(self, name: str) -> str:
        """An id that no reply had before: some servers give all of them the same, or none, and a
        harness may take two of one id for one."""
        if not name or name in self._ids:
            name = f"{name or 'reply'}-{len(self._ids)}"
        self._ids.add(name)
        return name

    def _remembered(self, message: Message) -> Message:
        if message.role != "assistant" or not message.calls:
            return message
        return self._said.get(_key(message.calls), message)


def _key(calls: tuple[Call, ...]) -> bytes:
    """Ids alone do not do: some providers number the calls of each reply anew."""
    return msgspec.json.encode([(call.id, call.name, call.args) for call in calls], order="sorted")


def _in_order(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Answers go before words that were said between the calls and them."""
    ordered: list[Message] = []
    for message in messages:
        if message.answers and ordered and ordered[-1].role == "user":
            before = ordered.pop()
            message = replace(
                message,
                text="\n\n".join(filter(None, (before.text, message.text))),
                answers=before.answers + message.answers,
                images=before.images + message.images,
            )
        ordered.append(message)
    return tuple(ordered)


def _settled(body: Body, theirs: Settings, ours: Settings, extra: Body) -> Settings:
    """Our settings, and theirs where we have none."""
    return Settings(
        max_tokens=longest(ours.max_tokens, body),
        temperature=theirs.temperature if ours.temperature is None else ours.temperature,
        top_p=theirs.top_p if ours.top_p is None else ours.top_p,
        seed=theirs.seed if ours.seed is None else ours.seed,
        stop=ours.stop or theirs.stop,
        extra=extra | ours.extra,
    )


def _spread(body: Body, asked: Body) -> Body:
    """Calls named as the harness offered the tools: in their namespaces, with free text."""
    offered = dict(_offered(asked.get("tools") or ()))
    output: list[Body] = []
    for item in body["output"]:
        tool = offered.get(item.get("name", "")) if item["type"] == "function_call" else None
        output.append(_renamed(item, tool) if tool else item)
    return body | {"output": output}


def _offered(tools: Iterable[Body], namespace: str = "") -> Iterator[tuple[str, Body]]:
    """Names as a provider without namespaces knows them, and what tools they stand for."""
    for tool in tools:
        if tool.get("type") == "namespace":
            yield from _offered(tool["tools"], tool["name"])
        elif tool.get("type") in ("function", "custom"):
            name = sound_name(responses.flat(namespace, tool["name"]), responses.LONGEST_NAME)
            yield name, tool | ({"namespace": namespace} if namespace else {})


def _renamed(item: Body, tool: Body) -> Body:
    named = {name: tool[name] for name in ("name", "namespace") if name in tool}
    if tool["type"] == "function":
        return item | named
    kept = {name: item[name] for name in ("id", "call_id", "status") if name in item}
    sent = msgspec.json.decode(item["arguments"])
    text = sent.get("input") if isinstance(sent, dict) else None
    words = text if isinstance(text, str) else item["arguments"]
    return kept | named | {"type": "custom_tool_call", "input": words}


# --- what is relayed ----------------------------------------------------------------------------


def sendable(body: Body, dialect: Dialect, settings: Settings) -> Body:
    """A body that the provider takes although its model once wrote a call that is no JSON.

    All else stays as it is, but for a budget of thinking that our longest reply would not hold.
    """
    if dialect == "chat":
        return body | {"messages": [_mended_turn(message) for message in body["messages"]]}
    if dialect == "responses" and isinstance(body.get("input"), list):
        return body | {"input": [_mended(item) for item in body["input"]]}
    thinking = body.get("thinking")
    most = longest(settings.max_tokens, body) - 1
    if isinstance(thinking, dict) and thinking.get("budget_tokens", 0) > most:
        return body | {"thinking": thinking | {"budget_tokens": most}}
    return body


def _mended_turn(message: Body) -> Body:
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or all(plain(_arguments(call)) for call in calls):
        return message
    mended = [
        call | {"function": _mended(call["function"])} if "function" in call else call
        for call in calls
    ]
    return message | {"tool_calls": mended}


def _arguments(call: Body) -> object:
    return (call.get("function") or {}).get("arguments")


def _mended(call: Body) -> Body:
    sent = call.get("arguments")
    if not isinstance(sent, str) or plain(sent):
        return call
    return call | {"arguments": as_json({"_malformed": sent} if sent.strip() else {})}


def readable(body: object, speech: Speech) -> Request | None:
    """The request, or None where the body is none."""
    if not isinstance(body, Mapping):
        return None
    try:
        return speech.decode_request(body)
    except (LookupError, TypeError, AttributeError, ValueError):
        return None
