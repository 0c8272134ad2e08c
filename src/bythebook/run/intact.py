"""Is what lies in a run's place what was written there?

A copy gone wrong, a file edited by hand, a trace put into another run's place: each is noticed and
named before anything is judged. This is no proof against somebody who means to deceive and works
the hashes out anew; that is what a seal is for.
"""

from pathlib import Path
from typing import Protocol

from bythebook.conduct.world import bytes_hash
from bythebook.errors import TraceError
from bythebook.run.folder import RunFolder
from bythebook.run.plan import Plan
from bythebook.trace import StoredEvent, Trace

CHANGED = "the file was changed after it was written; take it from a copy, or play the run again"
MISPLACED = "put every trace back where it was played, with its own plan.json and scenes/"
NOTHING = b"null"


class Origin(Protocol):
    """Which edition of which task a scene is of."""

    @property
    def task(self) -> str: ...
    @property
    def task_hash(self) -> str: ...


class Scene(Protocol):
    """A scene file of either suite."""

    @property
    def origin(self) -> Origin: ...


def check_trace(trace: Trace, place: RunFolder, plan: Plan | None) -> None:
    """Raises `TraceError` when the trace is not this place's, or does not hang together."""
    header, where = trace.header, place.trace
    belongs = {"task": (header.task, place.task), "run": (header.run, place.number)}
    if plan is not None:
        belongs |= {
            "agent": (header.agent, plan.agent),
            "condition": (header.condition, plan.condition),
        }
    for name, (found, wanted) in belongs.items():
        if found != wanted:
            what = f"this is a trace of {name} {found!r}, in the place of {name} {wanted!r}"
            raise TraceError(what, where=where, hint=MISPLACED)
    _check_story(trace, where)


def check_scene(trace: Trace, scene: Scene, place: RunFolder, plan: Plan | None) -> None:
    """Raises `TraceError` when the scene is of another task, or of another edition of it."""
    origin, task = scene.origin, trace.header.task
    planned = {one.id: one.hash for one in plan.tasks} if plan is not None else {}
    if origin.task != task:
        what = f"the trace is of {task}, the scene that it names of {origin.task}"
        raise TraceError(what, where=place.trace, hint=MISPLACED)
    if planned.get(task, origin.task_hash) != origin.task_hash:
        what = f"the scene that the trace names is of another edition of {task} than was planned"
        raise TraceError(what, where=place.trace, hint=MISPLACED)


def _check_story(trace: Trace, where: Path) -> None:
    """Time does not run back, each write finds the row that the last one left, and each event's
    writes lead from the state before to the one after.

    An event without a hash (a trace from elsewhere) is taken as it is.
    """
    state, t = "", 0
    rows: dict[tuple[str, str], bytes] = {}
    for event in trace.events:
        if event.t < t:
            raise _changed(f"time runs back from t={t} to t={event.t}", where, event)
        for write in event.writes:
            old, key = bytes(write.old), (write.table, write.key)
            if rows.get(key, old) != old:
                raise _changed(
                    f"its write of {write.key} does not follow on the last", where, event
                )
            rows[key] = bytes(write.new)
        if state and event.h and _after(state, event) != event.h:
            raise _changed("its writes do not lead to the state that it names", where, event)
        state, t = event.h, event.t
    if trace.closing is not None and trace.events and trace.closing.h != trace.events[-1].h:
        raise TraceError(
            "the closing line names another end state", where=f"{where}:{len(trace.events) + 2}",
            hint=CHANGED,
        )  # fmt: skip


def _after(state: str, event: StoredEvent) -> str:
    """Rolling hash of the state after an event, from the one before it."""
    try:
        total = int(state, 16)
    except ValueError:
        return ""
    for write in event.writes:
        total ^= bytes_hash(write.table, bytes(write.new))
        if bytes(write.old) != NOTHING:
            total ^= bytes_hash(write.table, bytes(write.old))
    return f"{total:032x}"


def _changed(what: str, where: Path, event: StoredEvent) -> TraceError:
    return TraceError(f"event {event.i}: {what}", where=f"{where}:{event.i + 2}", hint=CHANGED)
