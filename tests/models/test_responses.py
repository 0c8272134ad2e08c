"""The OpenAI Responses dialect, both ways."""

from typing import Any

import pytest
from msgspec.structs import replace

from bythebook.models import chat
from bythebook.models.responses import (
    decode_message,
    decode_reply,
    decode_request,
    encode_reply,
    encode_request,
)
from bythebook.models.types import (
    Answer,
    Call,
    Image,
    Message,
    Reply,
    Usage,
)
from bythebook.models.wire import Fault
from tests.models.wiring import REQUEST, SCHEMA, hello

REASONING = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "hm"}],
    "encrypted_content": "s1g=",
}


def said(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "msg_1", "role": "assistant", "content": [part]}


def function_call(name: str, arguments: Any, id: str = "c1", **more: Any) -> dict[str, Any]:
    call = {"type": "function_call", "call_id": id, "name": name, "arguments": arguments}
    return call | more


def body(*items: dict[str, Any], reason: str = "", **more: Any) -> dict[str, Any]:
    status = "incomplete" if reason else "completed"
    return {
        "status": status,
        "output": list(items),
        "incomplete_details": {"reason": reason} if reason else None,
    } | more


def sent_back(message: Message) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = encode_request(hello(message))["input"]
    return items


def bare(message: Message) -> Message:
    return replace(message, wire=None)


def test_a_request_goes_out_as_the_documentation_has_it() -> None:
    assert encode_request(REQUEST) == {
        "model": "m",
        "instructions": "Be good.",
        "input": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "Looking."},
            function_call("read_document", '{"id":"d1"}'),
            function_call("now", "{}", "c2"),
            {"type": "function_call_output", "call_id": "c1", "output": '{"a":1}'},
            {"type": "function_call_output", "call_id": "c2", "output": "10:00"},
            {"role": "user", "content": "hurry"},
        ],
        "tools": [
            {
                "type": "function",
                "name": "read_document",
                "description": "Read it.",
                "parameters": SCHEMA,
                "strict": False,
            }
        ],
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "max_output_tokens": 99,
        "temperature": 0.5,
        "top_p": 0.9,
    }


def test_a_request_read_back_is_the_request() -> None:
    read = decode_request(encode_request(REQUEST))
    assert replace(read, messages=tuple(bare(m) for m in read.messages)) == REQUEST


def test_fields_we_do_not_know_are_passed_on() -> None:
    sent = encode_request(hello()) | {"reasoning": {"effort": "high"}, "tool_choice": "auto"}
    assert encode_request(decode_request(sent)) == sent


def test_a_reply_read_back_is_the_reply() -> None:
    usage = Usage(input=100, output=20, cached=60, reasoning=5)
    reply = Reply(REQUEST.messages[1], "calls", usage, id="x", model="m")
    read = decode_reply(encode_reply(reply))
    plain = replace(read, message=bare(read.message), usage=replace(read.usage, sent={}))
    assert plain == reply


def test_words_alone_are_a_whole_request() -> None:
    read = decode_request({"model": "m", "input": "hello"})
    assert read.messages == (Message("user", "hello"),)


def test_instructions_of_the_developer_stand_with_the_system_words() -> None:
    items = [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "b"}]},
        {"role": "user", "content": "hello"},
    ]
    read = decode_request({"model": "m", "instructions": "a", "input": items})
    assert (read.system, read.messages) == ("a\n\nb", (Message("user", "hello"),))


def test_reasoning_and_ids_go_back_to_the_provider_untouched_and_in_their_places() -> None:
    more = {"type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": "s2g="}
    items = [
        REASONING,
        said("So") | {"phase": "commentary"},
        more,
        function_call("a", '{ "x" : 1}') | {"id": "fc_1"},
        function_call("b", "{}", id="c2", namespace="desk"),
    ]
    reply = decode_reply(body(*items))
    assert reply.stop == "calls"
    assert [(c.name, c.args, c.id) for c in reply.message.calls] == [
        ("a", {"x": 1}, "c1"),
        ("desk__b", {}, "c2"),
    ]
    assert reply.message.text == "So"
    assert sent_back(reply.message) == items


