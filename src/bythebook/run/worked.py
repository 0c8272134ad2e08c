"""A deliverables task played by a harness: it works by itself, and its model calls tell how."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bythebook.agents.protocol import Answer, Briefing, Call
from bythebook.deliverables.instructions import briefing
from bythebook.deliverables.scene import Scene
from bythebook.deliverables.workspace import Manifest
from bythebook.errors import AgentError
from bythebook.gateway.exchange import Exchange
from bythebook.harness.steps import Steps
from bythebook.harness.workplace import Places, Terms, workplace
from bythebook.run.effort import LAID_OUT
from bythebook.run.plan import Limits
from bythebook.run.stopwatch import Clock, OutOfTime
from bythebook.sandbox.clearing import clear
from bythebook.trace import Outcome

LITTER = "litter"
"""Name of the note that tells what a harness left in the workspace for its own use."""


class Account:
    """What the gateway hears, as a scene's events."""

    def __init__(self, scene: Scene) -> None:
        self.broken: OSError | None = None
        """The disk took no more: raised again, where it ends the command."""
        self._scene, self._steps = scene, Steps()

    def hear(self, exchange: Exchange) -> None:
        step = self._steps.heard(exchange)
        try:
            self._answered(step.answered)
            if exchange.reply is None:
                for note in step.move.notes:
                    self._scene.note(note.name, note.args)
            else:
                self._scene.heard(step.move)
        except OSError as error:
            self.broken = error
            raise

    def close(self) -> None:
        if self.broken is not None:
            raise self.broken
        self._answered(self._steps.rest())

    def _answered(self, answered: Iterable[tuple[Call, Answer]]) -> None:
        for call, answer in answered:
            self._scene.answered(call, answer.text, ok=answer.ok)


async def worked(
    scene: Scene, terms: Terms, places: Places, limits: Limits, about: Mapping[str, Any]
) -> Outcome:
    """Let a harness work to its end; how that was. `about`: what is known of its workspace."""
    account = Account(scene)
    try:
        async with workplace(terms, places, account.hear) as place:
            box = place.box
            scene.note(LAID_OUT, {**about, "sandbox": box.kind, "unbounded": box.loose})
            told = briefing(scene.briefing.request, (), box, limits.steps)
            clock = Clock(limits, lambda: place.gateway.waited)
            return (await clock.spend(place.turn(opening(told)))).outcome
    except OutOfTime as end:
        return Outcome("limit", "agent_time", str(end))
    except AgentError as error:
        return Outcome("infrastructure_failure", error.cause, str(error))
    finally:
        account.close()


def opening(told: Briefing) -> str:
    """The words that it is given."""
    return f"{told.instructions}\n\n# The task\n\n{told.request}"


def take_out(workspace: Path, patterns: tuple[str, ...], before: Manifest) -> tuple[str, ...]:
    """Clear a workspace of what a harness left for its own use; what the task had brought stays.

    Gives the names of what was taken out.
    """
    found = []
    for pattern in patterns:
        for path in sorted(workspace.glob(pattern)):
            name = path.relative_to(workspace).as_posix()
            if not any(known == name or known.startswith(f"{name}/") for known in before):
                clear(path)
                found.append(name)
    return tuple(found)
