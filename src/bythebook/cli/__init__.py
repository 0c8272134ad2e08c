"""The command line: `bythebook COMMAND ...`; one module per command.

Exit codes: 0 done, 1 the thing measured fell short, 2 wrong use (a command, an option or a content
file that does not read), 3 our own failure, 130 interrupted (Ctrl-C). Documents for programs go to
stdout, everything for people to stderr; save the text of `show`, which is its product: stdout.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from bythebook import __version__
from bythebook.cli.options import Asked, common
from bythebook.cli.speak import any_text, complain, complain_of, show_traceback, tell
from bythebook.errors import (
    BythebookError,
    ContentError,
    TraceError,
    UsageError,
    suggestion,
)
from bythebook.run.durable import is_full, refused

DONE, FELL_SHORT, WRONG_USE, OUR_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130

COMMANDS = (
    "tasks", "new", "run", "submit", "judge", "play", "act", "serve", "score", "show", "prove",
    "report", "compare", "merge", "seal", "verify", "redact", "check", "guard", "export", "import",
    "harness", "build", "demo", "doctor",
)  # fmt: skip
MODULES = {"import": "imports"}
"""Commands whose module cannot have their name."""


class Words(click.Group):
    """The commands; each module is imported when its command is first asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = MODULES.get(cmd_name, cmd_name)
        command: click.Command = import_module(f"bythebook.cli.{module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise UsageError(f"no command {name!r}", hint=suggestion(name, COMMANDS))
        return super().resolve_command(ctx, args)


@click.group(cls=Words, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
@common
def bythebook() -> None:
    """Did the agent do the work, and did it do it by the rules?

    Start with `bythebook demo`. Every command takes --content DIR (company and tasks of your own,
    before the shipped ones) and --debug.
    """


def main(args: Sequence[str] | None = None) -> None:
    """The program: run one command and exit with its code."""
    any_text(sys.stdout)
    sys.exit(answer(args))


def answer(args: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    asked = Asked()
    try:
        code: Any = bythebook.main(args, prog_name="bythebook", standalone_mode=False, obj=asked)
        return code if isinstance(code, int) else DONE
    except click.ClickException as error:
        complain(error.format_message(), _usage(error))
        return WRONG_USE
    except (KeyboardInterrupt, click.Abort):
        tell("\ninterrupted")
        return INTERRUPTED
    except BythebookError as error:
        show_traceback(asked.debug)
        complain_of(error)
        wrong_use = isinstance(error, ContentError | TraceError | UsageError)
        return WRONG_USE if wrong_use else OUR_FAILURE
    except OSError as error:
        show_traceback(asked.debug)
        if is_full(error):
            complain_of(refused(error, "output"))
        else:
            complain(f"{error.filename or 'output'}: {error.strerror or error}")
        return OUR_FAILURE
    except Exception as error:  # noqa: BLE001 - the last boundary: people see words, not a stack
        show_traceback(asked.debug)
        complain(f"{type(error).__name__}: {error}", "this is a fault of bythebook; --debug shows")
        return OUR_FAILURE


def _usage(error: click.ClickException) -> str:
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    return f"try: {ctx.command_path} --help" if ctx is not None else ""
