"""Stages 6 to 8: criteria, golden, counterexamples."""

from collections.abc import Iterator
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.build.conduct import leaks, telling
from bythebook.build.conduct.cases import case_problems, proposals
from bythebook.build.conduct.forms import (
    Trial,
    dumped,
    verbatim,
    without_block,
)
from bythebook.build.conduct.rules import GUARDS, CriteriaAnswer, criteria_problems
from bythebook.build.conduct.skeleton import played, skeleton
from bythebook.build.conduct.work import Files, Step, Work
from bythebook.build.mind import read_answer
from bythebook.conduct.customer.scenario import ScenarioFile
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.edits import CaseFile
from bythebook.conduct.golden.plan import GoldenFile
from bythebook.conduct.prove import gates
from bythebook.conduct.prove.court import Court
from bythebook.conduct.prove.discovery import Discovery

ONE = "question"


# --- 6 criteria ---------------------------------------------------------------------------------


def _rule_questions(work: Work) -> dict[str, str]:
    company, alignment, story = work.place.company, work.alignment, work.story
    said = telling.prompt(
        "criteria",
        story=dumped(story),
        task=work.task_text(),
        customer=work.text("4-customer", "customer.yaml"),
        alignment=telling.alignment_told(alignment),
        documents=telling.papers_told(company, story.required_documents),
        tables=telling.tables_told(company, telling.story_tables(company, alignment, story)),
        tools=telling.tools_told(company, telling.reachable_tools(company, alignment)),
        events=telling.events_told(company, alignment),
    )
    return {ONE: said}


def _rule_files(work: Work, job: str, text: str) -> Files:
    """criteria.yaml as the task has it, and beside it the step of each rule."""
    answer = read_answer(text, CriteriaAnswer)
    rules = without_block(verbatim(text), "steps")
    return {"criteria.yaml": rules, "sources.yaml": dumped(_sources(answer))}


def _sources(answer: CriteriaAnswer) -> dict[str, dict[str, str]]:
    """Rule to the step and the clause that it comes from."""
    found = {}
    for rule in answer.criteria:
        source = rule.get("source")
        if isinstance(source, dict):
            clause = f"{source.get('family')}#{source.get('clause')}"
            step = answer.steps.get(str(rule.get("id")), "")
            found[str(rule.get("id"))] = {"step": step, "clause": clause}
    return found


def _rule_problems(work: Work, files: Files) -> Iterator[str]:
    data: Any = yamlfile.parse(files["criteria.yaml"], "criteria.yaml")
    known = yamlfile.convert(files["sources.yaml"], dict[str, dict[str, str]], where="sources.yaml")
    steps = {name: one["step"] for name, one in known.items() if one.get("step")}
    plain = data if isinstance(data, dict) else {}
    answer = yamlfile.fit(plain | {"steps": steps}, CriteriaAnswer, where="criteria.yaml")
    customer = yamlfile.load(work.path("4-customer", "customer.yaml"), ScenarioFile)
    with work.tried({"criteria.yaml": files["criteria.yaml"]}) as trial:
        place, story = work.place, work.story
        wrong = list(criteria_problems(trial.task, place.sops, work.alignment, story, answer))
        yield from (trial.told(problem) for problem in wrong)
        shown = leaks.story_shown(story) | leaks.rows_shown(work.overlay)
        shown |= leaks.customer_shown(customer)
        yield from leaks.leaks(shown, leaks.rules_hidden(answer.criteria))
        if not wrong:
            _ = trial.task.criteria


CRITERIA = Step(
    "6-criteria",
    ("1-alignment", "2-scenario", "3-overlay", "4-customer"),
    _rule_questions,
    _rule_files,
    _rule_problems,
)


# --- 7 golden -----------------------------------------------------------------------------------


def _golden_questions(work: Work) -> dict[str, str]:
    company, story = work.place.company, work.story
    said = telling.prompt(
        "golden",
        skeleton=work.noted("7-skeleton", "skeleton.yaml", GOLDEN.made_of, _skeleton),
        story=dumped(story),
        task=work.task_text(),
        customer=work.text("4-customer", "customer.yaml"),
        criteria=work.text("6-criteria", "criteria.yaml"),
        tools=telling.tools_told(company, telling.reachable_tools(company, work.alignment)),
    )
    return {ONE: said}


