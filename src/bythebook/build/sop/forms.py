"""What stands in the files of the stages, and in the answers; YAML in both directions."""

import re
from typing import Any, Literal

import msgspec
import yaml

from bythebook.conduct.sops import Sop, Step
from bythebook.tool import Day

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""Ids of candidates, plans, procedures and steps."""


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a file or an answer."""


class Link(Form, frozen=True):
    """A span of a source, and words that stand in it."""

    source: str
    """`document#span`."""
    quote: str


class Span(Form, frozen=True):
    """One paragraph, list item or table row; its id is made from its own words and its number or
    heading, so that edits elsewhere in the file leave it as it is."""

    id: str
    text: str
    under: str = ""
    """The headings above it."""
    number: str = ""
    """The clause number that is printed before it."""


class Source(Form, frozen=True):
    """One document, as text with spans. What is known of its standing may be put right by hand."""

    id: str
    file: str
    sha256: str
    title: str
    spans: tuple[Span, ...]
    family: str = ""
    kind: str = ""
    status: str = ""
    authority: str = ""
    supersedes: tuple[str, ...] = ()
    effective: tuple[Day | None, Day | None] = (None, None)
    """Half-open."""
    scope: dict[str, str] = {}
    company: bool = False
    """It stands in a company's library, so that a procedure may cite `family#clause`."""
    notes: tuple[str, ...] = ()
    """What did not read."""


