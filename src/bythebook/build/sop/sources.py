"""Stage 1: documents as text with stable spans, and what each says about its own standing."""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path

import msgspec

from bythebook.build.sop.blocks import READERS, Block, Read, html, markdown, read_blocks
from bythebook.build.sop.forms import Source, Span
from bythebook.build.sop.front import parted, text_of
from bythebook.build.sop.markup import plainer, untagged
from bythebook.build.sop.patience import TooLong, within
from bythebook.conduct.documents import Library, load_library
from bythebook.conduct.parameters import load_parameters
from bythebook.deliverables.evidence.preflight import look
from bythebook.errors import ContentError, UsageError, suggestion
from bythebook.tool import is_day

NUMBER = re.compile(r"^(\d+(?:\.\d+)*)[.)]?\s")
HASHED = 5
"""Hexadecimal digits of a span's own words in its id."""
LONGEST = 100
"""Letters of an id."""
UNTITLED = ("untitled", "null", "microsoft word - untitled")
MARKED = (".md", ".markdown")
PAGES = (".html", ".htm")
OFFICE = (".docx", ".pdf")
ENDINGS = (*MARKED, ".txt", *READERS)
END = Block("heading", "")
ALONE = 2
"""Blocks of a document that is a title and nothing else, with `END`."""
UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
"""Letters that nobody sees, and so nobody quotes."""
PATIENCE = 60.0
"""Seconds of the processor that one document may take. The largest of a handbook takes 0.1."""
LEAVE = "mend it, or leave it out with --without"
OURS = ("stages.json", "asked.json")
"""What lies in a building place, and in the folder of a question."""


def files_of(
    sources: Path, only: Iterable[str] = (), without: Iterable[str] = ()
) -> tuple[Path, ...]:
    """The documents below a folder whose path, name or name without ending fits a pattern, save
    those that fit one of `without`.

    Raises `UsageError` when there are none.
    """
    if sources.is_file():
        hint = f"name its folder, {sources.parent}, with --only {sources.name}"
        raise UsageError("is a file, not a folder of documents", where=sources, hint=hint)
    if not sources.is_dir():
        near = (path.name for path in sources.parent.glob("*/"))
        raise UsageError("no such folder", where=sources, hint=suggestion(sources.name, near))
    found = [path for path in _shown(sources) if path.suffix.lower() in ENDINGS]
    patterns = tuple(only)
    left = tuple(without)
    picked = [
        path for path in found
        if (not patterns or _fits(path.relative_to(sources), patterns))
        and not _fits(path.relative_to(sources), left)
    ]  # fmt: skip
    if not picked:
        known = ", ".join(sorted(ENDINGS))
        what = f"none of {len(found)} documents fits --only" if found else "no documents"
        raise UsageError(what, where=sources, hint=f"documents end in {known}")
    return tuple(picked)


def unread_kinds(sources: Path) -> dict[str, int]:
    """How many files below the folder end so that they are no documents, the most first."""
    kinds = Counter(path.suffix.lower() or path.name for path in _shown(sources))
    return {kind: count for kind, count in kinds.most_common() if kind not in ENDINGS}


def _shown(sources: Path) -> Iterator[Path]:
    """Files that are not hidden, by path; building places and questions that lie among the
    documents are none of them."""
    every = sorted(sources.rglob("*"))
    ours = {path.parent for path in every if path.name in OURS} - {sources}
    for path in every:
        hidden = any(part.startswith(".") for part in path.relative_to(sources).parts)
        if path.is_file() and not hidden and ours.isdisjoint(path.parents):
            yield path


def _fits(path: Path, patterns: tuple[str, ...]) -> bool:
    names = (path.as_posix(), path.name, path.stem)
    return any(
        fnmatch(name, pattern) or path.as_posix().startswith(f"{pattern.rstrip('/')}/")
        for pattern in patterns
        for name in names
    )


