"""What a rubric looks like as a whole, and how like it is to those of other tasks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from bythebook.deliverables.rubric import WEIGHT, RubricFile
from bythebook.deliverables.task import DeliverableTask

ITEMS = (22, 30)
DIMENSIONS = 5
CHECKED = 60
"""Per cent of the weight that checks decide."""
SHINGLE, LIKE = 8, 30
"""Words of a shingle; per cent of them that two tasks may share."""


class Weights(msgspec.Struct, frozen=True):
    """A rubric's weight, and who decides it."""

    total: int = 0
    checks: int = 0
    screens: int = 0
    """Of items that a check may fail and only a judge may pass."""
    judges: int = 0


def weights(rubric: RubricFile) -> Weights:
    by = Counter[str]()
    for item in rubric.items:
        by[item.decided_by] += item.weight
    return Weights(rubric.weight, by["check"], by["screen"], by["judge"])


def shape_problems(rubric: RubricFile) -> Iterator[str]:
    """What a shipped rubric must have and this one lacks."""
    low, high = ITEMS
    if not low <= len(rubric.items) <= high:
        yield f"{len(rubric.items)} items; {low} to {high} are wanted"
    dimensions = {item.dimension for item in rubric.items}
    if len(dimensions) < DIMENSIONS:
        yield f"items of {len(dimensions)} dimensions; at least {DIMENSIONS} are wanted"
    for level in WEIGHT.keys() - {item.level for item in rubric.items}:
        yield f"no item is {level}"
    found = weights(rubric)
    if found.checks * 100 < CHECKED * found.total:
        share = 100 * found.checks // found.total
        yield f"checks decide {share} % of the weight; at least {CHECKED} % are wanted"


def judged_problems(rubric: RubricFile) -> Iterator[str]:
    for item in rubric.items:
        if item.decided_by != "check" and not item.truth.strip():
            yield f"{item.id} is judged and has no truth: what must the judge know?"


def unused_fields(rubric: RubricFile, used: Iterable[str]) -> Iterator[str]:
    for name in rubric.fields.keys() - set(used):
        yield f"field {name!r} is promised and no check reads it; use it or take it out"


# --- likeness -----------------------------------------------------------------------------------

WORD = re.compile(r"\w+")


def shingles(task: DeliverableTask) -> frozenset[tuple[str, ...]]:
    """All runs of eight words in the prompt and in what the items say."""
    texts = [task.prompt, *(item.says for item in task.rubric.items)]
    found = set()
    for text in texts:
        words = WORD.findall(text.casefold())
        found |= {tuple(words[n : n + SHINGLE]) for n in range(len(words) - SHINGLE + 1)}
    return frozenset(found)


def kinds(task: DeliverableTask) -> tuple[tuple[str, int], ...]:
    """How many checks of each kind a task has."""
    counted = Counter(next(iter(i.check or i.screen or {"judge": 0})) for i in task.rubric.items)
    return tuple(sorted(counted.items()))


def likeness_problems(task: DeliverableTask, others: Iterable[DeliverableTask]) -> Iterator[str]:
    """Tasks that this one is too like."""
    mine = shingles(task)
    for other in others:
        if other.id == task.id:
            continue
        theirs = shingles(other)
        shared = 100 * len(mine & theirs) // max(1, min(len(mine), len(theirs)))
        if shared >= LIKE:
            yield f"shares {shared} % of its runs of {SHINGLE} words with {other.id}"
        if kinds(task) == kinds(other):
            yield f"has as many checks of each kind as {other.id}"
