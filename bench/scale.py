"""Many runs at once over HTTP, and a long trace: figures of whole evaluations.

python -m bench.scale RUNS CALLS LATENCY      plays so many runs at once; one JSON line
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import msgspec

from bench.clock import seconds
from bench.instant import instant
from bench.ours import Figure
from bench.work import Work, call
from bythebook.agents.protocol import Move
from bythebook.conduct.company import load_company
from bythebook.conduct.criteria.scenefile import score
from bythebook.conduct.scene import Limits, Scene
from bythebook.conduct.task import ConductTask, load_task
from bythebook.models.names import address
from bythebook.models.types import Settings
from bythebook.run.agents import Modelled
from bythebook.run.conduct import ConductStage
from bythebook.run.evaluate import Evaluation, Order, evaluate
from bythebook.run.folder import EvaluationFolder, RunFolder
from bythebook.run.plan import plan_of
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic
from bythebook.task import Content
from bythebook.trace import Closing, Header, Journal, Outcome, read_trace
from bythebook.verdict import Verdict

KIB = 1024
TASK = "q03"


class Many(msgspec.Struct, frozen=True):
    """What an evaluation of many runs at once took."""

    runs: int
    calls: int
    """Of each run."""
    latency: float
    """Seconds, of each call."""
    wall: float
    cpu: float
    memory: float
    """Bytes that the process grew by at its largest, a run."""

    @property
    def of_ideal(self) -> float:
        """100 % is a wall time of the calls' latency and nothing else."""
        return 100 * self.calls * self.latency / self.wall

    @property
    def a_second(self) -> float:
        return self.runs * self.calls / self.wall


class Nobody:
    """Looks on and says nothing."""

    def begins(self, runs: int, finished: int) -> None: ...
    def takes_up(self, place: RunFolder) -> None: ...
    def failed(self, place: RunFolder, outcome: Outcome) -> None:
        raise AssertionError(str(outcome))

    def ends(self, place: RunFolder, verdict: Verdict | None) -> None: ...
    def looks(self) -> None: ...


def figures() -> Iterator[Figure]:
    """The budgets of the runner; about two minutes."""
    slow = many(150, 30, 2.0)
    what = "150 runs x 30 calls over HTTP, 2 s latency, all at once: of the ideal 60 s"
    yield Figure(what, slow.of_ideal, 95, "%", "more")
    yield Figure(
        "memory of a live run, by the growth of the process", slow.memory / 2**20, 2, "MiB"
    )
    fast = many(50, 30, 0.0)
    what = "model calls over HTTP against an instant server, wall"
    yield Figure(what, fast.a_second, 250, "a second", "more")
    per_call = fast.cpu / (fast.runs * fast.calls)
    yield Figure("model calls that a second of CPU has room for", 1 / per_call, 250, "", "more")
    what = "an event of a trace of 5,000, beside one of 500: times the CPU"
    yield Figure(what, longer(Work.load()), 1.25, "x")


def many(runs: int, calls: int, latency: float) -> Many:
    """Measured in a process of its own: its memory is that of the runs alone."""
    command = [sys.executable, "-m", "bench.scale", str(runs), str(calls), str(latency)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return msgspec.json.decode(done.stdout, type=Many)


def measured(runs: int, calls: int, latency: float) -> Many:
    content = Content()
    task = load_task(content, load_company(content), TASK)
    with instant(0.0, calls) as url:
        played(task, url, 2)
    before, cpu = held(), time.process_time()
    with instant(latency, calls) as url:
        start = time.perf_counter()
        played(task, url, runs)
        wall = time.perf_counter() - start
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB
    return Many(
        runs, calls, latency, wall, time.process_time() - cpu, max(0, largest - before) / runs
    )


def played(task: ConductTask, url: str, runs: int) -> None:
    """All of them at once, to their verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        anyio.run(_played, task, url, runs, EvaluationFolder(Path(folder)))


async def _played(task: ConductTask, url: str, runs: int, folder: EvaluationFolder) -> None:
    where = address("local:instant", url)
    cast = Modelled(Reach(where, "", Settings(), traffic=Traffic(runs)))
    plan = plan_of([task], cast, runs=runs)
    stage = ConductStage(folder, [task], cast, plan)
    tally = await evaluate(Evaluation(plan, stage, folder, Nobody()), Order(runs))
    await cast.close()
    assert tally.played == runs


def held() -> int:
    """Bytes of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def longer(work: Work, short: int = 500, times: int = 10) -> float:
    """How much more an event of a long trace costs than one of a trace `times` shorter: played,
    journalled, read and judged."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "trace.jsonl"

        def whole(calls: int) -> None:
            _play(work, journal, calls)
            score(read_trace(journal), work.scene)

        a_short = seconds(lambda: whole(short), runs=3) / short
        a_long = seconds(lambda: whole(short * times), runs=3) / (short * times)
    return a_long / a_short


def _play(work: Work, journal: Path, calls: int) -> None:
    header = Header(
        benchmark="bench", suite="conduct", task="b200", run=1, agent="bench", scene=work.sha
    )
    with Journal(journal, header) as lines:
        scene = Scene(work.task, limits=Limits(None, None, None), record=lines.append)
        for number in range(calls):
            for taken in scene.accept(Move((call(number),))):
                scene.take(taken)
        scene.close()
        outcome = Outcome("completed", "finished")
        lines.close(Closing(outcome, len(scene.events), scene.events[-1].h))


if __name__ == "__main__":
    asked = (int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
    print(json.dumps(msgspec.to_builtins(measured(*asked))))
