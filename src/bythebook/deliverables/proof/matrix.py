"""`faults.lock`: which items each fault fails, computed and kept, so that a change shows.

july_ignored: R03 R12 R14? (R29)      fails R03 and R12, R14 is unsure, R29 was not asked
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bythebook.deliverables.proof.trial import Trial

LOCK = "faults.lock"
HEAD = (
    "# What each fault fails, as `bythebook prove deliverables --write` computed it. Not by hand.\n"
)


class Kills(msgspec.Struct, frozen=True):
    """What one item noticed among the faults."""

    any: int
    alone: int
    """Faults that no other item fails."""


def matrix(trials: Iterable[Trial], items: Iterable[str]) -> dict[str, str]:
    """Fault to its row."""
    return {trial.fault.name: _row(trial, tuple(items)) for trial in trials}


def _row(trial: Trial, items: tuple[str, ...]) -> str:
    parts = []
    for item in items:
        answer = trial.answers.get(item)
        if answer is None:
            parts.append(f"({item})")
        elif answer.mark != "pass":
            parts.append(item + {"fail": "", "unsure": "?", "void": "!"}[answer.mark])
    return " ".join(parts)


def lock_text(rows: dict[str, str]) -> str:
    return HEAD + "".join(f"{name}: {row}\n" for name, row in rows.items())


def write_lock(rows: dict[str, str], folder: Path) -> Path:
    """Keep the matrix beside its task; the same proof writes the same bytes."""
    path = folder / LOCK
    path.write_text(lock_text(rows), "utf-8")
    return path


def lock_problems(rows: dict[str, str], folder: Path) -> Iterator[str]:
    """Where the kept matrix is not that of this proof."""
    path = folder / LOCK
    if not path.is_file():
        yield f"{LOCK} is missing; `bythebook prove deliverables --write` writes it"
        return
    text = path.read_text("utf-8")
    if text == lock_text(rows):
        return
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    kept = {name: row.strip() for name, _, row in (line.partition(":") for line in lines)}
    odd = [name for name in {**kept, **rows} if kept.get(name) != rows.get(name)]
    shown = [
        f"{name}: {kept.get(name, 'no row')} is now {rows.get(name, 'no row')}" for name in odd
    ]
    yield f"{LOCK} is stale ({'; '.join(shown[:3]) or 'its order'}); read why, then --write"


def kills(trials: Iterable[Trial], items: Iterable[str]) -> dict[str, Kills]:
    failed = [trial.marked("fail") for trial in trials]
    every = Counter(item for row in failed for item in row)
    alone = Counter(row[0] for row in failed if len(row) == 1)
    return {item: Kills(every[item], alone[item]) for item in items}
