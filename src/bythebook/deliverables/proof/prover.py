"""A deliverables task put to the proof: its references, faults, mutants, variants, papers."""

import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bythebook.deliverables.checks.spec import WhatIf
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.office import Engine
from bythebook.deliverables.faults.faultfile import Fault, load_faults
from bythebook.deliverables.proof import gates, papers, shape
from bythebook.deliverables.proof.baselines import baseline_problems, baseline_scores
from bythebook.deliverables.proof.court import Court, Watch
from bythebook.deliverables.proof.disguise import columns
from bythebook.deliverables.proof.ground import Ground, ground_of
from bythebook.deliverables.proof.lab import Lab
from bythebook.deliverables.proof.live import dress, dressed
from bythebook.deliverables.proof.lookalikes import Lookalike, lookalikes
from bythebook.deliverables.proof.matrix import kills, lock_problems, matrix, write_lock
from bythebook.deliverables.proof.mutants import mutants
from bythebook.deliverables.proof.promised import unwatched, used_fields
from bythebook.deliverables.proof.proof import Mutants, Promised, Proof, Tally
from bythebook.deliverables.proof.sample import Sample
from bythebook.deliverables.proof.trial import Trial, Trials, problems_of, values_of
from bythebook.deliverables.proof.variants import variants
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import ContentError
from bythebook.task import shipped

REFERENCES = ("reference", "reference-2")
VARIANTS, LOOKALIKES = 12, 8
"""Least number of kinds that a shipped task is tried on."""
MOST_HOLES = 3
"""Cells of one column and kind that are named."""
NEED_ENGINE = (
    "that the references' cached values are what their formulas give",
    "every fault, and faults.lock",
    "what-ifs, constants dressed as live formulas, and the pages of documents",
)


def prove_task(
    task: DeliverableTask,
    *,
    engine: Engine | None,
    others: Iterable[DeliverableTask] = (),
    cache: Cache | None = None,
    write: bool = False,
) -> Proof:
    """Everything that must hold of a task, tried. Content that does not load is a problem.

    Without an engine the gates that need one are named in `not_run`, and nothing is proved.
    `others` are the tasks that this one must not be too like; `write` keeps faults.lock.
    """
    with tempfile.TemporaryDirectory(prefix="bythebook-") as work:
        try:
            return Prover(task, Lab(Path(work), engine, cache), write=write).prove(others)
        except ContentError as error:
            return Proof(id=task.id, proved=False, problems=(str(error),))


def references_amiss(
    task: DeliverableTask, *, engine: Engine, cache: Cache | None = None
) -> tuple[str, ...]:
    """What keeps the references from the full score: how every proof begins, and no more of it."""
    with tempfile.TemporaryDirectory(prefix="bythebook-") as work:
        try:
            prover = Prover(task, Lab(Path(work), engine, cache))
            prover.read_references()
            prover.references_pass()
        except ContentError as error:
            return (str(error),)
        return tuple(prover.problems)