class Reader:
    """Reads the documents of one folder; those of a company get their numbers filled in."""

    def __init__(self, sources: Path, paths: Iterable[Path], patience: float = PATIENCE) -> None:
        self._sources, self._patience = sources, patience
        refused = {path: says for path in paths if (says := _refused(path))}
        self._paths = tuple(path for path in paths if path not in refused)
        self._ids = _ids(sources, self._paths)
        self._library = _library(sources)
        self.unread = {_shown_name(self._name(path)): says for path, says in refused.items()}
        """Files that did not read, and why."""

    def jobs(self) -> dict[str, dict[str, str]]:
        """A source's id to the hash of what it is made from."""
        numbers = _numbers(self._sources) if self._library is not None else {}
        return {
            self._ids[path]: {self._name(path): _sha(path.read_bytes()), **numbers}
            for path in self._paths
        }

    def read(self, due: Iterable[str]) -> Iterator[Source]:
        """A document that does not read is noted in `unread`."""
        wanted = set(due)
        for path in self._paths:
            if self._ids[path] not in wanted:
                continue
            try:
                with within(self._patience):
                    source = self._source(path)
            except ContentError as error:
                self.unread[self._name(path)] = str(error)
            except TooLong:
                says = f"takes more than {self._patience:g} s to read; part it, or {LEAVE}"
                self.unread[self._name(path)] = says
            else:
                yield source

    def _source(self, path: Path) -> Source:
        ident, name = self._ids[path], self._name(path)
        _demand_sound(path)
        of_company = self._library.documents.get(ident) if self._library is not None else None
        if of_company is not None:
            body = tuple(markdown(of_company.body))
            about = parted(text_of(path))[0]
        elif path.suffix.lower() not in READERS:
            about, rest = parted(text_of(path))
            marked = path.suffix.lower() in MARKED
            body = tuple(markdown(plainer(rest) if marked else rest))
        elif path.suffix.lower() in PAGES and path.read_bytes().lstrip().startswith(b"---"):
            about, rest = parted(text_of(path))
            read = html(untagged(rest).encode())
            about, body = {**read.about, **about}, read.blocks
        else:
            read = read_blocks(path)
            about, body = read.about, read.blocks
        source = _about(ident, name, Read(body, about), of_company=of_company is not None)
        return msgspec.structs.replace(source, sha256=_sha(path.read_bytes()))

    def _name(self, path: Path) -> str:
        return path.relative_to(self._sources).as_posix()


def _refused(path: Path) -> str:
    """Why a file is not even opened; empty for one that may be."""
    if _shown_name(str(path)) != str(path):
        return "its name is no UTF-8: rename it, or leave it out with --without"
    if not os.access(path, os.R_OK):
        return "you may not read it; ask for it, or leave it out with --without"
    return ""


def _shown_name(name: str) -> str:
    """A file's name as it can be written down."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _demand_sound(path: Path) -> None:
    """Raises `ContentError` for what is not what its ending says, is locked, or unpacks to more
    than a machine holds. Texts without a word are told elsewhere."""
    found = look(path.resolve(), path.name)
    empty = found.status == "empty" and path.suffix.lower() not in OFFICE
    if found.status != "ok" and not empty:
        says = found.says.rstrip(".")
        raise ContentError(f"{says[:1].lower()}{says[1:]}", where=path, hint=LEAVE)


def _library(sources: Path) -> Library | None:
    """The documents of a company, where the folder is one: its numbers stand beside it."""
    numbers = sources.resolve().parent / "parameters"
    pages = (path for path in sources.glob("*.md") if path.is_file())
    marked = any("{{" in path.read_text("utf-8", "replace") for path in pages)
    if not (marked and numbers.is_dir()):
        return None
    return load_library([sources], load_parameters([numbers]))


def _numbers(sources: Path) -> dict[str, str]:
    folder = sources.resolve().parent / "parameters"
    data = b"".join(path.read_bytes() for path in sorted(folder.glob("*.yaml")))
    return {"parameters": _sha(data)}


def _ids(sources: Path, paths: Iterable[Path]) -> dict[Path, str]:
    """The id in a document's own front matter, else its path as a slug. Raises `ContentError`."""
    found: dict[Path, str] = {}
    seen: dict[str, Path] = {}
    for path in paths:
        ident = _own_id(path) or _named(path.relative_to(sources).with_suffix("").as_posix())
        if ident in seen:
            ident = _named(path.relative_to(sources).as_posix())
        if ident in seen:
            raise ContentError(
                f"has the id {ident!r}, as {seen[ident]} has", where=path, hint="rename one of them"
            )
        found[path] = ident
        seen[ident] = path
    return found


