"""`bythebook act`: a run played call by call, by any program that can give a command."""

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from bythebook.cli.hands import AskHand, by_hand, the_task, today
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, tell
from bythebook.cli.view import view_text
from bythebook.errors import UsageError
from bythebook.serve.hand import begin, sitting
from bythebook.serve.remote import Remote
from bythebook.serve.seat import Response, Seat, View, arguments


@click.command("act")
@click.argument("words", nargs=-1, metavar="RUN|URL [TOOL [JSON]]")
@click.option("--new", is_flag=True, help="Begin a run: act --new conduct TASK --to DIR.")
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.")
@by_hand
@as_json
@common
def command(words: tuple[str, ...], new: bool, to: Path | None, as_json: bool, **given: Any) -> int:
    """Play a run call by call.

    \b
    act --new conduct TASK --to DIR    begin a run, and print its folder RUN
    act RUN                            the briefing, and where things stand
    act RUN TOOL '{"name": "value"}'   use a tool, and print what it answers
    act RUN TOOL -                     the same, with the arguments on standard input

    An URL of `bythebook serve --http` stands where RUN does. A refusal is an answer, with exit
    code 0. The run ends with the tool `finish`; its verdict then stands beside its trace.
    """
    if new:
        return _begin(words, to, AskHand(**given), as_json=as_json)
    if not words or len(words) > 3:
        raise UsageError("which run?", hint="act RUN|URL [TOOL [JSON]], or act --new conduct TASK")
    if to is not None:
        raise UsageError("--to goes with --new")
    where, *call = words
    if where.startswith(("http://", "https://")):
        return _act(Remote(where), where, call, as_json=as_json)
    with sitting(Path(where), today) as session:
        return _act(session, where, call, as_json=as_json)


def _begin(words: tuple[str, ...], to: Path | None, ask: AskHand, *, as_json: bool) -> int:
    if len(words) != 2 or to is None:
        raise UsageError("which task, and where to?", hint="act --new conduct TASK --to DIR")
    place = begin(to, the_task(*words), ask.player, ask.under)
    # Opened once, so that what comes before the first call stands in the journal.
    with sitting(place.root, today):
        pass
    if as_json:
        emit({"run": str(place.root)})
    else:
        click.echo(place.root)
    return 0


def _act(seat: Seat, where: str, call: list[str], *, as_json: bool) -> int:
    if not call:
        view = seat.view()
        how = f"bythebook act {shlex.quote(where)} TOOL 'JSON object of arguments'"
        _show(view, view_text(view, how), as_json=as_json)
        return 0
    tool, *sent = call
    response = seat.call(tool, arguments(_sent(sent)))
    text = response.text if response.ok else f"refused: {response.text}"
    _show(response, text, as_json=as_json)
    if response.outcome is not None:
        tell(f"the run is over: {response.outcome}")
    return 0


def _show(document: View | Response, text: str, *, as_json: bool) -> None:
    if as_json:
        emit(document)
    else:
        click.echo(text)


def _sent(sent: list[str]) -> str:
    text = sent[0] if sent else ""
    return sys.stdin.read() if text == "-" else text
