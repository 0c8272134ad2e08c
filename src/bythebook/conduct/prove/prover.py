"""A task put to the proof: its gates, its variants, the mutants of its criteria."""

from collections import Counter
from collections.abc import Iterator

from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.plan import Golden
from bythebook.conduct.golden.rehearsal import Rehearsal, enact
from bythebook.conduct.prove import gates, papers
from bythebook.conduct.prove.court import Court, Judged
from bythebook.conduct.prove.discovery import Discovery
from bythebook.conduct.prove.mutants import unnoticed
from bythebook.conduct.prove.proof import (
    KillTable,
    Mutants,
    Proof,
    Unnoticed,
    clocks,
    kills_of,
    survivors_of,
)
from bythebook.conduct.prove.steps import Editor
from bythebook.conduct.prove.surgery import Surgeon
from bythebook.conduct.prove.variant import Mark, Trial, Variant, marked
from bythebook.conduct.task import ConductTask
from bythebook.errors import CompanyError, ContentError


def prove_task(task: ConductTask) -> Proof:
    """Everything that must hold of a task, tried.

    Content that does not load is a problem, and so is a tool that breaks.
    """
    try:
        return Prover(task).prove()
    except (CompanyError, ContentError) as error:
        return Proof(id=task.id, proved=False, problems=(str(error),))


def gate_problems(task: ConductTask) -> tuple[str, ...]:
    """What the gates alone find, in a fraction of the time of a proof."""
    prover = Prover(task)
    if prover.golden_passes():
        prover.gates()
    return tuple(prover.problems)


class Prover:
    """One proof under way."""

    def __init__(self, task: ConductTask) -> None:
        self.task = task
        self.scripts = Scripts(task)
        self.court = Court(task)
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.trials: list[Trial] = []

    def prove(self) -> Proof:
        """Gates, variants of every golden, mutants of the criteria."""
        mutants = Unnoticed(0, 0, ())
        if self.golden_passes():
            self.gates()
            for golden in self.scripts.goldens.values():
                self.vary(golden)
            mutants = unnoticed(self.court)
        else:
            self.warnings.append("nothing else is tried until the golden passes")
        void = {f"void: {why}" for judged in self.court.seen for why in judged.void}
        self.problems += sorted(void)
        return self._proof(mutants)

    def golden_passes(self) -> bool:
        """Every golden runs and passes; if one does not, nothing else means anything."""
        for golden in self.scripts.goldens.values():
            self.problems += gates.golden_problems(self.scripts, self.court, golden)
        return not self.problems

    def gates(self) -> None:
        """Everything that must hold before variants mean anything."""
        scripts, court = self.scripts, self.court
        self.problems += gates.case_problems(scripts, court)
        self.problems += papers.paraphrase_problems(self.task)
        self.problems += papers.review_problems(self.task.folder, scripts.cases)
        for golden in scripts.goldens.values():
            found = Discovery(self.task, golden, scripts.rehearsal(golden.name)).problems()
            name = f"golden {golden.name}".strip()
            self.problems += [f"{name}: {problem}" for problem in found]
        self.problems += gates.vacuous_problems(scripts, court)
        self.problems += gates.adrift_problems(self.task)
        self.problems += gates.baseline_problems(scripts, court)
        self.problems += gates.replay_problems(scripts)
        held, whole = gates.goals_at_opening(court)
        if whole:
            self.problems.append("every goal holds in the opening state")
        self.warnings += [f"goal {name} holds in the opening state" for name in held]

    # --- variants ---------------------------------------------------------------------------

    def vary(self, golden: Golden) -> None:
        """Play every variant of a golden, and operate on the main one's trace."""
        rehearsal = self.scripts.rehearsal(golden.name)
        editor = Editor(self.task, golden, rehearsal)
        for variant in editor.variants():
            self.trials.append(self._played(variant, rehearsal))
        if not golden.name:
            surgeon = Surgeon(self.court, rehearsal.events, editor.neighbours)
            for variant in surgeon.variants():
                self.trials.append(self._operated(variant))
            self.warnings += dict.fromkeys(surgeon.notes)

    def _played(self, variant: Variant, rehearsal: Rehearsal) -> Trial:
        scene, _ = enact(self.task, variant.steps, rehearsal.results)
        judged = self.court.judge(scene.events)
        expect = variant.expect
        if variant.unless_refused:
            calls = [event for event in scene.events if event.kind == "call"]
            pairs = zip(variant.steps, calls, strict=False)
            if any(s.id == variant.unless_refused and not event.ok for s, event in pairs):
                expect = "either"
        mark = marked(expect, bool(judged.broken))
        return _trial(variant, mark, judged)

    def _operated(self, variant: Variant) -> Trial:
        judged = self.court.judge(variant.events)
        found = judged.by_id[variant.rule]
        failed = found.verdict != "pass"
        if variant.expect == "pass" and variant.at is not None:
            failed = failed and found.at == variant.at
        return _trial(variant, marked(variant.expect, failed), judged)

    def _idle_rules(self, kills: KillTable) -> Iterator[str]:
        cases = self.scripts.cases.counterexamples.values()
        broken = {rule for case in cases for rule in case.breaks}
        for rule, found in kills.rules.items():
            if self.trials and not found.any and rule not in broken:
                yield f"{rule} is broken by no counterexample and no variant"

    # --- what came of it --------------------------------------------------------------------

    def _proof(self, mutants: Unnoticed) -> Proof:
        marks = Counter(trial.mark for trial in self.trials)
        survivors = tuple(survivors_of(self.trials))
        kills = kills_of(self.trials, [rule.id for rule in self.court.criteria.rules])
        self.warnings += clocks(self.trials, kills)
        self.warnings += self._idle_rules(kills)
        return Proof(
            id=self.task.id,
            proved=not self.problems and not survivors and bool(self.trials),
            goldens=len(self.scripts.goldens),
            counterexamples=len(self.scripts.cases.counterexamples),
            twins=len(self.scripts.cases.twins),
            mutants=Mutants(marks["killed"], marks["equivalent"], len(survivors), marks["either"]),
            problems=tuple(self.problems),
            survivors=survivors,
            warnings=tuple(self.warnings),
            unnoticed=mutants,
            kills=kills,
        )


def _trial(variant: Variant, mark: Mark, judged: Judged) -> Trial:
    return Trial(operator=variant.operator, says=variant.says, mark=mark, broken=judged.broken)
