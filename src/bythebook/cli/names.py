"""A list of names that should not leave the house."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from bythebook.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])


def from_file(command: Command) -> Command:
    """Give a command --names."""
    option = click.option(
        "--names",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Names of people, firms, anything: one a line.",
    )
    return option(command)


def names_of(path: Path | None) -> list[str]:
    """Those in the file; lines that begin with # are left out. Raises `UsageError`."""
    if path is None:
        return []
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", where=path) from None
    names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    short = [name for name in names if len(name) < 3]
    if short:
        hint = "so short a name stands inside too much else; give the full one"
        raise UsageError(f"{short[0]!r} has fewer than 3 letters", where=path, hint=hint)
    return names
