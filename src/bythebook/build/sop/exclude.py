"""Stage 7: what is unsupported, contradicted or in conflict leaves the procedures."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.build.sop.conflicts import FILE, load_conflicts
from bythebook.build.sop.drafts import load_drafts, working_plans
from bythebook.build.sop.flow import flow_problems, relinked, without_step
from bythebook.build.sop.forms import (
    Claim,
    Cleared,
    Conflict,
    Plan,
    Review,
    TakenOut,
    Verdict,
    claims_of,
    text,
)
from bythebook.build.sop.plans import of_plan
from bythebook.build.sop.review import load_reviews
from bythebook.build.sop.work import Stand, Work
from bythebook.build.stages import digest, sha
from bythebook.conduct.sops import Sop, Step


def jobs(work: Work) -> dict[str, dict[str, str]]:
    """Procedure to what its cleared form is made from."""
    plans = working_plans(work)
    drafts, reviews = work.stage("sops"), work.stage("review")
    listed = load_conflicts(work.stage("conflicts").folder / FILE)
    found: dict[str, dict[str, str]] = {}
    for name in load_reviews(reviews.files()):
        draft = drafts.folder / f"{name}.yaml"
        if name not in plans or not draft.exists():
            continue
        ours = [c for c in listed if c.pair & _cites(plans[name], yamlfile.load(draft, Sop))]
        review = reviews.folder / f"{name}.yaml"
        found[name] = {
            drafts.input(draft): sha(draft),
            reviews.input(review): sha(review),
            "conflicts": digest(text(ours)),
            **of_plan(work, plans[name]),
        }
    return found


def exclude(work: Work) -> Stand:
    """Writes each procedure without what does not hold, and why it went."""
    stage, plans = work.stage("cleared"), working_plans(work)
    sops = load_drafts(work.stage("sops").files())
    reviews = load_reviews(work.stage("review").files())
    listed = load_conflicts(work.stage("conflicts").folder / FILE)
    every = jobs(work)
    due = stage.due(every)
    wrong: dict[str, str] = {}
    for name in due:
        cleared = clear(sops[name], plans[name], reviews[name], listed)
        says = list(flow_problems(cleared.sop))
        if says:
            draft = work.stage("sops").folder / f"{name}.yaml"
            wrong[str(draft)] = "\n".join(_broke(cleared, says))
            continue
        stage.put(name, {f"{name}.yaml": text(cleared)}, every[name])
    found = load_cleared(stage.files())
    stand = work.stand("cleared", wrong=wrong)
    counts = {
        "sops": len(found),
        "claims out": sum(not t.instead for c in found.values() for t in c.taken_out),
        "claims mended": sum(bool(t.instead) for c in found.values() for t in c.taken_out),
    }
    return msgspec.structs.replace(stand, counts=counts)


def _broke(cleared: Cleared, says: Iterable[str]) -> Iterator[str]:
    yield "without what was found unsupported or in conflict the procedure does not hold:"
    yield from (f"- {line}" for line in says)
    yield "taken out:"
    yield from (f"- {out.claim}: {out.why}" for out in cleared.taken_out if not out.instead)
    yield "mend the draft by hand and give the command again: it is then reviewed anew"


def _cites(plan: Plan, sop: Sop) -> set[str]:
    links = {link.source for link in plan.links}
    return links | {link for step in sop.steps for link in step.source}


def clear(sop: Sop, plan: Plan, review: Review, listed: Iterable[Conflict]) -> Cleared:
    """The procedure without claims that do not hold, and without spans that are not followed."""
    lost = {link: conflict for conflict in listed for link in conflict.excluded}
    out = [*_by_review(sop, plan, review), *_by_conflict(sop, plan, lost)]
    first = {one.claim: one for one in reversed(out)}
    steps: list[Step] = []
    for step in sop.steps:
        kept = tuple(link for link in dict.fromkeys(step.source) if link not in lost)
        verdicts = [review.of(f"{step.id}.{part}") for part in ("do", "decide")]
        carried = (link for link in _carried(verdicts, kept) if link not in lost)
        steps.append(_mended(step, first, (*kept, *carried)))
    gone = [one.claim.rpartition(".")[0] for one in first.values() if _takes_step(one)]
    cleared = msgspec.structs.replace(sop, steps=tuple(steps))
    for name in gone:
        left = without_step(cleared, name) if len(cleared.steps) > 1 else ()
        cleared = msgspec.structs.replace(cleared, steps=left)
    for claim, said in claims_of(sop).items():
        if claim not in first and claim.rpartition(".")[0] in gone:
            first[claim] = TakenOut(claim, said, "its step is taken out")
    rules = {name: _rule(rule, first.get(name)) for name, rule in plan.rules.items()}
    kept_rules = {name: rule for name, rule in rules.items() if rule is not None}
    order = {name: n for n, name in enumerate((*claims_of(sop), *plan.rules))}
    told = sorted(first.values(), key=lambda one: order.get(one.claim, len(order)))
    return Cleared(cleared, tuple(told), kept_rules)


def _takes_step(out: TakenOut) -> bool:
    return out.claim.endswith(".do") and not out.instead


def _carried(verdicts: Iterable[Verdict | None], kept: tuple[str, ...]) -> tuple[str, ...]:
    """The links that carry words put in by the review."""
    links = (x.source for v in verdicts if v is not None and v.instead for x in v.links)
    return tuple(link for link in dict.fromkeys(links) if link not in kept)


def _mended(step: Step, out: Mapping[str, TakenOut], source: tuple[str, ...]) -> Step:
    do, decide = out.get(f"{step.id}.do"), out.get(f"{step.id}.decide")
    back = () if f"{step.id}.returns_to" in out else step.back
    mended = msgspec.structs.replace(
        step,
        do=do.instead if do is not None and do.instead else step.do,
        decide=decide.instead if decide is not None else step.decide,
        source=source,
    )
    return relinked(mended, step.onward, back)


def _by_review(sop: Sop, plan: Plan, review: Review) -> Iterator[TakenOut]:
    said = {**claims_of(sop), **{name: rule.says for name, rule in plan.rules.items()}}
    for verdict in review.verdicts:
        if verdict.verdict != "supported" and verdict.claim in said:
            quotes = "; ".join(f'{link.source} "{link.quote}"' for link in verdict.links)
            why = f"{verdict.verdict}: {verdict.says}{f' ({quotes})' if quotes else ''}"
            instead = "" if verdict.claim.endswith(".returns_to") else verdict.instead
            yield TakenOut(verdict.claim, said[verdict.claim], why, instead)


def _by_conflict(sop: Sop, plan: Plan, lost: Mapping[str, Conflict]) -> Iterator[TakenOut]:
    """Claims all of whose spans are not followed."""
    for step in sop.steps:
        if step.source and all(link in lost for link in step.source):
            yield TakenOut(f"{step.id}.do", step.do, _why(lost[step.source[0]]))
    for name, rule in plan.rules.items():
        if all(link.source in lost for link in rule.links):
            yield TakenOut(name, rule.says, _why(lost[rule.source]))


def _why(conflict: Conflict) -> str:
    return f"conflict {conflict.id}: {conflict.why}"


def _rule(rule: Claim, out: TakenOut | None) -> Claim | None:
    if out is None:
        return rule
    return msgspec.structs.replace(rule, says=out.instead) if out.instead else None


def load_cleared(paths: Iterable[Path]) -> dict[str, Cleared]:
    """Procedure to its cleared form, edits included. Raises `ContentError`."""
    return {path.stem: yamlfile.load(path, Cleared) for path in paths}
