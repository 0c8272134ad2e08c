"""Every way bythebook itself can fall short, named by the boundary that was crossed.

    BythebookError
    ├── ContentError      a task, document, table or other content file does not read
    ├── TraceError        a trace or scene file does not read
    ├── UsageError        a command was asked for something that cannot be done
    ├── AgentError        the agent's side broke: provider, harness, protocol
    ├── SimulatorError    the customer's voice, or its provider, broke
    ├── CompanyError      the company's own code broke: a tool, or something scheduled
    └── JudgeError        a criterion or a judge reached no verdict

`Refused` (in `tool`) is not among them: a tool that says no is part of the game, and what an agent
does wrong is data in its trace, never an exception.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class BythebookError(Exception):
    """What broke, where it broke and what to do next."""

    def __init__(self, what: str, *, where: str | Path = "", hint: str = "") -> None:
        self.what, self.where, self.hint = what, str(where), hint
        first = f"{where}: {what}" if self.where else what
        super().__init__("\n  ".join(part for part in (first, hint) if part))


class ContentError(BythebookError):
    """A content file does not read; `where` names file, line and field."""


class TraceError(BythebookError):
    """A trace, scene or plan file is truncated, of another version, or not ours."""


class UsageError(BythebookError):
    """The command line asked for something that cannot be done."""


class AgentError(BythebookError):
    """The agent's side broke: a provider, a harness, a protocol. Never the agent's failure."""

    def __init__(self, what: str, *, cause: str = "provider", where: str = "", hint: str = ""):
        super().__init__(what, where=where, hint=hint)
        self.cause = cause


class SimulatorError(BythebookError):
    """The customer's voice broke. Never the agent's failure.

    `cause`: protocol, context, or provider when its model cannot be had.
    """

    def __init__(self, what: str, *, cause: str = "protocol", where: str = "", hint: str = ""):
        super().__init__(what, where=where, hint=hint)
        self.cause = cause


class CompanyError(BythebookError):
    """A tool, or what the company does on its own, broke. Never the agent's failure."""


class JudgeError(BythebookError):
    """A rule reached no verdict through our own fault."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like `name`, or nothing when none is like it."""
    found = get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return found[0] if found else ""


def suggestion(name: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?`, or the list of what there is when nothing is near."""
    names = sorted(set(known))
    near = nearest(name, names)
    if near:
        return f"did you mean {near!r}?"
    shown = ", ".join(names[:12]) + (f" ... ({len(names)} in all)" if len(names) > 12 else "")
    return f"known: {shown}" if names else "there are none"


def unknown(kind: str, name: str, known: Iterable[str], *, where: str | Path = "") -> ContentError:
    """The one wording for a name that is not on a list."""
    return ContentError(f"no {kind} {name!r}", where=where, hint=suggestion(name, known))
