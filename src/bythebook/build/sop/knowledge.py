"""Stage 8: reviewed rules are attached to a procedure and its steps, with when they apply."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.build.mind import taking
from bythebook.build.sop.drafts import sop_text
from bythebook.build.sop.exclude import load_cleared
from bythebook.build.sop.forms import Attachments, Claim, Cleared, Knowledge, Known, Source, text
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.work import Stand, Work, broken_links, prompt
from bythebook.build.stages import digest, sha
from bythebook.errors import suggestion


def attach_knowledge(work: Work) -> Stand:
    cleared_stage, stage = work.stage("cleared"), work.stage("knowledge")
    cleared = load_cleared(cleared_stage.files())
    jobs = {
        name: {cleared_stage.input(path): sha(path), "standing": _standing(work, cleared[name])}
        for name in cleared
        for path in [cleared_stage.folder / f"{name}.yaml"]
    }
    bare = [name for name, one in cleared.items() if not one.rules]
    for name in stage.due(jobs):
        if name in bare:
            stage.put(name, {f"{name}.yaml": text(Known(cleared[name].sop))}, jobs[name])

    def question(name: str) -> str:
        rules = "\n".join(
            _shown(work.shelf, rule_id, rule) for rule_id, rule in cleared[name].rules.items()
        )
        return prompt("knowledge", sop=sop_text(cleared[name].sop), rules=rules)

    def write(name: str, found: Attachments) -> dict[str, str]:
        return {f"{name}.yaml": text(_known(work.shelf, cleared[name], found))}

    take = taking(Attachments, lambda asked, found: problems(cleared[asked.id], found))
    stand = work.ask("knowledge", jobs, question, take, write)
    known = load_known(stage.files())
    counts = {
        "attached": sum(len(one.knowledge) for one in known.values()),
        "left out": sum(len(one.left_out) for one in known.values()),
    }
    return msgspec.structs.replace(stand, counts=counts)


def _standing(work: Work, cleared: Cleared) -> str:
    """Days and scope of the documents behind the rules: what applicability is taken from."""
    names = {
        link.source.partition("#")[0] for rule in cleared.rules.values() for link in rule.links
    }
    known = (work.shelf.sources[name] for name in sorted(names) if name in work.shelf.sources)
    return digest("\n".join(f"{source.id} {source.scope} {source.effective}" for source in known))


def _shown(shelf: Shelf, name: str, rule: Claim) -> str:
    links = "; ".join(f'{link.source} "{link.quote}"' for link in rule.links)
    told = shelf.told(shelf.source(rule.source)) if rule.source in shelf else ""
    return f"- {name}: {rule.says} ({links})\n  document: {told}"


def problems(cleared: Cleared, found: Attachments) -> Iterator[str]:
    """Everything that is wrong with an answer."""
    steps = [step.id for step in cleared.sop.steps]
    given = [*(one.rule for one in found.attach), *(one.what for one in found.left_out)]
    for name in cleared.rules:
        if given.count(name) != 1:
            what = "stands nowhere" if name not in given else "stands there twice"
            yield f"{name}: {what}; put it into `attach` or `left_out`, once"
    for name in given:
        if name not in cleared.rules:
            yield f"{name}: no such rule; {suggestion(name, cleared.rules)}"
    for one in found.attach:
        for step in one.steps:
            if step not in steps:
                yield f"{one.rule}: no step {step!r}; {suggestion(step, steps)}"


def _known(shelf: Shelf, cleared: Cleared, found: Attachments) -> Known:
    knowledge = tuple(
        _attached(shelf, one.rule, cleared.rules[one.rule], one.steps, one.when)
        for one in found.attach
    )
    return Known(cleared.sop, knowledge, found.left_out)


def _attached(shelf: Shelf, name: str, rule: Claim, steps: tuple[str, ...], when: str) -> Knowledge:
    """Days and scope are those for which all its documents hold."""
    sources = [shelf.source(link.source) for link in rule.links if link.source in shelf]
    return Knowledge(
        id=name,
        says=rule.says,
        evidence=rule.links,
        steps=steps,
        when=when,
        scope=scope_of(sources),
        days=days_of(sources),
    )


def scope_of(sources: Iterable[Source]) -> dict[str, str]:
    found: dict[str, str] = {}
    for source in sources:
        found |= source.scope
    return found


def days_of(sources: Iterable[Source]) -> tuple[str | None, str | None]:
    """The days on which all of them hold, half-open."""
    every = list(sources)
    since = [source.effective[0] for source in every if source.effective[0]]
    to = [source.effective[1] for source in every if source.effective[1]]
    return max(since, default=None), min(to, default=None)


def known_problems(shelf: Shelf, known: Known) -> Iterator[str]:
    """What is wrong with attached knowledge as it stands: links, days, scope, steps."""
    steps = [step.id for step in known.sop.steps]
    for one in known.knowledge:
        where = f"knowledge {one.id!r}"
        if not one.evidence:
            yield f"{where}: has no evidence; give it a link and quote, or take it out"
        yield from broken_links(shelf, where, one.evidence)
        for step in one.steps:
            if step not in steps:
                yield f"{where}: no step {step!r}; {suggestion(step, steps)}"
        yield from _wider(shelf, where, one)


def _wider(shelf: Shelf, where: str, one: Knowledge) -> Iterator[str]:
    """Knowledge may hold for fewer days and cases than its documents, never for more."""
    sources = [shelf.source(link.source) for link in one.evidence if link.source in shelf]
    since, to = days_of(sources)
    if (since and (one.days[0] or "") < since) or (to and (one.days[1] or "9999-99-99") > to):
        yield f"{where}: applies on days on which its documents do not; they hold {since} to {to}"
    for name, value in scope_of(sources).items():
        if one.scope.get(name) != value:
            yield f"{where}: its documents hold only for {name} {value}; write that into its scope"


def load_known(paths: Iterable[Path]) -> dict[str, Known]:
    """Procedure to it and its knowledge, edits included. Raises `ContentError`."""
    return {path.stem: yamlfile.load(path, Known) for path in paths}
