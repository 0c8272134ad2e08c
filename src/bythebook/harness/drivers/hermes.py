"""One turn of Hermes, run by Hermes's own Python: `python -I -c THIS SETTINGS`.

SETTINGS: a JSON object {"agent": arguments of its AIAgent, "conversation": path of the file that
holds what was said before, "resume": bool}. Words come on standard input. The last line of
standard output is one JSON object.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from agent import tool_dispatch_helpers
from run_agent import AIAgent
from tools.mcp_tool import discover_mcp_tools, shutdown_mcp_servers


def turn(settings: dict[str, Any]) -> dict[str, object]:
    # The tools it is given are its workplace's own, the customer's words among their answers: not
    # a stranger's text, which it is told never to follow.
    tool_dispatch_helpers._UNTRUSTED_TOOL_PREFIXES = ("browser_",)
    discover_mcp_tools()
    agent = AIAgent(quiet_mode=True, platform="cli", **settings["agent"])
    agent.suppress_status_output = True
    place = Path(settings["conversation"])
    before = json.loads(place.read_text("utf-8")) if settings["resume"] else None
    result = agent.run_conversation(sys.stdin.read(), conversation_history=before)
    place.write_text(json.dumps(result["messages"]), "utf-8")
    agent.close()
    shutdown_mcp_servers()
    kept = ("final_response", "failed", "partial", "completed", "error", "turn_exit_reason")
    return {name: result.get(name) for name in kept}


def main() -> None:
    ours = os.dup(1)
    os.dup2(2, 1)
    said = turn(json.loads(sys.argv[1]))
    with os.fdopen(ours, "w") as out:
        out.write("\n" + json.dumps(said) + "\n")
    sys.stdout.flush()
    # Threads of its own would hold the process.
    os._exit(0)


main()
