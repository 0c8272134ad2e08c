"""A harness engaged for an evaluation: with its model, and the sandbox that holds it."""

from pathlib import Path
from typing import Any

from bythebook.conduct.task import ConductTask
from bythebook.deliverables.library import furniture
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import UsageError
from bythebook.gateway.extra import demand_extra
from bythebook.harness.adapter import Harness
from bythebook.harness.agent import HarnessAgent
from bythebook.harness.install import demand
from bythebook.harness.workplace import WINDOW, Terms
from bythebook.run.plan import Programs
from bythebook.run.reach import Reach
from bythebook.sandbox.furniture import BARE, Furniture
from bythebook.sandbox.layout import Kind

UNCAPPED = 100_000
"""Model calls, where an attempt has no cap of its own: a number that none will reach."""


class Engaged:
    """A harness over one model; all its attempts share the model's connections."""

    acts = True

    def __init__(
        self,
        harness: Harness,
        reach: Reach,
        kind: Kind,
        *,
        context_tokens: int | None = None,
        secrets: tuple[Path, ...] = (),
    ) -> None:
        """`context_tokens`: of the model's window. `secrets`: folders that are hidden from it.

        Raises `UsageError` where it is not installed, or nothing can serve it.
        """
        self.harness, self.kind = harness, kind
        self.name = harness.recipe.name
        self.model, self.base_url = reach.name, reach.base_url
        self._reach, self._secrets = reach, secrets
        self._window = context_tokens or WINDOW
        self._installed = demand(harness.recipe)
        demand_extra()

    @property
    def settings(self) -> dict[str, Any]:
        return self._reach.sent

    def programs(self, unbounded: tuple[str, ...]) -> Programs:
        """As the plan tells of it."""
        return Programs(
            sandbox=self.kind,
            unbounded=unbounded,
            harness=f"{self.name} {self.harness.recipe.version}",
            harness_packages=self._installed.packages,
            differences=self.harness.differences,
        )

    def terms(self, steps: int | None, *secrets: Path, beside: Furniture = BARE) -> Terms:
        """For one attempt. `beside`: what stands in its sandbox beside its own."""
        return Terms(
            harness=self.harness,
            model=self._reach.client,
            kind=self.kind,
            settings=self._reach.settings,
            steps=UNCAPPED if steps is None else steps,
            context_tokens=self._window,
            furniture=beside,
            secrets=(*self._secrets, *secrets),
        )

    def demand_tools(self) -> None:
        """Raises `UsageError` for a harness that takes none: it can neither play in a company, nor
        judge."""
        if not self.harness.takes_tools:
            what = f"{self.name} cannot be given tools"
            raise UsageError(what, hint="it can play in `deliverables`, where it needs none")

    async def close(self) -> None:
        await self._reach.close()


class HarnessCast(Engaged):
    """Plays in a company, with the scene's tools over MCP."""

    def agent(self, task: ConductTask) -> HarnessAgent:
        self.demand_tools()
        return HarnessAgent(self.terms(None, task.folder.resolve().parents[2]))


class Working(Engaged):
    """Works in the workspace of a deliverables task."""

    def check(self, task: DeliverableTask) -> None:
        """It can work at every task."""

    def at_work(self, steps: int | None, secrets: tuple[Path, ...]) -> Terms:
        """With the office libraries that `loop` has."""
        return self.terms(steps, *secrets, beside=furniture())
