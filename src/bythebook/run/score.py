"""Verdicts from what is on disk: trace and scene file, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass

from bythebook.conduct.criteria import Criteria, SceneFile, score
from bythebook.errors import BythebookError
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.statistics import Statistics, statistics
from bythebook.run.summary import Scores, line, summary_of
from bythebook.run.violations import customer_scores
from bythebook.trace import Trace, read_trace
from bythebook.verdict import Verdict


class Bench:
    """Judges the runs of one folder; a scene is read and compiled once."""

    def __init__(self, folder: EvaluationFolder, rules: Mapping[str, Criteria] | None = None):
        """`rules`: today's criteria by task, to be applied instead of the recorded ones."""
        self._folder, self._rules = folder, rules
        self._scenes: dict[str, SceneFile] = {}

    def verdict(self, trace: Trace) -> Verdict:
        sha = trace.header.scene
        if sha not in self._scenes:
            self._scenes[sha] = SceneFile.load(self._folder.scenes / f"{sha}.json")
        rules = None if self._rules is None else self._rules[trace.header.task]
        return score(trace, self._scenes[sha], rules)


@dataclass(frozen=True)
class Rescored:
    """What judging a folder again came to."""

    verdicts: tuple[Verdict, ...]
    statistics: tuple[Statistics, ...]
    """One for each verdict."""
    changed: tuple[RunFolder, ...]
    """Runs whose stored verdict was missing or other bytes."""
    in_flight: tuple[RunFolder, ...]
    """Traces without a closing line that counts: nothing to judge yet."""
    problems: tuple[BythebookError, ...]
    """Traces and scenes that do not read, or cannot be judged."""


def rescore(folder: EvaluationFolder, rules: Mapping[str, Criteria] | None = None) -> Rescored:
    """Judge every run of a folder again.

    Under the recorded rules a verdict of the same bytes is left alone and any other is written.
    Under today's `rules` the verdict goes to `verdict-current.json`; the recorded one stays.
    """
    bench, plan = Bench(folder, rules), folder.plan
    planned = {task.id: task for task in plan.tasks} if plan is not None else {}
    verdicts: list[Verdict] = []
    figures: list[Statistics] = []
    changed: list[RunFolder] = []
    in_flight: list[RunFolder] = []
    problems: list[BythebookError] = []
    for place in folder.runs():
        try:
            trace = read_trace(place.trace)
            if trace.closing is None or not trace.closing.outcome.counts:
                in_flight.append(place)
                continue
            verdict = bench.verdict(trace)
        except BythebookError as error:
            problems.append(error)
            continue
        verdicts.append(verdict)
        figures.append(statistics(trace, planned.get(trace.header.task)))
        path = place.verdict if rules is None else place.verdict_current
        data = as_text(verdict)
        if not path.exists() or path.read_bytes() != data:
            write_whole(path, data)
            changed.append(place)
    judged = tuple(verdicts), tuple(figures)
    return Rescored(*judged, tuple(changed), tuple(in_flight), tuple(problems))


def scores(folder: EvaluationFolder, found: Rescored, *, criteria: str = "recorded") -> Scores:
    """All that the verdicts of a folder come to."""
    plan = folder.plan
    wanted = len(plan.tasks) * plan.runs if plan is not None else None
    missing = None if wanted is None else max(0, wanted - len(found.verdicts))
    aside = sum(len(place.attempts) for place in folder.places())
    first = found.verdicts[0] if found.verdicts else None
    lines = tuple(map(line, found.verdicts, found.statistics))
    return Scores(
        suite=plan.suite if plan else first.suite if first else "conduct",
        agent=plan.agent if plan else first.agent if first else "",
        model=plan.model if plan else "",
        condition=plan.condition if plan else first.condition if first else "default",
        criteria=criteria,
        runs=lines,
        summary=summary_of(lines, missing=missing, set_aside=aside),
        customer=customer_scores(folder, plan),
        problems=tuple(str(problem) for problem in found.problems),
    )
