"""Stage 6: places that say different things, and which of them is followed.

From metadata: what procedures and their plans cite, against the other editions of the same
documents. From the mind: pairs it came upon in candidates and reviews. Standing on the day decides;
what it leaves open is asked, and what stays open is excluded.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, cast

import msgspec

from bythebook import yamlfile
from bythebook.build.mind import taking
from bythebook.build.sop.candidates import load_candidates
from bythebook.build.sop.drafts import load_drafts, working_plans
from bythebook.build.sop.editions import elsewhere, other_editions, related, standing
from bythebook.build.sop.forms import Conflict, Conflicts, Decisions, Holds, Link, Pair, text
from bythebook.build.sop.review import load_reviews
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.work import Stand, Work, broken_links, document_text, prompt
from bythebook.build.stages import digest
from bythebook.errors import suggestion

FILE = "conflicts.yaml"
JOB = "conflicts"
OPEN = "nothing decides between them"
Found = Literal["metadata", "candidates", "review"]


def list_conflicts(work: Work) -> Stand:
    """Writes `conflicts.yaml`; asks about what metadata leave open."""
    found = tuple(due_conflicts(work))
    still_open = [conflict for conflict in found if conflict.why == OPEN]
    jobs = {JOB: {"found": digest(text(Conflicts(found)))}}

    if not still_open:
        stage = work.stage("conflicts")
        for job in stage.due(jobs):
            stage.put(job, {FILE: text(Conflicts(found))}, jobs[job])
        return _told(work, work.stand("conflicts"))
    pairs = "\n\n".join(_pair_text(work.shelf, conflict) for conflict in still_open)

    def write(job: str, decided: Decisions) -> dict[str, str]:
        by = {one.id: one for one in decided.decisions}
        whole = tuple(
            msgspec.structs.replace(c, holds=by[c.id].holds, why=by[c.id].why) if c.id in by else c
            for c in found
        )
        return {FILE: text(Conflicts(whole))}

    take = taking(Decisions, lambda _, decided: _decision_problems(decided, still_open))
    stand = work.ask("conflicts", jobs, lambda _: prompt("conflicts", pairs=pairs), take, write)
    return _told(work, stand)


def _told(work: Work, stand: Stand) -> Stand:
    found = load_conflicts(work.stage("conflicts").folder / FILE)
    counts = {"conflicts": len(found), "excluded": sum(bool(c.excluded) for c in found)}
    return msgspec.structs.replace(stand, counts=counts, notes=tuple(_not_compared(work, found)))


def _not_compared(work: Work, found: Iterable[Conflict]) -> Iterator[str]:
    """Editions of documents that are gone by, of which no pair is listed: words that were written
    anew are found by a reader only."""
    listed = {frozenset(link.partition("#")[0] for link in conflict.pair) for conflict in found}
    for name in sorted({link.partition("#")[0] for link in cited(work)}):
        for other in related(work.shelf, name):
            if frozenset((name, other)) not in listed:
                yield (
                    f"{other} is another edition of {name}, and no pair of the two is listed: "
                    "see whether they say the same"
                )


def due_conflicts(work: Work) -> Iterator[Conflict]:
    """Every conflict that has to be listed, each pair once, in the order of where it was found."""
    seen: set[frozenset[str]] = set()
    for found, pair, decided in _pairs(work):
        key = frozenset((pair.one.source, pair.other.source))
        if key in seen:
            continue
        seen.add(key)
        side, _, why = decided.partition(" ")
        yield Conflict(
            id=f"c-{digest(' '.join(sorted(key)))[:6]}",
            one=pair.one,
            other=pair.other,
            found=found,
            holds=cast("Holds", side) if side else "neither",
            why=why or OPEN,
            says=pair.says,
        )


def _pairs(work: Work) -> Iterator[tuple[Found, Pair, str]]:
    shelf = work.shelf
    for batch in load_candidates(work.stage("candidates").files()).values():
        for pair in batch.conflicts:
            yield "candidates", pair, _decided(shelf, pair)
    for review in load_reviews(work.stage("review").files()).values():
        for pair in review.conflicts:
            yield "review", pair, _decided(shelf, pair)
    for link in sorted(cited(work)):
        for other, decided in other_editions(shelf, link):
            one = Link(link, shelf.span(link).text)
            yield "metadata", Pair(one, Link(other, shelf.span(other).text), ""), decided


def cited(work: Work) -> set[str]:
    """The spans that plans and procedures go by."""
    plans = working_plans(work)
    sops = load_drafts(work.stage("sops").files())
    links = {link.source for plan in plans.values() for link in plan.links}
    links |= {link for sop in sops.values() for step in sop.steps for link in step.source}
    return {link for link in links if link in work.shelf}


def _decided(shelf: Shelf, pair: Pair) -> str:
    if pair.one.source not in shelf or pair.other.source not in shelf:
        return ""
    one, other = shelf.source(pair.one.source), shelf.source(pair.other.source)
    if one.id == other.id:
        return ""
    decided = standing(shelf, one, other)
    # Other scopes do not make two places agree that somebody saw to speak of one case; but no case
    # is of two jurisdictions.
    return "" if decided.startswith("both") and not elsewhere(one, other) else decided


def _decision_problems(decided: Decisions, pairs: Iterable[Conflict]) -> Iterator[str]:
    known = {conflict.id for conflict in pairs}
    given = [one.id for one in decided.decisions]
    for name in sorted(known - set(given)):
        yield f"pair {name!r}: no decision; write one, `neither` if nothing decides"
    for one in decided.decisions:
        if one.id not in known:
            yield f"pair {one.id!r}: no such pair; {suggestion(one.id, known)}"
        if not one.why.strip():
            yield f"pair {one.id!r}: say why"


def _pair_text(shelf: Shelf, conflict: Conflict) -> str:
    lines = [f"## {conflict.id}", conflict.says]
    for side, link in (("one", conflict.one), ("other", conflict.other)):
        name, _, span = link.source.partition("#")
        lines += [f'**{side}**: {link.source} "{link.quote}"', document_text(shelf, name, (span,))]
    return "\n".join(lines)


def problems(work: Work, found: Iterable[Conflict]) -> Iterator[str]:
    """What is wrong with the list as it stands: links, reasons, and pairs that are missing."""
    listed = tuple(found)
    for conflict in listed:
        where = f"conflict {conflict.id!r}"
        yield from broken_links(work.shelf, where, (conflict.one, conflict.other))
        if not conflict.why.strip() or (conflict.holds != "neither" and conflict.why == OPEN):
            yield f"{where}: say in `why` by what it was decided"
    pairs = {conflict.pair for conflict in listed}
    for conflict in due_conflicts(work):
        if conflict.pair not in pairs:
            yield (
                f"conflict {conflict.id!r} is missing: {conflict.one.source} and "
                f"{conflict.other.source} do not say the same; list it with both quotes"
            )


def load_conflicts(path: Path) -> tuple[Conflict, ...]:
    """Raises `ContentError`."""
    return yamlfile.load(path, Conflicts).conflicts if path.exists() else ()
