"""Spans and log records of OpenTelemetry, from the JSON that exporters write.

OTLP JSON (`resourceSpans`, `resourceLogs`; one document or one a line), lists of spans, and what
the console exporters of the SDKs print. Kept is what the conventions for generative AI name: the
rest of a trace says nothing of what an agent did.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from bythebook.interop.forms import structured
from bythebook.interop.records import Odd
from bythebook.interop.sources.conversation import moment
from bythebook.interop.sources.stream import items, lines

SPANS = "resourceSpans.item.scopeSpans.item.spans.item"
LOGS = "resourceLogs.item.scopeLogs.item.logRecords.item"
DETAILS = "gen_ai.client.inference.operation.details"
INDEXED = re.compile(r"gen_ai\.(?P<side>prompt|completion)\.(?P<at>\d+)\.(?P<rest>.+)")
CALL = re.compile(r"tool_calls\.(?P<at>\d+)\.(?P<name>\w+)")
SPEAKS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "choice",
}
"""Older events, one for each message."""


class Span(msgspec.Struct, frozen=True):
    """What a span, or a log record, says of an agent's work."""

    trace: str
    id: str
    start: float
    operation: str
    attributes: dict[str, Any]
    asked: list[Any]
    """Messages that the model was sent."""
    answered: list[Any]
    """Messages that it gave back."""
    failed: bool = False
    place: str = ""


def spans_of(path: Path, kind: str) -> Iterator[Span | Odd]:
    """The spans of a file that is an `object`, a `list` or `lines`."""
    if kind == "object":
        yield from _of_document(path)
        return
    many = lines(path) if kind == "lines" else items(path, "item")
    part = "line" if kind == "lines" else "span"
    for one in many:
        if isinstance(one, Odd):
            yield one
        else:
            yield from _of_value(one[1], f"{part} {one[0]}")


def _of_document(path: Path) -> Iterator[Span | Odd]:
    found = False
    for prefix, read in ((SPANS, _span), (LOGS, _log)):
        for one in items(path, prefix):
            found = True
            yield from _one(read, one, "span" if read is _span else "log record")
    if not found:
        for one in items(path, ""):
            yield from [one] if isinstance(one, Odd) else _of_value(one[1], f"span {one[0]}")


def _one(read: Any, one: tuple[int, Any] | Odd, part: str) -> Iterator[Span | Odd]:
    if isinstance(one, Odd):
        yield one
        return
    place = f"{part} {one[0]}"
    if not isinstance(one[1], Mapping):
        yield Odd(place, f"no {part}: {type(one[1]).__name__}")
        return
    span = read(one[1], place)
    if span is not None:
        yield span


def _of_value(value: Any, place: str) -> Iterator[Span | Odd]:
    """A batch of spans, or one span."""
    if not isinstance(value, Mapping):
        yield Odd(place, f"no span: {type(value).__name__}")
        return
    number = 0
    for outer, middle, inner, read in (
        ("resourceSpans", "scopeSpans", "spans", _span),
        ("resourceLogs", "scopeLogs", "logRecords", _log),
    ):
        for resource in _list(value.get(outer)):
            for scope in _list(resource.get(middle)):
                for record in _list(scope.get(inner)):
                    number += 1
                    yield from _one(read, (number, record), f"{place}, {inner}")
    if not number and not any(name in value for name in ("resourceSpans", "resourceLogs")):
        span = _span(value, place)
        if span is not None:
            yield span


