"""mini-swe-agent, by its Python classes: one tool, a shell, and nothing that is given to it."""

from typing import Any

import msgspec

from bythebook.harness.adapter import (
    LAST,
    Command,
    Ending,
    Said,
    Setup,
    as_utf8,
    crashed,
    furniture_of,
    last_object,
)
from bythebook.harness.drivers import source
from bythebook.harness.install import Recipe, demand
from bythebook.models.types import Dialect
from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.process import Ran

RECIPE = Recipe(name="mini", package="mini-swe-agent", version="2.4.6", program="bin/mini", mib=750)
HOUR = 3600
QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "MSWEA_CONFIGURED": "true",
    "MSWEA_COST_TRACKING": "ignore_errors",
    "MSWEA_SILENT_STARTUP": "1",
    # The gateway has been patient with the provider already.
    "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "1",
    "OPENAI_API_KEY": "none",
}
ENDINGS: dict[str, Ending] = {
    "Submitted": "finished",
    "LimitsExceeded": "cap",
    # The model would not use the tool, told so twice: it was done in its own way.
    "RepeatedFormatError": "finished",
}


class Mini(msgspec.Struct, frozen=True):
    """Driven by its Python classes; it takes no tools, and has one turn."""

    recipe: Recipe = RECIPE
    dialect: Dialect = "chat"
    takes_tools: bool = False
    shows_pictures: bool = False
    litter: tuple[str, ...] = ()
    differences: tuple[str, ...] = (
        "It has one tool, a shell; each command is run anew.",
        "It ends by a command that prints a line of its own; words alone do not end it.",
        "Its request tells it to solve an issue in a codebase, whatever the task is.",
        "It keeps 10,000 characters of a command's output.",
        "It cannot be given tools or pictures, nor go on after its end.",
    )

    def furniture(self) -> Furniture:
        return furniture_of(demand(self.recipe))

    def prepare(self, setup: Setup) -> None:
        """All of it goes with the command."""

    def turn(self, setup: Setup, words: str, session: str) -> Command:
        sent: dict[str, Any] = {
            "api_base": f"{setup.model_url}/v1",
            "max_tokens": setup.max_tokens,
            "timeout": HOUR,
            "num_retries": 0,
            "max_retries": 0,
        }
        if setup.temperature is not None:
            sent["temperature"] = setup.temperature
        settings = {
            "agent": {"step_limit": setup.steps, "cost_limit": 0},
            "environment": {"cwd": setup.workspace_inside, "timeout": 600},
            "model": {"model_name": f"openai/{setup.model}", "model_kwargs": sent},
        }
        driver = (source("mini"), msgspec.json.encode(settings).decode())
        env = {**QUIET, "MSWEA_GLOBAL_CONFIG_DIR": setup.inside(".mini")}
        argv = (str(demand(self.recipe).binary), "-I", "-c", *driver)
        return Command(argv, env, as_utf8(words))

    def read(self, setup: Setup, ran: Ran) -> Said:
        match last_object(ran.out.text):
            case {"stop": str(stop), "text": str(text), "error": str(error)}:
                ending = ENDINGS.get(stop, "error")
                if ending == "finished":
                    return Said(text, ending="finished" if text.strip() else "empty")
                return Said(ending=ending, says=f"{stop}: {error[-LAST:]}".removesuffix(": "))
        return crashed(ran)
