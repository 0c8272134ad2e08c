"""The Anthropic messages dialect.

Four pure functions go both ways, so that an agent can speak the dialect and a gateway serve it.
What has no place in our own types (documents, tools of the provider's own) is left out by them.
"""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from bythebook.models.overflows import is_overflow, overflow
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
from bythebook.models.wire import arguments, pictured, sound_id, sound_name

LONGEST_NAME = 128

_CACHE = {"cache_control": {"type": "ephemeral"}}
"""Up to a block so marked the provider caches: the next call of a long run reads it for a tenth."""

Block = dict[str, Any]

# --- requests -----------------------------------------------------------------------------------


def encode_request(request: Request) -> dict[str, Any]:
    """The request as it goes over the wire."""
    settings = request.settings
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": settings.max_tokens,
        "messages": _encode_messages(request.messages),
    }
    if request.system:
        body["system"] = [{"type": "text", "text": request.system} | _CACHE]
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.doc, "input_schema": tool.schema}
            for tool in request.tools
        ]
    if settings.temperature is not None:
        body["temperature"] = settings.temperature
    if settings.top_p is not None:
        body["top_p"] = settings.top_p
    if settings.stop:
        body["stop_sequences"] = list(settings.stop)
    if request.stream:
        body["stream"] = True
    return body | settings.extra


