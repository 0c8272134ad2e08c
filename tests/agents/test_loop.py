"""The loop agent against a real server, in each dialects."""

from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from bythebook.agents.context import prompt
from bythebook.agents.loop import Loop
from bythebook.agents.protocol import Answer, Briefing, ContextExhausted, Move, Note, ToolSpec
from bythebook.errors import AgentError
from bythebook.models.types import Image, Settings
from tests.model_server import Asked, ModelServer, Say, Spoken, Use, Wire, busy, fault, full
from tests.models.wiring import at, each

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}}
BRIEFING = Briefing(
    instructions="You are the agent.",
    request="Please pay.",
    tools=(ToolSpec("read_document", "Read it.", SCHEMA), ToolSpec("now", "The time.", SCHEMA)),
)
STUB = prompt("stub")


@asynccontextmanager
async def looping(
    server: ModelServer, provider: str, settings: Settings | None = None
) -> AsyncIterator[Loop]:
    async with at(server, provider) as model:
        yield Loop(model, settings)


def answers(move: Move, text: str = "fine") -> tuple[Answer, ...]:
    return tuple(Answer(call.id, text) for call in move.calls)


def names(notes: tuple[Note, ...]) -> list[str]:
    return [note.name for note in notes]


STOPS = {"anthropic": "max_tokens", "local": "length", "openai-responses": "max_output_tokens"}
"""What a provider calls the limit of a reply's length."""


def sent_tools(asked: Asked) -> list[dict[str, Any]]:
    """The calls of the assistant's last turn (in Responses: of all), as they were sent back."""
    if asked.dialect == "responses":
        calls = [item for item in asked.messages if item.get("type") == "function_call"]
        return [item | {"id": item["call_id"]} for item in calls]
    last = [message for message in asked.messages if message["role"] == "assistant"][-1]
    if asked.anthropic:
        return [block for block in last["content"] if block["type"] == "tool_use"]
    found: list[dict[str, Any]] = last["tool_calls"]
    return found


@each
async def test_a_whole_run_of_several_calls_a_turn(provider: str) -> None:
    script = [
        Say(
            "Let me see.",
            (Use("read_document", {"id": "d1"}, "z9"), Use("read_document", {"id": "d2"}, "a1")),
        ),
        Say("", (Use("now", {}, "m5"),)),
        Say("It is ten."),
        Say("", (Use("finish", {}, "f1"),)),
    ]
    with ModelServer(script) as server:
        async with looping(server, provider) as loop:
            first = await loop.move(BRIEFING)
            assert [(c.name, c.args, c.id) for c in first.calls] == [
                ("read_document", {"id": "d1"}, "z9"),
                ("read_document", {"id": "d2"}, "a1"),
            ]
            # The answers may come in any order: ids tie them to their calls.
            second = await loop.move((Answer("a1", "two"), Answer("z9", "one")))
            third = await loop.move(answers(second, "10:00"))
            assert (third.calls, third.text) == ((), "It is ten.")
            last = await loop.move((Answer("", "Thank you."),))
            assert [call.name for call in last.calls] == ["finish"]
    opening, seen, _, thanked = server.asked
    assert opening.tools == ["read_document", "now"]
    assert opening.said == "Please pay."
    assert "You are the agent." in str(opening.body)
    assert seen.answers == ["one", "two"]
    assert str(seen.body).rindex("'z9'") < str(seen.body).rindex("'a1'")
    assert [call["id"] for call in sent_tools(seen)] == ["z9", "a1"]
    assert thanked.said == "Thank you."
    assert thanked.turns == 3


@each
async def test_words_beside_calls_reach_nobody_but_are_remembered(provider: str) -> None:
    with ModelServer([Say("Let me see.", (Use("now"),)), Say("Done.")]) as server:
        async with looping(server, provider) as loop:
            move = await loop.move(BRIEFING)
            await loop.move(answers(move))
    assert move.calls
    assert "Let me see." in str(server.asked[1].messages)


