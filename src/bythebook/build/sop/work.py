"""What all stages have in common: the place, who is asked, and what came of it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

from bythebook.build.asking import Asking
from bythebook.build.mind import Mind, Take, filled
from bythebook.build.sop.forms import Link
from bythebook.build.sop.shelf import Shelf, load_shelf
from bythebook.build.stages import Building, Stage
from bythebook.errors import ContentError, UsageError
from bythebook.run.durable import write_whole

T = TypeVar("T")
PROMPTS = Path(__file__).parent / "prompts"
STAGES = (
    "sources", "candidates", "plans", "sops", "review", "conflicts", "cleared", "knowledge",
    "names", "rewrite", "out",
)  # fmt: skip
ASKING = ("candidates", "plans", "sops", "review", "conflicts", "knowledge", "names")
"""Stages in which somebody is asked."""


def folder_of(stage: str) -> str:
    """`03-plans` for `plans`."""
    return f"{STAGES.index(stage) + 1:02}-{stage}"


class Stand(msgspec.Struct, frozen=True, kw_only=True):
    """How a stage stands after it was worked on."""

    stage: str
    files: int
    waits: tuple[str, ...] = ()
    """Folders in which an answer is awaited."""
    wrong: dict[str, str] = {}
    """Folder or file to what is wrong there."""
    edited: tuple[str, ...] = ()
    """Files that a person edited, added or took out."""
    counts: dict[str, int] = {}
    notes: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        return not (self.waits or self.wrong)


@dataclass(frozen=True)
class Ways:
    """What was asked for."""

    only: tuple[str, ...] = ()
    """Patterns of documents."""
    without: tuple[str, ...] = ()
    """Patterns of documents that are left out."""
    plans: tuple[str, ...] = ()
    """Patterns of plans that become procedures; none: all."""
    day: str | None = None
    chars: int = 20_000
    """Most characters of documents in one question."""
    amounts: bool = False
    """Amounts of money are rewritten, too."""
    mapping: Path | None = None


@dataclass
class Work:
    """One building place for procedures, worked on by one command."""

    sources: Path
    building: Building
    mind: Mind | None
    ways: Ways = field(default_factory=Ways)
    reviewer: Mind | None = None
    """Who reviews, if not who wrote."""

    def stage(self, name: str) -> Stage:
        return self.building.stage(folder_of(name))

    @cached_property
    def shelf(self) -> Shelf:
        """The sources as they stand in the first stage, edits included."""
        return load_shelf(self.stage("sources").files(), self.ways.day)

    @cached_property
    def parts(self) -> dict[str, list[list[str]]]:
        """Long documents as they were cut, so that each is cut once: id to spans (ids)."""
        return {}

    def look_again(self) -> None:
        """The first stage was written: the shelf is filled anew."""
        for name in ("shelf", "parts"):
            self.__dict__.pop(name, None)

    @property
    def mapping(self) -> Path:
        """Beside the place, so that whoever is given a folder of it is not given this."""
        root = self.building.root
        root = root if root.name.strip(".") else root.resolve()
        return self.ways.mapping or root.with_name(f"{root.name}.mapping.yaml")

    def asked_for(self, name: str) -> Mind | None:
        """Who answers the questions of a stage."""
        return (self.reviewer if name == "review" else None) or self.mind

    def ask(
        self,
        name: str,
        jobs: Mapping[str, Mapping[str, str]],
        question: Callable[[str], str],
        take: Take[T],
        write: Callable[[str, T], Mapping[str, str]],
    ) -> Stand:
        """Ask for each job that is due, and write what was taken."""
        mind = self.asked_for(name)
        asking = Asking(self.stage(name), name, jobs, mind)
        due = asking.due()
        if not due:
            return self.stand(name)
        if mind is None:
            raise UsageError(
                f"{len(due)} question(s) of stage {name!r} have to be asked: whom?",
                hint="--model PROVIDER:NAME, or --model hand:DIR",
            )
        answered = asking.ask(due, question, take, write)
        waits = tuple(str(path) for path in answered.waiting)
        wrong = {str(path): says for path, says in answered.wrong.items()}
        return self.stand(name, waits=waits, wrong=wrong)

    def stand(
        self,
        name: str,
        *,
        waits: tuple[str, ...] = (),
        wrong: Mapping[str, str] | None = None,
        notes: Iterable[str] = (),
        **counts: int,
    ) -> Stand:
        """How a stage stands by its files."""
        states = self.stage(name).states()
        return Stand(
            stage=name,
            files=sum(1 for state in states.values() if state != "taken out"),
            waits=waits,
            wrong=dict(wrong or {}),
            edited=tuple(f"{file}: {state}" for file, state in sorted(states.items())
                         if state != "as written"),
            counts=counts,
            notes=tuple(notes),
        )  # fmt: skip


def prompt(name: str, **parts: str) -> str:
    """A prompt of this stage; see `filled`."""
    return filled(PROMPTS / f"{name}.md", parts)


def document_text(shelf: Shelf, name: str, spans: Iterable[str] | None = None) -> str:
    """A document as it is shown in a question: all of it, or some of its spans (ids)."""
    source = shelf.sources[name]
    wanted = set(spans) if spans is not None else None
    lines = [f"### {name}", f"({shelf.told(source)})", ""]
    under = ""
    for span in source.spans:
        if wanted is not None and span.id not in wanted:
            continue
        if span.under != under:
            under = span.under
            lines.append(f"{under}:")
        lines.append(f"[{span.id}] {span.text}")
    return "\n".join(lines)


def spans_text(shelf: Shelf, links: Iterable[str]) -> str:
    """The spans of some links, by document, with how each document stands."""
    by_document: dict[str, list[str]] = {}
    for link in dict.fromkeys(links):
        name, _, span = link.partition("#")
        if link in shelf:
            by_document.setdefault(name, []).append(span)
    parts = (document_text(shelf, name, spans) for name, spans in by_document.items())
    return "\n\n".join(parts)


def broken_links(shelf: Shelf, where: str, links: Iterable[Link]) -> list[str]:
    """What is wrong with each link that is not sound, with the place where it stands."""
    return [f"{where}: {says}" for link in links if (says := shelf.broken(link))]


WAYS = "ways.json"


class Kept(msgspec.Struct, frozen=True):
    """`ways.json`: what the last command was asked for, so that checks see what it saw."""

    sources: str
    ways: Ways


def keep_ways(work: Work) -> None:
    told = msgspec.json.encode(Kept(str(work.sources), work.ways), enc_hook=str)
    write_whole(work.building.root / WAYS, msgspec.json.format(told, indent=1) + b"\n")


def _path(kind: type[Path], word: str) -> Path:
    """Paths stand there as words."""
    return kind(word)


def kept_work(root: Path) -> Work:
    """A building place as its last command left it, with nobody to ask. Raises `UsageError`."""
    path = root / WAYS
    if not path.exists():
        raise UsageError(
            "is no building place of procedures", where=root,
            hint="`bythebook build sop SOURCES --to DIR` makes one",
        )  # fmt: skip
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept, dec_hook=_path)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        hint = "`bythebook build sop SOURCES --to DIR` writes it anew"
        raise ContentError(f"does not read: {error}", where=path, hint=hint) from None
    return Work(Path(kept.sources), Building(root), None, kept.ways)
