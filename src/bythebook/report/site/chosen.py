"""Which runs are kept whole in the site."""

from collections.abc import Iterable, Iterator
from typing import Literal

from bythebook.report.data import Evaluation
from bythebook.run.summary import RunLine

Replay = Literal["all", "some", "none"]
"""some: of each task, evaluation and outcome the first run."""
Kept = tuple[Evaluation, RunLine]


def chosen(runs: Iterable[RunLine], replay: Replay) -> Iterator[RunLine]:
    """The runs of one evaluation that can be replayed."""
    if replay == "none":
        return
    seen: set[object] = set()
    for run in runs:
        outcome = (run.task, run.outcome, run.goal, run.strict, run.success)
        if replay == "all" or outcome not in seen:
            seen.add(outcome)
            yield run


def by_task(every: Iterable[Evaluation], replay: Replay) -> dict[tuple[str, str], list[Kept]]:
    """Suite and task to the runs that are kept, in the order of the evaluations."""
    found: dict[tuple[str, str], list[Kept]] = {}
    for evaluation in every:
        for run in chosen(evaluation.runs, replay):
            found.setdefault((evaluation.suite, run.task), []).append((evaluation, run))
    return dict(sorted(found.items()))