@each
async def test_thinking_comes_back_to_the_provider_untouched(provider: str) -> None:
    script = [
        Say("", (Use("now"),), thinking="Ten, or eleven?", signature="s1g/+="),
        Say("", (Use("now"),), thinking="Once more.", signature="s2g/+="),
        Say("Done."),
    ]
    with ModelServer(script) as server:
        async with looping(server, provider) as loop:
            move = await loop.move(BRIEFING)
            move = await loop.move(answers(move))
            await loop.move(answers(move))
    sealed = [m for m in server.asked[2].messages if m.get("type") == "reasoning"]
    turns = [m for m in server.asked[2].messages if m.get("role") == "assistant"]
    if provider == "openai-responses":
        assert [item["encrypted_content"] for item in sealed] == ["s1g/+=", "s2g/+="]
        assert [item["id"] for item in sealed] == ["rs_0", "rs_1"]
    elif provider == "anthropic":
        assert [turn["content"][0] for turn in turns] == [
            {"type": "thinking", "thinking": "Ten, or eleven?", "signature": "s1g/+="},
            {"type": "thinking", "thinking": "Once more.", "signature": "s2g/+="},
        ]
    else:
        assert [turn["reasoning_content"] for turn in turns] == ["Ten, or eleven?", "Once more."]


@each
async def test_a_length_stop_executes_no_half_call(provider: str) -> None:
    stop = STOPS[provider]
    cut = Use("pay", {} if provider == "anthropic" else '{"amount": 1')
    with ModelServer([Say("So", (Use("now"), cut), stop=stop), Say("Done.")]) as server:
        async with looping(server, provider) as loop:
            move = await loop.move(BRIEFING)
            assert [call.name for call in move.calls] == ["now"]
            assert Note("length_stop", {"half": "pay"}) in move.notes
            await loop.move(answers(move))
    assert "pay" not in str(sent_tools(server.asked[1]))
    assert prompt("cut") in server.asked[1].said
    assert server.asked[1].answers == ["fine"]


@each
async def test_a_turn_that_was_only_half_a_call_is_an_empty_turn(provider: str) -> None:
    stop = STOPS[provider]
    cut = Use("pay", {} if provider == "anthropic" else '{"amount": 1')
    script = [
        Say("Paying.", (cut,), stop=stop),
        Say("", (cut,), stop=stop, thinking="hm"),
        Say("Done."),
    ]
    with ModelServer(script) as server:
        async with looping(server, provider) as loop:
            first = await loop.move(BRIEFING)
            second = await loop.move(())
            third = await loop.move(())
    assert (first.calls, first.text) == ((), "")
    assert (second.calls, second.text) == ((), "")
    assert third.text == "Done."
    assert prompt("cut") in server.asked[2].said
    # The words stay in the conversation; thinking alone is nothing a provider takes back.
    assert server.asked[2].turns == 1


@each
async def test_words_the_length_limit_cut_are_said(provider: str) -> None:
    stop = STOPS[provider]
    with ModelServer([Say("Dear cust", stop=stop)]) as server:
        async with looping(server, provider) as loop:
            move = await loop.move(BRIEFING)
    assert move.text == "Dear cust"
    assert Note("length_stop") in move.notes


async def test_arguments_that_are_no_json_become_the_agents_refused_call() -> None:
    with ModelServer([Say("", (Use("pay", '{"amount": 1'),)), Say("Sorry.")]) as server:
        async with looping(server, "local") as loop:
            move = await loop.move(BRIEFING)
            assert move.calls[0].args == {"_malformed": '{"amount": 1'}
            assert Note("malformed", {"calls": ["pay"]}) in move.notes
            await loop.move((Answer(move.calls[0].id, "arguments are no JSON", ok=False),))
    assert server.asked[1].answers == ["arguments are no JSON"]


async def test_a_refused_call_is_marked_for_a_provider_that_knows_marks() -> None:
    with ModelServer([Say("", (Use("pay", {}, "p1"),)), Say("Sorry.")]) as server:
        async with looping(server, "anthropic") as loop:
            await loop.move(BRIEFING)
            await loop.move((Answer("p1", "no", ok=False),))
    (result,) = server.asked[1].messages[-1]["content"]
    assert result["is_error"] is True


