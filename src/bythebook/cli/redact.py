"""`bythebook redact`: a copy of an evaluation that may be shared."""

from pathlib import Path

import click
from rich.markup import escape

from bythebook.cli.names import from_file, names_of
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import counted, emit, people
from bythebook.run.folder import EvaluationFolder
from bythebook.run.private import Cover
from bythebook.run.redact import redact
from bythebook.run.redacted import Redacted

SAID = {
    "key": "keys and tokens",
    "mail": "e-mail addresses",
    "home": "home folders",
    "host": "names of this machine",
    "place": "paths of this folder",
    "name": "names of the list",
}


@click.command("redact")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Path(path_type=Path), metavar="DIR")
@from_file
@as_json
@common
def command(folder: Path, to: Path, names: Path | None, as_json: bool) -> int:
    """Copy the evaluation in DIR and cover what should not be shared.

    Keys, tokens, e-mail addresses, home folders, this machine's name and the names in --names FILE
    are covered, the same thing everywhere by the same word. Office files and pictures are left out.
    Every run is judged again; those that do not give their verdict any more are named.
    """
    told = redact(EvaluationFolder(folder), to, Cover(names_of(names), places=[folder]))
    if as_json:
        emit(told)
    else:
        _tell(told, to)
    return 0


def _tell(told: Redacted, to: Path) -> None:
    console = people()
    for kind, count in told.found.items():
        console.print(f"{count} {SAID[kind]} covered")
    for kind, count in told.left_out.items():
        console.print(f"left out: {count} {escape(kind)}")
    for run in told.runs:
        if run.unverifiable:
            console.print(f"cannot be verified: {run.task}/{run.run}: {escape(run.unverifiable)}")
    verified = sum(not run.unverifiable for run in told.runs)
    console.print(
        f"{counted(len(told.runs), 'run')} copied to {escape(str(to))};"
        f" {verified} of them with the same marks"
    )
    console.print(
        "only what has a known shape or stands on the list is found: look through the copy"
    )
