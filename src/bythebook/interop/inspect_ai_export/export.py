"""An evaluation's folder as one log of Inspect: a sample for each run, an epoch for each number."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import isnan
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    HeadlineMetric,
)
from inspect_ai.model import GenerateConfig, ModelUsage

from bythebook.conduct.criteria import SceneFile
from bythebook.errors import TraceError, UsageError
from bythebook.interop.inspect_ai_export.logfile import LogFile
from bythebook.interop.inspect_ai_export.sample import sample_of
from bythebook.interop.inspect_ai_export.scores import VERDICT, pass_k
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Plan
from bythebook.trace import read_trace

SAMPLING = ("max_tokens", "temperature", "top_p", "seed")
"""Settings that have the same name in Inspect."""

STRICT, LOW = "strict", "low"


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """What a log holds."""

    file: str
    samples: int
    scored: int
    errors: int
    """Samples without a score: no attempt counts, or a rule is void."""
    missing: int
    """Planned runs that were never begun."""
    problems: tuple[str, ...] = ()
    """Runs that do not read; they are not in it."""


@dataclass
class Counted:
    """What the samples of a log come to, added up while they are written."""

    samples: int = 0
    errors: int = 0
    values: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(dict))
    """Name of a mark, task, values."""
    usage: dict[str, ModelUsage] = field(default_factory=dict)

    def add(self, sample: EvalSample) -> None:
        self.samples += 1
        self.errors += sample.error is not None
        for model, spent in sample.model_usage.items():
            self.usage[model] = self.usage.get(model, ModelUsage()) + spent
        for score in (sample.scores or {}).values():
            for name, value in score.value.items():
                if not isnan(value):
                    self.values[name].setdefault(str(sample.id), []).append(value)

    def results(self, planned: int) -> EvalResults:
        scores = [_mean(name, tasks) for name, tasks in self.values.items()]
        if STRICT in self.values:
            scores.append(_pass_k(self.values[STRICT]))
        return EvalResults(
            total_samples=planned,
            completed_samples=self.samples - self.errors,
            scores=scores,
            headline=headline(STRICT if STRICT in self.values else LOW) if scores else None,
        )


def export(folder: EvaluationFolder, target: Path) -> Exported:
    """Write the runs of a folder as a log. One run at a time is held in memory.

    A run that does not read is named and left out. Raises `UsageError` where there is none at all.
    """
    plan, places = folder.planned(), folder.places()
    if not places:
        raise UsageError("there is no run in this folder", where=folder.root)
    counted, problems = Counted(), list[str]()
    spec, steps = spec_of(folder, plan, places), EvalPlan(name="bythebook")
    with LogFile(target) as log:
        log.begin(spec, steps)
        for sample in _samples(folder, plan, places, problems):
            counted.add(sample)
            log.add(sample)
        planned = len(plan.tasks) * plan.runs
        whole = counted.samples - counted.errors >= planned
        log.end(
            EvalLog(
                status="success" if whole else "cancelled",
                eval=spec,
                plan=steps,
                results=counted.results(planned),
                stats=EvalStats(
                    started_at=spec.created, completed_at=spec.created, model_usage=counted.usage
                ),
            )
        )
    return Exported(
        file=str(target),
        samples=counted.samples,
        scored=counted.samples - counted.errors,
        errors=counted.errors,
        missing=max(0, planned - counted.samples),
        problems=tuple(problems),
    )


def _samples(
    folder: EvaluationFolder, plan: Plan, places: list[RunFolder], problems: list[str]
) -> Iterator[EvalSample]:
    clocks: dict[str, datetime] = {}
    model = model_of(plan)
    for place in places:
        try:
            began = _began(folder, place, clocks) if plan.suite == "conduct" else made(folder)
            sample = sample_of(place, model, began)
        except TraceError as error:
            problems.append(str(error))
            continue
        if sample is not None:
            yield sample


def _began(folder: EvaluationFolder, place: RunFolder, clocks: dict[str, datetime]) -> datetime:
    """The moment of t = 0 by the company's clock, which its scene tells."""
    tries = [path / place.trace.name for path in reversed(place.attempts)]
    paths = [path for path in (place.trace, *tries) if path.exists()]
    if not paths:
        return made(folder)
    sha = read_trace(paths[0]).header.scene
    if sha not in clocks:
        scene = SceneFile.load(folder.scenes / f"{sha}.json")
        day = datetime.fromisoformat(str(scene.day)).replace(tzinfo=UTC)
        clocks[sha] = day + timedelta(minutes=scene.clock)
    return clocks[sha]


def made(folder: EvaluationFolder) -> datetime:
    """When the plan was written: the only time of the real world that a folder knows."""
    return datetime.fromtimestamp((folder.root / "plan.json").stat().st_mtime, UTC)


def model_of(plan: Plan) -> str:
    """As Inspect writes models; an agent without one stands for itself."""
    name = plan.model.removeprefix("inspect:")
    return name.replace(":", "/", 1) if name else f"bythebook/{plan.agent}"


def spec_of(folder: EvaluationFolder, plan: Plan, places: list[RunFolder]) -> EvalSpec:
    name = folder.root.resolve().name
    given: dict[str, Any] = {key: plan.settings[key] for key in SAMPLING if key in plan.settings}
    ids = sorted({place.task for place in places})
    return EvalSpec(
        eval_id=name,
        run_id=name,
        task_id=name,
        created=made(folder).isoformat(timespec="seconds"),
        task=f"bythebook/{plan.suite}",
        task_version=plan.benchmark,
        task_args={"condition": plan.condition, "cap": plan.cap},
        dataset=EvalDataset(name=plan.suite, samples=len(ids), sample_ids=ids, shuffled=False),
        model=model_of(plan),
        model_generate_config=GenerateConfig(**given),
        model_base_url=plan.base_url or None,
        config=EvalConfig(epochs=plan.runs, fail_on_error=False),
        packages={"bythebook": plan.benchmark},
        metadata={"agent": plan.agent, "plan": msgspec.to_builtins(plan)},
    )


def headline(mark: str) -> HeadlineMetric:
    """The figure that Inspect shows of a log where it has room for one."""
    return HeadlineMetric(scorer=VERDICT, score=mark, metric="mean", reducer="mean")


def _mean(name: str, tasks: dict[str, list[float]]) -> EvalScore:
    """The mean over tasks of the mean over a task's runs."""
    means = [sum(values) / len(values) for values in tasks.values()]
    value = sum(means) / len(means)
    return EvalScore(
        name=name,
        scorer=VERDICT,
        reducer="mean",
        scored_samples=len(tasks),
        metrics={"mean": EvalMetric(name="mean", value=value)},
    )


def _pass_k(tasks: dict[str, list[float]]) -> EvalScore:
    shares = pass_k({task: [value >= 1 for value in values] for task, values in tasks.items()})
    names = {k: f"bythebook/pass_k_{k}" for k in shares}
    return EvalScore(
        name=STRICT,
        scorer=VERDICT,
        scored_samples=sum(map(len, tasks.values())),
        metrics={names[k]: EvalMetric(name=names[k], value=value) for k, value in shares.items()},
    )
