"""A verifiers environment over conduct tasks (verifiers 0.4, `verifiers.v1`).

Taskset, task and harness in one, as the library wants its environments. The harness plays in this
process: `bythebook run`'s own loop agent asks the model at the rollout's endpoint, and its moves go
through an attempt as any other. So scene, customer, limits and verdict are those of `run`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field, SerializeAsAny

from bythebook import __version__
from bythebook.conduct.criteria import score
from bythebook.errors import AgentError, JudgeError
from bythebook.interop.rl.course import Course, Way, open_course, task_ids
from bythebook.interop.rl.player import Asking, Player
from bythebook.run.attempt import attempt
from bythebook.trace import Header, read_trace
from bythebook.verdict import Verdict

ID = "bythebook-conduct"
"""By which verifiers finds it: the module `bythebook_conduct`."""


class ConductData(vf.TaskData):
    """One conduct task."""

    task: str = ""


class ConductTaskConfig(vf.TaskConfig):
    """What the tasks are played under; see `Way`."""

    condition: str = "default"
    reward: Literal["strict", "shaped"] = "strict"
    cap: str | None = None
    steps: int | None = None
    content: list[str] = Field(default_factory=list)

    @property
    def way(self) -> Way:
        """Raises `UsageError`."""
        way = Way(
            condition=self.condition,
            reward=self.reward,
            cap=self.cap,
            steps=self.steps,
            content=tuple(self.content),
        )
        way.check()
        return way


class ConductConfig(vf.TasksetConfig):
    """Which tasks: ids or prefixes; none means all."""

    id: str = ID
    task: ConductTaskConfig = ConductTaskConfig()
    tasks: list[str] = Field(default_factory=list)


class Played(vf.State):
    """What task and harness tell each other: a `Way` and a `Verdict`."""

    way: Any = None
    verdict: Any = None


class ConductTask(vf.Task[ConductData, Played, ConductTaskConfig]):
    """Rewards are read from the verdict of the run."""

    @property
    def key(self) -> str:
        return str(self.data.task)

    @property
    def course(self) -> Course:
        return open_course(self.data.task, self.config.way)

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        trace.state.way = self.config.way

    @vf.reward
    async def conduct(self, trace: vf.Trace) -> dict[str, float]:
        """`strict`: 1 or 0; or `shaped`: -1/2 to 1."""
        verdict = _verdict(trace)
        strict = verdict.strict is True
        if self.config.reward == "strict":
            return {"strict": float(strict)}
        return {"shaped": self.course.shaping.total(verdict.findings, strict=strict)}

    @vf.metric
    async def marks(self, trace: vf.Trace) -> dict[str, float]:
        """goal, process, protection and strict as 1 or 0, and the number of calls."""
        verdict = _verdict(trace)
        kinds = ("goal", "process", "protection", "strict")
        marks = {kind: float(getattr(verdict, kind) is True) for kind in kinds}
        return marks | {"calls": float(verdict.calls)}


class ConductTaskset(vf.Taskset[ConductTask, ConductConfig]):
    """The conduct tasks."""

    def load(self) -> Iterable[ConductTask]:
        way = self.config.task.way
        for name in self.config.tasks or task_ids(way):
            course = open_course(name, way)
            yield ConductTask(
                ConductData(
                    id=course.task.id,
                    name=course.task.title,
                    task=course.task.id,
                    prompt=course.briefing.request,
                    system_prompt=course.briefing.instructions,
                ),
                self.config.task,
            )


class ConductHarnessConfig(vf.HarnessConfig):
    id: str = ID


class ConductHarness(vf.Harness[ConductHarnessConfig]):
    """Plays a conduct task in this process; no program is started."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, *given: Any, **more: Any) -> vf.ProgramResult:
        """Given: context, trace, runtime, endpoint, secret, tool servers and task data."""
        ctx, trace, _runtime, endpoint, secret, _servers, data, *_ = given
        course = open_course(trace.task.data.task, trace.state.way)
        asking = Asking(ctx.model, endpoint, secret, trace.id)
        player = Player(asking, data.system_prompt or "", lambda: trace.stop_condition or "")
        try:
            verdict = await _played(course, player)
        finally:
            await player.close()
        trace.state.verdict = verdict
        broken = [found.id for found in verdict.findings if found.verdict != "pass"]
        trace.info["bythebook"] = {"outcome": verdict.outcome, "not_passed": broken}
        return vf.ProgramResult(0, verdict.outcome, "")


class ConductEnvConfig(vf.EnvConfig):
    """The one seat; its runtime holds nothing, as no program is started."""

    taskset: SerializeAsAny[vf.TasksetConfig] = ConductConfig()
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class ConductEnv(vf.Env[ConductEnvConfig]):
    """One agent plays one conduct task."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.agent.run(task)


def load_environment(
    tasks: Sequence[str] = (), *, max_turns: int | None = None, **options: Any
) -> vf.Env:
    """The environment. `tasks`: ids or prefixes; `options`: the fields of `ConductTaskConfig`."""
    taskset = {"id": ID, "tasks": list(tasks), "task": options}
    return vf.load_environment(
        vf.resolve_env_config({"taskset": taskset, "agent": {"max_turns": max_turns}})
    )


async def _played(course: Course, player: Player) -> Verdict:
    """The verdict of one attempt. Raises `AgentError` when it does not count."""
    header = Header(
        benchmark=__version__,
        suite="conduct",
        task=course.task.id,
        run=1,
        agent=player.name,
        scene=course.file.sha,
        condition=course.terms.condition.name,
    )
    with TemporaryDirectory(prefix="bythebook-") as folder:
        journal = Path(folder) / "trace.jsonl"
        outcome = await attempt(course.task, player, course.terms, journal=journal, header=header)
        if not outcome.counts:
            raise AgentError(f"this rollout does not count: {outcome}: {outcome.says}")
        return score(read_trace(journal), course.file)


def _verdict(trace: vf.Trace) -> Verdict:
    verdict: Verdict | None = trace.state.verdict
    if verdict is None:
        hint = "leave agent.harness as it is"
        raise AgentError("another harness than this environment's has played", hint=hint)
    if verdict.void:
        raise JudgeError("a rule reached no verdict", where=verdict.task)
    return verdict
