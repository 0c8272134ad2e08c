"""Stage 2: what work the documents describe, claim by claim, each with a link and a quote."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.build.mind import taking
from bythebook.build.sop.forms import NAME, Candidate, Candidates, text
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.work import Stand, Work, broken_links, document_text, prompt
from bythebook.build.stages import digest
from bythebook.run.durable import write_whole

BATCHES = "batches.yaml"
PART = re.compile(r"(?P<name>[^/]+)/(?P<part>\d+)")


class Batches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which documents are asked about together; may be edited. `NAME/2` is the second part of a
    long document."""

    batches: dict[str, tuple[str, ...]] = {}


def find_candidates(work: Work) -> Stand:
    shelf, stage = work.shelf, work.stage("candidates")
    batches = _batches(work)
    jobs = {
        batch: {part: digest(_shown(work, part)) for part in parts}
        for batch, parts in batches.batches.items()
    }

    def question(batch: str) -> str:
        parts = batches.batches[batch]
        example = next(f"{source}#{shelf.sources[source].spans[0].id}" for source in _names(parts))
        shown = "\n\n".join(_shown(work, part) for part in parts)
        return prompt("candidates", documents=shown, example=example)

    take = taking(Candidates, lambda _, found: problems(shelf, found))
    stand = work.ask(
        "candidates", jobs, question, take, lambda job, found: {f"{job}.yaml": text(found)}
    )
    found = load_candidates(stage.files())
    return msgspec.structs.replace(
        stand,
        counts={
            "batches": len(batches.batches),
            "candidates": sum(len(one.candidates) for one in found.values()),
            "claims": sum(len(c.claims) for one in found.values() for c in one.candidates),
            "conflicts found": sum(len(one.conflicts) for one in found.values()),
        },
    )


def problems(shelf: Shelf, found: Candidates) -> Iterator[str]:
    """Everything that is wrong with a batch's candidates."""
    seen: set[str] = set()
    for candidate in found.candidates:
        where = f"candidate {candidate.id!r}"
        if not NAME.fullmatch(candidate.id):
            yield f"{where}: an id is lower-case words and digits with dashes"
        if candidate.id in seen:
            yield f"{where}: stands here twice; make one candidate of the two"
        seen.add(candidate.id)
        yield from _claim_problems(shelf, where, candidate)
    for number, pair in enumerate(found.conflicts, start=1):
        yield from broken_links(shelf, f"conflict {number}", (pair.one, pair.other))
        if pair.one.source == pair.other.source:
            yield f"conflict {number}: both sides are {pair.one.source}: link two spans"


def _claim_problems(shelf: Shelf, where: str, candidate: Candidate) -> Iterator[str]:
    if not candidate.claims:
        yield f"{where}: has no claims; give it some, each with a link, or take it out"
    for number, claim in enumerate(candidate.claims, start=1):
        place = f"{where}, claim {number}"
        if not (claim.source and claim.quote):
            yield (
                f"{place}: it rests on nothing: give its `source` (document#span) and the `quote` "
                "from there, or take it out"
            )
            continue
        yield from broken_links(shelf, place, claim.links)
        for link in claim.links:
            yield from _not_in_force(shelf, place, link.source)


def _not_in_force(shelf: Shelf, where: str, link: str) -> Iterator[str]:
    if link in shelf and (why := shelf.not_in_force(shelf.source(link))):
        name = link.partition("#")[0]
        yield (
            f"{where}: {name} {why}: link the document that is in force, or list the two as a "
            "conflict"
        )


def load_candidates(paths: Iterable[Path]) -> dict[str, Candidates]:
    """Batch to what was found in it, edits included. Raises `ContentError`."""
    return {path.stem: yamlfile.load(path, Candidates) for path in paths}


def _names(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.partition("/")[0] for part in parts)


def _shown(work: Work, part: str) -> str:
    """A document of a batch, or its part, as it stands in the question."""
    found = PART.fullmatch(part)
    if found is None:
        return document_text(work.shelf, part)
    cut = _cut(work, found["name"])
    spans = cut[int(found["part"]) - 1] if int(found["part"]) <= len(cut) else ()
    return document_text(work.shelf, found["name"], spans)


def _cut(work: Work, name: str) -> list[list[str]]:
    """A document's spans in parts that fit a question."""
    if name not in work.parts:
        work.parts[name] = _parted(work, name)
    return work.parts[name]


def _parted(work: Work, name: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    room = work.ways.chars
    for span in work.shelf.sources[name].spans:
        size = len(span.text) + len(span.id) + 4
        if parts[-1] and size > room:
            parts.append([])
            room = work.ways.chars
        parts[-1].append(span.id)
        room -= size
    return parts


def _batches(work: Work) -> Batches:
    """The batches there are, with what is new in further ones and what is gone left out: a new
    document changes no question that was asked already."""
    sources, path = work.shelf.sources, work.building.root / BATCHES
    before = yamlfile.load(path, Batches).batches if path.exists() else {}
    now = {
        batch: tuple(part for part in parts if part.partition("/")[0] in sources)
        for batch, parts in before.items()
    }
    now = {batch: parts for batch, parts in now.items() if parts}
    placed = {name for parts in now.values() for name in _names(parts)}
    number = max((int(b[1:]) for b in before if re.fullmatch(r"b\d+", b)), default=0)
    for parts in _packed(work, (name for name in sources if name not in placed)):
        number += 1
        now[f"b{number:02}"] = parts
    if now != before:
        write_whole(path, text(Batches(now)).encode())
    return Batches(now)


def _packed(work: Work, names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """As many documents as fit a question, families next to each other."""
    batch: list[str] = []
    room = work.ways.chars
    for parts, size in _portions(work, names):
        if batch and size > room:
            yield tuple(batch)
            batch, room = [], work.ways.chars
        batch += parts
        room -= size
    if batch:
        yield tuple(batch)


def _portions(work: Work, names: Iterable[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """What is never parted, and its size: a family that fits a question, since its editions
    disagree only with each other; else a document; else a part of a long one."""
    sources = work.shelf.sources
    shown = [name for name in names if sources[name].spans]

    def family(name: str) -> str:
        return sources[name].family or name

    for _, group in groupby(sorted(shown, key=lambda name: (family(name), name)), key=family):
        portions = [one for name in group for one in _alone(work, name)]
        size = sum(size for _, size in portions)
        if size <= work.ways.chars:
            yield tuple(part for part, _ in portions), size
        else:
            yield from (((part,), size) for part, size in portions)


def _alone(work: Work, name: str) -> list[tuple[str, int]]:
    """A document, or its parts if it does not fit a question, each with its size."""
    parts = len(_cut(work, name))
    names = [name] if parts == 1 else [f"{name}/{part}" for part in range(1, parts + 1)]
    return [(part, len(_shown(work, part))) for part in names]
