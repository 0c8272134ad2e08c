"""The OpenAI Responses dialect.

Four pure functions go both ways, so that an agent can speak the dialect and a gateway serve it.
The whole conversation is sent each time and nothing is to be stored by the provider; so reasoning
is asked for in its sealed form and sent back with the turn that it belongs to.
What has no place in our own types (tools that run at the provider) is left out.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from bythebook.models.types import (
    Answer,
    Call,
    Image,
    Message,
    Reply,
    Request,
    Settings,
    Stop,
    ToolSpec,
    Usage,
    Wire,
)
from bythebook.models.wire import (
    Fault,
    arguments,
    as_json,
    as_written,
    pictured,
    plain,
    sound_id,
    sound_name,
    whole,
)

LONGEST_NAME = 64

Item = dict[str, Any]

# --- requests -----------------------------------------------------------------------------------


def encode_request(request: Request) -> dict[str, Any]:
    """The request as it goes over the wire. The dialect knows no seed and no stop words."""
    settings = request.settings
    items = [item for message in request.messages for item in _encode_message(message)]
    body: dict[str, Any] = {
        "model": request.model,
        "input": items,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "max_output_tokens": settings.max_tokens,
    }
    if request.system:
        body["instructions"] = request.system
    if request.tools:
        body["tools"] = [_encode_tool(tool) for tool in request.tools]
    for name in ("temperature", "top_p"):
        if (value := getattr(settings, name)) is not None:
            body[name] = value
    if request.stream:
        body["stream"] = True
    return body | settings.extra


def _encode_tool(tool: ToolSpec) -> Item:
    """Without `strict: false` the provider would make every argument a required one."""
    named = {"type": "function", "name": tool.name, "description": tool.doc}
    return named | {"parameters": tool.schema, "strict": False}


def _encode_message(message: Message) -> list[Item]:
    if message.role == "assistant":
        return _encode_assistant(message)
    items: list[Item] = [
        {"type": "function_call_output", "call_id": answer.id, "output": _encode_answer(answer)}
        for answer in message.answers
    ]
    words = "\n\n".join(filter(None, (message.head, message.text)))
    if message.images:
        items.append({"role": "user", "content": _encode_parts(message.images, words)})
    elif words:
        items.append({"role": "user", "content": words})
    return items


def _encode_answer(answer: Answer) -> str | list[Item]:
    return _encode_parts(answer.images, answer.text) if answer.images else answer.text


def _encode_parts(images: Sequence[Image], words: str) -> list[Item]:
    parts: list[Item] = [
        {
            "type": "input_image",
            "image_url": f"data:{image.media};base64,{b64encode(image.data).decode()}",
        }
        for image in images
    ]
    return [*parts, {"type": "input_text", "text": words}] if words else parts


def _encode_assistant(message: Message) -> list[Item]:
    if message.wire is not None and message.wire.dialect == "responses":
        items: list[Item] = message.wire.body["output"]
        return items
    said = [{"role": "assistant", "content": message.text}] if message.text.strip() else []
    return [*said, *(_encode_call(call) for call in message.calls)]


def _encode_call(call: Call) -> Item:
    named = {"type": "function_call", "call_id": call.id}
    return named | {"name": sound_name(call.name, LONGEST_NAME), "arguments": as_json(call.args)}


_SETTINGS = ("max_output_tokens", "temperature", "top_p")
_NOT_EXTRA = (*_SETTINGS, "model", "input", "instructions", "tools", "stream", "store", "include")


def decode_request(body: Mapping[str, Any]) -> Request:
    """What a client of ours asks for."""
    settings = Settings(
        max_tokens=body.get("max_output_tokens") or Settings().max_tokens,
        temperature=body.get("temperature"),
        top_p=body.get("top_p"),
        extra={name: value for name, value in body.items() if name not in _NOT_EXTRA},
    )
    sent = body.get("input") or []
    items = [{"role": "user", "content": sent}] if isinstance(sent, str) else sent
    heads = [_text(i.get("content")) for i in items if i.get("role") in ("system", "developer")]
    return Request(
        model=body["model"],
        system="\n\n".join(filter(None, (body.get("instructions") or "", *heads))),
        messages=tuple(_decode_items(items)),
        tools=tuple(_decode_tools(body.get("tools") or ())),
        settings=settings,
        stream=bool(body.get("stream")),
    )


def _decode_tools(sent: Sequence[Item], namespace: str = "") -> Iterator[ToolSpec]:
    """Functions, those in namespaces too; a tool that takes free text is given one argument."""
    for tool in sent:
        match tool.get("type", "function"):
            case "function":
                schema = tool.get("parameters") or {}
            case "custom":
                schema = FREE_TEXT
            case "namespace":
                yield from _decode_tools(tool["tools"], tool["name"])
                continue
            case _:
                continue
        yield ToolSpec(flat(namespace, tool["name"]), tool.get("description") or "", schema)


FREE_TEXT: dict[str, Any] = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
}


def flat(namespace: str | None, name: str) -> str:
    """A tool's name where there are no namespaces."""
    return f"{namespace}__{name}" if namespace else name


