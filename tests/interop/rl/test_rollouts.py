"""Rollouts by the library's own machinery, with a scripted model server behind it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

vf: Any = pytest.importorskip("verifiers.v1", reason="pip install 'bythebook[verifiers]'")

from bythebook.interop.rl import open_course  # noqa: E402 - after the skip
from bythebook_conduct import load_environment  # noqa: E402 - after the skip
from tests.model_server import ModelServer, Say, fault  # noqa: E402 - after the skip
from tests.run.wired import Wired  # noqa: E402 - after the skip

TASK = "q24-net-delivery"


def rollout(env: Any, script: Any) -> Any:
    """The trace of one rollout of the first task."""

    async def once() -> Any:
        with ModelServer(script) as server:
            client = vf.EvalClientConfig(base_url=f"{server.url}/v1", api_key_var="NONE")
            context = vf.ModelContext(model="scripted", client=client)
            task = next(iter(env.taskset))
            async with env.serving():
                return await env.run_slot(env.slots(task)[0], context)

    (trace,) = asyncio.run(once()).traces
    return trace


def values(trace: Any) -> dict[str, float]:
    return {name: one.score for name, one in trace.rewards.items()}


SHIPPED = Path(__file__).parents[3] / "tasks" / "conduct"


def test_the_shipped_tasks_are_the_data_set() -> None:
    tasks = list(load_environment().taskset)
    folders = [path for path in SHIPPED.iterdir() if (path / "task.yaml").exists()]
    assert len(tasks) == len({task.key for task in tasks}) == len(folders)
    assert tasks[0].data.prompt == open_course("q03").briefing.request
    assert tasks[0].data.system_prompt == open_course("q03").briefing.instructions


@pytest.mark.parametrize("reward", ["strict", "shaped"])
def test_a_whole_golden_is_rewarded_with_one(reward: str) -> None:
    trace = rollout(load_environment([TASK], reward=reward), Wired(open_course(TASK).task))
    assert trace.ok, trace.errors
    assert values(trace) == {reward: 1.0}
    assert trace.metrics == {
        "goal": 1, "process": 1, "protection": 1, "strict": 1, "calls": 78,
    }  # fmt: skip
    assert trace.info["bythebook"] == {"outcome": "completed(finished)", "not_passed": []}


def test_a_shortcut_is_paid_less_than_nothing_where_the_reward_is_shaped() -> None:
    script = Wired(open_course(TASK).task, "shortcut")
    trace = rollout(load_environment([TASK], reward="shaped"), script)
    assert -0.5 <= trace.reward < 0
    assert trace.metrics["strict"] == 0
    assert trace.info["bythebook"]["not_passed"]


def test_turns_that_the_trainer_does_not_grant_end_the_run_at_a_limit() -> None:
    trace = rollout(load_environment([TASK], max_turns=3), Wired(open_course(TASK).task))
    assert trace.ok
    assert trace.stop_condition == "max_turns"
    assert trace.info["bythebook"]["outcome"] == "limit(steps)"
    assert values(trace) == {"strict": 0.0}


def test_a_provider_that_breaks_is_an_error_and_no_zero() -> None:
    trace = rollout(load_environment([TASK]), lambda asked: fault(500))
    assert not trace.ok
    assert trace.errors
    assert values(trace) == {}


def test_conditions_and_changed_instructions_reach_the_model() -> None:
    heard: list[str] = []

    def speak(asked: Any) -> Say:
        heard.append(str(asked.messages[0]["content"]))
        return Say("")

    env = load_environment([TASK], condition="gold-docs")
    env.taskset.system_prompt = None
    rollout(env, speak)
    env.taskset.system_prompt = "Be quick."
    rollout(env, speak)
    assert "# Documents that this task needs" in heard[0]
    assert heard[-1].startswith("Be quick.")
