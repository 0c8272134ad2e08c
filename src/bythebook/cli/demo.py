"""`bythebook demo`: what this measures, shown in a minute or two without key or network."""

from pathlib import Path

import click
import msgspec
from rich.markup import escape

from bythebook import __version__
from bythebook.cli.demo_conduct import ConductDemo, ConductSeen
from bythebook.cli.demo_deliverables import DeliverablesDemo, DeliverablesSeen
from bythebook.cli.demo_folder import free
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import emit, people, tell
from bythebook.task import SUITES, Suite


class Demo(msgspec.Struct, frozen=True):
    """What was seen; None for a suite that was not asked for."""

    folder: str
    as_it_should_be: bool
    conduct: ConductSeen | None
    deliverables: DeliverablesSeen | None


@click.command("demo")
@click.option(
    "--suite", type=click.Choice(SUITES), help="Only this one; both, unless one is named."
)
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where traces and verdicts go; runs/demo unless given.",
)
@as_json
@common
def command(suite: Suite | None, to: Path | None, as_json: bool) -> int:
    """Play every task with agents that need no model: one that does it right, one that only seems
    to, one that does nothing.

    Needs no key, no network, no root. Exits with 1 if a table is not as it should be.
    """
    found = content()
    conduct = ConductDemo(found) if suite != "deliverables" else None
    deliverables = DeliverablesDemo(found) if suite != "conduct" else None
    demos = [demo for demo in (conduct, deliverables) if demo is not None]
    plans = {place: plan for demo in demos for place, plan in demo.plans.items()}
    root = to or free(Path("runs") / "demo", plans)
    people().print(f"[bold]bythebook {__version__}[/]\n")
    done = conduct.play(root) if conduct is not None else None
    if conduct is not None and done is not None and not as_json:
        conduct.tell(done)
        tell("")
    handed = deliverables.play(root) if deliverables is not None else None
    if deliverables is not None and handed is not None and not as_json:
        deliverables.tell(handed)
        tell("")
    right = all(seen.as_it_should_be for seen in (done, handed) if seen is not None)
    if as_json:
        emit(Demo(str(root), right, done, handed))
    else:
        tell(f"Traces and verdicts: {escape(str(root))}/AGENT/TASK/1/; `bythebook show` reads them")
    if not right:
        tell("[bold red]this is not the table it should be[/]; `bythebook prove` says more")
    return 0 if right else 1
