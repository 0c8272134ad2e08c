"""Counterexamples that a machine can propose: edits of the golden, each tried by real judging."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bythebook.build.conduct.forms import Scenario, dumped
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.edits import load_cases
from bythebook.conduct.golden.plan import Golden, Step, tool_of
from bythebook.conduct.golden.rehearsal import enact
from bythebook.conduct.prove import gates
from bythebook.conduct.prove.court import Court
from bythebook.conduct.prove.steps import Editor
from bythebook.conduct.task import ConductTask
from bythebook.errors import BythebookError

EACH = 3
"""Most proposals for one rule, and most neighbours of one argument."""
GUARDS = ("process", "protection")


class Proposal(msgspec.Struct, frozen=True):
    """An edited golden and the rules that it turned out to break."""

    id: str
    edits: tuple[dict[str, Any], ...]
    breaks: tuple[str, ...]
    reaches_goal: bool


def proposals(task: ConductTask, scripts: Scripts, court: Court) -> list[Proposal]:
    """For each process and protection rule, up to three edits that break it, the sharpest first."""
    golden = scripts.goldens[""]
    tried: list[Proposal] = []
    for name, edits in _edits(task, golden, scripts):
        found = _tried(task, scripts, court, name, edits)
        if found is not None and found.breaks:
            tried.append(found)
    kept: dict[str, Proposal] = {}
    for rule in (rule.id for rule in court.criteria.rules if rule.kind in GUARDS):
        mine = [one for one in tried if rule in one.breaks]
        mine.sort(key=lambda one: (not one.reaches_goal, len(one.breaks)))
        kept |= {one.id: one for one in mine[:EACH]}
    return list(kept.values())


def _edits(
    task: ConductTask, golden: Golden, scripts: Scripts
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The operators of `prove` that can be written as edits of the file."""
    editor = Editor(task, golden, scripts.rehearsal())
    judged = {step.id: step for step in editor.script if editor.required(step)}
    for name in judged:
        yield f"without_{name}", [{"drop": name}]
    for step in golden.steps:
        for before in step.after:
            if step.id in judged and before in judged:
                yield f"{before}_after_{step.id}", [{"move": before, "after": step.id}]
    if golden.slack is not None and golden.slack_before:
        wait = {"id": "lull", "call": "wait", "with": {"minutes": golden.slack + 1}}
        yield "too_late", [{"insert": [wait], "before": golden.slack_before}]
    yield from _repeats(task, golden, judged)
    for _, step, argument, value in editor.judged_arguments():
        near = list(editor.neighbours.of(value, editor.spec(step, argument)))[:EACH]
        for number, (new, _) in enumerate(near, start=1):
            edit = {"set": f"{step.id}.{argument}", "to": new}
            yield f"{step.id}_other_{argument}_{number}", [edit]


def _repeats(
    task: ConductTask, golden: Golden, judged: dict[str, Step]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each call once more, unless a second one does no harm."""
    for step in golden.steps:
        tool = tool_of(task.company, step.call)
        if step.id in judged and tool is not None and not tool.repeatable:
            again = {"id": f"{step.id}-again", "call": step.call, "with": _as_written(step)}
            yield f"{step.id}_twice", [{"insert": [again], "after": step.id}]


def _as_written(step: Step) -> dict[str, Any]:
    """Arguments with references as they stand in a file."""
    return {name: _plain(value) for name, value in step.args.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | bool | None) else str(value)


def _tried(
    task: ConductTask, scripts: Scripts, court: Court, name: str, edits: list[dict[str, Any]]
) -> Proposal | None:
    """What an edit breaks; None where it cannot be played."""
    entry = {"id": name, "why": "-", "edits": edits, "breaks": ["?"], "shortcut": True}
    path = Path(task.folder) / "trial.yaml"
    path.write_text(dumped({"counterexamples": [entry]}), "utf-8")
    try:
        case = load_cases(path, scripts.goldens, task.company).counterexamples[name]
        scene, _ = enact(task, case.steps, scripts.rehearsal().results)
    except BythebookError:
        return None
    finally:
        path.unlink()
    judged = court.judge(scene.events)
    return Proposal(name, tuple(edits), tuple(sorted(judged.broken)), judged.holds("goal"))


def case_problems(task: ConductTask, story: Scenario) -> Iterator[str]:
    """What is wrong with the cases of a draft: what their playing shows, and what lacks."""
    scripts, court = Scripts(task), Court(task)
    found = scripts.cases
    yield from gates.case_problems(scripts, court)
    broken = {rule for case in found.counterexamples.values() for rule in case.breaks}
    for rule in court.criteria.rules:
        if rule.kind in GUARDS and rule.id not in broken:
            yield f"no counterexample breaks {rule.id}\n  the proposals hold some that may"
    for trap in story.traps:
        if trap.id not in found.counterexamples:
            yield (
                f"no counterexample falls into the trap {trap.id!r}\n"
                "  give one that name: the run of an agent that goes wrong so"
            )
    if not found.twins:
        yield "there is no twin\n  write another way to do the work that is right too"
