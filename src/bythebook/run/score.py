"""Verdicts from what is on disk: trace, scene file, evidence and judgements; nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from bythebook.conduct.criteria import Criteria
from bythebook.errors import BythebookError, ContentError, JudgeError, TraceError
from bythebook.run.accounts import told
from bythebook.run.aside import set_aside
from bythebook.run.conduct import ConductBench
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.plan import Plan
from bythebook.run.provenance import kept_verdict, note, scoring
from bythebook.run.stage import Bench
from bythebook.run.statistics import Statistics
from bythebook.run.summary import RunLine, Scores, line, summary_of
from bythebook.run.violations import customer_scores
from bythebook.trace import read_trace
from bythebook.verdict import Verdict

F = TypeVar("F")


@dataclass(frozen=True)
class Rescored(Generic[F]):
    """What judging a folder again came to."""

    verdicts: tuple[Verdict, ...]
    statistics: tuple[F, ...]
    """One for each verdict."""
    changed: tuple[RunFolder, ...]
    """Runs whose verdict was written: it was missing, or other bytes."""
    corrected: tuple[RunFolder, ...]
    """Those of them that had a verdict which their trace does not give."""
    in_flight: tuple[RunFolder, ...]
    """Traces without a closing line that counts: nothing to judge yet."""
    problems: tuple[BythebookError, ...]
    """Traces and scenes that do not read, are not what was written, or cannot be judged; each once,
    however many runs it spoils."""


@dataclass(frozen=True)
class Subset:
    """Some runs of a folder."""

    tasks: tuple[str, ...] = ()
    """Ids or prefixes; none: all."""
    numbers: tuple[int, ...] = ()
    """None: all."""

    def has(self, task: str, number: int) -> bool:
        return self.has_task(task) and (not self.numbers or number in self.numbers)

    def has_task(self, task: str) -> bool:
        return not self.tasks or any(task.startswith(one) for one in self.tasks)

    def wanted(self, plan: Plan) -> int:
        """How many runs of a plan are in it."""
        planned = [(task.id, number) for task in plan.tasks for number in range(1, plan.runs + 1)]
        return sum(self.has(*one) for one in planned)


EVERY = Subset()


@dataclass(frozen=True)
class _Writes:
    """Where new verdicts are noted, and by whom they are."""

    folder: EvaluationFolder
    by: str


@dataclass(frozen=True)
class _Judged(Generic[F]):
    """One run judged again; `kept` are the bytes of the verdict that it had."""

    place: RunFolder
    verdict: Verdict
    statistics: F
    kept: bytes | None
    changed: bool


def rescore(
    folder: EvaluationFolder, rules: Mapping[str, Criteria] | None = None
) -> Rescored[Statistics]:
    """Judge every run of a folder of the suite `conduct` again; `rules` as in `ConductBench`."""
    return judge_again(folder, ConductBench(folder, rules))


def judge_again(
    folder: EvaluationFolder,
    bench: Bench[F],
    *,
    keep: bool = True,
    only: Subset = EVERY,
    by: str = "",
) -> Rescored[F]:
    """Judge the runs of a folder again; without `keep` nothing is written.

    Under the recorded rules a verdict of the same bytes is left alone and any other is written.
    Under today's rules the verdict goes to `verdict-current.json`; the recorded one stays. What is
    written over is kept in `verdicts/`, and `scorings.jsonl` says `by` whom.
    """
    plan, writes = folder.plan, _Writes(folder, by) if keep else None
    found: list[_Judged[F]] = []
    in_flight: list[RunFolder] = []
    problems: dict[str, BythebookError] = {}
    for place in (one for one in folder.runs() if only.has(one.task, one.number)):
        try:
            judged = _judged(bench, place, plan, writes)
        except (TraceError, JudgeError, ContentError) as error:
            problems.setdefault(str(error), error)
            continue
        if judged is None:
            in_flight.append(place)
        else:
            found.append(judged)
    changed = [one for one in found if one.changed]
    return Rescored(
        verdicts=tuple(one.verdict for one in found),
        statistics=tuple(one.statistics for one in found),
        changed=tuple(one.place for one in changed),
        corrected=tuple(one.place for one in changed if one.kept and bench.recorded),
        in_flight=tuple(in_flight),
        problems=tuple(problems.values()),
    )


def _judged(
    bench: Bench[F], place: RunFolder, plan: Plan | None, writes: _Writes | None
) -> _Judged[F] | None:
    """One run judged and its verdict kept; None when it is in flight."""
    trace = read_trace(place.trace)
    if trace.closing is None or not trace.closing.outcome.counts:
        return None
    verdict = bench.verdict(trace, place, plan)
    path = place.verdict if bench.recorded else place.verdict_current
    kept, data = path.read_bytes() if path.exists() else None, as_text(verdict)
    changed = kept != data
    if changed and writes is not None:
        if kept is not None:
            kept_verdict(place, kept)
        line = scoring(place, path, verdict, data)
        note(writes.folder, [msgspec.structs.replace(line, by=writes.by)])
        write_whole(path, data)
    planned = {task.id: task for task in plan.tasks} if plan is not None else {}
    figures = bench.figures(trace, planned.get(trace.header.task))
    return _Judged(place, verdict, figures, kept, changed and writes is not None)


def scores(
    folder: EvaluationFolder,
    found: Rescored[Any],
    *,
    criteria: str = "recorded",
    only: Subset = EVERY,
) -> Scores:
    """All that the verdicts of a folder come to."""
    lines = tuple(map(line, found.verdicts, found.statistics))
    first = found.verdicts[0] if found.verdicts else None
    problems = tuple(str(problem) for problem in found.problems)
    return scores_of(
        folder, lines, Source(criteria=criteria, first=first, problems=problems, only=only)
    )


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where the lines of some scores are from."""

    criteria: str = "recorded"
    first: Verdict | None = None
    """Tells suite, agent and condition where there is no plan."""
    problems: tuple[str, ...] = ()
    only: Subset = EVERY


def scores_of(folder: EvaluationFolder, lines: tuple[RunLine, ...], source: Source) -> Scores:
    """The scores of a folder whose runs are these lines."""
    plan, first = folder.plan, source.first
    only = source.only
    wanted = only.wanted(plan) if plan is not None else None
    missing = None if wanted is None else max(0, wanted - len(lines))
    places = (place for place in folder.places() if only.has(place.task, place.number))
    return Scores(
        suite=plan.suite if plan else first.suite if first else "conduct",
        agent=plan.agent if plan else first.agent if first else "",
        model=plan.model if plan else "",
        condition=plan.condition if plan else first.condition if first else "default",
        criteria=source.criteria,
        runs=lines,
        summary=summary_of(lines, missing=missing, aside=set_aside(places)),
        customer=customer_scores(folder, plan),
        problems=source.problems,
        accounts=told(folder),
        settings=plan.settings if plan else {},
    )
