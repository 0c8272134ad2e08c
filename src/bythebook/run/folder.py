"""The run folder: everything that is known about one evaluation, on disk.

    runs/<evaluation>/              an EvaluationFolder
      plan.json                     what was asked for, and under which content and settings
      scenes/<sha256>.json          what a verdict needs beside a trace, stored once
      <task>/<n>/                   a RunFolder: one run that counts
        trace.jsonl                 the journal: header, one event per line, closing line
        workspace/                  deliverables: what the agent left; results/ inside it
        evidence/                   deliverables: what can be known of the results, read once
        judgements.jsonl            deliverables: one line per rubric item and try
        judge/                      deliverables: what model judges were told and said
        verdict.json                no path, time or host in it
        verdict-current.json        the same trace under today's rules, when somebody asked
        verdicts/                   those that stood before, when somebody judged again
        attempts/<k>/               attempts that do not count, kept whole
      scorings.jsonl                who judged again, with which version and rules, and when
      summary.json

A run is finished when its trace has a closing line that counts and its verdict stands beside it.
Everything else in its place was in flight when a process ended: it is moved to `attempts/`, never
deleted, and played again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from bythebook.errors import TraceError, UsageError, suggestion
from bythebook.run.durable import on_disk, sync_folder, write_whole
from bythebook.run.plan import Plan, read_plan
from bythebook.trace import Trace, read_scene, read_trace
from bythebook.verdict import Verdict

PLANS = ("*/plan.json", "*/*/plan.json")
"""Where plans lie below a folder that holds evaluations."""
NAMED = 5
"""Most evaluations that an error lists."""


def as_text(value: object) -> bytes:
    """JSON as people read it: indented, one newline at the end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


class SceneBytes(Protocol):
    """A scene file of either suite, as it is stored."""

    @property
    def sha(self) -> str:
        """SHA-256 of `data`, in hexadecimal."""

    @property
    def data(self) -> bytes: ...


@dataclass(frozen=True)
class RunFolder:
    """The place of one run."""

    root: Path
    task: str
    number: int
    """Counted from 1."""

    @property
    def trace(self) -> Path:
        """The journal; it has no closing line while the run is in flight."""
        return self.root / "trace.jsonl"

    @property
    def verdict(self) -> Path:
        """Under the rules that the scene holds."""
        return self.root / "verdict.json"

    @property
    def verdict_current(self) -> Path:
        """Under today's rules; there only if somebody asked."""
        return self.root / "verdict-current.json"

    @property
    def verdicts(self) -> Path:
        """Verdicts that were written over."""
        return self.root / "verdicts"

    @property
    def workspace(self) -> Path:
        """Deliverables: what the agent left, results/ inside it."""
        return self.root / "workspace"

    @property
    def evidence(self) -> Path:
        """Deliverables: the evidence view of what was handed over."""
        return self.root / "evidence"

    @property
    def judgements(self) -> Path:
        """Deliverables: a line for each rubric item and try."""
        return self.root / "judgements.jsonl"

    @property
    def conversations(self) -> Path:
        """Deliverables: what was said in each session of a judge."""
        return self.root / "judge"

    @property
    def parts(self) -> tuple[Path, ...]:
        """All that one attempt leaves; the journal, which says whether it counts, is last."""
        verdicts = (self.verdicts, self.verdict, self.verdict_current)
        judged = (self.judgements, self.conversations)
        return (self.workspace, self.evidence, *judged, *verdicts, self.trace)

    @property
    def attempts(self) -> list[Path]:
        """Attempts that do not count, in order."""
        found = (p for p in (self.root / "attempts").glob("*") if p.name.isdigit())
        return sorted(found, key=lambda path: int(path.name))

    def played(self) -> Trace | None:
        """The trace, if it is whole and counts."""
        try:
            trace = read_trace(self.trace) if self.trace.exists() else None
        except TraceError:
            return None
        counts = trace is not None and trace.closing is not None and trace.closing.outcome.counts
        return trace if counts else None

    def set_aside(self) -> Path | None:
        """Move what lies here without counting to `attempts/`; its new place, if there was any."""
        there = [path for path in self.parts if path.exists()]
        if not there:
            return None
        last = int(self.attempts[-1].name) if self.attempts else 0
        place = self.root / "attempts" / str(last + 1)
        with on_disk(place):
            place.mkdir(parents=True)
            for path in there:
                path.rename(place / path.name)
            sync_folder(place)
            sync_folder(self.root)
        return place

    def keep(self, verdict: Verdict) -> None:
        write_whole(self.verdict, as_text(verdict))


@dataclass(frozen=True)
class EvaluationFolder:
    """The place of all runs of one plan."""

    root: Path

    @property
    def scenes(self) -> Path:
        """Scene files, each named by its SHA-256."""
        return self.root / "scenes"

    @property
    def scorings(self) -> Path:
        """A line for each time that runs were judged again."""
        return self.root / "scorings.jsonl"

    @property
    def summary(self) -> Path:
        """What the verdicts come to."""
        return self.root / "summary.json"

    def run(self, task: str, number: int) -> RunFolder:
        """The place of a run, whether or not it was begun."""
        return RunFolder(self.root / task / str(number), task, number)

    def places(self) -> list[RunFolder]:
        """The place of every run that was begun here, by task and number."""
        found = [path for path in self.root.glob("*/*") if path.is_dir() and path.name.isdigit()]
        found.sort(key=lambda path: (path.parent.name, int(path.name)))
        return [RunFolder(path, path.parent.name, int(path.name)) for path in found]

    def runs(self) -> list[RunFolder]:
        """Those with a trace: finished, or in flight."""
        return [place for place in self.places() if place.trace.exists()]

    def keep_scene(self, scene: SceneBytes) -> str:
        """Store a scene under its hash, once, or anew where it was changed; gives the hash."""
        if not self.holds_scene(scene.sha):
            write_whole(self.scenes / f"{scene.sha}.json", scene.data)
        return scene.sha

    def holds_scene(self, sha: str) -> bool:
        """Is that scene here, with the bytes that it was written with?"""
        try:
            return bool(read_scene(self.scenes / f"{sha}.json"))
        except TraceError:
            return False

    def demand(self, tasks: Iterable[str]) -> None:
        """Raises `UsageError` where a task, named by its id or a prefix, was never begun here."""
        begun = {place.task for place in self.places()}
        for name in tasks:
            if not any(task.startswith(name) for task in begun):
                hint = suggestion(name, begun)
                raise UsageError(f"no run of task {name!r}", where=self.root, hint=hint)

    @property
    def plan(self) -> Plan | None:
        """None where there is none. Raises `TraceError` where it does not read."""
        path = self.root / "plan.json"
        return read_plan(path) if path.exists() else None

    def planned(self) -> Plan:
        """The plan. Raises `UsageError` where there is none."""
        plan = self.plan
        if plan is None:
            raise self.amiss("there is no plan.json here")
        return plan

    def amiss(self, says: str) -> UsageError:
        """`says` of this folder; whoever named one too far up is told the evaluations in it."""
        if not self.root.is_dir():
            return UsageError("no such folder", where=self.root)
        inner = sorted(path.parent for depth in PLANS for path in self.root.glob(depth))
        more = f" and {len(inner) - NAMED} more" if len(inner) > NAMED else ""
        listed = f"evaluations are in: {', '.join(map(str, inner[:NAMED]))}{more}"
        other = "" if self.plan else "name the folder that `bythebook run --to` wrote"
        return UsageError(says, where=self.root, hint=listed if inner else other)

    def keep_plan(self, plan: Plan) -> None:
        write_whole(self.root / "plan.json", as_text(plan))
