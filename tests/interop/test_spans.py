"""Spans tell the story of the desk, whichever version of the conventions wrote them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.interop.records import Odd, Weaver
from bythebook.interop.sources import ForeignTrace, recognised, traces_of
from tests.interop import story
from tests.interop.anything import FAST, change, outcome

Message = dict[str, Any]
START = 1_700_000_000_000_000_000


def calls_of_the_model() -> Iterator[tuple[list[Message], Message]]:
    """Each call: the history that was sent, and the answer."""
    history: list[Message] = []
    for role, text, calls in story.TURNS:
        asked = [
            {"id": key, "function": {"name": name, "arguments": json.dumps(args)}}
            for key, name, args, _ in calls
        ]
        message = {"role": role, "content": text, "tool_calls": asked or None}
        if role == "assistant":
            yield history, message
        results = [{"role": "tool", "id": k, "content": story.sent(r)} for k, _, _, r in calls]
        history = [*history, message, *results]


def value(one: Any) -> dict[str, Any]:
    """OTLP's spelling of a value."""
    if isinstance(one, dict):
        return {"kvlistValue": {"values": attributes(one)}}
    if isinstance(one, list):
        return {"arrayValue": {"values": [value(inner) for inner in one]}}
    return {"intValue": str(one)} if isinstance(one, int) else {"stringValue": one}


