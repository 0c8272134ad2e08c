"""The gateway's door: paths, what is answered without the model, and what is refused."""

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bythebook.errors import AgentError, UsageError
from bythebook.gateway import door
from bythebook.gateway.exchange import Terms
from bythebook.gateway.served import served
from tests.gateway.standing import standing
from tests.model_server import ModelServer, Say

pytestmark = pytest.mark.anyio

HELLO = {"model": "any", "max_tokens": 9, "messages": [{"role": "user", "content": "hello"}]}


@pytest.mark.parametrize(
    "path", ["/v1/chat/completions", "/chat/completions", "/api/v1/chat/completions/"]
)
async def test_an_api_is_found_wherever_a_harness_thinks_it_begins(path: str) -> None:
    with ModelServer([Say("hi")]) as server:
        async with standing(server, "chat") as there, there.http() as http:
            found = await http.post(path, json=HELLO)
    assert found.json()["choices"][0]["message"]["content"] == "hi"


async def test_what_needs_no_model_is_answered_without_it() -> None:
    with ModelServer([]) as server:
        terms = Terms(context_tokens=128_000)
        async with standing(server, "chat", terms) as there:
            async with there.openai() as sdk:
                models = await sdk.models.list()
                assert [model.id for model in models.data] == ["scripted"]
                assert models.data[0].to_dict()["context_length"] == 128_000
                assert (await sdk.models.retrieve("other")).id == "other"
                counted = await sdk.responses.input_tokens.count(model="m", input="hello")
                assert counted.input_tokens > 0
            async with there.anthropic() as other:
                listed = await other.models.list()
                assert [model.id for model in listed.data] == ["scripted"]
                words: Any = [{"role": "user", "content": "hello " * 400}]
                tokens = await other.messages.count_tokens(model="m", messages=words)
                assert 600 <= tokens.input_tokens <= 650
            async with there.http() as http:
                assert (await http.head("/")).status_code == 200
            assert there.gateway.steps == 0
            assert there.heard == []
    assert server.count == 0


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("/v1/chat/completions", b"{oops", 400, "no JSON"),
        ("/v1/chat/completions", b"[1]", 400, "does not read"),
        ("/v1/messages", b'{"model": "m"}', 400, "does not read"),
        ("/v1/responses", b'{"model": "m", "input": 7}', 400, "does not read"),
        ("/v1/embeddings", b"{}", 404, "there is no POST /v1/embeddings"),
    ],
)
async def test_what_is_no_request_is_refused_and_is_no_call(
    path: str, body: bytes, status: int, says: str
) -> None:
    with ModelServer([]) as server:
        async with standing(server, "chat") as there, there.http() as http:
            found = await http.post(path, content=body)
            assert found.status_code == status
            assert says in found.json()["error"]["message"]
            assert (there.heard, there.gateway.ended) == ([], None)


async def test_a_request_that_is_too_large_or_packed_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(door, "LARGEST", 1000)
    with ModelServer([]) as server:
        async with standing(server, "chat") as there, there.http() as http:
            large = await http.post("/v1/messages", content=b"x" * 1001)
            assert large.status_code == 413
            assert large.json()["error"]["type"] == "request_too_large"
            packed = {"content-encoding": "zstd"}
            assert (await http.post("/v1/responses", content=b"x", headers=packed)).is_error


async def test_usage_is_a_chunk_of_its_own_for_those_alone_who_asked() -> None:
    with ModelServer(lambda asked: Say("hi")) as server:
        async with standing(server, "chat") as there, there.http() as http:
            for asked in (False, True):
                options = {"stream_options": {"include_usage": asked}}
                found = await http.post(
                    "/v1/chat/completions", json=HELLO | {"stream": True} | options
                )
                chunks = [msgspec.json.decode(line[6:]) for line in found.text.split("\n\n")[:-2]]
                assert bool(chunks[-1].get("usage")) is asked
                assert all(chunk["choices"] for chunk in chunks) is not asked
                assert found.text.endswith("data: [DONE]\n\n")


async def test_what_is_raised_while_it_serves_comes_out_as_it_is() -> None:
    with ModelServer([]) as server, pytest.raises(KeyError, match="mine"):
        async with standing(server, "chat"):
            raise KeyError("mine")


async def test_a_socket_that_cannot_stand_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 120)
    with pytest.raises(AgentError, match="no socket can stand at") as caught:
        async with served(None, path):
            pass
    assert caught.value.cause == "gateway"


async def test_a_server_that_is_missing_is_told_with_the_command_that_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(UsageError, match=r"pip install 'bythebook\[harness\]'"):
        async with served(None, tmp_path / "model"):
            pass
