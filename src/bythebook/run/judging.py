"""The runs of an evaluation before a judge: what is asked of it, and what came of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import msgspec

from bythebook.deliverables.checks import run_check
from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.evidence.startupbench import write_hints
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.agreement import Agreement, RatedItem, RatedRun, agreement
from bythebook.deliverables.judge.court import Court, Hearing, Watch
from bythebook.deliverables.judge.docket import Asked, Mode, Question, left_open
from bythebook.deliverables.judge.hand import HandJudge, Sources
from bythebook.deliverables.judge.journal import append, read_judgements
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.labels import Label
from bythebook.deliverables.judge.session import Judge, total
from bythebook.deliverables.judge.startupbench import written
from bythebook.deliverables.judge.submission import Submission
from bythebook.deliverables.rubric import WEIGHT, Item
from bythebook.deliverables.scenefile import SceneFile
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.deliverables.workspace import RESULTS
from bythebook.errors import UsageError, suggestion
from bythebook.models.ledger import Ledger
from bythebook.models.types import Usage
from bythebook.run.deliver import Counted, Reader, counted
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.task import Content
from bythebook.trace import Trace
from bythebook.verdict import Verdict

INPUTS = ".inputs"
"""Beside the runs: what was read of each task's inputs, kept between two commands."""


class Picked(msgspec.Struct, frozen=True, kw_only=True):
    """Which items of which runs are to be judged."""

    tasks: tuple[str, ...] = ()
    """Ids or prefixes; none: all."""
    items: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    all_items: bool = False
    """Also what checks decided."""
    mode: Mode = "item"
    attempts: int = 2
    pictures: bool = True
    """Whether a hand is given pages as pictures, which takes an engine a while to draw."""

    def has_task(self, name: str) -> bool:
        return not self.tasks or any(name.startswith(one) for one in self.tasks)


class JudgedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run after judging, as far as its open items go."""

    task: str
    run: int
    open: int
    """Items that checks left to a judge."""
    judged: int
    void: tuple[str, ...]
    """Items with no verdict: void, or not answered yet."""
    asked: int
    """Items that this command put to the judge."""
    sessions: int
    calls: int
    usage: Usage
    seconds: float


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What one command of judging came to."""

    judge: str
    mode: Mode
    runs: tuple[JudgedRun, ...]
    wrong: tuple[str, ...] = ()
    """Answers by hand that something is wrong with: the files that say what."""
    given_up: bool = False
    spent: bool = False
    """The budget ended it."""

    @property
    def void(self) -> int:
        """Items without a verdict, over all runs."""
        return sum(len(run.void) for run in self.runs)

    @property
    def usage(self) -> Usage:
        """Tokens of all its sessions."""
        return total(run.usage for run in self.runs)


@dataclass(frozen=True)
class Matter:
    """One run as it comes before a judge."""

    place: RunFolder
    trace: Trace
    scene: SceneFile
    submission: Submission
    questions: tuple[Question, ...]
    """All that is the judge's to decide, judged or not."""


