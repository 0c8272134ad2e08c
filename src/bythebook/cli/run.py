"""`bythebook run`: an agent let loose on tasks, every run kept and judged."""

import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
import click
from rich.markup import escape

from bythebook.cli.asked import Ask
from bythebook.cli.customer import customer
from bythebook.cli.foretold import foretell
from bythebook.cli.options import as_json, common
from bythebook.cli.preset import applied
from bythebook.cli.scale import mirrored
from bythebook.cli.score import judged_again, shown
from bythebook.cli.speak import complain_of, counted, emit, people, tell
from bythebook.cli.terms import keep, terms, traffic
from bythebook.errors import UsageError
from bythebook.run.durable import write_whole
from bythebook.run.evaluate import GIVE_UP, NOT_BEGUN, Tally
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.mirror import Mirror
from bythebook.run.plan import PICTURES
from bythebook.run.score import scores
from bythebook.run.traffic import Traffic
from bythebook.task import SUITES

MODULES = {"conduct": "conduct", "deliverables": "deliver"}
"""Suite to the module beside this one that plays it."""


@click.command("run")
@click.argument("suite", type=click.Choice(SUITES))
@click.option("--task", "tasks", multiple=True, metavar="ID", help="This task (id or its prefix).")
@click.option(
    "--agent",
    help="loop, a harness (see `bythebook harness`), or one without a model.",
)
@click.option(
    "--preset", type=click.Choice(["paper"]), help="The paper's settings where none are given."
)
@click.option("--model", metavar="PROVIDER:NAME", help="The model of `loop` or a harness.")
@click.option("--base-url", default="", metavar="URL", help="Where the model is served.")
@click.option("--key-variable", metavar="NAME", help="Environment variable that holds the key.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1), help="Runs a task.")
@click.option(
    "--condition",
    default="default",
    show_default=True,
    help="default, gold-docs, full-disclosure, golden-trace, events, without:SOURCE; joined by +.",
)
@click.option(
    "--cap", default="", metavar="RATIO", help="Most tool calls, as a multiple of the golden's."
)
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="The run folder.")
@click.option("--concurrency", default=10, show_default=True, type=click.IntRange(1))
@click.option(
    "--attempts",
    default=3,
    show_default=True,
    type=click.IntRange(1),
    help="Tries a run, when an attempt fails through no fault of the agent.",
)
@click.option(
    "--steps",
    type=click.IntRange(1),
    metavar="N",
    help="Most turns of the agent in a run; else 200 in deliverables, and no limit in conduct.",
)
@click.option(
    "--agent-time", default=3600, show_default=True, type=click.IntRange(1), help="Seconds."
)
@click.option(
    "--context-tokens",
    type=click.IntRange(1000),
    metavar="N",
    help="Most tokens of a request, counted here (bytes / 4); else the provider says what fits.",
)
@click.option(
    "--pictures",
    default=PICTURES,
    show_default=True,
    type=click.IntRange(0),
    metavar="N",
    help="Most pictures in a request of `loop` (deliverables); 0: its model is shown none.",
)
@click.option("--max-tokens", default=32_768, show_default=True, type=click.IntRange(1))
@click.option("--temperature", type=float)
@click.option("--seed", type=int, help="Sent to the model, where its provider takes one.")
@click.option("--judge", metavar="JUDGE", help="Of deliverables; see `judge`.")
@click.option("--judge-base-url", default="", metavar="URL", help="Where it is served.")
@click.option("--judge-key-variable", metavar="NAME", help="Variable that holds its key.")
@click.option(
    "--unsafe-no-sandbox", is_flag=True, help="Let the agent's programs do whatever you may."
)
@customer
@terms
@as_json
@common
def command(to: Path | None, as_json: bool, preset: str | None, **given: Any) -> int:
    """Play the tasks of SUITE and judge every run.

    The same command goes on where it was stopped: finished runs are kept, and only what was in
    flight is played again.
    """
    given = applied(given, preset)
    if given["agent"] is None:
        raise UsageError("who plays?", hint="such as --agent loop, --agent nanobot, --agent golden")
    ask = Ask(**given)
    folder = EvaluationFolder(to or Path("runs") / ask.name)
    with mirrored(ask, folder) as mirror:
        return _run(ask, folder, mirror, as_json=as_json)


def _run(ask: Ask, folder: EvaluationFolder, mirror: Mirror | None, *, as_json: bool) -> int:
    """Play, judge and show; the exit code."""
    # What reads office files is loaded only by who needs it.
    suite: Any = import_module(f"bythebook.cli.{MODULES[ask.suite]}")
    shared = traffic(ask, folder)
    if ask.judge and not ask.dry_run and ask.suite == "deliverables":
        suite.foresee(ask, folder)
    try:
        tally = anyio.run(suite.play, ask, folder, shared, mirror)
    except KeyboardInterrupt:
        tell("\ninterrupted; what is finished is kept. The same command goes on:")
        tell(f"  bythebook {shlex.join(sys.argv[1:])}")
        return 130
    if ask.dry_run:
        return foretell(ask, folder, tally, as_json=as_json)
    keep(ask, folder)
    if tally.left:
        _tell_of_budget(tally, shared)
    judged = suite.judge(ask, folder) if ask.judge else 0
    return _close(folder, tally, as_json=as_json, table=not ask.judge) or judged


def _tell_of_budget(tally: Tally, shared: Traffic) -> None:
    runs = "1 run is" if tally.left == 1 else f"{tally.left} runs are"
    ledger = shared.ledger
    tell(
        f"[yellow]the budget ends here:[/] {ledger.cost:.4f} of {ledger.budget} USD are spent and"
        f" {runs} left; the same command with a larger --budget goes on"
    )


def _tell_of_missing(tally: Tally) -> None:
    """Why runs are missing; those that were not begun at all share a line."""
    begun = [(place, outcome) for place, outcome in tally.missing if outcome != NOT_BEGUN]
    for place, outcome in begun:
        says = escape(f"{place.task} run {place.number}: {outcome} {outcome.says}")
        tell(f"[bold red]missing:[/] {says}")
    if others := len(tally.missing) - len(begun):
        were = "was" if others == 1 else "were"
        tell(
            f"[bold red]missing:[/] {counted(others, 'run')} more {were} not begun, since"
            f" {GIVE_UP} attempts in a row had failed; the same command goes on"
        )


def _close(folder: EvaluationFolder, tally: Tally, *, as_json: bool, table: bool) -> int:
    """Write the summary, show it unless a judge has just done so, and say what is missing."""
    found = judged_again(folder)
    result = scores(folder, found)
    write_whole(folder.summary, as_text(result))
    if as_json:
        emit(result)
    elif table:
        people().print(*shown(result), sep="\n")
    were = "was" if tally.kept == 1 else "were"
    kept = f", {tally.kept} {were} finished before" if tally.kept else ""
    played = counted(tally.played, "run")
    tell(f"{played} played{kept}; traces and verdicts are in {escape(str(folder.root))}")
    _tell_of_missing(tally)
    for problem in found.problems:
        complain_of(problem)
    return 3 if tally.missing or tally.left else 2 if found.problems else 0
