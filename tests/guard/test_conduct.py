"""Over all conduct tasks: a guard stops what breaks a rule by a call, there and nowhere else."""

from bisect import bisect_right
from functools import cache

import pytest

from bythebook.conduct.criteria import SceneFile
from bythebook.conduct.criteria.evaluate import Watch
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.edits import Case
from bythebook.guard import Guard, TaskRules
from bythebook.task import Content
from tests.guard.played import Guarded, guarded
from tests.tasks.shipped import shipped_task

TASKS = sorted(Content().tasks("conduct"))


@cache
def scripts_of(name: str) -> Scripts:
    return Scripts(shipped_task(name))


def broken_by_calls(found: Guarded) -> dict[str, int]:
    """What the judge says of the whole run: rules that were broken before its end, and the call
    that did it."""
    file = SceneFile.build(found.scene.task)
    watch = Watch(file.criteria, file)
    for event in found.scene.events:
        watch.feed(event)
    broken = {f.id: f.at for f in watch.findings if f is not None and f.verdict == "fail"}
    return {rule: bisect_right(found.starts, at) - 1 for rule, at in broken.items() if at}


def foretold(found: Guarded) -> dict[str, int]:
    """Rules that the guard said would be broken, and the first call of which it said so."""
    said: dict[str, int] = {}
    for number, decision in enumerate(found.decisions):
        for rule in decision.broken:
            said.setdefault(rule.id, number)
    return said


def of_case(name: str, case: Case, guard: Guard | None = None) -> Guarded:
    scripts = scripts_of(name)
    return guarded(scripts.task, scripts.playing(case.id, case.steps, case.golden), guard)


@pytest.mark.parametrize("name", TASKS)
def test_no_golden_and_no_twin_is_ever_stopped(name: str) -> None:
    scripts = scripts_of(name)
    agents = [f"golden:{one}" if one else "golden" for one in scripts.goldens]
    runs = [guarded(scripts.task, scripts.agent(agent)) for agent in agents]
    runs += [of_case(name, case) for case in scripts.cases.twins.values()]
    for found in runs:
        assert found.stopped == []
        assert found.scene.outcome is not None
        assert found.guard.rules.astray == ""


@pytest.mark.parametrize("name", TASKS)
def test_every_counterexample_is_stopped_at_the_call_that_breaks_it(name: str) -> None:
    """Those that no call breaks are wrong by what is missing, or by how things stand at the end."""
    stopped = 0
    for case in scripts_of(name).cases.counterexamples.values():
        found = of_case(name, case)
        assert foretold(found) == broken_by_calls(found), case.id
        assert found.guard.rules.astray == "", case.id
        stopped += bool(found.stopped)
    assert 2 * stopped > len(scripts_of(name).cases.counterexamples)


@pytest.mark.parametrize("name", ["q24-net-delivery", "q03-acacia-durian"])
def test_a_call_that_is_refused_changes_nothing(name: str) -> None:
    scripts = scripts_of(name)
    case = scripts.cases.shortcut
    guard = Guard(TaskRules(scripts.task))
    found = of_case(name, case, guard)

    assert found.decisions[-1].verdict == "refuse"
    assert found.decisions[-1].text.startswith(f"{found.decisions[-1].call.name} was not called")
    rules = guard.rules
    assert isinstance(rules, TaskRules)
    assert rules.scene.world.hash == found.scene.world.hash
    assert len(rules.scene.events) == len(found.scene.events)


def test_a_company_that_answers_otherwise_is_no_longer_judged() -> None:
    """Its guard says so, and stops nothing on a guess."""
    task = shipped_task("q24-net-delivery")
    guard = Guard(TaskRules(task))
    decision = guard.ask("now", {})
    guard.did(decision, '{"t":77}')

    assert guard.rules.astray == "call 0, now, was answered otherwise than foreseen"
    assert guard.ask("finish", {"summary": ""}).verdict == "pass"
