"""How far a judge agrees with people, item by item and on success.

Two raters, two marks. Of n items a table counts: both say pass (a), the judge alone says pass (b),
people alone say pass (c), both say fail (d).

    raw    p_o = (a + d) / n
    kappa  (p_o - p_e) / (1 - p_e), p_e = p q + (1 - p)(1 - q) with p = (a + b)/n, q = (a + c)/n
           [Cohen 1960, A coefficient of agreement for nominal scales]
    AC1    (p_o - p_e) / (1 - p_e), p_e = 2 m (1 - m) with m = (p + q) / 2
           [Gwet 2008, Computing inter-rater reliability in the presence of high agreement]

Kappa falls when nearly all marks are the same, AC1 does not; where both raters give one and the
same mark throughout, kappa is undefined.

Items of a task hang together, so intervals resample tasks: 10,000 times, all figures from one and
the same draws, 95 % between the 2.5th and the 97.5th percentile. One task has no interval.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from random import Random

import msgspec
import numpy as np
import numpy.typing as npt

from bythebook.deliverables.judge.labels import Label, Mark

Array = npt.NDArray[np.float64]

RESAMPLES = 10_000
LEAST_TASKS = 2
"""Fewer have no interval."""
LEAST_DEFINED = 0.95
"""Share of resamples in which a figure must be defined for it to have an interval."""


class RatedItem(msgspec.Struct, frozen=True):
    """What was decided on one item of one run."""

    item: str
    level: str
    dimension: str
    weight: int
    mark: Mark | None
    """None: void."""


class RatedRun(msgspec.Struct, frozen=True):
    """What was decided on one run."""

    task: str
    run: int
    success: bool | None
    """None: void items leave it open."""
    items: tuple[RatedItem, ...]


class Table(msgspec.Struct, frozen=True):
    """Marks of judge and people set against each other."""

    both_pass: int = 0
    false_pass: int = 0
    """The judge alone says pass."""
    false_fail: int = 0
    """People alone say pass."""
    both_fail: int = 0

    @property
    def n(self) -> int:
        """How many pairs of marks."""
        return self.both_pass + self.false_pass + self.false_fail + self.both_fail


class Figure(msgspec.Struct, frozen=True):
    """A share or coefficient, with its 95 % interval."""

    value: float | None
    """None: undefined."""
    low: float | None = None
    high: float | None = None


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement over some items, or on the success of some runs."""

    n: int
    tasks: int
    table: Table
    raw: Figure
    kappa: Figure
    ac1: Figure


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """A judge beside people: on items, and on the success of runs."""

    items: Figures
    success: Figures
    by_level: dict[str, Figures]
    by_dimension: dict[str, Figures]
    raters: Table
    """People among themselves, where several marked one item: every pair of them, the one whose
    name comes first as the "judge"."""
    without_label: int
    """Items decided and marked by nobody."""
    without_verdict: int
    """Items marked by people and void."""
    tied: int
    """Items on which people are divided evenly; left out."""
    unknown: int
    """Labels on items that no run holds."""
    runs_left_out: int
    """Runs whose success cannot be compared: an item without a label, or void items."""


