"""Claude Code: the program that the Python package of its SDK carries, in its print mode."""

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
from bythebook.harness.install import Recipe, demand
from bythebook.models.types import Dialect
from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.process import Ran

RECIPE = Recipe(
    name="claude-code",
    package="claude-agent-sdk",
    version="0.2.189",
    program="lib/python*/site-packages/claude_agent_sdk/_bundled/claude",
    mib=455,
)
TOOLS = "Bash,Edit,Glob,Grep,Read,Write"
LEAST_WINDOW = 100_000
"""Tokens: with less it keeps to its own idea of the window."""
HOUR = "3600000"
TEN_MINUTES = "600000"
"""Both in milliseconds."""
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "ENABLE_TOOL_SEARCH": "false",
    "IS_SANDBOX": "1",
    # The gateway has been patient with the provider already.
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "API_TIMEOUT_MS": HOUR,
    "BASH_DEFAULT_TIMEOUT_MS": TEN_MINUTES,
    "BASH_MAX_TIMEOUT_MS": TEN_MINUTES,
    "BASH_MAX_OUTPUT_LENGTH": "16000",
    # Without these its first turn begins before the tools are there.
    "MCP_CONNECTION_NONBLOCKING": "0",
    "MCP_CONNECT_TIMEOUT_MS": "60000",
    "MCP_TIMEOUT": "60000",
    "MCP_TOOL_TIMEOUT": HOUR,
    "MAX_MCP_OUTPUT_TOKENS": "100000",
}


class ClaudeCode(msgspec.Struct, frozen=True):
    """Its print mode: one process a turn."""

    recipe: Recipe = RECIPE
    dialect: Dialect = "anthropic"
    takes_tools: bool = True
    shows_pictures: bool = True
    litter: tuple[str, ...] = (".claude",)
    differences: tuple[str, ...] = (
        "It has tools to read, write, edit, find and search files, and a shell; reading shows its "
        "model pictures.",
        "Its tools for sub-agents, schedules, the web, notebooks and skills are left out.",
        "It keeps 16,000 characters of a command's output, and puts an answer of a tool that is "
        "longer than 50,000 into a file that it can read.",
        "It shortens its context by a summary of its own when that is nearly full.",
        "It marks what a provider may keep in its cache.",
    )

    def furniture(self) -> Furniture:
        return furniture_of(demand(self.recipe))

    def prepare(self, setup: Setup) -> None:
        servers: dict[str, Any] = {}
        if setup.tools_url:
            servers["desk"] = {"type": "http", "url": setup.tools_url}
        (setup.home / ".claude").mkdir(exist_ok=True)
        config = msgspec.json.format(msgspec.json.encode({"mcpServers": servers}))
        (setup.home / ".claude" / "servers.json").write_bytes(config)

    def turn(self, setup: Setup, words: str, session: str) -> Command:
        argv = [str(demand(self.recipe).program), "--print", "--output-format", "json"]
        argv += ["--model", setup.model, "--max-turns", str(setup.steps)]
        argv += ["--tools", TOOLS, "--dangerously-skip-permissions", "--disable-slash-commands"]
        argv += ["--setting-sources", "", "--strict-mcp-config"]
        argv += ["--mcp-config", setup.inside(".claude", "servers.json")]
        if setup.context_tokens >= LEAST_WINDOW:
            argv += ["--autocompact", str(setup.context_tokens)]
        if session:
            argv += ["--resume", session]
        env = {
            **QUIET,
            "ANTHROPIC_BASE_URL": setup.model_url,
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_SMALL_FAST_MODEL": setup.model,
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(setup.max_tokens),
            "CLAUDE_CONFIG_DIR": setup.inside(".claude"),
        }
        return Command(tuple(argv), env, as_words(words))

    def read(self, setup: Setup, ran: Ran) -> Said:
        result = last_object(ran.out.text)
        if result is None or result.get("type") != "result":
            return crashed(ran)
        text, session = str(result.get("result") or ""), str(result.get("session_id") or "")
        ending = _ending(result, text)
        says = "" if ending == "finished" else text or str(result.get("subtype"))
        return Said(text if ending == "finished" else "", session, ending, says)


def _ending(result: dict[str, Any], text: str) -> Ending:
    """Its `subtype` is `success` on an error of the provider, too."""
    if result.get("subtype") == "error_max_turns":
        return "cap"
    if result.get("is_error") or result.get("subtype") != "success":
        return "error"
    return "finished" if text.strip() else "empty"
