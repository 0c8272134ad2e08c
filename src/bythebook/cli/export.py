"""`bythebook export`: tasks and runs in the forms of other programs."""

import click

from bythebook.cli.lazy import Lazy

MODULES = {
    "harbor": "bythebook.cli.export_harbor",
    "harbor-reward": "bythebook.cli.export_reward",
    "inspect": "bythebook.cli.export_inspect",
}


@click.group("export", cls=Lazy, modules=MODULES)
def command() -> None:
    """Write tasks and runs as other programs read them.

    Tables and figures for people are written by `bythebook report`.
    """
