"""A verdict: for each rule pass, fail or void, and the places that show it.

Void is for our own faults only. No agent can void a rule, and nothing void is ever counted as a
failure or as a zero.
"""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

Mark = Literal["pass", "fail", "void"]


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one rule found in one run."""

    id: str
    kind: str
    says: str
    verdict: Mark
    vacuous: bool = False
    """The rule passed because nothing it speaks of ever happened."""
    at: int | None = None
    """Number of the first event that broke the rule."""
    write: int | None = None
    """Number of the write inside that event, where the rule looks at single writes."""
    why: str = ""
    values: dict[str, Any] = {}
    """What the rule's names were bound to when it broke."""
    margin: int | None = None
    """How far a bound was missed, in the bound's own unit; a diagnosis, never the verdict."""
    source: str = ""
    """The clause that the rule enforces: family#clause."""
    level: str = ""
    """Of a rubric item, with its dimension: core, important or auxiliary."""
    dimension: str = ""
    by: str = ""
    """Who decided a rubric item: check, screen, or the judge by name; empty when void."""
    place: str = ""
    """The first wrong place, or where all was found, as a locator."""
    seen: str = ""
    wanted: str = ""
    count: tuple[int, int] | None = None
    """Places that are wrong, places looked at."""
    notes: tuple[str, ...] = ()


class Share(msgspec.Struct, frozen=True):
    """Weights of some rubric items: `satisfied <= total - void`."""

    satisfied: int = 0
    void: int = 0
    total: int = 0


class Delivered(msgspec.Struct, frozen=True, kw_only=True):
    """What the items of a rubric come to, beside the score."""

    low: float
    """The score if every void item failed."""
    high: float
    """The score if every void item passed."""
    all_core: bool | None
    """Every core item holds; None when that hangs on a void one. A score of 0.90 can miss two."""
    checks: int
    """Weight decided by checks and screens."""
    judges: int
    """Weight decided by judges."""
    void: int
    """Weight decided by nobody."""
    total: int
    judge: str = ""
    """Whose judgements were counted."""
    format: Literal["ok", "wrong_type", "omitted"] = "ok"
    """Compliance with the wanted files: StartupBench, Table 5."""
    wrong_type: tuple[str, ...] = ()
    """Wanted files in whose place something of another type was handed over."""
    omitted: tuple[str, ...] = ()
    """Wanted files in whose place nothing was handed over."""
    levels: dict[str, Share] = {}
    """By level; items of one level weigh the same, so this is the share of items (Table 4)."""
    dimensions: dict[str, Share] = {}
    """By dimension, weighted by importance (Figure 4)."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The judgement of one run. Holds no path, time or host: same bytes on any machine."""

    version: int = 1
    benchmark: str
    suite: str
    task: str
    run: int
    agent: str
    condition: str
    outcome: str
    scene: str
    rules: str
    """SHA-256 of the rules that were applied."""
    recorded_rules: str
    """SHA-256 of the rules that the scene holds; another one when judged under today's rules."""
    goal: bool | None = None
    process: bool | None = None
    protection: bool | None = None
    strict: bool | None = None
    process_exercised: bool | None = None
    """No process rule passed vacuously; stands beside `process`, since idle agents pass it."""
    score: float | None = None
    success: bool | None = None
    delivered: Delivered | UnsetType = UNSET
    """Of the suite deliverables."""
    calls: int = 0
    findings: tuple[Finding, ...] = ()

    @property
    def void(self) -> bool:
        """Was some rule not decided, by a fault of our own?"""
        return any(finding.verdict == "void" for finding in self.findings)


def all_pass(findings: tuple[Finding, ...], kind: str) -> bool | None:
    """Do all rules of a kind hold? None when that hangs on a void rule."""
    marks = {finding.verdict for finding in findings if finding.kind == kind}
    if "fail" in marks:
        return False
    return None if "void" in marks else True
