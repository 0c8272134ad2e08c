"""Reliability over several runs: what holds in every one of k runs, in any, and at best.

Of a task's n valid runs c succeeded. Over all subsets of k of its runs

    pass^k   share in which every run succeeded    C(c, k) / C(n, k)
             [Yao et al. 2024, tau-bench, arXiv:2406.12045; BizAgentBench, Figure 2]
    any of k share in which at least one did       1 - C(n - c, k) / C(n, k)
             [Chen et al. 2021, Evaluating Large Language Models Trained on Code, eq. 1]
    best of k  mean of the highest score           sum_i s_(i) C(i - 1, k - 1) / C(n, k)
             with s_(1) <= .. <= s_(n): of C(n, k) subsets, C(i - 1, k - 1) have s_(i) as their
             highest (StartupBench, Table 7, "oracle", where k = n = 3)

Each is unbiased for k fresh runs of the task, whatever n is, so tasks with unequal numbers of runs
stand side by side. k is never above the valid runs of any task: nothing is known beyond.
"""

from collections.abc import Iterable, Sequence
from math import comb


def pass_all(n: int, c: int, k: int) -> float:
    """Share of k-subsets of n runs, c of them successes, in which all succeed. 1 <= k <= n."""
    return comb(c, k) / comb(n, k)


def pass_any(n: int, c: int, k: int) -> float:
    """Share of k-subsets of n runs, c of them successes, in which any succeeds. 1 <= k <= n."""
    return 1 - comb(n - c, k) / comb(n, k)


def best_of(scores: Sequence[float], k: int) -> float:
    """Mean over all k-subsets of the highest score in each. 1 <= k <= len(scores)."""
    ordered, subsets = sorted(scores), comb(len(scores), k)
    return sum(s * comb(place, k - 1) for place, s in enumerate(ordered)) / subsets


def most_k(runs_by_task: Iterable[int]) -> int:
    """The highest k that every task has runs for; 0 without tasks."""
    return min(runs_by_task, default=0)