@dataclass
class Sittings:
    """The runs of one folder."""

    folder: EvaluationFolder
    content: Content
    picked: Picked
    reader: Reader
    _inputs: dict[str, View] = field(default_factory=dict)

    @cached_property
    def matters(self) -> tuple[Matter, ...]:
        """Every finished run that was asked for and handed something over."""
        plan = self.folder.plan
        if plan is not None and plan.suite != "deliverables":
            hint = "`bythebook score` judges its runs again"
            says = f"the suite `{plan.suite}` has no judge: its rules decide"
            raise UsageError(says, where=self.folder.root, hint=hint)
        if self.folder.places():
            self.folder.demand(self.picked.tasks)
        found = tuple(self._matters())
        if not found:
            raise self.folder.amiss("there is no finished run to judge here")
        self._check_items(found)
        return found

    async def by_model(
        self, judge: Judge, watch: Watch, *, concurrency: int, ledger: Ledger | None = None
    ) -> Judged:
        """`ledger`: as in `Court`."""
        hearings = [
            Hearing(matter.submission, matter.place.judgements, self._remaining(matter, judge.name))
            for matter in self.matters
        ]
        court = Court(judge, watch, self.picked.mode, ledger)
        tally = await court.hear(hearings, concurrency=concurrency)
        lines: dict[Path, list[Judgement]] = {hearing.journal: [] for hearing in hearings}
        for hearing, line in tally.heard:
            lines[hearing.journal].append(line)
        runs = tuple(
            self._judged(matter, judge.name, hearing.questions, lines[hearing.journal])
            for matter, hearing in zip(self.matters, hearings, strict=True)
        )
        return Judged(
            judge=judge.name,
            mode=self.picked.mode,
            runs=runs,
            given_up=tally.given_up,
            spent=tally.spent,
        )

    def by_hand(self, judge: HandJudge) -> Judged:
        """Take the answers that are there, then lay out what is not answered yet."""
        runs: list[JudgedRun] = []
        wrong: list[str] = []
        for matter in self.matters:
            asked = self._remaining(matter, judge.name)
            judge.lay_out(matter.submission, self._sources(matter), asked)
            taken = [
                line
                for one in asked
                if (line := judge.take(matter.submission, one.item)) is not None
            ]
            append(matter.place.judgements, taken)
            wrong += [
                str(path) for one in asked if (path := judge.wrong(matter.submission, one.item))
            ]
            runs.append(self._judged(matter, judge.name, asked, taken))
        return Judged(judge=judge.name, mode="item", runs=tuple(runs), wrong=tuple(wrong))

    def write_rubric_judges(self) -> tuple[Path, ...]:
        """Each run's verdict in StartupBench's form, as `rubric_judges.json` beside it."""
        found: list[Path] = []
        for matter in self.matters:
            verdict = msgspec.json.decode(matter.place.verdict.read_bytes(), type=Verdict)
            path = matter.place.root / "rubric_judges.json"
            write_whole(path, as_text(written(matter.submission.items, verdict)))
            found.append(path)
        return tuple(found)

    # --- runs -------------------------------------------------------------------------------

    def _matters(self) -> Iterator[Matter]:
        for place in self.folder.runs():
            trace = place.played()
            if trace is None or not self.picked.has_task(place.task):
                continue
            scene = SceneFile.load(self.folder.scenes / f"{trace.header.scene}.json")
            submission = self._submission(place, scene, self.reader.results(place, trace))
            if not submission.bare:
                yield Matter(place, trace, scene, submission, self._questions(scene, submission))

    def _submission(self, place: RunFolder, scene: SceneFile, results: View) -> Submission:
        return Submission(
            task=place.task,
            run=place.number,
            prompt=scene.prompt,
            wants=scene.wants,
            items=scene.rubric.items,
            results=results,
            inputs=self._inputs_of(place.task),
        )

    def _inputs_of(self, task: str) -> View:
        if task not in self._inputs:
            self._inputs[task] = View.of_folder(
                self._task(task).inputs,
                keep=self.folder.root / INPUTS / task,
                engine=self.reader.engine,
                cache=self.reader.cache,
            )
        return self._inputs[task]

    def _task(self, name: str) -> DeliverableTask:
        return load_task(self.content, name)

    def _questions(self, scene: SceneFile, submission: Submission) -> tuple[Question, ...]:
        items = [item for item in scene.rubric.items if self._wanted(item)]
        if self.picked.all_items:
            return tuple(Question(item) for item in items)
        case = scene.case(submission.results)
        answers: dict[str, Answer] = {
            item.id: run_check(item, case) for item in items if item.decided_by != "judge"
        }
        return tuple(left_open(items, answers))

    def _wanted(self, item: Item) -> bool:
        return not self.picked.items or item.id in self.picked.items

    def _check_items(self, matters: Sequence[Matter]) -> None:
        """Raises `UsageError` for a name that no rubric holds."""
        known = {item.id for matter in matters for item in matter.scene.rubric.items}
        for name in (*self.picked.items, *self.picked.again):
            if name not in known and name not in ("void", "all"):
                raise UsageError(f"no item {name!r}", hint=suggestion(name, known))

    def _sources(self, matter: Matter) -> Sources:
        handed = matter.place.workspace / RESULTS
        files = handed if handed.is_dir() else None

        reader = self.reader if self.picked.pictures else replace(self.reader, engine=None)

        def hints(folder: Path) -> None:
            write_hints(reader.results(matter.place, matter.trace), folder, files)

        return Sources(handed, self._task(matter.place.task).inputs, hints)

    # --- judgements -------------------------------------------------------------------------

    def _remaining(self, matter: Matter, judge: str) -> tuple[Question, ...]:
        asked = self._asked(matter, judge)
        return tuple(asked.remaining(matter.questions, read_judgements(matter.place.judgements)))

    def _asked(self, matter: Matter, judge: str) -> Asked:
        return Asked(
            judge=judge,
            evidence=matter.submission.results.sha,
            mode=self.picked.mode,
            attempts=self.picked.attempts,
            again=self.picked.again,
        )

    def _judged(
        self, matter: Matter, judge: str, asked: Sequence[Question], lines: Sequence[Judgement]
    ) -> JudgedRun:
        """How a run stands after some lines were added to its journal."""
        standing = self._asked(matter, judge).standing(
            matter.questions, read_judgements(matter.place.judgements)
        )
        void = tuple(name for name, line in standing.items() if line is None or not line.verdict)
        return JudgedRun(
            task=matter.place.task,
            run=matter.place.number,
            open=len(matter.questions),
            judged=len(matter.questions) - len(void),
            void=void,
            asked=len(asked),
            sessions=len(lines),
            calls=sum(line.calls for line in lines),
            usage=total(line.usage for line in lines),
            seconds=round(sum(line.seconds for line in lines), 3),
        )


