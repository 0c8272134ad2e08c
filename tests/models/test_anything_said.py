"""Whatever a model writes can be read, stored and sent back."""

import json
from typing import Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from bythebook.models import chat
from bythebook.models.dialects import DIALECTS, Speech
from bythebook.models.sse import events
from bythebook.models.types import Answer, Call, Message, Reply, Request, Usage
from bythebook.models.wire import arguments, read_json

WORDS = st.text(st.characters(exclude_categories=["Cs"]))
ARGS = st.dictionaries(WORDS, st.recursive(st.integers() | WORDS | st.none(), st.lists))
NAMES = st.from_regex(r"[a-zA-Z0-9_-]{1,64}", fullmatch=True)


@given(st.text(), st.text(), st.text())
@example("{}", "", "a b")
@example('{"a":' * 70 + "1" + "}" * 70, "", "")
@example(r'{"a": "\ud800"}', "c", "a")
def test_a_call_of_any_text(args: str, id: str, name: str) -> None:
    sent = {"tool_calls": [{"id": id, "function": {"name": name, "arguments": args}}]}
    wire = read_json(msgspec.json.encode(read_json(_json(sent))))
    message = chat.decode_message(wire)
    (call,) = message.calls
    assert isinstance(msgspec.json.decode(msgspec.json.encode(call)), dict)
    back = chat.encode_request(Request("m", (message,)))["messages"][0]["tool_calls"][0]
    assert isinstance(msgspec.json.decode(back["function"]["arguments"]), dict)
    assert back["id"] == call.id != ""


def _json(value: object) -> bytes:
    """JSON as a careless server writes it, half surrogates and all."""
    return json.dumps(value).encode()


@given(st.lists(st.tuples(NAMES, ARGS), max_size=3), WORDS, WORDS)
def test_a_conversation_of_any_words_comes_back_from_each_wire(
    uses: list[tuple[str, dict[str, Any]]], words: str, answer: str
) -> None:
    calls = tuple(Call(name, args, f"c{place}") for place, (name, args) in enumerate(uses))
    asked = Message("user", f"ask {words}")
    acted = Message("assistant", f"act {words}", calls=calls)
    heard = Message("user", f"say {words}", answers=tuple(Answer(c.id, answer) for c in calls))
    request = Request("m", (asked, acted, heard))
    for dialect in DIALECTS.values():
        sent = msgspec.json.decode(msgspec.json.encode(dialect.encode_request(request)))
        read = dialect.decode_request(sent).messages
        assert [(m.role, m.text, m.answers) for m in read] == [
            (m.role, m.text, m.answers) for m in request.messages
        ]
        assert [(c.name, c.id, c.args) for c in read[1].calls] == [
            (c.name, c.id, c.args) for c in calls
        ]


SPOKEN = st.lists(st.tuples(NAMES, ARGS), max_size=3)


def streamed(speech: Speech, body: dict[str, Any]) -> dict[str, Any]:
    return speech.gather(list(events(b"".join(speech.stream_of(body)))))


@given(SPOKEN, WORDS, st.integers(0, 9), st.integers(0, 9))
def test_a_reply_of_any_words_comes_back_from_each_wire_whole_and_as_a_stream(
    uses: list[tuple[str, dict[str, Any]]], words: str, read: int, written: int
) -> None:
    calls = tuple(Call(name, args, f"c{place}") for place, (name, args) in enumerate(uses))
    usage = Usage(input=read + 5, output=written, cached=read)
    message = Message("assistant", f"act {words}", calls=calls)
    reply = Reply(message, "calls" if calls else "end", usage, id="r", model="m")
    for speech in DIALECTS.values():
        body = msgspec.json.decode(msgspec.json.encode(speech.encode_reply(reply)))
        assert streamed(speech, body) == body
        found = speech.decode_reply(body)
        assert (found.message.text, found.message.calls) == (message.text, calls)
        assert (found.stop, found.id, found.model) == (reply.stop, "r", "m")
        assert (found.usage.input, found.usage.output, found.usage.cached) == (
            *(usage.input, usage.output, usage.cached),
        )


THOUGHT = st.text("ab", min_size=1)


@given(THOUGHT, THOUGHT, WORDS)
def test_reasoning_of_any_kind_comes_through_a_stream(hm: str, seal: str, words: str) -> None:
    told = [{"type": "summary_text", "text": hm}]
    bodies: dict[str, dict[str, Any]] = {
        "chat": {
            "object": "chat.completion",
            "choices": [
                {
                    "index": 0,
                    "message": {
                        "role": "assistant",
                        "content": words,
                        "reasoning_content": hm,
                        "reasoning_details": [{"type": "reasoning.encrypted", "data": seal}],
                    },
                    "finish_reason": "stop",
                }
            ],
        },
        "anthropic": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": hm, "signature": seal},
                {"type": "redacted_thinking", "data": seal},
                {"type": "text", "text": words, "citations": [{"type": "page", "page": 1}]},
            ],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"output_tokens": 3},
        },
        "responses": {
            "status": "completed",
            "output": [
                {"type": "reasoning", "id": "r", "summary": told, "encrypted_content": seal},
                {"type": "web_search_call", "id": "w", "action": {"query": words}},
            ],
        },
    }
    for name, speech in DIALECTS.items():
        assert streamed(speech, bodies[name]) == bodies[name]


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        value = read_json(data)
    except ValueError:
        return
    msgspec.json.encode(value)


@given(ARGS)
def test_arguments_that_are_an_object_are_that_object(args: dict[str, Any]) -> None:
    assert arguments(msgspec.json.encode(args).decode()) == args
