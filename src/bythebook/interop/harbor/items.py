"""What Harbor's judges are asked as the items of a rubric: pass or fail, of three levels."""

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from bythebook.deliverables.rubric import WEIGHT, Item, Level
from bythebook.interop.harbor.judges import Asked, Criterion

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
PASSES = 0.75
"""Of a graded scale, from its lower to its upper end."""


def items(asked: Sequence[Asked], changed: list[str]) -> tuple[Item, ...]:
    """One item for each; `changed` is told what is another thing here than it was there."""
    levels = [*_levels([one.weight for one in asked], changed)]
    taken = set[str]()
    found = []
    for number, (one, level) in enumerate(zip(asked, levels, strict=True), start=1):
        name = _id(one.criterion, number, taken)
        taken.add(name)
        found.append(
            Item(id=name, says=_says(one, name, changed), dimension="domain", level=level,
                 truth=_told(one))
        )  # fmt: skip
    changed.append("Harbor has no dimensions: every item stands under `domain`")
    return tuple(found)


def _levels(weights: Sequence[float], changed: list[str]) -> Iterator[Level]:
    """The weights of the three levels are fixed: equal weights are all `important`, 5, 3 and 1 are
    what they are, and others go by their share of the greatest."""
    by_weight: dict[float, Level] = {float(weight): level for level, weight in WEIGHT.items()}
    even = len({round(weight, 9) for weight in weights}) == 1
    if even:
        changed.append("all items weigh the same: all are `important`")
    if even or set(weights) <= set(by_weight):
        for weight in weights:
            yield "important" if even else by_weight[weight]
        return
    most = max(weights)
    told = dict[str, Level]()
    for weight in weights:
        part = weight / most
        level: Level = "core" if part >= 0.8 else "important" if part >= 0.4 else "auxiliary"
        told[f"{weight:.4g}"] = level
        yield level
    pairs = ", ".join(f"{weight} is {level} ({WEIGHT[level]})" for weight, level in told.items())
    changed.append(f"weights are those of three levels here: {pairs}")


def _id(criterion: Criterion, number: int, taken: set[str]) -> str:
    for name in (criterion.id, criterion.name):
        if name and ID.fullmatch(name) and name not in taken:
            return name
    return f"R{number:02}" if f"R{number:02}" not in taken else f"R{number:02}-{number}"


def _says(one: Asked, name: str, changed: list[str]) -> str:
    criterion = one.criterion
    says = " ".join(criterion.description.split())
    graded = _graded(criterion)
    if graded:
        says = f"{says} ({graded})"
        changed.append(f"{name}: a grade there ({criterion.type}), pass or fail here: {graded}")
    if criterion.negate:
        says = f"This does not hold: {says}"
        changed.append(f"{name}: asked for the contrary there")
    if criterion.optional:
        changed.append(f"{name}: optional there, an item as any other here")
    return says


def _told(one: Asked) -> str:
    """What the judge is told beside an item."""
    names = ", ".join(PurePosixPath(path).name or path for path in one.files)
    return "\n\n".join(filter(None, (one.note, f"It is asked of: {names}." if names else "")))


def _graded(criterion: Criterion) -> str:
    """From where on a grade is a pass: three quarters of the way up."""
    if criterion.type == "likert":
        least = math.ceil(1 + PASSES * (criterion.points - 1))
        return f"passes with {least} or more of {criterion.points}"
    if criterion.type == "numeric":
        least_value = criterion.min + PASSES * (criterion.max - criterion.min)
        return f"passes with {least_value:g} or more, from {criterion.min:g} to {criterion.max:g}"
    if criterion.type == "rubric" and criterion.levels:
        place = math.ceil(PASSES * (len(criterion.levels) - 1))
        return f"passes if this or better: {criterion.levels[place]}"
    return ""
