"""Proposals for criteria: each comes from a step and a clause, and is read as `prove` reads it."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bythebook.build.conduct.forms import Alignment, Scenario, step_of, tried
from bythebook.build.conduct.scenario import clause_in_force
from bythebook.conduct.criteria import build, editions_of
from bythebook.conduct.criteria.vocabulary import Vocabulary
from bythebook.conduct.sops import Sop
from bythebook.conduct.task import ConductTask

FRAME = {
    "id": "frame of the trial",
    "kind": "protection",
    "says": "-",
    "frame": {"except": ["messages"]},
}
GUARDS = ("process", "protection")


class CriteriaAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """criteria.yaml, and for each rule the step that it comes from."""

    criteria: tuple[dict[str, Any], ...]
    steps: dict[str, str] = {}
    """Rule to procedure#step; goals and the frame need none."""
    facts: dict[str, Any] = {}


def criteria_problems(
    task: ConductTask,
    sops: Mapping[str, Sop],
    alignment: Alignment,
    story: Scenario,
    answer: CriteriaAnswer,
) -> Iterator[str]:
    """What is wrong with the proposals: every one that has to be rejected, and why."""
    names = [str(rule.get("id", "")) for rule in answer.criteria]
    for twice in sorted({name for name in names if names.count(name) > 1}):
        yield f"criterion {twice!r} stands here twice"
    for name in answer.steps:
        if name not in names:
            yield f"steps: there is no criterion {name!r}"
    for rule in answer.criteria:
        found = list(_compiled(task, answer.facts, rule))
        yield from found
        if not found and rule["kind"] in GUARDS and "frame" not in rule:
            yield from _source_problems(task, sops, alignment, rule, answer.steps)
    frames = [rule for rule in answer.criteria if "frame" in rule]
    if len(frames) != 1:
        yield f"there are {len(frames)} frames\n  a task has one: what the agent may touch at all"
    if not any(rule.get("kind") == "goal" for rule in answer.criteria):
        yield "no criterion is a goal\n  say with `finally:` how the work stands when it is done"
    yield from _unguarded(story, answer)


def _compiled(task: ConductTask, facts: dict[str, Any], rule: dict[str, Any]) -> Iterator[str]:
    """What the loader of criteria says of one rule."""
    company = task.company
    words = Vocabulary(company.schema, company.functions, editions_of(company.library))
    where = f"criterion {rule.get('id', 'without id')}"

    def cites(family: str, clause: str) -> None:
        company.library.cites(f"{family}#{clause}", where=where)

    def load() -> None:
        rules = [rule] if "frame" in rule else [rule, FRAME]
        data = {"facts": facts, "criteria": rules} if facts else {"criteria": rules}
        build(data, words, where=where, cites=cites).check_keys(task.opening.tables)

    yield from tried(load)


def _source_problems(
    task: ConductTask,
    sops: Mapping[str, Sop],
    alignment: Alignment,
    rule: dict[str, Any],
    steps: Mapping[str, str],
) -> Iterator[str]:
    where = f"criterion {rule['id']}"
    clause = f"{rule['source']['family']}#{rule['source']['clause']}"
    yield from tried(clause_in_force, task.company, clause, task.file.day, where=where)
    if rule["id"] not in steps:
        yield f"{where}: comes from no step\n  say in `steps` which one: {rule['id']}: sop#step"
        return
    wrong = list(tried(step_of, steps[rule["id"]], sops, where=f"steps, {rule['id']}"))
    yield from wrong
    if wrong:
        return
    sop, name = step_of(steps[rule["id"]], sops, where=where)
    step = next(one for one in sops[sop].steps if one.id == name)
    known = {*step.knowledge, *alignment.get(sop, {})[name].clauses}
    if clause not in known and clause.partition("#")[0] not in known:
        yield (
            f"{where}: {sop}#{name} does not go by {clause}, only by {', '.join(sorted(known))}\n"
            "  name the step that does, or put the clause into its alignment"
        )


def _unguarded(story: Scenario, answer: CriteriaAnswer) -> Iterator[str]:
    sources = [rule.get("source") for rule in answer.criteria if rule.get("kind") in GUARDS]
    cited = {f"{s.get('family')}#{s.get('clause')}" for s in sources if isinstance(s, dict)}
    for trap in story.traps:
        if trap.clause and trap.clause not in cited:
            yield (
                f"nothing guards trap {trap.id!r}: no criterion has {trap.clause} as its source\n"
                "  propose one, or take the clause out of the trap"
            )
