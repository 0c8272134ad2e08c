"""Verdicts as scores of Inspect, and pass^k over the runs that have one."""

from collections import defaultdict

import msgspec
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer
from inspect_ai.scorer import Value as Figures
from inspect_ai.solver import TaskState

from bythebook.errors import JudgeError
from bythebook.interop.inspect_ai_export.scores import VERDICT, score_of, void_of
from bythebook.interop.inspect_ai_export.scores import pass_k as shares
from bythebook.interop.inspect_ai_tasks.place import KEPT
from bythebook.verdict import Verdict


@metric(scores="unreduced")
def pass_k() -> Metric:
    """pass^k for every k that all tasks have so many runs for; a run without a verdict is none."""

    def measured(scores: list[SampleScore]) -> Figures:
        runs: dict[str, list[bool]] = defaultdict(list)
        for one in scores:
            runs[str(one.sample_id)].append(one.score.as_float() >= 1)
        return shares(runs)

    return measured


@scorer(
    metrics={
        "goal": [mean()],
        "process": [mean()],
        "protection": [mean()],
        "strict": [mean(), pass_k()],
    },
    name=VERDICT,
)
def conduct_verdict() -> Scorer:
    """Goal, process, protection and strict success, each 1 or 0."""

    async def scored(state: TaskState, target: Target) -> Score:
        return await _scored(state, target)

    return scored


@scorer(
    metrics={"low": [mean()], "high": [mean()], "decided": [mean()], "success": [mean()]},
    name="checks",
)
def deliverables_verdict() -> Scorer:
    """What checks decide: the bounds of the score while judges have not spoken, the share of weight
    that is decided, and success where both bounds agree on it."""

    async def scored(state: TaskState, target: Target) -> Score:
        return await _scored(state, target)

    return scored


async def _scored(state: TaskState, target: Target) -> Score:
    """Raises `JudgeError` where there is no verdict, or a rule is void: that is nobody's zero."""
    kept = state.store.get(KEPT)
    if kept is None:
        raise JudgeError("no attempt at this sample counts, so it has no verdict")
    verdict = msgspec.convert(kept, Verdict)
    if void := void_of(verdict):
        raise JudgeError(void, where=verdict.task)
    return score_of(verdict)
