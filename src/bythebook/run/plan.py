"""The plan of an evaluation: all that must be the same for its runs to be put side by side."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec
from msgspec.structs import replace

from bythebook import __version__
from bythebook.conduct.golden.cast import golden_calls
from bythebook.conduct.golden.plan import load_golden
from bythebook.conduct.task import ConductTask
from bythebook.errors import TraceError, UsageError
from bythebook.run.condition import CONDITIONS, Condition

PLAN_VERSION = 1
ADDED = (
    "attempts", "differences", "harness_packages", "judge", "judge_mode", "moved_to", "runs",
    "tasks",
)  # fmt: skip
"""Fields of a plan in which two commands for one folder may differ."""


PICTURES = 40
"""In one request. Of the hosted services the tightest take 5 to 8, the widest hundreds."""


class Limits(msgspec.Struct, frozen=True):
    """When an attempt is cut off; None means no limit. Both papers end runs by a wall clock, and
    BizAgentBench by a number of tool errors, and neither says how many: the defaults are ours."""

    agent_time: int | None = 3600
    """Seconds of the agent's own time; what a provider takes is not the agent's."""
    provider_time: int | None = 14_400
    """Seconds an attempt may wait for its provider, and as many for a customer's; beyond them it
    does not count."""
    tool_errors: int | None = 50
    steps: int | None = None
    context_tokens: int | None = None
    """Most tokens of a model's request by the local count; None: its provider says what fits. A
    harness is told the number as its model's window, and keeps to it by a count of its own."""
    pictures: int | None = None
    """Most pictures of the workspace in a request of `loop`'s model; 0: it is shown none. None: no
    such tool is offered (`conduct`, a harness, an agent without a model)."""


