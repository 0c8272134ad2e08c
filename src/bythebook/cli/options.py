"""Options that every command takes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click

from bythebook.errors import UsageError
from bythebook.task import Content

Command = TypeVar("Command", bound=Callable[..., Any])

PARTS = ("company", "tasks", "packs")


def _or_before(ctx: click.Context, _: click.Parameter, given: bool) -> bool:
    """Said for a word of words (`harness --json install NAME`), it holds for the last word, too."""
    return given or (ctx.parent is not None and ctx.parent.params.get("as_json") is True)


as_json = click.option(
    "--json",
    "as_json",
    is_flag=True,
    callback=_or_before,
    help="One JSON document on stdout.",
)


@dataclass
class Asked:
    """What was given through the options that every command takes."""

    roots: list[Path] = field(default_factory=list)
    debug: bool = False


def common(command: Command) -> Command:
    """Give a command --content and --debug."""
    content = click.option(
        "--content",
        "content",
        multiple=True,
        metavar="DIR",
        type=click.Path(path_type=Path),
        expose_value=False,
        callback=_roots,
        help="Your own company/ and tasks/, before the shipped ones; may be repeated.",
    )
    debug = click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_debug,
        help="Show where an error came from.",
    )
    return content(debug(command))


def content() -> Content:
    """The content that this command works with."""
    for root in asked().roots:
        if root.is_dir() and not any((root / part).is_dir() for part in PARTS):
            hint = "name the folder that holds them; `bythebook new` makes one"
            raise UsageError("holds neither company/ nor tasks/ nor packs/", where=root, hint=hint)
    return Content(asked().roots)


def ratio(cap: str) -> Fraction | None:
    """The ratio of --cap as written, exactly: "1.2" is 6/5."""
    if not cap:
        return None
    try:
        found = Fraction(cap)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if found <= 0:
        raise UsageError(f"--cap {cap!r} is not a ratio such as 1.2")
    return found


def asked() -> Asked:
    """What the options that every command takes were given in this call."""
    return click.get_current_context().find_root().ensure_object(Asked)


def _roots(ctx: click.Context, _: click.Parameter, roots: tuple[Path, ...]) -> None:
    ctx.find_root().ensure_object(Asked).roots.extend(roots)


def _debug(ctx: click.Context, _: click.Parameter, debug: bool) -> None:
    found = ctx.find_root().ensure_object(Asked)
    found.debug = found.debug or debug
