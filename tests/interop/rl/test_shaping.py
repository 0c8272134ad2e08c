"""The shaped reward: what it sums up to, and that breaking a rule never pays."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.agents.protocol import Call, Move
from bythebook.conduct.golden.cast import Scripts
from bythebook.interop.rl import Course, Episode, Way, open_course
from bythebook.task import Content
from tests.interop.rl.playing import Played, played

TASKS = sorted(Content().tasks("conduct"))
SEVERAL = ("q03", "q24", "q42")


def check_bounds(found: Played) -> None:
    """The three bands of the formula, from the run's own verdict."""
    total = pytest.approx(found.total)
    if found.strict:
        assert total == 1
    elif found.guarded:
        assert -1e-9 <= found.total < 0.5
    else:
        assert -0.5 <= found.total < 0


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("agent", ["golden", "idle", "refuse", "agree", "shortcut", "stop-at-yes"])
def test_the_total_of_every_agent_lies_in_the_band_of_its_verdict(name: str, agent: str) -> None:
    course = open_course(name)
    found = played(course, Scripts(course.task).agent(agent))
    check_bounds(found)
    assert found.strict is (agent == "golden")


@pytest.mark.parametrize("name", TASKS)
def test_no_counterexample_totals_as_much_as_doing_nothing_wrong(name: str) -> None:
    course = open_course(name)
    scripts = Scripts(course.task)
    for case in scripts.cases.counterexamples.values():
        found = played(course, scripts.playing(case.id, case.steps, case.golden))
        check_bounds(found)
        assert found.total < 0.5, case.id
    for case in scripts.cases.twins.values():
        found = played(course, scripts.playing(case.id, case.steps, case.golden))
        assert found.total == pytest.approx(1), case.id


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("agent", ["golden", "shortcut"])
def test_the_steps_sum_up_to_what_the_verdict_alone_says(name: str, agent: str) -> None:
    course = open_course(name)
    found = played(course, Scripts(course.task).agent(agent))
    result = found.episode.result
    assert result is not None
    total = course.shaping.total(result.findings, strict=result.strict)
    assert found.total == pytest.approx(total)


@pytest.mark.parametrize("discount", [0.5, 0.99, 1.0])
def test_with_a_discount_the_sum_is_the_formula(discount: float) -> None:
    course = open_course("q03")
    found = played(course, Scripts(course.task).agent("golden"))
    steps = len(found.steps)
    total = sum(discount**n * step.reward(discount) for n, step in enumerate(found.steps))
    end = found.steps[-1].after
    assert total == pytest.approx(discount ** (steps - 1) * (discount * end + 0.5))


def test_a_rule_broken_on_the_way_is_felt_at_that_step_and_never_made_good() -> None:
    course = open_course("q03")
    found = played(course, Scripts(course.task).agent("shortcut"))
    potentials = [step.after for step in found.steps]
    first = next(n for n, one in enumerate(potentials) if one < 0)

    assert found.steps[first].reward() < 0
    assert all(later <= earlier for earlier, later in pairwise(potentials[first:]))


def business(name: str, **args: str) -> Move:
    return Move((Call("call_tool", {"name": name, "arguments": args}),))


CALLS = st.sampled_from(
    [
        Move((Call("now", {}),)),
        Move((Call("wait", {"minutes": 10}),)),
        Move(text="May I do that?"),
        business("close_receipts_file", file="RF-2209"),
        business("submit_application", application="APP-31"),
        business("no_such_tool"),
        Move(),
    ]
)


@settings(max_examples=25, deadline=None)
@given(moves=st.lists(CALLS, max_size=12))
def test_whatever_is_tried_the_total_lies_in_its_band(moves: list[Move]) -> None:
    course: Course = open_course("q03", Way(steps=12))
    found = Played(Episode(course))
    for move in [*moves, *[Move()] * 12]:
        if found.episode.result is None:
            found.steps.append(found.episode.step(move))
    check_bounds(found)


def test_going_round_in_a_circle_earns_nothing() -> None:
    """Steps that lead back to a potential sum up to nothing, at any discount it was told of."""
    course = open_course("q03")
    step = played(course, Scripts(course.task).agent("idle")).steps[0]
    from_to = [(0.0, 0.25), (0.25, 0.5), (0.5, 0.25), (0.25, 0.0)]
    for discount in (0.9, 1.0):
        steps = [type(step)((), before, after, None) for before, after in from_to]
        earned = sum(discount**n * one.reward(discount) for n, one in enumerate(steps))
        assert earned == pytest.approx(0)
