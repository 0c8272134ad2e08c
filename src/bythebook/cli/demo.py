"""`bythebook demo`: what this measures, shown in a minute or two without key or network."""

from collections.abc import Iterable
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
from bythebook.report.data import read_evaluations
from bythebook.task import SUITES, Content, Suite

SITE = "site"
"""Folder of the pages inside the demo's."""


class Demo(msgspec.Struct, frozen=True):
    """What was seen; None for a suite that was not asked for."""

    folder: str
    site: str
    """Page to be opened."""
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
    to, one that does nothing. Then write a site on which every run can be played again.

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
    page = written([root / place for place in plans], found, root / SITE)
    right = all(seen.as_it_should_be for seen in (done, handed) if seen is not None)
    if as_json:
        emit(Demo(str(root), page, right, done, handed))
    else:
        tell(f"Traces and verdicts: {escape(str(root))}/AGENT/TASK/1/; `bythebook show` reads them")
        tell(f"Site: [bold]{escape(page)}[/]; open it in a browser, no server is needed")
    if not right:
        tell("[bold red]this is not the table it should be[/]; `bythebook prove` says more")
    return 0 if right else 1


def written(folders: Iterable[Path], found: Content, to: Path) -> str:
    """The site of all that was played, over the one of an earlier demo: the page to be opened."""
    # What draws is loaded only by who wants it.
    from bythebook.report.figures import figures_of
    from bythebook.report.site.build import Asked, build_site
    from bythebook.report.tables import TABLES, table

    evaluations = read_evaluations(list(folders), found)
    tables = tuple(one for name in TABLES if (one := table(name, evaluations)).rows)
    asked = Asked(replay="all", tables=tables, figures=tuple(figures_of(tables)))
    return build_site(evaluations, to, asked).page
