"""Models that a cloud sells: address, login and body, as they arrive at a local server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random  # noqa: TID251 - seeded, and only spreads out waits

import pytest
from msgspec.structs import replace

from bythebook.errors import AgentError, UsageError
from bythebook.models import clouds
from bythebook.models.client import Client
from bythebook.models.names import address, open_model
from bythebook.models.types import ContextOverflow, Settings
from tests.model_server import Asked, ModelServer, Say, Use, fault
from tests.models.wiring import QUICK, hello

pytestmark = pytest.mark.anyio

CALL = Say("Paying.", (Use("pay", {"amount": 1}),), thinking="hm", signature="s1g=", cached=40)
CLAUDE = "eu.anthropic.claude-x-v1:0"
PROJECT = "/v1/projects/p-1/locations/europe-west1"


@asynccontextmanager
async def opened(name: str, base_url: str, key: str = "sk-given") -> AsyncIterator[Client]:
    client = open_model(address(name, base_url), key, dice=Random(1), patience=QUICK)
    try:
        yield client
    finally:
        await client.close()


async def asked_of(name: str, path: str = "", key: str = "sk-given") -> Asked:
    """The one request, after its reply was read."""
    with ModelServer([CALL]) as server:
        async with opened(name, server.url + path, key) as model:
            reply = await model.ask(replace(hello(), model=model.id))
    assert reply.message.text == "Paying."
    assert [(call.name, call.args) for call in reply.message.calls] == [("pay", {"amount": 1})]
    assert (reply.usage.input, reply.usage.cached) == (100, 40)
    (asked,) = server.asked
    return asked


@pytest.mark.parametrize("path", ["", "/openai/v1", "/openai/v1/"])
async def test_azure_by_its_present_interface(path: str) -> None:
    asked = await asked_of("azure:my-gpt", path)
    assert asked.path == "/openai/v1/chat/completions"
    assert asked.headers["api-key"] == "sk-given"
    assert "authorization" not in asked.headers
    assert asked.body["model"] == "my-gpt"
    assert asked.body["max_completion_tokens"] == 32_768


async def test_azure_by_its_older_interface() -> None:
    asked = await asked_of("azure:my-gpt", "?api-version=2024-10-21")
    at = "/openai/deployments/my-gpt/chat/completions"
    assert asked.path == f"{at}?api-version=2024-10-21"
    assert asked.headers["api-key"] == "sk-given"
    assert "authorization" not in asked.headers


async def test_azure_in_responses() -> None:
    asked = await asked_of("azure-responses:my-gpt")
    assert asked.path == "/openai/v1/responses"
    assert asked.headers["api-key"] == "sk-given"
    assert (asked.body["store"], asked.body["max_output_tokens"]) == (False, 32_768)
    with pytest.raises(UsageError, match="older interface"):
        open_model(address("azure-responses:m", "https://a.example?api-version=1"), dice=Random(1))


async def test_bedrock_with_a_key() -> None:
    asked = await asked_of(f"bedrock:{CLAUDE}")
    assert asked.path == f"/model/{CLAUDE}/invoke"
    assert asked.headers["authorization"] == "Bearer sk-given"
    assert asked.body["anthropic_version"] == "bedrock-2023-05-31"
    assert asked.body["max_tokens"] == 32_768
    assert not {"model", "stream"} & set(asked.body)


async def test_bedrock_with_the_credentials_of_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-a-real-one")
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "sk-of-another")
    host = "/bedrock-runtime.eu-central-1.amazonaws.com"
    asked = await asked_of(f"bedrock:{CLAUDE}", host, key="")
    login = asked.headers["authorization"]
    assert login.startswith("AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/")
    assert "/eu-central-1/bedrock/aws4_request" in login
    assert "Signature=" in login


async def test_vertex() -> None:
    asked = await asked_of("vertex:claude-x@20250929", PROJECT)
    assert asked.path == (
        f"{PROJECT}/publishers/anthropic/models/claude-x@20250929:streamRawPredict"
    )
    assert asked.headers["authorization"] == "Bearer sk-given"
    assert asked.body["anthropic_version"] == "vertex-2023-10-16"
    assert asked.body["stream"] is True
    assert "model" not in asked.body


async def test_a_beta_of_a_relayed_body_stands_where_the_cloud_looks_for_it() -> None:
    body = {"messages": [{"role": "user", "content": "hello"}]}
    beta = {"anthropic-beta": "a-1,b-2"}
    with ModelServer(lambda asked: CALL) as server:
        async with opened(f"bedrock:{CLAUDE}", server.url) as model:
            await model.relay(body, Settings(), beta)
        async with opened("vertex:claude-x", server.url + PROJECT) as model:
            await model.relay(body, Settings(), beta)
    assert server.asked[0].body["anthropic_beta"] == ["a-1", "b-2"]
    assert server.asked[1].headers["anthropic-beta"] == "a-1,b-2"


async def test_a_full_context_is_known_in_a_clouds_own_words() -> None:
    with ModelServer([fault(400, "Input is too long for requested model.")]) as server:
        async with opened(f"bedrock:{CLAUDE}", server.url) as model:
            with pytest.raises(ContextOverflow):
                await model.ask(hello())


@pytest.mark.parametrize(("name", "path"), [(f"bedrock:{CLAUDE}", ""), ("vertex:c", PROJECT)])
async def test_a_machine_that_is_not_logged_in_is_told_so_and_asks_once(
    name: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_PROFILE", "default")
    for variable in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    with ModelServer([]) as server:
        async with opened(name, server.url + path, key="") as model:
            with pytest.raises(AgentError, match="no login") as caught:
                await model.ask(hello())
    assert caught.value.hint == "is this machine logged in there?"
    assert server.count == 0


def test_an_address_without_project_and_location_is_told_so() -> None:
    where = address("vertex:c", "https://europe-west1-aiplatform.googleapis.com/v1")
    with pytest.raises(UsageError, match="no project and location"):
        open_model(where, "key", dice=Random(1))


def test_a_login_that_needs_a_package_is_told_with_the_command_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clouds, "find_spec", lambda name: None)
    for name, path in (("bedrock", ""), ("vertex", PROJECT)):
        where = address(f"{name}:c", f"https://a.example{path}")
        with pytest.raises(UsageError, match=rf"pip install 'bythebook\[{name}\]'"):
            open_model(where, dice=Random(1))
