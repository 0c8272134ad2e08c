"""Where traces are judged: one task's scene file, and every trace that came before it."""

from collections.abc import Iterable, Mapping

import msgspec

from bythebook.conduct.criteria import SceneFile, evaluate
from bythebook.conduct.criteria.hits import AnyEvent
from bythebook.conduct.task import ConductTask
from bythebook.verdict import Finding, all_pass


class Judged(msgspec.Struct, frozen=True):
    """A trace and what every rule found in it."""

    events: tuple[AnyEvent, ...]
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> frozenset[str]:
        """Rules that do not pass."""
        return frozenset(f.id for f in self.findings if f.verdict != "pass")

    @property
    def void(self) -> tuple[str, ...]:
        """Rules that reached no verdict, and why."""
        return tuple(f"{f.id}: {f.why}" for f in self.findings if f.verdict == "void")

    @property
    def by_id(self) -> Mapping[str, Finding]:
        return {finding.id: finding for finding in self.findings}

    def holds(self, kind: str) -> bool:
        """All rules of a kind pass."""
        return all_pass(self.findings, kind) is True


class Court:
    """Judges traces of one task and remembers them, for the criteria's own mutants."""

    def __init__(self, task: ConductTask) -> None:
        self.task = task
        self.scene = SceneFile.build(task)
        self.criteria = self.scene.criteria
        self.seen: list[Judged] = []

    def judge(self, events: Iterable[AnyEvent]) -> Judged:
        """The findings on one trace."""
        kept = tuple(events)
        found = Judged(kept, evaluate(self.criteria, self.scene, kept))
        self.seen.append(found)
        return found
