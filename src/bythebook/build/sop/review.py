"""Stage 5: every claim of a procedure against its sources, through its plan and candidates."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.build.mind import taking
from bythebook.build.sop.drafts import claims_text as drafts_claims
from bythebook.build.sop.drafts import load_drafts, sop_text, working_plans
from bythebook.build.sop.editions import other_editions
from bythebook.build.sop.forms import Plan, Review, Verdict, claims_of, text
from bythebook.build.sop.plans import of_plan
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.work import Stand, Work, broken_links, prompt, spans_text
from bythebook.build.stages import sha
from bythebook.conduct.sops import Sop
from bythebook.errors import suggestion


def review_drafts(work: Work) -> Stand:
    drafts = work.stage("sops")
    plans = working_plans(work)
    sops = {name: sop for name, sop in load_drafts(drafts.files()).items() if name in plans}
    jobs = {
        name: {drafts.input(path): sha(path), **of_plan(work, plans[name])}
        for name in sops
        for path in [drafts.folder / f"{name}.yaml"]
    }

    def question(name: str) -> str:
        sop, plan = sops[name], plans[name]
        links = (*(s for step in sop.steps for s in step.source), *(x.source for x in plan.links))
        return prompt(
            "review",
            sop=sop_text(sop),
            claims=claims_text(sop, plan),
            plan=drafts_claims(plan),
            spans=spans_text(work.shelf, (*links, *counterparts(work, links))),
        )

    take = taking(
        Review, lambda asked, found: problems(work.shelf, sops[asked.id], plans[asked.id], found)
    )
    stand = work.ask(
        "review", jobs, question, take, lambda name, found: {f"{name}.yaml": text(found)}
    )
    found = load_reviews(work.stage("review").files())
    counts = {"reviewed": len(found)}
    for verdict in ("supported", "unsupported", "contradicted"):
        counts[verdict] = sum(v.verdict == verdict for r in found.values() for v in r.verdicts)
    notes = tuple(f"{name}: {one}" for name, r in found.items() for one in r.findings)
    counts["findings"] = len(notes)
    return msgspec.structs.replace(stand, counts=counts, notes=notes)


def counterparts(work: Work, links: Iterable[str]) -> Iterator[str]:
    """Spans of other editions that may say something else: a reviewer should see them."""
    for link in dict.fromkeys(links):
        if link in work.shelf:
            yield from (other for other, _ in other_editions(work.shelf, link))


def claims_text(sop: Sop, plan: Plan) -> str:
    """All claims to be reviewed, by name, with the links that are to carry them."""
    sources = {step.id: step.source for step in sop.steps}
    lines = [
        f"- {name}: {says} ({', '.join(sources[name.rpartition('.')[0]])})"
        for name, says in claims_of(sop).items()
    ]
    for name, rule in plan.rules.items():
        links = "; ".join(f'{link.source} "{link.quote}"' for link in rule.links)
        lines.append(f"- {name}: {rule.says} ({links})")
    return "\n".join(lines)


def problems(shelf: Shelf, sop: Sop, plan: Plan, found: Review) -> Iterator[str]:
    """Everything that is wrong with a review."""
    known = {**claims_of(sop), **dict.fromkeys(plan.rules, "")}
    given = [verdict.claim for verdict in found.verdicts]
    for name in known:
        if given.count(name) != 1:
            what = "no verdict" if name not in given else "more than one verdict"
            yield f"claim {name!r}: {what}; give exactly one"
    for verdict in found.verdicts:
        if verdict.claim not in known:
            yield f"claim {verdict.claim!r}: no such claim; {suggestion(verdict.claim, known)}"
        yield from _verdict_problems(shelf, verdict)
    for number, pair in enumerate(found.conflicts, start=1):
        yield from broken_links(shelf, f"conflict {number}", (pair.one, pair.other))


def _verdict_problems(shelf: Shelf, verdict: Verdict) -> Iterator[str]:
    where = f"claim {verdict.claim!r}"
    if verdict.verdict != "unsupported" and not verdict.links:
        yield f"{where}: {verdict.verdict} by what? give the quote in `links`"
    if verdict.verdict != "supported" and not verdict.says:
        yield f"{where}: {verdict.verdict}: say in `says` what is missing or differs"
    if verdict.instead and not verdict.links:
        yield f"{where}: `instead` needs the quotes that carry it, in `links`"
    yield from broken_links(shelf, where, verdict.links)


def load_reviews(paths: Iterable[Path]) -> Mapping[str, Review]:
    """Procedure to its review, edits included. Raises `ContentError`."""
    return {path.stem: yamlfile.load(path, Review) for path in paths}
