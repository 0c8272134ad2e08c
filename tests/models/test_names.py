"""Model names."""

from pathlib import Path

import pytest

from bythebook.errors import UsageError
from bythebook.models.names import PROVIDERS, address, open_model
from bythebook.models.types import Settings
from tests.model_server import ModelServer, Say
from tests.models.wiring import at, hello


class NoDice:
    def random(self) -> float:
        return 0.0


def test_a_name_says_where_to_go_and_which_variable_holds_the_key() -> None:
    where = address("openai:gpt-x")
    assert (where.base_url, where.key_variable) == ("https://api.openai.com/v1", "OPENAI_API_KEY")
    assert address("anthropic:claude-x").provider.dialect == "anthropic"


def test_a_base_url_of_ones_own_wins() -> None:
    assert address("openai:gpt-x", "http://here/v1").base_url == "http://here/v1"


def test_a_models_name_may_hold_colons() -> None:
    assert address("ollama:qwen3:8b").name == "ollama:qwen3:8b"


def test_an_unknown_provider_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match=r"no provider 'antropic'\n.*did you mean 'anthropic'\?"):
        address("antropic:claude-x")


@pytest.mark.parametrize("name", ["gpt-x", "openai", "openai:", ""])
def test_a_name_without_a_provider_or_a_model_is_explained(name: str) -> None:
    with pytest.raises(UsageError, match="provider:name"):
        address(name)


def test_a_local_model_needs_a_base_url() -> None:
    with pytest.raises(UsageError, match="give its base URL"):
        address("local:mine")


def test_every_provider_has_an_address_or_asks_for_one() -> None:
    for name, provider in PROVIDERS.items():
        if not provider.base_url:
            with pytest.raises(UsageError, match="--base-url http"):
                address(f"{name}:m")
        else:
            assert address(f"{name}:m").base_url.startswith("http")


def test_the_page_on_models_names_every_provider_its_dialect_and_its_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| `")]
    told = {name.strip(" `"): (what.strip(), key.strip(" `")) for _, name, what, key, *_ in rows}
    words = {
        "chat": "chat completions",
        "anthropic": "Anthropic messages",
        "responses": "Responses",
    }
    assert told == {
        name: (words[provider.dialect], provider.key_variable)
        for name, provider in PROVIDERS.items()
    }


@pytest.mark.anyio
async def test_another_server_is_asked_for_a_longest_reply_in_the_words_all_know() -> None:
    with ModelServer([Say("hi")]) as server:
        async with at(server, "openai") as model:
            await model.ask(hello())
    assert server.asked[0].body["max_tokens"] == 32_768


@pytest.mark.anyio
async def test_openai_itself_is_asked_for_a_longest_reply_in_its_own_words() -> None:
    model = open_model(address("openai:m"), "key", dice=NoDice())
    assert model.sent(Settings()) == {"model": "m", "max_completion_tokens": 32_768}
    await model.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("provider", "sent"),
    [
        ("local", {"model": "scripted", "max_tokens": 9, "temperature": 0.0, "seed": 3, "k": 1}),
        ("anthropic", {"model": "scripted", "max_tokens": 9, "temperature": 0.0, "k": 1}),
    ],
)
async def test_settings_are_recorded_as_they_are_sent(
    provider: str, sent: dict[str, object]
) -> None:
    settings = Settings(max_tokens=9, temperature=0.0, seed=3, extra={"k": 1})
    with ModelServer([]) as server:
        async with at(server, provider) as model:
            assert model.sent(settings) == sent
