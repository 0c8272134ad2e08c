"""Where runs are played: in this process, or by the workers of a Ray cluster."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from bythebook.cli.asked import Ask
from bythebook.cli.options import Asked, asked
from bythebook.cli.speak import people, tell
from bythebook.cli.terms import order
from bythebook.cli.watch import Bar
from bythebook.errors import BythebookError, UsageError
from bythebook.run.evaluate import Evaluation, Tally, evaluate, own_or_empty
from bythebook.run.folder import EvaluationFolder
from bythebook.run.mirror import Mirror, Mirrored
from bythebook.run.plan import Plan
from bythebook.run.stage import Stage
from bythebook.run.traffic import Traffic

Staged = Callable[[Ask, EvaluationFolder, Traffic], AbstractAsyncContextManager[tuple[Plan, Stage]]]
"""How a suite makes the plan and the stage that were asked for."""


@contextmanager
def mirrored(ask: Ask, folder: EvaluationFolder) -> Iterator[Mirror | None]:
    """The copy that was asked for: what is finished there is fetched, and at the end all that is
    here is put there, however it ended."""
    if not ask.mirror or ask.dry_run:
        yield None
        return
    found = Mirror(ask.mirror, folder)
    own_or_empty(folder)
    if runs := found.fetch():
        tell(f"{runs} finished {'run' if runs == 1 else 'runs'} fetched from {escape(ask.mirror)}")
    try:
        yield found
    except BaseException:
        with suppress(BythebookError):
            found.settle()
        raise
    found.settle()


async def played(
    ask: Ask, folder: EvaluationFolder, traffic: Traffic, staged: Staged, mirror: Mirror | None
) -> Tally:
    """Play what is missing, wherever that was asked for."""
    if ask.workers and ask.executor != "ray":
        raise UsageError("--workers is for --executor ray: here runs are played in one process")
    async with (
        staged(ask, folder, traffic) as (plan, stage),
        _executed(ask, folder, traffic, (plan, stage), staged) as there,
    ):
        with Bar(people(), ledger=traffic.ledger) as bar:
            watch = bar if mirror is None else Mirrored(bar, mirror)
            evaluation = Evaluation(plan, there, folder, watch)
            return await evaluate(evaluation, order(ask, traffic))


@asynccontextmanager
async def _executed(
    ask: Ask,
    folder: EvaluationFolder,
    traffic: Traffic,
    ready: tuple[Plan, Stage],
    staged: Staged,
) -> AsyncIterator[Stage]:
    if ask.executor == "local":
        yield ready[1]
        return
    from bythebook.run.scaleout.cluster import OWN, demand_ray
    from bythebook.run.scaleout.crew import Hiring, crew

    demand_ray()
    roots = tuple(root.resolve() for root in asked().roots)
    recipe = Rebuilt(ask, roots, staged.__module__)
    hiring = Hiring(
        concurrency=ask.concurrency,
        workers=ask.workers,
        address=os.environ.get("RAY_ADDRESS") or OWN,
    )
    async with crew(recipe, ready, folder, traffic, hiring, tell=_told) as found:
        yield found


def _told(says: str) -> None:
    tell(f"[yellow]workers:[/] {escape(says)}")


@dataclass(frozen=True)
class Rebuilt:
    """A worker's own stage, from the options of the command. Keys come from its environment."""

    ask: Ask
    roots: tuple[Path, ...]
    """Of --content."""
    suite: str
    """The module that stages it."""

    @asynccontextmanager
    async def __call__(
        self, folder: EvaluationFolder, traffic: Traffic
    ) -> AsyncIterator[tuple[Plan, Stage]]:
        suite: Any = import_module(self.suite)
        with click.Context(click.Command("run"), obj=Asked(list(self.roots))):
            async with suite.staged(self.ask, folder, traffic) as found:
                yield found
