"""What the verdicts of one evaluation come to: the paper's columns, each with its denominator."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import UNSET

from bythebook.run.accounts import Accounts
from bythebook.run.aside import SetAside
from bythebook.run.delivered import DeliveredSummary, Marked, delivered_summary
from bythebook.run.effort import Effort
from bythebook.run.statistics import Spread, Statistics, spreads
from bythebook.run.violations import CustomerScores
from bythebook.verdict import Delivered, Verdict


class RunLine(msgspec.Struct, frozen=True, kw_only=True):
    """One run, as `score --json` lists it. `score` and `success` are of the other suite."""

    task: str
    run: int
    outcome: str
    goal: bool | None
    process: bool | None
    protection: bool | None
    strict: bool | None
    process_exercised: bool | None
    score: float | None
    success: bool | None
    calls: int
    void: int
    """Rules that reached no verdict through our own fault."""
    broken: tuple[str, ...]
    """The rules that failed."""
    rules: str
    recorded_rules: str
    statistics: Statistics | Effort
    delivered: Delivered | None = None
    """Of the suite deliverables."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Rates are between 0 and 1: the mean over tasks of the share of a task's runs."""

    denominator: str = "valid runs"
    tasks: int
    runs: int
    """Valid runs whose criteria all reached a verdict."""
    void: int
    """Valid runs left out of the rates because a rule is void."""
    missing: int | None
    """Planned runs without a valid attempt; None when there is no plan."""
    attempts_set_aside: int
    """Attempts that do not count: infrastructure, simulator, or in flight when a process ended."""
    set_aside: dict[str, SetAside] = {}
    """These by how they ended."""
    goal: float | None
    process: float | None
    protection: float | None
    intermediate_failure: float | None
    """Share of runs in which process or protection was broken, whatever the end looked like."""
    strict: float | None
    process_exercised: float | None
    goal_without_strict: float | None
    """Share of runs that an outcome-only benchmark would call a success and that are none."""
    delivered: DeliveredSummary | None = None
    """Of the suite deliverables; its runs count here whether or not an item is void."""
    statistics: dict[str, Spread]
    """Every figure of `RunLine.statistics` over all valid runs, each run weighing the same."""


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """`summary.json`, and what `score --json` prints."""

    suite: str
    agent: str
    model: str
    condition: str
    criteria: str
    """`recorded` or `current`."""
    runs: tuple[RunLine, ...]
    summary: Summary
    customer: CustomerScores | None = None
    """How well the model that spoke for the customer kept the protocol; None for a script."""
    problems: tuple[str, ...] = ()
    accounts: Accounts | None = None
    """What all attempts took; None where no model was asked."""
    settings: dict[str, Any] = {}
    """The sampling fields of every request of the agent's model, seed included, as sent."""


def line(verdict: Verdict, statistics: Statistics | Effort) -> RunLine:
    """One run as summaries list it; `statistics` was counted from its trace."""
    return RunLine(
        task=verdict.task,
        run=verdict.run,
        outcome=verdict.outcome,
        goal=verdict.goal,
        process=verdict.process,
        protection=verdict.protection,
        strict=verdict.strict,
        process_exercised=verdict.process_exercised,
        score=verdict.score,
        success=verdict.success,
        calls=verdict.calls,
        void=sum(finding.verdict == "void" for finding in verdict.findings),
        broken=tuple(f.id for f in verdict.findings if f.verdict == "fail"),
        rules=verdict.rules,
        recorded_rules=verdict.recorded_rules,
        statistics=statistics,
        delivered=verdict.delivered if verdict.delivered is not UNSET else None,
    )


def summary_of(
    runs: Sequence[RunLine],
    *,
    missing: int | None = None,
    aside: Mapping[str, SetAside] = MappingProxyType({}),
) -> Summary:
    """The summary of some runs."""
    judged = [run for run in runs if not run.void]

    def rate(mark: Callable[[RunLine], bool | None]) -> float | None:
        marks = ((run.task, mark(run)) for run in judged)
        return _mean_over_tasks((task, found) for task, found in marks if found is not None)

    return Summary(
        tasks=len({run.task for run in runs}),
        runs=len(judged),
        void=len(runs) - len(judged),
        missing=missing,
        attempts_set_aside=sum(one.attempts for one in aside.values()),
        set_aside=dict(aside),
        goal=rate(lambda run: run.goal),
        process=rate(lambda run: run.process),
        protection=rate(lambda run: run.protection),
        intermediate_failure=rate(_fell_between),
        strict=rate(lambda run: run.strict),
        process_exercised=rate(lambda run: run.process_exercised),
        goal_without_strict=rate(lambda run: run.goal and not run.strict),
        delivered=delivered_summary(
            [
                Marked(run.task, run.success, run.delivered)
                for run in runs
                if run.delivered is not None
            ]
        ),
        statistics=spreads([run.statistics for run in runs]),
    )


def _fell_between(run: RunLine) -> bool | None:
    if run.process is None or run.protection is None:
        return None
    return not (run.process and run.protection)


def _mean_over_tasks(marks: Iterable[tuple[str, bool]]) -> float | None:
    by_task: dict[str, list[bool]] = {}
    for task, mark in marks:
        by_task.setdefault(task, []).append(mark)
    if not by_task:
        return None
    shares = [sum(marks) / len(marks) for marks in by_task.values()]
    return sum(shares) / len(shares)
