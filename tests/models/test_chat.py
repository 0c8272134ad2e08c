"""The chat completions dialect, both ways."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bythebook.models.chat import (
    decode_error,
    decode_message,
    decode_reply,
    decode_request,
    encode_reply,
    encode_request,
)
from bythebook.models.types import (
    Call,
    ContextOverflow,
    Message,
    Reply,
    Usage,
)
from bythebook.models.wire import Fault
from tests.models import wiring
from tests.models.wiring import SCHEMA, hello

REQUEST = replace(wiring.REQUEST, settings=replace(wiring.REQUEST.settings, seed=7, stop=("END",)))


def body(message: dict[str, Any], finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}


def tool_call(name: str, arguments: Any, id: str = "c1") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def bare(message: Message) -> Message:
    return replace(message, wire=None)


def test_a_request_goes_out_as_the_documentation_has_it() -> None:
    assert encode_request(REQUEST) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be good."},
            {"role": "user", "content": "hello"},
            {
                "role": "assistant",
                "content": "Looking.",
                "tool_calls": [
                    tool_call("read_document", '{"id":"d1"}'),
                    tool_call("now", "{}", "c2"),
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": '{"a":1}'},
            {"role": "tool", "tool_call_id": "c2", "content": "10:00"},
            {"role": "user", "content": "hurry"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "read_document",
                    "description": "Read it.",
                    "parameters": SCHEMA,
                },
            }
        ],
        "max_tokens": 99,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "stop": ["END"],
    }


def test_what_is_not_set_is_not_sent() -> None:
    assert set(encode_request(hello())) == {"model", "messages", "max_tokens"}


def test_a_request_read_back_is_the_request() -> None:
    read = decode_request(encode_request(REQUEST))
    assert replace(read, messages=tuple(bare(m) for m in read.messages)) == REQUEST


def test_fields_we_do_not_know_are_passed_on() -> None:
    sent = encode_request(hello()) | {"reasoning_effort": "high", "tool_choice": "auto"}
    assert encode_request(decode_request(sent)) == sent


def test_a_reply_read_back_is_the_reply() -> None:
    usage = Usage(input=100, output=20, cached=60, reasoning=5)
    reply = Reply(REQUEST.messages[1], "calls", usage, id="x", model="m")
    read = decode_reply(encode_reply(reply))
    plain = replace(read, message=bare(read.message), usage=replace(read.usage, sent={}))
    assert plain == reply


def test_several_calls_in_one_turn_keep_their_order_and_ids() -> None:
    calls = [tool_call("b", "{}", "c9"), tool_call("a", "{}", "c1"), tool_call("b", "{}", "c5")]
    reply = decode_reply(body({"role": "assistant", "content": None, "tool_calls": calls}))
    assert [(call.name, call.id) for call in reply.message.calls] == [
        ("b", "c9"),
        ("a", "c1"),
        ("b", "c5"),
    ]


@pytest.mark.parametrize(
    "kept",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm", "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]},
    ],
)
def test_reasoning_fields_go_back_to_the_provider_untouched(kept: dict[str, Any]) -> None:
    sent = {"role": "assistant", "content": None, "tool_calls": [tool_call("now", '{ "a" : 1}')]}
    sent |= kept
    reply = decode_reply(body(sent, "tool_calls"))
    assert encode_request(hello(reply.message))["messages"] == [sent]


def test_a_signature_on_a_call_goes_back_to_the_provider_untouched() -> None:
    signed = tool_call("now", "{}") | {"extra_content": {"google": {"thought_signature": "x"}}}
    sent = {"role": "assistant", "content": None, "tool_calls": [signed]}
    assert encode_request(hello(decode_message(sent)))["messages"] == [sent]


@pytest.mark.parametrize(
    "text", ['{"a": 1', "[1]", "null", "say hi", '"{}"', '{"a": NaN}', "{}{}", "[" * 100_000]
)
def test_arguments_that_are_no_json_object_stay_a_call_and_can_be_sent_back(text: str) -> None:
    reply = decode_reply(body({"content": None, "tool_calls": [tool_call("pay", text)]}))
    assert reply.message.calls == (Call("pay", {"_malformed": text}, "c1"),)
    back = encode_request(hello(reply.message))["messages"][0]["tool_calls"][0]
    assert msgspec.json.decode(back["function"]["arguments"]) == {"_malformed": text}


def test_arguments_nested_beyond_sense_are_malformed() -> None:
    text = '{"a":' * 200 + "1" + "}" * 200
    message = decode_message({"tool_calls": [tool_call("pay", text)]})
    assert message.calls[0].args == {"_malformed": text}


@pytest.mark.parametrize("text", ["", "  ", None, {}])
def test_no_arguments_at_all_are_no_arguments(text: str | None) -> None:
    message = decode_message({"tool_calls": [tool_call("now", text)]})
    assert message.calls == (Call("now", {}, "c1"),)
    back = encode_request(hello(message))["messages"][0]["tool_calls"][0]
    assert back["function"]["arguments"] == "{}"


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    message = decode_message({"tool_calls": [tool_call("say", r'{"text": "a\ud83d"}')]})
    assert message.calls[0].args == {"text": "a?"}


def test_a_name_that_a_provider_would_not_take_back_is_mended_on_the_wire_only() -> None:
    message = decode_message({"tool_calls": [tool_call("functions.read it", "{}")]})
    assert message.calls[0].name == "functions.read it"
    back = encode_request(hello(message))["messages"][0]["tool_calls"][0]
    assert back["function"]["name"] == "functions_read_it"


@pytest.mark.parametrize("id", ["", None, "same"])
def test_calls_without_an_id_of_their_own_get_one(id: Any) -> None:
    calls = [tool_call("a", "{}", id), tool_call("b", "{}", id)]
    message = decode_message({"tool_calls": calls})
    ids = [call.id for call in message.calls]
    assert len(set(ids)) == 2
    assert all(ids)
    back = encode_request(hello(message))["messages"][0]["tool_calls"]
    assert [call["id"] for call in back] == ids


def test_a_call_the_length_limit_cut_is_no_call() -> None:
    calls = [tool_call("now", "{}"), tool_call("pay", '{"amount": 1', "c2")]
    reply = decode_reply(body({"content": "So", "tool_calls": calls}, "length"))
    assert reply.stop == "length"
    assert [call.name for call in reply.message.calls] == ["now"]
    assert reply.half is not None
    assert reply.half.name == "pay"
    assert encode_request(hello(reply.message))["messages"][0]["tool_calls"] == calls[:1]


def test_a_call_that_was_whole_when_the_limit_struck_is_a_call() -> None:
    calls = [tool_call("pay", '{"amount": 1}')]
    reply = decode_reply(body({"content": None, "tool_calls": calls}, "length"))
    assert [call.name for call in reply.message.calls] == ["pay"]
    assert reply.half is None


def test_content_in_parts_is_read_as_one_text() -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "a"}]
    message = decode_message({"content": [*parts, {"type": "text", "text": "b"}]})
    assert message.text == "ab"


def test_a_refusal_is_what_the_model_says() -> None:
    reply = decode_reply(body({"content": None, "refusal": "I will not."}))
    assert (reply.message.text, reply.stop) == ("I will not.", "refusal")


def test_a_reply_the_provider_broke_off_is_its_fault() -> None:
    with pytest.raises(Fault, match="broke off"):
        decode_reply(body({"content": "So"}, "error"))


@pytest.mark.parametrize(
    ("sent", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 7}}, 7),
        ({"prompt_cache_hit_tokens": 7}, 7),
        ({"cached_tokens": 7}, 7),
        ({"prompt_tokens_details": None}, 0),
    ],
)
def test_cached_tokens_are_read_wherever_a_provider_puts_them(
    sent: dict[str, Any], cached: int
) -> None:
    figures = {"prompt_tokens": 10, "completion_tokens": 3} | sent
    usage = decode_reply(body({"content": "a"}, usage=figures)).usage
    assert usage == Usage(input=10, output=3, cached=cached, sent=figures)


OVERFLOWS = [
    (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in "
        "9001 tokens. Please reduce the length of the messages.",
        8192,
    ),
    (
        "This endpoint's maximum context length is 131072 tokens. However, you requested about "
        "132463 tokens (1463 of text input, 131000 in the output).",
        131072,
    ),
    (
        "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context "
        "length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
        4096,
    ),
    (
        "request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it",
        8192,
    ),
    (
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        131072,
    ),
    (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        1048576,
    ),
    (
        "Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum "
        "context length",
        32768,
    ),
    ("prompt is too long: 210000 tokens > 200000 maximum", 200000),
    ("Input tokens exceed the configured limit of 272000 tokens.", 272000),
    ("Your input exceeds the context window of this model. Please adjust your input.", None),
    ("Please reduce the length of the messages or completion.", None),
    ("Input is too long for requested model.", None),
    ("The input (9000 tokens) is longer than the model's context length (8192 tokens).", 8192),
    ("Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", 131040),
    ("Input length (265330) exceeds model's maximum context length (262144).", 262144),
    ("prompt token count of 200001 exceeds the limit of 128000", 128000),
    ("The prompt is too long: 132768, model maximum context length: 131071", 131071),
    ("Invalid request: Your request exceeded model token limit: 262144 (requested: 9)", 262144),
    ("InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]", 129024),
    ("invalid params, context window exceeds limit (2013)", None),
    ("Prompt exceeds max length", None),
    ("prompt too long; exceeded max context length by 4 tokens", None),
    ("Prompt has 32769 tokens, but the configured context size is 32768 tokens", 32768),
    (
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is "
        "loaded with context length of only 4096 tokens, which is not enough.",
        4096,
    ),
    ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens", 4096),
    ("Request Entity Too Large", None),
]


@pytest.mark.parametrize(("says", "window"), OVERFLOWS)
def test_a_full_context_is_known_by_the_words_of_many_servers(
    says: str, window: int | None
) -> None:
    with pytest.raises(ContextOverflow) as caught:
        decode_error(413 if "Entity" in says else 400, {"message": says})
    assert caught.value.window == window


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (400, "Invalid value for 'messages': too long an array"),
        (400, "max_tokens is too large: 32768. This model supports at most 16384 tokens"),
        (429, "Request too large for m on tokens per min (TPM): Limit 30000, Requested 45000."),
        (401, "maximum context length"),
        (413, "Request too large for m on tokens per minute (TPM): Limit 6000, Requested 8000"),
        (400, "ThrottlingException: Too many tokens, please wait before trying again."),
    ],
)
def test_other_errors_are_no_full_context(status: int, says: str) -> None:
    assert decode_error(status, {"message": says}) is None


def test_a_reply_that_ran_out_of_window_is_a_full_context_and_its_tokens_count() -> None:
    sent = body({"content": "So"}, "model_context_window_exceeded", usage={"prompt_tokens": 9})
    with pytest.raises(ContextOverflow) as caught:
        decode_reply(sent)
    assert caught.value.usage is not None
    assert caught.value.usage.input == 9


def test_a_call_the_server_itself_could_not_read_is_the_models_doing() -> None:
    said = {"message": "Failed to call a function", "code": "tool_use_failed"}
    assert decode_error(400, said) == Reply(Message("assistant"), stop="malformed")
