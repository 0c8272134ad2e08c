"""`bythebook guard`: the rules, asked before an agent's call reaches the server that makes it."""

import sys
from contextlib import closing
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import anyio
import click
from msgspec import Struct
from rich.markup import escape

from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import complain, counted, emit, tell
from bythebook.conduct.company import load_company
from bythebook.conduct.task import load_task
from bythebook.errors import TraceError, UsageError, nearest
from bythebook.gateway.extra import demand_extra
from bythebook.guard.decision import Mode, Rules
from bythebook.guard.guard import Guard
from bythebook.guard.journal import Journal, read_journal
from bythebook.guard.observed import TraceRules
from bythebook.guard.rehearsed import TaskRules
from bythebook.guard.relay import Relay
from bythebook.guard.stdio import over_stdio
from bythebook.interop.rulebook import load_rulebook

FELL_SHORT, OUR_FAILURE = 1, 3


class Way(Struct, frozen=True, kw_only=True):
    """How it was asked to stand guard."""

    mode: Mode
    guesses: bool
    journal: Path | None
    url: str | None
    port: int
    replay: Path | None
    server: tuple[str, ...]
    as_json: bool

    def check(self) -> None:
        """Raises `UsageError` where options do not go together."""
        ways = [bool(self.server), self.url is not None, self.replay is not None]
        if sum(ways) != 1:
            hint = "bythebook guard --criteria C -- CMD..., or --http URL, or --replay JOURNAL"
            raise UsageError("name one server to guard, or one journal to replay", hint=hint)
        if self.server and self.as_json:
            hint = "standard output carries MCP; guard --criteria C --replay JOURNAL --json sums up"
            raise UsageError("--json goes with --replay and --http", hint=hint)
        if self.replay is not None and not self.replay.is_file():
            raise UsageError("no such file", where=self.replay)
        if self.url is not None and not _is_address(self.url):
            hint = "as in --http http://127.0.0.1:8000/mcp"
            raise UsageError(f"{self.url!r} is no address of a server", hint=hint)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is none
        return False


@click.command("guard", short_help="Stop an agent's calls that would break a rule.")
@click.option(
    "--criteria",
    required=True,
    metavar="C",
    help="A criteria file, a pack, or a conduct task by its id or a prefix.",
)
@click.option(
    "--mode", type=click.Choice(["refuse", "log"]), default="refuse", show_default=True,
    help="log: calls that would break a rule are made, and noted.",
)  # fmt: skip
@click.option("--guesses", is_flag=True, help="Rules that guess from words stop calls, too.")
@click.option(
    "--journal", type=click.Path(path_type=Path), metavar="FILE", help="Kept here, or gone on with."
)
@click.option(
    "--http", "url", metavar="URL", help="The server's address; the guard prints its own."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="With --http: the guard's own port."
)
@click.option(
    "--replay", type=click.Path(path_type=Path), metavar="JOURNAL", help="Decide all of it again."
)
@click.argument("server", metavar="-- CMD...", nargs=-1, type=click.UNPROCESSED)
@as_json
@common
def command(*, criteria: str, **given: Any) -> int:
    """Stand between an agent and a server of tools (MCP), and ask the rules before every call.

    Give this command to the agent's program in place of the server's own. A call that would break a
    rule is not made, and the agent is told the rule. Exits with 1 when a replay decides otherwise,
    and with 3 when the guard lost the thread.
    """
    way = Way(**given)
    way.check()
    rules = _rules(criteria)
    if way.replay is not None:
        return _replayed(rules, way.replay, as_json=way.as_json)
    journal = Journal(way.journal) if way.journal is not None else None
    with closing(Guard(rules, mode=way.mode, guesses=way.guesses, journal=journal)) as guard:
        try:
            _stand(guard, way)
        except KeyboardInterrupt:
            tell("\nstopped")
        tell(_sum(guard))
    if rules.astray:
        complain(f"the guard lost the thread: {rules.astray}", "nothing was stopped after that")
        return OUR_FAILURE
    return 0


def _rules(name: str) -> Rules:
    """The rules of a conduct task, or of a criteria file or pack."""
    there = content()
    tasks, packs = there.tasks("conduct"), there.packs()
    if not Path(name).is_file() and name not in packs:
        if name and any(one.startswith(name) for one in tasks):
            return TaskRules(load_task(there, load_company(there), name))
        if not {"/", "."} & set(name):
            what = f"no criteria file, no pack and no conduct task {name!r}"
            near = nearest(name, (*packs, *tasks))
            there_are = f"packs: {', '.join(packs)}; `bythebook tasks` lists conduct tasks"
            raise UsageError(what, hint=f"did you mean {near!r}?" if near else there_are)
    rules = TraceRules(load_rulebook(there.pack(name)), hears=False)
    if rules.set_aside:
        named = ", ".join(sorted(rules.set_aside))
        tell(f"set aside, because words are not heard over MCP: {escape(named)}")
    return rules


def _stand(guard: Guard, way: Way) -> None:
    if way.url is None:
        # A reader of its own, never closed: when the server ends first a thread still reads it, and
        # closing sys.stdin at that moment would abort the program.
        client = BufferedReader(FileIO(sys.stdin.fileno(), closefd=False))
        over_stdio(Relay(guard), way.server, client, sys.stdout.buffer)
        return
    demand_extra()
    from bythebook.guard.http import HttpGuard

    async def stand() -> None:
        async with HttpGuard(Relay(guard), cast("str", way.url)).standing(way.port) as url:
            if way.as_json:
                emit({"url": url, "rules": guard.rules.name, "mode": guard.mode})
            else:
                click.echo(url)
            tell("Ctrl-C stops it")
            await anyio.sleep_forever()

    anyio.run(stand)


def _sum(guard: Guard) -> str:
    passed = counted(guard.passed, "call")
    return f"{passed} passed, {guard.refused} refused, {guard.noted} noted"


def _replayed(rules: Rules, path: Path, *, as_json: bool) -> int:
    guard = Guard(rules)
    lines = tuple(read_journal(path))
    if not lines:
        hint = "nothing was decided before it ended; --journal FILE keeps another"
        raise TraceError("there is no whole line in this journal", where=path, hint=hint)
    different = guard.replay(lines)
    if as_json:
        counts = {"passed": guard.passed, "refused": guard.refused, "noted": guard.noted}
        emit({"rules": rules.name, **counts, "different": different, "astray": rules.astray})
    for one in different:
        tell(escape(one))
    tell(_sum(guard))
    return FELL_SHORT if different else 0
