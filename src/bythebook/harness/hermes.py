"""Hermes, by its Python class: its command line gives neither its cap nor an error away."""

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
    name="hermes",
    package="hermes-agent",
    extras="[mcp]",
    version="0.19.0",
    program="bin/hermes",
    mib=235,
)
SESSION = "task"
STATE = ".hermes"
HOUR = 3600
WAITING = (
    "HERMES_API_TIMEOUT",
    "HERMES_API_CALL_STALE_TIMEOUT",
    "HERMES_CONCURRENT_TOOL_TIMEOUT_S",
    "HERMES_STREAM_READ_TIMEOUT",
    "HERMES_STREAM_STALE_TIMEOUT",
)
"""Seconds after which it gives something up; the gateway and the attempt have limits of theirs."""


class Hermes(msgspec.Struct, frozen=True):
    """Driven by its Python class, in a process a turn."""

    recipe: Recipe = RECIPE
    dialect: Dialect = "chat"
    takes_tools: bool = True
    shows_pictures: bool = False
    litter: tuple[str, ...] = (".hermes",)
    differences: tuple[str, ...] = (
        "It has tools to read, write, patch and search files, and a shell with processes that run "
        "on.",
        "Its tools for the web, a browser, memory, skills, plans, sub-agents and pictures are left "
        "out: its model is shown none.",
        "It calls answers of tools given to it a stranger's text; that is switched off, since they "
        "are the task's own.",
        "It keeps 16,000 characters of a command's output.",
        "It shortens its context by a summary of its own when that is nearly full.",
    )

    def furniture(self) -> Furniture:
        return furniture_of(demand(self.recipe))

    def prepare(self, setup: Setup) -> None:
        (setup.home / STATE).mkdir(exist_ok=True)
        # Its YAML reader takes JSON.
        config = msgspec.json.format(msgspec.json.encode(_config(setup)))
        (setup.home / STATE / "config.yaml").write_bytes(config)

    def turn(self, setup: Setup, words: str, session: str) -> Command:
        agent = {
            "base_url": f"{setup.model_url}/v1",
            "api_key": "none",
            "provider": "custom",
            "model": setup.model,
            "max_iterations": setup.steps,
            "max_tokens": setup.max_tokens,
            "enabled_toolsets": ["file", "terminal", *(["desk"] if setup.tools_url else [])],
            "skip_context_files": True,
            "skip_memory": True,
        }
        conversation = setup.inside(STATE, "conversation.json")
        settings = {"agent": agent, "conversation": conversation, "resume": bool(session)}
        driver = (source("hermes"), msgspec.json.encode(settings).decode())
        env = {
            "HERMES_HOME": setup.inside(STATE),
            "HERMES_YOLO_MODE": "1",
            "HERMES_IGNORE_RULES": "1",
            "TERMINAL_ENV": "local",
            "TERMINAL_CWD": setup.workspace_inside,
            "TERMINAL_TIMEOUT": "600",
            **dict.fromkeys(WAITING, str(HOUR)),
        }
        argv = (str(demand(self.recipe).binary), "-I", "-c", *driver)
        return Command(argv, env, as_words(words))

    def read(self, setup: Setup, ran: Ran) -> Said:
        result = last_object(ran.out.text)
        if result is None or "turn_exit_reason" not in result:
            return crashed(ran)
        text, why = str(result["final_response"] or ""), str(result["turn_exit_reason"] or "")
        ending = _ending(result, text, why)
        says = "" if ending == "finished" else str(result["error"] or why or text)
        return Said(text if ending == "finished" else "", SESSION, ending, says)


def _ending(result: dict[str, Any], text: str, why: str) -> Ending:
    if why.startswith(("max_iterations_reached", "budget_exhausted")):
        return "cap"
    if why == "empty_response_exhausted":
        return "empty"
    if result["failed"] or result["partial"] or not result["completed"]:
        return "error"
    return "finished" if text.strip() else "empty"


def _config(setup: Setup) -> dict[str, Any]:
    model = {
        "default": setup.model,
        "provider": "custom",
        "base_url": f"{setup.model_url}/v1",
        "api_key": "none",
        "context_length": setup.context_tokens,
    }
    servers: dict[str, Any] = {}
    if setup.tools_url:
        # Its look whether the address is a web page's waits five seconds for the end of a stream.
        servers["desk"] = {
            "url": setup.tools_url, "connect_timeout": 60, "timeout": HOUR, "skip_preflight": True
        }  # fmt: skip
    return {
        "model": model,
        # The gateway has been patient with the provider already.
        "agent": {"max_turns": setup.steps, "api_max_retries": 1},
        "terminal": {"backend": "local", "timeout": 600, "cwd": setup.workspace_inside},
        "memory": {"memory_enabled": False, "user_profile_enabled": False},
        "tools": {"tool_search": {"enabled": "off"}},
        "checkpoints": {"enabled": False},
        "compression": {"threshold": 0.9},
        "auxiliary": {"compression": {"timeout": HOUR}},
        "tool_output": {"max_bytes": 16_000},
        "mcp_servers": servers,
    }
