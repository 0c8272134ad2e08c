"""Model calls a second by 1, 2 and 4 workers of a Ray cluster on this machine, and the plot of it.

python -m bench.workers          measures and writes docs/scale.json; takes some minutes
python -m bench.workers --plot   draws docs/scale.svg from docs/scale.json
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

import anyio
import msgspec

from bench.instant import instant
from bench.scale import TASK, Nobody
from bythebook.conduct.company import load_company
from bythebook.conduct.task import load_task
from bythebook.models.names import address
from bythebook.models.types import Settings
from bythebook.run.agents import Modelled
from bythebook.run.conduct import ConductStage
from bythebook.run.evaluate import Evaluation, Order, evaluate
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.plan import Plan, plan_of
from bythebook.run.reach import Reach
from bythebook.run.scaleout.cluster import cluster
from bythebook.run.scaleout.crew import Hiring, crew
from bythebook.run.scaleout.limits import Desk, Spent
from bythebook.run.traffic import Traffic
from bythebook.task import Content

DOCS = Path(__file__).resolve().parents[1] / "docs"
DATA, PLOT = DOCS / "scale.json", DOCS / "scale.svg"
WORKERS = (1, 2, 4)
WARM, RUNS, AT_ONCE = 48, 64, 16
"""The clock runs while RUNS are finished: after WARM, when all workers are there, and while AT_ONCE
more are still in flight."""
CALLS = 30
"""Of each run."""
TURNS = 3
REQUESTS = 4000
"""At the desk, to see how many it takes a second."""


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in docs/scale.json."""

    date: str
    processors: int
    load: float
    """Of the machine over the last minute, when it began: other jobs share the processors."""
    runs: int
    calls: int
    """Of each run."""
    one_process: list[float]
    """Calls a second under `--executor local`, turn by turn."""
    workers: dict[str, list[float]]
    """Calls a second by so many workers, turn by turn."""
    desk: float
    """Requests a second that the desk let in and out, asked by one process."""

    def model(self, workers: int) -> float:
        """Calls a second by so many workers, each with a processor of its own:
        min(W * r, D), r: of one worker, D: of the desk."""
        return min(workers * median(self.workers["1"]), self.desk)


@dataclass(frozen=True)
class Many:
    """One task, again and again, by a model behind a URL."""

    url: str
    runs: int

    @asynccontextmanager
    async def __call__(
        self, folder: EvaluationFolder, traffic: Traffic
    ) -> AsyncIterator[tuple[Plan, ConductStage]]:
        content = Content()
        task = load_task(content, load_company(content), TASK)
        reach = Reach(address("local:instant", self.url), "", Settings(), traffic=traffic)
        cast = Modelled(reach)
        plan = plan_of([task], cast, runs=self.runs)
        yield plan, ConductStage(folder, [task], cast, plan)
        await cast.close()


class Clock(Nobody):
    """Looks at the time when so many runs are over."""

    def __init__(self) -> None:
        self.over, self.begun, self.ended = 0, 0.0, 0.0

    def ends(self, place: RunFolder, verdict: object) -> None:
        self.over += 1
        if self.over == WARM:
            self.begun = time.perf_counter()
        elif self.over == WARM + RUNS:
            self.ended = time.perf_counter()


async def _a_second(url: str, workers: int) -> float:
    """Calls a second; without workers, of this process."""
    clock, traffic = Clock(), Traffic(AT_ONCE)
    many, order = Many(url, WARM + RUNS + AT_ONCE), Order(AT_ONCE)
    with tempfile.TemporaryDirectory() as root:
        folder = EvaluationFolder(Path(root))
        async with many(folder, traffic) as (plan, stage):
            if workers:
                hiring = Hiring(concurrency=AT_ONCE, workers=workers)
                async with crew(many, (plan, stage), folder, traffic, hiring, tell=print) as by:
                    await evaluate(Evaluation(plan, by, folder, clock), order)
            else:
                await evaluate(Evaluation(plan, stage, folder, clock), order)
    return RUNS * CALLS / (clock.ended - clock.begun)


