"""Everything about a building place that needs no model: links, quotes, graphs, lists, leaks.

Each check gives all that is wrong in its stage: file to what is wrong there and what to do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bythebook import yamlfile
from bythebook.build.sop import candidates, conflicts, drafts, knowledge, names, plans, review
from bythebook.build.sop.exclude import load_cleared
from bythebook.build.sop.flow import flow_problems
from bythebook.build.sop.forms import Candidates, Plan, Review, Source, TakenOut, claims_of
from bythebook.build.sop.handed_over import leak_problems, out_problems, told
from bythebook.build.sop.work import STAGES, Work, broken_links
from bythebook.errors import BythebookError

Found = dict[str, str]


def check_stage(work: Work, name: str) -> Found:
    """File to what is wrong with it; empty for a stage in order, or one that is not there yet. One
    of which everything was taken out is no longer there: what it had found would be passed over."""
    states = work.stage(name).states()
    if not states:
        return {}
    if all(state == "taken out" for state in states.values()):
        says = f"all that stood here was taken out; --remake {name} makes it again"
        return {str(work.stage(name).folder): says}
    found: dict[str, list[str]] = {}
    try:
        for where, says in CHECKS[name](work):
            found.setdefault(str(where), []).append(says)
    except BythebookError as error:
        place = error.where or str(work.stage(name).folder)
        found.setdefault(place, []).append(told(error))
    return {where: "\n".join(says) for where, says in found.items()}


def check_all(work: Work) -> dict[str, Found]:
    """Stage to what is wrong in it; also where something has changed since it was made."""
    return {name: {**_outdated(work, name), **check_stage(work, name)} for name in STAGES}


def _outdated(work: Work, name: str) -> Found:
    """The first stage is made from documents elsewhere; those are not looked for."""
    stage = work.stage(name)
    if name == STAGES[0]:
        return {}
    return {
        str(
            stage.folder / file
        ): f"{changed} has changed, or is gone, since this was made from it: give the command again"
        for changed, file in stage.outdated().items()
    }


def empty_stages(work: Work) -> tuple[str, ...]:
    """Folders of stages in which nothing stands yet."""
    return tuple(work.stage(name).folder.name for name in STAGES if not work.stage(name).files(""))


Problems = Iterator[tuple[Path, str]]


def _each(path: Path, says: Iterable[str]) -> Problems:
    yield from ((path, one) for one in says)


def _sources(work: Work) -> Problems:
    for path in work.stage("sources").files():
        ids = [span.id for span in yamlfile.load(path, Source).spans]
        for name in sorted(name for name, many in Counter(ids).items() if many > 1):
            yield path, f"two spans have the id {name!r}: give each its own"
    _ = work.shelf


def _candidates(work: Work) -> Problems:
    for path in work.stage("candidates").files():
        yield from _each(path, candidates.problems(work.shelf, yamlfile.load(path, Candidates)))


def _plans(work: Work) -> Problems:
    folder = work.stage("plans").folder
    for name, plan in plans.load_plans(work.stage("plans").files()).items():
        yield from _each(folder / f"{name}.yaml", _plan_problems(work, plan))


def _plan_problems(work: Work, plan: Plan) -> Iterator[str]:
    for candidate in plan.candidates:
        for number, claim in enumerate(candidate.claims, start=1):
            where = f"candidate {candidate.id!r}, claim {number}"
            yield from broken_links(work.shelf, where, claim.links)


def _drafts(work: Work) -> Problems:
    folder = work.stage("sops").folder
    known = plans.load_plans(work.stage("plans").files())
    for name, sop in drafts.load_drafts(work.stage("sops").files()).items():
        path = folder / f"{name}.yaml"
        if name not in known:
            yield path, f"there is no plan {name!r}: write one, so that its claims have evidence"
            continue
        yield from _each(path, drafts.problems(work.shelf, known[name], sop))


def _review(work: Work) -> Problems:
    folder = work.stage("review").folder
    known = plans.load_plans(work.stage("plans").files())
    sops = drafts.load_drafts(work.stage("sops").files())
    for name, found in review.load_reviews(work.stage("review").files()).items():
        path = folder / f"{name}.yaml"
        if name not in sops or name not in known:
            yield path, f"there is no procedure {name!r} with a plan: take the review away"
            continue
        yield from _each(path, review.problems(work.shelf, sops[name], known[name], found))


def _conflicts(work: Work) -> Problems:
    path = work.stage("conflicts").folder / conflicts.FILE
    yield from _each(path, conflicts.problems(work, conflicts.load_conflicts(path)))


def _cleared(work: Work) -> Problems:
    listed = conflicts.load_conflicts(work.stage("conflicts").folder / conflicts.FILE)
    lost = {link: one for one in listed for link in one.excluded}
    reviews = review.load_reviews(work.stage("review").files())
    for name, one in load_cleared(work.stage("cleared").files()).items():
        path = work.stage("cleared").folder / f"{name}.yaml"
        yield from _each(path, flow_problems(one.sop))
        for step in one.sop.steps:
            if not step.source:
                yield (
                    path,
                    f"step {step.id!r}: nothing carries it; give its `source` or take it out",
                )
            for link in step.source:
                if link in lost:
                    yield (
                        path,
                        f"step {step.id!r}: {link} lost conflict {lost[link].id}: take it out",
                    )
                elif says := work.shelf.lost(link):
                    yield path, f"step {step.id!r}: {says}"
        yield from _each(path, _failed(one.sop.id, claims_of(one.sop), reviews, one.taken_out))


def _failed(
    name: str, claims: dict[str, str], reviews: Mapping[str, Review], out: Iterable[TakenOut]
) -> Iterator[str]:
    """Claims that a review did not support and that stand there as they stood."""
    said = {one.claim: one.said for one in out}
    for verdict in reviews[name].verdicts if name in reviews else ():
        failed = verdict.verdict != "supported" and verdict.claim in claims
        if failed and claims[verdict.claim] == said.get(verdict.claim, claims[verdict.claim]):
            yield f"claim {verdict.claim!r} is {verdict.verdict}: {verdict.says}; take it out"


def _knowledge(work: Work) -> Problems:
    folder = work.stage("knowledge").folder
    for name, one in knowledge.load_known(work.stage("knowledge").files()).items():
        path = folder / f"{name}.yaml"
        yield from _each(path, flow_problems(one.sop))
        yield from _each(path, knowledge.known_problems(work.shelf, one))


def _rewrite(work: Work) -> Problems:
    yield from leak_problems(work, "rewrite")


def _names(work: Work) -> Problems:
    _ = names.load_names(work.stage("names").files())
    yield from ()


CHECKS: dict[str, Callable[[Work], Problems]] = {
    "sources": _sources,
    "candidates": _candidates,
    "plans": _plans,
    "sops": _drafts,
    "review": _review,
    "conflicts": _conflicts,
    "cleared": _cleared,
    "knowledge": _knowledge,
    "names": _names,
    "rewrite": _rewrite,
    "out": out_problems,
}