def _named(path: str) -> str:
    """A path as an id that is also a file's name: not too long, and never empty."""
    words = slug(path)
    if words and len(words) <= LONGEST and path.isascii():
        return words
    return f"{words[:LONGEST]}-{_sha(path.encode())[:HASHED]}".strip("-")


def _own_id(path: Path) -> str:
    if path.suffix.lower() not in MARKED:
        return ""
    given = parted(path.read_text("utf-8-sig", "replace"))[0].get("id")
    return given if isinstance(given, str) and slug(given) == given else ""


def _about(ident: str, name: str, read: Read, *, of_company: bool) -> Source:
    about = read.about
    heading = next((b.text for b in read.blocks if b.kind == "heading"), "")
    scope = about.get("scope")
    supersedes = about.get("supersedes") or ()
    notes = about.get("notes")
    return Source(
        id=ident,
        file=name,
        sha256="",
        title=" ".join(plainer(_word(about, "title")).split()) or heading or ident,
        spans=tuple(spans(read.blocks)),
        family=_word(about, "family"),
        kind=_word(about, "kind"),
        status=_word(about, "status").lower(),
        authority=_word(about, "authority") or _word(about, "owner"),
        supersedes=tuple(_listed(supersedes)),
        effective=_days(about),
        scope=_scope(scope),
        company=of_company,
        notes=(str(notes),) if notes else (),
    )


def _word(about: Mapping[str, object], name: str) -> str:
    value = about.get(name)
    words = " ".join(value.split()) if isinstance(value, str) else ""
    return "" if words.lower() in UNTITLED else words


def _listed(value: object) -> Iterator[str]:
    for one in value if isinstance(value, list | tuple) else (value,):
        if isinstance(one, str) and one not in ("", "null"):
            yield slug(Path(one).stem if "/" in one or one.endswith(ENDINGS) else one)


def _scope(value: object) -> dict[str, str]:
    if isinstance(value, Mapping):
        return {str(k): str(v) for k, v in value.items() if v not in ("any", "")}
    return {"for": value} if isinstance(value, str) and value else {}


def _days(about: Mapping[str, object]) -> tuple[str | None, str | None]:
    value = about.get("effective") or about.get("effective_from") or about.get("date")
    pair = [*value, None, None][:2] if isinstance(value, list) else [value, about.get("expires")]
    since, to = (str(one)[:10] if one and is_day(str(one)[:10]) else None for one in pair)
    return since, to


def spans(blocks: Iterable[Block]) -> Iterator[Span]:
    """Each block that is no heading, or a heading with nothing under it, named by its number or
    heading and by its own words."""
    above: list[tuple[int, str]] = []
    seen: dict[str, int] = {}
    listed = [*blocks, END]
    for block, after in pairwise(listed):
        if block.kind == "heading":
            above = [one for one in above if one[0] < block.level]
            if len(listed) == ALONE or not _stands_bare(block, after):
                above.append((block.level, block.text))
                continue
        words = block.text.translate(UNSEEN)
        if not words.strip(" |"):
            continue
        number = NUMBER.match(words)
        place = number[1] if number else slug(above[-1][1])[:24].strip("-") if above else "text"
        name = f"{place or 'text'}-{_sha(words.encode())[:HASHED]}"
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name = f"{name}.{seen[name]}"
        under = " > ".join(title for _, title in above)
        yield Span(name, words, under, number[1] if number else "")


def _stands_bare(block: Block, after: Block) -> bool:
    """Some pages write answers and notes as headings; what stands under none is lost otherwise."""
    return after.kind == "heading" and after.level <= block.level


def slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
