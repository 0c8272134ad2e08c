"""Stage 10: procedures and knowledge with every original of the mapping replaced."""

import msgspec

from bythebook.build.sop.forms import Conflict, Conflicts, Knowledge, Known, Link, text
from bythebook.build.sop.knowledge import load_known
from bythebook.build.sop.names import Rewriter, load_mapping
from bythebook.build.sop.work import Stand, Work
from bythebook.build.stages import digest, sha
from bythebook.conduct.sops import Sop, Step


def rewrite(work: Work) -> Stand:
    before, stage = work.stage("knowledge"), work.stage("rewrite")
    mapping = load_mapping(work.mapping)
    rewriter = Rewriter(mapping)
    known = load_known(before.files())
    jobs = {
        name: {before.input(path): sha(path), "mapping": digest(text(mapping))}
        for name in known
        for path in [before.folder / f"{name}.yaml"]
    }
    for name in stage.due(jobs):
        found = text(rewritten(rewriter, known[name]))
        stage.put(name, {f"{name}.yaml": found}, jobs[name])
    return work.stand("rewrite", sops=len(known), originals=len(mapping))


def rewritten(rewriter: Rewriter, known: Known) -> Known:
    """A procedure and its knowledge, in other names; its own id stays, for it names its files."""
    sop = known.sop
    steps = tuple(_step(rewriter, step) for step in sop.steps)
    scope = msgspec.structs.replace(
        sop.scope,
        **{
            name: rewriter.words(value) for name, value in msgspec.structs.asdict(sop.scope).items()
        },
    )
    told = Sop(sop.id, rewriter.words(sop.title), scope, sop.effective, steps)
    return Known(told, tuple(_knowledge(rewriter, one) for one in known.knowledge))


def _step(rewriter: Rewriter, step: Step) -> Step:
    return msgspec.structs.replace(
        step,
        id=rewriter.link(step.id),
        do=rewriter.words(step.do),
        next=_ids(rewriter, step.next),
        decide=rewriter.words(step.decide),
        returns_to=_ids(rewriter, step.returns_to),
        source=tuple(map(rewriter.link, step.source)),
    )


def _ids(rewriter: Rewriter, ids: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return rewriter.link(ids) if isinstance(ids, str) else tuple(map(rewriter.link, ids))


def _knowledge(rewriter: Rewriter, one: Knowledge) -> Knowledge:
    return msgspec.structs.replace(
        one,
        says=rewriter.words(one.says),
        when=rewriter.words(one.when),
        evidence=tuple(_link(rewriter, link) for link in one.evidence),
        steps=tuple(map(rewriter.link, one.steps)),
        scope={name: rewriter.words(value) for name, value in one.scope.items()},
    )


def rewritten_conflicts(rewriter: Rewriter, found: tuple[Conflict, ...]) -> Conflicts:
    return Conflicts(
        tuple(
            msgspec.structs.replace(
                one,
                one=_link(rewriter, one.one),
                other=_link(rewriter, one.other),
                why=rewriter.link(rewriter.words(one.why)),
                says=rewriter.words(one.says),
            )
            for one in found
        )
    )


def _link(rewriter: Rewriter, link: Link) -> Link:
    return Link(rewriter.link(link.source), rewriter.words(link.quote))
