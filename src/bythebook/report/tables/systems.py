"""The same models under other agent programs, and general agents beside specialised ones
(StartupBench, Tables 6 and 7)."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

import numpy as np

from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.measures import SCORE, SUCCESS
from bythebook.report.notes import nothing, order_changes, usual
from bythebook.report.panel import OfTask, Panel, Parts
from bythebook.report.statistics.paired import Sums
from bythebook.report.statistics.passk import best_of, most_k, pass_any
from bythebook.report.statistics.ranks import swapped
from bythebook.report.table import EMPTY, Cell, Column, Row, Table
from bythebook.report.tables.board import RUNS, TASKS, Head, groups_of, known, rows_of
from bythebook.run.summary import RunLine

SUITE = "deliverables"
MOST_BEST = 3
"""The paper's oracle keeps the best of three."""


def harnesses(evaluations: Evaluations) -> Table:
    """Table 6: score of a model under each agent program, and how far they are apart."""
    head = Head(
        id="harnesses",
        title="The same model under other agent programs",
        says="Score by agent program (harness), and the highest less the lowest.",
        suite=SUITE,
        source="StartupBench, Table 6",
    )
    grid = _grid(evaluations.of(SUITE))
    agents = sorted({agent for by_agent in grid.values() for agent in by_agent})
    panel = Panel(groups_of(one for by_agent in grid.values() for one in by_agent.values()))
    cells = iter(panel.cells(SCORE, ranked=False))
    measured = {
        model: {agent: next(cells) for agent in by_agent} for model, by_agent in grid.items()
    }
    rows = [_model_row(model, found) for model, found in measured.items()]
    columns = [Column("model", "model")]
    columns += [Column(agent, agent, "points", SCORE.column.says) for agent in agents]
    columns.append(GAP)
    if not rows:
        return head.table(columns, (), nothing("no model was played under two agent programs"))
    ways = _ways(one for by_agent in grid.values() for one in by_agent.values())
    notes = usual(evaluations, SUITE, panel, NOISE, *_orders(measured, agents), *ways)
    return head.table(columns, [*rows, _average(measured, agents)], notes)


GAP = Column("gap", "max - min", "points", "Highest less lowest score of the model.")
NOISE = (
    "The highest of several scores lies above the lowest by chance alone: compare the gap with the"
    " intervals, and pairs in the table of differences."
)


def _grid(every: Sequence[Evaluation]) -> dict[str, dict[str, Evaluation]]:
    """Model to agent to evaluation; models under two agents or more. Of two evaluations of one
    model and agent the one with more runs stands."""
    grid: dict[str, dict[str, Evaluation]] = {}
    for one in sorted(every, key=lambda one: len(one.runs)):
        if one.model:
            grid.setdefault(one.model, {})[one.agent] = one
    return {model: grid[model] for model in sorted(grid) if len(grid[model]) > 1}


def _model_row(model: str, found: dict[str, Cell]) -> Row:
    values = [value for cell in found.values() if (value := known(cell)) is not None]
    gap = Cell(max(values) - min(values)) if len(values) > 1 else EMPTY
    return Row(model, {"model": Cell(model), **found, "gap": gap})


def _average(measured: dict[str, dict[str, Cell]], agents: Sequence[str]) -> Row:
    """Over models that were played under every agent program."""
    full = [found for found in measured.values() if all(agent in found for agent in agents)]
    cells = {agent: _mean([known(found[agent]) for found in full]) for agent in agents}
    gaps = [known(_model_row("", found).cell("gap")) for found in full]
    name = Cell("average", note=f"over {len(full)} models that were played under all")
    return Row("average", {"model": name, **cells, "gap": _mean(gaps)})


def _mean(values: Sequence[float | None]) -> Cell:
    there = [value for value in values if value is not None]
    return Cell(fmean(there), n=len(there)) if there and len(there) == len(values) else EMPTY


def _orders(measured: dict[str, dict[str, Cell]], agents: Sequence[str]) -> tuple[str, ...]:
    """Where one agent program puts models in another order than the first one does."""
    models = list(measured)
    heights = [[known(measured[m].get(agent, EMPTY)) for m in models] for agent in agents]
    told = [
        note
        for agent, column in zip(agents[1:], heights[1:], strict=True)
        for note in order_changes(swapped(models, heights[0], column), f"scores under {agent}")
    ]
    same = f"All agent programs put the models in the order of {agents[0]}."
    return tuple(told) or ((same,) if len(models) > 1 else ())


def _ways(every: Iterable[Evaluation]) -> tuple[str, ...]:
    """How each agent program differs from the others, and what did not bind it."""
    plans = [one.plan for one in every if one.plan is not None and one.plan.harness]
    told: dict[str, None] = {}
    for plan in plans:
        loose = f"Not bounded: {', '.join(plan.unbounded)}." if plan.unbounded else ""
        words = [f"{plan.harness} ({plan.sandbox}):", *plan.differences, loose]
        told[" ".join(filter(None, words))] = None
    return tuple(sorted(told))


