"""`bythebook compare`: is the second evaluation worse than the first? For people and for builds."""

from typing import Any

import click
from msgspec import Struct

from bythebook.cli.options import as_json, common, content
from bythebook.cli.report import named
from bythebook.cli.speak import complain, emit, page
from bythebook.errors import UsageError
from bythebook.report.compare import Comparison, compare, compared
from bythebook.report.data import Evaluations, read_evaluations
from bythebook.report.render.junit import junit
from bythebook.report.render.markdown import markdown
from bythebook.report.render.terminal import show

MOST = 20
FORMATS = ("terminal", "markdown", "junit")


class Ask(Struct, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    by: str
    fail_under: float | None
    any_fall: bool
    form: str
    as_json: bool


class Document(Struct, frozen=True, kw_only=True):
    """What `--json` prints."""

    comparison: Comparison
    regressed: bool
    improved: bool
    fell_short: tuple[str, ...]
    """Why the exit code is 1."""


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--by", default="", metavar="FIGURE", help="strict, goal, ...; score, success, ...")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="N",
    help="Also fall short when B is under N (0 to 100).",
)
@click.option("--any-fall", is_flag=True, help="Also fall short when any single task fell.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="terminal")
@as_json
@common
def command(first: str, second: str, **given: Any) -> int:
    """Compare evaluation B with evaluation A, task by task; each is a folder, or NAME=FOLDER.

    Exit code 1: B is worse, told apart at 5 %, or fell short of what was asked. Tasks that only one
    of them played are left out and named.
    """
    ask = Ask(**given)
    names, folders = named((first, second))
    every = read_evaluations(folders, content(), named=names)
    _check(every, (first, second))
    found = compare(every.every[0], every.every[1], ask.by)
    short = _short(found, ask)
    if ask.as_json:
        emit(
            Document(
                comparison=found,
                regressed=found.regressed,
                improved=found.improved,
                fell_short=tuple(short),
            )
        )
    elif ask.form == "junit":
        click.echo(junit(every.every[1:]), nl=False)
    elif ask.form == "markdown":
        click.echo(markdown(compared(found, most=MOST)), nl=False)
    else:
        show(page(), [compared(found, most=MOST)])
    for problem in (*every.problems, *short):
        complain(problem)
    return 2 if every.problems else 1 if short else 0


def _check(every: Evaluations, given: tuple[str, str]) -> None:
    if len(every.every) != 2:
        hint = "name the folder of one evaluation each"
        raise UsageError(f"{len(every.every)} evaluations in {' and '.join(given)}", hint=hint)


def _short(found: Comparison, ask: Ask) -> list[str]:
    told = []
    if found.regressed:
        told.append(f"{found.second} is worse than {found.first}")
    if ask.fail_under is not None and found.second_value < ask.fail_under:
        told.append(
            f"{found.by} of {found.second} is {found.second_value:.1f}, under {ask.fail_under:g}"
        )
    if ask.any_fall and found.fallen:
        names = ", ".join(one.task for one in found.fallen)
        told.append(f"{len(found.fallen)} tasks fell: {names}")
    return told
