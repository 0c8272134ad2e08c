"""The stages in their order; each is gone through as far as it goes, then its gate is checked."""

from collections.abc import Callable, Iterator

import msgspec

from bythebook.build.sop.candidates import find_candidates
from bythebook.build.sop.checks import check_stage
from bythebook.build.sop.conflicts import list_conflicts
from bythebook.build.sop.drafts import write_drafts
from bythebook.build.sop.exclude import exclude
from bythebook.build.sop.forms import text
from bythebook.build.sop.knowledge import attach_knowledge
from bythebook.build.sop.names import find_names
from bythebook.build.sop.out import write_out
from bythebook.build.sop.plans import make_plans
from bythebook.build.sop.review import review_drafts
from bythebook.build.sop.rewrite import rewrite
from bythebook.build.sop.shelf import ANY_DAY
from bythebook.build.sop.sources import Reader, files_of, unread_kinds
from bythebook.build.sop.work import STAGES, Stand, Work

NAMED = 3
"""Most files or kinds named in a note."""


def read_sources(work: Work) -> Stand:
    stage = work.stage("sources")
    reader = Reader(work.sources, files_of(work.sources, work.ways.only, work.ways.without))
    jobs = reader.jobs()
    read = {source.id: source for source in reader.read(stage.due(jobs))}
    stage.put_all({name: ({f"{name}.yaml": text(one)}, jobs[name]) for name, one in read.items()})
    work.look_again()
    notes = [f"{source.file}: {note}" for source in read.values() for note in source.notes]
    notes += [_day_told(work.shelf.day), *_empty_told(work), *_unread_told(work)]
    spans = sum(len(source.spans) for source in work.shelf.sources.values())
    stand = work.stand("sources", wrong=reader.unread, notes=notes, spans=spans)
    standing = sum(bool(work.shelf.not_in_force(s)) for s in work.shelf.sources.values())
    counts = {"documents": len(work.shelf.sources), **stand.counts, "not in force": standing}
    return msgspec.structs.replace(stand, counts=counts)


def _day_told(day: str) -> str:
    if day == ANY_DAY:
        return (
            "no document in force says from when it holds: all count that are not marked as drafts "
            "or ended; `effective` in its file of 01-sources says it"
        )
    return f"documents count as they stand on {day} (--day)"


def _empty_told(work: Work) -> Iterator[str]:
    empty = sorted(one.file for one in work.shelf.sources.values() if not one.spans)
    if empty:
        more = f" and {len(empty) - NAMED} more" if len(empty) > NAMED else ""
        yield f"{len(empty)} document(s) hold no text: {', '.join(empty[:NAMED])}{more}"


def _unread_told(work: Work) -> Iterator[str]:
    kinds = unread_kinds(work.sources)
    if kinds and not work.ways.only:
        told = ", ".join(f"{count} {kind}" for kind, count in list(kinds.items())[:NAMED])
        more = f" and {len(kinds) - NAMED} more kinds" if len(kinds) > NAMED else ""
        yield f"{sum(kinds.values())} file(s) are no documents by their ending: {told}{more}"


STEPS: dict[str, Callable[[Work], Stand]] = {
    "sources": read_sources,
    "candidates": find_candidates,
    "plans": make_plans,
    "sops": write_drafts,
    "review": review_drafts,
    "conflicts": list_conflicts,
    "cleared": exclude,
    "knowledge": attach_knowledge,
    "names": find_names,
    "rewrite": rewrite,
    "out": write_out,
}


class Built(msgspec.Struct, frozen=True):
    """How far the procedures of a place are."""

    stages: tuple[Stand, ...]

    @property
    def done(self) -> bool:
        """Every stage that was asked for stands."""
        return all(stand.done for stand in self.stages)


def build(work: Work, until: str = STAGES[-1]) -> Built:
    """Stage by stage, until one waits or is wrong, or `until`. Raises `WouldLose`.

    A stage whose files do not hold, whoever wrote them, is a closed gate.
    """
    stands: list[Stand] = []
    for name in STAGES[: STAGES.index(until) + 1]:
        stand = STEPS[name](work)
        asked = name == "conflicts" and stand.waits  # what is asked about is not listed yet
        wrong = stand.wrong if asked else {**stand.wrong, **check_stage(work, name)}
        stands.append(msgspec.structs.replace(stand, wrong=wrong))
        if not stands[-1].done:
            break
    return Built(tuple(stands))
