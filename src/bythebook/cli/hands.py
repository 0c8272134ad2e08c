"""What `act`, `serve` and `play` have in common: options of a run by hand, and its task."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from msgspec import Struct

from bythebook.cli.options import content, ratio
from bythebook.conduct.company import load_company
from bythebook.conduct.task import ConductTask, load_task
from bythebook.errors import UsageError
from bythebook.run.condition import condition
from bythebook.run.plan import Under
from bythebook.serve.hand import BY_HAND, Hand, hand
from bythebook.task import SUITES

Command = TypeVar("Command", bound=Callable[..., Any])


class AskHand(Struct, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    agent: str
    condition: str
    cap: str

    @property
    def player(self) -> Hand:
        return hand(self.agent)

    @property
    def under(self) -> Under:
        return Under(condition(self.condition), ratio(self.cap), BY_HAND)


def by_hand(command: Command) -> Command:
    """Give a command the options of `AskHand`."""
    options = (
        click.option(
            "--agent", default="hand", show_default=True, metavar="NAME", help="Who plays."
        ),
        click.option("--condition", default="default", show_default=True, metavar="NAME"),
        click.option(
            "--cap", default="", metavar="RATIO", help="Most calls, as a multiple of the golden's."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def the_task(suite: str, name: str) -> ConductTask:
    """The task of a suite. Raises `UsageError`."""
    if suite not in SUITES:
        raise UsageError(f"no suite {suite!r}", hint=f"known: {', '.join(SUITES)}")
    if suite != "conduct":
        raise UsageError(f"tasks of the suite `{suite}` cannot be played by hand")
    return today(name)


def today(name: str) -> ConductTask:
    """The task as this command's content has it."""
    found = content()
    return load_task(found, load_company(found), name)
