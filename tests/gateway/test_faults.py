"""What goes wrong behind the gateway, before it and in it: the harness is told in its own dialect,
and the gateway knows how the attempt ended."""

from typing import Any

import anthropic
import anyio
import openai
import pytest

from bythebook.gateway.exchange import Exchange, Terms
from bythebook.gateway.gateway import Gateway
from bythebook.gateway.served import served
from bythebook.models.patience import Patience
from bythebook.models.types import Settings
from bythebook.trace import Outcome
from tests.gateway.speakers import speaker
from tests.gateway.standing import OURS, each_harness, each_provider, near, standing
from tests.model_server import (
    Cut,
    Hang,
    ModelServer,
    Reset,
    Say,
    Spoken,
    Use,
    Wire,
    busy,
    fault,
    full,
)
from tests.models.wiring import QUICK, at

pytestmark = pytest.mark.anyio

HURRIED = Patience(attempts=2, first=0.01, longest=0.02, longest_after=5, timeout=0.3)


def error_of(harness: str, name: str) -> Any:
    return getattr(anthropic if harness == "anthropic" else openai, name)


async def refused(harness: str, there: Any, error: str = "APIStatusError") -> Any:
    """What a harness on its SDK is told when it asks."""
    who = speaker(harness, there)
    who.say("hello")
    with pytest.raises(error_of(harness, error)) as caught:
        await who.ask()
    return caught.value


@near
async def test_a_wrong_key_of_ours_is_a_wrong_key_to_the_harness_and_is_not_shown(
    harness: str, provider: str
) -> None:
    says = f"Incorrect API key provided: {OURS}"
    with ModelServer(lambda asked: fault(401, says)) as server:
        async with standing(server, provider) as there:
            error = await refused(harness, there, "AuthenticationError")
            assert OURS not in str(error.body) + str(error)
            ended = there.gateway.ended
    assert ended is not None
    assert (ended.kind, ended.detail) == ("infrastructure_failure", "provider")
    assert server.count == 1
    assert [(e.n, e.status, e.reply) for e in there.heard] == [(1, 401, None)]


@near
async def test_a_429_is_waited_out_and_the_harness_sees_nothing_of_it(
    harness: str, provider: str
) -> None:
    with ModelServer([busy(after=0.3), Say("hi")]) as server:
        async with standing(server, provider) as there:
            who = speaker(harness, there)
            who.say("hello")
            assert (await who.ask()).text == "hi"
            assert there.gateway.ended is None
            assert there.gateway.waited >= 0.3
    assert [e.status for e in there.heard] == [200]


@near
@pytest.mark.parametrize(
    ("trouble", "status", "error"),
    [
        (busy(after=3600), 429, "RateLimitError"),
        (fault(500, "the cat is on the cable"), 500, "InternalServerError"),
        (fault(404, "no such model"), 404, "NotFoundError"),
        (fault(400, "not like that"), 400, "BadRequestError"),
        (Reset(), 502, "InternalServerError"),
        (Cut(), 502, "InternalServerError"),
        (Hang(), 502, "InternalServerError"),
        (Hang(drip=True), 502, "InternalServerError"),
        (Wire("{oops"), 502, "InternalServerError"),
    ],
    ids=["429", "500", "404", "400", "reset", "cut", "hang", "drip", "no JSON"],
)
async def test_a_provider_that_is_given_up_on_is_told_of_and_is_the_cause(
    harness: str, provider: str, trouble: Spoken, status: int, error: str
) -> None:
    with ModelServer(lambda asked: trouble) as server:
        async with standing(server, provider, patience=HURRIED) as there:
            found = await refused(harness, there, error)
            assert found.status_code == status
            ended = there.gateway.ended
    assert ended is not None
    assert (ended.kind, ended.detail) == ("infrastructure_failure", "provider")
    assert server.count <= HURRIED.attempts
    assert [e.status for e in there.heard] == [status]


@near
async def test_a_full_context_is_a_full_context_in_either_dialect(
    harness: str, provider: str
) -> None:
    with ModelServer([full]) as server:
        async with standing(server, provider) as there:
            error = await refused(harness, there, "BadRequestError")
            if harness == "anthropic":
                assert error.body["error"]["type"] == "invalid_request_error"
                assert "prompt is too long" in error.body["error"]["message"]
            else:
                assert error.code == "context_length_exceeded"
            ended = there.gateway.ended
            assert (ended and ended.kind, ended and ended.detail) == ("limit", "context")


async def test_a_harness_that_makes_room_goes_on_and_nothing_has_ended() -> None:
    with ModelServer([full, Say("hi")]) as server:
        async with standing(server, "chat") as there:
            await refused("chat", there, "BadRequestError")
            who = speaker("chat", there)
            who.say("hello")
            await who.ask()
            assert there.gateway.ended is None
            assert there.gateway.steps == 1


async def test_a_provider_that_was_given_up_on_is_asked_once_a_call_until_it_answers() -> None:
    script: list[Spoken] = [fault(500)] * (QUICK.attempts + 1)
    with ModelServer([*script, Say("hi"), fault(500), Say("ho")]) as server:
        async with standing(server, "chat") as there:
            await refused("chat", there)
            await refused("chat", there)
            assert server.count == QUICK.attempts + 1
            who = speaker("chat", there)
            for words in ("hi", "ho"):
                who.say("hello")
                assert (await who.ask()).text == words
            assert there.gateway.ended is None


