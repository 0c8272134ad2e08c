"""The chat completions dialect: OpenAI's, and by now nearly everybody's.

Four pure functions go both ways, so that an agent can speak the dialect and a gateway serve it.
What has no place in our own types (sound, tools other than functions) is left out by them.
"""

import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from bythebook.models.overflows import is_overflow, known, overflow
from bythebook.models.types import (
    Answer,
    Call,
    ContextOverflow,
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

# --- requests -----------------------------------------------------------------------------------


def encode_request(request: Request) -> dict[str, Any]:
    """The request as it goes over the wire."""
    settings = request.settings
    body: dict[str, Any] = {"model": request.model, "messages": _encode_messages(request)}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.doc, "parameters": tool.schema},
            }
            for tool in request.tools
        ]
    body["max_tokens"] = settings.max_tokens
    for name in ("temperature", "top_p", "seed"):
        if (value := getattr(settings, name)) is not None:
            body[name] = value
    if settings.stop:
        body["stop"] = list(settings.stop)
    if request.stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return body | settings.extra


def _encode_messages(request: Request) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []
    if request.system:
        sent.append({"role": "system", "content": request.system})
    for message in request.messages:
        if message.role == "assistant":
            sent.append(_encode_assistant(message))
            continue
        for answer in message.answers:
            sent.append({"role": "tool", "tool_call_id": answer.id, "content": answer.text})
        if content := _encode_user(message):
            sent.append({"role": "user", "content": content})
    return sent


def _encode_user(message: Message) -> str | list[dict[str, Any]]:
    """Words, or parts where there are pictures: those of answers come here, since the answers
    themselves may be words only."""
    words = "\n\n".join(filter(None, (message.head, message.text)))
    images = [*(image for answer in message.answers for image in answer.images), *message.images]
    if not images:
        return words
    parts: list[dict[str, Any]] = [_encode_image(image) for image in images]
    return [*parts, {"type": "text", "text": words}] if words else parts


def _encode_image(image: Image) -> dict[str, Any]:
    url = f"data:{image.media};base64,{b64encode(image.data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _encode_assistant(message: Message) -> dict[str, Any]:
    if message.wire is not None and message.wire.dialect == "chat":
        return message.wire.body
    body: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    if message.calls:
        body["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": sound_name(call.name, LONGEST_NAME),
                    "arguments": as_json(call.args),
                },
            }
            for call in message.calls
        ]
    return body


_SETTINGS = ("max_tokens", "max_completion_tokens", "temperature", "top_p", "seed", "stop")
_NOT_EXTRA = (*_SETTINGS, "model", "messages", "tools", "stream", "stream_options")


def decode_request(body: Mapping[str, Any]) -> Request:
    """What a client of ours asks for."""
    stop = body.get("stop") or ()
    longest = body.get("max_completion_tokens") or body.get("max_tokens")
    settings = Settings(
        max_tokens=longest or Settings().max_tokens,
        temperature=body.get("temperature"),
        top_p=body.get("top_p"),
        seed=body.get("seed"),
        stop=(stop,) if isinstance(stop, str) else tuple(stop),
        extra={name: value for name, value in body.items() if name not in _NOT_EXTRA},
    )
    functions = [tool["function"] for tool in body.get("tools") or () if "function" in tool]
    heads = ("system", "developer")
    return Request(
        model=body["model"],
        system="\n\n".join(_text(m.get("content")) for m in body["messages"] if m["role"] in heads),
        messages=_decode_messages([m for m in body["messages"] if m["role"] not in heads]),
        tools=tuple(
            ToolSpec(f["name"], f.get("description") or "", f.get("parameters") or {})
            for f in functions
        ),
        settings=settings,
        stream=bool(body.get("stream")),
    )


