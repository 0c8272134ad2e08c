"""What a report is made of: evaluations, read from their run folders.

A verdict that lies beside its trace and belongs to it is taken as it is. Where it is missing or
belongs to another trace, a run of conduct is judged again in memory; one of deliverables, whose
verdict needs evidence and perhaps an engine, is named as a problem. Nothing is ever written.
Traces and verdicts are read one by one and not kept: `Evaluation` gives them again when asked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import msgspec

from bythebook.deliverables.judge.labels import Label
from bythebook.errors import BythebookError, ContentError, JudgeError, TraceError, UsageError
from bythebook.report.label import Named, labels
from bythebook.run.conduct import ConductBench
from bythebook.run.effort import effort
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import Plan, PlannedTask
from bythebook.run.score import Source, scores_of
from bythebook.run.statistics import statistics
from bythebook.run.summary import RunLine, Scores, line
from bythebook.task import Content
from bythebook.trace import Trace, read_trace
from bythebook.verdict import Verdict

_VERDICT = msgspec.json.Decoder(Verdict)


class Aside(msgspec.Struct, frozen=True):
    """An attempt that does not count."""

    task: str
    run: int
    cause: str
    """Its outcome; `in flight` when a process ended before it did."""
    folder: str
    at_work: bool = False
    """The agent had made a move, or its model had answered."""


@dataclass(frozen=True)
class Evaluation:
    """One evaluation folder, and the name it goes by in this report."""

    label: str
    folder: EvaluationFolder
    plan: Plan | None
    suite: str

    @cached_property
    def scores(self) -> Scores:
        """Every run that counts, as a line, and their summary. Read once, when first asked for."""
        reader = _Reader(self)
        lines = tuple(reader.lines())
        source = Source(first=reader.first, problems=tuple(reader.problems))
        return scores_of(self.folder, lines, source)

    @property
    def runs(self) -> tuple[RunLine, ...]:
        """Every run that counts, void ones too."""
        return self.scores.runs

    @property
    def problems(self) -> tuple[str, ...]:
        """Runs that do not read, are not what was written, or are not judged; each with its place
        and the next move."""
        return self.scores.problems

    @property
    def agent(self) -> str:
        """As the plan names it; without a plan, as the runs do."""
        return self.plan.agent if self.plan is not None else self.scores.agent

    @property
    def model(self) -> str:
        """`provider:name`; empty without a model, and without a plan."""
        return self.plan.model if self.plan is not None else ""

    @cached_property
    def planned(self) -> dict[str, PlannedTask]:
        """Tasks of the plan by id."""
        return {task.id: task for task in self.plan.tasks} if self.plan is not None else {}

    @cached_property
    def aside(self) -> tuple[Aside, ...]:
        """Attempts that do not count."""
        return tuple(_asides(self.folder))

    def place(self, run: RunLine) -> RunFolder:
        return self.folder.run(run.task, run.run)

    def trace(self, run: RunLine) -> Trace:
        """Read anew. Raises `TraceError`."""
        return read_trace(self.place(run).trace)

    def verdict(self, run: RunLine) -> Verdict:
        """Read anew, with all its findings. Raises `TraceError` or `JudgeError`."""
        place = self.place(run)
        trace = read_trace(place.trace)
        return verdict_of(trace, place, self.plan, ConductBench(self.folder))

    def cases(self) -> Iterator[tuple[RunLine, Trace, Verdict]]:
        """Every run with its trace and verdict, one at a time."""
        bench = ConductBench(self.folder)
        for run in self.runs:
            place = self.place(run)
            trace = read_trace(place.trace)
            yield run, trace, verdict_of(trace, place, self.plan, bench)


@dataclass(frozen=True)
class Evaluations:
    """All evaluations of one report, in the order they were given."""

    every: tuple[Evaluation, ...]
    content: Content = field(default_factory=Content)
    """Where tasks, documents and tools are looked up."""
    specialised: frozenset[str] = frozenset()
    """Labels of evaluations of systems that were made for the tasks they do."""
    people: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    """People's labels on rubric items, by the label of the evaluation."""

    def of(self, suite: str) -> tuple[Evaluation, ...]:
        """Those of one suite."""
        return tuple(one for one in self.every if one.suite == suite)

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(problem for one in self.every for problem in one.problems)

    @cached_property
    def _by_label(self) -> dict[str, Evaluation]:
        return {one.label: one for one in self.every}

    def __getitem__(self, label: str) -> Evaluation:
        return self._by_label[label]


