"""Asking a provider that is slow, busy, broken or wrong: over HTTP, in each dialect."""

import socket
from collections.abc import Mapping
from typing import Any

import anyio
import pytest
from msgspec.structs import replace

from bythebook.errors import AgentError
from bythebook.models.client import Client, Line
from bythebook.models.dialects import CHAT, Body
from bythebook.models.gate import Gate
from bythebook.models.names import address, open_model
from bythebook.models.patience import Patience
from bythebook.models.types import ContextOverflow
from bythebook.models.wire import Absent, Fault
from tests.model_server import Asked, Hang, ModelServer, Reset, Say, Wire, busy, fault, full
from tests.models.wiring import QUICK, at, each, hello

pytestmark = pytest.mark.anyio


class Loaded:
    """Dice that always fall the same."""

    def __init__(self, fall: float) -> None:
        self.fall = fall

    def random(self) -> float:
        return self.fall


@each
async def test_the_key_goes_where_it_was_given_and_nowhere_else(provider: str) -> None:
    with ModelServer([Say("hi")]) as server:
        async with at(server, provider, key="sk-given") as model:
            reply = await model.ask(hello())
    assert reply.message.text == "hi"
    headers = server.asked[0].headers
    assert "sk-given" in (headers.get("authorization", "") + headers.get("x-api-key", ""))
    assert headers["content-type"] == "application/json"
    assert "sk-given" not in str(server.asked[0].body)


