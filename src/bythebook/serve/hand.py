"""Runs by hand in a run folder: begun, found again, and gone on with.

A folder of runs by hand is an evaluation like any other; its agent is called `hand`, or as the
player wishes. The plan grows with every task and run that is begun.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bythebook.agents.protocol import ToolSpec
from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.golden.cast import SCRIPTED
from bythebook.conduct.task import ConductTask
from bythebook.errors import UsageError
from bythebook.run.agents import LOOP
from bythebook.run.attempt import Terms
from bythebook.run.condition import condition
from bythebook.run.durable import on_disk, only_one
from bythebook.run.evaluate import own_or_empty
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Limits, Plan, Under, plan_of
from bythebook.serve.session import Session
from bythebook.tool import Tool
from bythebook.trace import Header, Journal, read_trace

PATIENCE = 30.0
"""Seconds to wait for another process that is at work in the same run."""
BY_HAND = Limits(agent_time=None, provider_time=None)
"""A hand may take all the time it likes."""
TOOLS, ALL = "tools", "all"
"""The setting of a hand that is offered all tools."""
TAKEN = (*SCRIPTED, "counterexample", LOOP)

Tasks = Callable[[str], ConductTask]
"""The task of an id, as it stands today."""


@dataclass(frozen=True)
class Hand:
    """Whoever plays, as a plan tells of them."""

    name: str = "hand"
    model: str = ""
    base_url: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


def hand(name: str, *, all_tools: bool = False) -> Hand:
    """A player of that name. Raises `UsageError` for the name of an agent that is not a hand.

    `all_tools`: each business tool is offered by its own name, beside the base tools.
    """
    if name.partition(":")[0] in TAKEN:
        raise UsageError(f"{name!r} is the name of an agent of bythebook's own")
    if not name.strip():
        raise UsageError("an agent has a name")
    return Hand(name, settings={TOOLS: ALL} if all_tools else {})


def business_tools(task: ConductTask) -> tuple[ToolSpec, ...]:
    """All of the company's tools, those too that are kept only to point to their successors."""
    tools = task.company.tools.values()
    return tuple(ToolSpec(tool.name, _told(tool), tool.schema) for tool in tools)


def _told(tool: Tool) -> str:
    return f"Retired, use {tool.retired}. {tool.doc}" if tool.retired else tool.doc


def begin(
    root: Path, task: ConductTask, player: Hand, under: Under, *, go_on: bool = False
) -> RunFolder:
    """A new run of a task in the folder `root`; with `go_on` the last one, if it is not over.

    Raises `UsageError` when the folder holds another plan, or other things.
    """
    folder = EvaluationFolder(root)
    own_or_empty(folder)
    with only_one(root, patience=PATIENCE):
        place = _place(folder, task.id, go_on=go_on)
        plan = plan_of([task], player, runs=place.number, under=under)
        kept = folder.plan
        plan = plan if kept is None else kept.joined(plan, root)
        if plan != kept:
            folder.keep_plan(plan)
        if not _has_header(place):
            _write_header(place, plan, folder.keep_scene(SceneFile.build(task)))
    return place


def _place(folder: EvaluationFolder, task: str, *, go_on: bool) -> RunFolder:
    there = [place for place in folder.places() if place.task == task]
    if not there:
        return folder.run(task, 1)
    last = there[-1]
    if not _has_header(last) or (go_on and read_trace(last.trace).closing is None):
        return last
    return folder.run(task, last.number + 1)


def _has_header(place: RunFolder) -> bool:
    """False for a run whose process was killed before its first line was whole."""
    return place.trace.exists() and b"\n" in place.trace.read_bytes()


def _write_header(place: RunFolder, plan: Plan, scene: str) -> None:
    header = Header(
        benchmark=plan.benchmark,
        suite=plan.suite,
        task=place.task,
        run=place.number,
        agent=plan.agent,
        scene=scene,
        condition=plan.condition,
    )
    with on_disk(place.trace), Journal(place.trace, header):
        pass


@contextmanager
def sitting(path: Path, tasks: Tasks) -> Iterator[Session]:
    """The session of the run in the folder `path`; nobody else can play there meanwhile."""
    plan, place = _found(path)
    task = tasks(place.task)
    scene_file = SceneFile.build(task)
    recorded = read_trace(place.trace).header.scene
    if scene_file.sha != recorded:
        raise UsageError(
            f"task {task.id} has changed since ({recorded[:12]} -> {scene_file.sha[:12]})",
            where=path,
            hint="give the --content it was begun with, or begin a new run",
        )
    cap = next((planned.cap for planned in plan.tasks if planned.id == task.id), None)
    terms = Terms(plan.limits, condition(plan.condition), cap)
    more = business_tools(task) if plan.settings.get(TOOLS) == ALL else ()
    with only_one(place.root, patience=PATIENCE):
        session = Session(task, terms, place, scene_file, more=more)
        try:
            yield session
        finally:
            session.leave()


def _found(path: Path) -> tuple[Plan, RunFolder]:
    """The run at a path, and the plan it belongs to. Raises `UsageError`."""
    path = path.absolute()
    folder = EvaluationFolder(path.parent.parent)
    begin_one = "`bythebook act --new conduct TASK --to DIR` begins one and prints it"
    try:
        there = path.name.isdigit() and (path / "trace.jsonl").read_bytes() != b""
    except OSError as error:
        raise UsageError(f"there is no run here: {error}", where=path, hint=begin_one) from None
    if not there:
        raise UsageError("there is no run here", where=path, hint=begin_one)
    plan = folder.plan
    if plan is None:
        raise UsageError("this run has no plan.json two folders up", where=path, hint=begin_one)
    if plan.agent.partition(":")[0] in TAKEN:
        raise UsageError(f"this run is played by {plan.agent!r}, not by hand", where=path)
    return plan, RunFolder(path, path.parent.name, int(path.name))
