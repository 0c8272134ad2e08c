"""`bythebook build deliverable-task`: from a survey of products to tasks, gate by gate."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.markup import escape

from bythebook.build.deliverable import draft as drafts
from bythebook.build.deliverable.build import built
from bythebook.build.deliverable.forms import begin
from bythebook.build.deliverable.gates import (
    Unready,
    decide,
    lacks_of,
    matter,
    split,
    standings,
)
from bythebook.build.deliverable.place import KINDS, Place
from bythebook.build.deliverable.proving import prove
from bythebook.build.deliverable.report import report
from bythebook.build.ledger import Decided, Ruling, demand_begun
from bythebook.build.mind import Mind
from bythebook.cli.build_mind import WHO, going_on, mind_of, minded
from bythebook.cli.build_told import tell_report, tell_stands
from bythebook.cli.options import as_json, common, content
from bythebook.cli.reading import reader
from bythebook.cli.speak import complain, emit, tell
from bythebook.errors import UsageError
from bythebook.run.durable import on_disk

PLACE = "bythebook.build.place"
"""Where --to is kept for the words under this one."""
TO = click.option(
    "--to",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where it is built (needed): pool/, interviews/, scenarios/, tasks/ and the ledger.",
)
DECISIONS: tuple[Decided, ...] = ("pass", "return", "discard", "waive")


@click.group("deliverable-task", invoke_without_command=True)
@TO
@as_json
@common
@click.pass_context
def command(ctx: click.Context, to: Path | None, as_json: bool) -> int | None:
    """Build a deliverables task from products that people pay for, and their users.

    Alone it shows where everything in DIR stands and what comes next. Exits with 1 while something
    is open.
    """
    ctx.meta[PLACE] = to
    if ctx.invoked_subcommand is not None:
        return None
    place = _place(ctx)
    found = built(place)
    if as_json:
        emit(msgspec.to_builtins(found) | {"done": found.done})
    else:
        tell_stands(found, place)
    return 0 if found.done else 1


def _place(ctx: click.Context) -> Place:
    # Asked for here and not by the option: `decide --help` needs no place.
    if ctx.meta[PLACE] is None:
        raise UsageError("no place is named", hint="build deliverable-task --to DIR ...")
    return Place(ctx.meta[PLACE], content(), reader())


@command.command("new")
@click.argument("kind", type=click.Choice(tuple(KINDS)))
@click.argument("name", metavar="ID")
@as_json
@common
@click.pass_context
def new(ctx: click.Context, kind: str, name: str, as_json: bool) -> None:
    """Lay out the forms of a product, an interview, a scenario or a task, to be filled in."""
    written = list(begin(_place(ctx), kind, name))
    if as_json:
        emit({"kind": kind, "id": name, "wrote": list(map(str, written))})
    for path in written:
        tell(f"fill in {escape(str(path))}")


@command.command("show")
@click.argument("subject")
@as_json
@common
@click.pass_context
def show(ctx: click.Context, subject: str, as_json: bool) -> int:
    """Each gate of SUBJECT (product/ID, scenario/ID, task/ID), and all that keeps it shut."""
    place = _place(ctx)
    what = matter(place, subject)
    standing = standings(place, subject)
    gates = [
        (gate, standing[gate.name], lacks_of(place, gate.name, subject)) for gate in what.gates
    ]
    if as_json:
        shown = [
            {"gate": at.gate, "state": at.state, "says": at.says}
            | {"changed": at.changed, "lacks": lacks}
            for _, at, lacks in gates
        ]
        emit({"subject": subject, "gates": shown})
    for gate, at, lacks in [] if as_json else gates:
        tell(f"[bold]{gate.name}[/]: {escape(gate.asks)}\n  {escape(at.says)}")
        for lack in lacks:
            tell(f"  [yellow]-[/] {escape(str(lack))}")
    return 0 if all(at.holds for _, at, _ in gates) else 1


@command.command("decide")
@click.argument("gate")
@click.argument("subject")
@click.option("--pass", "decided", flag_value="pass", help="It passes.")
@click.option("--return", "decided", flag_value="return", help="It goes back to be mended.")
@click.option("--discard", "decided", flag_value="discard", help="It is out.")
@click.option("--waive", "decided", flag_value="waive", help="A person skips the gate.")
@click.option("--who", required=True, metavar="NAME", help="Who signs.")
@click.option("--kind", required=True, type=click.Choice(["expert", "person", "model"]))
@click.option("--years", type=click.IntRange(0), help="An expert's, of work in the domain.")
@click.option("--domain", default="", help="An expert's, one of the six.")
@click.option("--why", required=True, metavar="TEXT", help="The reason.")
@click.option("--day", default="", metavar="YYYY-MM-DD", help="Today, if left out.")
@as_json
@common
@click.pass_context
def settle(
    ctx: click.Context,
    /,
    subject: str,
    decided: Decided | None,
    day: str,
    as_json: bool,
    **said: Any,
) -> int:
    """Write into the ledger that SUBJECT passes GATE, goes back, is out, or skips it."""
    if decided not in DECISIONS:
        hint = "--pass, --return, --discard or --waive"
        raise UsageError("what is decided?", hint=hint)
    place = _place(ctx)
    demand_begun(day)
    try:
        made = decide(place, subject, Ruling(decided=decided, **said), day=day)
    except Unready as unready:
        if as_json:
            emit({"gate": unready.gate, "subject": unready.subject, "lacks": unready.lacks})
        complain(f"{unready.what}:")
        for lack in unready.lacks:
            tell(f"[yellow]-[/] {escape(str(lack))}")
        return 1
    if as_json:
        emit(made)
    tell(escape(f"{made.gate} of {subject}: {made.decided} (line {made.n} of the ledger)"))
    return 0


@command.command("prove")
@click.argument("task")
@as_json
@common
@click.pass_context
def try_out(ctx: click.Context, task: str, as_json: bool) -> int:
    """Prove TASK as `bythebook prove` does, and keep what came of it for its gates."""
    place = _place(ctx)
    name = split(task)[1] if "/" in task else task
    place.need("task", name)
    with on_disk(place.root):
        proof = prove(place, name)
    if as_json:
        emit(proof)
    for says in () if as_json else (*proof.problems, *proof.survivors, *proof.not_run):
        tell(f"[yellow]-[/] {escape(says)}")
    truth = "gets the full score" if proof.goldens else "does not get the full score"
    tell(f"the reference {truth}; {'proved' if proof.proved else 'not proved'}")
    return 0 if proof.proved else 1


@command.command("report")
@as_json
@common
@click.pass_context
def tell_all(ctx: click.Context, as_json: bool) -> None:
    """The five quality criteria, the funnel, the experts, and every gate that was waived."""
    found = report(_place(ctx))
    if as_json:
        emit(found)
    else:
        tell_report(found)


# --- drafts -------------------------------------------------------------------------------------


@command.group("draft")
def draft() -> None:
    """Ask a model, or anybody by hand, for a beginning. It passes no gate."""


@draft.command("scenario")
@click.argument("product")
@click.argument("name", metavar="ID")
@minded
@as_json
@common
@click.pass_context
def scenario(ctx: click.Context, /, product: str, name: str, as_json: bool, **reach: Any) -> int:
    """A scenario ID from the interviews about PRODUCT."""
    place = _place(ctx)
    mind = _mind(place, reach)
    return _tell(lambda: drafts.draft_scenario(place, mind, product, name), as_json=as_json)


@draft.command("query")
@click.argument("name", metavar="SCENARIO")
@minded
@as_json
@common
@click.pass_context
def query(ctx: click.Context, /, name: str, as_json: bool, **reach: Any) -> int:
    """A request (prompt.md) for SCENARIO."""
    place = _place(ctx)
    mind = _mind(place, reach)
    return _tell(lambda: drafts.draft_query(place, mind, name), as_json=as_json)


@draft.command("rubric")
@click.argument("task")
@minded
@as_json
@common
@click.pass_context
def rubric(ctx: click.Context, /, task: str, as_json: bool, **reach: Any) -> int:
    """Scoring points for TASK, and what of the request each watches."""
    place = _place(ctx)
    mind = _mind(place, reach)
    return _tell(lambda: drafts.draft_rubric(place, mind, task), as_json=as_json)


def _mind(place: Place, reach: dict[str, Any]) -> Mind:
    mind = mind_of(place.root, **reach)
    if mind is None:
        raise UsageError("who is to be asked?", hint=f"--model {WHO}")
    return mind


def _tell(ask: Callable[[], drafts.Drafted], *, as_json: bool) -> int:
    with going_on():
        found = ask()
    if as_json:
        paths = {"wrote": found.written, "waiting": found.waiting}
        told: dict[str, Any] = {name: list(map(str, some)) for name, some in paths.items()}
        emit(told | {"open": found.open, "wrong": found.wrong})
    for path in found.written:
        tell(f"wrote {escape(str(path))}")
    for says in found.open:
        tell(f"[yellow]open[/] {escape(says)}")
    for path in found.waiting:
        tell(f"an answer is wanted: {escape(str(path / 'prompt.md'))}; then give this again")
    for name, says in found.wrong.items():
        complain(f"{name}: the answer does not hold", f"{says}\nmend it, then give this again")
    return 0 if found.written else 1