@each
@pytest.mark.parametrize("empty", [Say(""), Say("  \n")])
async def test_an_empty_turn_is_a_move_without_anything(provider: str, empty: Say) -> None:
    with ModelServer([empty, Say("Done.")]) as server:
        async with looping(server, provider) as loop:
            move = await loop.move(BRIEFING)
            assert (move.calls, move.text) == ((), "")
            assert (await loop.move(())).text == "Done."
    assert prompt("empty") in server.asked[1].said
    assert server.asked[1].turns == 0


@each
async def test_settings_and_the_default_length_are_sent(provider: str) -> None:
    with ModelServer([Say("a"), Say("b")]) as server:
        async with looping(server, provider) as loop:
            await loop.move(BRIEFING)
        async with looping(server, provider, Settings(max_tokens=7, temperature=0.3)) as loop:
            await loop.move(BRIEFING)
    limit = "max_output_tokens" if provider == "openai-responses" else "max_tokens"
    assert server.asked[0].body[limit] == 32_768
    assert "temperature" not in server.asked[0].body
    assert server.asked[1].body[limit] == 7
    assert server.asked[1].body["temperature"] == 0.3


@each
async def test_usage_is_noted_as_the_provider_sent_it(provider: str) -> None:
    with ModelServer([Say("a", input=100, output=20, cached=60)]) as server:
        async with looping(server, provider) as loop:
            move = await loop.move(BRIEFING)
    (note,) = move.notes
    assert note.name == "usage"
    assert (note.args["input"], note.args["output"], note.args["cached"]) == (100, 20, 60)
    cached = {
        "anthropic": "cache_read_input_tokens",
        "local": "prompt_tokens_details",
        "openai-responses": "input_tokens_details",
    }
    assert cached[provider] in note.args["sent"]


@each
async def test_time_spent_on_the_provider_is_known_apart(provider: str) -> None:
    with ModelServer([busy(0.2), Say("a")], delay=0.1) as server:
        async with looping(server, provider) as loop:
            await loop.move(BRIEFING)
            assert 0.4 <= loop.waited < 2


@each
async def test_a_provider_that_is_gone_is_not_the_agents_failure(provider: str) -> None:
    with ModelServer(lambda asked: fault(500)) as server:
        async with looping(server, provider) as loop:
            with pytest.raises(AgentError) as caught:
                await loop.move(BRIEFING)
    assert caught.value.cause == "provider"


async def test_a_call_nobody_answered_is_our_own_fault() -> None:
    with ModelServer([Say("", (Use("now"), Use("now")))]) as server:
        async with looping(server, "local") as loop:
            move = await loop.move(BRIEFING)
            with pytest.raises(AgentError, match="never answered") as caught:
                await loop.move(answers(move)[:1])
    assert caught.value.cause == "protocol"


async def test_many_loops_share_one_model() -> None:
    def script(asked: Asked) -> Spoken:
        return Say(asked.said) if asked.turns else Say("", (Use("now"),))

    async def play(loop: Loop, words: str) -> None:
        move = await loop.move(Briefing("", words, ()))
        move = await loop.move((*answers(move), Answer("", words)))
        assert move.text == words

    with ModelServer(script) as server:
        async with at(server, "local") as model, anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(play, Loop(model), f"words {number}")
    assert server.count == 40


# --- context ------------------------------------------------------------------------------------


def reading(turns: int, tool: str = "read_document") -> list[Spoken]:
    return [Say("", (Use(tool, {"id": f"d{n}"}, f"c{n}"),)) for n in range(turns)]


async def read_all(loop: Loop, turns: int) -> tuple[Answer, ...]:
    """Reads one document a turn and gives back the answers the loop has not seen yet."""
    move = await loop.move(BRIEFING)
    for number in range(1, turns):
        move = await loop.move(answers(move, f"text {number}"))
    return answers(move, f"text {turns}")


def texts(loop: Loop) -> list[str]:
    return [answer.text for message in loop.conversation for answer in message.answers]