def _list(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _span(span: Mapping[str, Any], place: str) -> Span | None:
    """A span; None when it says nothing of generative AI."""
    context = span.get("context")
    ids = context if isinstance(context, Mapping) else span
    attributes = attributes_of(span.get("attributes"))
    asked, answered = _indexed(attributes)
    for event in _list(span.get("events")):
        own = attributes_of(event.get("attributes"))
        name = str(event.get("name"))
        if name == DETAILS:
            attributes |= own
        elif name in SPEAKS:
            message = _spoken(SPEAKS[name], own, own)
            (answered if name == "gen_ai.choice" else asked).append(message)
    if not asked and not answered and not any(name.startswith("gen_ai.") for name in attributes):
        return None
    start = span.get("startTimeUnixNano") or span.get("start_time") or span.get("startTime")
    return _made(span, ids, attributes, (asked, answered), (moment(start) or 0.0, place))


def _log(record: Mapping[str, Any], place: str) -> Span | None:
    """A log record that is an event of generative AI, as a span of its own."""
    attributes = attributes_of(record.get("attributes"))
    name = str(record.get("eventName") or attributes.get("event.name"))
    start = moment(record.get("timeUnixNano") or record.get("observedTimeUnixNano")) or 0.0
    body = value_of(record.get("body"))
    own = body if isinstance(body, Mapping) else {}
    if name == DETAILS:
        both = attributes | {key: value for key, value in own.items() if "gen_ai" in key}
        return _made(record, record, both, ([], []), (start, place))
    if name not in SPEAKS:
        return None
    message = _spoken(SPEAKS[name], own, attributes)
    pair = ([], [message]) if name == "gen_ai.choice" else ([message], [])
    return _made(record, record, attributes, pair, (start, place))


def _made(
    span: Mapping[str, Any],
    ids: Mapping[str, Any],
    attributes: dict[str, Any],
    messages: tuple[list[Any], list[Any]],
    when: tuple[float, str],
) -> Span:
    asked, answered = messages
    asked += _messages(attributes.get("gen_ai.input.messages"))
    answered += _messages(attributes.get("gen_ai.output.messages"))
    operation = attributes.get("gen_ai.operation.name")
    if not operation and "gen_ai.tool.name" in attributes:
        operation = "execute_tool"
    return Span(
        trace=str(ids.get("traceId") or ids.get("trace_id") or ""),
        id=str(ids.get("spanId") or ids.get("span_id") or ""),
        start=when[0],
        operation=str(operation or ""),
        attributes={n: v for n, v in attributes.items() if n in KEPT},
        asked=asked,
        answered=answered,
        failed=_failed(span, attributes),
        place=when[1],
    )


KEPT = (
    "gen_ai.conversation.id", "gen_ai.tool.name", "gen_ai.tool.call.id",
    "gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "gen_ai.system_instructions",
    "gen_ai.agent.name", "gen_ai.agent.id",
)  # fmt: skip


def _failed(span: Mapping[str, Any], attributes: Mapping[str, Any]) -> bool:
    status = span.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, Mapping) else None
    return code in (2, "ERROR", "STATUS_CODE_ERROR") or bool(attributes.get("error.type"))


def _messages(value: Any) -> list[Any]:
    found = structured(value)
    return found if isinstance(found, list) else []


def _spoken(role: str, body: Mapping[str, Any], attributes: Mapping[str, Any]) -> dict[str, Any]:
    """A message of an older event; its fields stand in the body or among the attributes."""
    if role == "choice":
        inner = structured(body.get("message", body))
        body = inner if isinstance(inner, Mapping) else body
        role = "assistant"
    both = {**attributes, **body}
    calls = structured(both.get("tool_calls"))
    return {
        "role": role,
        "content": both.get("content"),
        "tool_calls": calls if isinstance(calls, list) else None,
        "tool_call_id": both.get("tool_call_id") or both.get("id"),
    }


def _indexed(attributes: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """Messages that are spread over numbered attributes."""
    sides: dict[str, dict[int, dict[str, Any]]] = {"prompt": {}, "completion": {}}
    for name, value in attributes.items():
        found = INDEXED.fullmatch(name)
        if found is None:
            continue
        role = "user" if found["side"] == "prompt" else "assistant"
        message = sides[found["side"]].setdefault(int(found["at"]), {"role": role, "calls": {}})
        call = CALL.fullmatch(found["rest"])
        if call is not None:
            message["calls"].setdefault(int(call["at"]), {})[call["name"]] = value
        else:
            message[found["rest"]] = value
    for side in sides.values():
        for message in side.values():
            calls = message.pop("calls")
            message["tool_calls"] = [calls[at] for at in sorted(calls)] or None
    prompt, completion = ([side[at] for at in sorted(side)] for side in sides.values())
    return prompt, completion


def attributes_of(value: Any) -> dict[str, Any]:
    """Attributes as a mapping, however they are written."""
    if isinstance(value, Mapping):
        return {str(name): one for name, one in value.items()}
    found = _list(value)
    return {str(one["key"]): value_of(one.get("value")) for one in found if "key" in one}


def value_of(value: Any) -> Any:
    """OTLP's `AnyValue` as a plain value."""
    if not isinstance(value, Mapping):
        return value
    for name, one in value.items():
        if name == "intValue":
            return int(one) if str(one).lstrip("-").isdigit() else one
        many = one.get("values") if isinstance(one, Mapping) else one
        if name == "arrayValue":
            return [value_of(inner) for inner in _list(many)]
        if name == "kvlistValue":
            return attributes_of(many)
        if name in ("stringValue", "boolValue", "doubleValue", "bytesValue"):
            return one
    return value
