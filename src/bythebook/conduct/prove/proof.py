"""The proof of one task: gates, variants, and what was found."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.plan import Golden
from bythebook.conduct.golden.rehearsal import Rehearsal, enact
from bythebook.conduct.prove import gates, papers
from bythebook.conduct.prove.court import Court, Judged
from bythebook.conduct.prove.discovery import Discovery
from bythebook.conduct.prove.mutants import unnoticed
from bythebook.conduct.prove.steps import Editor
from bythebook.conduct.prove.surgery import Surgeon
from bythebook.conduct.prove.variant import Trial, Variant, marked
from bythebook.conduct.task import ConductTask
from bythebook.errors import ContentError

KILL_TABLE = "kill-table.json"
SOLE_SHARE = 3
"""A rule that alone kills more than one variant in so many is a warning."""


class Mutants(msgspec.Struct, frozen=True):
    """Counts of variants. `survived` = holes + unfair; `equivalent` = passed as declared."""

    killed: int
    equivalent: int
    survived: int
    either: int
    """Variants that may pass or fail."""


class Kills(msgspec.Struct, frozen=True):
    """What one rule noticed among the variants that had to fail."""

    any: int
    alone: int
    by_operator: dict[str, int]


class KillTable(msgspec.Struct, frozen=True):
    """`kill-table.json`: operator to counts of marks, rule to what it killed."""

    operators: dict[str, dict[str, int]]
    rules: dict[str, Kills]


class Unnoticed(msgspec.Struct, frozen=True):
    """Mutants of the criteria that no trace of the proof tells from the original."""

    noticed: int
    all: int
    mutants: tuple[str, ...]


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one task. Field names are the contract of `prove --json`."""

    suite: str = "conduct"
    id: str
    proved: bool
    goldens: int = 0
    counterexamples: int = 0
    twins: int = 0
    mutants: Mutants = Mutants(0, 0, 0, 0)
    problems: tuple[str, ...] = ()
    survivors: tuple[str, ...] = ()
    """Each hole and each unfair variant, in words."""
    warnings: tuple[str, ...] = ()
    unnoticed: Unnoticed = Unnoticed(0, 0, ())
    kills: KillTable = KillTable({}, {})


def prove_task(task: ConductTask) -> Proof:
    """Everything that must hold of a task, tried. Content that does not load is a problem."""
    try:
        return _Prover(task).prove()
    except ContentError as error:
        return Proof(id=task.id, proved=False, problems=(str(error),))


class _Prover:
    """One proof under way."""

    def __init__(self, task: ConductTask) -> None:
        self.task = task
        self.scripts = Scripts(task)
        self.court = Court(task)
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.trials: list[Trial] = []

    def prove(self) -> Proof:
        for golden in self.scripts.goldens.values():
            self.problems += gates.golden_problems(self.scripts, self.court, golden)
        cases = self.scripts.cases
        if self.problems:
            self.warnings.append("nothing else is tried until the golden passes")
            return self._proof(Unnoticed(0, 0, ()))
        self._gates()
        self.problems += gates.case_problems(self.scripts, self.court)
        self.problems += papers.paraphrase_problems(self.task)
        self.problems += papers.review_problems(self.task.folder, cases)
        for golden in self.scripts.goldens.values():
            self._vary(golden)
        (noticed, count), names = unnoticed(self.court)
        self.problems += sorted(
            {f"void: {why}" for judged in self.court.seen for why in judged.void}
        )
        return self._proof(Unnoticed(noticed, count, tuple(names)))

    def _gates(self) -> None:
        scripts, court = self.scripts, self.court
        for golden in scripts.goldens.values():
            found = Discovery(self.task, golden, scripts.rehearsal(golden.name)).problems()
            name = f"golden {golden.name}".strip()
            self.problems += [f"{name}: {problem}" for problem in found]
        self.problems += gates.vacuous_problems(scripts, court)
        self.problems += gates.baseline_problems(scripts, court)
        self.problems += gates.replay_problems(scripts)
        held, whole = gates.goals_at_opening(court)
        if whole:
            self.problems.append("every goal holds in the opening state")
        self.warnings += [f"goal {name} holds in the opening state" for name in held]

    # --- variants ---------------------------------------------------------------------------

    def _vary(self, golden: Golden) -> None:
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
        survivors = tuple(_survivors(self.trials))
        kills = _kills(self.trials, [rule.id for rule in self.court.criteria.rules])
        self.warnings += _clocks(self.trials, kills)
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


def _trial(variant: Variant, mark: Any, judged: Judged) -> Trial:
    return Trial(operator=variant.operator, says=variant.says, mark=mark, broken=judged.broken)


def _survivors(trials: Iterable[Trial]) -> Iterator[str]:
    for trial in trials:
        if trial.mark == "hole":
            yield f"hole: {trial.operator}: {trial.says}: must fail and passes"
        elif trial.mark == "unfair":
            broken = ", ".join(sorted(trial.broken))
            yield f"unfair: {trial.operator}: {trial.says}: must pass and breaks {broken}"


def _kills(trials: list[Trial], rules: list[str]) -> KillTable:
    operators: dict[str, dict[str, int]] = {}
    for trial in trials:
        counts = operators.setdefault(trial.operator, {})
        counts[trial.mark] = counts.get(trial.mark, 0) + 1
    killed = [trial for trial in trials if trial.mark == "killed"]
    table: dict[str, Kills] = {}
    for rule in rules:
        mine = [trial for trial in killed if rule in trial.broken]
        by = dict(sorted(Counter(trial.operator for trial in mine).items()))
        table[rule] = Kills(len(mine), sum(trial.sole == rule for trial in mine), by)
    return KillTable(operators, table)


def _clocks(trials: list[Trial], kills: KillTable) -> Iterator[str]:
    """Rules that alone kill too much, so that they hide holes in the others: often the clock."""
    killed = [t for t in trials if t.mark == "killed" and t.operator not in OPERATED]
    for rule in kills.rules:
        alone = sum(trial.sole == rule for trial in killed)
        if alone * SOLE_SHARE > len(killed):
            yield f"{rule} alone kills {alone} of {len(killed)} variants"


OPERATED = frozenset({"consent", "bound", "trespass"})


def write_kill_table(proof: Proof, folder: Path) -> Path:
    """Ship the kill table with its task; the same proof writes the same bytes."""
    path = folder / KILL_TABLE
    text = msgspec.json.format(msgspec.json.encode(proof.kills), indent=1)
    path.write_bytes(text + b"\n")
    return path
