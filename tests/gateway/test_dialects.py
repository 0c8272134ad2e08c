"""Harnesses of three dialects before the gateway, providers of three behind it: all nine."""

from typing import Any

import pytest

from bythebook.models.types import Usage
from tests.gateway.speakers import PICTURE, speaker
from tests.gateway.standing import OURS, THEIRS, each_harness, each_provider, near, standing
from tests.model_replies import chat_body
from tests.model_server import Asked, ModelServer, Say, Use, Wire

pytestmark = pytest.mark.anyio

streamed = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])

LOOKING = Say(
    "Looking.",
    (Use("read_document", {"id": "d1"}, "z9"), Use("now", {"id": "x"}, "a1")),
    thinking="Two at once.",
    signature="s1g/+=",
    cached=40,
)


@each_harness
@each_provider
@streamed
async def test_a_whole_conversation_with_tools_and_pictures(
    harness: str, provider: str, stream: bool
) -> None:
    with ModelServer([LOOKING, Say("It is ten.")]) as server:
        async with standing(server, provider) as there:
            who = speaker(harness, there, stream=stream)
            who.say("What is this?", PICTURE)
            first = await who.ask()
            assert first.text == "Looking."
            assert first.calls == [
                ("read_document", {"id": "d1"}, "z9"),
                ("now", {"id": "x"}, "a1"),
            ]
            assert first.read == 100
            who.answer("z9", "A page.", PICTURE)
            who.answer("a1", "10:00")
            last = await who.ask()
            assert (last.text, last.calls) == ("It is ten.", [])
            assert there.gateway.steps == 2
            assert there.gateway.usage == Usage(input=200, output=20, cached=40)
            assert there.gateway.ended is None
    _check_what_was_asked(server, provider)
    assert [(e.n, e.status, e.error) for e in there.heard] == [(1, 200, ""), (2, 200, "")]
    again = there.heard[1].request
    said = [message for message in again.messages if message.role == "assistant"]
    assert [call.id for call in said[0].calls] == ["z9", "a1"]
    reply = there.heard[0].reply
    assert reply is not None
    assert [call.name for call in reply.message.calls] == ["read_document", "now"]


def _check_what_was_asked(server: ModelServer, provider: str) -> None:
    """Everything arrived, in the provider's own places, reasoning and seals among it."""
    first, second = server.asked
    assert first.dialect == provider
    assert first.tools == ["read_document", "now"]
    assert first.body["model"] == "scripted"
    assert str(second.body).count(PICTURE) == 2
    answers = str(second.body)
    assert answers.index("A page.") < answers.index("10:00")
    for asked in server.asked:
        assert bool(asked.body.get("stream")) is (provider == "anthropic")
        assert "stream_options" not in asked.body
        assert OURS in str(asked.headers)
        assert THEIRS not in str(asked.headers) + str(asked.body)
    theirs: list[Any] = [m for m in second.messages if "Two at once." in str(m)]
    assert len(theirs) == 1
    if provider == "anthropic":
        seal = {"type": "thinking", "thinking": "Two at once.", "signature": "s1g/+="}
        assert theirs[0]["content"][0] == seal
    elif provider == "responses":
        assert theirs[0]["encrypted_content"] == "s1g/+="
        assert theirs[0]["id"] == "rs_0"
    else:
        assert theirs[0]["reasoning_content"] == "Two at once."


@each_harness
@each_provider
async def test_a_reply_that_hit_its_limit_says_so(harness: str, provider: str) -> None:
    stops = {"chat": "length", "anthropic": "max_tokens", "responses": "max_output_tokens"}
    with ModelServer([Say("So I", stop=stops[provider])]) as server:
        async with standing(server, provider) as there:
            who = speaker(harness, there)
            who.say("hello")
            heard = await who.ask()
    assert (heard.text, heard.stop) == ("So I", stops[harness])
    (exchange,) = there.heard
    assert exchange.reply is not None
    assert exchange.reply.stop == "length"


@near
@streamed
async def test_an_empty_answer_is_an_answer(harness: str, provider: str, stream: bool) -> None:
    with ModelServer([Say("")]) as server:
        async with standing(server, provider) as there:
            who = speaker(harness, there, stream=stream)
            who.say("hello")
            heard = await who.ask()
            assert (heard.text, heard.calls) == ("", [])
            assert (there.gateway.steps, there.gateway.ended) == (1, None)


@pytest.mark.parametrize("provider", ["chat", "responses"])
@each_harness
@streamed
async def test_arguments_that_are_no_json_reach_the_harness_and_can_be_sent_back(
    harness: str, provider: str, stream: bool
) -> None:
    text = '{"id": "d1'
    with ModelServer([Say("", (Use("now", text, "c1"),)), Say("Sorry.")]) as server:
        async with standing(server, provider) as there:
            who = speaker(harness, there, stream=stream)
            who.say("hello")
            heard = await who.ask()
            shown = {"_malformed": text} if harness == "anthropic" else text
            assert heard.calls == [("now", shown, "c1")]
            who.answer("c1", "That is no JSON.")
            assert (await who.ask()).text == "Sorry."
    (sent,) = [str(m) for m in server.asked[1].messages if "_malformed" in str(m)]
    assert "d1" in sent


@each_harness
@each_provider
async def test_how_tools_are_to_be_chosen_is_carried_over(harness: str, provider: str) -> None:
    ways: dict[str, dict[str, Any]] = {
        "chat": {
            "tool_choice": {"type": "function", "function": {"name": "now"}},
            "parallel_tool_calls": False,
        },
        "anthropic": {
            "tool_choice": {"type": "tool", "name": "now", "disable_parallel_tool_use": True}
        },
        "responses": {
            "tool_choice": {"type": "function", "name": "now"},
            "parallel_tool_calls": False,
        },
    }
    with ModelServer([Say("hi")]) as server:
        async with standing(server, provider) as there:
            who = speaker(harness, there)
            who.say("hello")
            who.more = ways[harness]
            await who.ask()
    sent = server.asked[0].body
    assert {name: sent.get(name) for name in ways[provider]} == ways[provider]


@pytest.mark.parametrize("name", ["chatcmpl-1", ""])
async def test_each_reply_has_an_id_of_its_own_whatever_the_provider_calls_it(name: str) -> None:
    def speak(asked: Asked) -> Wire:
        return Wire(chat_body(Say("Yes."), asked.number) | {"id": name})

    with ModelServer(speak) as server:
        async with standing(server, "chat") as there:
            who = speaker("anthropic", there, stream=False)
            ids = []
            for _ in range(3):
                who.say("Really?")
                ids.append((await who.ask()).raw.id)

    assert len(set(ids)) == 3
    assert all(ids)
