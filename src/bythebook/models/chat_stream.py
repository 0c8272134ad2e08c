"""Chat completions as a stream: a whole reply cut into chunks, and chunks put together again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bythebook.models.sse import DONE, Data, broken_off, event

_ONCE = frozenset({"role", "type", "id", "name", "index", "format", "object"})
"""Fields that some servers repeat in every chunk: the last that is not empty counts."""


def stream_of(body: Mapping[str, Any]) -> Iterator[bytes]:
    """A reply as the events a client reads. Usage is a chunk of its own, if the reply holds any."""
    frame = {name: value for name, value in body.items() if name not in ("choices", "usage")}
    frame["object"] = "chat.completion.chunk"
    for choice in body["choices"]:
        place = {"index": choice.get("index", 0)}
        for delta in _deltas(choice["message"]):
            yield event(frame | {"choices": [place | {"delta": delta, "finish_reason": None}]})
        beside = {name: value for name, value in choice.items() if name != "message"}
        yield event(frame | {"choices": [beside | place | {"delta": {}}]})
    if body.get("usage"):
        yield event(frame | {"choices": [], "usage": body["usage"]})
    yield event(DONE)


def waiting(model: str) -> bytes:
    """A chunk that adds nothing; clients that wait for the next chunk do not give up."""
    choice = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}
    frame = {"id": "chatcmpl-0", "object": "chat.completion.chunk", "created": 0, "model": model}
    return event(frame | {"choices": [choice]})


def _deltas(message: Mapping[str, Any]) -> Iterator[Data]:
    calls = message.get("tool_calls") or []
    yield {"role": "assistant"} | {n: v for n, v in message.items() if n != "tool_calls"}
    for index, call in enumerate(calls):
        yield {"tool_calls": [{"index": index} | call]}


def gather(found: Sequence[Data]) -> Data:
    """The whole reply. Raises `Fault` where the stream ended early."""
    body: Data = {}
    choices: dict[int, Data] = {}
    for chunk in found:
        for name, value in chunk.items():
            if name not in ("choices", "done") and value is not None:
                body[name] = value
        for sent in chunk.get("choices") or ():
            choice = choices.setdefault(sent.get("index") or 0, {"message": {}})
            _add_choice(choice, sent)
    finished = bool(choices) and all(c.get("finish_reason") for c in choices.values())
    if not finished and DONE not in found:
        raise broken_off("before the last chunk")
    ordered = [{"index": index} | choices[index] for index in sorted(choices)]
    return body | {"object": "chat.completion", "choices": ordered}


def _add_choice(choice: Data, sent: Data) -> None:
    for name, value in sent.items():
        if name not in ("delta", "index") and (value is not None or name not in choice):
            choice[name] = value
    delta = dict(sent.get("delta") or {})
    for call in delta.pop("tool_calls", None) or ():
        _add_call(choice["message"].setdefault("tool_calls", []), call)
    _merge(choice["message"], delta)


def _add_call(calls: list[Data], sent: Data) -> None:
    """A piece of a call. Servers that number all calls alike are told apart by new ids."""
    piece = {name: value for name, value in sent.items() if name != "index"}
    place = sent.get("index", len(calls) - 1 if calls else 0)
    if place < len(calls):
        known, new = calls[place].get("id"), piece.get("id")
        if not (known and new) or known == new:
            _merge(calls[place], piece)
            return
        if piece.get("id") in [call.get("id") for call in calls]:
            _merge(next(c for c in calls if c.get("id") == piece["id"]), piece)
            return
    calls.append(piece)


def _merge(into: Data, sent: Data) -> None:
    """Add a delta: texts grow, numbered entries of lists meet their like, all else is replaced."""
    for name, value in sent.items():
        old = into.get(name)
        if isinstance(old, str) and isinstance(value, str) and name not in _ONCE:
            into[name] = old + value
        elif isinstance(old, dict) and isinstance(value, dict):
            _merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            _merge_lists(old, value)
        elif name not in into or value not in (None, ""):
            into[name] = dict(value) if isinstance(value, dict) else value


def _merge_lists(old: list[Any], sent: list[Any]) -> None:
    for entry in sent:
        like = [e for e in old if _numbered(entry) and _numbered(e) == _numbered(entry)]
        if like:
            _merge(like[0], entry)
        else:
            old.append(entry)


def _numbered(entry: object) -> tuple[Any, Any] | None:
    if isinstance(entry, dict) and "index" in entry:
        return entry["index"], entry.get("type")
    return None
