"""Stage 4: a procedure for each plan: steps, decisions, ways on and back, with their sources."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.build.mind import taking
from bythebook.build.sop.flow import flow_problems
from bythebook.build.sop.forms import NAME, Plan, plain, text
from bythebook.build.sop.plans import load_plans, of_plan
from bythebook.build.sop.shelf import ALIKE, Shelf, level
from bythebook.build.sop.work import Stand, Work, prompt, spans_text
from bythebook.conduct.sops import Sop, Step
from bythebook.errors import ContentError, UsageError

NUMERAL = re.compile(r"\d+(?:[.,:]\d+)*")


def write_drafts(work: Work) -> Stand:
    stage, plans = work.stage("sops"), working_plans(work)
    jobs = {name: of_plan(work, plan) for name, plan in plans.items()}

    def question(name: str) -> str:
        plan = plans[name]
        return prompt(
            "sop",
            plan=plan_text(plan, plans),
            claims=claims_text(plan),
            spans=spans_text(work.shelf, (link.source for link in plan.links)),
        )

    take = taking(Sop, lambda asked, sop: problems(work.shelf, plans[asked.id], sop))
    stand = work.ask("sops", jobs, question, take, lambda name, sop: {f"{name}.yaml": text(sop)})
    sops = load_drafts(stage.files())
    counts = {"sops": len(sops), "steps": sum(len(sop.steps) for sop in sops.values())}
    return msgspec.structs.replace(stand, counts=counts, notes=tuple(undated(work.shelf, sops)))


def undated(shelf: Shelf, sops: Mapping[str, Sop]) -> Iterator[str]:
    """Procedures of which no source says from when it holds, so that their day is a guess."""
    found = [
        f"{name} ({sop.effective[0]})"
        for name, sop in sops.items()
        if not any(
            shelf.source(link).effective[0]
            for step in sop.steps
            for link in step.source
            if link in shelf
        )
    ]
    if found:
        yield (
            f"{len(found)} procedure(s) begin on a day that no source gives: {', '.join(found)}; "
            "if you know it, write it into `effective` of their sources, then into theirs"
        )


def working_plans(work: Work) -> dict[str, Plan]:
    """The plans that become procedures. Raises `UsageError` for a pattern that fits none."""
    plans = load_plans(work.stage("plans").files())
    own = {name: plan for name, plan in plans.items() if plan.candidates}
    patterns = work.ways.plans
    picked = {n: p for n, p in own.items() if not patterns or any(fnmatch(n, x) for x in patterns)}
    if own and not picked:
        raise UsageError(f"no plan fits {', '.join(patterns)}", hint=f"known: {', '.join(own)}")
    return picked


def plan_text(plan: Plan, plans: dict[str, Plan]) -> str:
    lines = [f"id: {plan.id}", f"title: {plan.title}", f"goal: {plan.goal}"]
    if plan.parent in plans:
        lines.append(f"part of: {plans[plan.parent].title}: {plans[plan.parent].goal}")
    beside = [p.id for p in plans.values() if p.parent == plan.parent and p.id != plan.id]
    if plan.parent and beside:
        lines.append(f"beside it, as procedures of their own: {', '.join(beside)}")
    return "\n".join(lines)


def claims_text(plan: Plan) -> str:
    lines: list[str] = []
    for candidate in plan.candidates:
        lines.append(f"### {candidate.title}: {candidate.goal}")
        for claim in candidate.claims:
            links = "; ".join(f'{link.source} "{link.quote}"' for link in claim.links)
            lines.append(f"- {claim.kind}: {claim.says} ({links})")
    return "\n".join(lines)


def problems(shelf: Shelf, plan: Plan, sop: Sop) -> Iterator[str]:
    """Everything that is wrong with a procedure that needs no judgement to be seen."""
    if sop.id != plan.id:
        yield f"its id is {sop.id!r}: the plan is {plan.id!r}"
    yield from flow_problems(sop)
    carried = {link.source for link in plan.links}
    for step in sop.steps:
        where = f"step {step.id!r}"
        if not NAME.fullmatch(step.id):
            yield f"{where}: an id is lower-case words and digits with dashes"
        if not step.source:
            yield f"{where}: no span says so: give its `source`, or take the step out"
        for link in step.source:
            yield from _link_problems(shelf, where, link, carried)
        if step.source and all(link in shelf for link in step.source):
            yield from _numbers(shelf, where, step)
    yield from _wider(shelf, sop)


def _wider(shelf: Shelf, sop: Sop) -> Iterator[str]:
    """Where and when a procedure claims to hold though a source of it does not."""
    links = dict.fromkeys(link for step in sop.steps for link in step.source if link in shelf)
    since, until = sop.effective
    for source in {shelf.source(link).id: shelf.source(link) for link in links}.values():
        place, (begins, ends) = source.scope.get("jurisdiction"), source.effective
        if place and place != sop.scope.jurisdiction:
            yield (
                f"scope: {source.id} holds for jurisdiction {place}, the procedure for "
                f"{sop.scope.jurisdiction}: link a document that holds there, or write {place}"
            )
        if begins and since < begins:
            yield f"effective: {source.id} holds from {begins} only; begin then, or later"
        if ends and (until is None or ends < until):
            yield f"effective: {source.id} ends on {ends}; end then, or earlier"


def _link_problems(shelf: Shelf, where: str, link: str, carried: set[str]) -> Iterator[str]:
    lost = shelf.lost(link)
    if lost:
        yield f"{where}: {lost}"
        return
    why = shelf.not_in_force(shelf.source(link))
    if why:
        yield f"{where}: {link.partition('#')[0]} {why}: link the document that is in force"
    elif link not in carried:
        yield (
            f"{where}: {link} is no evidence of this plan: link a span of its claims, or add the "
            "claim to a candidate of the plan"
        )


def _numbers(shelf: Shelf, where: str, step: Step) -> Iterator[str]:
    """A number that none of the step's spans has, nobody said."""
    said = " ".join(level(shelf.span(link).text) for link in step.source)
    known = set(NUMERAL.findall(said))
    for number in dict.fromkeys(NUMERAL.findall(f"{step.do} {step.decide}")):
        if number not in known:
            yield (
                f"{where}: the number {number} stands in none of its sources: link the span that "
                "has it, or take it out"
            )


def load_drafts(paths: Iterable[Path]) -> dict[str, Sop]:
    """Procedures as they stand, edits included. Raises `ContentError`."""
    found: dict[str, Sop] = {}
    for path in paths:
        sop = yamlfile.load(path, Sop)
        if sop.id != path.stem:
            says = f"its id is {sop.id!r}, its file is {path.name}"
            raise ContentError(says, where=path, hint=ALIKE)
        found[sop.id] = sop
    return found


def sop_text(sop: Sop) -> str:
    """A procedure as it is shown in a question."""
    return text(plain(sop)).rstrip()
