"""Replays of deliverables: what the agent did, what it handed over, and item by item what was found
there, with the evidence that every locator leads to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from msgspec import UNSET

from bythebook.deliverables.evidence.locate import describe, text_of
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.scenefile import SceneFile
from bythebook.deliverables.workspace import InputChange
from bythebook.errors import ContentError, TraceError
from bythebook.report.site.excerpt import (
    MOST_OUTLINE,
    MOST_TEXT,
    Excerpt,
    excerpt,
)
from bythebook.report.site.moments import Moment, moment, values
from bythebook.report.site.overview import Says
from bythebook.report.site.pictures import Picture
from bythebook.report.site.pool import Pool
from bythebook.run.effort import collected, touched
from bythebook.trace import Trace
from bythebook.verdict import Delivered, Finding, Mark, Verdict

READ_OUT = ("docx", "pptx", "pdf", "text")
"""Kinds whose words are shown; of a workbook its outline says more."""


class ItemTold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rubric item as its author wrote it."""

    id: str
    says: str
    level: str
    dimension: str
    weight: int
    failure: str = ""
    decided_by: str = ""


class Rubric(msgspec.Struct, frozen=True, kw_only=True):
    """All runs that stand on one scene file are judged by these items."""

    scene: str
    task_hash: str
    prompt: str
    wants: dict[str, str]
    items: tuple[ItemTold, ...]


class ItemFound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was found of one item; its words stand in the rubric."""

    id: str
    verdict: Mark
    by: str = ""
    place: str = ""
    seen: str = ""
    wanted: str = ""
    why: str = ""
    count: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()


class Said(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one judge said of one item."""

    item: str
    judge: str
    mode: str = ""
    """Empty: item by item; `holistic`: all items of the run at once."""
    verdict: str = ""
    """Empty: void."""
    because: str = ""
    cited: tuple[tuple[str, str], ...] = ()
    """Locator, and what stands there in the judge's reading."""
    verified: bool = False
    cause: str = ""
    counted: bool = False
    """It is the one that the verdict stands on."""


class FileTold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    size: int
    kind: str = ""
    status: str = ""
    says: str = ""
    text: str = ""
    """Its words with their places, cut."""
    pictures: tuple[Picture, ...] = ()
    undrawn: str = ""
    """Why there are no pictures, where they were asked for."""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """The chunk of one run."""

    suite: str = "deliverables"
    edition: int
    outcome: str
    says: str
    delivered: Delivered | None
    findings: tuple[ItemFound, ...]
    said: tuple[Said, ...]
    excerpts: tuple[Excerpt, ...]
    files: tuple[FileTold, ...]
    refused: tuple[tuple[str, str], ...]
    litter: tuple[str, ...]
    touched: tuple[InputChange, ...]
    outline: str
    moments: tuple[Moment, ...]


@dataclass(frozen=True)
class HandedRun:
    """One run with all that lies beside its trace."""

    trace: Trace
    scene: Path
    verdict: Verdict
    view: View | None
    """None: nothing that was read of the files lies here."""
    judgements: tuple[Judgement, ...]
    pictures: dict[str, tuple[tuple[Picture, ...], str]] = field(default_factory=dict)
    """By file; the text says why there are none."""


