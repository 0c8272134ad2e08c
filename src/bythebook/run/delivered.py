"""What the runs of deliverables come to (paper: StartupBench, Tables 3 to 5, Figure 4)."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from bythebook.verdict import Delivered, Share


class Marked(msgspec.Struct, frozen=True):
    """One run, as far as this asks."""

    task: str
    success: bool | None
    delivered: Delivered


class DeliveredSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Scores and rates are between 0 and 1: the mean over tasks of the mean over a task's runs.

    Void items leave bounds: `low` takes them as failed, `high` as passed.
    """

    score: float | None
    """None while an item of some run is void: then only the bounds are known."""
    low: float
    high: float
    success: float | None
    """Share of the `decided` runs with a score of at least 0.90."""
    success_low: float
    success_high: float
    decided: int
    """Runs whose success does not hang on void items."""
    all_core: float | None
    """Share of runs in which every core item holds, where that does not hang on void ones."""
    weight: dict[str, float]
    """Share of all weight that was decided by `checks` and by `judges`, or is `void`."""
    format: dict[str, float]
    """Share of runs by format compliance: `ok`, `wrong_type`, `omitted`."""
    levels: dict[str, Share]
    """Weights of all runs together, by level and by dimension."""
    dimensions: dict[str, Share]


def delivered_summary(runs: Sequence[Marked]) -> DeliveredSummary | None:
    """None without runs."""
    if not runs:
        return None

    def mean(value: Callable[[Marked], float]) -> float:
        return _over_tasks((run.task, value(run)) for run in runs) or 0.0

    every = [run.delivered for run in runs]
    total = sum(one.total for one in every) or 1
    low, high = mean(lambda run: run.delivered.low), mean(lambda run: run.delivered.high)
    return DeliveredSummary(
        score=low if all(not one.void for one in every) else None,
        low=low,
        high=high,
        success=_over_tasks((r.task, float(r.success)) for r in runs if r.success is not None),
        success_low=mean(lambda run: float(run.success is True)),
        success_high=mean(lambda run: float(run.success is not False)),
        decided=sum(run.success is not None for run in runs),
        all_core=_over_tasks(
            (run.task, float(run.delivered.all_core))
            for run in runs
            if run.delivered.all_core is not None
        ),
        weight={
            "checks": sum(one.checks for one in every) / total,
            "judges": sum(one.judges for one in every) / total,
            "void": sum(one.void for one in every) / total,
        },
        format={kind: mean(_compliant(kind)) for kind in ("ok", "wrong_type", "omitted")},
        levels=_added(one.levels for one in every),
        dimensions=_added(one.dimensions for one in every),
    )


def _compliant(kind: str) -> Callable[[Marked], float]:
    return lambda run: float(run.delivered.format == kind)


def _over_tasks(values: Iterable[tuple[str, float]]) -> float | None:
    by_task: dict[str, list[float]] = {}
    for task, value in values:
        by_task.setdefault(task, []).append(value)
    means = [sum(found) / len(found) for found in by_task.values()]
    return sum(means) / len(means) if means else None


def _added(groups: Iterable[dict[str, Share]]) -> dict[str, Share]:
    found: dict[str, Share] = {}
    for group in groups:
        for name, share in group.items():
            old = found.get(name, Share())
            found[name] = Share(
                old.satisfied + share.satisfied, old.void + share.void, old.total + share.total
            )
    return dict(sorted(found.items()))