class Claim(Form, frozen=True):
    """One thing that the sources say about the work."""

    says: str
    kind: Literal["step", "decision", "rule"]
    source: str = ""
    quote: str = ""
    """What it rests on; a claim without either is refused, with what to do."""
    more: tuple[Link, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        return (Link(self.source, self.quote), *self.more)


class Candidate(Form, frozen=True):
    """A piece of work that the sources describe."""

    id: str
    title: str
    goal: str
    claims: tuple[Claim, ...]


class Pair(Form, frozen=True):
    """Two places that do not say the same."""

    one: Link
    other: Link
    says: str


class Candidates(Form, frozen=True):
    """The answer on one batch, and a file of the second stage."""

    candidates: tuple[Candidate, ...]
    conflicts: tuple[Pair, ...] = ()


class PlanLine(Form, frozen=True):
    """One plan of an answer."""

    id: str
    title: str
    goal: str
    candidates: tuple[str, ...] = ()
    parent: str | None = None


class LeftOut(Form, frozen=True):
    what: str
    why: str


class Plans(Form, frozen=True):
    """The answer on plans."""

    plans: tuple[PlanLine, ...]
    left_out: tuple[LeftOut, ...] = ()


class Plan(Form, frozen=True):
    """A file of the third stage: the candidates stand in it with their evidence."""

    id: str
    title: str
    goal: str
    parent: str | None = None
    candidates: tuple[Candidate, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        return tuple(link for c in self.candidates for claim in c.claims for link in claim.links)

    @property
    def rules(self) -> dict[str, Claim]:
        """`rule-1` ... : what is to be known, and is no step."""
        found = [c for candidate in self.candidates for c in candidate.claims if c.kind == "rule"]
        return {f"rule-{number}": claim for number, claim in enumerate(found, start=1)}


class Verdict(Form, frozen=True):
    """On one claim of a procedure. `instead`: words that the quotes do support."""

    claim: str
    verdict: Literal["supported", "unsupported", "contradicted"]
    links: tuple[Link, ...] = ()
    says: str = ""
    instead: str = ""


class Review(Form, frozen=True):
    """The answer on one procedure, and a file of the fifth stage."""

    verdicts: tuple[Verdict, ...]
    conflicts: tuple[Pair, ...] = ()
    findings: tuple[str, ...] = ()
    """What is no verdict on a claim: what is missing of the plan, an order that is odd."""

    def of(self, claim: str) -> Verdict | None:
        return next((one for one in self.verdicts if one.claim == claim), None)


Holds = Literal["one", "other", "both", "neither"]


class Conflict(Form, frozen=True):
    """Two places that do not say the same, and which of them is followed."""

    id: str
    one: Link
    other: Link
    found: Literal["metadata", "candidates", "review"]
    holds: Holds
    why: str
    says: str = ""

    @property
    def pair(self) -> frozenset[str]:
        return frozenset((self.one.source, self.other.source))

    @property
    def excluded(self) -> tuple[str, ...]:
        """Spans that are not followed."""
        lost = {"one": (self.other,), "other": (self.one,), "neither": (self.one, self.other)}
        return tuple(link.source for link in lost.get(self.holds, ()))


class Conflicts(Form, frozen=True):
    conflicts: tuple[Conflict, ...] = ()


class Decision(Form, frozen=True):
    id: str
    holds: Holds
    why: str


class Decisions(Form, frozen=True):
    decisions: tuple[Decision, ...]


class TakenOut(Form, frozen=True):
    """A claim that is not in the procedure any more, or stands there in other words."""

    claim: str
    said: str
    why: str
    instead: str = ""


class Cleared(Form, frozen=True):
    """A procedure after review and conflicts; a file of the sixth stage."""

    sop: Sop
    taken_out: tuple[TakenOut, ...] = ()
    rules: dict[str, Claim] = {}
    """What was reviewed and may be attached as knowledge."""


class Attached(Form, frozen=True):
    rule: str
    steps: tuple[str, ...] = ()
    when: str = ""


class Attachments(Form, frozen=True):
    """The answer on knowledge."""

    attach: tuple[Attached, ...]
    left_out: tuple[LeftOut, ...] = ()


class Knowledge(Form, frozen=True):
    """A reviewed rule: for which steps (none: for all), and when it applies."""

    id: str
    says: str
    evidence: tuple[Link, ...]
    steps: tuple[str, ...] = ()
    when: str = ""
    scope: dict[str, str] = {}
    days: tuple[Day | None, Day | None] = (None, None)


class Known(Form, frozen=True):
    """A file of the seventh and eighth stage: a procedure and what is attached to it."""

    sop: Sop
    knowledge: tuple[Knowledge, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class Name(Form, frozen=True):
    name: str
    kind: Literal["person", "firm", "place", "product", "other"]


class Names(Form, frozen=True):
    names: tuple[Name, ...] = ()


def claims_of(sop: Sop) -> dict[str, str]:
    """Everything that a procedure claims: `step.do`, `step.decide`, `step.returns_to`."""
    found: dict[str, str] = {}
    for step in sop.steps:
        found[f"{step.id}.do"] = step.do
        if step.decide:
            found[f"{step.id}.decide"] = step.decide
        if step.back:
            found[f"{step.id}.returns_to"] = f"may go back to: {', '.join(step.back)}"
    return found


def text(value: object) -> str:
    """A form as a YAML file that people read and edit."""
    return str(
        yaml.dump(plain(value), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    )


def plain(value: object) -> Any:
    """In YAML's own types; of a procedure only what says something."""
    return msgspec.to_builtins(_spare(value), str_keys=True)


def _spare(value: object) -> object:
    match value:
        case Sop():
            whole = msgspec.structs.asdict(value)
            return whole | {"steps": [_spare(step) for step in value.steps]}
        case Step():
            given = msgspec.structs.asdict(value)
            return {name: said for name, said in given.items() if said not in ("", ())}
        case msgspec.Struct():
            spare = isinstance(value, Form)
            return {
                field.encode_name: _spare(getattr(value, field.name))
                for field in msgspec.structs.fields(value)
                if not (spare and getattr(value, field.name) == _default(field))
            }
        case tuple() | list():
            return [_spare(one) for one in value]
        case dict():
            return {name: _spare(one) for name, one in value.items()}
    return value


def _default(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


class _Dumper(yaml.SafeDumper):
    """Short lists on one line would hide links; nested lists are indented."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)
