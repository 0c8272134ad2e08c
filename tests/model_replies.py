"""What a scripted model may say, in the wire forms of three dialects.

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
    namespace: str = ""
    """Of the tool, in Responses."""


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
        "id": f"chatcmpl-{number}",
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
        "id": f"msg_{number}",
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


# --- OpenAI Responses ---------------------------------------------------------------------------


def _responses_items(say: Say, number: int) -> list[JSON]:
    items: list[JSON] = []
    if say.thinking:
        told = [{"type": "summary_text", "text": say.thinking}]
        sealed = {"encrypted_content": say.signature, "status": None}
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": told} | sealed)
    if say.text:
        part = {"type": "output_text", "text": say.text, "annotations": [], "logprobs": []}
        said = {"type": "message", "id": f"msg_{number}", "role": "assistant"}
        items.append(said | {"status": "completed", "content": [part]})
    for place, use in enumerate(say.calls):
        call = {
            "type": "function_call",
            "id": f"fc_{number}_{place}",
            "call_id": f"call_{number}_{place}" if use.id is None else use.id,
            "name": use.name,
            "arguments": use.args if isinstance(use.args, str) else json.dumps(use.args),
            "status": "completed",
        }
        items.append(call | ({"namespace": use.namespace} if use.namespace else {}))
    return items


def responses_body(say: Say, number: int) -> JSON:
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1,
        "status": "incomplete" if say.stop else "completed",
        "incomplete_details": {"reason": say.stop} if say.stop else None,
        "error": None,
        "model": "scripted",
        "output": _responses_items(say, number),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": say.input,
            "input_tokens_details": {"cached_tokens": say.cached, "cache_write_tokens": 0},
            "output_tokens": say.output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": say.input + say.output,
        },
    }


def responses_events(body: JSON) -> list[tuple[str, JSON | str]]:
    begun = body | {"status": "in_progress", "output": [], "usage": None}
    events: list[JSON] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(body["output"]):
        empty, filling = _responses_filling(item)
        place = {"output_index": index, "item_id": item["id"]}
        started = {"type": "response.output_item.added", "output_index": index, "item": empty}
        events += [started, *(place | data for data in filling)]
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": f"response.{body['status']}", "response": body})
    return [(data["type"], data | {"sequence_number": n}) for n, data in enumerate(events)]


def _responses_filling(item: JSON) -> tuple[JSON, list[JSON]]:
    """An item as it starts, and what fills it."""
    match item["type"]:
        case "message":
            part = item["content"][0]
            head, at = "response.output_text", {"content_index": 0}
            added = {"type": "response.content_part.added", "part": part | {"text": ""}}
            delta = {"type": f"{head}.delta", "delta": part["text"], "logprobs": []}
            done = {"type": f"{head}.done", "text": part["text"], "logprobs": []}
            ended = {"type": "response.content_part.done", "part": part}
            return item | {"content": []}, [at | data for data in (added, delta, done, ended)]
        case "function_call":
            head = "response.function_call_arguments"
            delta = {"type": f"{head}.delta", "delta": item["arguments"]}
            done = {"type": f"{head}.done", "arguments": item["arguments"]}
            return item | {"arguments": ""}, [delta, done]
    return item | {"summary": []}, []
