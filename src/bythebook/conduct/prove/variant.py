"""A variant of a golden, with the verdict that it must get.

Two kinds of finding come of it: a *hole* should fail and passes, an *unfair* one should pass and
fails.
"""

from typing import Literal

import msgspec

from bythebook.conduct.criteria.hits import AnyEvent
from bythebook.conduct.golden.plan import Step

Expect = Literal["fail", "pass", "either"]
Mark = Literal["killed", "equivalent", "hole", "unfair", "either"]


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """Steps to be played, or a trace that was operated on."""

    operator: str
    says: str
    """What was changed, in words an author can act on."""
    expect: Expect
    steps: tuple[Step, ...] = ()
    unless_refused: str = ""
    """A step: when its call is refused, either verdict is right."""
    events: tuple[AnyEvent, ...] = ()
    rule: str = ""
    """The one rule that is expected to fail or pass; empty: any, or all."""
    at: int | None = None
    """Event at which `rule` must not fail, if it is to pass."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """A variant and what became of it."""

    operator: str
    says: str
    mark: Mark
    broken: frozenset[str]

    @property
    def sole(self) -> str:
        """The only rule that noticed; empty when there were more or none."""
        return next(iter(self.broken)) if len(self.broken) == 1 else ""


def marked(expect: Expect, failed: bool) -> Mark:
    """How a verdict stands to what was expected."""
    if expect == "either":
        return "either"
    if expect == "fail":
        return "killed" if failed else "hole"
    return "unfair" if failed else "equivalent"
