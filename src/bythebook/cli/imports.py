"""`bythebook import`: tasks of other programs as tasks of one's own."""

import click

from bythebook.cli.lazy import Lazy

MODULES = {"harbor": "bythebook.cli.import_harbor"}


@click.group("import", cls=Lazy, modules=MODULES)
def command() -> None:
    """Make tasks of one's own from those of other programs.

    Traces need no import: `bythebook check` reads them as they are.
    """
