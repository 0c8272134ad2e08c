"""Whoever is asked while something is built: options of every `build` command."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.markup import escape

from bythebook.build.hand_mind import HandMind
from bythebook.build.mind import Mind
from bythebook.build.model_mind import ModelMind
from bythebook.build.questions import earlier
from bythebook.cli.asking import AskingBar
from bythebook.cli.keys import reached
from bythebook.cli.speak import people, tell
from bythebook.errors import UsageError
from bythebook.models.ledger import Ledger
from bythebook.models.price import shipped
from bythebook.models.types import Settings
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic

Command = TypeVar("Command", bound=Callable[..., Any])
WHO = "PROVIDER:NAME or hand:DIR."
ASKED = "asked"
"""In the building place: what a model was asked and answered."""
INTERRUPTED = 130


def minded(command: Command) -> Command:
    """Give a command --model and what reaches it; `mind_of` makes the mind of them."""
    options = (
        click.option("--model", metavar="M", help=f"Who is asked: {WHO}"),
        click.option("--base-url", default="", metavar="URL", help="Where the model is served."),
        click.option(
            "--key-variable", metavar="NAME", help="Environment variable that holds the key."
        ),
        click.option("--max-tokens", default=32_768, show_default=True, type=click.IntRange(1)),
        click.option("--concurrency", default=4, show_default=True, type=click.IntRange(1)),
    )
    for option in reversed(options):
        command = option(command)
    return command


def mind_of(
    place: Path, model: str | None, base_url: str, key_variable: str | None,
    max_tokens: int, concurrency: int,
) -> Mind | None:  # fmt: skip
    """The mind that was named; None where none was. Raises `UsageError`."""
    if model is None:
        return None
    kind, _, name = model.partition(":")
    if not name:
        raise UsageError(f"{model!r} is nobody who can be asked", hint=f"--model {WHO}")
    if kind == "hand":
        return HandMind(Path(name))
    where, key = reached(model, base_url, key_variable)
    settings = Settings(max_tokens=max_tokens)

    ledger = Ledger(shipped())

    def opens() -> Reach:
        return Reach(where, key, settings, traffic=Traffic(concurrency, ledger=ledger))

    watch = AskingBar(people(), ledger)
    return ModelMind(place / ASKED, opens, at_once=concurrency, watch=watch)


@contextmanager
def going_on() -> Iterator[None]:
    """Whoever stops a command that asks is told that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        tell("\ninterrupted; what was answered is kept. The same command goes on:")
        tell(f"  bythebook {escape(shlex.join(sys.argv[1:]))}")
        raise click.exceptions.Exit(INTERRUPTED) from None


def earlier_answer(place: str) -> str:
    """What is said beside a question that waits, where an answer to it was put aside."""
    aside = earlier(Path(place))
    return f" (asked anew; the earlier answer is {aside.name} beside it)" if aside else ""
