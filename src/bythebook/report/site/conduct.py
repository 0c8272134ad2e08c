"""Replays of conduct: the runs of one task, and what they have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.sops import Sop
from bythebook.report.site.consents import Consent, consents
from bythebook.report.site.deadlines import Deadline, fixed
from bythebook.report.site.moments import Moment, moment, values
from bythebook.report.site.overview import Says
from bythebook.report.site.papers import Paper, Shelf, papers
from bythebook.report.site.pool import Pool
from bythebook.report.site.spoken import listen
from bythebook.report.site.watched import Gauge, Line, gauges, lines
from bythebook.tool import Day
from bythebook.trace import Trace
from bythebook.verdict import Finding, Mark, Verdict


class RuleTold(msgspec.Struct, frozen=True, kw_only=True):
    """A criterion as its author wrote it."""

    id: str
    kind: str
    says: str
    source: str = ""
    """family#clause"""
    written: tuple[tuple[str, str], ...]
    """Field and text: `always`, `row('reserves', ..) >= 2000`."""


class StepTold(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    do: str
    decide: str = ""
    onward: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str
    steps: tuple[StepTold, ...]


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """The task as some of the runs were played: all that stand on one scene file."""

    scene: str
    task_hash: str
    day: Day
    clock: int
    """Minutes after midnight at which the story's minute 0 lies."""
    rules: tuple[RuleTold, ...]


class Found(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one rule found; its words stand in the edition."""

    id: str
    verdict: Mark
    vacuous: bool = False
    at: int | None = None
    write: int | None = None
    why: str = ""
    values: dict[str, Any] = {}
    margin: int | None = None


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """The chunk of one run."""

    suite: str = "conduct"
    edition: int
    outcome: str
    says: str
    findings: tuple[Found, ...]
    moments: tuple[Moment, ...]
    lines: tuple[Line, ...]
    deadlines: tuple[Deadline, ...]
    consents: tuple[Consent, ...]
    papers: tuple[Paper, ...]


@dataclass(frozen=True)
class Opened:
    """A scene with what follows from it alone: it is the same for all runs that stand on it."""

    scene: SceneFile

    @cached_property
    def gauges(self) -> tuple[Gauge, ...]:
        return gauges(self.scene.criteria)

    @cached_property
    def deadlines(self) -> tuple[Deadline, ...]:
        return fixed(self.scene)


@dataclass
class Casebook:
    """The replays of one task, gathered, then written out."""

    shelf: Shelf = field(default_factory=Shelf)
    pool: Pool = field(default_factory=Pool)
    editions: list[Edition] = field(default_factory=list)
    _scenes: dict[str, Opened] = field(default_factory=dict)

    def meet(self, trace: Trace) -> None:
        """Count what runs have in common; every run is met before the first one is told."""
        self.pool.meet(value for event in trace.events for value in values(event))

    @property
    def sentences(self) -> dict[str, Says]:
        """Rule to what it asks, in the first edition."""
        rules = [rule for edition in self.editions[:1] for rule in edition.rules]
        return {rule.id: Says(rule.says, rule.kind) for rule in rules}

    def replay(self, trace: Trace, path: Path, verdict: Verdict) -> Replay:
        """`path`: of the scene. Raises `TraceError` where it, or a row of the trace, does not
        read."""
        opened = self._opened(path)
        scene = opened.scene
        heard = listen(scene, trace.events)
        closing = trace.closing
        return Replay(
            edition=self._edition(scene),
            outcome=verdict.outcome,
            says=closing.outcome.says if closing is not None else "",
            findings=tuple(map(_found, verdict.findings)),
            moments=tuple(moment(event, self.pool, heard.spoken) for event in trace.events),
            lines=lines(scene, trace.events, opened.gauges),
            deadlines=(*opened.deadlines, *heard.awaited),
            consents=consents(scene, trace.events),
            papers=papers(trace.events, scene.day, self.shelf),
        )

    def _opened(self, path: Path) -> Opened:
        """A scene, read once: its name is its hash, so it is the same in every folder."""
        if path.name not in self._scenes:
            self._scenes[path.name] = Opened(SceneFile.load(path))
        return self._scenes[path.name]

    def _edition(self, scene: SceneFile) -> int:
        for number, edition in enumerate(self.editions):
            if edition.scene == scene.sha:
                return number
        self.editions.append(
            Edition(
                scene=scene.sha,
                task_hash=scene.origin.task_hash,
                day=scene.day,
                clock=scene.clock,
                rules=rules_told(scene),
            )
        )
        return len(self.editions) - 1


def rules_told(scene: SceneFile) -> tuple[RuleTold, ...]:
    written: Sequence[dict[str, Any]] = scene.criteria.data["criteria"]
    return tuple(
        RuleTold(
            id=rule.id,
            kind=rule.kind,
            says=rule.says,
            source=rule.source,
            written=tuple(_fields(raw)),
        )
        for rule, raw in zip(scene.criteria.rules, written, strict=True)
    )


def _fields(raw: dict[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in raw.items():
        if name in ("id", "kind", "says", "source"):
            continue
        if name == "frame":
            yield "frame", "nothing but"
            yield from (("", str(one)) for one in value.get("except", ()))
        elif isinstance(value, list):
            yield name, ", ".join(map(str, value))
        else:
            yield name, " ".join(str(value).split())


def procedure(sop: Sop) -> Procedure:
    steps = tuple(
        StepTold(
            id=step.id,
            do=step.do,
            decide=step.decide,
            onward=step.onward,
            back=step.back,
            knowledge=step.knowledge,
        )
        for step in sop.steps
    )
    return Procedure(id=sop.id, title=sop.title, steps=steps)


def _found(finding: Finding) -> Found:
    return Found(
        id=finding.id,
        verdict=finding.verdict,
        vacuous=finding.vacuous,
        at=finding.at,
        write=finding.write,
        why=finding.why,
        values=finding.values,
        margin=finding.margin,
    )