def _skeleton(work: Work) -> str:
    """The skeleton, and how far the engine came with it."""
    with work.tried({}) as trial:
        made = skeleton(trial.task, work.place.sops, work.alignment, work.story)
        stop = played(trial.task, made)
    lines = [f"# Played: {stop.played} of {len(made.steps)} calls are answered."]
    if stop.step:
        lines.append(f"# It stops at step {stop.step} ({stop.call}): {stop.why}")
    return "\n".join((*lines, made.text))


def _golden_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, GoldenFile)
    return {"golden.yaml": verbatim(text)}


def _golden_problems(work: Work, files: Files) -> Iterator[str]:
    """Played by the real engine and judged by the real criteria."""
    with work.tried({"golden.yaml": files["golden.yaml"]}) as trial:
        scripts, court = Scripts(trial.task), Court(trial.task)
        golden = scripts.goldens[""]
        wrong = [*_stopped(scripts), *gates.golden_problems(scripts, court, golden)]
        wrong += Discovery(trial.task, golden, scripts.rehearsal()).problems()
        wrong += gates.vacuous_problems(scripts, court)
        yield from (trial.told(problem) for problem in wrong)


def _stopped(scripts: Scripts) -> Iterator[str]:
    """The first call that the engine refused: what comes after it may only be its consequence."""
    calls = [event for event in scripts.rehearsal().events if event.kind == "call"]
    pairs = zip(scripts.goldens[""].steps, calls, strict=False)
    for number, (step, event) in enumerate(pairs, start=1):
        if not event.ok:
            yield (
                f"the golden stops at call {number}, step {step.id} ({step.call}): {event.result}\n"
                "  mend this one first"
            )
            return


GOLDEN = Step(
    "7-golden",
    ("1-alignment", "2-scenario", "3-overlay", "4-customer", "6-criteria"),
    _golden_questions,
    _golden_files,
    _golden_problems,
)


# --- 8 counterexamples --------------------------------------------------------------------------


def _case_questions(work: Work) -> dict[str, str]:
    said = telling.prompt(
        "counterexamples",
        proposals=work.noted("8-proposals", "proposals.yaml", CASES.made_of, _proposals),
        traps=dumped(msgspec.to_builtins(work.story.traps)),
        golden=work.text("7-golden", "golden.yaml"),
        criteria=work.text("6-criteria", "criteria.yaml"),
    )
    return {ONE: said}


def _proposals(work: Work) -> str:
    """Edits that break rules, and the rules that no such edit breaks."""
    with work.tried({}) as trial:
        court = Court(trial.task)
        found = proposals(trial.task, Scripts(trial.task), court)
    broken = {rule for one in found for rule in one.breaks}
    guards = [rule.id for rule in court.criteria.rules if rule.kind in GUARDS]
    rest = [name for name in guards if name not in broken]
    head = f"# No edit of one step breaks {', '.join(rest)}.\n" if rest else ""
    return head + (dumped([_proposed(one) for one in found]) if found else "[]\n")


def _proposed(one: Any) -> dict[str, Any]:
    found = msgspec.to_builtins(one)
    if not found.pop("reaches_goal"):
        return dict(found)
    return {**found, "note": "reaches every goal: it could be the shortcut"}


def _case_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, CaseFile)
    return {"counterexamples.yaml": verbatim(text)}


def _case_problems(work: Work, files: Files) -> Iterator[str]:
    with work.tried({"counterexamples.yaml": files["counterexamples.yaml"]}) as trial:
        yield from _told(trial, case_problems(trial.task, work.story))


def _told(trial: Trial, problems: Iterator[str]) -> Iterator[str]:
    return (trial.told(problem) for problem in problems)


CASES = Step(
    "8-counterexamples", ("2-scenario", "6-criteria", "7-golden"),
    _case_questions, _case_files, _case_problems,
)  # fmt: skip
