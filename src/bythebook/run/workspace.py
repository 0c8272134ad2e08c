"""One attempt at a deliverables task: a workspace laid out, played in, and collected."""

from collections.abc import Callable, Container, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bythebook.agents.protocol import Briefing, ContextExhausted, ToolSpec
from bythebook.deliverables.hands import Hands, NoHands, Shown, WorkspaceHands
from bythebook.deliverables.instructions import briefing
from bythebook.deliverables.library import furniture, offered
from bythebook.deliverables.play import play
from bythebook.deliverables.scene import Limits as SceneLimits
from bythebook.deliverables.scene import Scene
from bythebook.deliverables.task import DeliverableTask
from bythebook.deliverables.workspace import Manifest, changes, collect, lay_out, make_safe
from bythebook.errors import AgentError
from bythebook.harness.workplace import Places
from bythebook.run.durable import on_disk
from bythebook.run.effort import COLLECTED, INPUTS, LAID_OUT, Touched
from bythebook.run.engaged import Working
from bythebook.run.folder import RunFolder
from bythebook.run.plan import Limits
from bythebook.run.players import Player, Plays
from bythebook.run.stopwatch import OutOfTime, Timed
from bythebook.run.worked import LITTER, take_out, worked
from bythebook.sandbox.layout import Kind, Layout
from bythebook.sandbox.sandbox import Sandbox, sandbox
from bythebook.trace import Closing, Event, Header, Journal, Outcome

SCRATCH = ".scratch"
"""Home and `/tmp` of an attempt in flight, beside its workspace."""


@dataclass(frozen=True)
class Terms:
    """What an attempt is played under."""

    limits: Limits
    sandbox: Kind
    secrets: tuple[Path, ...] = ()
    """Folders that no command may see, wherever they lie."""
    parsed: Mapping[str, str] = field(default_factory=dict)
    """The inputs' text by name, for `_parsed/`."""


async def attempt(
    task: DeliverableTask, player: Plays, terms: Terms, *, place: RunFolder, header: Header
) -> Outcome:
    """Play `task` once into a place, to the closing line of its journal.

    Whatever the agent, its provider or the sandbox does is an outcome. Only a disk that takes no
    more raises.
    """
    with on_disk(place.root), Journal(place.trace, header) as lines:
        before = lay_out(place.workspace, task.prompt, task.inputs, terms.parsed)
        sitting = Sitting(task, terms, place, before, lines.append)
        if isinstance(player, Working):
            scene, outcome = await sitting.worked(player)
        else:
            scene, outcome = await sitting.played(player)
        _collect(scene, place, before, task.wants)
        lines.close(Closing(outcome, len(scene.events), scene.events[-1].h))
    return outcome


@dataclass(frozen=True)
class Sitting:
    """An attempt whose workspace is laid out."""

    task: DeliverableTask
    terms: Terms
    place: RunFolder
    before: Manifest
    record: Callable[[Event], None]

    async def played(self, player: Player) -> tuple[Scene, Outcome]:
        """By an agent that makes moves."""
        limits = self.terms.limits
        agent = Timed(player.agent(self.task, self.place.workspace), limits)
        with ExitStack() as stack:
            hands: Hands = NoHands()
            told, about = Briefing("", self.task.prompt, ()), dict[str, Any](inputs=self.before)
            if player.acts:
                box = stack.enter_context(_sandbox(self.place, self.terms))
                hands = TimedHands(WorkspaceHands(box, pictures=bool(limits.pictures)), agent)
                told = briefing(self.task.prompt, hands.tools, box, limits.steps)
                about |= {"sandbox": box.kind, "unbounded": box.loose, "python": offered()}
            bounds = SceneLimits(limits.steps, limits.tool_errors)
            scene = Scene(told, limits=bounds, record=self.record)
            scene.note(LAID_OUT, about)
            return scene, await _ended(scene, agent, hands)

    async def worked(self, player: Working) -> tuple[Scene, Outcome]:
        """By a harness, whose gateway counts its steps; the errors of its tools are its own."""
        place, limits = self.place, self.terms.limits
        bounds = SceneLimits(steps=None, tool_errors=None)
        scene = Scene(Briefing("", self.task.prompt, ()), limits=bounds, record=self.record)
        terms = player.at_work(limits.steps, self.terms.secrets)
        places = Places(place.workspace, place.root / SCRATCH)
        about = {"inputs": self.before, "python": offered()}
        outcome = await worked(scene, terms, places, limits, about)
        litter = take_out(place.workspace, player.harness.litter, self.before)
        scene.note(LITTER, {"names": litter})
        return scene, outcome


class TimedHands:
    """Hands whose work is on the agent's time."""

    def __init__(self, hands: Hands, agent: Timed) -> None:
        self._hands, self._agent = hands, agent

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        return self._hands.tools

    async def use(self, name: str, args: Mapping[str, Any]) -> Shown:
        return await self._agent.spend(self._hands.use(name, args))


def _sandbox(place: RunFolder, terms: Terms) -> AbstractContextManager[Sandbox]:
    """Its scratch folder lies beside the workspace: on the same disk, and cleared next time."""
    layout = Layout(furniture=furniture(), secrets=terms.secrets)
    return sandbox(terms.sandbox, place.workspace, place.root / SCRATCH, layout)


async def _ended(scene: Scene, agent: Timed, hands: Hands) -> Outcome:
    """How the attempt ended. One that was cut off by a limit is collected, and counts."""
    try:
        return await play(scene, agent, hands)
    except OutOfTime as end:
        return Outcome("limit", "agent_time", str(end))
    except ContextExhausted as end:
        return Outcome("limit", "context", str(end))
    except AgentError as error:
        return Outcome("infrastructure_failure", error.cause, str(error))


def _collect(scene: Scene, place: RunFolder, before: Manifest, wanted: Container[str]) -> None:
    """What was handed over, and what became of the inputs, as the trace's last notes."""
    scene.note(INPUTS, Touched(changes(before, place.workspace)))
    scene.note(COLLECTED, collect(place.workspace, wanted))
    make_safe(place.workspace)
