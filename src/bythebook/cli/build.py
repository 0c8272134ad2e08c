"""`bythebook build`: procedures and tasks, made from documents and interviews, gate by gate."""

from importlib import import_module

import click

from bythebook.errors import UsageError, suggestion

WORDS = {
    "sop": "bythebook.cli.build_sop",
    "check": "bythebook.cli.build_check",
    "conduct-task": "bythebook.cli.build_conduct",
    "deliverable-task": "bythebook.cli.build_deliverable",
}
"""Word to the module that holds its `command`, imported when it is first asked for."""


class Kinds(click.Group):
    """What can be built."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(WORDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in WORDS:
            return None
        command: click.Command = import_module(WORDS[cmd_name]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in WORDS and not args[0].startswith("-"):
            raise UsageError(f"nothing is built by {args[0]!r}", hint=suggestion(args[0], WORDS))
        return super().resolve_command(ctx, args)


@click.group("build", cls=Kinds)
def command() -> None:
    """Build procedures (`sop`) and tasks from documents; every claim keeps its source.

    Whoever is asked is a model (--model PROVIDER:NAME) or anybody by hand (--model hand:DIR):
    questions lie in DIR, answers are read from there. Links, graphs and gates need no model.
    """
