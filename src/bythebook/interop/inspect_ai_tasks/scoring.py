"""Verdicts as scores of Inspect, and pass^k over the runs that have one."""

from collections import defaultdict
from math import comb, nan
from typing import Any

import msgspec
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer
from inspect_ai.scorer import Value as Figures
from inspect_ai.solver import TaskState

from bythebook.errors import JudgeError
from bythebook.interop.inspect_ai_tasks.place import VERDICT
from bythebook.verdict import Verdict


@metric(scores="unreduced")
def pass_k() -> Metric:
    """pass^k for every k that all tasks have so many runs for: the mean over tasks of
    C(passed, k) / C(runs, k) (tau-bench, 2406.12045). A run without a verdict is no run."""

    def measured(scores: list[SampleScore]) -> Figures:
        runs: dict[Any, list[bool]] = defaultdict(list)
        for one in scores:
            runs[one.sample_id].append(one.score.as_float() >= 1)
        fewest = min(map(len, runs.values()), default=0)
        return {str(k): _pass(list(runs.values()), k) for k in range(1, fewest + 1)}

    return measured


def _pass(tasks: list[list[bool]], k: int) -> float:
    shares = [comb(sum(runs), k) / comb(len(runs), k) for runs in tasks]
    return sum(shares) / len(shares)


@scorer(
    metrics={
        "goal": [mean()],
        "process": [mean()],
        "protection": [mean()],
        "strict": [mean(), pass_k()],
    },
    name="verdict",
)
def conduct_verdict() -> Scorer:
    """Goal, process, protection and strict success, each 1 or 0."""

    async def scored(state: TaskState, target: Target) -> Score:
        found = verdict_of(state)
        marks = (found.goal, found.process, found.protection, found.strict)
        value = dict(
            zip(("goal", "process", "protection", "strict"), map(_mark, marks), strict=True)
        )
        return _score(found, value)

    return scored


@scorer(
    metrics={"low": [mean()], "high": [mean()], "decided": [mean()], "success": [mean()]},
    name="checks",
)
def deliverables_verdict() -> Scorer:
    """What checks decide: the bounds of the score while judges have not spoken, the share of weight
    that is decided, and success where both bounds agree on it."""

    async def scored(state: TaskState, target: Target) -> Score:
        found = verdict_of(state, may_be_open=True)
        delivered = found.delivered
        assert isinstance(delivered, msgspec.Struct)
        value = {
            "low": delivered.low,
            "high": delivered.high,
            "decided": (delivered.checks + delivered.judges) / delivered.total,
            "success": nan if found.success is None else float(found.success),
        }
        return _score(found, value)

    return scored


def verdict_of(state: TaskState, *, may_be_open: bool = False) -> Verdict:
    """The verdict on a sample. Raises `JudgeError` where there is none, or a rule is void: that is
    nobody's zero."""
    kept = state.store.get(VERDICT)
    if kept is None:
        raise JudgeError("no attempt at this sample counts, so it has no verdict")
    found = msgspec.convert(kept, Verdict)
    void = [one for one in found.findings if one.verdict == "void"]
    if void and not may_be_open:
        what = f"{len(void)} rules are void: {void[0].id}: {void[0].why}"
        raise JudgeError(what, where=found.task)
    return found


def _mark(mark: bool | None) -> float:
    return nan if mark is None else float(mark)


def _score(found: Verdict, value: dict[str, float]) -> Score:
    broken = [one for one in found.findings if one.verdict == "fail"]
    lines = [f"{one.id}: {one.says} {_where(one.at, one.why)}".rstrip() for one in broken]
    return Score(
        value=value,
        answer=found.outcome,
        explanation="\n".join(lines) or "no rule is broken",
        metadata=msgspec.to_builtins(found),
    )


def _where(at: int | None, why: str) -> str:
    place = "" if at is None else f"(event {at}) "
    return f"{place}{why}"
