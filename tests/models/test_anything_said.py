"""Whatever a model writes can be read, stored and sent back."""

import json
from typing import Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from bythebook.models import anthropic_messages, chat
from bythebook.models.types import Answer, Call, Message, Request
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
def test_a_conversation_of_any_words_comes_back_from_either_wire(
    uses: list[tuple[str, dict[str, Any]]], words: str, answer: str
) -> None:
    calls = tuple(Call(name, args, f"c{place}") for place, (name, args) in enumerate(uses))
    asked = Message("user", f"ask {words}")
    acted = Message("assistant", f"act {words}", calls=calls)
    heard = Message("user", f"say {words}", answers=tuple(Answer(c.id, answer) for c in calls))
    request = Request("m", (asked, acted, heard))
    for dialect in (chat, anthropic_messages):
        sent = msgspec.json.decode(msgspec.json.encode(dialect.encode_request(request)))
        read = dialect.decode_request(sent).messages
        assert [(m.role, m.text, m.answers) for m in read] == [
            (m.role, m.text, m.answers) for m in request.messages
        ]
        assert [(c.name, c.id, c.args) for c in read[1].calls] == [
            (c.name, c.id, c.args) for c in calls
        ]


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