def test_fields_without_a_value_are_not_sent_back() -> None:
    """The provider sends `status: null` with reasoning, and refuses it when it comes back."""
    reply = decode_reply(body(REASONING | {"status": None}, said("So")))
    assert sent_back(reply.message)[0] == REASONING


@pytest.mark.parametrize("text", ['{"a": 1', "[1]", "say hi", "[" * 100_000])
def test_arguments_that_are_no_json_object_stay_a_call_and_can_be_sent_back(text: str) -> None:
    message = decode_message([function_call("pay", text)])
    assert message.calls == (Call("pay", {"_malformed": text}, "c1"),)
    (back,) = sent_back(message)
    assert chat.decode_message({"tool_calls": [{"id": "c1", "function": back}]}).calls == (
        message.calls
    )


@pytest.mark.parametrize("id", ["", None, "same"])
def test_calls_without_an_id_of_their_own_get_one(id: Any) -> None:
    message = decode_message([function_call("a", "{}", id), function_call("b", "{}", id)])
    ids = [call.id for call in message.calls]
    assert len(set(ids)) == 2
    assert [item["call_id"] for item in sent_back(message)] == ids


def test_a_call_the_length_limit_cut_is_no_call() -> None:
    items = [said("So"), function_call("now", "{}"), REASONING]
    cut = function_call("pay", '{"amount": 1', "c2", status="incomplete")
    reply = decode_reply(body(*items, cut, reason="max_output_tokens"))
    assert reply.stop == "length"
    assert [call.name for call in reply.message.calls] == ["now"]
    assert reply.half is not None
    assert reply.half.name == "pay"
    assert sent_back(reply.message) == items[:2]


def test_reasoning_alone_is_an_empty_turn() -> None:
    assert decode_reply(body(REASONING, reason="max_output_tokens")).message.empty


@pytest.mark.parametrize("status", ["failed", "in_progress", "cancelled"])
def test_a_reply_the_provider_broke_off_is_its_fault(status: str) -> None:
    with pytest.raises(Fault, match="broke off"):
        decode_reply(body() | {"status": status})


def test_a_refusal_is_what_the_model_says() -> None:
    part = {"type": "refusal", "refusal": "I will not."}
    reply = decode_reply(body(said("") | {"content": [part]}))
    assert (reply.message.text, reply.stop) == ("I will not.", "refusal")


def test_tools_in_a_namespace_and_tools_of_free_text_are_tools() -> None:
    tools = [
        {"type": "namespace", "name": "desk", "tools": [{"type": "function", "name": "pay"}]},
        {"type": "custom", "name": "patch", "description": "Patch it."},
        {"type": "web_search"},
    ]
    read = decode_request({"model": "m", "input": "hello", "tools": tools})
    assert [tool.name for tool in read.tools] == ["desk__pay", "patch"]
    call = {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": "*** Begin"}
    assert decode_message([call]).calls == (Call("patch", {"input": "*** Begin"}, "c1"),)


def test_a_picture_goes_out_and_comes_back_beside_words_and_in_an_answer() -> None:
    picture = Image("image/png", b"\x89PNG not really")
    answer = Answer("c1", "Page 1 is shown.", images=(picture,))
    asked = hello(
        Message("user", "What is it?", images=(picture,)),
        Message("assistant", calls=(Call("view_page", {}, "c1"),)),
        Message("user", answers=(answer,)),
    )
    sent = encode_request(asked)
    url = "data:image/png;base64,iVBORyBub3QgcmVhbGx5"
    shown = {"type": "input_image", "image_url": url}
    assert sent["input"][0]["content"] == [shown, {"type": "input_text", "text": "What is it?"}]
    read = decode_request(sent).messages
    assert (read[0], read[2]) == (asked.messages[0], asked.messages[2])
