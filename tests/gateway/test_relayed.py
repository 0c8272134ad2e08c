"""What a harness sends in the provider's own dialect arrives there, known to us or not; what it
sends in another is translated as far as there are words for it."""

from typing import Any

import msgspec
import pytest

from bythebook.gateway.exchange import Terms
from tests.gateway.standing import DIALECTS, OURS, THEIRS, Standing, standing
from tests.model_server import ModelServer, Say, Use, Wire

pytestmark = pytest.mark.anyio

Body = dict[str, Any]
PATHS = {
    "chat": "/v1/chat/completions",
    "anthropic": "/v1/messages",
    "responses": "/v1/responses",
}
CACHE = {"cache_control": {"type": "ephemeral"}}

SENT: dict[str, Body] = {
    "chat": {
        "messages": [
            {"role": "system", "content": "Be good.", "name": "sys"},
            {"role": "user", "content": [{"type": "text", "text": "hello"} | CACHE]},
            {
                "role": "assistant",
                "content": None,
                "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}],
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "now", "arguments": '{ "a" : 1}'},
                        "extra_content": {"google": {"thought_signature": "x"}},
                    },
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "10:00"},
            {"role": "unheard-of", "content": {"odd": True}},
        ],
        "tools": [{"type": "sonar", "range": 7}],
        "response_format": {"type": "json_object"},
        "max_tokens": 50,
        "unheard_of": [1],
    },
    "anthropic": {
        "system": [{"type": "text", "text": "Be good."} | CACHE],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "hello"} | CACHE]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "s1g="},
                    {"type": "redacted_thinking", "data": "x"},
                    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
                    {"type": "tool_use", "id": "t1", "name": "now", "input": {"a": 1}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": "10:00"} | CACHE,
                    {"type": "unheard_of", "odd": True},
                ],
            },
        ],
        "tools": [{"type": "bash_20250124", "name": "bash"}],
        "thinking": {"type": "enabled", "budget_tokens": 40},
        "max_tokens": 50,
        "unheard_of": [1],
    },
    "responses": {
        "instructions": "Be good.",
        "input": [
            {"type": "message", "role": "developer", "content": "b"},
            {"role": "user", "content": [{"type": "input_text", "text": "hello"}]},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
            {
                "type": "function_call",
                "namespace": "mcp__biz",
                "name": "pay",
                "call_id": "c1",
                "arguments": "{}",
            },
            {"type": "function_call_output", "call_id": "c1", "output": "paid"},
            {"type": "unheard_of", "odd": True},
        ],
        "tools": [
            {
                "type": "namespace",
                "name": "mcp__biz",
                "description": "",
                "tools": [{"type": "function", "name": "pay", "parameters": {}}],
            },
            {"type": "local_shell"},
        ],
        "prompt_cache_key": "k",
        "store": False,
        "max_output_tokens": 50,
        "unheard_of": [1],
    },
}


async def post(there: Standing, path: str, body: object, **headers: str) -> Any:
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    key = {"authorization": f"Bearer {THEIRS}", "x-api-key": THEIRS}
    async with there.http() as http:
        return await http.post(path, content=content, headers=key | headers)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_all_that_was_sent_arrives_but_the_models_name(dialect: str) -> None:
    sent = SENT[dialect] | {"model": "any"}
    with ModelServer([Say("hi")]) as server:
        async with standing(server, dialect) as there:
            answer = await post(there, PATHS[dialect], sent)
            assert answer.status_code == 200, answer.text
    expected = sent | {"model": "scripted"} | ({"stream": True} if dialect == "anthropic" else {})
    assert server.asked[0].body == expected
    assert THEIRS not in str(server.asked[0].headers)
    assert OURS in str(server.asked[0].headers)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_all_that_was_answered_arrives(dialect: str) -> None:
    odd = {"odd": {"deep": [1]}}
    answers: dict[str, Body] = {
        "chat": {
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "hi", "annotations": [odd]},
                    "finish_reason": "stop",
                    "logprobs": None,
                }
            ],
            "usage": {"prompt_tokens": 1, "unheard_of": 2},
        },
        "anthropic": {
            "type": "message",
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "", "signature": "s"},
                {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [odd]},
                {"type": "text", "text": "hi"},
            ],
            "stop_reason": "pause_turn",
            "usage": {"input_tokens": 1, "output_tokens": 2, "service_tier": "standard"},
        },
        "responses": {
            "status": "completed",
            "output": [{"type": "web_search_call", "id": "w"} | odd],
        },
    }
    answer = answers[dialect] | {"id": "x", "model": "m"} | odd
    with ModelServer([Wire(answer)]) as server:
        async with standing(server, dialect) as there:
            found = await post(there, PATHS[dialect], SENT[dialect] | {"model": "any"})
    assert found.json() == answer


