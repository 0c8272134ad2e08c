"""Where the runs of Inspect's samples are kept, and one of them played until it counts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio.to_thread
import msgspec
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageTool, get_model
from inspect_ai.solver import TaskState

from bythebook.errors import AgentError, BythebookError, SimulatorError, UsageError
from bythebook.interop.inspect_ai_tasks.model import Conversation, Conversing
from bythebook.interop.inspect_ai_tasks.words import tool_message
from bythebook.models.types import Answer
from bythebook.run.evaluate import own_or_empty
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Plan
from bythebook.run.stage import Stage
from bythebook.task import Content
from bythebook.trace import Header, Outcome, Trace, read_trace

TRACE, KEPT = "bythebook_trace", "bythebook_verdict"
"""Names in a sample's store: the journal as text, and what it came to."""
ATTEMPTS = 3
"""How often one sample is tried, when attempts do not count."""

Staged = Callable[[Conversing, EvaluationFolder, int], tuple[Plan, Stage]]
"""From who plays, where, and how many runs: the plan, and the stage of one task."""


def own_content(folders: tuple[str, ...]) -> Content:
    """The content that is named, before the shipped one."""
    return Content(map(Path, folders))


def named(names: str | list[str] | None) -> tuple[str, ...]:
    """Names as they come from Inspect's command line: one, several, or none."""
    found = names.split(",") if isinstance(names, str) else [str(name) for name in names or ()]
    return tuple(name.strip() for name in found if name.strip())


@contextmanager
def evaluation(to: str) -> Iterator[EvaluationFolder]:
    """The folder of an evaluation: the one that was asked for, or one that is gone afterwards."""
    if to:
        folder = EvaluationFolder(Path(to))
        own_or_empty(folder)
        yield folder
    else:
        with TemporaryDirectory(prefix="bythebook-") as root:
            yield EvaluationFolder(Path(root))


async def play(state: TaskState, staged: Staged, to: str) -> None:
    """Play the task of a sample once, until the attempt counts; its trace, verdict and messages
    are put into the sample.

    Raises `AgentError` or `SimulatorError` where no attempt counts, and the limit of Inspect that
    cut a run off, which is judged as it stands.
    """
    with evaluation(to) as folder:
        place = folder.run(str(state.sample_id), state.epoch)
        check_free(place)
        talk, plan, stage, trace = await _counted(state, staged, folder, place)
        verdict = await stage.verdict(trace, place, plan)
        await anyio.to_thread.run_sync(place.keep, verdict)
        state.store.set(KEPT, msgspec.to_builtins(verdict))
    if talk.limit is not None:
        raise talk.limit


def check_free(place: RunFolder) -> None:
    """Raises `UsageError` where the run is played already: it is not played over."""
    if place.played() is not None:
        what = f"run {place.number} of {place.task} is finished here"
        raise UsageError(what, where=place.root, hint="choose another folder: -T to=DIR")


async def _counted(
    state: TaskState, staged: Staged, folder: EvaluationFolder, place: RunFolder
) -> tuple[Conversation, Plan, Stage, Trace]:
    """An attempt that counts."""
    outcome = Outcome("infrastructure_failure")
    for _ in range(ATTEMPTS):
        await anyio.to_thread.run_sync(place.set_aside)
        talk = Conversation(get_model())
        plan, stage = staged(Conversing(talk), folder, place.number)
        try:
            outcome = await stage.attempt(plan.tasks[0], place, _header(stage, plan, folder, place))
        finally:
            state.messages = talk.messages or state.messages
        state.store.set(TRACE, place.trace.read_text("utf-8"))
        if outcome.counts:
            trace = read_trace(place.trace)
            state.messages += unheard(talk, trace)
            return talk, joined(plan, folder), stage, trace
        transcript().info({"outcome": str(outcome), "says": outcome.says}, source="bythebook")
    raise failure(outcome)


def failure(outcome: Outcome) -> BythebookError:
    """An attempt that does not count, as the error of a sample."""
    says = f"{outcome}: {outcome.says}"
    hint = f"{ATTEMPTS} attempts failed; the sample has no score, and --retry-on-error tries again"
    if outcome.kind == "simulator_failure":
        return SimulatorError(says, cause=outcome.detail, hint=hint)
    return AgentError(says, cause=outcome.detail, hint=hint)


def joined(plan: Plan, folder: EvaluationFolder) -> Plan:
    """The plan with what the folder's own holds beside it, kept there."""
    kept = folder.plan
    found = plan if kept is None else kept.joined(plan, folder.root)
    if found != kept:
        folder.keep_plan(found)
    return found


def _header(stage: Stage, plan: Plan, folder: EvaluationFolder, place: RunFolder) -> Header:
    joined(plan, folder)
    return Header(
        benchmark=plan.benchmark,
        suite=plan.suite,
        task=place.task,
        run=place.number,
        agent=plan.agent,
        scene=folder.keep_scene(stage.scene(place.task)),
        condition=plan.condition,
    )


def unheard(talk: Conversation, trace: Trace) -> list[ChatMessageTool]:
    """The results of the last calls, which the model is never shown: the run ended with them."""
    last: Any = next(iter(talk.messages[-1:]), None)
    asked = getattr(last, "tool_calls", None) or ()
    moves = max((event.move or 0 for event in trace.events), default=0)
    done = [event for event in trace.events if event.kind == "call" and event.move == moves]
    return [
        tool_message(Answer(call.id, _text(bytes(event.result)), ok=event.ok), call.function)
        for call, event in zip(asked, done, strict=False)
    ]


def _text(result: bytes) -> str:
    value = msgspec.json.decode(result)
    return value if isinstance(value, str) else result.decode()