def _decode_messages(sent: list[dict[str, Any]]) -> tuple[Message, ...]:
    """Answers that follow each other, and the words after them, are one turn."""
    messages: list[Message] = []
    for one in sent:
        if one["role"] == "assistant":
            messages.append(decode_message(one))
            continue
        last = messages[-1] if messages else None
        answering = last is not None and bool(last.answers) and not last.text
        turn = messages.pop() if answering else Message("user")
        text = _text(one.get("content"))
        if one["role"] == "tool":
            answers = (*turn.answers, Answer(one["tool_call_id"], text))
            messages.append(replace(turn, answers=answers))
        else:
            messages.append(replace(turn, text=text, images=_images(one.get("content"))))
    return tuple(messages)


def _images(content: object) -> tuple[Image, ...]:
    """Pictures in a content, those sent along; what only an address leads to is left out."""
    parts = content if isinstance(content, list) else []
    urls = (part["image_url"]["url"] for part in parts if part.get("type") == "image_url")
    found = (_DATA_URL.fullmatch(url) for url in urls)
    return tuple(Image(one["media"], pictured(one["data"])) for one in found if one)


_DATA_URL = re.compile(r"data:(?P<media>[\w/+.-]+);base64,(?P<data>.*)", re.S)


def _text(content: object) -> str:
    """Words in a content that is text or a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    return content if isinstance(content, str) else ""


# --- replies ------------------------------------------------------------------------------------

_STOPS: dict[str, Stop] = {
    "length": "length",
    "tool_calls": "calls",
    "function_call": "calls",
    "content_filter": "refusal",
}
_BROKEN_OFF = ("error", "insufficient_system_resource")


def _ends_somewhere(sent: Mapping[str, Any]) -> bool:
    """Are there words, or calls whose arguments are whole?"""
    calls = sent.get("tool_calls") or ()
    if calls:
        return all(whole((call.get("function") or {}).get("arguments") or "{}") for call in calls)
    return bool(sent.get("content") or sent.get("function_call") or sent.get("refusal"))


def decode_reply(body: Mapping[str, Any]) -> Reply:
    """What a provider answered. Raises `Fault` where it broke off on its own, `ContextOverflow`
    where the context ended the reply."""
    choice = body["choices"][0]
    finish = choice.get("finish_reason") or ""
    if finish == "model_context_window_exceeded":
        says = "the reply ran into the end of the model's context window"
        raise ContextOverflow(says, usage=_decode_usage(body.get("usage") or {}))
    if finish in _BROKEN_OFF:
        raise Fault(f"the provider broke off its reply ({finish})", again=True)
    sent = choice["message"]
    if not finish and not _ends_somewhere(sent):
        raise Fault("the provider's reply ends nowhere and does not say why", again=True)
    half = None
    if finish == "length":
        sent, half = _without_half(sent)
    stop: Stop = "refusal" if sent.get("refusal") else _STOPS.get(finish, "end")
    return Reply(
        message=decode_message(sent),
        stop=stop,
        usage=_decode_usage(body.get("usage") or {}),
        half=half,
        id=body.get("id") or "",
        model=body.get("model") or "",
    )


def _without_half(sent: dict[str, Any]) -> tuple[dict[str, Any], Call | None]:
    """The message without its last call, where the limit left that one without its end."""
    calls = sent.get("tool_calls") or []
    if not calls or whole(_function(calls[-1]).get("arguments")):
        return sent, None
    cut = _function(calls[-1])
    half = Call(
        str(cut.get("name")), arguments(cut.get("arguments") or ""), calls[-1].get("id") or ""
    )
    return sent | {"tool_calls": calls[:-1]}, half


def decode_message(sent: dict[str, Any]) -> Message:
    """An assistant's turn, kept in the provider's words as far as those can be sent back.

    Reasoning fields stay as they are. A call that a provider would not take back (arguments that
    are no JSON, a name with odd signs, no id) is mended there; `calls` tells what was meant.
    """
    taken: set[str] = set()
    pairs = [_decode_call(raw, i, taken) for i, raw in enumerate(sent.get("tool_calls") or ())]
    body = {
        key: value for key, value in sent.items() if value not in (None, []) or key == "content"
    }
    body.pop("tool_calls", None)
    body["role"] = "assistant"
    if pairs:
        body["tool_calls"] = [raw for _, raw in pairs]
    text = _text(sent.get("content")) or sent.get("refusal") or ""
    return Message(
        "assistant", text, calls=tuple(call for call, _ in pairs), wire=Wire("chat", body)
    )


def _function(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A call's name and arguments; a custom tool's free text is its arguments."""
    if "function" in raw:
        function: dict[str, Any] = raw["function"]
        return function
    return {"name": raw["custom"]["name"], "arguments": raw["custom"]["input"]}


