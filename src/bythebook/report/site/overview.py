"""What the site knows before any page is opened: evaluations, tasks, and every run as a line."""

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from bythebook import __version__
from bythebook.errors import BythebookError
from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.figure import Figure
from bythebook.report.label import short_cap
from bythebook.report.table import Table
from bythebook.run.summary import RunLine, Summary
from bythebook.task import PAPER_SIZE, Content

PAPERS = {"conduct": "BizAgentBench", "deliverables": "StartupBench"}
OWN_STYLE = re.compile(r"<style>.*?</style>", re.S)
Broken = tuple[str, int | None]
"""A rule or item that failed, and the first event that broke it."""


class SuiteTold(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    here: int
    """Tasks that ship or were brought along."""
    paper: int
    """Tasks of the paper's own benchmark."""
    paper_name: str
    played: int
    """Tasks in the evaluations of this site."""


class EvaluationTold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    label: str
    slug: str
    """Names it in addresses."""
    suite: str
    agent: str
    model: str = ""
    condition: str = ""
    cap: str = ""
    simulator: str = ""
    judge: str = ""
    benchmark: str = ""
    """Version of bythebook that played it."""
    planned: int | None = None
    """Runs of each task."""
    summary: Summary
    problems: tuple[str, ...] = ()


class Says(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule or item in a sentence."""

    says: str
    kind: str = ""
    """Of a rule: goal, process or protection."""


class TaskTold(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    suite: str
    id: str
    title: str
    domain: str = ""
    tags: tuple[str, ...] = ()
    chunk: int
    """Number of its data chunk."""
    rules: dict[str, Says] = {}
    """Rules or items that some run broke."""


class RunTold(msgspec.Struct, frozen=True, array_like=True):
    """One run. `of` and `task` are places in the lists of evaluations and tasks."""

    of: int
    task: int
    n: int
    outcome: str
    goal: bool | None
    process: bool | None
    protection: bool | None
    strict: bool | None
    exercised: bool | None
    low: float | None
    high: float | None
    success: bool | None
    calls: int
    void: int
    broken: tuple[Broken, ...]
    replay: int | None
    """Number of its data chunk; None: it is not kept whole here."""


class FigureTold(msgspec.Struct, frozen=True, kw_only=True):
    """A figure; its numbers stand in the table that it is drawn from."""

    id: str
    suite: str
    title: str
    says: str
    source: str
    svg: str
    """Without a style of its own: the page allows none, and has the same rules in a sheet."""
    table: str


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """The chunk `site`."""

    title: str
    version: str = __version__
    replay: str
    """Which runs are kept whole: all, some or none."""
    images: bool
    suites: tuple[SuiteTold, ...]
    evaluations: tuple[EvaluationTold, ...]
    tasks: tuple[TaskTold, ...]
    runs: tuple[RunTold, ...]
    tables: tuple[Table, ...]
    long_tables: dict[str, tuple[int, int]]
    """Of tables with many rows, which stand without them here: the number of their data chunk, and
    how many rows that holds."""
    figures: tuple[FigureTold, ...]
    notes: tuple[str, ...]
    """What went wrong while the site was built, in sentences."""


def suites_told(evaluations: Evaluations) -> tuple[SuiteTold, ...]:
    content: Content = evaluations.content
    found = []
    for suite, paper in PAPERS.items():
        played = {run.task for one in evaluations.of(suite) for run in one.runs}
        if evaluations.of(suite):
            found.append(
                SuiteTold(
                    name=suite,
                    here=len(content.tasks(suite)),
                    paper=PAPER_SIZE[suite]["tasks"],
                    paper_name=paper,
                    played=len(played),
                )
            )
    return tuple(found)


def figures_told(figures: Iterable[Figure]) -> tuple[FigureTold, ...]:
    return tuple(
        FigureTold(
            id=one.id,
            suite=one.table.suite,
            title=one.title,
            says=one.says,
            source=one.source,
            svg=OWN_STYLE.sub("", one.svg),
            table=one.table.id,
        )
        for one in figures
    )


def evaluations_told(every: Iterable[Evaluation]) -> tuple[EvaluationTold, ...]:
    taken: set[str] = set()
    return tuple(_evaluation(one, _slug(one.label, taken)) for one in every)


def _evaluation(one: Evaluation, slug: str) -> EvaluationTold:
    plan, scores = one.plan, one.scores
    return EvaluationTold(
        label=one.label,
        slug=slug,
        suite=one.suite,
        agent=one.agent,
        model=one.model,
        condition=plan.condition if plan is not None else scores.condition,
        cap=short_cap(plan.cap) if plan is not None and plan.cap else "",
        simulator=plan.simulator if plan is not None else "",
        judge=plan.judge if plan is not None else "",
        benchmark=plan.benchmark if plan is not None else "",
        planned=plan.runs if plan is not None else None,
        summary=scores.summary,
        problems=one.problems,
    )


def _slug(label: str, taken: set[str]) -> str:
    """Letters, digits and dashes that name one evaluation and no other."""
    plain = re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-") or "evaluation"
    slug, number = plain, 1
    while slug in taken:
        number += 1
        slug = f"{plain}-{number}"
    taken.add(slug)
    return slug


def runs_told(
    every: Iterable[Evaluation],
    tasks: Mapping[tuple[str, str], int],
    replays: Mapping[tuple[str, str, int], int],
) -> Iterator[RunTold]:
    """`tasks`: suite and task to its place; `replays`: label, task and run to its chunk."""
    for of, one in enumerate(every):
        broken = dict(breaks(one)) if one.suite == "conduct" else {}
        for run in one.runs:
            at = broken.get((run.task, run.run), tuple((name, None) for name in run.broken))
            replay = replays.get((one.label, run.task, run.run))
            yield _run(run, of, tasks[one.suite, run.task], at, replay)


def breaks(one: Evaluation) -> Iterator[tuple[tuple[str, int], tuple[Broken, ...]]]:
    """Of each run of conduct with a broken rule: which, and at which event first."""
    for run in one.runs:
        if not run.broken:
            continue
        try:
            findings = one.verdict(run).findings
        except BythebookError:
            continue
        failed = [(found.id, found.at) for found in findings if found.verdict == "fail"]
        yield (run.task, run.run), tuple(failed)


def _run(
    run: RunLine, of: int, task: int, broken: tuple[Broken, ...], replay: int | None
) -> RunTold:
    delivered = run.delivered
    return RunTold(
        of,
        task,
        run.run,
        run.outcome,
        run.goal,
        run.process,
        run.protection,
        run.strict,
        run.process_exercised,
        delivered.low if delivered is not None else None,
        delivered.high if delivered is not None else None,
        run.success,
        run.calls,
        run.void,
        broken,
        replay,
    )
