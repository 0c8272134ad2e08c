"""`bythebook play`: a task played by a person, at a terminal."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.markup import escape

from bythebook.cli.hands import AskHand, by_hand, the_task
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, people, tell
from bythebook.cli.terminal import Terminal
from bythebook.errors import UsageError
from bythebook.report.findings import broken
from bythebook.run.folder import RunFolder
from bythebook.serve.hand import begin, sitting
from bythebook.serve.remote import Remote
from bythebook.serve.seat import Seat
from bythebook.verdict import Verdict


@click.command("play")
@click.argument("words", nargs=-1, metavar="SUITE TASK|URL")
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.")
@by_hand
@as_json
@common
def command(words: tuple[str, ...], to: Path | None, as_json: bool, **given: Any) -> int:
    """Play TASK yourself: read, search, ask the customer, act. `help` lists what you can type.

    Leave whenever you like: the same command goes on. At the end the verdict is shown. With the
    URL of a server (`bythebook serve --http`) you play there, and the verdict stays there.
    """
    if len(words) == 1 and words[0].startswith(("http://", "https://")):
        outcome = _play(Remote(words[0]))
        if as_json:
            emit({"url": words[0], "outcome": outcome})
        return 0
    if len(words) != 2:
        raise UsageError("which task?", hint="play conduct TASK, or play URL")
    task, ask = the_task(*words), AskHand(**given)
    root = to or Path("runs") / f"{words[0]}-{ask.agent}"
    place = begin(root, task, ask.player, ask.under, go_on=True)
    with sitting(place.root, lambda _: task) as session:
        outcome = _play(session)
    _tell(place, outcome, as_json=as_json)
    return 0


def _play(seat: Seat) -> str | None:
    """The outcome of the run; None when the player left before its end."""
    console = Console(stderr=True, highlight=False, emoji=False)
    with ExitStack() as stack:
        terminal = Terminal(seat, console, _ask)
        _complete(terminal.completions, stack)
        terminal.play()
    if terminal.outcome is not None:
        tell(f"the run is over: {escape(terminal.outcome)}")
    return terminal.outcome


def _ask(prompt: str) -> str:
    """A line that is typed. Without a terminal on both sides `input` would prompt on stdout."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return input(prompt)
    click.echo(prompt, nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.removesuffix("\n")


def _tell(place: RunFolder, outcome: str | None, *, as_json: bool) -> None:
    """The verdict, or how to go on."""
    told: dict[str, Any] = {"run": str(place.root), "outcome": outcome}
    if not place.verdict.exists():
        if as_json:
            emit(told)
        tell(f"the run is kept in {escape(str(place.root))}; the same command goes on")
        return
    verdict = msgspec.json.decode(place.verdict.read_bytes(), type=Verdict)
    kinds = ("goal", "process", "protection", "strict")
    if as_json:
        broke = [finding for finding in verdict.findings if finding.verdict != "pass"]
        emit({**told, **{kind: getattr(verdict, kind) for kind in kinds}, "broken": broke})
    for kind in kinds:
        held = getattr(verdict, kind)
        tell(f"{kind:10}  {'void' if held is None else 'held' if held else '[bold red]broken[/]'}")
    people().print("\n".join(broken(verdict)))
    tell(f"trace and verdict are in {escape(str(place.root))}")


def _complete(words: Callable[[str], list[str]], stack: ExitStack) -> None:
    """Completion with the tab key, and the lines typed so far with the arrow keys."""
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        found = words(text)
        return found[state] if state < len(found) else None

    stack.callback(readline.set_completer, readline.get_completer())
    readline.set_completer(complete)
    readline.set_completer_delims(" =,[]{}\"'")
    apple = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if apple else "tab: complete")
