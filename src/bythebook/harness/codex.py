"""codex: the program that the Python package of its SDK carries, in its `exec` mode."""

from typing import Any

import msgspec

from bythebook.harness.adapter import (
    LAST,
    Command,
    Said,
    Setup,
    as_words,
    crashed,
    furniture_of,
    objects,
)
from bythebook.harness.install import Recipe, demand
from bythebook.models.types import Dialect
from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.process import Ran

RECIPE = Recipe(
    name="codex",
    package="openai-codex-cli-bin",
    version="0.163.0",
    program="lib/python*/site-packages/codex_cli_bin/bin/codex",
    mib=385,
)
STATE = ".codex"
KEY = "GATEWAY_KEY"
LEFT_OUT = (
    "apps", "enable_request_compression", "goals", "multi_agent", "plugins", "shell_snapshot",
    "skill_search", "unbounded_connection_retries",
)  # fmt: skip
"""What reaches for the network, works by sub-agents, or never gives up."""
HOUR = 3600


class Codex(msgspec.Struct, frozen=True):
    """Its `exec` mode: one process a turn."""

    recipe: Recipe = RECIPE
    dialect: Dialect = "responses"
    takes_tools: bool = True
    shows_pictures: bool = True
    litter: tuple[str, ...] = (".codex",)
    differences: tuple[str, ...] = (
        "It has a shell, a shell that runs on, and a tool to look at pictures; it reads and writes "
        "files by these.",
        "It has no cap of its own.",
        "It shortens its context by a summary of its own when that is nearly full.",
    )

    def furniture(self) -> Furniture:
        return furniture_of(demand(self.recipe))

    def prepare(self, setup: Setup) -> None:
        (setup.home / STATE).mkdir(exist_ok=True)
        (setup.home / STATE / "config.toml").write_text(_config(setup), "utf-8")

    def turn(self, setup: Setup, words: str, session: str) -> Command:
        argv = [str(demand(self.recipe).program), "exec", *(["resume"] if session else [])]
        argv += ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
        argv += [*([session] if session else []), "-"]
        env = {"CODEX_HOME": setup.inside(STATE), KEY: "none"}
        return Command(tuple(argv), env, as_words(words))

    def read(self, setup: Setup, ran: Ran) -> Said:
        session = text = says = ""
        done = False
        for event in objects(ran.out.text):
            match event:
                case {"type": "thread.started", "thread_id": str(thread)}:
                    session = thread
                case {"type": "item.completed", "item": {"type": "agent_message", "text": str(t)}}:
                    text = t
                case {"type": "turn.completed"}:
                    done = True
                case {"type": "turn.failed", "error": {"message": str(message)}}:
                    says = message
        if says:
            return Said(session=session, ending="error", says=says[-LAST:])
        if not done:
            return msgspec.structs.replace(crashed(ran), session=session)
        return Said(text, session, "finished" if text.strip() else "empty")


def _config(setup: Setup) -> str:
    """Its configuration; a JSON string is a TOML string as well."""
    top: dict[str, Any] = {
        "model": setup.model,
        "model_provider": "gateway",
        "model_context_window": setup.context_tokens,
        "tool_output_token_limit": 25_000,
        "approval_policy": "never",
        "sandbox_mode": "danger-full-access",
        "web_search": "disabled",
    }
    parts: dict[str, dict[str, Any]] = {
        "features": dict.fromkeys(LEFT_OUT, False),
        "analytics": {"enabled": False},
        "otel": {"exporter": "none"},
        "model_providers.gateway": {
            "name": "gateway",
            "base_url": f"{setup.model_url}/v1",
            "env_key": KEY,
            "wire_api": "responses",
            # The gateway has been patient with the provider already.
            "request_max_retries": 0,
            "stream_max_retries": 0,
            "stream_idle_timeout_ms": HOUR * 1000,
        },
    }
    if setup.tools_url:
        parts["mcp_servers.desk"] = {
            "url": setup.tools_url,
            "required": True,
            "startup_timeout_sec": 60,
            "tool_timeout_sec": HOUR,
        }
    lines = _pairs(top)
    for name, values in parts.items():
        lines += [f"[{name}]", *_pairs(values)]
    return "\n".join(lines) + "\n"


def _pairs(values: dict[str, Any]) -> list[str]:
    return [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in values.items()]
