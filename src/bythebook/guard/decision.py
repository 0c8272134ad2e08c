"""What a guard is asked, what it answers, and what it asks of whoever knows the rules."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from bythebook.verdict import Finding

Mode = Literal["refuse", "log"]
"""refuse: a call that would break a rule is not made. log: it is made, and noted."""


class Called(msgspec.Struct, frozen=True):
    """A call that is about to be made, or was."""

    number: int
    name: str
    args: Mapping[str, Any]
    at: float
    """Seconds since 1970, UTC."""


class Broken(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule that a call would break, or that was broken."""

    id: str
    kind: str
    says: str
    source: str
    why: str = ""
    heuristic: bool = False
    """It rests on a guess about words."""

    @property
    def sentence(self) -> str:
        """The rule and its source, for whoever is refused."""
        return f"{self.says.rstrip('.')} ({self.source})"

    @classmethod
    def of(cls, found: Finding, *, heuristic: bool = False) -> "Broken":
        """A finding of a verdict, as a guard tells it."""
        return cls(found.id, found.kind, found.says, str(found.source), found.why, heuristic)


class Decision(msgspec.Struct, frozen=True):
    """What becomes of a call."""

    call: Called
    verdict: Literal["pass", "refuse", "log"]
    broken: tuple[Broken, ...] = ()
    """All rules that it would break; also those that never stop a call."""

    @property
    def text(self) -> str:
        """What the agent is told of a refusal."""
        rules = "; ".join(one.sentence for one in self.broken if not one.heuristic)
        rules = rules or "; ".join(one.sentence for one in self.broken)
        return f"{self.call.name} was not called, because it would break a rule: {rules}"


class Stopped(Exception):
    """A tool was not called: it would have broken a rule. Its words are for the agent."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.text)
        self.decision = decision


class Rules(Protocol):
    """Rules that follow what happens, and can say what a call would do to them."""

    name: str
    sha: str
    """SHA-256 of the rules."""
    astray: str
    """Why they no longer know where things stand; empty while they do."""

    def would_break(self, call: Called) -> tuple[Broken, ...]:
        """The rules that the call would break if it succeeded. Nothing happens."""
        ...

    def begun(self, call: Called) -> None:
        """The call is being made; `did` or `lost` follows."""
        ...

    def passed(self, at: float) -> tuple[Broken, ...]:
        """Time went on; what that broke."""
        ...

    def did(self, call: Called, result: Any, *, ok: bool) -> tuple[Broken, ...]:
        """The call was made; what that broke."""
        ...

    def lost(self, call: Called) -> tuple[Broken, ...]:
        """The call was made, and nobody knows how it ended."""
        ...

    def heard(self, by: Literal["agent", "customer"], text: str, at: float) -> tuple[Broken, ...]:
        """Something was said; what that broke."""
        ...
