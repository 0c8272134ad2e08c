"""What the command line says: to people on stderr, to programs on stdout."""

import sys
import traceback
from io import TextIOWrapper
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.markup import escape

from bythebook.errors import BythebookError

PIPE_WIDTH = 120
"""Columns of what is written to a file or a pipe."""


def people() -> Console:
    """The console for people; made anew so that it writes where stderr leads now."""
    wide = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
    if not wide.is_terminal:
        wide.width = max(wide.width, PIPE_WIDTH)
    return wide


class _Page(Console):
    def on_broken_pipe(self) -> None:
        """Whoever reads (`head`, a pager) has seen enough: no fault of anybody's."""
        try:
            super().on_broken_pipe()
        except SystemExit:
            raise SystemExit(0) from None


def page() -> Console:
    """The console for a command whose product is a text: on stdout, to be kept or paged."""
    wide = _Page(highlight=False, emoji=False)
    if not wide.is_terminal:
        wide.width = max(wide.width, PIPE_WIDTH)
    return wide


def counted(count: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def tell(text: str = "") -> None:
    """A line for people; rich's markup may be used, foreign text must be escaped."""
    people().print(text)


def complain(what: str, hint: str = "") -> None:
    """`error: ...` with what to do next under it."""
    console = people()
    console.print(f"[bold red]error:[/] {escape(what)}")
    for line in filter(None, hint.splitlines()):
        console.print(f"  {escape(line)}")


def complain_of(error: BythebookError) -> None:
    """What broke, where, and what to do next."""
    complain(f"{error.where}: {error.what}" if error.where else error.what, error.hint)


def emit(document: Any) -> None:
    """The one JSON document of a command, on stdout."""
    data = msgspec.json.format(msgspec.json.encode(document), indent=2)
    click.echo(data.decode())


def any_text(out: object) -> None:
    """Let a stream take whatever was said in a run: a document for programs is UTF-8 wherever it is
    written; a terminal of fewer letters is shown the others as escapes."""
    if isinstance(out, TextIOWrapper):
        if out.isatty():
            out.reconfigure(errors="backslashreplace")
        else:
            out.reconfigure(encoding="utf-8")


def show_traceback(debug: bool) -> None:
    """With --debug: where the error being handled came from."""
    if debug:
        traceback.print_exc(file=sys.stderr)
