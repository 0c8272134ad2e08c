"""Model names, `provider:name`, and where they lead."""

from typing import Literal

import anyio
from msgspec import Struct

from bythebook.errors import UsageError, suggestion
from bythebook.models.client import Client, Line
from bythebook.models.clouds import azure_line, bedrock_line, vertex_line
from bythebook.models.dialects import DIALECTS
from bythebook.models.gate import Gate
from bythebook.models.ledger import Ledger
from bythebook.models.lines import anthropic_line, openai_line, responses_line
from bythebook.models.patience import Dice, Patience
from bythebook.models.types import Dialect


class Provider(Struct, frozen=True):
    """Where a provider is and how it is spoken to."""

    base_url: str = ""
    """Empty: the user has to say where."""
    key_variable: str = ""
    """The environment variable its key is usually in; empty: it wants no key."""
    dialect: Dialect = "chat"
    limit_field: str = "max_tokens"
    """What a chat completions provider calls the longest reply it may give."""
    cloud: Literal["", "azure", "bedrock", "vertex"] = ""
    """Whose address and login it has, where it has ways of its own."""
    place: str = "http://127.0.0.1:8000/v1"
    """What a base URL looks like, for a user who has to give one."""


AZURE = "https://RESOURCE.openai.azure.com"
BEDROCK = "https://bedrock-runtime.REGION.amazonaws.com"
VERTEX = "https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION"

PROVIDERS = {
    "openai": Provider(
        "https://api.openai.com/v1", "OPENAI_API_KEY", limit_field="max_completion_tokens"
    ),
    "openai-responses": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", "responses"),
    "anthropic": Provider("https://api.anthropic.com", "ANTHROPIC_API_KEY", "anthropic"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "google": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "azure": Provider("", "AZURE_OPENAI_API_KEY", cloud="azure", place=AZURE),
    "azure-responses": Provider(
        "", "AZURE_OPENAI_API_KEY", "responses", cloud="azure", place=AZURE
    ),
    "bedrock": Provider(
        "", "AWS_BEARER_TOKEN_BEDROCK", "anthropic", cloud="bedrock", place=BEDROCK
    ),
    "vertex": Provider("", "VERTEX_ACCESS_TOKEN", "anthropic", cloud="vertex", place=VERTEX),
    "ollama": Provider("http://127.0.0.1:11434/v1"),
    "local": Provider(),
}
"""`local` is any server that speaks chat completions, at a base URL of the user's."""


class Address(Struct, frozen=True):
    """A model's name, taken apart."""

    name: str
    base_url: str
    provider: Provider

    @property
    def key_variable(self) -> str:
        return self.provider.key_variable


def address(name: str, base_url: str = "") -> Address:
    """Where `provider:name` leads, or would at another base URL. Raises `UsageError`."""
    first, colon, rest = name.partition(":")
    if not (colon and rest):
        hint = f"as in {first if first in PROVIDERS else 'openai'}:NAME"
        raise UsageError(f"a model is named provider:name, not {name!r}", hint=hint)
    provider = PROVIDERS.get(first)
    if provider is None:
        raise UsageError(f"no provider {first!r}", where=name, hint=suggestion(first, PROVIDERS))
    if not (base_url or provider.base_url):
        hint = f"give its base URL, as in --base-url {provider.place}"
        raise UsageError(f"where is {first}?", where=name, hint=hint)
    return Address(name, base_url or provider.base_url, provider)


def open_model(
    where: Address,
    key: str = "",
    *,
    dice: Dice,
    patience: Patience | None = None,
    slots: anyio.CapacityLimiter | Gate | None = None,
    ledger: Ledger | None = None,
) -> Client:
    """The model at an address; close it when done. `slots` and `ledger`: as in `Client`."""
    patience = patience or Patience()
    line = _line(where, key, patience.timeout)
    return Client(where.name, line, patience=patience, dice=dice, slots=slots, ledger=ledger)


def _line(where: Address, key: str, timeout: float) -> Line:
    provider = where.provider
    if provider.cloud:
        return _cloud(where, key, timeout)
    if provider.dialect == "anthropic":
        return anthropic_line(where.base_url, key, timeout=timeout)
    if provider.dialect == "responses":
        return responses_line(where.base_url, key, timeout=timeout)
    moved = where.base_url != provider.base_url
    field = "max_tokens" if moved else provider.limit_field
    return openai_line(where.base_url, key, timeout=timeout, limit_field=field)


def _cloud(where: Address, key: str, timeout: float) -> Line:
    if where.provider.cloud == "bedrock":
        return bedrock_line(where.base_url, key, timeout=timeout)
    if where.provider.cloud == "vertex":
        return vertex_line(where.base_url, key, timeout=timeout)
    speech = DIALECTS[where.provider.dialect]
    return azure_line(where.base_url, key, speech, timeout=timeout)
