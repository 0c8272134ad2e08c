"""Names that evaluations go by in a report: short, and no two the same.

    loop · openai:gpt-x · gold-docs

Agent and model always stand there; condition, cap and whatever else tells two evaluations apart,
only where it is not as usual, or where it must.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bythebook.errors import UsageError
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Plan

BETWEEN = " · "


@dataclass(frozen=True)
class Named:
    """An evaluation, and the name somebody gave it, if any."""

    folder: EvaluationFolder
    plan: Plan | None
    name: str = ""


def labels(found: Sequence[Named]) -> list[str]:
    """One label for each, in order. Raises `UsageError` where one name was given twice."""
    twice = [
        name for name, count in Counter(one.name for one in found if one.name).items() if count > 1
    ]
    if twice:
        raise UsageError(f"two evaluations were given the name {twice[0]!r}", hint="choose another")
    told = [one.name or _usual(one) for one in found]
    for part in _PARTS:
        told = _told_apart(told, found, part)
    return _numbered(told)


def short_cap(cap: str) -> str:
    """`1.2x` for the ratio "6/5"; a ratio that has no short decimal stays a fraction."""
    ratio = Fraction(cap)
    decimal = f"{float(ratio):g}"
    return f"{decimal if Fraction(decimal) == ratio else ratio}x"


def _usual(one: Named) -> str:
    plan = one.plan
    if plan is None:
        return one.folder.root.name
    condition = plan.condition if plan.condition != "default" else ""
    cap = f"cap {short_cap(plan.cap)}" if plan.cap else ""
    return BETWEEN.join(filter(None, (plan.agent, plan.model, condition, cap)))


_PARTS: tuple[Callable[[Plan], str], ...] = (
    lambda plan: plan.suite,
    lambda plan: f"customer {plan.simulator}" if plan.simulator not in ("", "scripted") else "",
    lambda plan: f"prompt {plan.simulator_prompt}" if plan.simulator_prompt else "",
    lambda plan: f"judge {plan.judge}" if plan.judge else "",
    lambda plan: f"{plan.limits.context_tokens} tokens" if plan.limits.context_tokens else "",
    lambda plan: f"{plan.benchmark}",
)


def _told_apart(told: list[str], found: Sequence[Named], part: Callable[[Plan], str]) -> list[str]:
    """Labels that stand more than once, with one more part, where that parts them."""
    result = list(told)
    for label, count in Counter(told).items():
        places = [place for place, one in enumerate(told) if one == label]
        parts = [part(plan) if (plan := found[place].plan) else "" for place in places]
        if count > 1 and len(set(parts)) > 1:
            for place, more in zip(places, parts, strict=True):
                if not found[place].name and more:
                    result[place] = f"{label}{BETWEEN}{more}"
    return result


def _numbered(told: list[str]) -> list[str]:
    """What is still the same is numbered from the second on."""
    seen: Counter[str] = Counter()
    taken, result = set(told), []
    for label in told:
        seen[label] += 1
        number, new = seen[label], label
        while number > 1 and (new := f"{label}{BETWEEN}{number}") in taken:
            number += 1
        taken.add(new)
        result.append(new)
    return result
