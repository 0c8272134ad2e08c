"""The company's documents: dated, scoped, versioned, and printing the policy's own numbers.

A document is a Markdown file with front matter. Numbers never stand bare:
`{{release.fee.assisted}}` is filled from the parameters that the tools use, for the document's own
period, so documents and behaviour cannot drift apart. `{{doc:family#clause}}` refers to another
family.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from bythebook import yamlfile
from bythebook.conduct.parameters import Parameters
from bythebook.errors import ContentError, unknown
from bythebook.tool import Day

PLACEHOLDER = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
CLAUSE = re.compile(r"^(?:#+\s*|\*\*)?(\d+(?:\.\d+)*)\.?(?:\*\*)?\s", re.MULTILINE)
FRONT = re.compile(r"\A---\n(?P<head>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)

Kind = Literal[
    "policy", "procedure", "fee schedule", "bulletin", "partner notice", "FAQ", "training note",
    "e-mail", "manual", "memo",
]  # fmt: skip


class Scope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a document or SOP speaks for; `any` speaks for all."""

    product: str = "any"
    jurisdiction: str = "any"
    segment: str = "any"

    def covers(self, product: str, jurisdiction: str, segment: str) -> bool:
        """Does it speak for this? `any` fits everything, on either side."""
        asked = (product, jurisdiction, segment)
        own = (self.product, self.jurisdiction, self.segment)
        return all("any" in pair or pair[0] == pair[1] for pair in zip(own, asked, strict=True))

    def meets(self, other: "Scope") -> bool:
        """Is there something that both speak for?"""
        return self.covers(other.product, other.jurisdiction, other.segment)


ANYWHERE = Scope()


class Front(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document's front matter, exactly as on disk."""

    id: str
    family: str
    title: str
    kind: Kind
    scope: Scope
    effective: tuple[Day, Day | None]
    authority: str
    status: Literal["in force", "superseded", "draft"]
    supersedes: str | None = None

    @property
    def binding(self) -> bool:
        """A draft binds nobody; all others do in their period."""
        return self.status != "draft"

    def holds(self, day: Day) -> bool:
        """Is `day` in its period? The end of a period is the first day without it."""
        since, to = self.effective
        return since <= day and (to is None or day < to)


class Document(msgspec.Struct, frozen=True):
    """One document, its numbers filled in."""

    front: Front
    body: str
    clauses: frozenset[str]
    path: str

    @property
    def id(self) -> str:
        return self.front.id

    @property
    def text(self) -> str:
        """What an agent reads."""
        front, scope = self.front, self.front.scope
        since, to = front.effective
        lines = (
            f"# {front.title}",
            f"{front.id} · {front.kind} · {front.status} · "
            f"effective {since} to {to or 'further notice'}",
            f"Applies to: product {scope.product}, jurisdiction {scope.jurisdiction}, "
            f"segment {scope.segment} · Authority: {front.authority}"
            + (f" · Supersedes {front.supersedes}" if front.supersedes else ""),
            "",
            self.body.strip(),
        )
        return "\n".join(lines)


class Library:
    """All documents of a company, by id and by family."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = {document.id: document for document in documents}
        self.families: dict[str, list[Document]] = {}
        for document in self.documents.values():
            self.families.setdefault(document.front.family, []).append(document)

    def in_force(self, family: str, day: Day, scope: Scope = ANYWHERE) -> Document:
        """The one document of the family that binds on `day` for `scope`."""
        if family not in self.families:
            raise unknown("document family", family, self.families)
        found = [
            d
            for d in self.families[family]
            if d.front.binding and d.front.holds(day) and d.front.scope.meets(scope)
        ]
        if len(found) != 1:
            names = ", ".join(d.id for d in found) or "none"
            raise ContentError(f"{family!r} has {len(found)} documents in force on {day}: {names}")
        return found[0]

    def cites(self, reference: str, *, where: str | Path) -> None:
        """Check a `family#clause` reference; the clause must stand in one of its documents."""
        family, _, clause = reference.partition("#")
        if family not in self.families:
            raise unknown("document family", family, self.families, where=where)
        clauses = {c for d in self.families[family] for c in d.clauses}
        if clause and clause not in clauses:
            raise unknown(f"clause of {family}", clause, clauses, where=where)


def load_library(folders: Iterable[Path], parameters: Parameters) -> Library:
    """Every `*.md` in the folders, checked: ids, periods, references, numbers."""
    raw = [_read(path) for folder in folders for path in sorted(folder.glob("*.md"))]
    titles = _titles(raw)
    library = Library(_fill(front, body, path, parameters, titles) for front, body, path in raw)
    for document in library.documents.values():
        before = document.front.supersedes
        if before is not None and before not in library.documents:
            raise unknown("document", before, library.documents, where=document.path)
    for family, documents in library.families.items():
        _no_overlap(family, documents)
    return library


def _read(path: Path) -> tuple[Front, str, Path]:
    text = yamlfile.read_text(path)
    found = FRONT.match(text)
    if found is None:
        raise ContentError(
            "a document starts with front matter between two `---` lines", where=path
        )
    # The line with `---` counts, so that errors name the line of the file.
    front = yamlfile.convert("\n" + found["head"], Front, where=path)
    if front.id != path.stem:
        raise ContentError(f"its id is {front.id!r} but the file is {path.name}", where=path)
    if not found["body"].strip():
        raise ContentError("the document has no body", where=path)
    return front, found["body"], path


def _titles(raw: Iterable[tuple[Front, str, Path]]) -> dict[str, str]:
    """Family to title of its newest document that binds; refuses two documents of one id.

    A draft lends its title only to a family that has nothing else: a reference to a rule in force
    must not send its reader to a proposal.
    """
    titles: dict[str, str] = {}
    seen: dict[str, Path] = {}
    for front, _, path in sorted(raw, key=lambda item: (item[0].binding, item[0].effective[0])):
        if front.id in seen:
            raise ContentError(f"document {front.id!r} also stands in {seen[front.id]}", where=path)
        seen[front.id] = path
        titles[front.family] = front.title
    return titles


def _fill(
    front: Front, body: str, path: Path, parameters: Parameters, titles: Mapping[str, str]
) -> Document:
    def filled(found: re.Match[str]) -> str:
        name = found[1]
        if name.startswith("doc:"):
            family, _, clause = name.removeprefix("doc:").partition("#")
            if family not in titles:
                raise unknown("document family", family, titles, where=path)
            return f"*{titles[family]}*" + (f", {clause}" if clause else "")
        if name not in parameters:
            raise unknown("parameter", name, parameters.names(), where=path)
        try:
            return parameters.shown(name, *front.effective)
        except ContentError as error:
            raise ContentError(error.what, where=path, hint=error.hint) from None

    text = PLACEHOLDER.sub(filled, body)
    return Document(front, text, frozenset(CLAUSE.findall(text)), str(path))


def _no_overlap(family: str, documents: list[Document]) -> None:
    binding = sorted(
        (d for d in documents if d.front.binding), key=lambda d: (d.front.effective[0], d.id)
    )
    for index, first in enumerate(binding):
        for second in binding[index + 1 :]:
            to = first.front.effective[1]
            apart = to is not None and to <= second.front.effective[0]
            if not apart and first.front.scope.meets(second.front.scope):
                what = f"{first.id} and {second.id} of {family!r} are both in force on some day"
                hint = "end the older one's `effective` on the day the newer one's begins"
                raise ContentError(what, where=second.path, hint=hint)
