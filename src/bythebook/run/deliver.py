"""The suite `deliverables` in an evaluation: played in a workspace, judged by what was handed over.

A verdict needs the scene file, the evidence of the results, and the judgements. Evidence that is
missing is read from the results, as long as these are what the trace says was collected.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread
import msgspec

from bythebook import __version__
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.locate import text_of
from bythebook.deliverables.evidence.model import Index
from bythebook.deliverables.evidence.office import Engine
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.docket import Mode
from bythebook.deliverables.judge.hand import HandJudge
from bythebook.deliverables.judge.journal import read_judgements
from bythebook.deliverables.scenefile import SceneFile
from bythebook.deliverables.score import Facts, verdict
from bythebook.deliverables.task import DeliverableTask
from bythebook.deliverables.workspace import RESULTS
from bythebook.errors import ContentError, TraceError, UsageError
from bythebook.run.effort import Effort, collected, effort
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.intact import CHANGED, check_scene, check_trace
from bythebook.run.plan import NO_PROGRAMS, Limits, Plan, PlannedTask, Programs, told
from bythebook.run.plan import Player as Planned
from bythebook.run.players import Plays
from bythebook.run.workspace import Terms, attempt
from bythebook.sandbox.layout import Kind
from bythebook.trace import Header, Outcome, Trace
from bythebook.verdict import Verdict

LIMITS = Limits(steps=200)
"""The agent's turns are the paper's (StartupBench, Section 4.1)."""
EVIDENCE = "evidence.json"


@dataclass(frozen=True)
class Reader:
    """What reads and recalculates files on this machine."""

    engine: Engine | None = None
    cache: Cache | None = None

    def results(self, place: RunFolder, trace: Trace) -> View:
        """The evidence of what was handed over: as it was kept, or read now.

        Evidence that was read where nothing recalculates stays so, or a verdict would hang on the
        machine it is made on. Raises `TraceError` when it is of other files than the trace says
        were collected.
        """
        folder = (place.workspace / RESULTS).absolute()  # it is read in another process
        if (place.evidence / EVIDENCE).exists():
            view = self._kept(place, folder if folder.is_dir() else None)
        elif folder.is_dir():
            view = View.of_folder(
                folder,
                keep=place.evidence,
                engine=self.engine,
                cache=self.cache,
                refused=collected(trace).refused,
            )
        else:
            what = "neither the evidence nor the results of this run are here"
            raise TraceError(what, where=place.root, hint="take them from a copy")
        check_evidence(view.index, trace, place)
        return view

    def _kept(self, place: RunFolder, folder: Path | None) -> View:
        engine = self.engine if View.kept(place.evidence).index.engine else None
        return View.kept(place.evidence, folder=folder, engine=engine, cache=self.cache)


def check_evidence(index: Index, trace: Trace, place: RunFolder) -> None:
    """Raises `TraceError` when evidence and trace tell of other files."""
    handed = {file.name: file.sha for file in collected(trace).files}
    known = {file.name: file.sha for file in index.files}
    for name in sorted(handed.keys() | known.keys()):
        if handed.get(name) != known.get(name):
            what = f"{name!r} is not the file that was collected"
            raise TraceError(what, where=place.evidence, hint=CHANGED)


class Counted(msgspec.Struct, frozen=True):
    """Whose judgements count in a verdict."""

    judge: str
    mode: Mode = "item"

    def __str__(self) -> str:
        return self.judge if self.mode == "item" else f"{self.judge}, all items at once"


NOBODY = Counted("")
"""Whoever judged first."""


def called(judge: str) -> str:
    """A judge as judgements name it: `hand:some/folder` is `hand:folder`."""
    kind, _, rest = judge.partition(":")
    return HandJudge(Path(rest)).name if kind == "hand" and rest else judge


def counted(plan: Plan | None) -> Counted:
    """As a plan says."""
    if plan is None or not plan.judge:
        return NOBODY
    return Counted(called(plan.judge), "holistic" if plan.judge_mode == "holistic" else "item")


class DeliverBench:
    """Judges the runs of one folder; a scene is read once."""

    def __init__(
        self,
        folder: EvaluationFolder,
        reader: Reader,
        tasks: Mapping[str, DeliverableTask] | None = None,
        *,
        counts: Counted | None = None,
    ) -> None:
        """`tasks`: those whose rubrics of today are applied instead of the recorded ones. `counts`:
        whose judgements do; None: as the plan says."""
        self._folder, self._reader, self._tasks = folder, reader, tasks
        self._counts = counts
        self._scenes: dict[str, SceneFile] = {}
        self._today: dict[str, SceneFile] = {}

    @property
    def recorded(self) -> bool:
        """As in `ConductBench`."""
        return self._tasks is None

    def verdict(self, trace: Trace, place: RunFolder, plan: Plan | None) -> Verdict:
        """Raises `TraceError` when what lies in this place is not what was written there."""
        check_trace(trace, place, plan)
        scene = self._scene(trace.header.scene)
        check_scene(trace, scene, place, plan)
        view = self._reader.results(place, trace)
        judgements = read_judgements(place.judgements)
        counts = self._counts or counted(plan)
        facts = Facts.of(trace, judge=counts.judge, mode=counts.mode)
        return verdict(scene, view, judgements, facts, today=self._rules(place.task))

    def figures(self, trace: Trace, planned: PlannedTask | None) -> Effort:
        return effort(trace)

    def _scene(self, sha: str) -> SceneFile:
        if sha not in self._scenes:
            self._scenes[sha] = SceneFile.load(self._folder.scenes / f"{sha}.json")
        return self._scenes[sha]

    def _rules(self, task: str) -> SceneFile | None:
        if self._tasks is None:
            return None
        if task not in self._today:
            self._today[task] = SceneFile.build(self._tasks[task])
        return self._today[task]


class DeliverStage:
    """Tasks, a player, and what reads the results."""

    def __init__(
        self,
        folder: EvaluationFolder,
        tasks: Iterable[DeliverableTask],
        player: Plays,
        plan: Plan,
        reader: Reader,
    ) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._player, self._limits = player, plan.limits
        self._sandbox = msgspec.convert(plan.sandbox or "bubblewrap", Kind)
        self._bench = DeliverBench(folder, reader)
        self._secrets = (folder.root.resolve(), *roots(self._tasks.values()))
        self._parsed: dict[str, Mapping[str, str]] = {}

    def scene(self, task: str) -> SceneFile:
        return SceneFile.build(self._tasks[task])

    async def attempt(self, planned: PlannedTask, place: RunFolder, header: Header) -> Outcome:
        task = self._tasks[planned.id]
        if task.id not in self._parsed:
            self._parsed[task.id] = await anyio.to_thread.run_sync(parsed, task)
        terms = Terms(self._limits, self._sandbox, self._secrets, self._parsed[task.id])
        return await attempt(task, self._player, terms, place=place, header=header)

    async def verdict(self, trace: Trace, place: RunFolder, plan: Plan) -> Verdict:
        """In a thread: files are read, and workbooks recalculated."""
        return await anyio.to_thread.run_sync(self._bench.verdict, trace, place, plan)


def parsed(task: DeliverableTask) -> dict[str, str]:
    """Text of the inputs that are no text themselves, by name: a help for agents."""
    found: dict[str, str] = {}
    for path in sorted(task.inputs.rglob("*")):
        name = path.relative_to(task.inputs).as_posix()
        if path.suffix.lower() in (".xlsx", ".docx", ".pptx", ".pdf"):
            try:
                found[name] = text_of(task.evidence, name)
            except ContentError:  # an input may be one that no reader can read
                continue
    return found


def roots(tasks: Iterable[DeliverableTask]) -> tuple[Path, ...]:
    """The content folders that tasks lie in: they hold rubrics and references."""
    return tuple(dict.fromkeys(task.folder.resolve().parents[2] for task in tasks))


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What runs are played under."""

    limits: Limits = LIMITS
    attempts: int = 3
    programs: Programs = NO_PROGRAMS
    judge: str = ""


PLAIN = Given()


def deliver_plan(
    tasks: Sequence[DeliverableTask], player: Planned, *, runs: int, given: Given = PLAIN
) -> Plan:
    """The plan of playing some tasks as they stand."""
    if not tasks:
        raise UsageError("there are no tasks to play")
    return Plan(
        suite=tasks[0].suite,
        benchmark=__version__,
        agent=player.name,
        model=player.model,
        base_url=player.base_url,
        settings=player.settings,
        simulator="",
        **told(given.programs),
        judge=given.judge,
        limits=given.limits,
        attempts=given.attempts,
        runs=runs,
        tasks=tuple(PlannedTask(task.id, task.hash) for task in tasks),
    )