class Customer(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays the customer, as far as the plan tells of it."""

    name: str = "scripted"
    """`scripted`, or `provider:name`."""
    prompt: str = ""
    prompt_hash: str = ""
    base_url: str = ""
    settings: dict[str, Any] = {}


SCRIPTED = Customer()


class Programs(msgspec.Struct, frozen=True, kw_only=True):
    """What runs beside this program, as far as the plan tells of it."""

    sandbox: str = ""
    unbounded: tuple[str, ...] = ()
    harness: str = ""
    harness_packages: dict[str, str] = {}
    differences: tuple[str, ...] = ()


NO_PROGRAMS = Programs()


class PlannedTask(msgspec.Struct, frozen=True):
    """A task as it stood when the plan was made."""

    id: str
    hash: str
    golden: int = 0
    """R_i: tool calls of the task's golden, discovery included (conduct)."""
    cap: int | None = None
    """Most tool calls an attempt may make: floor(ratio * golden)."""
    documents: tuple[str, ...] = ()
    """The task's required documents."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """`plan.json`. Tasks and runs may be added to a plan, attempts may differ, and the model may
    have moved; nothing else."""

    bythebook: Literal["plan"] = "plan"
    version: int = PLAN_VERSION
    suite: str
    benchmark: str
    """Version of bythebook."""
    company: str = ""
    """Hash of the company's content folders (conduct)."""
    agent: str
    model: str = ""
    """`provider:name`; empty for an agent without a model."""
    base_url: str = ""
    """Where the model was, if not at its provider's own address."""
    moved_to: tuple[str, ...] = ()
    """Other places where later commands found the same model, in order; empty as `base_url`."""
    settings: dict[str, Any] = {}
    """The sampling fields of every request, as sent."""
    simulator: str = "scripted"
    """`scripted`, or the model that speaks for the customer, as `provider:name`; empty where there
    is no customer."""
    simulator_prompt: str = ""
    """`original` or `revised`; empty for a script."""
    simulator_prompt_hash: str = ""
    simulator_base_url: str = ""
    simulator_settings: dict[str, Any] = {}
    judge: str = ""
    """Whose judgements count: the first judge of a command, or the one that was chosen since;
    empty: nobody was asked yet (deliverables)."""
    judge_mode: str = "item"
    """`item` or `holistic`: those of which of its sessions."""
    sandbox: str = ""
    """What held the agent's programs: see `sandbox`; empty: it had none to run."""
    unbounded: tuple[str, ...] = ()
    """What of them the sandbox did not bound, in words."""
    harness: str = ""
    """The agent program of others with its version; empty: there was none."""
    harness_packages: dict[str, str] = {}
    """All that was installed with it, and in which versions."""
    differences: tuple[str, ...] = ()
    """How its tools and ways differ from other harnesses', in sentences."""
    condition: str = "default"
    cap: str = ""
    """The ratio as a fraction, such as "6/5"; empty: no cap."""
    limits: Limits = Limits()
    attempts: int = 3
    """How often one command tries a run, when its attempts do not count."""
    runs: int
    tasks: tuple[PlannedTask, ...]

    def joined(self, asked: "Plan", where: Path) -> "Plan":
        """This plan with the asked tasks and runs added. Raises `UsageError` where they differ."""
        differences = [*self._other_fields(asked), *self._other_tasks(asked)]
        if differences:
            raise UsageError(
                "this folder holds an evaluation under another plan: " + "; ".join(differences),
                where=where,
                hint="choose another folder with --to, or put things back as they were",
            )
        tasks = {task.id: task for task in (*self.tasks, *asked.tasks)}
        ordered = tuple(tasks[name] for name in sorted(tasks))
        runs, moved_to = max(self.runs, asked.runs), self.moved_to
        if asked.base_url not in (self.base_url, *moved_to):
            moved_to = (*moved_to, asked.base_url)
        judge = self.judge or asked.judge
        return replace(self, runs=runs, tasks=ordered, moved_to=moved_to, judge=judge)

    def _other_fields(self, asked: "Plan") -> list[str]:
        then, now = _fields(self), _fields(asked)
        return [
            f"{name} was {shown(was)}, is now {shown(now[name])}"
            for name, was in then.items()
            if not self.may_differ(name) and was != now[name]
        ]

    def may_differ(self, name: str) -> bool:
        """A model keeps its name when its server gets another address, or another port."""
        return name in ADDED or (name == "base_url" and bool(self.model))

    def _other_tasks(self, asked: "Plan") -> list[str]:
        then = {task.id: task for task in self.tasks}
        return [
            f"task {task.id} has changed since ({then[task.id].hash[:12]} -> {task.hash[:12]})"
            for task in asked.tasks
            if task.id in then and then[task.id] != task
        ]


class Under(msgspec.Struct, frozen=True):
    """What runs are played under."""

    condition: Condition = CONDITIONS["default"]
    cap: Fraction | None = None
    """Most tool calls, as a multiple of the golden's."""
    limits: Limits = Limits()
    attempts: int = 3
    customer: Customer = SCRIPTED
    programs: Programs = NO_PROGRAMS


PLAIN = Under()


class Player(Protocol):
    """The agents of a plan, as far as the plan tells of them; see `agents.Cast`."""

    @property
    def name(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def settings(self) -> dict[str, Any]: ...


def plan_of(
    tasks: Sequence[ConductTask], player: Player, *, runs: int, under: Under = PLAIN
) -> Plan:
    """The plan of playing some tasks as they stand."""
    if not tasks:
        raise UsageError("there are no tasks to play")
    return Plan(
        suite=tasks[0].suite,
        benchmark=__version__,
        company=tasks[0].company.hash,
        agent=player.name,
        model=player.model,
        base_url=player.base_url,
        settings=player.settings,
        simulator=under.customer.name,
        simulator_prompt=under.customer.prompt,
        simulator_prompt_hash=under.customer.prompt_hash,
        simulator_base_url=under.customer.base_url,
        simulator_settings=under.customer.settings,
        **told(under.programs),
        condition=under.condition.name,
        cap="" if under.cap is None else str(under.cap),
        limits=under.limits,
        attempts=under.attempts,
        runs=runs,
        tasks=tuple(_planned(task, under.cap) for task in tasks),
    )


def told(programs: Programs) -> dict[str, Any]:
    """The fields of a plan that tell of programs."""
    return {name: getattr(programs, name) for name in Programs.__struct_fields__}


def _planned(task: ConductTask, ratio: Fraction | None) -> PlannedTask:
    """The task as it stands, with its cap on tool calls: floor(ratio * R_i)."""
    calls = golden_calls(load_golden(task.folder / "golden.yaml", task.company))
    cap = None if ratio is None else floor(ratio * calls)
    return PlannedTask(task.id, task.hash, calls, cap, task.file.required_documents)


def read_plan(path: Path) -> Plan:
    """Raises `TraceError` when the file is cut off, of another version or not ours."""
    try:
        data = path.read_bytes()
        found = msgspec.json.decode(data, type=dict[str, Any])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise _unread(error, path) from None
    if found.get("bythebook") != "plan":
        raise TraceError("this is not a bythebook plan", where=path)
    if found.get("version") != PLAN_VERSION:
        what = f"plan version {found.get('version')}; this bythebook reads version {PLAN_VERSION}"
        hint = f"use the bythebook that wrote it: {found.get('benchmark', 'unknown')}"
        raise TraceError(what, where=path, hint=hint)
    try:
        return msgspec.json.decode(data, type=Plan)
    except msgspec.MsgspecError as error:
        raise _unread(error, path) from None


def _unread(error: Exception, path: Path) -> TraceError:
    hint = "it says under what the runs were played: take it from a copy, or play in a new folder"
    return TraceError(f"this plan does not read: {error}", where=path, hint=hint)


def _fields(plan: Plan) -> dict[str, Any]:
    """A plan's fields by name, each limit by itself."""
    found: dict[str, Any] = {}
    for name in plan.__struct_fields__:
        value = getattr(plan, name)
        if isinstance(value, Limits):
            found |= {f"{name}.{one}": getattr(value, one) for one in value.__struct_fields__}
        else:
            found[name] = value
    return found


def shown(value: object) -> str:
    """A field of a plan in words."""
    if isinstance(value, str):
        return repr(value[:12] if len(value) == 64 else value)
    return msgspec.json.encode(value).decode()