@dataclass
class Portfolio:
    """The replays of one task, gathered, then written out."""

    pool: Pool = field(default_factory=Pool)
    editions: list[Rubric] = field(default_factory=list)
    _scenes: dict[str, SceneFile] = field(default_factory=dict)

    def meet(self, trace: Trace) -> None:
        """Count what runs have in common; every run is met before the first one is told."""
        self.pool.meet(value for event in trace.events for value in values(event))

    @property
    def sentences(self) -> dict[str, Says]:
        """Item to what it asks, in the first edition."""
        return {item.id: Says(item.says) for edition in self.editions[:1] for item in edition.items}

    def replay(self, run: HandedRun) -> Replay:
        """Raises `TraceError` where the scene does not read."""
        trace, closing = run.trace, run.trace.closing
        handed, delivered = collected(trace), run.verdict.delivered
        findings = tuple(map(_found, run.verdict.findings))
        said = tuple(_said(run))
        return Replay(
            edition=self._edition(self._scene(run.scene)),
            outcome=run.verdict.outcome,
            says=closing.outcome.says if closing is not None else "",
            delivered=None if delivered is UNSET else delivered,
            findings=findings,
            said=said,
            excerpts=tuple(excerpt(at, run.view) for at in _places(findings, said)),
            files=tuple(_file(run, file.name, file.size) for file in handed.files),
            refused=tuple((one.name, one.why) for one in handed.refused),
            litter=handed.litter,
            touched=touched(trace),
            outline=_outline(run.view),
            moments=tuple(moment(event, self.pool) for event in trace.events),
        )

    def _scene(self, path: Path) -> SceneFile:
        """Read once: its name is its hash, so it is the same in every folder."""
        if path.name not in self._scenes:
            self._scenes[path.name] = SceneFile.load(path)
        return self._scenes[path.name]

    def _edition(self, scene: SceneFile) -> int:
        for number, edition in enumerate(self.editions):
            if edition.scene == scene.sha:
                return number
        self.editions.append(rubric_told(scene))
        return len(self.editions) - 1


def rubric_told(scene: SceneFile) -> Rubric:
    items = tuple(
        ItemTold(
            id=item.id,
            says=item.says,
            level=item.level,
            dimension=item.dimension,
            weight=item.weight,
            failure=item.failure,
            decided_by=item.decided_by,
        )
        for item in scene.rubric.items
    )
    return Rubric(
        scene=scene.sha,
        task_hash=scene.origin.task_hash,
        prompt=scene.prompt,
        wants={name: str(kind) for name, kind in scene.wants.items()},
        items=items,
    )


def _found(finding: Finding) -> ItemFound:
    return ItemFound(
        id=finding.id,
        verdict=finding.verdict,
        by=finding.by,
        place=finding.place,
        seen=finding.seen,
        wanted=finding.wanted,
        why=finding.why,
        count=finding.count,
        notes=finding.notes,
    )


def _said(run: HandedRun) -> Iterator[Said]:
    """Of every judge on every item the last line in each mode, in the order of the journal."""
    last = {(line.item, line.judge, line.mode): line for line in run.judgements}
    marks = {finding.id: (finding.by, finding.verdict) for finding in run.verdict.findings}
    for (item, judge, mode), line in last.items():
        yield Said(
            item=item,
            judge=judge,
            mode="" if mode == "item" else mode,
            verdict=line.verdict or "",
            because=line.because or line.says,
            cited=tuple((cited.at, cited.reads) for cited in line.cited),
            verified=line.verified,
            cause=line.cause,
            counted=marks.get(item) == (judge, line.verdict),
        )


def _places(findings: Iterable[ItemFound], said: Iterable[Said]) -> tuple[str, ...]:
    """Every locator that stands anywhere in the run, once."""
    named = [finding.place for finding in findings if finding.place]
    named += [at for one in said for at, _ in one.cited]
    return tuple(dict.fromkeys(named))


def _file(run: HandedRun, name: str, size: int) -> FileTold:
    pictures, undrawn = run.pictures.get(name, ((), ""))
    known = run.view.files.get(name) if run.view is not None else None
    if known is None:
        return FileTold(name=name, size=size, pictures=pictures, undrawn=undrawn)
    return FileTold(
        name=name,
        size=size,
        kind=known.kind,
        status=known.status,
        says=known.says,
        text=_text(run.view, name) if known.kind in READ_OUT else "",
        pictures=pictures,
        undrawn=undrawn,
    )


def _text(view: View | None, name: str) -> str:
    try:
        return text_of(view, name, limit=MOST_TEXT) if view is not None else ""
    except (ContentError, TraceError):
        return ""


def _outline(view: View | None) -> str:
    try:
        return describe(view)[:MOST_OUTLINE] if view is not None else ""
    except TraceError as error:
        return error.what
