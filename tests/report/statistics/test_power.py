"""How many tasks it takes, against experiments that were really made."""

from math import inf
from random import Random
from statistics import NormalDist, fmean, stdev

import pytest

from bythebook.report.statistics.power import Spread, pooled, spread


def test_the_formula_is_the_usual_one() -> None:
    """7.849 V / delta^2, with V = 0.10 + 0.30 / 3 and five points."""
    found = Spread(between=0.10, within=0.30, tasks=97)

    assert found.tasks_needed(0.05, 3) == pytest.approx(7.849 * 0.20 / 0.0025, abs=1)
    assert found.tasks_needed(0.05, inf) == pytest.approx(7.849 * 0.10 / 0.0025, abs=1)


def test_more_runs_cannot_mend_tasks_that_differ() -> None:
    found = Spread(between=0.10, within=0.30, tasks=97)

    assert found.runs_needed(0.05, 97) is None
    runs = found.runs_needed(0.05, 400)
    assert runs is not None
    assert found.tasks_needed(0.05, runs) <= 400 < found.tasks_needed(0.05, runs - 1)


def test_the_least_difference_seen_is_where_the_tasks_needed_are_those_there_are() -> None:
    found = Spread(between=0.05, within=0.20, tasks=60)

    assert found.tasks_needed(found.least_seen(60, 3), 3) == 60


def test_variances_are_found_again_in_made_up_runs() -> None:
    """True variance over tasks 0.04, of a run 0.09 in each of the two; 400 tasks, three runs."""
    dice = Random(7)
    a, b = [], []
    for _ in range(400):
        level, change = dice.gauss(0, 1), dice.gauss(0.05, 0.2)
        a.append([level + dice.gauss(0, 0.3) for _ in range(3)])
        b.append([level + change + dice.gauss(0, 0.3) for _ in range(3)])
    found = spread(a, b)

    assert found is not None
    assert found.within == pytest.approx(2 * 0.09, rel=0.1)
    assert found.between == pytest.approx(0.04, rel=0.35)


def test_with_the_tasks_needed_four_of_five_experiments_see_the_difference() -> None:
    dice, delta = Random(11), 0.1
    true = Spread(between=0.04, within=2 * 0.09, tasks=0)
    tasks = true.tasks_needed(delta, 3)
    seen = 0
    for _ in range(600):
        changes = [
            dice.gauss(delta, 0.2) + fmean(dice.gauss(0, 0.3 * 2**0.5) for _ in range(3))
            for _ in range(tasks)
        ]
        error = stdev(changes) / tasks**0.5
        seen += abs(fmean(changes)) / error > NormalDist().inv_cdf(0.975)

    assert seen / 600 == pytest.approx(0.80, abs=0.05)


def test_without_repeated_runs_nothing_is_said() -> None:
    assert spread([[1.0], [0.0]], [[0.0], [1.0]]) is None
    assert spread([[1.0, 0.0]], [[0.0, 1.0]]) is None
    assert pooled([]) is None