def _encode_messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Turns as the provider wants them: user and assistant by turns, the last block marked."""
    sent: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "assistant":
            sent.append(_encode_assistant(message))
        elif sent and sent[-1]["role"] == "user":
            sent[-1]["content"].extend(_encode_user(message))
        else:
            sent.append({"role": "user", "content": _encode_user(message)})
    if sent and sent[-1]["role"] == "user" and sent[-1]["content"]:
        sent[-1]["content"][-1] |= _CACHE
    return sent


def _encode_user(message: Message) -> list[Block]:
    """Answers stand first, as the provider wants them."""
    blocks = [_encode_answer(answer) for answer in message.answers]
    if message.head:
        blocks.append({"type": "text", "text": message.head} | _CACHE)
    blocks += map(_encode_image, message.images)
    if message.text.strip():
        blocks.append({"type": "text", "text": message.text})
    return blocks


def _encode_answer(answer: Answer) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": answer.id}
    if answer.images:
        words = [{"type": "text", "text": answer.text}] if answer.text else []
        block["content"] = [*words, *map(_encode_image, answer.images)]
    elif answer.text:
        block["content"] = answer.text
    return block if answer.ok else block | {"is_error": True}


def _encode_image(image: Image) -> Block:
    data = b64encode(image.data).decode()
    source = {"type": "base64", "media_type": image.media, "data": data}
    return {"type": "image", "source": source}


def _encode_assistant(message: Message) -> dict[str, Any]:
    if message.wire is not None and message.wire.dialect == "anthropic":
        return message.wire.body
    blocks: list[Block] = []
    if message.text.strip():
        blocks.append({"type": "text", "text": message.text})
    for call in message.calls:
        name = sound_name(call.name, LONGEST_NAME)
        blocks.append({"type": "tool_use", "id": call.id, "name": name, "input": call.args})
    return {"role": "assistant", "content": blocks}


_NOT_EXTRA = (
    *("max_tokens", "temperature", "top_p", "stop_sequences"),
    *("model", "messages", "system", "tools", "stream"),
)


def decode_request(body: Mapping[str, Any]) -> Request:
    """What a client of ours asks for."""
    settings = Settings(
        max_tokens=body["max_tokens"],
        temperature=body.get("temperature"),
        top_p=body.get("top_p"),
        stop=tuple(body.get("stop_sequences") or ()),
        extra={name: value for name, value in body.items() if name not in _NOT_EXTRA},
    )
    return Request(
        model=body["model"],
        system=_text(body.get("system"), "\n\n"),
        messages=tuple(_decode_turn(sent) for sent in body["messages"]),
        tools=tuple(
            ToolSpec(tool["name"], tool.get("description") or "", tool["input_schema"])
            for tool in body.get("tools") or ()
            if "input_schema" in tool
        ),
        settings=settings,
        stream=bool(body.get("stream")),
    )


def _decode_turn(sent: dict[str, Any]) -> Message:
    content = sent["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if sent["role"] == "assistant":
        return decode_message(blocks)
    answers = tuple(
        Answer(
            block["tool_use_id"],
            _text(block.get("content")),
            ok=not block.get("is_error"),
            images=_images(block.get("content")),
        )
        for block in blocks
        if block["type"] == "tool_result"
    )
    return Message("user", _text(blocks), answers=answers, images=_images(blocks))


def _images(content: object) -> tuple[Image, ...]:
    """Pictures in a content, those sent along; what only an address leads to is left out."""
    blocks = content if isinstance(content, list) else []
    found = (block["source"] for block in blocks if block.get("type") == "image")
    return tuple(
        Image(source["media_type"], pictured(source["data"]))
        for source in found
        if source.get("type") == "base64"
    )


def _text(content: object, between: str = "") -> str:
    """Words in a content that is text or a list of blocks."""
    if isinstance(content, list):
        return between.join(block["text"] for block in content if block.get("type") == "text")
    return content if isinstance(content, str) else ""


# --- replies ------------------------------------------------------------------------------------

_STOPS: dict[str, Stop] = {"max_tokens": "length", "tool_use": "calls", "refusal": "refusal"}


def decode_reply(body: Mapping[str, Any]) -> Reply:
    """What the provider answered. Raises `ContextOverflow` where the context ended the reply."""
    reason = body.get("stop_reason") or ""
    usage = _decode_usage(body.get("usage") or {})
    if reason == "model_context_window_exceeded":
        says = "the reply ran into the end of the model's context window"
        raise ContextOverflow(says, usage=usage)
    blocks = body["content"]
    half = None
    if reason == "max_tokens":
        blocks, half = _without_half(blocks)
    return Reply(
        message=decode_message(blocks),
        stop=_STOPS.get(reason, "end"),
        usage=usage,
        half=half,
        id=body.get("id") or "",
        model=body.get("model") or "",
    )


def _without_half(blocks: list[Block]) -> tuple[list[Block], Call | None]:
    """The blocks without the call the limit cut: the last block, if it is a call.

    What came of a cut call's arguments may look whole, so its place alone decides. Thinking that
    led to it goes too: the provider takes no turn back that ends in thinking.
    """
    if not blocks or blocks[-1]["type"] != "tool_use":
        return blocks, None
    last = blocks[-1]
    kept = blocks[:-1]
    while kept and kept[-1]["type"] in ("thinking", "redacted_thinking"):
        kept = kept[:-1]
    return kept, Call(str(last.get("name")), arguments(last.get("input") or ""), last["id"])


def decode_message(blocks: list[Block]) -> Message:
    """An assistant's turn, kept in the provider's blocks as far as those can be sent back.

    Thinking and its signatures stay as they are, in their places. Empty text, which the provider
    sends but does not take back, is left out; so is the oddness of a call's name or arguments.
    """
    taken: set[str] = set()
    calls: list[Call] = []
    kept: list[Block] = []
    for place, block in enumerate(blocks):
        if block["type"] == "tool_use":
            call, block = _decode_call(block, place, taken)
            calls.append(call)
        elif block["type"] == "text" and not block["text"].strip():
            continue
        kept.append({key: value for key, value in block.items() if value is not None})
    body = {"role": "assistant", "content": kept}
    return Message("assistant", _text(kept), calls=tuple(calls), wire=Wire("anthropic", body))


def _decode_call(block: Block, place: int, taken: set[str]) -> tuple[Call, Block]:
    sent = block.get("input")
    name = str(block.get("name") or "")
    args = arguments("" if sent is None else sent)
    call = Call(name, args, sound_id(block.get("id"), place, taken))
    return call, block | {"id": call.id, "name": sound_name(name, LONGEST_NAME), "input": args}


def _decode_usage(sent: dict[str, Any]) -> Usage:
    """The provider counts what came from or went to its cache apart from `input_tokens`."""
    cached = sent.get("cache_read_input_tokens") or 0
    stored = sent.get("cache_creation_input_tokens") or 0
    details = sent.get("output_tokens_details") or {}
    return Usage(
        input=(sent.get("input_tokens") or 0) + cached + stored,
        output=sent.get("output_tokens") or 0,
        cached=cached,
        stored=stored,
        reasoning=details.get("thinking_tokens") or 0,
        sent=sent,
    )


def encode_reply(reply: Reply) -> dict[str, Any]:
    """The reply as a client of ours reads it."""
    reasons = {"calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}
    usage = reply.usage
    return {
        "id": reply.id or "msg_0",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": _encode_assistant(reply.message)["content"],
        "stop_reason": reasons.get(reply.stop, "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": usage.input - usage.cached - usage.stored,
            "output_tokens": usage.output,
            "cache_read_input_tokens": usage.cached,
            "cache_creation_input_tokens": usage.stored,
        },
    }


# --- errors -------------------------------------------------------------------------------------


def decode_error(status: int, said: Mapping[str, Any]) -> Reply | None:
    """Errors that are the agent's own doing. Raises `ContextOverflow`; None for all others."""
    if is_overflow(status, said.get("code"), said.get("type"), said["message"]):
        raise overflow(said["message"])
    return None


_KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def encode_error(status: int, says: str) -> dict[str, Any]:
    """An error as a client of ours reads it."""
    kind = _KINDS.get(status) or ("api_error" if status >= 500 else "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": says}}


def encode_overflow(says: str) -> dict[str, Any]:
    """A full context, in words that clients look for."""
    words = says if "prompt is too long" in says else f"prompt is too long: {says}"
    return encode_error(400, words)