@each
async def test_the_oldest_3_of_12_answers_become_stubs_when_the_context_is_full(
    provider: str,
) -> None:
    with ModelServer([*reading(12), full, Say("Done.")]) as server:
        async with looping(server, provider) as loop:
            move = await loop.move(await read_all(loop, 12))
            assert texts(loop) == [STUB] * 3 + [f"text {n}" for n in range(4, 13)]
    assert move.text == "Done."
    assert Note("stubbed", {"answers": 3, "left": 9}) in move.notes
    assert str(server.asked[12].body).count("text 1'") == 1
    assert str(server.asked[13].body).count("text 1'") == 0
    assert str(server.asked[13].body).count(STUB) == 3


async def test_room_is_made_again_and_again_until_it_is_enough() -> None:
    with ModelServer([*reading(12), full, full, full, Say("Done.")]) as server:
        async with looping(server, "local") as loop:
            move = await loop.move(await read_all(loop, 12))
    assert [note.args for note in move.notes if note.name == "stubbed"] == [
        {"answers": 3, "left": 9},
        {"answers": 3, "left": 6},
        {"answers": 2, "left": 4},
    ]


async def test_only_searches_and_reading_make_room() -> None:
    script = [
        *reading(1, "call_tool"),
        *reading(1, "search_documents"),
        *reading(1, "message_customer"),
        full,
        Say("Done."),
    ]
    with ModelServer(script) as server:
        async with looping(server, "local") as loop:
            await loop.move(await read_all(loop, 3))
            assert texts(loop) == ["text 1", STUB, "text 3"]


@each
async def test_a_context_that_stays_full_with_nothing_left_to_drop_ends_the_attempt(
    provider: str,
) -> None:
    with ModelServer([*reading(2), *[full] * 9]) as server:
        async with looping(server, provider) as loop:
            with pytest.raises(ContextExhausted):
                await loop.move(await read_all(loop, 2))
    assert server.count == 5


async def test_a_reply_longer_than_the_window_is_a_wrong_setting_and_no_full_context() -> None:
    says = (
        "'max_tokens' or 'max_completion_tokens' is too large: 32768. This model's maximum context "
        "length is 4096 tokens and your request has 2104 input tokens (32768 > 4096 - 2104)."
    )
    with ModelServer([Wire({"error": {"message": says}}, 400)]) as server:
        async with looping(server, "local") as loop:
            with pytest.raises(AgentError, match="fewer tokens a response"):
                await loop.move(BRIEFING)


async def test_tokens_of_a_reply_that_ran_out_of_window_are_noted_too() -> None:
    script = [*reading(1), Say("So", stop="model_context_window_exceeded"), Say("Done.")]
    with ModelServer(script) as server:
        async with looping(server, "anthropic") as loop:
            move = await loop.move(await read_all(loop, 1))
    assert names(move.notes) == ["usage", "stubbed", "usage"]


# --- pictures -----------------------------------------------------------------------------------

MANY = tuple(Use("view_image", {"path": f"{number}.png"}, f"c{number}") for number in range(9))


@each
@pytest.mark.parametrize(("most", "size", "left"), [(3, 9, 3), (40, 3_000_000, 5), (40, 9, 9)])
async def test_one_turn_of_many_pictures_leaves_no_more_than_a_request_holds(
    provider: str, most: int, size: int, left: int
) -> None:
    picture = Image("image/png", b"x" * size)
    with ModelServer([Say("", MANY), Say("Done.")]) as server:
        async with at(server, provider) as model:
            loop = Loop(model, pictures=most)
            move = await loop.move(BRIEFING)
            seen = tuple(
                Answer(call.id, f"{call.id} is shown", images=(picture,)) for call in move.calls
            )
            notes = (await loop.move(seen)).notes
    said = [note.args for note in notes if note.name == "stubbed"]
    assert said == ([{"pictures": 9 - left, "left": left}] if left < 9 else [])
    last = server.asked[-1]
    assert str(last.body).count(b64encode(picture.data).decode()) == left
    shown = [STUB not in str(answer) for answer in last.answers]
    assert shown == [False] * (9 - left) + [True] * left
