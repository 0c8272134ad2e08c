"""`bythebook import harbor`: not yet."""

import click

from bythebook.cli.options import common


@click.command("harbor")
@common
def command() -> None:
    """Tasks of Harbor."""
