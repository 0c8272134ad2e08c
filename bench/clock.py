"""Timing: the median of several runs, in CPU or wall seconds."""

import time
from collections.abc import Callable
from statistics import median


def seconds(work: Callable[[], object], *, runs: int = 7, wall: bool = False) -> float:
    """Median seconds of `work`, after one run that does not count."""
    now = time.perf_counter if wall else time.process_time
    work()
    taken = []
    for _ in range(runs):
        start = now()
        work()
        taken.append(now() - start)
    return median(taken)
