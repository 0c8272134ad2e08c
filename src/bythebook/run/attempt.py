"""One attempt: a scene opened, played under limits, and journalled as it happens."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import anyio

from bythebook.agents.protocol import Agent, ContextExhausted, Ended, Program
from bythebook.conduct import scene as conduct
from bythebook.conduct.customer.hands import Voice
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import play
from bythebook.conduct.source import CompanySource
from bythebook.conduct.task import ConductTask
from bythebook.errors import AgentError, CompanyError, SimulatorError
from bythebook.run.condition import Condition
from bythebook.run.durable import on_disk
from bythebook.run.plan import Limits
from bythebook.run.stopwatch import OutOfTime, Timed, TimedVoice
from bythebook.trace import Closing, Event, Header, Journal, Outcome

SCRATCH = ".scratch"
"""What a program that plays has for itself, beside the journal."""


INTERRUPTED = Outcome("infrastructure_failure", "interrupted", "the command was stopped")


@dataclass(frozen=True)
class Terms:
    """What an attempt is played under."""

    limits: Limits
    condition: Condition
    cap: int | None = None
    """Most tool calls."""


async def attempt(
    task: ConductTask,
    agent: Agent,
    terms: Terms,
    *,
    journal: Path,
    header: Header,
    voice: Voice | None = None,
) -> Outcome:
    """Play `task` once into a journal, to its closing line. Without a `voice` a script speaks.

    Whatever the agent, its provider or the company's own code does is an outcome. Only a disk that
    takes no more lines raises.
    """
    with on_disk(journal), Journal(journal, header) as lines:
        scene = opened(task, terms, lines.append)
        voice = voice or ScriptedVoice(task.scenario)
        if terms.condition.facts:
            voice.tell_all(scene.hands)
        aside = journal.parent / SCRATCH
        timed = TimedVoice(voice, terms.limits)
        try:
            outcome = await _ended(scene, agent, timed, terms.limits, aside)
        except anyio.get_cancelled_exc_class():
            lines.close(Closing(INTERRUPTED, len(scene.events), scene.events[-1].h))
            raise
        if isinstance(agent, Program):
            scene.note(agent.unsaid)
        lines.close(Closing(outcome, len(scene.events), scene.events[-1].h))
    return outcome


def opened(task: ConductTask, terms: Terms, record: Callable[[Event], None]) -> conduct.Scene:
    """The scene of an attempt, each event recorded as it happens."""
    return conduct.Scene(
        task,
        limits=conduct.Limits(terms.limits.tool_errors, terms.cap, terms.limits.steps),
        source=CompanySource(task.company, terms.condition.without),
        briefing=terms.condition.briefing(task),
        record=record,
    )


async def _ended(
    scene: conduct.Scene, agent: Agent, voice: Voice, limits: Limits, aside: Path
) -> Outcome:
    """How the attempt ended. An attempt cut off by a limit is played out and counts."""
    try:
        async with _running(agent, scene, aside):
            return await play(scene, Timed(agent, limits), voice)
    except (OutOfTime, ContextExhausted, Ended) as end:
        outcome = _cut_off(end)
        if not outcome.counts:
            return outcome
        scene.stop(outcome)
    except AgentError as error:
        return Outcome("infrastructure_failure", error.cause, str(error))
    except SimulatorError as error:
        return _simulator_broke(error)
    except CompanyError as error:
        return Outcome("infrastructure_failure", "company", str(error))
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - a company's own code broke: nobody's failure but ours
        says = f"{type(error).__name__}: {error}"
        return Outcome("infrastructure_failure", "company", says)
    return scene.close()


def _running(
    agent: Agent, scene: conduct.Scene, aside: Path
) -> AbstractAsyncContextManager[object]:
    """While it plays; only a program has to be there beforehand."""
    return agent.running(scene.briefing, aside) if isinstance(agent, Program) else nullcontext()


def _cut_off(end: OutOfTime | ContextExhausted | Ended) -> Outcome:
    match end:
        case Ended():
            return end.outcome
        case ContextExhausted():
            return Outcome("limit", "context", str(end))
    return Outcome("limit", "agent_time", str(end))


def _simulator_broke(error: SimulatorError) -> Outcome:
    """Never the agent's failure; a provider that cannot be had is not the simulator's either."""
    if error.cause == "provider":
        return Outcome("infrastructure_failure", "simulator_provider", str(error))
    return Outcome("simulator_failure", error.cause, str(error))
