"""A judge tried on a task's own deliverables of known quality: its references and its faults.

    DIR/<task>/<source>/        reference, reference-2, fault-NAME
      results/                  the deliverables
      evidence/
      judgements-<k>.jsonl      the k-th time
    DIR/audit.json

What stands in a journal is not asked again, so the same command goes on where it was stopped. A
hand is asked through folders under numbers that do not tell which deliverable is a fault.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence.startupbench import write_hints
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.faults.carry import NoEngine, placed
from bythebook.deliverables.faults.faultfile import Fault, load_faults
from bythebook.deliverables.judge.audit import Audit, Ruling, audit
from bythebook.deliverables.judge.court import Court, Hearing, Watch
from bythebook.deliverables.judge.docket import Asked, Question
from bythebook.deliverables.judge.hand import HandJudge, Sources
from bythebook.deliverables.judge.journal import append, read_judgements
from bythebook.deliverables.judge.labels import Mark
from bythebook.deliverables.judge.session import Judge, total
from bythebook.deliverables.judge.submission import Submission
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import UsageError
from bythebook.models.types import Usage
from bythebook.run.deliver import Reader
from bythebook.run.durable import write_whole
from bythebook.run.folder import as_text
from bythebook.run.judging import Picked

REFERENCES = ("reference", "reference-2")


class Kept(msgspec.Struct, frozen=True):
    """`kept.json`: of which task's content these deliverables are."""

    task_hash: str


@dataclass(frozen=True)
class Specimen:
    """One deliverable of known quality."""

    source: str
    folder: Path
    submission: Submission
    known: dict[str, Mark]
    """Item to what a judge should say of it."""


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """What `audit.json` holds."""

    audit: Audit
    sessions: int
    """Of this command."""
    usage: Usage
    left_out: tuple[str, ...]
    """Faults that could not be made here, and why."""
    given_up: bool = False
    waiting: int = 0
    """Questions that no hand has answered yet; they count as void."""
    wrong: tuple[str, ...] = ()
    """Answers by hand that something is wrong with: the files that say what."""


