"""One turn of nanobot, run by nanobot's own Python: `python -I -c THIS CONFIG WORKSPACE SESSION`.

Words come on standard input. The last line of standard output is one JSON object.
"""

import asyncio
import json
import os
import sys

from nanobot import Nanobot
from nanobot.providers.base import LLMProvider

WITHOUT_USE = (
    "create_goal", "cron", "list_sessions", "message", "read_session", "search_sessions",
    "send_session_message", "spawn", "update_goal",
)  # fmt: skip
"""Tools that want a service that runs on, or somebody to write to beside the customer."""


async def turn(config: str, workspace: str, session: str) -> dict[str, object]:
    # The gateway has been patient with the provider already.
    LLMProvider._CHAT_RETRY_DELAYS = ()
    async with Nanobot.from_config(config, workspace=workspace) as bot:
        for name in WITHOUT_USE:
            bot._loop.tools.unregister(name)
        result = await bot.run(sys.stdin.read(), session_key=session)
    return {"text": result.content, "stop": result.stop_reason, "error": result.error}


def main() -> None:
    ours = os.dup(1)
    os.dup2(2, 1)
    said = asyncio.run(turn(*sys.argv[1:4]))
    with os.fdopen(ours, "w") as out:
        out.write("\n" + json.dumps(said) + "\n")


main()
