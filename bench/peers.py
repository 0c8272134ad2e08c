"""What others take for the same work, beside ours in the same run."""

import json
import os
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from bench import ours
from bench.work import CALLS, Work

TAU2 = "BYTHEBOOK_TAU2"
"""Names the Python of an environment in which tau2-bench was installed by hand."""
BRING = (
    "git clone https://github.com/sierra-research/tau2-bench, install it there (uv sync), then"
    f" {TAU2}=tau2-bench/.venv/bin/python make bench"
)


def figures(step: float, judged: float) -> Iterator[ours.Figure | ours.Absent]:
    """`step`: our CPU microseconds of a step. `judged`: our milliseconds of a verdict."""
    if find_spec("inspect_ai"):
        from bench.inspect_peer import seconds_per_step

        peer = seconds_per_step() * ours.MICRO
        what = f"the same 200 calls under Inspect take {peer:,.0f} µs of CPU each: times ours"
        yield ours.Figure(what, peer / step, 40, "x", "more")
    yield from tau2(step, judged)


def alone() -> Iterator[ours.Figure | ours.Absent]:
    """Ours and theirs, without the rest of the bench."""
    work = Work.load()
    step, judged = ours.step(work), ours.verdict(work)
    yield from (step, judged)
    yield from figures(step.measured, judged.measured)


def tau2(step: float, judged: float) -> Iterator[ours.Figure | ours.Absent]:
    """Its own orchestrator, its retail shop, a scripted agent and customer."""
    python = os.environ.get(TAU2)
    if not python:
        yield ours.Absent("200 calls under tau2-bench", BRING)
        return
    script = Path(__file__).with_name("tau2_inside.py")
    done = subprocess.run(
        [python, script, str(CALLS), "3"], capture_output=True, text=True, timeout=600, check=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    taken, theirs = told["step"] * ours.MICRO, told["judged"] * ours.MILLI
    what = f"200 calls under tau2-bench {told['version']} take {taken:,.0f} µs of CPU each"
    yield ours.Figure(f"{what}: times ours", taken / step, 1, "x", "more")
    what = f"its evaluation of that run takes {theirs:,.0f} ms of CPU"
    yield ours.Figure(f"{what}: times our verdict", theirs / judged, 1, "x", "more")