@each_harness
async def test_the_call_after_the_last_step_is_refused_and_is_the_end(harness: str) -> None:
    with ModelServer(lambda asked: Say("", (Use("now"),))) as server:
        async with standing(server, "chat", Terms(steps=2)) as there:
            for _ in range(2):
                assert there.gateway.ended is None
                who = speaker(harness, there)
                who.say("hello")
                await who.ask()
            error = await refused(harness, there, "PermissionDeniedError")
            assert "the limit of 2 model calls is reached" in str(error)
            await refused(harness, there, "PermissionDeniedError")
            says = "the limit of 2 model calls is reached"
            assert there.gateway.ended == Outcome("limit", "steps", says)
            assert there.gateway.steps == 2
    assert server.count == 2
    assert [(e.n, e.status) for e in there.heard] == [(1, 200), (2, 200), (3, 403), (4, 403)]


async def test_two_hundred_calls_are_the_limit_where_nobody_says_another() -> None:
    with ModelServer(lambda asked: Say("on")) as server:
        async with standing(server, "chat") as there, there.openai() as sdk:
            hello: Any = [{"role": "user", "content": "hello"}]
            for _ in range(200):
                await sdk.chat.completions.create(model="m", messages=hello)
            with pytest.raises(openai.PermissionDeniedError):
                await sdk.chat.completions.create(model="m", messages=hello)
            assert there.gateway.ended is not None
            assert there.gateway.ended.detail == "steps"
    assert server.count == 200


async def test_calls_in_flight_count_as_steps_and_their_time_counts_once() -> None:
    with ModelServer(lambda asked: Say("hi"), delay=0.3) as server:
        async with standing(server, "chat", Terms(steps=3)) as there:
            status: list[int] = []

            async def ask() -> None:
                who = speaker("chat", there)
                who.say("hello")
                try:
                    await who.ask()
                except openai.PermissionDeniedError as error:
                    status.append(error.status_code)

            async with anyio.create_task_group() as group:
                for _ in range(5):
                    group.start_soon(ask)
            assert status == [403, 403]
            assert 0.3 <= there.gateway.waited < 0.9
    assert server.count == 3


@each_harness
@each_provider
async def test_a_late_reply_is_announced_to_a_harness_that_reads_a_stream(
    harness: str, provider: str
) -> None:
    with ModelServer([Say("Late.", (Use("now", {"id": "d"}),))], delay=0.2) as server:
        async with standing(server, provider, Terms(ping=0.04)) as there:
            who = speaker(harness, there, stream=True)
            who.say("hello")
            heard = await who.ask()
    assert (heard.text, heard.calls[0][:2]) == ("Late.", ("now", {"id": "d"}))


@each_harness
async def test_an_error_after_the_stream_has_begun_is_told_in_the_stream(harness: str) -> None:
    with ModelServer(lambda asked: fault(500, "the cat is on the cable"), delay=0.1) as server:
        async with standing(server, "chat", Terms(ping=0.02)) as there:
            who = speaker(harness, there, stream=True)
            who.say("hello")
            if harness == "responses":
                with pytest.raises(RuntimeError, match=r"response\.completed"):
                    await who.ask()
            else:
                with pytest.raises(error_of(harness, "APIError"), match="cat is on the cable"):
                    await who.ask()
            assert there.gateway.ended is not None
            assert there.gateway.ended.detail == "provider"


async def test_a_harness_that_hangs_up_is_no_failure_unless_it_waited_long() -> None:
    with ModelServer(lambda asked: Hang()) as server:
        async with standing(server, "chat", Terms(patience=0.2)) as there:
            for seconds, expected in ((0.1, None), (0.5, "provider")):
                async with there.openai(timeout=seconds, max_retries=0) as sdk:
                    with pytest.raises(openai.APITimeoutError):
                        await sdk.chat.completions.create(
                            model="m", messages=[{"role": "user", "content": "hello"}]
                        )
                with anyio.fail_after(5):
                    while len(there.heard) < server.count:
                        await anyio.sleep(0.01)
                ended = there.gateway.ended
                assert (ended and ended.detail) == expected
    assert [e.status for e in there.heard] == [499, 499]


async def test_a_call_in_flight_at_the_end_is_cut_off_and_told_of() -> None:
    with ModelServer(lambda asked: Hang()) as server:
        async with anyio.create_task_group() as group:
            async with standing(server, "chat") as there:
                group.start_soon(refused, "chat", there, "APIConnectionError")
                while not server.count:
                    await anyio.sleep(0.01)
            assert [e.status for e in there.heard] == [499]
            group.cancel_scope.cancel()


async def test_what_breaks_in_us_is_neither_the_harnesss_failure_nor_the_providers() -> None:
    def heard(exchange: Exchange) -> None:
        raise OSError("no space left on device")

    with ModelServer(lambda asked: Say("hi")) as server:
        async with at(server, "local") as model, standing(server, "chat") as there:
            gateway = Gateway(model, Terms(), heard)
            broken = there.path.with_name("broken")
            async with served(gateway.app, broken):
                there.path = broken
                await refused("chat", there, "InternalServerError")
            assert gateway.ended is not None
            assert str(gateway.ended) == "infrastructure_failure(gateway)"
            assert "no space left" in gateway.ended.says


@near
async def test_our_settings_go_before_the_harnesss_and_the_shorter_reply_counts(
    harness: str, provider: str
) -> None:
    fields = {"chat": "max_tokens", "anthropic": "max_tokens", "responses": "max_output_tokens"}
    terms = Terms(settings=Settings(max_tokens=500, temperature=0.2, extra={"k": 1}))
    with ModelServer(lambda asked: Say("hi")) as server:
        async with standing(server, provider, terms) as there:
            who = speaker(harness, there)
            who.say("hello")
            for longest in (900, 90):
                given = {"temperature": 0.9, fields[harness]: longest}
                await who.ask(extra_body=given)
    for asked, longest in zip(server.asked, (500, 90), strict=True):
        assert asked.body[fields[provider]] == longest
        assert asked.body["temperature"] == 0.2
        assert asked.body["k"] == 1
