"""What an environment for reinforcement learning takes: to reset, to step, and to hold."""

import time
import tracemalloc
from collections.abc import Iterator

from bench.clock import seconds
from bench.ours import MICRO, Figure
from bythebook.agents.protocol import Move
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.interop.rl import Episode, Way, open_course
from bythebook.interop.rl.course import task_ids
from bythebook.interop.rl.gym import ConductEnv

RESETS, ENVS = 100, 200


def figures() -> Iterator[Figure]:
    env = ConductEnv()
    slowest = max(reset(env, name) for name in task_ids(Way()))
    yield Figure("an environment is reset, the slowest task, wall", slowest * MICRO, 1000, "µs")
    what = "a step of a golden in it, shaped reward and all, p50, wall"
    yield Figure(what, step() * MICRO, 1000, "µs")
    yield Figure(f"memory of one of {ENVS} environments, just reset", held() / 2**10, 256, "KiB")


def reset(env: ConductEnv, name: str) -> float:
    """Wall seconds of one reset of a task that was played before."""

    def once() -> None:
        for _ in range(RESETS):
            env.reset(options={"task": name})

    return seconds(once, wall=True) / RESETS


def step() -> float:
    """The median wall seconds of a step, over a whole golden."""
    course, taken = open_course("q03"), []
    episode, agent = Episode(course), Scripts(course.task).agent("golden")
    move: Move = at_once(agent.move(course.briefing))
    while episode.result is None:
        begun = time.perf_counter()
        done = episode.step(move)
        taken.append(time.perf_counter() - begun)
        move = at_once(agent.move(done.answers))
    return sorted(taken)[len(taken) // 2]


def held() -> float:
    """Bytes that each further environment of one process holds."""
    ConductEnv("q03").reset()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [ConductEnv("q03") for _ in range(ENVS)]
    for env in kept:
        env.reset()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(kept)
