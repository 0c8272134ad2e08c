"""Verdicts as scores of Inspect, and what several of them come to."""

from collections.abc import Mapping, Sequence
from math import comb, nan

import msgspec
from inspect_ai.scorer import Score

from bythebook.verdict import Delivered, Finding, Verdict

VERDICT = "verdict"
"""Name of the score."""
MARKS = ("goal", "process", "protection", "strict")


def score_of(verdict: Verdict) -> Score:
    """A verdict as a score: the marks of conduct, or what is known of a deliverable's score."""
    delivered = verdict.delivered
    if isinstance(delivered, Delivered):
        value = known_of(delivered, verdict.success)
    else:
        value = {name: float(bool(getattr(verdict, name))) for name in MARKS}
    broken = [one for one in verdict.findings if one.verdict == "fail"]
    return Score(
        value=value,
        answer=verdict.outcome,
        explanation="\n".join(map(_line, broken)) or "no rule is broken",
        metadata=msgspec.to_builtins(verdict),
    )


def known_of(found: Delivered, success: bool | None) -> dict[str, float]:
    """The bounds of the score, the share of weight that is decided, and success where both bounds
    agree on it: an item that nobody has judged is no zero."""
    return {
        "low": found.low,
        "high": found.high,
        "decided": (found.checks + found.judges) / found.total if found.total else 0.0,
        "success": nan if success is None else float(success),
    }


def void_of(verdict: Verdict) -> str:
    """Why a run of conduct cannot be scored, through our own fault; empty when it can. An item of a
    deliverable that is void leaves bounds, and keeps nothing from being scored."""
    void = [one for one in verdict.findings if one.verdict == "void"]
    if not void or isinstance(verdict.delivered, Delivered):
        return ""
    return f"{len(void)} rules are void: {void[0].id}: {void[0].why}"


def pass_k(tasks: Mapping[str, Sequence[bool]]) -> dict[str, float]:
    """pass^k for every k that all tasks have so many runs for: the mean over tasks of
    C(passed, k) / C(runs, k) (tau-bench, 2406.12045). `tasks`: who passed, by task."""
    fewest = min(map(len, tasks.values()), default=0)
    return {
        str(k): sum(comb(sum(runs), k) / comb(len(runs), k) for runs in tasks.values()) / len(tasks)
        for k in range(1, fewest + 1)
    }


def _line(one: Finding) -> str:
    at = "" if one.at is None else f" (event {one.at})"
    return f"{one.id}: {one.says}{at} {one.why}".rstrip()