class Prover:
    """One proof under way."""

    def __init__(self, task: DeliverableTask, lab: Lab, *, write: bool = False) -> None:
        self.task, self.lab, self.write = task, lab, write
        self.shipped = task.folder.is_relative_to(shipped())
        self.court = Court(task, lab.read(task.inputs))
        self.faults: dict[str, Fault] = load_faults(task)
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.survivors: list[str] = []
        self.samples: dict[str, Sample] = {}
        """Reference to its sample."""
        self.trials: list[Trial] = []
        self.baselines: dict[str, float] = {}
        self.varied, self.disguised = Counter[str](), Counter[str]()
        self.promised = Promised()

    def prove(self, others: Iterable[DeliverableTask]) -> Proof:
        """References first: while they fail, nothing else means anything."""
        self.read_references()
        whole = self.references_pass()
        self.rubric(others)
        if whole:
            self.try_out()
        else:
            self.warnings.append("nothing else is tried until the references pass")
        self.papers()
        return self._proof(whole)

    def try_out(self) -> None:
        """Right and wrong answers. Faults wait for LibreOffice most of the time, so they are
        carried out beside the others."""
        reference = self.samples["reference"]
        ground, watch = ground_of(self.court, reference), self.court.watch(reference)
        self.baselines = baseline_scores(self.court, self.lab)
        self.problems += baseline_problems(self.baselines)
        live = dress(self.court, self.lab, reference) if self.lab.engine is not None else {}
        trials = Trials(self.court, self.lab, self.samples)
        with ThreadPoolExecutor(1) as pool:
            faults = pool.submit(trials.run, self.faults) if self.lab.engine is not None else None
            self.columns(ground, watch)
            self.vary(ground)
            self.mutate(ground, watch)
            disguised = list(lookalikes(ground, watch))
            self.disguise(disguised)
            if faults is not None:
                self.break_down(trials, faults.result())
        self.disguise(dressed(self.court, self.lab, live))
        kinds = {one.name.partition(":")[0] for one in disguised}
        self._enough("kinds of look-alikes", len(kinds), LOOKALIKES)

    # --- references -------------------------------------------------------------------------

    def read_references(self) -> None:
        folders = {self.task.folder / name: name for name in REFERENCES}
        present = {folder: name for folder, name in folders.items() if folder.is_dir()}
        samples = {folder: self.lab.read(folder) for folder in present}
        self.lab.expect(samples, self.court.supposing.values())
        samples = self.lab.computed(samples)
        if self.court.supposing and self.lab.engine is not None:
            samples = self.lab.supposed(samples, self.court.supposing.values())
        if self.lab.engine is not None:
            documents = frozenset().union(*self.court.laying.values())
            samples = self.lab.laid_out(samples, documents)
        self.samples = {name: samples[folder] for folder, name in present.items()}
        for sample in self.samples.values():
            self.lab.learn(sample)
        if "reference" not in self.samples:
            hint = f"put one right answer there: {', '.join(self.task.wants)}"
            raise ContentError("there is no reference/", where=self.task.folder, hint=hint)
        if "reference-2" not in self.samples:
            self.warnings.append(
                "no reference-2/: a second right answer shows what a check forbids"
            )

    def references_pass(self) -> bool:
        before = len(self.problems)
        self.problems += gates.unread(self.task.inputs, self.court.inputs)
        for name, sample in self.samples.items():
            folder = self.task.folder / name
            amiss = list(gates.unread(folder, sample))
            amiss += gates.missing(folder, sample, self.task.wants)
            self.problems += amiss
            if amiss:
                # Whatever its items say follows from that.
                continue
            self.problems += gates.errors(name, sample)
            answers = self.court.judge(sample)
            self.problems += gates.full_marks(self.court, name, answers)
            if self.lab.engine is not None:
                self.problems += gates.recalculates(name, sample)
        return len(self.problems) == before

    # --- the rubric -------------------------------------------------------------------------

    def rubric(self, others: Iterable[DeliverableTask]) -> None:
        rubric = self.task.rubric
        found = [*shape.shape_problems(rubric), *shape.likeness_problems(self.task, others)]
        found += self._unsupposed()
        (self.problems if self.shipped else self.warnings).extend(found)
        self.problems += shape.judged_problems(rubric)

    def _unsupposed(self) -> list[str]:
        """Formulas are wanted, and nothing tells a live one from a constant in its dress."""
        specs = [item.spec for item in self.court.items.values()]
        wanted = any(getattr(spec, "formula", False) is True for spec in specs)
        if not wanted or any(isinstance(spec, WhatIf) for spec in specs):
            return []
        return ["formulas are wanted, and no what-if shows that they follow their inputs"]

    def columns(self, ground: Ground, watch: Watch) -> None:
        """Promises that no check keeps."""
        self.problems += shape.unused_fields(self.task.rubric, used_fields(ground))
        try:
            reasons = papers.load_review(self.task.folder).unwatched
        except ContentError:
            reasons = {}
        for heading, place in unwatched(ground, watch):
            if heading not in reasons:
                says = f"the prompt names {heading!r} ({place}) and no check reads it"
                self.problems.append(
                    f"{says}: add one, or say why under `unwatched` in review.yaml"
                )

    # --- right and wrong answers ------------------------------------------------------------

    def vary(self, ground: Ground) -> None:
        """Right answers that look otherwise; they are no files, so no engine is asked of them."""
        marks = Counter[str]()
        asked = self.court.items.keys() - self.court.costly
        for variant in variants(ground):
            answers = self.court.judge(variant.sample, asked)
            failed = [name for name, answer in answers.items() if answer.mark in ("fail", "void")]
            unsure = any(answer.mark == "unsure" for answer in answers.values())
            marks["failed" if failed else "unsure" if unsure else "passed"] += 1
            for item in failed:
                says = f"unfair: {variant.name}: {item} must not fail"
                self.survivors.append(f"{says}: {gates.told(answers[item])}")
        self.varied += marks
        self._enough("right variants", marks.total(), VARIANTS)

    def disguise(self, found: Iterable[Lookalike]) -> None:
        """Wrong answers that look right."""
        marks = Counter[str]()
        for one in found:
            answers = self.court.judge_one(one.sample, one.aims)
            passed = [name for name in answers if answers[name].mark in ("pass", "void")]
            unsure = any(answer.mark == "unsure" for answer in answers.values())
            marks["passed" if passed else "unsure" if unsure else "failed"] += 1
            if passed:
                self.survivors.append(f"hole: {one.name}: {', '.join(passed)} must not pass")
        self.disguised += marks

    def _enough(self, what: str, count: int, least: int) -> None:
        if count < least:
            found = self.problems if self.shipped else self.warnings
            found.append(f"{count} {what} apply; at least {least} are wanted")

    def mutate(self, ground: Ground, watch: Watch) -> None:
        """Promised cells just outside their tolerance."""
        done = list(mutants(ground, watch))
        for one in done:
            for hole in one.holes[:MOST_HOLES]:
                self.survivors.append(f"hole: {hole}, and no item of its level notices")
        self.promised = Promised(
            columns=len(list(columns(self.court, watch))),
            cells=len(watch.promised),
            mutants=sum(one.tried for one in done),
            killed=sum(one.killed for one in done),
            unsure=sum(one.unsure for one in done),
        )

    # --- faults -----------------------------------------------------------------------------

    def break_down(self, trials: Trials, tried: list[Trial]) -> None:
        """Every fault on its reference, and the matrix of what fails."""
        self.trials = tried
        self.problems += trials.problems
        promised = {}
        for name, sample in self.samples.items():
            spots = self.court.watch(sample).promised
            promised[name] = {s: v for s, v in values_of(sample).items() if s in spots}
        for trial in self.trials:
            on = trial.fault.on
            found = problems_of(trial, self.samples[on], promised[on])
            self.problems += [f"fault {trial.fault.name}: {says}" for says in found]
        done = {trial.fault.name for trial in self.trials}
        undone = [fault for name, fault in self.faults.items() if name not in done]
        self.problems += gates.unproved_items(self.court, self.trials, undone)
        if self.write:
            write_lock(self.matrix(), self.task.folder)
        stale = list(lock_problems(self.matrix(), self.task.folder))
        (self.problems if self.shipped else self.warnings).extend(stale)

    def matrix(self) -> dict[str, str]:
        return matrix(self.trials, self.court.items)

    # --- papers -----------------------------------------------------------------------------

    def papers(self) -> None:
        """Stored answers on judged items, and the reader's ledger."""
        folder = self.task.folder
        exhibits = {name: self.lab.view(folder / name) for name in self.samples}
        exhibits |= {trial.fault.name: self.lab.view(trial.folder) for trial in self.trials}
        broken = {name: frozenset((*f.fails, *f.judged)) for name, f in self.faults.items()}
        inputs = self.lab.view(self.task.inputs)
        misread = list(papers.misread(self.task, self.faults))
        found = list(papers.hand_problems(self.task, exhibits, inputs, broken))
        try:
            found += papers.review_problems(papers.load_review(folder))
        except ContentError as error:
            found.append(str(error))
        # What cannot be meant is wrong in anybody's task; what is not there yet may come.
        self.problems += misread
        more = [says for says in found if says not in misread]
        (self.problems if self.shipped else self.warnings).extend(more)

    # --- what came of it --------------------------------------------------------------------

    def _proof(self, whole: bool) -> Proof:
        engine = self.lab.engine
        not_run = () if engine is not None else NEED_ENGINE
        kinds = Counter(fault.kind for fault in self.faults.values())
        right, wrong = _tally(self.varied), _tally(self.disguised)
        return Proof(
            id=self.task.id,
            proved=whole and not self.problems and not self.survivors and not not_run,
            goldens=len(self.samples) if whole else 0,
            counterexamples=len(self.trials),
            mutants=Mutants(
                killed=wrong.failed + self.promised.killed,
                equivalent=right.passed,
                survived=len(self.survivors),
                unsure=right.unsure + wrong.unsure + self.promised.unsure,
            ),
            problems=tuple(self.problems),
            survivors=tuple(self.survivors),
            warnings=tuple(self.warnings),
            not_run=not_run,
            engine="" if engine is None else engine.name,
            weights=shape.weights(self.task.rubric),
            damages=kinds["damage"],
            slips=kinds["slip"],
            baselines=self.baselines,
            variants=right,
            lookalikes=wrong,
            promised=self.promised,
            kills=kills(self.trials, self.court.items),
            matrix=self.matrix(),
        )


def _tally(marks: Counter[str]) -> Tally:
    return Tally(marks.total(), marks["passed"], marks["unsure"], marks["failed"])
