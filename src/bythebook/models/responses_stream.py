"""OpenAI Responses as a stream: a whole reply cut into events, and the reply found in events."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bythebook.models.sse import Data, broken_off, event

_ENDS = ("response.completed", "response.incomplete", "response.failed")


def stream_of(body: Mapping[str, Any]) -> Iterator[bytes]:
    """A reply as the events a client reads, numbered from 0."""
    for number, data in enumerate(_story(body)):
        yield event(data | {"sequence_number": number}, data["type"])


def failure(body: Mapping[str, Any], model: str) -> Iterator[bytes]:
    """An error, told in a stream that has begun; `body` is one of `encode_error`."""
    error = {"code": body["error"]["code"] or "server_error", "message": body["error"]["message"]}
    return stream_of(
        {
            "id": "resp_0",
            "object": "response",
            "created_at": 0,
            "status": "failed",
            "error": error,
            "model": model,
            "output": [],
        }
    )


def _story(body: Mapping[str, Any]) -> Iterator[Data]:
    begun = dict(body) | {"status": "in_progress", "output": [], "usage": None, "error": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(body["output"]):
        place = {"output_index": index, "item_id": item.get("id") or f"item_{index}"}
        empty, filling = _cut(item)
        yield _of_item("added", index, empty)
        for data in filling:
            yield place | data
        yield _of_item("done", index, item)
    yield {"type": f"response.{body.get('status') or 'completed'}", "response": body}


def _of_item(what: str, index: int, item: Data) -> Data:
    return {"type": f"response.output_item.{what}", "output_index": index, "item": item}


def _cut(item: Data) -> tuple[Data, list[Data]]:
    """An item as it begins, and the events that fill it. Items of other kinds come whole."""
    begun = item | {"status": "in_progress"}
    match item.get("type"):
        case "message":
            parts = enumerate(item.get("content") or ())
            return begun | {"content": []}, [e for at, part in parts for e in _part(at, part)]
        case "function_call":
            filling = _text("function_call_arguments", "arguments", item.get("arguments") or "")
            return begun | {"arguments": ""}, filling
        case "custom_tool_call":
            filling = _text("custom_tool_call_input", "input", item.get("input") or "")
            return item | {"input": ""}, filling
        case "reasoning":
            told = enumerate(item.get("summary") or ())
            filling = [e for at, part in told for e in _summary(at, part)]
            for at, part in enumerate(item.get("content") or ()):
                texts = _text("reasoning_text", "text", part.get("text") or "")
                filling += [{"content_index": at} | data for data in texts]
            return item | {"summary": []}, filling
    return item, []


def _text(kind: str, name: str, text: str) -> list[Data]:
    """A text in one piece, then whole."""
    return [
        {"type": f"response.{kind}.delta", "delta": text},
        {"type": f"response.{kind}.done", name: text},
    ]


def _part(at: int, part: Data) -> list[Data]:
    """A part of a message."""
    filling: list[Data] = []
    empty = part
    if part.get("type") == "output_text":
        empty = part | {"text": "", "annotations": []}
        filling = [
            {"logprobs": []} | data for data in _text("output_text", "text", part.get("text") or "")
        ]
    elif part.get("type") == "refusal":
        empty = part | {"refusal": ""}
        filling = _text("refusal", "refusal", part.get("refusal") or "")
    added = {"type": "response.content_part.added", "part": empty}
    done = {"type": "response.content_part.done", "part": part}
    return [{"content_index": at} | data for data in (added, *filling, done)]


def _summary(at: int, part: Data) -> list[Data]:
    """A part of what a model says of its reasoning."""
    head = "response.reasoning_summary_part"
    added = {"type": f"{head}.added", "part": part | {"text": ""}}
    done = {"type": f"{head}.done", "part": part}
    filling = _text("reasoning_summary_text", "text", part.get("text") or "")
    return [{"summary_index": at} | data for data in (added, *filling, done)]


def gather(found: Sequence[Data]) -> Data:
    """The whole reply. Raises `Fault` where the stream ended early."""
    items: dict[int, Data] = {}
    for data in found:
        if data.get("type") == "response.output_item.done":
            items[data["output_index"]] = data["item"]
        elif data.get("type") in _ENDS:
            body: Data = data["response"]
            if items and not body.get("output"):
                return body | {"output": [items[index] for index in sorted(items)]}
            return body
    raise broken_off("before the reply was over")
