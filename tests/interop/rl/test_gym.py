"""The environment as Gymnasium's own tools see it."""

import subprocess
import sys

import pytest

from bythebook.agents.protocol import Answer
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.errors import UsageError
from bythebook.interop.rl.moves import write_move
from bythebook.task import Content

gymnasium = pytest.importorskip("gymnasium", reason="pip install 'bythebook[rl]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402 - after the skip

from bythebook.interop.rl.gym import ConductEnv, opening  # noqa: E402 - after the skip

IDS = ["bythebook/conduct", "bythebook/conduct-q03"]
NOW = '{"calls": [{"name": "now"}]}'


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("reward", ["strict", "shaped"])
def test_gymnasium_finds_no_fault(name: str, reward: str) -> None:
    """Warnings are errors in this suite."""
    check_env(gymnasium.make(name, reward=reward, render_mode="ansi").unwrapped)


def test_every_shipped_task_has_an_id() -> None:
    known = {name for name in gymnasium.registry if name.startswith("bythebook/")}
    shipped = {f"bythebook/conduct-{name.split('-')[0]}" for name in Content().tasks("conduct")}
    assert known == shipped | {"bythebook/conduct"}


def test_importing_bythebook_registers_nothing_and_brings_no_library() -> None:
    program = """
import sys
import bythebook, bythebook.cli, bythebook.interop.rl
assert "gymnasium" not in sys.modules and "verifiers" not in sys.modules
import gymnasium
assert not [name for name in gymnasium.registry if name.startswith("bythebook/")]
gymnasium.make("bythebook.interop.rl.gym:bythebook/conduct-q24").reset()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize(("reward", "paid"), [("strict", [1.0]), ("shaped", [0.25, 0.25, 0.5])])
def test_a_golden_is_paid_one_in_all(reward: str, paid: list[float]) -> None:
    env = gymnasium.make("bythebook/conduct-q03", reward=reward)
    _, info = env.reset()
    agent = Scripts(env.unwrapped.episode.course.task).agent("golden")
    move, rewards, over = at_once(agent.move(info["briefing"])), [], False
    while not over:
        said, reward_, terminated, truncated, told = env.step(write_move(move))
        rewards.append(reward_)
        over = terminated or truncated
        move = at_once(agent.move(tuple(Answer(call.id, said) for call in move.calls)))

    assert (terminated, truncated) == (True, False)
    assert [one for one in rewards if one] == pytest.approx(paid)
    assert told["verdict"]["strict"] is True
    assert set(told["verdict"]["criteria"].values()) == {"pass"}
    assert said.endswith("The run is over: completed(finished)")


def test_a_limit_truncates() -> None:
    env = ConductEnv("q03", steps=2)
    env.reset()
    assert env.step(NOW)[2:4] == (False, False)
    _, reward, terminated, truncated, told = env.step(NOW)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert told["verdict"]["outcome"] == "limit(steps)"
    with pytest.raises(UsageError, match="reset the environment"):
        env.step(NOW)


def test_the_first_observation_tells_all_that_an_agent_is_told() -> None:
    env = ConductEnv("q03")
    first, info = env.reset()
    briefing = info["briefing"]
    assert briefing.instructions in first
    assert first.endswith(briefing.request)
    assert all(f"- {tool.name}: {tool.doc}" in first for tool in briefing.tools)
    assert first == opening(briefing)


def test_answers_refusals_words_and_silence_are_told() -> None:
    env = ConductEnv("q03", render_mode="ansi")
    env.reset()
    assert env.step(NOW)[0] == '{"day":"2025-09-25","clock":"15:41","t":0}'
    assert env.step('{"name": "nwo"}')[0].startswith("refused: there is no tool 'nwo'")
    assert "The customer:" in env.step("Hello")[0]
    assert env.step("{")[0].startswith("this move does not read")
    assert env.step("")[0].startswith("You did nothing")
    assert "agent: Hello" in str(env.render())


def test_a_seed_draws_the_task_and_an_option_names_it() -> None:
    def drawn(env: ConductEnv, seed: int | None = None) -> list[str]:
        return [env.reset(seed=seed if n == 0 else None)[1]["task"] for n in range(6)]

    first = drawn(ConductEnv(seed=5))
    assert drawn(ConductEnv(), 5) == first
    assert len(set(first)) > 1
    env = ConductEnv("q24")
    assert env.reset(options={"task": "q03"})[1]["task"] == "q03-acacia-durian"
    assert env.reset()[1]["task"] == "q24-net-delivery"
    with pytest.raises(UsageError, match="known: task"):
        env.reset(options={"tsk": "q03"})


def test_parallel_environments_share_their_content() -> None:
    envs = gymnasium.make_vec("bythebook/conduct-q03", num_envs=3, vectorization_mode="sync")
    first, _ = envs.reset()
    said, rewards, *_ = envs.step([NOW, "Hello", ""])
    assert len(set(first)) == 1
    assert len(set(said)) == 3
    assert list(rewards) == [0, 0, 0]
    assert len({id(one.unwrapped.episode.course) for one in envs.envs}) == 1
    assert len({id(one.unwrapped.episode.scene) for one in envs.envs}) == 3


def test_a_move_before_the_first_reset_is_told_so() -> None:
    with pytest.raises(UsageError, match="reset the environment first"):
        ConductEnv("q03").step(NOW)