# --- general and specialised --------------------------------------------------------------------


def systems(evaluations: Evaluations) -> Table:
    """Table 7: general agents, the best of their runs, and specialised systems."""
    head = Head(
        id="systems",
        title="General agents, the best of their runs, and specialised systems",
        says="Score and success of single runs, and if the best of k runs were known beforehand"
        " (oracle). Specialised are the evaluations that `--specialised` names.",
        suite=SUITE,
        source="StartupBench, Table 7",
    )
    every = evaluations.of(SUITE)
    panel = Panel(groups_of(every))
    counts = [_decided(group.runs) for group in panel.groups]
    k = min([MOST_BEST, *(most_k(count) for count in counts if count)])
    figures: dict[str, OfTask] = {
        "score": _single(SCORE.take),
        "best": _best(k),
        "success": _single(SUCCESS.take),
        "any": _any(k),
    }
    sums = {
        key: [panel.sums(group.runs, of_task) for group in panel.groups]
        for key, of_task in figures.items()
    }
    columns = {
        key: panel.figures(found, COLUMNS[key], list(map(sum, counts)), share=True)
        for key, found in sums.items()
    }
    special = [one.label in evaluations.specialised for one in every]
    kinds = ["specialised" if is_special else "general" for is_special in special]
    rows = [
        Row(row.key, row.cells | {"kind": Cell(kind)})
        for row, kind in zip(rows_of(panel, columns), kinds, strict=True)
    ]
    general = [place for place, is_special in enumerate(special) if not is_special]
    shown = (Column("evaluation", "evaluation"), KIND, TASKS, RUNS, *COLUMNS.values())
    if not rows or k == 0:
        return head.table(shown, (), nothing("no run has a score"))
    if len(general) > 1:
        rows.append(_all_general(panel, sums, general))
    best = f"k = {k}: over all subsets of {k} runs of a task, the mean of the highest score."
    left = "Runs whose score is open are left out here."
    return head.table(shown, rows, usual(evaluations, SUITE, panel, best, left))


KIND = Column("kind", "kind")
COLUMNS = {
    "score": Column("score", "score", "points", SCORE.column.says),
    "best": Column("best", "score, best of k", "points", "sum_i s_(i) C(i-1, k-1) / C(n, k)"),
    "success": Column("success", "success", "percent", SUCCESS.column.says),
    "any": Column("any", "success, any of k", "percent", "1 - C(n-c, k) / C(n, k)"),
}


def _all_general(panel: Panel, sums: dict[str, list[Sums]], general: Sequence[int]) -> Row:
    """The mean over the general evaluations, task by task."""
    cells = {
        key: panel.figures(
            [_averaged([found[place] for place in general])],
            COLUMNS[key],
            [len(general)],
            share=True,
        )[0]
        for key, found in sums.items()
    }
    name = Cell("general, average", note=f"over {len(general)} evaluations")
    return Row("general, average", {"evaluation": name, "kind": Cell("general"), **cells})


def _averaged(sums: Sequence[Sums]) -> Sums:
    """By task the mean share over those that have it."""
    above = np.column_stack([one.above for one in sums])
    below = np.column_stack([one.below for one in sums])
    there = below > 0
    shares = np.divide(above, below, out=np.zeros_like(above), where=there)
    count = there.sum(axis=1)
    mean = np.divide(shares.sum(axis=1), count, out=np.zeros(len(count)), where=count > 0)
    return Sums(mean, (count > 0).astype(np.float64))


def _decided(runs: Sequence[RunLine]) -> list[int]:
    """Runs with a score and a success, task by task."""
    return [
        sum(run.task == task and run.score is not None for run in runs)
        for task in sorted({run.task for run in runs})
    ]


def _single(take: Callable[[RunLine], Parts | None]) -> OfTask:
    def of_task(runs: Sequence[RunLine]) -> Parts | None:
        found = [parts[0] for run in runs if (parts := take(run)) is not None]
        return (fmean(found), 1.0) if found else None

    return of_task


def _best(k: int) -> OfTask:
    def of_task(runs: Sequence[RunLine]) -> Parts | None:
        found = [run.score for run in runs if run.score is not None]
        return (best_of(found, k), 1.0) if 0 < k <= len(found) else None

    return of_task


def _any(k: int) -> OfTask:
    def of_task(runs: Sequence[RunLine]) -> Parts | None:
        found = [run.success for run in runs if run.success is not None]
        return (pass_any(len(found), sum(found), k), 1.0) if 0 < k <= len(found) else None

    return of_task
