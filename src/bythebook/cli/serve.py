"""`bythebook serve`: a task played by somebody who sees no more of it than an agent may."""

import secrets  # noqa: TID251 - nobody may guess a token; it is no part of a run
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from bythebook.cli.hands import AskHand, by_hand, the_task
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import complain, emit, tell
from bythebook.errors import UsageError
from bythebook.serve.hand import begin, sitting
from bythebook.serve.http import Door

SHORTEST = 8
"""Characters of a token of one's own, at least."""


@click.command("serve")
@click.argument("suite")
@click.argument("task_name", metavar="TASK")
@click.option(
    "--http", "port", default=0, type=click.IntRange(0, 65535), metavar="PORT",
    help="The port; any that is free unless given.",
)  # fmt: skip
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.")
@click.option("--token", help="The secret end of the address; made anew unless given.")
@by_hand
@as_json
@common
def command(
    *, suite: str, task_name: str, port: int, to: Path | None, token: str | None,
    as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Serve one run of TASK on this machine, and print its address.

    Whoever knows the address plays: `bythebook act URL [TOOL [JSON]]`, or any program that speaks
    HTTP. Content, trace and verdict stay here, in DIR. Stopped and started again, the same command
    goes on with the run that is not over.
    """
    if token is not None and (len(token) < SHORTEST or not token.isalnum()):
        raise UsageError(f"a token has {SHORTEST} letters and digits at least")
    task = the_task(suite, task_name)
    ask, root = AskHand(**given), to or Path("runs") / f"{suite}-served"
    place = begin(root, task, ask.player, ask.under, go_on=True)
    with (
        sitting(place.root, lambda _: task) as session,
        Door(session, token or secrets.token_hex(16), port, complain) as door,
    ):
        if as_json:
            emit({"url": door.url, "run": str(place.root)})
        else:
            click.echo(door.url)
        tell(f"the run is kept in {escape(str(place.root))}; Ctrl-C stops serving it")
        try:
            door.serve_forever()
        except KeyboardInterrupt:
            tell("\nstopped; the same command goes on")
    return 0