def _of_the_assistant(item: Item) -> bool:
    """Whatever the other side did not say, calls and reasoning of all kinds among it."""
    kind = item.get("type") or "message"
    theirs = kind == "message" or kind.endswith("_output")
    return item.get("role") == "assistant" or not theirs


def _decode_items(items: Sequence[Item]) -> Iterator[Message]:
    """Items of the assistant that follow each other are one turn; so are answers, and the words
    after them."""
    sent = [item for item in items if item.get("role") not in ("system", "developer")]
    for said, group in groupby(sent, _of_the_assistant):
        if said:
            yield decode_message(list(group))
        else:
            yield from _decode_users(group)


def _decode_users(items: Iterable[Item]) -> Iterator[Message]:
    turn = Message("user")
    for item in items:
        if turn.text or turn.images:
            yield turn
            turn = Message("user")
        turn = _decode_user(item, turn)
    yield turn


def _decode_user(item: Item, turn: Message) -> Message:
    content = item.get("output", item.get("content"))
    if "call_id" in item:
        answer = Answer(item["call_id"], _text(content), images=_images(content))
        return replace(turn, answers=(*turn.answers, answer))
    return replace(turn, text=_text(content), images=_images(content))


def _text(content: object) -> str:
    """Words in a content that is text or a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def _images(content: object) -> tuple[Image, ...]:
    """Pictures in a content, those sent along; what only an address leads to is left out."""
    parts = content if isinstance(content, list) else []
    urls = (part.get("image_url") or "" for part in parts if part.get("type") == "input_image")
    found = (_DATA_URL.fullmatch(url) for url in urls)
    return tuple(Image(one["media"], pictured(one["data"])) for one in found if one)


_DATA_URL = re.compile(r"data:(?P<media>[\w/+.-]+);base64,(?P<data>.*)", re.S)

# --- replies ------------------------------------------------------------------------------------

_CALLS = ("function_call", "custom_tool_call")


def decode_reply(body: Mapping[str, Any]) -> Reply:
    """What a provider answered. Raises `Fault` where it broke off on its own."""
    status = body.get("status") or "completed"
    if status not in ("completed", "incomplete"):
        raise Fault(f"the provider broke off its reply ({status})", again=True)
    items = body["output"]
    reason = (body.get("incomplete_details") or {}).get("reason")
    half = None
    if status == "incomplete" and reason != "content_filter":
        items, half = _without_half(items)
    message = decode_message(items)
    refused = reason == "content_filter" or any(_refusal(item) for item in items)
    stop: Stop = "refusal" if refused else "calls" if message.calls else "end"
    return Reply(
        message=message,
        stop="length" if status == "incomplete" and not refused else stop,
        usage=_decode_usage(body.get("usage") or {}),
        half=half,
        id=body.get("id") or "",
        model=body.get("model") or "",
    )


def _without_half(items: list[Item]) -> tuple[list[Item], Call | None]:
    """The items without a last call that the limit left without its end.

    Reasoning that led to it goes too: the provider takes no turn back that ends in reasoning.
    """
    last = items[-1] if items else {}
    if last.get("type") not in _CALLS:
        return items, None
    if last.get("status") != "incomplete" and whole(last.get("arguments")):
        return items, None
    kept = items[:-1]
    while kept and kept[-1]["type"] == "reasoning":
        kept = kept[:-1]
    return kept, _decode_call(last, 0, set())[0]


def decode_message(items: Sequence[Item]) -> Message:
    """An assistant's turn, kept in the provider's items as far as those can be sent back.

    Reasoning stays as it is, in its place. Fields without a value, which the provider sends but
    does not take back, are left out; so is the oddness of a call's name or arguments.
    """
    taken: set[str] = set()
    calls: list[Call] = []
    kept: list[Item] = []
    for place, item in enumerate(items):
        if item.get("type") in _CALLS:
            call, item = _decode_call(item, place, taken)
            calls.append(call)
        kept.append({key: value for key, value in item.items() if value is not None})
    said = (_text(item.get("content")) for item in items if item.get("role") == "assistant")
    text = "\n\n".join(filter(None, said)) or "".join(_refusal(item) for item in items)
    return Message("assistant", text, calls=tuple(calls), wire=Wire("responses", {"output": kept}))


def _refusal(item: Item) -> str:
    content = item.get("content")
    parts = content if isinstance(content, list) else []
    return "".join(part.get("refusal") or "" for part in parts if isinstance(part, dict))


def _decode_call(item: Item, place: int, taken: set[str]) -> tuple[Call, Item]:
    id = sound_id(item.get("call_id"), place, taken)
    name = str(item.get("name") or "")
    shown = flat(item.get("namespace"), name)
    mended = item | {"call_id": id, "name": sound_name(name, LONGEST_NAME)}
    if item["type"] == "custom_tool_call":
        return Call(shown, {"input": item.get("input") or ""}, id), mended
    sent = item.get("arguments")
    args = arguments("" if sent is None else sent)
    mended["arguments"] = sent if plain(sent) else as_json(args)
    return Call(shown, args, id), mended


def _decode_usage(sent: dict[str, Any]) -> Usage:
    read = sent.get("input_tokens_details") or {}
    written = sent.get("output_tokens_details") or {}
    return Usage(
        input=sent.get("input_tokens") or 0,
        output=sent.get("output_tokens") or 0,
        cached=read.get("cached_tokens") or 0,
        stored=read.get("cache_write_tokens") or 0,
        reasoning=written.get("reasoning_tokens") or 0,
        sent=sent,
    )


def encode_reply(reply: Reply) -> dict[str, Any]:
    """The reply as a client of ours reads it. `created_at` is 0: a run holds no wall clock."""
    reasons = {"length": "max_output_tokens", "refusal": "content_filter"}
    reason = reasons.get(reply.stop)
    usage = reply.usage
    return {
        "id": reply.id or "resp_0",
        "object": "response",
        "created_at": 0,
        "status": "incomplete" if reason else "completed",
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": reply.model,
        "output": _encode_output(reply.message),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": usage.input,
            "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
            "output_tokens": usage.output,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning},
            "total_tokens": usage.input + usage.output,
        },
    }


def _encode_output(message: Message) -> list[Item]:
    """A turn as a provider sends it: with ids and states, which a request does without."""
    if message.wire is not None and message.wire.dialect == "responses":
        return _encode_assistant(message)
    done = {"status": "completed"}
    output: list[Item] = []
    if message.text.strip():
        part = {"type": "output_text", "text": message.text, "annotations": []}
        said = {"type": "message", "id": "msg_0", "role": "assistant", "content": [part]}
        output.append(said | done)
    for call in message.calls:
        sent = _encode_call(call) | {"arguments": as_written(call.args)}
        output.append(sent | {"id": f"fc_{call.id}"} | done)
    return output
