"""Paired differences and Holm's adjustment, against exact computations."""

import hashlib
from itertools import product
from math import comb
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.report.statistics.paired import (
    Sums,
    difference,
    differences,
    holm,
    resampled,
    swaps,
)
from bythebook.report.statistics.resample import draws


def means(*values: float) -> Sums:
    return Sums(np.array(values), np.ones(len(values)))


def test_a_p_value_is_that_of_all_swaps() -> None:
    """40 tasks: 12 rise, 4 fall, 24 stay. Of 2^16 ways to give signs to 16 steps of one size,
    those that add up to 8 or more either way."""
    changes = np.array([1.0] * 12 + [-1.0] * 4 + [0.0] * 24)
    before = np.where(changes < 0, 1.0, 0.0)
    found = difference(Sums(before, np.ones(40)), Sums(before + changes, np.ones(40)), draws(40))
    exact = sum(comb(16, up) for up in range(17) if abs(2 * up - 16) >= 8) / 2**16

    assert found.value == pytest.approx(8 / 40)
    assert found.p == pytest.approx(exact, abs=0.01)


def test_of_a_ratio_whole_tasks_are_swapped() -> None:
    """Six tasks of unequal weight: every one of 64 swaps counted out."""
    a, b = np.array([1.0, 5, 2, 8, 3, 9]), np.array([4.0, 6, 2, 3, 1, 2])
    below = np.array([5.0, 9, 4, 9, 6, 12]), np.array([5.0, 8, 4, 9, 6, 10])
    found = difference(Sums(a, below[0]), Sums(b, below[1]), draws(6))

    def gap(moved: tuple[int, ...]) -> float:
        move = np.array(moved, dtype=bool)
        left = np.where(move, b, a).sum() / np.where(move, below[1], below[0]).sum()
        return float(np.where(move, a, b).sum() / np.where(move, below[0], below[1]).sum() - left)

    every = [gap(moved) for moved in product((0, 1), repeat=6)]
    exact = fmean(abs(one) >= abs(every[0]) - 1e-12 for one in every)
    assert found.p == pytest.approx(exact)


def test_swaps_are_fair_and_the_same_on_every_machine() -> None:
    moves = swaps(50)

    assert set(np.unique(moves)) == {0.0, 1.0}
    assert abs(moves.mean(axis=0) - 0.5).max() < 5 * 0.005
    packed = moves.astype(np.uint8).tobytes()
    assert hashlib.sha256(packed).hexdigest() == (
        "52153b8d6e36fef7cef56c0e54687f72223bd3a55552eb4037deff29e05378e3"
    )


def test_pairing_takes_out_what_tasks_have_in_common() -> None:
    """Hard and easy tasks, the second always a little better: told apart though far from apart."""
    hard = np.linspace(0, 0.9, 40)
    better = hard + np.tile([0.02, 0.06], 20)
    found = difference(Sums(hard, np.ones(40)), Sums(better, np.ones(40)), draws(40))

    assert found.interval is not None
    assert 0.03 < found.interval.low < found.interval.high < 0.05
    assert found.p < 0.001


def test_two_that_are_the_same_cannot_be_told_apart() -> None:
    same = means(*np.linspace(0, 1, 30))
    found = difference(same, same, draws(30))

    assert (found.value, found.p, found.interval) == (0.0, 1.0, None)


@pytest.mark.parametrize(("tasks", "least"), [(2, 0.5), (3, 0.25), (5, 0.0625)])
def test_a_few_tasks_that_all_fall_prove_little(tasks: int, least: float) -> None:
    """Of m tasks that differ p cannot go below 2^(1 - m), however sure resamples look."""
    found = difference(means(*[1.0] * tasks), means(*[0.0] * tasks), draws(tasks))

    assert found.value == -1
    assert found.p == least


def test_only_tasks_that_both_played_are_compared() -> None:
    a = Sums(np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 1.0, 1.0, 0.0]))
    b = Sums(np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0, 1.0]))
    found = difference(a, b, draws(4))

    assert found.tasks == 2
    assert found.value == pytest.approx(-0.5)


def test_one_task_in_common_says_nothing() -> None:
    a, b = Sums(np.array([1.0, 0.0]), np.array([1.0, 0.0])), means(0.0, 1.0)
    found = difference(a, b, draws(2))

    assert (found.tasks, found.p, found.interval) == (1, 1.0, None)


def test_all_pairs_at_once_are_what_each_pair_is_alone() -> None:
    dice = np.linspace(0.1, 0.9, 25)
    sums = [
        Sums(dice, np.ones(25)),
        Sums(dice**2, np.ones(25)),
        Sums(np.where(dice > 0.3, dice**3, 0), (dice > 0.3).astype(float)),
    ]
    times = draws(25)
    every = differences(sums, times, resampled(sums, times))

    assert set(every) == {(0, 1), (0, 2), (1, 2)}
    for (i, j), found in every.items():
        assert found == difference(sums[i], sums[j], times)


def test_holm_is_as_in_his_paper() -> None:
    """Five tests: the smallest times 5, the next times 4, and never below one before."""
    assert holm([0.01, 0.04, 0.03, 0.005, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.5])


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_never_makes_a_difference_surer(p_values: list[float]) -> None:
    adjusted = holm(p_values)

    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    assert [p for _, p in sorted(zip(p_values, adjusted, strict=True))] == sorted(adjusted)
