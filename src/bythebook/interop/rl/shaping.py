"""Rewards: strict success alone, or shaped by what each criterion says so far.

Let p be the share of the goals that hold now, of those that did not hold in the opening state, and
b the share of process and protection rules that are broken. The potential of a moment is

    Phi = p / 2     while nothing is broken,       0 <= Phi <= 1/2
    Phi = -b / 2    as soon as a rule is broken,   -1/2 <= Phi < 0

A step from s to s' pays discount * Phi(s') - Phi(s), the last one 1/2 more for strict success (form
of Ng, Harada and Russell 1999, with a potential that stays at the end). The discounted sum over an
episode of T steps is discount^(T-1) * (discount * Phi(end) + strict/2), and without a discount

    total = Phi(end) + strict / 2
    1 if strict · 0 <= total < 1/2 if something is missing · total < 0 if a rule is broken
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from bythebook.conduct.criteria import Watch
from bythebook.verdict import Finding

STRICT = 0.5
"""What strict success pays beside the potential."""


@dataclass(frozen=True)
class Shaping:
    """The potential of one task's moments."""

    open: int
    """Goals that do not hold in the opening state."""
    held: int
    """Goals that do."""
    guards: int
    """Process and protection rules."""

    @classmethod
    def of(cls, watch: Watch) -> Self:
        """From the rules before the first event."""
        kinds = [rule.kind for rule in watch.criteria.rules]
        held = sum(_holds(found) for found in watch.fork().finish() if found.kind == "goal")
        return cls(kinds.count("goal") - held, held, len(kinds) - kinds.count("goal"))

    def now(self, watch: Watch) -> float:
        """The potential while the run goes on. What is only missing yet is not broken."""
        broken = [one for one in watch.findings if one is not None and _broke(one)]
        return self._potential(watch.fork().finish(), len(broken))

    def end(self, findings: Iterable[Finding]) -> float:
        """The potential of a finished run, from its verdict."""
        found = tuple(findings)
        return self._potential(found, sum(map(_broke, found)))

    def total(self, findings: Iterable[Finding], *, strict: bool) -> float:
        """What the steps of a finished run sum up to without a discount: -1/2 to 1."""
        return self.end(findings) + STRICT * strict

    def _potential(self, findings: Iterable[Finding], broken: int) -> float:
        if broken:
            return -broken / self.guards / 2
        met = sum(_holds(found) for found in findings if found.kind == "goal")
        if not self.open:
            return STRICT if met == self.held else 0.0
        return max(0, met - self.held) / self.open / 2


def _holds(found: Finding) -> bool:
    return found.verdict == "pass"


def _broke(found: Finding) -> bool:
    return found.kind != "goal" and found.verdict == "fail"
