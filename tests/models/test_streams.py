"""Streams as servers really write them, read whole."""

from typing import Any

import pytest

from bythebook.errors import AgentError
from bythebook.models.dialects import ANTHROPIC, CHAT, DIALECTS, RESPONSES
from bythebook.models.patience import Patience
from bythebook.models.sse import events, is_stream
from bythebook.models.wire import Fault
from tests.model_server import Asked, Cut, ModelServer, Say, Spoken, Use, Wire, fault
from tests.models.wiring import at, each, hello

CALLS = (Use("pay", {"amount": 1}), Use("now"))


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def piece(arguments: str, index: int = 0, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"index": index, "function": {"arguments": arguments}, **more}]}


def message(*chunks: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = CHAT.gather([*chunks, chunk({}, "stop")])["choices"][0]["message"]
    return found


def test_events_are_read_however_their_lines_end() -> None:
    data = b': hello\r\n\r\nevent: a\r\ndata: {"x":\r\ndata: 1}\r\n\r\nid: 7\ndata:{"y":2}'
    assert list(events(data)) == [{"x": 1}, {"y": 2}]
    assert is_stream(data)
    assert not is_stream(b' {"data": 1}')


def test_words_and_arguments_that_come_in_pieces_are_one() -> None:
    found = message(
        chunk({"role": "assistant", "content": "He"}),
        chunk({"role": "assistant", "content": "llo"}),
        chunk(piece("", id="c1", type="function") | {"content": None}),
        chunk(piece('{"a"')),
        chunk(piece(": 1}")),
    )
    assert found["role"] == "assistant"
    assert found["content"] == "Hello"
    assert found["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"arguments": '{"a": 1}'}}
    ]


def test_calls_that_all_carry_the_same_number_are_told_apart_by_their_ids() -> None:
    found = message(chunk(piece("{}", id="c1")), chunk(piece('{"b":', id="c2")), chunk(piece("")))
    assert [call["id"] for call in found["tool_calls"]] == ["c1", "c2"]


def test_numbered_details_of_reasoning_that_come_in_pieces_are_one() -> None:
    found = message(
        chunk({"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "so"}]}),
        chunk({"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "me"}]}),
        chunk({"reasoning_details": [{"type": "reasoning.encrypted", "index": 1, "data": "x"}]}),
    )
    assert found["reasoning_details"] == [
        {"type": "reasoning.text", "index": 0, "text": "some"},
        {"type": "reasoning.encrypted", "index": 1, "data": "x"},
    ]


def test_usage_may_come_with_the_last_chunk_or_after_it() -> None:
    for last in ([chunk({}, "stop", usage={"a": 1})], [chunk({}, "stop"), {"usage": {"a": 1}}]):
        assert CHAT.gather([chunk({"content": "hi"}), *last])["usage"] == {"a": 1}


def test_anthropics_arguments_that_never_became_json_stay_the_text_they_are() -> None:
    block = {"type": "tool_use", "id": "t", "name": "pay", "input": {}}
    found = ANTHROPIC.gather(
        [
            {"type": "message_start", "message": {"usage": {"input_tokens": 5}}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": '{"a'},
            },
            {"type": "ping"},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "x"},
                "usage": {"output_tokens": 2, "input_tokens": None},
            },
            {"type": "message_stop"},
        ]
    )
    assert found["content"] == [block | {"input": '{"a'}]
    assert found["usage"] == {"input_tokens": 5, "output_tokens": 2}


def test_a_last_event_that_leaves_the_output_out_is_filled_from_those_before() -> None:
    item = {"type": "message", "role": "assistant", "content": []}
    found = RESPONSES.gather(
        [
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"status": "completed"}},
        ]
    )
    assert found["output"] == [item]


@pytest.mark.parametrize("speech", DIALECTS.values(), ids=list(DIALECTS))
def test_a_stream_that_ends_early_is_the_providers_fault(speech: Any) -> None:
    with pytest.raises(Fault, match="broke off") as caught:
        speech.gather([])
    assert caught.value.again


@pytest.mark.anyio
@each
async def test_a_provider_that_takes_only_streams_is_sent_streams_from_then_on(
    provider: str,
) -> None:
    def script(asked: Asked) -> Say | Wire:
        if not asked.body.get("stream"):
            return fault(400, "This model only support stream mode, please enable stream.")
        return Say("Paying.", CALLS, thinking="hm", cached=40)

    with ModelServer(script) as server:
        async with at(server, provider) as model:
            first = await model.ask(hello())
            await model.ask(hello())
    assert first.message.text == "Paying."
    assert [(call.name, call.args) for call in first.message.calls] == [
        ("pay", {"amount": 1}),
        ("now", {}),
    ]
    assert (first.usage.input, first.usage.cached) == (100, 40)
    assert first.stop == "calls"
    asked = [bool(one.body.get("stream")) for one in server.asked]
    assert asked == ([True, True] if provider == "anthropic" else [False, True, True])


@pytest.mark.anyio
@each
@pytest.mark.parametrize("streams", [False, True], ids=["whole", "stream"])
async def test_a_reply_that_breaks_in_the_middle_is_asked_for_again(
    provider: str, streams: bool
) -> None:
    script: list[Spoken] = [Cut(), Say("hi")]
    if streams and provider != "anthropic":
        script.insert(0, fault(400, "set stream=true: a stream is wanted"))
    with ModelServer(script) as server:
        async with at(server, provider) as model:
            assert (await model.ask(hello())).message.text == "hi"
    assert server.count == len(script)


@pytest.mark.anyio
@each
async def test_an_error_inside_a_stream_is_an_error(provider: str) -> None:
    told = 'event: error\ndata: {"type": "error", "error": {"message": "overloaded"}}\n\n'
    hurried = Patience(attempts=2, first=0.01)
    with ModelServer(lambda asked: Wire(told)) as server:
        async with at(server, provider, hurried) as model:
            with pytest.raises(AgentError, match="overloaded"):
                await model.ask(hello())
    assert server.count == 2
