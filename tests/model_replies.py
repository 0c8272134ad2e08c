"""What a scripted model may say, in the wire forms of both dialects.

They are written out by hand, so that the code under test does not judge itself.
"""

import json
from dataclasses import dataclass, field
from typing import Any

JSON = dict[str, Any]


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


def chat_body(say: Say, number: int) -> JSON:
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


def chat_events(body: JSON) -> list[tuple[str, JSON | str]]:
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


def anthropic_body(say: Say, number: int) -> JSON:
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


def anthropic_events(body: JSON) -> list[tuple[str, JSON | str]]:
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
