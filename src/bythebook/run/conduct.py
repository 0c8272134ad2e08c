"""The suite `conduct` in an evaluation: played in a company, judged by trace and scene file."""

from collections.abc import Iterable, Mapping

from bythebook.conduct.criteria import Criteria, SceneFile, score
from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Cast
from bythebook.run.attempt import Terms, attempt
from bythebook.run.condition import condition
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.intact import check_scene, check_trace
from bythebook.run.plan import Plan, PlannedTask
from bythebook.run.simulators import ScriptedCustomers, Simulator
from bythebook.run.statistics import Statistics, statistics
from bythebook.trace import Header, Outcome, Trace
from bythebook.verdict import Verdict


class ConductBench:
    """Judges the runs of one folder; a scene is read and compiled once."""

    def __init__(self, folder: EvaluationFolder, rules: Mapping[str, Criteria] | None = None):
        """`rules`: today's criteria by task, to be applied instead of the recorded ones."""
        self._folder, self._rules = folder, rules
        self._scenes: dict[str, SceneFile] = {}

    @property
    def recorded(self) -> bool:
        """Does it apply the rules of the scene, and not today's?"""
        return self._rules is None

    def verdict(self, trace: Trace, place: RunFolder, plan: Plan | None) -> Verdict:
        """Raises `TraceError` when trace and scene are not what was written in this place."""
        check_trace(trace, place, plan)
        sha = trace.header.scene
        if sha not in self._scenes:
            self._scenes[sha] = SceneFile.load(self._folder.scenes / f"{sha}.json")
        check_scene(trace, self._scenes[sha], place, plan)
        rules = None if self._rules is None else self._rules[trace.header.task]
        return score(trace, self._scenes[sha], rules)

    def figures(self, trace: Trace, planned: PlannedTask | None) -> Statistics:
        return statistics(trace, planned)


class ConductStage:
    """Tasks in a company, a cast, and whoever speaks for the customers."""

    def __init__(
        self,
        folder: EvaluationFolder,
        tasks: Iterable[ConductTask],
        cast: Cast[ConductTask],
        plan: Plan,
        simulator: Simulator | None = None,
    ) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._cast, self._plan = cast, plan
        self._simulator = simulator or ScriptedCustomers()
        self._condition = condition(plan.condition)
        self._bench = ConductBench(folder)

    def scene(self, task: str) -> SceneFile:
        return SceneFile.build(self._tasks[task])

    async def attempt(self, planned: PlannedTask, place: RunFolder, header: Header) -> Outcome:
        task = self._tasks[planned.id]
        terms = Terms(self._plan.limits, self._condition, planned.cap)
        agent, voice = self._cast.agent(task), self._simulator.voice(task)
        return await attempt(task, agent, terms, journal=place.trace, header=header, voice=voice)

    async def verdict(self, trace: Trace, place: RunFolder, plan: Plan) -> Verdict:
        return self._bench.verdict(trace, place, plan)