@each
async def test_no_key_and_no_address_is_read_from_the_environment(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_API_KEY", "sk-of-another")
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:9/v1")
    with ModelServer([Say("hi")]) as server:
        async with at(server, provider, key="") as model:
            await model.ask(hello())
    assert "sk-of-another" not in str(server.asked[0].headers)


@each
async def test_a_retry_after_holds_back_all_that_ask_this_provider(provider: str) -> None:
    gate = Gate(10, Loaded(0))
    once = replace(QUICK, attempts=1)
    with ModelServer([busy(after=4), Say("hi")]) as server:
        async with at(server, provider, once, slots=gate) as one, at(server, provider) as free:
            with pytest.raises(AgentError):
                await one.ask(hello())
            with anyio.move_on_after(0.05) as waiting:
                async with gate:
                    pytest.fail("somebody set out before the provider wants it")
            other = await free.ask(hello())
    assert waiting.cancelled_caught
    assert other.message.text == "hi"


@each
async def test_a_429_with_retry_after_is_waited_out_and_the_call_succeeds(provider: str) -> None:
    with ModelServer([busy(after=0.3), Say("hi")]) as server:
        async with at(server, provider) as model:
            before = anyio.current_time()
            reply = await model.ask(hello())
            waited = anyio.current_time() - before
    assert reply.message.text == "hi"
    assert 0.3 <= waited < 1.5
    assert server.count == 2


@each
async def test_a_retry_after_that_is_a_date_counts_by_the_clock_of_the_provider(
    provider: str,
) -> None:
    dates = {
        "date": "Mon, 03 Feb 2003 10:00:00 GMT",
        "retry-after": "Mon, 03 Feb 2003 10:00:01 GMT",
    }
    with ModelServer([fault(429, headers=dates), Say("hi")]) as server:
        async with at(server, provider) as model:
            before = anyio.current_time()
            await model.ask(hello())
            assert 1 <= anyio.current_time() - before < 2


@each
@pytest.mark.parametrize(
    "trouble",
    [fault(408), fault(500), fault(503), fault(529), Reset(), Wire("{oops"), Wire({"choices": []})],
    ids=["408", "500", "503", "overloaded", "reset", "no JSON", "no reply in it"],
)
async def test_passing_trouble_is_asked_again(provider: str, trouble: Any) -> None:
    with ModelServer([trouble, trouble, Say("hi")]) as server:
        async with at(server, provider) as model:
            reply = await model.ask(hello())
    assert reply.message.text == "hi"
    assert server.count == 3


@each
async def test_lasting_trouble_ends_in_an_error_that_says_what_the_provider_said(
    provider: str,
) -> None:
    with ModelServer(lambda asked: fault(500, "the cat is on the cable")) as server:
        async with at(server, provider) as model:
            with pytest.raises(AgentError, match="the cat is on the cable") as caught:
                await model.ask(hello())
    assert caught.value.cause == "provider"
    assert caught.value.where == f"{provider}:scripted"
    assert server.count == QUICK.attempts


@each
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_a_request_that_is_wrong_is_not_sent_twice(provider: str, status: int) -> None:
    with ModelServer(lambda asked: fault(status, "not like that")) as server:
        async with at(server, provider) as model:
            with pytest.raises(AgentError, match=f"{status}: not like that"):
                await model.ask(hello())
    assert server.count == 1


async def test_an_empty_account_is_not_asked_again() -> None:
    error = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    with ModelServer(lambda asked: Wire(error, 429)) as server:
        async with at(server, "local") as model:
            with pytest.raises(AgentError, match="exceeded your quota"):
                await model.ask(hello())
    assert server.count == 1


async def test_a_provider_that_forbids_asking_again_is_obeyed() -> None:
    with ModelServer(lambda asked: fault(500, headers={"x-should-retry": "false"})) as server:
        async with at(server, "local") as model:
            with pytest.raises(AgentError):
                await model.ask(hello())
    assert server.count == 1


async def test_a_provider_that_wants_an_hour_counts_as_gone() -> None:
    with ModelServer(lambda asked: busy(after=3600)) as server:
        async with at(server, "local") as model:
            with pytest.raises(AgentError, match="too many requests"):
                await model.ask(hello())
    assert server.count == 1


async def test_an_error_that_comes_as_a_success_is_an_error() -> None:
    routed = Wire({"error": {"message": "upstream fell over", "code": 502}})
    with ModelServer([routed, Say("hi"), *[routed] * 4]) as server:
        async with at(server, "local") as model:
            assert (await model.ask(hello())).message.text == "hi"
            with pytest.raises(AgentError, match="upstream fell over"):
                await model.ask(hello())


async def test_a_full_context_that_comes_as_a_success_is_a_full_context() -> None:
    says = "This endpoint's maximum context length is 4096 tokens. However, you requested 5000."
    with ModelServer([Wire({"error": {"message": says, "code": 400}})]) as server:
        async with at(server, "local") as model:
            with pytest.raises(ContextOverflow):
                await model.ask(hello())


@each
@pytest.mark.parametrize("hang", [Hang(), Hang(drip=True)], ids=["silent", "dripping"])
async def test_a_provider_that_never_says_it_all_is_given_up_in_time(
    provider: str, hang: Hang
) -> None:
    hurried = Patience(attempts=2, first=0.01, timeout=0.2)
    with ModelServer(lambda asked: hang) as server:
        async with at(server, provider, hurried) as model:
            before = anyio.current_time()
            with pytest.raises(AgentError, match=r"no answer.*2 attempts"):
                await model.ask(hello())
            assert anyio.current_time() - before < 3
    assert server.count == 2


@each
async def test_a_provider_that_was_never_there_is_not_waited_for(provider: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        where = address(f"{provider}:m", f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        model = open_model(where, dice=Loaded(0), patience=QUICK)
        with pytest.raises(AgentError, match="no answer") as caught:
            await model.ask(hello())
        await model.close()
    assert f"{QUICK.attempts} attempts" not in caught.value.what
    assert caught.value.hint == "is the server running, and is its base URL right?"


async def test_a_provider_that_was_there_is_waited_for() -> None:
    answers = [b'{"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}']

    async def send(body: Body, headers: Mapping[str, str]) -> bytes:
        if not answers:
            raise Absent("no answer: gone for good")
        return answers.pop()

    line = Line(send, anyio.lowlevel.checkpoint, CHAT)
    model = Client("local:m", line, patience=QUICK, dice=Loaded(0))
    await model.ask(hello())
    with pytest.raises(AgentError, match=f"gone for good .{QUICK.attempts} attempts"):
        await model.ask(hello())


@each
async def test_a_full_context_is_told_apart_from_other_errors(provider: str) -> None:
    with ModelServer([full]) as server:
        async with at(server, provider) as model:
            with pytest.raises(ContextOverflow) as caught:
                await model.ask(hello())
    assert caught.value.window == (200_000 if provider == "anthropic" else 128_000)
    assert server.count == 1


@each
async def test_no_more_requests_are_in_flight_than_there_are_slots(provider: str) -> None:
    flying, most = 0, 0

    def script(asked: Asked) -> Say:
        nonlocal flying, most
        flying += 1
        most = max(most, flying)
        server.over.wait(0.05)
        flying -= 1
        return Say("hi")

    with ModelServer(script) as server:
        slots = anyio.CapacityLimiter(2)
        async with at(server, provider, slots=slots) as model, anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(model.ask, hello())
    assert server.count == 6
    assert most == 2


def test_waits_grow_and_are_spread_by_the_dice() -> None:
    patience = Patience(attempts=8, first=1, longest=10)
    trouble = Fault("no", again=True)
    long = [patience.wait(attempt, trouble, Loaded(1)) for attempt in range(1, 8)]
    short = [patience.wait(attempt, trouble, Loaded(0)) for attempt in range(1, 8)]
    assert long == [1, 2, 4, 8, 10, 10, 10]
    assert short == [0.5, 1, 2, 4, 5, 5, 5]
    assert patience.wait(8, trouble, Loaded(0)) is None
    assert patience.wait(1, Fault("no", again=True, after=7), Loaded(0)) == 7