def attributes(said: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": value(one)} for name, one in said.items() if one is not None]


def span(number: int, said: dict[str, Any], **more: Any) -> dict[str, Any]:
    times = {"startTimeUnixNano": str(START + number * 10**9)}
    return {"traceId": "t", "spanId": f"s{number}", "attributes": attributes(said)} | times | more


def spans(many: list[dict[str, Any]]) -> bytes:
    return story.document({"resourceSpans": [{"scopeSpans": [{"spans": many}]}]})


def console() -> bytes:
    """What the console exporter of the SDK prints: one document after the other."""
    found = []
    (resource,) = story.otel()["resourceSpans"]
    for one in resource["scopeSpans"][0]["spans"]:
        said = {a["key"]: a["value"]["stringValue"] for a in one["attributes"]}
        printed = {
            "context": {"trace_id": "0x1", "span_id": one["spanId"]},
            "start_time": f"2026-01-05T10:00:{int(one['spanId'][1:]):02}.000000Z",
            "status": {"status_code": "ERROR" if "status" in one else "UNSET"},
            "attributes": said,
            "events": [],
        }
        found.append(json.dumps(printed, indent=4))
    return "\n".join(found).encode()


def events() -> bytes:
    """An event of the span for each message."""
    found = []
    for number, (history, answer) in enumerate(calls_of_the_model()):
        told = [
            {"name": f"gen_ai.{one['role']}.message", "attributes": attributes(flat(one))}
            for one in history
        ]
        told.append(
            {"name": "gen_ai.choice", "attributes": attributes({"message": dumped(answer)})}
        )
        found.append(span(number, {"gen_ai.operation.name": "chat"}, events=told))
    return spans(found)


def flat(message: Message) -> dict[str, str]:
    """Attributes are texts."""
    return {n: v if isinstance(v, str) else dumped(v) for n, v in message.items() if v}


def dumped(one: Any) -> str:
    return json.dumps(one)


def logs() -> bytes:
    """A log record for each message."""
    found: list[dict[str, Any]] = []
    for number, (history, answer) in enumerate(calls_of_the_model()):
        for one in [*history, {"role": "choice", "message": answer}]:
            name = "gen_ai.choice" if one["role"] == "choice" else f"gen_ai.{one['role']}.message"
            said = {"eventName": name, "body": value(one), "spanId": f"s{number}", "traceId": "t"}
            found.append(said | {"timeUnixNano": str(START + number * 10**9)})
    return story.document({"resourceLogs": [{"scopeLogs": [{"logRecords": found}]}]})


def numbered() -> bytes:
    """Messages spread over numbered attributes."""
    found = []
    for number, (history, answer) in enumerate(calls_of_the_model()):
        said: dict[str, Any] = {}
        for at, one in enumerate(history):
            said |= spread(f"gen_ai.prompt.{at}", one)
        found.append(span(number, said | spread("gen_ai.completion.0", answer)))
    return spans(found)


def spread(prefix: str, message: Message) -> dict[str, str]:
    said = {f"{prefix}.role": message["role"], f"{prefix}.content": message["content"]}
    if "id" in message:
        said[f"{prefix}.tool_call_id"] = message["id"]
    for at, call in enumerate(message.get("tool_calls") or []):
        for name, one in ({"id": call["id"]} | call["function"]).items():
            said[f"{prefix}.tool_calls.{at}.{name}"] = one
    return said


def told(path: Path) -> list[list[tuple[Any, ...]]]:
    found = []
    for trace in traces_of(path):
        assert isinstance(trace, ForeignTrace)
        happened: list[tuple[Any, ...]] = []
        for event in Weaver().weave(trace.records):
            assert not isinstance(event, Odd)
            if event.kind == "message":
                happened.append((event.actor, event.args["text"]))
            elif event.kind == "call":
                happened.append((event.name, dict(event.args), event.ok))
        found.append(happened)
    return found


STORY = [one[:3] for one in story.happened()]


@pytest.mark.parametrize("make", [console, events, logs, numbered])
def test_the_same_story_is_told_by_every_kind_of_span(
    make: Callable[[], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "spans.json"
    path.write_bytes(make())
    assert recognised(path)[0] == "otel"
    assert told(path) == [STORY]


def test_tools_alone_tell_what_was_done(tmp_path: Path) -> None:
    """Where contents are not captured there are only the spans of tools."""
    document = story.otel()
    many = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    many[:] = [one for one in many if one["attributes"][0]["value"]["stringValue"] != "chat"]
    path = tmp_path / "spans.json"
    path.write_bytes(story.document(document))
    assert told(path) == [[one for one in STORY if len(one) == 3]]


def test_a_conversation_is_put_together_over_its_traces(tmp_path: Path) -> None:
    document = story.otel()
    for number, one in enumerate(document["resourceSpans"][0]["scopeSpans"][0]["spans"]):
        one["traceId"] = f"t{number}"
        one["attributes"] += attributes({"gen_ai.conversation.id": "desk"})
    path = tmp_path / "spans.json"
    path.write_bytes(story.document(document))
    assert told(path) == [STORY]


def test_an_agent_span_around_calls_of_a_model_tells_nothing_twice(tmp_path: Path) -> None:
    document = story.otel()
    many = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    whole = [
        {"role": m["role"], "parts": [{"type": "text", "content": m["content"]}]}
        for m in story.chat()
        if m["content"]
    ]
    said = {"gen_ai.operation.name": "invoke_agent", "gen_ai.output.messages": dumped(whole)}
    path = tmp_path / "spans.json"
    many.append(span(-1, said) | {"traceId": "t1"})
    path.write_bytes(story.document(document))
    assert told(path) == [STORY]


def test_a_history_that_was_shortened_is_told_once(tmp_path: Path) -> None:
    """A program drops the oldest messages from what it sends."""
    many = []
    for number, (history, answer) in enumerate(calls_of_the_model()):
        said: dict[str, Any] = {}
        for at, one in enumerate(history[-3:]):
            said |= spread(f"gen_ai.prompt.{at}", one)
        many.append(span(number, said | spread("gen_ai.completion.0", answer)))
    path = tmp_path / "spans.json"
    path.write_bytes(spans(many))
    assert told(path) == [STORY]


@FAST
@given(data=st.data(), make=st.sampled_from([events, logs, numbered]))
def test_spans_with_anything_changed_anywhere_are_judged_or_refused_with_a_word(
    data: st.DataObject, make: Callable[[], bytes], tmp_path: Path
) -> None:
    document = json.loads(make())
    change(data, document)
    path = tmp_path / "spans.json"
    path.write_bytes(story.document(document))
    outcome(path)
