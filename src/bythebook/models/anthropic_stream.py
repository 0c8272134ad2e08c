"""Anthropic messages as a stream: a whole reply cut into events, and events put together again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bythebook.models.sse import Data, broken_off, event
from bythebook.models.wire import UNREADABLE, as_json, read_json

WAITING = event({"type": "ping"}, "ping")

_AT_THE_END = ("stop_reason", "stop_sequence", "stop_details", "container", "context_management")
"""What of a message is known only when it is over."""


def stream_of(body: Mapping[str, Any]) -> Iterator[bytes]:
    """A reply as the events a client reads."""
    end = {name: body[name] for name in _AT_THE_END if name in body}
    begun = dict(body) | {"content": [], "stop_reason": None, "stop_sequence": None}
    begun["usage"] = dict(body.get("usage") or {}) | {"output_tokens": 1}
    yield _event("message_start", message=begun)
    for index, block in enumerate(body["content"]):
        empty, deltas = _cut(block)
        yield _event("content_block_start", index=index, content_block=empty)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    yield _event("message_delta", delta=end, usage=body.get("usage") or {"output_tokens": 0})
    yield _event("message_stop")


def _event(name: str, **data: Any) -> bytes:
    return event({"type": name} | data, name)


def _cut(block: Data) -> tuple[Data, list[Data]]:
    """A block as it begins, and what fills it. Blocks of other kinds come whole."""
    match block.get("type"):
        case "text":
            cited = [
                {"type": "citations_delta", "citation": one} for one in block.get("citations") or ()
            ]
            kept = {name: value for name, value in block.items() if name != "citations"}
            return kept | {"text": ""}, [{"type": "text_delta", "text": block["text"]}, *cited]
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": block.get("thinking") or ""}]
            if block.get("signature"):
                deltas.append({"type": "signature_delta", "signature": block["signature"]})
            return block | {"thinking": "", "signature": ""}, deltas
        case "tool_use" | "server_tool_use" | "mcp_tool_use":
            sent = block.get("input") or {}
            text = sent if isinstance(sent, str) else as_json(sent)
            return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": text}]
    return block, []


def gather(found: Sequence[Data]) -> Data:
    """The whole reply. Raises `Fault` where the stream ended early."""
    message: Data = {}
    blocks: dict[int, Data] = {}
    written: dict[int, str] = {}
    for data in found:
        match data.get("type"):
            case "message_start":
                message = dict(data["message"])
            case "content_block_start":
                blocks[data["index"]] = dict(data["content_block"])
            case "content_block_delta":
                _add(blocks[data["index"]], data["delta"], written, data["index"])
            case "message_delta":
                message |= data["delta"]
                told = {n: v for n, v in (data.get("usage") or {}).items() if v is not None}
                message["usage"] = (message.get("usage") or {}) | told
            case "message_stop":
                content = [_filled(blocks[index], written.get(index)) for index in sorted(blocks)]
                return message | {"content": content}
    raise broken_off("before the message was over")


def _add(block: Data, delta: Data, written: dict[int, str], index: int) -> None:
    match delta.get("type"):
        case "text_delta":
            block["text"] = block.get("text", "") + delta["text"]
        case "thinking_delta":
            block["thinking"] = block.get("thinking", "") + delta["thinking"]
        case "signature_delta":
            block["signature"] = delta["signature"]
        case "citations_delta":
            block["citations"] = [*(block.get("citations") or ()), delta["citation"]]
        case "input_json_delta":
            written[index] = written.get(index, "") + delta["partial_json"]


def _filled(block: Data, text: str | None) -> Data:
    """A call with its arguments: the value they are, or the text where they are no JSON."""
    if not text:
        return block
    try:
        return block | {"input": read_json(text)}
    except UNREADABLE:
        return block | {"input": text}
