"""Options that say who plays the customer."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from msgspec import Struct

from bythebook.cli.keys import reached
from bythebook.conduct.customer.voiced import PROMPTS, PromptName
from bythebook.errors import UsageError
from bythebook.models.types import Settings
from bythebook.run.plan import SCRIPTED
from bythebook.run.reach import Reach
from bythebook.run.simulators import ModelCustomers, ScriptedCustomers, Simulator
from bythebook.run.traffic import Traffic

Command = TypeVar("Command", bound=Callable[..., Any])


class AskCustomer(Struct, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    simulator: str
    simulator_prompt: PromptName | None
    simulator_base_url: str
    simulator_key_variable: str | None
    dry_run: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """What of it belongs into the name of a run folder."""
        if self.simulator == SCRIPTED.name:
            return ()
        return (self.simulator, self.prompt)

    @property
    def prompt(self) -> PromptName:
        return self.simulator_prompt or "revised"


def customer(command: Command) -> Command:
    """Give a command the options of `AskCustomer`."""
    options = (
        click.option(
            "--simulator",
            default=SCRIPTED.name,
            show_default=True,
            metavar="scripted|PROVIDER:NAME",
            help="Who speaks for the customer.",
        ),
        click.option(
            "--simulator-prompt",
            type=click.Choice(PROMPTS),
            help="The prompt of a customer by a model.  [default: revised]",
        ),
        click.option("--simulator-base-url", default="", metavar="URL", help="Where it is served."),
        click.option(
            "--simulator-key-variable",
            metavar="NAME",
            help="Environment variable that holds its key.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def simulator(ask: AskCustomer, settings: Settings, traffic: Traffic) -> Simulator:
    """The customers that were asked for."""
    if ask.simulator == SCRIPTED.name:
        if ask.simulator_prompt or ask.simulator_base_url or ask.simulator_key_variable:
            hint = "name a model: --simulator PROVIDER:NAME"
            raise UsageError("a scripted customer takes no prompt and no address", hint=hint)
        return ScriptedCustomers()
    where, key = reached(
        ask.simulator, ask.simulator_base_url, ask.simulator_key_variable, dry=ask.dry_run
    )
    reach = Reach(where, key, settings, traffic=traffic)
    return ModelCustomers(reach, ask.prompt)
