"""Stage 11: procedures exactly as a company holds them, their drawings, knowledge and an index."""

from collections.abc import Iterable

import msgspec

from bythebook.build.sop.conflicts import FILE, load_conflicts
from bythebook.build.sop.flow import flow_problems
from bythebook.build.sop.forms import Form, Known, text
from bythebook.build.sop.knowledge import load_known
from bythebook.build.sop.names import Rewriter, load_mapping
from bythebook.build.sop.rewrite import rewritten_conflicts
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.svg import svg
from bythebook.build.sop.work import Stand, Work
from bythebook.build.stages import digest, sha
from bythebook.conduct.sops import Sop

INDEX = "index.yaml"


class Entry(Form, frozen=True):
    """One procedure in the index."""

    title: str
    steps: int
    sources: tuple[str, ...]
    """Documents that its steps were drawn from."""
    links: int
    knowledge: int


def write_out(work: Work) -> Stand:
    before, stage = work.stage("rewrite"), work.stage("out")
    known = load_known(before.files())
    conflicts = work.stage("conflicts").folder / FILE
    mapping = load_mapping(work.mapping)
    jobs = {
        name: {before.input(path): sha(path)}
        for name in known
        for path in [before.folder / f"{name}.yaml"]
    }
    jobs["index"] = {"sops": digest(text(known)), "conflicts": sha(conflicts),
                     "mapping": digest(text(mapping))}  # fmt: skip
    wrong: dict[str, str] = {}
    for name in stage.due(jobs):
        if name == "index":
            continue
        says = list(flow_problems(known[name].sop))
        if says:
            wrong[str(before.folder / f"{name}.yaml")] = "\n".join(says)
            continue
        stage.put(name, dict(_files(work.shelf, known[name])), jobs[name])
    if not wrong and "index" in stage.due(jobs):
        entries = {name: _entry(one) for name, one in known.items()}
        told = rewritten_conflicts(Rewriter(mapping), load_conflicts(conflicts))
        files = {INDEX: text({"sops": entries}), "conflicts.yaml": text(told)}
        stage.put("index", files, jobs["index"])
    return work.stand("out", wrong=wrong, sops=len(known))


def _files(shelf: Shelf, known: Known) -> Iterable[tuple[str, str]]:
    sop = with_references(shelf, known)
    yield f"sops/{sop.id}.yaml", text(sop)
    yield f"graphs/{sop.id}.svg", svg(sop)
    if known.knowledge:
        yield f"knowledge/{sop.id}.yaml", text({"knowledge": known.knowledge})


def with_references(shelf: Shelf, known: Known) -> Sop:
    """Knowledge from a company's own library stands at its steps as `family#clause`."""
    steps = []
    for step in known.sop.steps:
        found = [
            reference
            for one in known.knowledge
            if step.id in one.steps
            for link in one.evidence
            if (reference := reference_of(shelf, link.source))
        ]
        every = tuple(dict.fromkeys((*step.knowledge, *found)))
        steps.append(msgspec.structs.replace(step, knowledge=every))
    return msgspec.structs.replace(known.sop, steps=tuple(steps))


def reference_of(shelf: Shelf, link: str) -> str:
    if link not in shelf or not shelf.source(link).company:
        return ""
    number = shelf.span(link).number
    family = shelf.source(link).family
    return f"{family}#{number}" if number else family


def _entry(known: Known) -> Entry:
    links = [link for step in known.sop.steps for link in step.source]
    names = tuple(sorted({link.partition("#")[0] for link in links}))
    sop = known.sop
    return Entry(sop.title, len(sop.steps), names, len(links), len(known.knowledge))