@pytest.mark.parametrize("dialect", ["chat", "responses"])
async def test_a_call_that_was_no_json_is_mended_before_it_goes_back(dialect: str) -> None:
    """Servers that read old calls would answer 400 or 500 to every call after it."""
    call = {"name": "now", "arguments": '{"a'}
    turns: dict[str, Body] = {
        "chat": {
            "messages": [
                {"role": "assistant", "tool_calls": [{"id": "c1", "function": call}]},
                {"role": "tool", "tool_call_id": "c1", "content": "no"},
            ]
        },
        "responses": {
            "input": [
                {"type": "function_call", "call_id": "c1"} | call,
                {"type": "function_call_output", "call_id": "c1", "output": "no"},
            ]
        },
    }
    with ModelServer([Say("hi")]) as server:
        async with standing(server, dialect) as there:
            await post(there, PATHS[dialect], turns[dialect] | {"model": "any"})
    (sent, _) = server.asked[0].messages
    found = sent["tool_calls"][0]["function"] if dialect == "chat" else sent
    assert msgspec.json.decode(found["arguments"]) == {"_malformed": '{"a'}


async def test_what_makes_a_beta_field_known_to_the_provider_goes_with_it() -> None:
    with ModelServer([Say("hi")]) as server:
        async with standing(server, "anthropic") as there:
            sent = SENT["anthropic"] | {"model": "any"}
            headers = {"anthropic-beta": "context-management-2025-06-27", "x-other": "y"}
            await post(there, PATHS["anthropic"] + "?beta=true", sent, **headers)
    assert server.asked[0].headers["anthropic-beta"] == "context-management-2025-06-27"
    assert "x-other" not in server.asked[0].headers


async def test_thinking_is_given_no_more_room_than_the_reply() -> None:
    sent = SENT["anthropic"] | {"model": "any", "max_tokens": 9000}
    sent["thinking"] = {"type": "enabled", "budget_tokens": 8999}
    with ModelServer([Say("hi")]) as server:
        terms = Terms(settings=msgspec.convert({"max_tokens": 2000}, type(Terms().settings)))
        async with standing(server, "anthropic", terms) as there:
            await post(there, PATHS["anthropic"], sent)
    assert server.asked[0].body["max_tokens"] == 2000
    assert server.asked[0].body["thinking"]["budget_tokens"] == 1999


NAMESPACED: Body = {
    "model": "any",
    "input": "hello",
    "tools": [
        {
            "type": "namespace",
            "name": "mcp__biz",
            "description": "",
            "tools": [{"type": "function", "name": "pay", "parameters": {"type": "object"}}],
        },
        {"type": "custom", "name": "patch", "description": "Patch."},
    ],
}


@pytest.mark.parametrize("provider", ["chat", "anthropic"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
async def test_tools_in_namespaces_and_tools_of_free_text_are_found_by_any_provider(
    provider: str, stream: bool
) -> None:
    uses = (Use("mcp__biz__pay", {"a": 1}, "c1"), Use("patch", {"input": "*** Begin"}, "c2"))
    with ModelServer([Say("", uses), Say("Done.")]) as server:
        async with standing(server, provider) as there, there.openai() as sdk:
            first = await sdk.responses.create(**NAMESPACED)
            pay, patch = [item.to_dict() for item in first.output]
            assert (pay["namespace"], pay["name"]) == ("mcp__biz", "pay")
            assert pay["arguments"] == '{"a":1}'
            assert (patch["type"], patch["input"]) == ("custom_tool_call", "*** Begin")
            answers = [
                {"type": "function_call_output", "call_id": "c1", "output": "paid"},
                {"type": "custom_tool_call_output", "call_id": "c2", "output": "patched"},
            ]
            given: Any = NAMESPACED | {"input": [pay, patch, *answers], "stream": stream}
            again = await sdk.responses.create(**given)
            if stream:
                kinds = [event.type async for event in again]
                assert kinds[-1] == "response.completed"
    first_asked, second_asked = server.asked
    assert first_asked.tools == ["mcp__biz__pay", "patch"]
    assert second_asked.answers == ["paid", "patched"]
    assert "mcp__biz__pay" in str(second_asked.messages)


async def test_words_said_between_calls_and_answers_go_after_the_answers() -> None:
    turns = [
        {"role": "user", "content": "hello"},
        {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "function": {"name": "now", "arguments": "{}"}}],
        },
        {"role": "user", "content": "hurry"},
        {"role": "tool", "tool_call_id": "c1", "content": "10:00"},
        {"role": "assistant", "content": ""},
    ]
    with ModelServer([Say("hi")]) as server:
        async with standing(server, "anthropic") as there:
            await post(there, PATHS["chat"], {"model": "any", "messages": turns})
    asked = server.asked[0].messages
    assert [turn["role"] for turn in asked] == ["user", "assistant", "user"]
    assert [block["type"] for block in asked[2]["content"]] == ["tool_result", "text"]
