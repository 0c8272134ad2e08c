"""nanobot, by its Python interface: only that tells why a turn ended."""

from typing import Any

import msgspec

from bythebook.harness.adapter import (
    Command,
    Ending,
    Said,
    Setup,
    as_words,
    crashed,
    furniture_of,
    last_object,
)
from bythebook.harness.drivers import source
from bythebook.harness.install import Recipe, demand
from bythebook.models.types import Dialect
from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.process import Ran

RECIPE = Recipe(
    name="nanobot", package="nanobot-ai", version="0.3.5", program="bin/nanobot", mib=391
)
SESSION = "cli:task"
BYTES_PER_TOKEN = 4
"""It counts a byte as a token where it cannot load its own table of tokens from the network."""
HOUR = 3600
ENDINGS: dict[str, Ending] = {
    "completed": "finished",
    "max_iterations": "cap",
    "empty_final_response": "empty",
}


class Nanobot(msgspec.Struct, frozen=True):
    """Driven by its Python interface, in a process a turn."""

    recipe: Recipe = RECIPE
    dialect: Dialect = "chat"
    takes_tools: bool = True
    shows_pictures: bool = False
    litter: tuple[str, ...] = (".nanobot", "memory")
    differences: tuple[str, ...] = (
        "It has tools to read, write, edit, patch, list, find and search files, and a shell; "
        "reading shows its model pictures.",
        "Its tools for schedules, other sessions, goals, sub-agents and messages are taken away.",
        "It keeps 10,000 characters of a command's output.",
        "It counts its context itself, four bytes a token, and shortens it before it is full.",
    )

    def furniture(self) -> Furniture:
        return furniture_of(demand(self.recipe))

    def prepare(self, setup: Setup) -> None:
        folder = setup.home / ".nanobot-state"
        folder.mkdir(exist_ok=True)
        config = msgspec.json.format(msgspec.json.encode(_config(setup)))
        (folder / "config.json").write_bytes(config)

    def turn(self, setup: Setup, words: str, session: str) -> Command:
        python = str(demand(self.recipe).binary)
        config = setup.inside(".nanobot-state", "config.json")
        argv = (
            python, "-I", "-c", source("nanobot"),
            config, setup.workspace_inside, session or SESSION,
        )  # fmt: skip
        env = {
            "NANOBOT_OPENAI_COMPAT_TIMEOUT_S": str(HOUR),
            "NANOBOT_STREAM_IDLE_TIMEOUT_S": str(HOUR),
        }
        return Command(argv, env, as_words(words))

    def read(self, setup: Setup, ran: Ran) -> Said:
        match last_object(ran.out.text):
            case {"text": str(text), "stop": stop, "error": error}:
                ending = ENDINGS.get(str(stop), "error")
                if ending == "finished" and not text.strip():
                    ending = "empty"
                return Said(text if ending == "finished" else "", SESSION, ending, str(error or ""))
        return crashed(ran)


def _config(setup: Setup) -> dict[str, Any]:
    defaults: dict[str, Any] = {
        "workspace": setup.workspace_inside,
        "provider": "custom",
        "model": setup.model,
        "maxToolIterations": setup.steps,
        "maxTokens": setup.max_tokens,
        "contextWindowTokens": setup.context_tokens * BYTES_PER_TOKEN,
        "maxToolResultChars": 100_000,
        "timezone": "UTC",
        "dream": {"enabled": False},
        "idleCompactAfterMinutes": 0,
    }
    if setup.temperature is not None:
        defaults["temperature"] = setup.temperature
    shell = {"enable": True, "timeout": 600, "allowedEnvKeys": [
        "LANG", "MPLBACKEND", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "TMPDIR", "TZ",
        "USER",
    ]}  # fmt: skip
    tools: dict[str, Any] = {
        name: {"enable": False} for name in ("web", "cliApps", "my")
    }  # fmt: skip
    tools |= {"exec": shell, "restrictToWorkspace": False, "ssrfWhitelist": ["127.0.0.0/8"]}
    if setup.tools_url:
        server = {"type": "streamableHttp", "url": setup.tools_url, "toolTimeout": HOUR}
        tools["mcpServers"] = {"desk": server}
    return {
        "agents": {"defaults": defaults},
        "providers": {"custom": {"apiKey": "none", "apiBase": f"{setup.model_url}/v1"}},
        "tools": tools,
        "gateway": {"heartbeat": {"enabled": False}},
    }
