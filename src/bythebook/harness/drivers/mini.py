"""A whole run of mini-swe-agent, by its own Python: `python -I -c THIS SETTINGS`.

SETTINGS: a JSON object {"agent", "environment", "model"}, laid over its mini.yaml. Words come on
standard input. The last line of standard output is one JSON object.
"""

import json
import os
import sys
from typing import Any

from minisweagent.agents.default import DefaultAgent
from minisweagent.config import get_config_from_spec
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel
from minisweagent.utils.serialize import recursive_merge


def run(settings: dict[str, Any]) -> dict[str, object]:
    config = recursive_merge(get_config_from_spec("mini.yaml"), settings)
    # Of its interactive front, which asks before every command.
    config["agent"].pop("mode", None)
    model = LitellmModel(**config["model"])
    agent = DefaultAgent(model, LocalEnvironment(**config["environment"]), **config["agent"])
    try:
        end = agent.run(sys.stdin.read())
    except Exception as error:  # noqa: BLE001 - whatever a model call raises is an answer here
        return {"stop": type(error).__name__, "text": "", "error": str(error)}
    spoken = (m.get("content") or "" for m in agent.messages if m.get("role") == "assistant")
    words = end.get("submission") or next(filter(None, reversed(list(spoken))), "")
    return {"stop": end.get("exit_status"), "text": words, "error": ""}


def main() -> None:
    ours = os.dup(1)
    os.dup2(2, 1)
    said = run(json.loads(sys.argv[1]))
    with os.fdopen(ours, "w") as out:
        out.write("\n" + json.dumps(said) + "\n")


main()