def read_evaluations(
    folders: Sequence[Path], content: Content | None = None, *, named: Sequence[str] = ()
) -> Evaluations:
    """The evaluations in some run folders; `named`: their labels where one was given, "" where not.

    A folder that holds evaluations, up to two levels deep, stands for all of them. Raises
    `UsageError` for a folder without runs, and for two that were given one name.
    """
    given = [*named, *[""] * (len(folders) - len(named))]
    found: list[Named] = []
    for root, name in zip(folders, given, strict=True):
        inner = _evaluations_in(root)
        alone = len(inner) == 1
        found += [Named(one, one.plan, name if alone else "") for one in inner]
    every = [
        Evaluation(label, one.folder, one.plan, _suite(one.folder, one.plan))
        for one, label in zip(found, labels(found), strict=True)
    ]
    return Evaluations(tuple(every), content or Content())


DEPTHS = ("*", "*/*")
"""How deep evaluations may lie in a folder of them: `demo` keeps those of one suite a level lower.
Nothing that an agent left lies so high."""


def _evaluations_in(root: Path) -> list[EvaluationFolder]:
    if not root.is_dir():
        raise UsageError("no such folder", where=root, hint="name a folder that `run` made")
    folder = EvaluationFolder(root)
    if folder.runs():
        return [folder]
    inner = sorted(path.parent for depth in DEPTHS for path in root.glob(f"{depth}/plan.json"))
    found = [one for one in map(EvaluationFolder, inner) if one.runs()]
    if not found:
        hint = "name a folder that `run` made, or one that holds some of them"
        raise UsageError("there is no run in this folder", where=root, hint=hint)
    return found


def _suite(folder: EvaluationFolder, plan: Plan | None) -> str:
    """As the plan says, or else the first trace that reads."""
    if plan is not None:
        return plan.suite
    for place in folder.runs():
        try:
            return read_trace(place.trace).header.suite
        except TraceError:
            continue
    return "conduct"


def _asides(folder: EvaluationFolder) -> Iterator[Aside]:
    for place in folder.places():
        for attempt in place.attempts:
            try:
                trace = read_trace(attempt / "trace.jsonl")
            except TraceError:  # torn by whatever ended it
                yield Aside(place.task, place.number, "in flight", str(attempt), at_work=False)
                continue
            cause = "in flight" if trace.closing is None else str(trace.closing.outcome)
            acted = any(event.actor == "agent" for event in trace.events)
            yield Aside(place.task, place.number, cause, str(attempt), at_work=acted)


# --- one folder ---------------------------------------------------------------------------------


class _Reader:
    """Goes through a folder once."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._bench = ConductBench(evaluation.folder)
        self.first: Verdict | None = None
        self.problems: dict[str, None] = {}

    def lines(self) -> Iterator[RunLine]:
        for place in self._evaluation.folder.runs():
            try:
                found = self._line(place)
            except (TraceError, JudgeError, ContentError) as error:
                self.problems[_told(error)] = None
                continue
            if found is not None:
                yield found

    def _line(self, place: RunFolder) -> RunLine | None:
        """None for a run in flight."""
        trace = read_trace(place.trace)
        if trace.closing is None or not trace.closing.outcome.counts:
            return None
        one = self._evaluation
        verdict = verdict_of(trace, place, one.plan, self._bench)
        self.first = self.first or verdict
        if verdict.suite == "deliverables":
            return line(verdict, effort(trace))
        return line(verdict, statistics(trace, one.planned.get(trace.header.task)))


def _told(error: BythebookError) -> str:
    """In one line."""
    return " ".join(str(error).split())


def verdict_of(trace: Trace, place: RunFolder, plan: Plan | None, bench: ConductBench) -> Verdict:
    """The verdict that lies beside a trace, or one made now.

    Raises `TraceError` or `JudgeError` where there is none and none can be made here.
    """
    kept = _kept(place)
    if kept is not None and belongs(kept, trace, place, plan):
        return kept
    if trace.header.suite == "conduct":
        return bench.verdict(trace, place, plan)
    what = "this run has no verdict" if kept is None else "its verdict is of another trace"
    hint = f"`bythebook score {place.root.parent.parent}` makes it"
    raise TraceError(what, where=place.root, hint=hint)


def _kept(place: RunFolder) -> Verdict | None:
    try:
        return _VERDICT.decode(place.verdict.read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def belongs(verdict: Verdict, trace: Trace, place: RunFolder, plan: Plan | None) -> bool:
    """Does a verdict tell of this trace, in this place, of this plan?"""
    header, closing = trace.header, trace.closing
    agent, condition = header.agent, header.condition
    if plan is not None and (plan.agent, plan.condition) != (agent, condition):
        return False
    there: Iterable[tuple[object, object]] = (
        (verdict.suite, header.suite),
        (verdict.task, header.task),
        (verdict.task, place.task),
        (verdict.run, header.run),
        (verdict.run, place.number),
        (verdict.agent, agent),
        (verdict.condition, condition),
        (verdict.scene, header.scene),
        (verdict.outcome, str(closing.outcome) if closing is not None else ""),
        (verdict.calls, sum(event.kind == "call" for event in trace.events)),
    )
    return all(told == found for told, found in there)
