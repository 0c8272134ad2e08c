"""`bythebook build check`: a building place, by all checks that need neither model nor person."""

from pathlib import Path

import click

from bythebook.cli.build_sop import checked
from bythebook.cli.options import as_json, common


@click.command("check")
@click.argument("place", metavar="DIR", type=click.Path(path_type=Path))
@as_json
@common
def command(place: Path, as_json: bool) -> int:
    """Check a building place of procedures: links and quotes, graphs, conflicts, leaks."""
    return checked(place, as_json=as_json)
