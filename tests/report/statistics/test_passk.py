"""pass^k, any of k and best of k, against every subset counted out."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bythebook.report.statistics.passk import best_of, most_k, pass_all, pass_any

RUNS = st.lists(st.booleans(), min_size=1, max_size=8)


@given(RUNS, st.integers(1, 8))
def test_pass_k_is_the_share_of_subsets_in_which_every_run_succeeds(
    runs: list[bool], k: int
) -> None:
    k = min(k, len(runs))
    subsets = list(combinations(runs, k))

    assert pass_all(len(runs), sum(runs), k) == pytest.approx(fmean(map(all, subsets)))
    assert pass_any(len(runs), sum(runs), k) == pytest.approx(fmean(map(any, subsets)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7), st.integers(1, 7))
def test_best_of_k_is_the_mean_of_the_highest_over_all_subsets(scores: list[float], k: int) -> None:
    k = min(k, len(scores))
    highest = [max(subset) for subset in combinations(scores, k)]

    assert best_of(scores, k) == pytest.approx(fmean(highest))


def test_the_papers_oracle_is_the_best_of_all_three_runs() -> None:
    assert best_of([0.4, 0.9, 0.7], 3) == 0.9


def test_k_goes_as_far_as_the_task_with_the_fewest_runs() -> None:
    assert most_k([3, 5, 2, 3]) == 2
    assert most_k([]) == 0
