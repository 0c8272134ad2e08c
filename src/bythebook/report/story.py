"""One run told in order: who did what, what it changed, and which rule broke there."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from bythebook.conduct.criteria import SceneFile, score
from bythebook.conduct.world import add_days
from bythebook.errors import UsageError
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.intact import check_scene, check_trace
from bythebook.trace import Actor, Kind, StoredEvent, StoredWrite, Trace, read_trace
from bythebook.verdict import Finding, Verdict

MINUTES_A_DAY = 24 * 60
TRACE = "trace.jsonl"


class Change(msgspec.Struct, frozen=True):
    """One row written: the columns that differ; `old` is None for a new row, with all of them."""

    table: str
    key: str
    old: dict[str, Any] | None
    new: dict[str, Any] | None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One event, on the story's clock."""

    i: int
    t: int
    day: str
    clock: str
    who: Actor
    kind: Kind
    name: str
    args: dict[str, Any]
    ok: bool
    result: Any
    cause: int | None
    changes: tuple[Change, ...]
    broken: tuple[Finding, ...]
    """Rules that failed here first, or are void here."""


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """One run as far as it went."""

    run: str
    """The place of its trace."""
    task: str
    agent: str
    condition: str
    outcome: str | None
    """None while it is in flight."""
    says: str
    goal: bool | None
    process: bool | None
    protection: bool | None
    strict: bool | None
    judged: bool
    """False for what is in flight or does not count; then the four above are None."""
    steps: tuple[Step, ...]
    broken_at_end: tuple[Finding, ...]
    """Failed and void rules that no single event broke."""


def story(path: Path) -> Story:
    """The run in a folder, or of a trace, judged anew under its recorded rules.

    Raises `UsageError` when there is none, `TraceError` when trace or scene are not what was
    written.
    """
    place, folder = placed(path)
    trace, plan = read_trace(place.trace), folder.plan
    check_trace(trace, place, plan)
    scene = SceneFile.load(folder.scenes / f"{trace.header.scene}.json")
    check_scene(trace, scene, place, plan)
    closing = trace.closing
    counts = closing is not None and closing.outcome.counts
    return _story(place, trace, scene, score(trace, scene) if counts else None)


def placed(path: Path) -> tuple[RunFolder, EvaluationFolder]:
    """The run's place and its evaluation's. A trace may lie among the attempts set aside.

    Raises `UsageError` when there is no trace.
    """
    root = path.parent if path.is_file() else path
    if not path.exists():
        raise UsageError("no such run", where=path)
    if not (root / TRACE).exists() or (path.is_file() and path.name != TRACE):
        folder = EvaluationFolder(root)
        inner = [str(run.root) for run in folder.runs()]
        if path.is_dir() and not inner:
            raise folder.amiss(f"there is no {TRACE} here")
        more = f" and {len(inner) - 3} more" if len(inner) > 3 else ""
        hint = f"runs are in: {', '.join(inner[:3])}{more}" if inner else ""
        raise UsageError(f"there is no {TRACE} here", where=path, hint=hint)
    aside = root.resolve().parent.name == "attempts"
    run = Path(os.path.normpath(root / "../..")) if aside else root
    number, task = run.resolve().name, run.resolve().parent.name
    if not number.isdecimal():
        hint = "a run lies in DIR/TASK/NUMBER, beside DIR/scenes"
        raise UsageError("this trace lies in no run folder", where=path, hint=hint)
    folder = EvaluationFolder(Path(os.path.normpath(run / "../..")))
    return RunFolder(root, task, int(number)), folder


def _story(place: RunFolder, trace: Trace, scene: SceneFile, verdict: Verdict | None) -> Story:
    found = verdict.findings if verdict is not None else ()
    findings = [finding for finding in found if finding.verdict != "pass"]
    outcome = trace.closing.outcome if trace.closing is not None else None
    return Story(
        run=str(place.root),
        task=trace.header.task,
        agent=trace.header.agent,
        condition=trace.header.condition,
        outcome=str(outcome) if outcome is not None else None,
        says=outcome.says if outcome is not None else "",
        goal=verdict.goal if verdict is not None else None,
        process=verdict.process if verdict is not None else None,
        protection=verdict.protection if verdict is not None else None,
        strict=verdict.strict if verdict is not None else None,
        judged=verdict is not None,
        steps=tuple(_step(event, scene, findings) for event in trace.events),
        broken_at_end=tuple(finding for finding in findings if finding.at is None),
    )


def _step(event: StoredEvent, scene: SceneFile, findings: Iterable[Finding]) -> Step:
    days, minute = divmod(scene.clock + event.t, MINUTES_A_DAY)
    return Step(
        i=event.i,
        t=event.t,
        day=add_days(scene.day, days),
        clock=f"{minute // 60:02}:{minute % 60:02}",
        who=event.actor,
        kind=event.kind,
        name=event.name,
        args=msgspec.json.decode(event.args),
        ok=event.ok,
        result=msgspec.json.decode(event.result),
        cause=event.cause,
        changes=tuple(map(_change, event.writes)),
        broken=tuple(finding for finding in findings if finding.at == event.i),
    )


def _change(write: StoredWrite) -> Change:
    old, new = _row(write.old), _row(write.new)
    if old is None or new is None:
        return Change(write.table, write.key, old, new)
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return Change(write.table, write.key, _some(old, names), _some(new, names))


def _row(raw: msgspec.Raw) -> dict[str, Any] | None:
    row: dict[str, Any] | None = msgspec.json.decode(raw, type=dict[str, Any] | None)
    return row


def _some(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: row.get(name) for name in names}
