"""The Anthropic messages dialect, both ways."""

from typing import Any

import pytest
from msgspec.structs import replace

from bythebook.models import chat
from bythebook.models.anthropic_messages import (
    decode_error,
    decode_message,
    decode_reply,
    decode_request,
    encode_reply,
    encode_request,
)
from bythebook.models.types import (
    Answer,
    ContextOverflow,
    Message,
    Reply,
    Usage,
)
from tests.models import wiring
from tests.models.wiring import SCHEMA, hello

ASKED, CALLED, HURRIED = wiring.REQUEST.messages
REFUSED = replace(HURRIED, answers=(Answer("c1", "no", ok=False), Answer("c2", "10:00")))
REQUEST = replace(
    wiring.REQUEST,
    messages=(ASKED, CALLED, REFUSED),
    settings=replace(wiring.REQUEST.settings, stop=("END",)),
)
CACHE = {"cache_control": {"type": "ephemeral"}}
THINKING = {"type": "thinking", "thinking": "hm", "signature": "s1g="}
SEALED = {"type": "redacted_thinking", "data": "x"}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(name: str, args: Any, id: str = "c1") -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": args}


def body(*blocks: dict[str, Any], stop: str = "end_turn") -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(blocks), "stop_reason": stop}


def sent_back(message: Message) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = encode_request(hello(message))["messages"][0]["content"]
    return blocks


def bare(message: Message) -> Message:
    return replace(message, wire=None)


def test_a_request_goes_out_as_the_documentation_has_it() -> None:
    assert encode_request(REQUEST) == {
        "model": "m",
        "max_tokens": 99,
        "system": [text("Be good.") | CACHE],
        "messages": [
            {"role": "user", "content": [text("hello")]},
            {
                "role": "assistant",
                "content": [
                    text("Looking."),
                    use("read_document", {"id": "d1"}),
                    use("now", {}, "c2"),
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True},
                    {"type": "tool_result", "tool_use_id": "c2", "content": "10:00"},
                    text("hurry") | CACHE,
                ],
            },
        ],
        "tools": [{"name": "read_document", "description": "Read it.", "input_schema": SCHEMA}],
        "temperature": 0.5,
        "top_p": 0.9,
        "stop_sequences": ["END"],
    }


def test_a_request_read_back_is_the_request() -> None:
    read = decode_request(encode_request(REQUEST))
    assert replace(read, messages=tuple(bare(m) for m in read.messages)) == REQUEST


def test_fields_we_do_not_know_are_passed_on() -> None:
    sent = encode_request(hello()) | {"thinking": {"type": "enabled", "budget_tokens": 2048}}
    assert encode_request(decode_request(sent)) == sent


def test_a_reply_read_back_is_the_reply() -> None:
    usage = Usage(input=100, output=20, cached=60, stored=10)
    reply = Reply(REQUEST.messages[1], "calls", usage, id="x", model="m")
    read = decode_reply(encode_reply(reply))
    plain = replace(read, message=bare(read.message), usage=replace(read.usage, sent={}))
    assert plain == reply


def test_turns_of_the_user_that_follow_each_other_go_out_as_one() -> None:
    request = hello(Message("user", "a"), Message("user", "b"))
    assert encode_request(request)["messages"] == [
        {"role": "user", "content": [text("a"), text("b") | CACHE]}
    ]


def test_thinking_goes_back_to_the_provider_untouched_and_in_its_place() -> None:
    blocks = [THINKING, text("So"), use("a", {}), SEALED, THINKING, use("b", {"x": 1}, "c2")]
    reply = decode_reply(body(*blocks, stop="tool_use"))
    assert [call.id for call in reply.message.calls] == ["c1", "c2"]
    assert reply.message.text == "So"
    assert sent_back(reply.message) == blocks


def test_empty_text_is_not_sent_back() -> None:
    assert sent_back(decode_message([text("  "), use("a", {})])) == [use("a", {})]


@pytest.mark.parametrize("args", [[1], "say hi", 7])
def test_input_that_is_no_object_stays_a_call_and_can_be_sent_back(args: Any) -> None:
    message = decode_message([use("pay", args)])
    (call,) = message.calls
    assert set(call.args) == {"_malformed"}
    assert sent_back(message) == [use("pay", call.args)]


def test_a_call_the_length_limit_cut_is_no_call() -> None:
    blocks = [THINKING, text("So"), use("now", {}), THINKING, use("pay", {"amount": 1}, "c2")]
    reply = decode_reply(body(*blocks, stop="max_tokens"))
    assert reply.stop == "length"
    assert [call.name for call in reply.message.calls] == ["now"]
    assert reply.half is not None
    assert reply.half.name == "pay"
    assert sent_back(reply.message) == blocks[:3]


def test_calls_before_words_the_limit_cut_are_calls() -> None:
    reply = decode_reply(body(use("pay", {}), text("and th"), stop="max_tokens"))
    assert [call.name for call in reply.message.calls] == ["pay"]
    assert reply.half is None


def test_thinking_alone_is_an_empty_turn() -> None:
    assert decode_reply(body(THINKING, stop="max_tokens")).message.empty


def test_a_reply_that_ran_out_of_window_is_a_full_context_and_its_tokens_count() -> None:
    sent = body(text("So"), stop="model_context_window_exceeded")
    with pytest.raises(ContextOverflow) as caught:
        decode_reply(sent | {"usage": {"input_tokens": 9, "output_tokens": 4}})
    assert caught.value.usage is not None
    assert (caught.value.usage.input, caught.value.usage.output) == (9, 4)


def test_input_counts_what_the_cache_gave_and_took() -> None:
    figures = {
        "input_tokens": 5,
        "cache_read_input_tokens": 80,
        "cache_creation_input_tokens": 15,
        "output_tokens": 7,
        "output_tokens_details": {"thinking_tokens": 3},
    }
    usage = decode_reply(body(text("a")) | {"usage": figures}).usage
    assert usage == Usage(input=100, output=7, cached=80, stored=15, reasoning=3, sent=figures)


@pytest.mark.parametrize(
    ("status", "says", "window"),
    [
        (400, "prompt is too long: 208310 tokens > 200000 maximum", 200_000),
        (
            400,
            "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease "
            "input length or `max_tokens` and try again",
            200_000,
        ),
        (413, "Request exceeds the maximum allowed number of bytes.", None),
    ],
)
def test_a_full_context_is_known_by_its_words(status: int, says: str, window: int | None) -> None:
    with pytest.raises(ContextOverflow) as caught:
        decode_error(status, {"message": says})
    assert caught.value.window == window


def test_other_errors_are_no_full_context() -> None:
    assert decode_error(400, {"message": "max_tokens: 99999 > 64000, the maximum"}) is None
    assert decode_error(429, {"message": "prompt is too long for your tokens per minute"}) is None


@pytest.mark.parametrize("words", ["Looking.", ""])
def test_a_conversation_moves_from_one_dialect_to_the_other(words: str) -> None:
    here = decode_message([THINKING, *([text(words)] if words else []), use("a", {"x": 1})])
    there = chat.encode_request(hello(here))["messages"][0]
    assert bare(chat.decode_message(there)) == bare(here)
    back = decode_request(encode_request(hello(chat.decode_message(there))))
    assert bare(back.messages[0]) == bare(here)
