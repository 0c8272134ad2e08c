"""A suite as an evaluation needs it: a scene to keep, an attempt to play, a verdict to make."""

from typing import Protocol, TypeVar

from bythebook.run.folder import RunFolder, SceneBytes
from bythebook.run.plan import Plan, PlannedTask
from bythebook.trace import Header, Outcome, Trace
from bythebook.verdict import Verdict


class Stage(Protocol):
    """The stage of one evaluation: its tasks, and who plays them."""

    def scene(self, task: str) -> SceneBytes:
        """What a verdict on this task needs beside a trace."""
        ...

    async def attempt(self, planned: PlannedTask, place: RunFolder, header: Header) -> Outcome:
        """Play the task once into `place`, to the closing line of its journal.

        Whatever the agent, its provider or the suite's own code does is an outcome. Only a disk
        that takes no more raises.
        """
        ...

    async def verdict(self, trace: Trace, place: RunFolder, plan: Plan) -> Verdict:
        """The verdict of a finished run."""
        ...


F = TypeVar("F", covariant=True)
"""What a suite counts in a trace: `Statistics` or `Effort`."""


class Bench(Protocol[F]):
    """Judges the runs of one folder from what is on disk."""

    @property
    def recorded(self) -> bool:
        """Whether it judges under the rules that were stored with the runs."""
        ...

    def verdict(self, trace: Trace, place: RunFolder, plan: Plan | None) -> Verdict:
        """Raises `TraceError` when what lies in the place is not what was written there."""
        ...

    def figures(self, trace: Trace, planned: PlannedTask | None) -> F:
        """What the agent did, counted."""
        ...
