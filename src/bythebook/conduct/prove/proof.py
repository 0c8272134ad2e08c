"""The proof of one task: counts of its variants, what survived, and which rule noticed what."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bythebook.conduct.prove.variant import Trial

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


def survivors_of(trials: Iterable[Trial]) -> Iterator[str]:
    for trial in trials:
        if trial.mark == "hole":
            yield f"hole: {trial.operator}: {trial.says}: must fail and passes"
        elif trial.mark == "unfair":
            broken = ", ".join(sorted(trial.broken))
            yield f"unfair: {trial.operator}: {trial.says}: must pass and breaks {broken}"


def kills_of(trials: list[Trial], rules: list[str]) -> KillTable:
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


def clocks(trials: list[Trial], kills: KillTable) -> Iterator[str]:
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
