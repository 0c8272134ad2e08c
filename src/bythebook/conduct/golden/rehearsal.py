"""A golden played once: what its steps were answered, and when the customer first said yes."""

from collections.abc import Mapping
from typing import Any

import msgspec

from bythebook.conduct.golden.agent import StepAgent
from bythebook.conduct.golden.plan import Golden, Step
from bythebook.conduct.play import rehearse
from bythebook.conduct.scene import Scene
from bythebook.conduct.task import ConductTask
from bythebook.conduct.world import Tables
from bythebook.trace import Event, Outcome

CONSENT = ("approve_request", "amend_instruction")


class Rehearsal(msgspec.Struct, frozen=True):
    """One play of a golden."""

    events: tuple[Event, ...]
    outcome: Outcome
    results: Mapping[str, Any]
    """What each step was answered, as plain data; refused steps are missing."""
    calls: tuple[int, ...]
    """Number of the call event of each step that was reached, in order."""
    consent: str | None
    """The step at which the customer first consented."""
    tables: Tables
    """The state at the end, everything scheduled played out."""


def enact(
    task: ConductTask, steps: tuple[Step, ...], recorded: Mapping[str, Any] | None = None
) -> tuple[Scene, StepAgent]:
    """Play steps that may refer to each other and to what was recorded."""
    agent = StepAgent("golden", steps, recorded)
    return rehearse(task, agent), agent


def rehearse_golden(task: ConductTask, golden: Golden) -> Rehearsal:
    """Play a golden in the order of its file."""
    steps = golden.script()
    scene, agent = enact(task, steps)
    events = tuple(scene.events)
    calls = tuple(event.i for event in events if event.kind == "call")
    return Rehearsal(
        events=events,
        outcome=scene.outcome or Outcome("completed", "finished"),
        results=agent.results,
        calls=calls,
        consent=_first_consent(events, calls, steps),
        tables=scene.world.tables,
    )


def _first_consent(
    events: tuple[Event, ...], calls: tuple[int, ...], steps: tuple[Step, ...]
) -> str | None:
    for event in events:
        if event.kind == "customer" and event.name in CONSENT and event.ok:
            before = [number for number, i in enumerate(calls) if i < event.i]
            return steps[before[-1]].id if before else None
    return None
