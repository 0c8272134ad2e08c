"""What a report takes: resampling at the papers' size, and reading stored evaluations."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.clock import seconds
from bythebook.report.data import read_evaluations
from bythebook.report.statistics.paired import Sums, differences, holm, resampled
from bythebook.report.statistics.resample import draws, interval
from tests.report.simulated import Size, conduct

MODELS, TASKS, RUNS = 9, 97, 3


def resampling() -> float:
    """CPU seconds of 10,000 resamples of 97 tasks for nine models: draws, nine intervals, and all
    36 paired differences with their adjusted p-values."""
    scores = np.sin(np.arange(TASKS * MODELS)).reshape(TASKS, MODELS) / 2 + 0.5
    sums = [Sums(scores[:, model].copy(), np.ones(TASKS)) for model in range(MODELS)]

    def once() -> None:
        draws.cache_clear()
        times = draws(TASKS)
        every = resampled(sums, times)
        for model in range(MODELS):
            interval(every[:, model])
        holm([one.p for one in differences(sums, times, every).values()])

    return seconds(once)


def reading() -> float:
    """Stored runs of conduct, about 90 calls each, that are read for a report in a CPU second."""
    size = Size(models=1, tasks=50, runs=RUNS)
    with TemporaryDirectory() as folder:
        conduct(Path(folder), size)

        def once() -> None:
            assert len(read_evaluations([Path(folder)]).every[0].runs) == size.tasks * size.runs

        return size.tasks * size.runs / seconds(once)