def agreement(
    runs: Sequence[RatedRun],
    labels: Sequence[Label],
    *,
    success_at: float = 0.9,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Agreement:
    """Set the verdicts of some runs against people's labels."""
    people, tied = _majority(labels)
    pairs = [
        (run, one, people[key])
        for run in runs
        for one in run.items
        if (key := (run.task, run.run, one.item)) in people and one.mark is not None
    ]
    known = {(run.task, run.run, one.item): one for run in runs for one in run.items}
    successes = [
        (run.task, run.success, labelled)
        for run in runs
        if run.success is not None and (labelled := _success(run, people, success_at)) is not None
    ]
    draws = Draws({run.task for run in runs}, seed=seed, resamples=resamples)
    rows = [(run.task, one, _cell(one.mark == "pass", mark == "pass")) for run, one, mark in pairs]
    return Agreement(
        items=draws.figures((task, cell) for task, _, cell in rows),
        success=draws.figures((task, _cell(ours, theirs)) for task, ours, theirs in successes),
        by_level=_grouped(rows, lambda one: one.level, draws),
        by_dimension=_grouped(rows, lambda one: one.dimension, draws),
        raters=_between(labels),
        without_label=sum(key not in people and key not in tied for key in known),
        without_verdict=sum(key in known and known[key].mark is None for key in people),
        tied=len(tied),
        unknown=len({label.key for label in labels} - known.keys()),
        runs_left_out=len(runs) - len(successes),
    )


def _grouped(
    rows: Sequence[tuple[str, RatedItem, int]], group: Callable[[RatedItem], str], draws: "Draws"
) -> dict[str, Figures]:
    """The figures of each group by itself."""
    names = sorted({group(one) for _, one, _ in rows})
    return {
        name: draws.figures((task, cell) for task, one, cell in rows if group(one) == name)
        for name in names
    }


# --- labels -------------------------------------------------------------------------------------

Key = tuple[str, int, str]


def _majority(labels: Iterable[Label]) -> tuple[dict[Key, Mark], set[Key]]:
    """The mark of most raters for each item, and the items on which they are divided evenly."""
    votes: dict[Key, int] = {}
    for label in labels:
        votes[label.key] = votes.get(label.key, 0) + (1 if label.mark == "pass" else -1)
    people: dict[Key, Mark] = {
        key: "pass" if vote > 0 else "fail" for key, vote in votes.items() if vote
    }
    return people, votes.keys() - people.keys()


def _between(labels: Iterable[Label]) -> Table:
    by_item: dict[Key, dict[str, Mark]] = {}
    for label in labels:
        by_item.setdefault(label.key, {})[label.rater] = label.mark
    cells = [0, 0, 0, 0]
    for marks in by_item.values():
        for one, other in combinations(sorted(marks), 2):
            cells[_cell(marks[one] == "pass", marks[other] == "pass")] += 1
    return Table(*cells)


def _success(run: RatedRun, people: Mapping[Key, Mark], at: float) -> bool | None:
    """Success by people's marks; None when an item has none."""
    marks = [people.get((run.task, run.run, one.item)) for one in run.items]
    if None in marks or not marks:
        return None
    weight = sum(one.weight for one in run.items)
    won = sum(one.weight for one, mark in zip(run.items, marks, strict=True) if mark == "pass")
    return won >= at * weight - 1e-9


# --- figures ------------------------------------------------------------------------------------


def _cell(ours: bool, theirs: bool) -> int:
    """Place in a `Table`, by its fields' order."""
    return (0 if theirs else 1) if ours else (2 if theirs else 3)


def raw(table: Array) -> Array:
    """Of tables, one a row: [a, b, c, d]. Undefined is nan, here and below."""
    a, _, _, d = table.T
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = (a + d) / table.sum(axis=1)
    return found


def kappa(table: Array) -> Array:
    """Of tables, one a row: Cohen 1960."""
    a, b, c, _ = table.T
    n = table.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        p, q = (a + b) / n, (a + c) / n
        chance = p * q + (1 - p) * (1 - q)
        found: Array = (raw(table) - chance) / np.where(chance < 1, 1 - chance, np.nan)
    return found


def ac1(table: Array) -> Array:
    """Of tables, one a row: Gwet 2008."""
    a, b, c, _ = table.T
    n = table.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = ((a + b) / n + (a + c) / n) / 2
        chance = 2 * mean * (1 - mean)
        found: Array = (raw(table) - chance) / (1 - chance)
    return found


class Draws:
    """Resamples of tasks, drawn once: all figures are taken from the same ones."""

    def __init__(self, tasks: Iterable[str], *, seed: int, resamples: int) -> None:
        self._place = {task: number for number, task in enumerate(sorted(tasks))}
        self._dice, self._resamples = Random(seed), resamples
        self._drawn: Array | None = None

    @property
    def times(self) -> Array:
        """How often each task stands in each resample: resamples x tasks."""
        if self._drawn is None:
            count = len(self._place)
            self._drawn = np.zeros((self._resamples, count))
            for row in self._drawn:
                row += np.bincount(self._dice.choices(range(count), k=count), minlength=count)
        return self._drawn

    def figures(self, cells: Iterable[tuple[str, int]]) -> Figures:
        """`cells`: task, and place in its table."""
        counts = np.zeros((len(self._place), 4))
        for task, cell in cells:
            counts[self._place[task], cell] += 1
        table = counts.sum(axis=0, keepdims=True)
        tasks = int((counts.sum(axis=1) > 0).sum())
        drawn = self.times @ counts if tasks >= LEAST_TASKS else None
        return Figures(
            n=int(table.sum()),
            tasks=tasks,
            table=Table(*map(int, table[0])),
            raw=_figure(raw, table, drawn),
            kappa=_figure(kappa, table, drawn),
            ac1=_figure(ac1, table, drawn),
        )


def _figure(formula: Callable[[Array], Array], table: Array, drawn: Array | None) -> Figure:
    value = float(formula(table)[0]) if table.sum() else float("nan")
    if np.isnan(value):
        return Figure(None)
    if drawn is None:
        return Figure(value)
    found = formula(drawn)
    defined = found[~np.isnan(found)]
    if len(defined) < LEAST_DEFINED * len(found):
        return Figure(value)
    low, high = np.percentile(defined, (2.5, 97.5))
    return Figure(value, float(low), float(high))
