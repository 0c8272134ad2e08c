"""What leaves the house: it loads as a company's own, every link lands, no original is in it."""

from collections.abc import Iterator
from pathlib import Path

from bythebook import yamlfile
from bythebook.build.sop.flow import flow_problems
from bythebook.build.sop.names import PATTERNS, PUT_BACK, Rewriter, load_mapping, lost_mapping
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.work import Work
from bythebook.conduct.documents import ANYWHERE, Document, Front, Library
from bythebook.conduct.sops import Sop, load_sops
from bythebook.errors import BythebookError, ContentError

Problems = Iterator[tuple[Path, str]]
RENAME = "rename the file in 10-rewrite, and the `id` in it; both are the id of the plan"


def leak_problems(work: Work, name: str) -> Problems:
    """Originals of the mapping, and addresses and numbers that are in nobody's mapping."""
    if lost := lost_mapping(work):
        yield work.mapping, f"{lost}; {PUT_BACK}"
        return
    mapping = load_mapping(work.mapping)
    rewriter = Rewriter(mapping)
    allowed = set(mapping.values())
    for path in work.stage(name).files(""):
        try:
            said = yamlfile.read_text(path)
        except ContentError as error:
            yield (
                path,
                f"{error.what}, so nobody can see whether an original is in it: take it away",
            )
            continue
        for leak in rewriter.leaks(path.stem):
            yield path, f"{leak!r} of the mapping stands in the file's name: {RENAME}"
        for leak in rewriter.leaks(said):
            yield path, f"{leak!r} of the mapping stands in it: {_mend(name)}"
        if path.suffix == ".yaml":
            for word in _unmapped(f"{path.stem}\n{said}", allowed):
                yield path, f"{word!r} looks like an address or number of somebody: {_mend(name)}"


def told(error: BythebookError) -> str:
    """What is wrong, and the next move where there is one."""
    return f"{error.what}; {error.hint}" if error.hint else error.what


def _mend(name: str) -> str:
    return f"write its replacement, or make the file again with --remake {name}"


def _unmapped(said: str, allowed: set[str]) -> Iterator[str]:
    for pattern in PATTERNS.values():
        for found in pattern.finditer(said):
            if found.group() not in allowed:
                yield found.group()


def out_problems(work: Work) -> Problems:
    folder = work.stage("out").folder
    yield from leak_problems(work, "out")
    try:
        load_sops([folder / "sops"], library_of(work.shelf))
    except BythebookError as error:
        yield Path(error.where.partition(", ")[0] or folder), told(error)
        return
    rewriter = Rewriter(load_mapping(work.mapping))
    links = {rewriter.link(f"{s.id}#{p.id}") for s in work.shelf.sources.values() for p in s.spans}
    for path in sorted((folder / "sops").glob("*.yaml")):
        sop = yamlfile.load(path, Sop)
        yield from ((path, says) for says in flow_problems(sop))
        for step in sop.steps:
            if not step.source:
                yield path, f"step {step.id!r}: nothing carries it; give its `source`"
            for link in step.source:
                if link not in links:
                    yield path, f"step {step.id!r}: {link} is no span of any source"
        if not (folder / "graphs" / f"{sop.id}.svg").exists():
            yield path, "its drawing is gone: make it again with --remake out"


def library_of(shelf: Shelf) -> Library:
    """What procedures may cite: families and clauses of a company's own documents."""
    return Library(
        Document(
            Front(
                id=source.id, family=source.family, title=source.title, kind="policy",
                scope=ANYWHERE, effective=("0001-01-01", None), authority=source.authority,
                status="in force",
            ),
            body="",
            clauses=frozenset(span.number for span in source.spans if span.number),
            path=source.file,
        )
        for source in shelf.sources.values()
        if source.company
    )  # fmt: skip
