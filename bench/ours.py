"""Our own figures, each beside its goal."""

import asyncio
import random
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bench import doors, gateway, report, site, tools
from bench.clock import seconds
from bench.server import elsewhere
from bench.work import CALLS, Work
from bythebook.agents.loop import Loop
from bythebook.agents.protocol import Answer, Briefing, ToolSpec
from bythebook.conduct.company import load_company
from bythebook.conduct.criteria import evaluate
from bythebook.conduct.criteria.scenefile import score
from bythebook.conduct.scene import Scene
from bythebook.conduct.search import Index
from bythebook.models.names import address, open_model
from bythebook.task import Content
from bythebook.trace import read_trace

MICRO, MILLI = 1e6, 1e3


@dataclass(frozen=True)
class Figure:
    """One measured budget."""

    what: str
    measured: float
    goal: float
    unit: str
    better: Literal["less", "more"] = "less"

    @property
    def met(self) -> bool:
        if self.better == "less":
            return self.measured <= self.goal
        return self.measured >= self.goal


@dataclass(frozen=True)
class Absent:
    """A peer that is not here."""

    what: str
    how: str
    """How it is brought."""


def step(work: Work) -> Figure:
    """CPU of one call of the agent, of two hundred."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "trace.jsonl"
        taken = seconds(lambda: work.play(journal)) / CALLS
    return Figure("CPU per agent step: write, delta, hash, journal", taken * MICRO, 250, "µs")


def verdict(work: Work) -> Figure:
    """CPU of judging them."""
    events, criteria, opening = work.play(), work.task.criteria, work.task.opening
    judged = seconds(lambda: evaluate(criteria, opening, events), runs=25)
    what = f"verdict: {len(events)} events, {len(criteria.rules)} criteria"
    return Figure(what, judged * MILLI, 1, "ms")


def figures(work: Work) -> Iterator[Figure]:
    """Every budget that one process can show, in the order of the design's table."""
    yield step(work)
    yield verdict(work)
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "trace.jsonl"
        work.play(journal)
        scored = seconds(lambda: score(read_trace(journal), work.scene))
        yield Figure("score of stored traces", 1 / scored, 300, "a second", "more")

    opened = seconds(lambda: [Scene(work.task) for _ in range(1000)]) / 1000
    yield Figure("open a company", opened * MICRO, 50, "µs")
    yield Figure("memory of a live run", memory(work.play) / 2**20, 2, "MiB")
    yield Figure("model call over HTTP, 100 earlier calls, CPU", model_call() * MILLI, 3, "ms")

    for dialect, more in gateway.added().items():
        what = f"model call of a harness ({dialect}): the gateway adds, p50, wall"
        yield Figure(what, more * MILLI, 5, "ms")

    for which, more in doors.added().items():
        what = f"HTTP call from a sandbox, {which} connection: the door adds, p50, wall"
        yield Figure(what, more * MILLI, 1, "ms")

    served = tools.listing(work.task)
    what = f"{tools.COUNT} tools ({served.size / 2**10:,.0f} KiB) listed over MCP, p50, wall"
    yield Figure(what, served.listed * MILLI, 500, "ms")
    yield Figure("a tool called over MCP, p50, wall", served.called * MILLI, 5, "ms")

    company = load_company(Content())
    titles = [document.front.title for document in company.library.documents.values()]
    for what, index in (("documents", company.document_index), ("tools", company.tool_index)):
        yield Figure(f"search of {what}, p95, wall", slowest(index, titles) * MILLI, 2, "ms")

    yield from reports()


def reports() -> Iterator[Figure]:
    """What a report takes at the papers' size."""
    what = "10,000 task resamples for 9 models: intervals, 36 differences"
    yield Figure(what, report.resampling() * MILLI, 300, "ms")
    yield Figure("stored runs read for a report", report.reading(), 300, "a second", "more")
    built = site.measured()
    yield Figure(f"site of {built.runs:,} runs, tables and all, CPU", built.cpu, 60, "s")
    yield Figure(f"site of {built.runs:,} runs", built.bytes / 1e6, 60, "MB")
    if built.opens is not None:
        yield Figure("that site opened in Chromium, wall", built.opens * MILLI, 2000, "ms")


def slowest(index: Index, queries: list[str]) -> float:
    """Wall seconds that 95 of 100 searches stay under; each is asked for the first time."""
    index.find("warm up")
    taken = []
    for query in dict.fromkeys(queries):
        start = time.perf_counter()
        index.find(query)
        taken.append(time.perf_counter() - start)
    return sorted(taken)[len(taken) * 95 // 100]


def memory(play: Callable[[], object]) -> int:
    """Bytes that one finished run holds on to, states and events included."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = play()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return after - before


def model_call(earlier: int = 100, timed: int = 40) -> float:
    """CPU seconds of our side of one call of a model, late in a long conversation.

    The scripted server runs in a process of its own, so that only the client is counted.
    """
    return asyncio.run(_model_call(earlier, timed))


async def _model_call(earlier: int, timed: int) -> float:
    with elsewhere() as url:
        where = address("openai:bench", f"{url}/v1")
        model = open_model(where, "none", dice=random.Random(1))
        agent = Loop(model)
        tool = ToolSpec("now", "Tell the time.", {"type": "object", "properties": {}})
        move = await agent.move(Briefing("Work.", "Hello", (tool,)))
        for _ in range(earlier):
            move = await agent.move((Answer(move.calls[0].id, "x" * 400),))
        start = time.process_time()
        for _ in range(timed):
            move = await agent.move((Answer(move.calls[0].id, "x" * 400),))
        return (time.process_time() - start) / timed
