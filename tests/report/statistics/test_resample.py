"""Draws, figures and their intervals, against what can be worked out without resampling."""

import hashlib
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bythebook.report.statistics.resample import (
    RESAMPLES,
    Array,
    Interval,
    draws,
    interval,
    interval_of_share,
    ratio,
    ratios,
)


def figure(above: Array, below: Array) -> Array:
    return ratios(draws(len(above)), above[:, None], below[:, None])[:, 0]


def test_each_resample_draws_as_many_tasks_as_there_are() -> None:
    times = draws(97)

    assert times.shape == (RESAMPLES, 97)
    assert (times.sum(axis=1) == 97).all()


def test_draws_are_the_same_on_every_machine() -> None:
    """Raw words of PCG64, which NumPy promises not to change: this hash is for ever."""
    packed = draws(50).astype(np.uint8).tobytes()

    assert hashlib.sha256(packed).hexdigest() == (
        "5d3ce729e6ae9699b5f203f49600a8b2adbc97326925745147ef5befd75fdb55"
    )


def test_every_task_is_drawn_as_often_as_any_other() -> None:
    share = draws(50).mean(axis=0)

    # Each count is binomial(50, 1/50): mean 1, variance 0.98; over 10,000 resamples 0.0099.
    assert abs(share - 1).max() < 5 * 0.0099


def binomial_percentile(n: int, p: float, share: float) -> float:
    """The exact percentile of a mean of n draws of 0 and 1."""
    total = 0.0
    for k in range(n + 1):
        total += comb(n, k) * p**k * (1 - p) ** (n - k)
        if total >= share:
            return k / n
    return 1.0


@pytest.mark.parametrize(("tasks", "good"), [(50, 20), (97, 30), (15, 3)])
def test_of_zeros_and_ones_the_interval_is_the_binomial_one(tasks: int, good: int) -> None:
    """Resampled means of 0 and 1 are binomial, so that the percentiles are known exactly."""
    above = np.array([1.0] * good + [0.0] * (tasks - good))
    found = interval(figure(above, np.ones(tasks)))

    assert found is not None
    exact = [binomial_percentile(tasks, good / tasks, share) for share in (0.025, 0.975)]
    step = 1 / tasks
    assert found.low == pytest.approx(exact[0], abs=step)
    assert found.high == pytest.approx(exact[1], abs=step)


def test_of_many_tasks_the_interval_is_the_normal_one() -> None:
    """[Miller 2024]: mean +- 1.96 standard errors of the task means."""
    scores = np.linspace(0.2, 1.0, 97) ** 1.5
    found = interval(figure(scores, np.ones(97)))

    assert found is not None
    error = 1.96 * scores.std() / np.sqrt(97)
    assert found.low == pytest.approx(scores.mean() - error, abs=0.004)
    assert found.high == pytest.approx(scores.mean() + error, abs=0.004)


def test_a_ratio_is_of_sums_and_not_a_mean_of_ratios() -> None:
    above, below = np.array([10.0, 1.0]), np.array([20.0, 1.0])

    assert ratio(above, below) == pytest.approx(11 / 21)
    assert set(np.round(figure(above, below), 9)) == {0.5, round(11 / 21, 9), 1.0}


def test_a_task_that_was_not_run_has_no_say() -> None:
    with_it = figure(np.array([0.2, 0.6, 0.0]), np.array([1.0, 1.0, 0.0]))

    assert set(np.round(with_it[~np.isnan(with_it)], 9)) == {0.2, 0.4, 0.6} | {
        round(0.2 + 0.4 / 3, 9),
        round(0.2 + 0.8 / 3, 9),
    }


def test_a_figure_that_many_resamples_lack_has_no_interval() -> None:
    """One task of ten is absent from 0.9^10 = 35 % of resamples."""
    above, below = np.zeros(10), np.zeros(10)
    above[0] = below[0] = 1

    assert interval(figure(above, below)) is None


@pytest.mark.parametrize("tasks", [2, 12, 50, 97])
def test_where_every_task_came_out_alike_the_interval_is_the_exact_one(tasks: int) -> None:
    """Clopper and Pearson: with n of n zeros, p is such that (1 - p)^n = 0.025."""
    below = np.ones(tasks)
    none, every = np.zeros(tasks), np.ones(tasks)
    low = interval_of_share(figure(none, below), none, below)
    high = interval_of_share(figure(every, below), every, below)

    assert low is not None
    assert high is not None
    assert low.low == 0
    assert (1 - low.high) ** tasks == pytest.approx(0.025)
    assert high.high == 1
    assert high.low**tasks == pytest.approx(0.025)


def test_tasks_that_are_alike_in_between_have_no_interval() -> None:
    half, below = np.full(20, 0.5), np.ones(20)

    assert interval_of_share(figure(half, below), half, below) is None


def test_one_task_has_no_interval() -> None:
    one = np.ones(1)

    assert interval_of_share(figure(one, one), one, one) is None


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=30).filter(lambda found: max(found) > min(found))
)
@settings(max_examples=40, deadline=None)
def test_an_interval_stays_inside_what_was_seen(values: list[float]) -> None:
    above = np.array(values)
    found = interval_of_share(figure(above, np.ones(len(above))), above, np.ones(len(above)))

    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_an_interval_knows_what_it_holds() -> None:
    assert Interval(0.1, 0.2).holds(0.15)
    assert not Interval(0.1, 0.2).holds(0.25)