async def _desk(ray: Any) -> float:
    """Requests a second through an actor that keeps limits, 64 at a time."""
    found = ray.remote(Desk).options(num_cpus=0, max_concurrency=200)
    desk = found.remote(1000, None, None, Decimal(0))

    async def some(number: int) -> None:
        for request in range(REQUESTS // 64):
            who = (f"{number}", request)
            await desk.enter.remote("there", who, Spent())
            desk.leave.remote(who, Spent())

    await some(0)
    start = time.perf_counter()
    async with anyio.create_task_group() as group:
        for number in range(64):
            group.start_soon(some, number)
    return REQUESTS // 64 * 64 / (time.perf_counter() - start)


def measure() -> Measured:
    """Turn by turn, so that whatever else this machine does falls on all alike."""
    load = os.getloadavg()[0]
    found: dict[int, list[float]] = {count: [] for count in (0, *WORKERS)}
    with cluster("local", max(WORKERS)) as ray, instant(0.0, CALLS) as url:
        for _ in range(TURNS):
            for count, turns in found.items():
                turns.append(anyio.run(_a_second, url, count))
                print(f"{count} workers: {turns[-1]:.0f} calls a second", flush=True)
        desk = anyio.run(_desk, ray)
    rates = {count: [round(rate, 1) for rate in each] for count, each in found.items()}
    return Measured(
        date=time.strftime("%Y-%m-%d"),
        processors=os.cpu_count() or 1,
        load=round(load, 1),
        runs=RUNS,
        calls=CALLS,
        one_process=rates[0],
        workers={str(count): rates[count] for count in WORKERS},
        desk=round(desk),
    )


def drawn(found: Measured) -> str:
    """An SVG, both axes logarithmic. Dots are medians of what was measured, bars least and most;
    the dashed line is the model."""
    counts = [2**power for power in range(8)]
    most = max(found.desk, *(found.model(count) for count in counts))
    least = min(rate for rates in found.workers.values() for rate in rates) / 2

    def x(count: float) -> float:
        return 70 + 400 * _log(count, 1, counts[-1])

    def y(rate: float) -> float:
        return 270 - 230 * _log(rate, least, most * 1.5)

    line = " ".join(f"{x(count):.1f},{y(found.model(count)):.1f}" for count in counts)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 330" font-family="sans-serif"'
        ' font-size="12"><title>Model calls a second by number of workers</title>',
        '<rect width="520" height="330" fill="#fff"/>',
        '<path d="M70 40V270H470" fill="none" stroke="#555"/>',
        f'<polyline points="{line}" fill="none" stroke="#888" stroke-dasharray="6 4"/>',
        f'<text x="{x(16):.0f}" y="{y(found.model(16)) + 28:.0f}" fill="#555">model, not measured:'
        " min(W·r, D)</text>",
        '<text x="270" y="315" text-anchor="middle">workers W</text>',
        '<text x="70" y="24">model calls a second (measured on'
        f" {found.processors} shared processors, {found.date})</text>",
    ]
    parts += [
        f'<text x="{x(count):.1f}" y="290" text-anchor="middle">{count}</text>' for count in counts
    ]
    for name, rates in found.workers.items():
        here, middle = x(int(name)), median(rates)
        parts.append(
            f'<path d="M{here:.1f} {y(min(rates)):.1f}V{y(max(rates)):.1f}" stroke="#1b6ca8"/>'
            f'<circle cx="{here:.1f}" cy="{y(middle):.1f}" r="5" fill="#1b6ca8"/>'
            f'<text x="{here + 9:.1f}" y="{y(middle) + 16:.1f}" fill="#1b6ca8">{middle:.0f}</text>'
        )
    desk = f"D = {found.desk:.0f}"
    parts.append(f'<text x="78" y="{y(found.desk) - 6:.1f}" fill="#555">{desk}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _log(value: float, low: float, high: float) -> float:
    from math import log

    return log(value / low) / log(high / low)


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m bench.workers")
    options.add_argument("--plot", action="store_true", help="only draw what was measured")
    if not options.parse_args().plot:
        DATA.write_bytes(as_text(measure()))
    PLOT.write_text(drawn(msgspec.json.decode(DATA.read_bytes(), type=Measured)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