# --- whose judgements count ---------------------------------------------------------------------


def judges_of(folder: EvaluationFolder) -> tuple[Counted, ...]:
    """Every judge that has a line in a folder, in the order in which they came."""
    lines = (line for place in folder.places() for line in read_judgements(place.judgements))
    return tuple(dict.fromkeys(Counted(line.judge, line.mode) for line in lines))


def seat(folder: EvaluationFolder, judge: Counted, *, counts: bool) -> Counted:
    """Say in the plan whose judgements count, after `judge` was asked: those of the first judge
    that gave any, unless another is chosen by `counts`. Gives who that is.

    A folder without a plan has nowhere to say it: there the first counts.
    """
    plan, known = folder.plan, judges_of(folder)
    now = counted(plan)
    first = now if now in known else next(iter(known), judge)
    if plan is None:
        return first
    chosen = judge if counts else first
    if chosen != now and (counts or known):
        told = msgspec.structs.replace(plan, judge=chosen.judge, judge_mode=chosen.mode)
        folder.keep_plan(told)
    return chosen


# --- against people -----------------------------------------------------------------------------


def standing_verdicts(folder: EvaluationFolder) -> list[Verdict]:
    """The verdicts of a folder as they stand."""
    return [
        msgspec.json.decode(place.verdict.read_bytes(), type=Verdict)
        for place in folder.runs()
        if place.verdict.exists()
    ]


def agreed(
    folder: EvaluationFolder, verdicts: Iterable[Verdict], labels: Sequence[Label]
) -> Agreement:
    """Verdicts of a folder set against people's labels."""
    runs = [_rated(verdict) for verdict in verdicts]
    if not runs:
        raise UsageError("there is no verdict in this folder", where=folder.root)
    return agreement(runs, labels)


_WEIGHT: dict[str, int] = {str(level): weight for level, weight in WEIGHT.items()}


def _rated(verdict: Verdict) -> RatedRun:
    items = tuple(
        RatedItem(
            item=finding.id,
            level=finding.level,
            dimension=finding.dimension,
            weight=_WEIGHT[finding.level],
            mark=None if finding.verdict == "void" else finding.verdict,
        )
        for finding in verdict.findings
    )
    return RatedRun(verdict.task, verdict.run, verdict.success, items)
