"""The scripted server speaks as real ones do: the official SDKs' own readers say so."""

import anthropic
import openai
import pytest

from tests.model_server import ModelServer, Say, Use, Wire, full

pytestmark = pytest.mark.anyio

SAY = Say("Looking.", (Use("now"), Use("read_document", {"id": "d1"})), thinking="hm", cached=40)
HELLO = "hello"


async def test_chat_completions_whole_and_streamed() -> None:
    with ModelServer(lambda asked: SAY) as server:
        async with openai.AsyncOpenAI(api_key="k", base_url=f"{server.url}/v1") as sdk:
            whole = await sdk.chat.completions.create(
                model="m", messages=[{"role": "user", "content": HELLO}]
            )
            async with sdk.chat.completions.stream(
                model="m",
                messages=[{"role": "user", "content": HELLO}],
                stream_options={"include_usage": True},
            ) as stream:
                streamed = await stream.get_final_completion()
    for found in (whole, streamed):
        message = found.choices[0].message
        assert message.content == "Looking."
        assert found.choices[0].finish_reason == "tool_calls"
        assert [call.type for call in message.tool_calls or ()] == ["function", "function"]
        assert found.usage is not None
        assert found.usage.prompt_tokens == 100


async def test_anthropic_messages_whole_and_streamed() -> None:
    with ModelServer(lambda asked: SAY) as server:
        async with anthropic.AsyncAnthropic(api_key="k", base_url=server.url) as sdk:
            whole = await sdk.messages.create(
                model="m", max_tokens=9, messages=[{"role": "user", "content": HELLO}]
            )
            async with sdk.messages.stream(
                model="m", max_tokens=9, messages=[{"role": "user", "content": HELLO}]
            ) as stream:
                streamed = await stream.get_final_message()
    for found in (whole, streamed):
        assert [block.type for block in found.content] == [
            "thinking",
            "text",
            "tool_use",
            "tool_use",
        ]
        last = found.content[-1]
        assert last.type == "tool_use"
        assert (last.name, last.input) == ("read_document", {"id": "d1"})
        assert found.stop_reason == "tool_use"
        assert (found.usage.input_tokens, found.usage.cache_read_input_tokens) == (60, 40)


async def test_responses_whole_and_streamed() -> None:
    with ModelServer(lambda asked: SAY) as server:
        async with openai.AsyncOpenAI(api_key="k", base_url=f"{server.url}/v1") as sdk:
            whole = await sdk.responses.create(model="m", input=HELLO)
            async with sdk.responses.stream(model="m", input=HELLO) as stream:
                streamed = await stream.get_final_response()
    for found in (whole, streamed):
        assert [item.type for item in found.output] == [
            "reasoning",
            "message",
            "function_call",
            "function_call",
        ]
        assert found.output_text == "Looking."
        last = found.output[-1]
        assert last.type == "function_call"
        assert (last.name, last.arguments) == ("read_document", '{"id": "d1"}')
        assert found.usage is not None
        assert found.usage.input_tokens_details.cached_tokens == 40


async def test_errors_are_the_sdks_own_errors() -> None:
    with ModelServer([full, full, Wire("{oops")]) as server:
        async with openai.AsyncOpenAI(api_key="k", base_url=f"{server.url}/v1") as sdk:
            with pytest.raises(openai.BadRequestError) as caught:
                await sdk.chat.completions.create(
                    model="m", messages=[{"role": "user", "content": HELLO}]
                )
            assert caught.value.code == "context_length_exceeded"
        async with anthropic.AsyncAnthropic(api_key="k", base_url=server.url) as other:
            with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
                await other.messages.create(
                    model="m", max_tokens=9, messages=[{"role": "user", "content": HELLO}]
                )
    assert server.count == 2