def _decode_call(raw: dict[str, Any], place: int, taken: set[str]) -> tuple[Call, dict[str, Any]]:
    function = _function(raw)
    sent = function.get("arguments")
    name = str(function.get("name") or "")
    args = arguments("" if sent is None else sent)
    call = Call(name, args, sound_id(raw.get("id"), place, taken))
    mended = {
        "name": sound_name(name, LONGEST_NAME),
        "arguments": sent if plain(sent) else as_json(args),
    }
    if function == mended and raw.get("id") == call.id and raw.get("type") == "function":
        return call, raw
    return call, raw | {"id": call.id, "type": "function", "function": mended}


def _decode_usage(sent: dict[str, Any]) -> Usage:
    read = sent.get("prompt_tokens_details") or {}
    written = sent.get("completion_tokens_details") or {}
    cached = read.get("cached_tokens") or sent.get("prompt_cache_hit_tokens")
    return Usage(
        input=sent.get("prompt_tokens") or 0,
        output=sent.get("completion_tokens") or 0,
        cached=cached or sent.get("cached_tokens") or 0,
        stored=read.get("cache_write_tokens") or 0,
        reasoning=written.get("reasoning_tokens") or 0,
        sent=sent,
    )


def encode_reply(reply: Reply) -> dict[str, Any]:
    """The reply as a client of ours reads it. `created` is 0: a run holds no wall clock."""
    finishes = {"calls": "tool_calls", "length": "length", "refusal": "content_filter"}
    message = _encode_assistant(reply.message)
    if reply.message.wire is None or reply.message.wire.dialect != "chat":
        for call, sent in zip(reply.message.calls, message.get("tool_calls", ()), strict=True):
            sent["function"]["arguments"] = as_written(call.args)
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": finishes.get(reply.stop, "stop"),
    }
    usage = reply.usage
    return {
        "id": reply.id or "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": reply.model,
        "choices": [choice],
        "usage": {
            "prompt_tokens": usage.input,
            "completion_tokens": usage.output,
            "total_tokens": usage.input + usage.output,
            "prompt_tokens_details": {"cached_tokens": usage.cached},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
        },
    }


# --- errors -------------------------------------------------------------------------------------


def decode_error(status: int, said: Mapping[str, Any]) -> Reply | None:
    """Errors that are the agent's own doing. Raises `ContextOverflow`; None for all others."""
    if is_overflow(status, said.get("code"), said.get("type"), said["message"]):
        raise overflow(said["message"])
    if status in (400, 422) and "tool_use_failed" in (said.get("code"), said.get("type")):
        return Reply(Message("assistant"), stop="malformed")
    return None


def encode_error(status: int, says: str) -> dict[str, Any]:
    """An error as a client of ours reads it."""
    code = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}.get(status)
    return {"error": {"message": says, "type": _kind(status), "param": None, "code": code}}


def _kind(status: int) -> str:
    if status == 429:
        return "rate_limit_error"
    return "server_error" if status >= 500 else "invalid_request_error"


def encode_overflow(says: str) -> dict[str, Any]:
    """A full context, in words that clients look for."""
    words = says if known(says) else f"Your input exceeds the context window of this model: {says}"
    body = encode_error(400, words)
    body["error"] |= {"code": "context_length_exceeded", "param": "messages"}
    return body
