"""`bythebook serve`: a task played by somebody who sees no more of it than an agent may."""

import secrets  # noqa: TID251 - nobody may guess a token; it is no part of a run
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import click
from msgspec import Struct
from rich.markup import escape

from bythebook.cli.hands import AskHand, by_hand, the_task
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import complain, emit, tell
from bythebook.errors import UsageError
from bythebook.gateway.tools import ToolDoor
from bythebook.run.plan import Under
from bythebook.serve.hand import ALL, begin, hand, sitting
from bythebook.serve.http import Door
from bythebook.serve.mcp import tool_door

SHORTEST = 8
"""Characters of a token of one's own, at least."""


class Way(Struct, frozen=True, kw_only=True):
    """How it was asked to be served."""

    port: int | None
    """None: on standard input and output."""
    tools: str
    token: str | None
    as_json: bool

    @property
    def secret(self) -> str:
        return self.token or secrets.token_hex(16)

    def check(self, under: Under) -> None:
        """Raises `UsageError` where options do not go together."""
        if self.port is None and (self.as_json or self.token is not None):
            raise UsageError("--json and --token go with --http")
        if self.token is not None and (len(self.token) < SHORTEST or not self.token.isalnum()):
            raise UsageError(f"a token has {SHORTEST} letters and digits at least")
        if self.tools == ALL and "tool-search" in under.condition.without:
            what = "`--tools all` names the tools that `without:tool-search` keeps from being found"
            raise UsageError(what)


@click.command("serve")
@click.argument("suite")
@click.argument("task_name", metavar="TASK")
@click.option(
    "--http", "port", is_flag=False, flag_value=0, default=None, type=click.IntRange(0, 65535),
    metavar="[PORT]", help="Serve by HTTP, at this port or any that is free.",
)  # fmt: skip
@click.option(
    "--tools", type=click.Choice(["base", ALL]), default="base", show_default=True,
    help="all: each business tool by its own name, beside the base tools.",
)  # fmt: skip
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.")
@click.option("--token", help="The secret end of the address; made anew unless given.")
@by_hand
@as_json
@common
def command(*, suite: str, task_name: str, to: Path | None, **given: Any) -> int:
    """Serve one run of TASK to a player outside.

    Without --http, to one program that speaks MCP, on standard input and output: give this command
    to it as an MCP server. With --http an address is printed, and whoever knows it plays:
    `bythebook act URL [TOOL [JSON]]`, any program that speaks HTTP, and at URL/mcp any that speaks
    MCP. Content, trace and verdict stay here, in DIR. Stopped and started again, the same command
    goes on with the run that is not over.
    """
    way = Way(**{name: given.pop(name) for name in Way.__struct_fields__})
    ask, root = AskHand(**given), to or Path("runs") / f"{suite}-served"
    player, under = hand(ask.agent, all_tools=way.tools == ALL), ask.under
    way.check(under)
    task = the_task(suite, task_name)
    place = begin(root, task, player, under, go_on=True)
    with sitting(place.root, lambda _: task) as session:
        door = tool_door(session, complain)
        if way.port is None:
            _on_standard_streams(door, place.root)
        else:
            _by_http(Door(session, way.secret, door.app, complain), way, place.root)
    return 0


def _on_standard_streams(door: ToolDoor, kept: Path) -> None:
    if sys.stdin.isatty():
        tell("MCP is spoken on standard input and output; --http serves at an address")
    tell(f"the run is kept in {escape(str(kept))}")
    _until_stopped(door.stdio)


def _by_http(door: Door, way: Way, kept: Path) -> None:
    async def stand() -> None:
        async with door.standing(way.port or 0) as url:
            if way.as_json:
                emit({"url": url, "run": str(kept)})
            else:
                click.echo(url)
            tell(f"the run is kept in {escape(str(kept))}; Ctrl-C stops serving it")
            await anyio.sleep_forever()

    _until_stopped(stand)


def _until_stopped(serve: Callable[[], Awaitable[None]]) -> None:
    try:
        anyio.run(serve)
    except KeyboardInterrupt:
        tell("\nstopped; the same command goes on")