class Auditorium:
    """The specimens of some tasks, made in a folder."""

    def __init__(
        self, folder: Path, tasks: Sequence[DeliverableTask], picked: Picked, reader: Reader
    ) -> None:
        self.folder, self.tasks, self.picked, self.reader = folder, tasks, picked, reader
        self.left_out: list[str] = []

    async def hear(self, judge: Judge, watch: Watch, *, repeats: int, concurrency: int) -> Audited:
        """Ask the judge of every specimen, each time, and count. Keeps `audit.json`."""
        specimens = self._all()
        hearings = [
            Hearing(one.submission, _journal(one, number), self._questions(one, number, judge.name))
            for number in range(1, repeats + 1)
            for one in specimens
        ]
        tally = await Court(judge, watch).hear(hearings, concurrency=concurrency)
        return self._kept(
            Audited(
                audit=self._audit(specimens, judge.name, repeats),
                sessions=len(tally.heard),
                usage=total(line.usage for _, line in tally.heard),
                left_out=tuple(self.left_out),
                given_up=tally.given_up,
            )
        )

    def by_hand(self, judge: HandJudge, *, repeats: int) -> Audited:
        """Take the answers that are there, then lay out what is not answered yet, and count."""
        specimens = self._all()
        taken, waiting = 0, 0
        wrong: list[str] = []
        for specimen, number, place in _shuffled(specimens, repeats):
            submission = replace(specimen.submission, run=place)
            asked = self._questions(specimen, number, judge.name)
            judge.lay_out(submission, self._sources(specimen), asked)
            for question in asked:
                line = judge.take(submission, question.item)
                if line is not None:
                    append(_journal(specimen, number), [line])
                    taken += 1
                    continue
                waiting += 1
                path = judge.wrong(submission, question.item)
                wrong += [str(path)] if path is not None else []
        return self._kept(
            Audited(
                audit=self._audit(specimens, judge.name, repeats),
                sessions=taken,
                usage=Usage(),
                left_out=tuple(self.left_out),
                waiting=waiting,
                wrong=tuple(wrong),
            )
        )

    def _audit(self, specimens: Sequence[Specimen], judge: str, repeats: int) -> Audit:
        rulings = [ruling for one in specimens for ruling in self._rulings(one, judge, repeats)]
        return audit(judge, repeats, rulings)

    def _kept(self, found: Audited) -> Audited:
        write_whole(self.folder / "audit.json", as_text(found))
        return found

    # --- specimens --------------------------------------------------------------------------

    def _all(self) -> list[Specimen]:
        """Those of all tasks. Raises `UsageError` when there is nothing to ask about."""
        specimens = [one for task in self.tasks for one in self._specimens(task)]
        if not any(one.known for one in specimens):
            raise UsageError("nothing is known of these items", where=self.folder)
        return specimens

    def _sources(self, specimen: Specimen) -> Sources:
        results = specimen.folder / "results"
        inputs = next(one.inputs for one in self.tasks if one.id == specimen.submission.task)

        def hints(folder: Path) -> None:
            engine = self.reader.engine if self.picked.pictures else None
            view = View.kept(specimen.folder / "evidence", folder=results, engine=engine)
            write_hints(view, folder, results)

        return Sources(results, inputs, hints)

    def _specimens(self, task: DeliverableTask) -> Iterator[Specimen]:
        place = self.folder / task.id
        self._check(place, task)
        inputs = self._view(task.inputs, place / "inputs")
        for name in REFERENCES:
            if (task.folder / name).is_dir():
                _filled(place / name, partial(shutil.copytree, task.folder / name))
                known: dict[str, Mark] = {item.id: "pass" for item in task.rubric.items}
                yield self._specimen(task, (name, place / name), known, inputs)
        for fault in load_faults(task).values():
            made = place / f"fault-{fault.name}"
            if self._made(task, fault, made):
                yield self._specimen(task, (f"fault:{fault.name}", made), _known(fault), inputs)

    def _specimen(
        self, task: DeliverableTask, place: tuple[str, Path], known: dict[str, Mark], inputs: View
    ) -> Specimen:
        source, folder = place
        submission = Submission(
            task=task.id,
            run=1,
            prompt=task.prompt,
            wants=task.wants,
            items=task.rubric.items,
            results=self._view(folder / "results", folder / "evidence"),
            inputs=inputs,
        )
        asked = {
            name: mark
            for name, mark in known.items()
            if not self.picked.items or name in self.picked.items
        }
        return Specimen(source, folder, submission, asked)

    def _made(self, task: DeliverableTask, fault: Fault, folder: Path) -> bool:
        """Carry the fault out, unless it was; False where that cannot be done here."""
        try:
            _filled(folder, lambda results: placed(task, fault, results, self.reader.engine))
        except NoEngine as error:
            self.left_out.append(f"{task.id} {fault.name}: {error.what}")
            return False
        return True

    def _view(self, files: Path, keep: Path) -> View:
        engine, cache = self.reader.engine, self.reader.cache
        if (keep / "evidence.json").exists():
            return View.kept(keep, folder=files, engine=engine, cache=cache)
        return View.of_folder(files, keep=keep, engine=engine, cache=cache)

    def _check(self, place: Path, task: DeliverableTask) -> None:
        """Raises `UsageError` where specimens of another version of the task are kept."""
        path = place / "kept.json"
        if not path.exists():
            write_whole(path, as_text(Kept(task.hash)))
        elif msgspec.json.decode(path.read_bytes(), type=Kept).task_hash != task.hash:
            hint = "choose a new folder: what is known of its items may be something else now"
            raise UsageError(f"{task.id} has changed since", where=place, hint=hint)

    # --- judgements -------------------------------------------------------------------------

    def _questions(self, one: Specimen, number: int, judge: str) -> tuple[Question, ...]:
        questions = [Question(item) for item in one.submission.items if item.id in one.known]
        asked = self._asked(one, judge)
        return tuple(asked.remaining(questions, read_judgements(_journal(one, number))))

    def _asked(self, one: Specimen, judge: str) -> Asked:
        return Asked(
            judge=judge,
            evidence=one.submission.results.sha,
            attempts=self.picked.attempts,
            again=self.picked.again,
        )

    def _rulings(self, one: Specimen, judge: str, repeats: int) -> Iterator[Ruling]:
        asked = self._asked(one, judge)
        questions = [Question(item) for item in one.submission.items if item.id in one.known]
        times = [
            asked.standing(questions, read_judgements(_journal(one, number)))
            for number in range(1, repeats + 1)
        ]
        for question in questions:
            item = question.item
            lines = [standing[item.id] for standing in times]
            yield Ruling(
                task=one.submission.task,
                source=one.source,
                item=item.id,
                level=item.level,
                dimension=item.dimension,
                truth=one.known[item.id],
                verdicts=tuple(line.verdict if line is not None else None for line in lines),
            )


def _shuffled(specimens: Sequence[Specimen], repeats: int) -> Iterator[tuple[Specimen, int, int]]:
    """Each specimen and repeat, with the number under which a hand is asked: the same for every
    command, and in an order that says nothing."""
    every = [(one, number) for one in specimens for number in range(1, repeats + 1)]
    told = {
        id(pair): hashlib.sha256(f"{pair[0].submission.results.sha} {pair[1]}".encode()).hexdigest()
        for pair in every
    }
    for place, pair in enumerate(sorted(every, key=lambda one: told[id(one)]), 1):
        yield *pair, place


def _filled(folder: Path, fill: Callable[[Path], object]) -> None:
    """Make `results/`, whole or not at all; what is there stays."""
    results, beside = folder / "results", folder / ".results.new"
    if results.exists():
        return
    shutil.rmtree(beside, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    fill(beside)
    beside.rename(results)


def _known(fault: Fault) -> dict[str, Mark]:
    """What is known of a fault: items that it breaks, and items that it must leave whole."""
    broken: dict[str, Mark] = dict.fromkeys((*fault.fails, *fault.judged), "fail")
    spared: dict[str, Mark] = dict.fromkeys(fault.spares, "pass")
    return spared | broken


def _journal(one: Specimen, number: int) -> Path:
    return one.folder / f"judgements-{number}.jsonl"
