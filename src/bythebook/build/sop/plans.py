"""Stage 3: related candidates become plans, plans stand under plans; evidence goes along."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.build.mind import taking
from bythebook.build.sop.candidates import load_candidates
from bythebook.build.sop.forms import NAME, Candidate, LeftOut, Plan, PlanLine, Plans, text
from bythebook.build.sop.shelf import ALIKE
from bythebook.build.sop.work import Stand, Work, prompt
from bythebook.build.stages import digest
from bythebook.errors import ContentError, suggestion

LEFT_OUT = "left-out"
RESERVED = (LEFT_OUT, "conflicts", "index")
JOB = "plans"


class Left(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    left_out: tuple[LeftOut, ...] = ()


def make_plans(work: Work) -> Stand:
    stage = work.stage("plans")
    candidates = all_candidates(work)
    shown = "\n".join(_line(name, candidate) for name, candidate in candidates.items())
    jobs = {JOB: work.stage("candidates").hashes()}

    def write(job: str, found: Plans) -> Mapping[str, str]:
        files = {f"{line.id}.yaml": text(_plan(line, candidates)) for line in found.plans}
        return files | {f"{LEFT_OUT}.yaml": text(Left(found.left_out))}

    if not candidates:
        stage.due({})
        return work.stand("plans", notes=("no candidates were found: nothing to plan",))
    take = taking(Plans, lambda _, found: problems(found, candidates))
    stand = work.ask("plans", jobs, lambda _: prompt("plans", candidates=shown), take, write)
    plans = load_plans(stage.files())
    counts = {
        "plans": len(plans),
        "with candidates": sum(bool(p.candidates) for p in plans.values()),
    }
    return msgspec.structs.replace(stand, counts=counts)


def all_candidates(work: Work) -> dict[str, Candidate]:
    """`batch.candidate` to the candidate."""
    found = load_candidates(work.stage("candidates").files())
    return {f"{batch}.{one.id}": one for batch, many in found.items() for one in many.candidates}


def problems(found: Plans, candidates: Mapping[str, Candidate]) -> Iterator[str]:
    """Everything that is wrong with an answer."""
    lines = {line.id: line for line in found.plans}
    if len(lines) < len(found.plans):
        yield "two plans have one id: give each its own"
    for line in found.plans:
        where = f"plan {line.id!r}"
        if not NAME.fullmatch(line.id) or line.id in RESERVED:
            yield f"{where}: an id is lower-case words and digits with dashes"
        yield from _parent_problems(line, lines)
        yield from _unknown(where, line.candidates, candidates)
    left = [left.what for left in found.left_out]
    yield from _unknown("left_out", left, candidates)
    placed = {*left, *(name for line in found.plans for name in line.candidates)}
    for name in candidates:
        if name not in placed:
            yield f"candidate {name!r} stands nowhere: put it into a plan, or into `left_out`"


def _unknown(
    where: str, names: Iterable[str], candidates: Mapping[str, Candidate]
) -> Iterator[str]:
    for name in names:
        if name not in candidates:
            yield f"{where}: no candidate {name!r}; {suggestion(name, candidates)}"


def _parent_problems(line: PlanLine, lines: Mapping[str, PlanLine]) -> Iterator[str]:
    if line.parent is not None and line.parent not in lines:
        yield f"plan {line.id!r}: no parent {line.parent!r}; {suggestion(line.parent, lines)}"
    seen, at = {line.id}, line.parent
    while at is not None and at in lines:
        if at in seen:
            yield f"plan {line.id!r}: is its own ancestor; take a `parent` out"
            return
        seen.add(at)
        at = lines[at].parent


def _plan(line: PlanLine, candidates: Mapping[str, Candidate]) -> Plan:
    carried = tuple(msgspec.structs.replace(candidates[name], id=name) for name in line.candidates)
    return Plan(line.id, line.title, line.goal, line.parent, carried)


def _line(name: str, candidate: Candidate) -> str:
    documents = sorted(
        {link.source.partition("#")[0] for c in candidate.claims for link in c.links}
    )
    shown = ", ".join(documents[:4]) + (f" and {len(documents) - 4} more" if documents[4:] else "")
    parts = (name, candidate.title, candidate.goal, f"{len(candidate.claims)} claims", shown)
    return "- " + " | ".join(parts)


def load_plans(paths: Iterable[Path]) -> dict[str, Plan]:
    """Plans as they stand, edits included. Raises `ContentError`."""
    files = {path.stem: path for path in paths if path.stem != LEFT_OUT}
    plans = {name: yamlfile.load(path, Plan) for name, path in files.items()}
    for name, plan in plans.items():
        if plan.id != name:
            raise ContentError(f"its id is {plan.id!r}", where=files[name], hint=ALIKE)
        if plan.parent is not None and plan.parent not in plans:
            hint = suggestion(plan.parent, plans)
            raise ContentError(f"no plan {plan.parent!r}", where=files[name], hint=hint)
    return plans


def of_plan(work: Work, plan: Plan) -> dict[str, str]:
    """What a later file is made from: the plan, and the sources as it quotes them."""
    names = sorted({link.source.partition("#")[0] for link in plan.links})
    sources = {
        name: digest(work.shelf.told(work.shelf.sources[name]))
        for name in names
        if name in work.shelf.sources
    }
    return {f"plan {plan.id}": digest(text(plan)), **sources}
