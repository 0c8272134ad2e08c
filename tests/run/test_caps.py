"""Caps on tool calls, floor(ratio * R): strict success falls exactly where a needed call does."""

from fractions import Fraction
from math import floor
from pathlib import Path

import pytest

from bythebook.conduct.company import load_company
from bythebook.conduct.golden.agent import StepAgent
from bythebook.conduct.golden.cast import Scripts, golden_calls
from bythebook.conduct.golden.plan import UNJUDGED, tool_of
from bythebook.conduct.task import ConductTask, load_task
from bythebook.run.agents import Scripted
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Under
from bythebook.run.score import rescore
from bythebook.task import Content
from tests.run.playing import play

CAPS = ("1.2", "1.5", "2.0")
STRICT = {
    "frugal": {"1.2", "1.5", "2.0"},
    "golden": {"1.2", "1.5", "2.0"},
    "wasteful:1.2": {"1.2", "1.5", "2.0"},
    "wasteful:1.4": {"1.5", "2.0"},
    "wasteful:1.6": {"2.0"},
    "wasteful:2.5": set(),
}
"""Agent to the caps under which it is strict in a task of full length."""


@pytest.fixture(scope="module")
def shipped() -> ConductTask:
    content = Content()
    return load_task(content, load_company(content), "q03")


def outcome(task: ConductTask, agent: str, cap: str, folder: Path) -> tuple[bool | None, str, int]:
    """Strict, how it ended, and the calls that were made."""
    play(task, Scripted(agent), folder, under=Under(cap=Fraction(cap) if cap else None))
    (verdict,) = rescore(EvaluationFolder(folder)).verdicts
    return verdict.strict, verdict.outcome, verdict.calls


def last_needed(task: ConductTask, agent: str) -> int:
    """Number of the last call of an agent's script that a rule may ask for, counted from 1."""
    made = Scripts(task).agent(agent)
    assert isinstance(made, StepAgent)
    needed = 0
    for number, step in enumerate(made.steps, start=1):
        tool = tool_of(task.company, step.call)
        judged = step.call not in UNJUDGED and tool is not None and tool.writes
        if not step.optional and (judged or step.optional is False):
            needed = number
    return needed


@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize("agent", STRICT)
@pytest.mark.parametrize("which", ["task", "shipped"])
def test_strict_success_falls_exactly_where_it_must(
    which: str, agent: str, cap: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    task: ConductTask = request.getfixturevalue(which)
    strict, ended, calls = outcome(task, agent, cap, tmp_path)
    allowed = floor(Fraction(cap) * golden_calls(Scripts(task).goldens[""]))

    assert strict is (last_needed(task, agent) <= allowed)
    assert calls <= allowed
    assert ended == ("completed(finished)" if finished(tmp_path, task) else "limit(tool_calls)")
    if which == "shipped":
        assert strict is (cap in STRICT[agent])


def finished(folder: Path, task: ConductTask) -> bool:
    return b'"name":"finish"' in EvaluationFolder(folder).run(task.id, 1).trace.read_bytes()


@pytest.mark.parametrize("agent", STRICT)
def test_without_a_cap_thrift_makes_no_difference(
    shipped: ConductTask, agent: str, tmp_path: Path
) -> None:
    strict, ended, calls = outcome(shipped, agent, "", tmp_path)
    golden = golden_calls(Scripts(shipped).goldens[""])
    ratio = Fraction(agent.partition(":")[2] or 1)

    assert (strict, ended) == (True, "completed(finished)")
    assert calls < golden if agent == "frugal" else calls == floor(ratio * golden)


def test_one_call_too_few_for_the_last_that_is_needed(task: ConductTask, tmp_path: Path) -> None:
    golden = golden_calls(Scripts(task).goldens[""])
    needed = last_needed(task, "golden")

    assert outcome(task, "golden", f"{needed}/{golden}", tmp_path / "a")[0] is True
    assert outcome(task, "golden", f"{needed - 1}/{golden}", tmp_path / "b")[0] is False
